#!/bin/sh
# The library of a build with link-time optimisation: t/tools/lint/lto.sh CC FLAGS
#
# It shows no name of its own, and programs link both libraries, whether or
# not they are optimised at link time too.

set -eu
cd "${0%/*}/../../.."
cc=$1 flags=$2
dir=build/lto

# example ARGUMENT...: the example built so writes a version event.
example () {
	"$cc" -Iref -o $dir/example ref/example.c "$@" -lmd -pthread
	GIT_TRACE2=1 LD_LIBRARY_PATH=$dir $dir/example LICENSE 2>&1 |
		grep -q ' version ' || {
		echo "$cc $flags: the example with $* writes no log"
		exit 1
	}
}

rm -rf $dir
${MAKE:-make} -s --no-print-directory -j"$(nproc)" CC="$cc" B=$dir OPT="-O2 $flags" \
	$dir/libtrace2.a $dir/libtrace2.so $dir/helper/test-tool
"${PYTHON:-/usr/bin/python3}" t/tools/lint/symbols.py $dir/libtrace2.a \
	$dir/libtrace2.so
example $dir/libtrace2.a
example $flags $dir/libtrace2.a
example -L$dir -ltrace2
GIT_TRACE2=1 $dir/helper/test-tool trace2 001return 0 2>&1 |
	grep -q ' version ' || {
	echo "$cc $flags: test-tool writes no log"
	exit 1
}
