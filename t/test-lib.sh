# shellcheck shell=bash
#
# Shell scenarios that print TAP. A script looks like this, and prove runs
# it from anywhere:
#
#	#!/bin/bash
#	. "${0%/*}/test-lib.sh"
#
#	test_expect 'a start event names the program' '
#		GIT_TRACE2_EVENT=$PWD/log "$TEST_TOOL" trace2 001return 0
#		grep "\"event\":\"start\"" log
#	'
#
#	test_done
#
# Bodies run one after another in one scratch directory, each in a subshell
# where the first command that fails ends the test: what a later test needs
# must be in a file. `! command` never ends a test: use test_exit.
#
# At hand: $ROOT, $TEST_TOOL and $TRACE2 (the programs; set them to test
# others), $PYTHON (Debian's). Inside a scratch directory no repository is
# found above it, and nothing of the user's own settings is seen.

# bash can trace a body to a descriptor of its own, which keeps the trace
# out of what the body itself captures.
test "${BASH_VERSION-}" || exec bash "$0" "$@"

ROOT=$(cd "${0%/*}/.." && pwd)
test_script=t/${0##*/}
test_name=${0##*/}
test_name=${test_name%.sh}
test_scratch=${TEST_SCRATCH:-$ROOT/build/t}/$test_name

: "${TEST_TOOL:=$ROOT/helper/test-tool}" "${TRACE2:=$ROOT/helper/trace2}"
PYTHON=${PYTHON:-/usr/bin/python3}
for test_var in $(env | sed -n 's/^\(\(GIT\|TRACE\)_[A-Za-z0-9_]*\)=.*/\1/p')
do
	unset "$test_var"
done
unset XDG_CONFIG_HOME
LC_ALL=C
TZ=UTC
HOME=$test_scratch
GIT_CONFIG_SYSTEM=/dev/null
GIT_CEILING_DIRECTORIES=${test_scratch%/*}
export ROOT TEST_TOOL TRACE2 PYTHON LC_ALL TZ HOME GIT_CONFIG_SYSTEM \
	GIT_CEILING_DIRECTORIES
umask 022

rm -rf "$test_scratch"
mkdir -p "$test_scratch" && cd "$test_scratch" || exit 1

test_count=0
test_failed=0

# test_expect NAME BODY
test_expect () {
	test_count=$((test_count + 1))
	(
		exec >"$test_scratch.log" 2>&1 19>&1 </dev/null
		BASH_XTRACEFD=19
		PS4='+ '
		set -e
		eval "set -x"$'\n'"$2"
	)
	if test $? = 0
	then
		echo "ok $test_count - $1"
		return
	fi
	test_failed=1
	echo "not ok $test_count - $1"
	sed 's/^/# /' "$test_scratch.log"
	echo "# rerun: prove -v $test_script"
}

# End the script with a plan; its exit code tells whether a test failed.
test_done () {
	echo "1..$test_count"
	if test $test_failed = 0
	then
		cd / && rm -rf "$test_scratch" "$test_scratch.log"
	fi
	exit $test_failed
}

# test_needs COMMAND PACKAGE: without the command the script is skipped.
test_needs () {
	command -v "$1" >/dev/null && return
	echo "1..0 # SKIP no $1: apt-get install $2"
	exit 0
}

# test_plain REASON: the script is skipped on the build of a sanitizer.
test_plain () {
	test "${TEST_UNDER-}" || return 0
	echo "1..0 # SKIP not under $TEST_UNDER: $1"
	exit 0
}

# test_cmp WANT GOT: the files are equal, or the difference is shown.
test_cmp () {
	diff -u "$1" "$2"
}

# test_exit CODE COMMAND...: the command ends with that code.
test_exit () {
	(
		set +e
		test_want=$1
		shift
		"$@"
		test_got=$?
		test $test_got = "$test_want" ||
			echo "exit code $test_got, not $test_want: $*" >&2
		test $test_got = "$test_want"
	)
}

# test_line_count COUNT FILE
test_line_count () {
	test "$(wc -l <"$2")" -eq "$1" || {
		echo "$(wc -l <"$2") lines in $2, not $1:" >&2
		cat "$2" >&2
		return 1
	}
}
