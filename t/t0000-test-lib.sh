#!/bin/bash
# The library that every other scenario stands on: what passes, what fails,
# and what a failure says.

. "${0%/*}/test-lib.sh"

# scenario: run standard input as a scenario of its own; its output is in
# `out`, its exit code in `code`.
scenario () {
	mkdir -p copy/t
	cp "$ROOT/t/test-lib.sh" copy/t/
	{
		echo '. "${0%/*}/test-lib.sh"'
		cat
	} >copy/t/t9999-inner.sh
	code=0
	TEST_SCRATCH="" GIT_TRACE2=1 GIT_CONFIG_COUNT=1 \
		sh copy/t/t9999-inner.sh >out 2>&1 || code=$?
	echo $code >code
}

test_expect 'bodies that succeed give ok lines, a plan and exit 0' '
	scenario <<-\EOF
	test_expect "one" "true"
	test_expect "two" "test 1 = 1"
	test_done
	EOF
	cat >want <<-\EOF
	ok 1 - one
	ok 2 - two
	1..2
	EOF
	test_cmp want out
	test $(cat code) = 0
'

test_expect 'a failing body gives not ok, its trace, the rerun and exit 1' '
	scenario <<-\EOF
	test_expect "bad" "echo said; false; echo unreached >reached"
	test_expect "good" "test ! -e reached"
	test_done
	EOF
	cat >want <<-\EOF
	not ok 1 - bad
	# ++ echo said
	# said
	# ++ false
	# rerun: prove -v t/t9999-inner.sh
	ok 2 - good
	1..2
	EOF
	test_cmp want out
	test $(cat code) = 1
'

test_expect 'test_cmp passes equal files and shows how others differ' '
	scenario <<-\EOF
	echo a >one; echo a >two; echo b >three
	test_expect "equal" "test_cmp one two"
	test_expect "unequal" "test_cmp one three"
	test_done
	EOF
	grep "^ok 1" out
	grep "^not ok 2" out
	grep "^# -a" out
	grep "^# +b" out
'

test_expect 'test_exit passes the code that was asked for, no other' '
	scenario <<-\EOF
	test_expect "three" "test_exit 3 sh -c \"exit 3\""
	test_expect "zero" "test_exit 0 true"
	test_expect "wrong" "test_exit 3 sh -c \"exit 4\""
	test_done
	EOF
	grep "^ok 1" out
	grep "^ok 2" out
	grep "^not ok 3" out
	grep "^# exit code 4, not 3: sh" out
'

test_expect 'the trace of a body stays out of what the body captures' '
	scenario <<-\EOF
	test_expect "captured" "test_exit 0 sh -c \"exit 0\" 2>err; test ! -s err"
	test_done
	EOF
	grep "^ok 1" out
'

test_expect 'test_line_count counts lines' '
	scenario <<-\EOF
	printf "a\nb\n" >two
	test_expect "lines" "test_line_count 2 two"
	test_expect "too many lines" "test_line_count 3 two"
	test_done
	EOF
	grep "^ok 1" out
	grep "^not ok 2" out
'

test_expect 'test_needs skips a script whose command is missing' '
	scenario <<-\EOF
	test_needs sh dash
	test_needs no-such-command some-package
	test_expect "never" "false"
	test_done
	EOF
	echo "1..0 # SKIP no no-such-command: apt-get install some-package" >want
	test_cmp want out
	test $(cat code) = 0
'

test_expect 'test_plain skips a script on the build of a sanitizer only' '
	printf "%s\n" "test_plain figures" test_done >script
	TEST_UNDER="" scenario <script
	echo "1..0" >want
	test_cmp want out
	TEST_UNDER=asan scenario <script
	echo "1..0 # SKIP not under asan: figures" >want
	test_cmp want out
'

test_expect 'the environment is pinned and the user settings are gone' '
	scenario <<-\EOF
	test_expect "pinned" "
		test \$LC_ALL,\$TZ,\$(umask) = C,UTC,0022
		test \"\$HOME\" = \"\$PWD\"
		test -z \"\${GIT_TRACE2-}\${GIT_CONFIG_COUNT-}\"
	"
	test_done
	EOF
	grep "^ok 1" out
'

test_expect 'scratch directories are apart, fresh, and outside a repository' '
	git init -q copy
	mkdir -p copy/build/t/t9999-inner
	>copy/build/t/t9999-inner/stale
	scenario <<-\EOF
	test_expect "fresh" "test ! -e stale; test \${PWD##*/} = t9999-inner"
	test_expect "outside" "test_exit 128 git rev-parse --git-dir"
	test_done
	EOF
	cat out
	test $(cat code) = 0
	test ! -e copy/build/t/t9999-inner
'

test_done
