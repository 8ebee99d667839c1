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

# The entries of apt's sources as ones for source packages.
copy_sources () {
	mkdir -p "$dir/parts"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*
	do
		test ! -f "$file" || sed -e 's/^deb /deb-src /' \
			-e 's/^Types:.*/Types: deb-src/' \
			"$file" >"$dir/parts/${file##*/}"
	done
}

# apt with lists of its own: no root is needed, and nothing else changes.
apt () {
	apt-get -q -y -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$dir/parts" \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o Acquire::Retries=0 -o Acquire::http::Timeout=20 \
		-o APT::Sandbox::User="$(id -un)" "$@" >>"$log" 2>&1 </dev/null
}

# Not all of the sources have source packages, so an update may fail.
fetch () {
	copy_sources
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	apt update || :
	(cd "$dir" && apt source --download-only "simdjson=$1") ||
		die "no source of version $1: see $log"
}

rm -rf "$dir"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
log=$dir/log
version=$(dpkg-query -W -f '${source:Version}' libsimdjson-dev 2>>"$log") ||
	die 'not installed by Debian'
fetch "$version"
cd "$dir"
tar -xf simdjson_*.orig.tar.* --one-top-level=source --strip-components=1
g++ -std=c++17 -O2 -fPIE -Isource/include -Isource/src \
	-c source/src/simdjson.cpp -o simdjson.o >>"$log" 2>&1 ||
	die "does not compile: see $log"
ar rcs libsimdjson.a simdjson.o
rm -rf source parts lists cache
