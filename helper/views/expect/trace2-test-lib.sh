# shellcheck shell=sh
# What git logs in a test, for git's test library and for any other shell:
#
#	. trace2-test-lib.sh
#	test_trace2 'region index/preload' 'no child *maintenance*' -- git status
#
# Runs the command with a log of its own and checks the assertions, which
# trace2-expect(1) explains. It fails if the command does, or if one of them
# does not hold or can't be decided: also if there was no trace at all.
# An assertion of its own about `exit` allows a command to fail.

test_trace2 () {
	trace2_log=$(mktemp -d "${TMPDIR:-/tmp}/trace2.XXXXXX") || return 1
	trace2_any=
	while test $# -gt 0 && test "$1" != --
	do
		case "$1" in exit*) trace2_any=t ;; esac
		printf '%s\n' "$1"
		shift
	done >"$trace2_log/assertions"
	test $# -gt 0 && shift
	trace2_code=0
	mkdir "$trace2_log/log" &&
	GIT_TRACE2_EVENT="$trace2_log/log" GIT_TRACE2_EVENT_NESTING=100 "$@" ||
		trace2_code=$?
	if test $trace2_code = 0 || test -n "$trace2_any"
	then
		"${TRACE2:-trace2}" expect --nesting 100 \
			--file "$trace2_log/assertions" "$trace2_log/log" >&2
		trace2_code=$?
	fi
	rm -rf "$trace2_log"
	return $trace2_code
}
