#!/bin/bash
# The NORMAL target: a line for what a command does, for people to read.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a command that returns: version, start, its name, exit, atexit' '
	trace test-tool trace2 001return 0
	golden normal/001return.txt
'

test_expect 'the code that a program returns is cut to a byte' '
	test_exit 44 trace test-tool trace2 001return 300
	golden normal/001return-byte.txt
'

test_expect 'a command that calls exit() has its code, too' '
	test_exit 4 trace test-tool trace2 002exit 4
	golden normal/002exit.txt
'

test_expect 'errors are messages, with quotes and percent signs' '
	trace test-tool trace2 003error "hello world" "it'\''s" 100%s
	golden normal/003error.txt
'

test_expect 'BUG() ends the command with the code 99 and tells why' '
	test_exit 99 trace test-tool trace2 007bug
	golden normal/007bug.txt
'

test_expect 'a mode, an alias and paths are lines of their own' '
	trace test-tool trace2 520cmd_mode branch "a mode"
	golden normal/520cmd_mode.txt
	trace test-tool trace2 521alias co checkout "a b"
	golden normal/521alias.txt
	trace test-tool trace2 522cmd_path /usr/bin/git "/a path/git"
	golden normal/522cmd_path.txt
'

test_expect 'regions and data are not shown' '
	trace test-tool trace2 500region_nested
	golden normal/500region_nested.txt
	test_exit 1 grep -E " (region_enter|region_leave|data) " out/normal
'

test_expect 'a message of printf stands alone' '
	trace test-tool trace2 513printf one "two three" 100%s
	golden normal/513printf-args.txt
'

test_done
