#!/bin/sh
# `trace2` for the CI of others: helper/ci/trace2.sh ARGUMENT...
#
# Runs the trace2 that is installed, else the one of this clone, which is
# built first. What building prints goes to standard error.

set -eu
clone=$(cd "${0%/*}/../.." && pwd)

if command -v trace2 >/dev/null
then
	exec trace2 "$@"
fi
if test ! -x "$clone/helper/trace2"
then
	echo "trace2 is not installed: building it" >&2
	make -s -C "$clone" deps-build >&2
fi
make -s -C "$clone" -j"$(nproc)" helper/trace2 >&2
exec "$clone/helper/trace2" "$@"
