#!/bin/sh
# The sources of the module's libraries: helper/wasm/sources.sh DIR
#
# Makes DIR/{zlib,libzstd,sqlite3,libmd,xxhash} of Debian's source packages, and
# of SQLite's its one file. Nothing is done where they are there already.

set -eu
dir=$1
test ! -e "$dir/complete" || exit 0

die () {
	echo "sources: $*" >&2
	exit 1
}

packages='zlib libzstd sqlite3 libmd xxhash'
rm -rf "$dir"
mkdir -p "$dir"
"${0%/*}/../source.sh" "$dir" $packages || die "cannot be had: see $dir/log"
cd "$dir"
for package in $packages
do
	mkdir "$package"
	tar -xf "$package"_*.orig.tar.*[z2] -C "$package" --strip-components=1
done
cd sqlite3
make -f main.mk TOP=. BCC=cc NAWK=awk sqlite3.c >>../log 2>&1 ||
	die "SQLite's one file is not made: see $dir/log"
cd ..
rm -f -- *.tar.* *.dsc
touch complete
