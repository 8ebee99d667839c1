# shellcheck shell=bash
#
# For the scenarios t02*.sh: a command of test-tool, and the lines that it
# writes, which are in golden/. What git's tests do with sed (hide times, pids
# and session ids), test-tool's fake host does here: its clock starts at
# 2026-01-02 03:04:05 UTC and advances with each event, the first process is
# number 1000, and it has always the same parents (helper/tool/fake/host.h).
#
#	test_expect 'a command that fails has its code in exit and atexit' '
#		test_exit 4 trace test-tool trace2 002exit 4
#		golden normal/002exit.txt
#	'
#
# `trace` and `trace_brief` run a command with all three targets. `golden FILE`
# compares what the target wrote with golden/FILE. With GOLDEN_WRITE=1 it
# writes golden/FILE instead, as `make golden` does.

mkdir bin dir out
ln -s "$(realpath "$TEST_TOOL")" bin/test-tool
ln -s "$(realpath "$TEST_TOOL")" bin/git

# trace [VARIABLE=VALUE...] COMMAND...; descriptor 9 is open on the file of
# the target $trace_nine.
trace () {
	rm -rf out
	mkdir out
	env TMPDIR="$PWD" PATH=bin:/usr/bin:/bin TEST_TOOL_FAKE_HOST=1 \
		GIT_TRACE2="$PWD/out/normal" GIT_TRACE2_PERF="$PWD/out/perf" \
		GIT_TRACE2_EVENT="$PWD/out/event" \
		"$@" 2>err 9>>"out/${trace_nine-normal}"
}

trace_brief () {
	trace GIT_TRACE2_BRIEF=1 GIT_TRACE2_PERF_BRIEF=1 \
		GIT_TRACE2_EVENT_BRIEF=1 "$@"
}

# golden TARGET/CASE.txt [FILE]: the file that the target wrote, or FILE.
golden () {
	golden_got=${2-out/${1%%/*}}
	if test "${GOLDEN_WRITE-}"
	then
		cp "$golden_got" "$ROOT/golden/$1"
	else
		test_cmp "$ROOT/golden/$1" "$golden_got"
	fi
}
