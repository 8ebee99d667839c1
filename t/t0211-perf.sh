#!/bin/bash
# The PERF target: columns of depth, thread, event, repository, times and
# category, for people who look for time.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a command that returns, in columns' '
	trace test-tool trace2 001return 0
	golden perf/001return.txt
'

test_expect 'an error is a message in the last column' '
	trace test-tool trace2 003error "hello world" "it'\''s" 100%s
	golden perf/003error.txt
'

test_expect 'regions are indented by two dots for each one around them' '
	trace test-tool trace2 500region_nested
	golden perf/500region_nested.txt
'

test_expect 'a region may have a message after its label' '
	trace test-tool trace2 501region_printf
	golden perf/501region_printf.txt
'

test_expect 'a leave that has no enter takes its time from the thread' '
	trace test-tool trace2 502region_unbalanced
	golden perf/502region_unbalanced.txt
'

test_expect 'data have the repository, both times, their category and key' '
	trace test-tool trace2 006data c k v c2 k2 "v 2"
	golden perf/006data.txt
	trace test-tool trace2 510data_intmax
	golden perf/510data_intmax.txt
	trace test-tool trace2 511data_json
	golden perf/511data_json.txt
'

test_expect 'the tenth repository widens its column' '
	trace test-tool trace2 527def_repo /1 /2 /3 /4 /5 /6 /7 /8 /9 /10
	golden perf/527def_repo-ten.txt
'

test_expect 'a long name of a source file is cut in front' '
	trace test-tool trace2 526location
	golden perf/526location.txt
'

test_done
