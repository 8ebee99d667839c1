#!/bin/bash
# `make validate`, with and without a log of one's own.

. "${0%/*}/test-lib.sh"

# make as a user calls it, not as a part of the make that runs the suite.
as_user () {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$ROOT" "$@"
}

test_expect 'make validate finds nothing in a fresh log of this git' '
	as_user validate >out
	grep "^OK: [1-9][0-9,]* events of [1-9][0-9]* processes in " out
	test -s "$ROOT"/build/recording/normal
	test -s "$ROOT"/build/recording/perf
'

test_expect 'make validate shows the finding of a line that it broke' '
	grep "broken:2:[0-9]*: error\[event.start.t_abs\]: " out
	grep -x " *^^*.*" out
	grep "^Found 1 error in .* in 1 file$" out
'

# A log of one process that ran well.
good=$(grep -l '"argv":\["git","init",' "$ROOT"/build/recording/event/*)

test_expect 'make validate LOG=PATH looks at that log and nothing else' '
	mkdir "a dir"
	cp "$good" "a dir/log"
	ls -lR --time-style=full-iso "$ROOT"/build/recording >before
	as_user validate LOG="$PWD/a dir" >out
	ls -lR --time-style=full-iso "$ROOT"/build/recording >after
	test_line_count 1 out
	grep "^OK: .* in 1 file$" out
	test_cmp before after
'

test_expect 'make validate LOG=PATH fails on findings' '
	sed "s/\"t_abs\"/\"t_apps\"/" "$good" >bad
	test_exit 2 as_user validate LOG="$PWD/bad" >out
	grep "^$PWD/bad:[0-9]*:[0-9]*: error" out
	test_exit 2 as_user validate LOG="$PWD/none"
'

test_expect 'LOG=PATH make validate is the same' '
	LOG="$PWD/a dir" as_user validate >out
	test_line_count 1 out
	grep "^OK: .* in 1 file$" out
	LOG="" as_user -n validate >out
	grep -x helper/validate-git.sh out
'

test_expect 'make validate says when it builds first' '
	as_user validate LOG="$good" 2>err
	test_exit 1 grep Building err
	# Other flags would build all objects again, under the other tests.
	test_exit 2 as_user validate LOG="$good" TOOLS=/proc/nowhere 2>err
	grep -x "Building /proc/nowhere/trace2" err
'

test_done
