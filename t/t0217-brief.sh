#!/bin/bash
# The brief settings: the same events, without times and places of the source.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'NORMAL has the events alone' '
	trace_brief test-tool trace2 001return 0
	golden normal/001return.brief.txt
	head -n 1 out/normal | grep "^version "
'

test_expect 'PERF begins with the depth' '
	trace_brief test-tool trace2 001return 0
	golden perf/001return.brief.txt
	head -n 1 out/perf | grep "^d0 | main "
'

test_expect 'EVENT has no file and line, and a time only at both ends' '
	trace_brief test-tool trace2 001return 0
	golden event/001return.brief.txt
	test_exit 1 grep "\"file\":" out/event
	test "$(grep -c "\"time\":" out/event)" = 2
'

test_expect 'each target has a setting of its own' '
	trace GIT_TRACE2_PERF_BRIEF=1 test-tool trace2 001return 0
	golden normal/001return.txt
	golden perf/001return.brief.txt
	golden event/001return.txt
'

test_expect 'regions, threads and children are brief, too' '
	trace_brief test-tool trace2 500region_nested
	golden perf/500region_nested.brief.txt
	trace_brief test-tool trace2 550threads 3
	golden event/550threads.brief.txt
	test_exit 5 trace_brief test-tool trace2 004child \
		test-tool trace2 001return 5
	golden normal/004child.brief.txt
'

test_done
