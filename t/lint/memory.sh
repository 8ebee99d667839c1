#!/bin/sh
# memory.sh PROGRAM: it passes under valgrind, which has nothing to say. What
# they print stays in PROGRAM.log and PROGRAM.found. Threads take turns there:
# else one that waits by looking again and again keeps the others from work.

program=$1
set -- timeout -s KILL 300 valgrind -q --leak-check=full --fair-sched=yes \
	--suppressions="${0%/*}/valgrind.supp" --error-exitcode=99 \
	--log-file="$program.found" "$program"
"$@" >"$program.log" 2>&1 && ! grep -q . "$program.found" && exit 0
cat "$program.log" "$program.found"
echo "rerun: $*"
exit 255 # xargs begins no other
