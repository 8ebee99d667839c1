#!/bin/sh
# helgrind.sh TEST_TOOL: the verbs that have threads write the text targets
# under helgrind, which has nothing to say.

test_tool=$1
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
while read -r verb
do
	rm -f "$place"/*
	# shellcheck disable=SC2086 # words of a verb
	GIT_TRACE2="$place/normal" GIT_TRACE2_PERF="$place/perf" \
		GIT_TRACE2_EVENT="$place/event" timeout -s KILL 100 \
		valgrind -q --tool=helgrind --log-file="$place/found.%p" \
		--suppressions="${0%/*}/helgrind.supp" \
		"$test_tool" trace2 $verb >"$place/out" 2>&1
	if ! test -s "$place/event"
	then
		echo "helgrind: '$verb' wrote no events"
		cat "$place/out"
		exit 1
	fi
	if grep -q . "$place"/found.*
	then
		cat "$place"/found.*
		echo "helgrind: '$verb' is not clean"
		exit 1
	fi
done <<-EOF
	101timer 3 2 8
	201counter 7 3 8
	545signal_thread TERM
	550threads 8
	551thread_unknown
	553thread_again
	554thread_names short
	555thread_no_exit 2
	564fork_thread
	584shares
	590flood 50 8
EOF
