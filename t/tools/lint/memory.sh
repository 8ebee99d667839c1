#!/bin/sh
# memory.sh PROGRAM: it passes under valgrind, which has nothing to say. What
# they print stays in PROGRAM.log and PROGRAM.found. Threads take turns there:
# else one that waits by looking again and again keeps the others from work.
#
# A test that gives a thread a tenth of a second, as the library does when a
# signal kills, may fail there on a busy machine. It may try three times; what
# valgrind finds in any of them is an error.

program=$1
set -- timeout -s KILL 300 valgrind -q --leak-check=full --fair-sched=yes --num-callers=30 \
	--suppressions="${0%/*}/valgrind.supp" --error-exitcode=99 \
	--log-file="$program.found" "$program"
for try in 1 2 3; do
	code=0
	"$@" >"$program.log" 2>&1 || code=$?
	! grep -q . "$program.found" || break
	test $code -ne 0 || exit 0
	echo "try $try failed under valgrind: $program" >&2
done
cat "$program.log" "$program.found"
echo "rerun: $*"
exit 1
