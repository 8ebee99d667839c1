#!/bin/bash
# Threads: numbered names, a stack of regions for each, and their times.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'three threads work side by side within a region of main' '
	trace test-tool trace2 550threads 3
	golden normal/550threads.txt
	golden perf/550threads.txt
	golden event/550threads.txt
'

test_expect 'a thread that did not announce itself has an unknown name' '
	trace test-tool trace2 551thread_unknown
	golden perf/551thread_unknown.txt
	grep "| th01:unknown " out/perf
'

test_expect 'a thread function that main calls is a region' '
	trace test-tool trace2 552thread_main base
	golden perf/552thread_main.txt
	grep "| main .*thread-proc on main: base" out/perf
'

test_expect 'a name is cut to 24 bytes, between two characters' '
	trace test-tool trace2 554thread_names short nineteen-bytes-long \
		one-that-is-longer-than-24 "café café café é"
	golden perf/554thread_names.txt
	golden event/554thread_names.txt
'

test_expect 'a thread need not say that it ends' '
	trace test-tool trace2 555thread_no_exit 2
	golden event/555thread_no_exit.txt
'

test_done
