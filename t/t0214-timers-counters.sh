#!/bin/bash
# Timers and counters: one line for many intervals and additions, when the
# thread or the process ends.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a stopwatch timer has its intervals and their times at exit' '
	trace test-tool trace2 100timer 3 2
	golden normal/100timer.txt
	golden perf/100timer.txt
	golden event/100timer.txt
	tail -n 2 out/event | head -n 1 | grep "\"event\":\"timer\""
'

test_expect 'a timer that was never stopped writes nothing' '
	trace test-tool trace2 100timer 0 2
	golden event/100timer-zero.txt
	test_exit 1 grep "\"event\":\"timer\"" out/event
'

test_expect 'threads have shares of a timer, and the process its total' '
	trace test-tool trace2 101timer 3 2 3
	golden normal/101timer.txt
	golden perf/101timer.txt
	golden event/101timer.txt
	test "$(grep -c "\"event\":\"th_timer\"" out/event)" = 3
'

test_expect 'a counter has the sum of what was added' '
	trace test-tool trace2 200counter 1 2 3
	golden normal/200counter.txt
	golden perf/200counter.txt
	golden event/200counter.txt
'

test_expect 'threads have shares of a counter, and the process its total' '
	trace test-tool trace2 201counter 7 13 3
	golden normal/201counter.txt
	golden perf/201counter.txt
	golden event/201counter.txt
	grep "\"event\":\"counter\".*\"count\":60}" out/event
'

test_done
