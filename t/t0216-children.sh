#!/bin/bash
# Child processes: what was run, how it ended, and what the child itself says,
# whose session id begins with that of its parent.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a child and its parent write to the same file' '
	test_exit 5 trace test-tool trace2 004child test-tool trace2 001return 5
	golden normal/004child.txt
	golden perf/004child.txt
	golden event/004child.txt
'

test_expect 'a grandchild is two levels down, and so is its hierarchy' '
	trace test-tool trace2 004child test-tool trace2 004child \
		test-tool trace2 001return 0
	golden normal/004child-nested.txt
	golden perf/004child-nested.txt
	grep "| d2 | main .*trace2 (trace2/trace2/trace2)$" out/perf
'

test_expect 'a child that cannot be started has the pid -1' '
	test_exit 255 trace test-tool trace2 004child no-such-program
	golden event/004child-missing.txt
	grep "\"event\":\"child_exit\".*\"pid\":-1,\"code\":-1," out/event
'

test_expect 'a child that a signal kills has the code 128 and its number' '
	test_exit 137 trace test-tool trace2 004child sh -c "kill -9 \$\$"
	golden event/004child-killed.txt
'

test_expect 'a child has a class, and a hook its name' '
	test_exit 1 trace test-tool trace2 533child_class editor sh -c "exit 1"
	golden perf/533child_class.txt
	trace test-tool trace2 531hook pre-commit test-tool trace2 001return 0
	golden event/531hook.txt
'

test_expect 'a child in the background is ready, and nobody waits for it' '
	trace test-tool trace2 530child_ready ready test-tool trace2 001return 0
	golden normal/530child_ready.txt
	golden event/530child_ready.txt
	test_exit 1 grep child_exit out/event
'

test_expect 'exec is the last event of a program, the next one goes on' '
	test_exit 3 trace test-tool trace2 005exec trace2 001return 3
	golden normal/005exec.txt
	golden event/005exec.txt
'

test_expect 'an exec that fails has a result, and the program goes on' '
	test_exit 255 trace env PATH=/nonexistent "$PWD/bin/test-tool" trace2 \
		005exec version
	grep "exec_result\[0\] code:2 err:No such file or directory$" out/normal
'

test_done
