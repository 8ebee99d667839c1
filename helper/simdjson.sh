#!/bin/sh
# simdjson as an archive, which Debian does not have: helper/simdjson.sh DIR
#
# Its source comes from where Debian's packages come from, in the version
# that is installed, checked by apt as any package. All of it stays in DIR,
# and nothing is installed. Makes DIR/libsimdjson.a, or says why not.

set -eu
dir=$1 log=$1/log

die () {
	echo "simdjson: $*" >&2
	exit 1
}

rm -rf "$dir"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
log=$dir/log
version=$(dpkg-query -W -f '${source:Version}' libsimdjson-dev 2>>"$log") ||
	die 'not installed by Debian'
"${0%/*}/source.sh" "$dir" "simdjson=$version" ||
	die "no source of version $version: see $log"
cd "$dir"
tar -xf simdjson_*.orig.tar.* --one-top-level=source --strip-components=1
g++ -std=c++17 -O2 -fPIE -Isource/include -Isource/src \
	-c source/src/simdjson.cpp -o simdjson.o >>"$log" 2>&1 ||
	die "does not compile: see $log"
ar rcs libsimdjson.a simdjson.o
rm -rf source
