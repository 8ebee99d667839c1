#!/bin/bash
# cmd_ancestry: the names of the parents, from the nearest one on. The fake
# host has the parents `sh`, `(a) b` and `init`.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'every command names its parents right after start' '
	trace test-tool trace2 001return 0
	golden normal/001return.txt
	golden perf/001return.txt
	golden event/001return.txt
	sed -n 3p out/normal | grep "cmd_ancestry sh <- (a) b <- init$"
'

test_expect 'a child has its parent in front, in each target' '
	for target in normal perf event
	do
		trace_nine=$target
		test_exit 3 trace test-tool trace2 400ancestry $target 9 \
			test-tool trace2 001return 3
		golden $target/400ancestry-$target.txt
	done
'

test_expect 'a program may name parents that only it knows' '
	trace test-tool trace2 524cmd_ancestry parent "grand parent"
	golden normal/524cmd_ancestry.txt
	golden perf/524cmd_ancestry.txt
	golden event/524cmd_ancestry.txt
'

test_done
