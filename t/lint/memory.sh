#!/bin/sh
# memory.sh PROGRAM: it passes under valgrind, which has nothing to say.
log=build/memory-${1##*/}

set -- timeout -s KILL 300 valgrind -q --leak-check=full \
	--suppressions=t/lint/valgrind.supp --error-exitcode=99 \
	--log-file="$log.found" "$1"
"$@" >"$log" 2>&1 && ! grep -q . "$log.found" && exit 0
cat "$log" "$log.found"
echo "rerun: $*"
exit 255 # xargs begins no other
