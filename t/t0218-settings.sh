#!/bin/bash
# Settings: variables of the environment, and the configuration files of the
# system and of the user; neither a repository's own nor the command line's.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a target may be in the configuration of the user' '
	printf "[trace2]\n\tnormalTarget = %s\n" "$PWD/by-user" >.gitconfig
	trace GIT_TRACE2= test-tool trace2 001return 0
	golden normal/001return.txt by-user
	test_line_count 0 out/normal
	rm .gitconfig
'

test_expect 'a target may be in the configuration of the system' '
	printf "[trace2]\n\teventTarget = %s\n" "$PWD/by-system" >system
	trace GIT_CONFIG_SYSTEM="$PWD/system" GIT_TRACE2_EVENT= \
		test-tool trace2 001return 0
	golden event/001return.txt by-system
'

test_expect 'the environment comes before the user, the user before the system' '
	printf "[trace2]\n\tperfBrief = true\n" >.gitconfig
	printf "[trace2]\n\tperfBrief = false\n" >system
	trace GIT_CONFIG_SYSTEM="$PWD/system" test-tool trace2 001return 0
	golden perf/001return.brief.txt
	trace GIT_CONFIG_SYSTEM="$PWD/system" GIT_TRACE2_PERF_BRIEF=0 \
		test-tool trace2 001return 0
	golden perf/001return.txt
	rm .gitconfig
'

test_expect 'the configuration of a repository counts for no setting' '
	mkdir -p .git/objects .git/refs
	echo "ref: refs/heads/main" >.git/HEAD
	printf "[trace2]\n\tnormalBrief = true\n" >.git/config
	trace GIT_CEILING_DIRECTORIES= test-tool trace2 001return 0
	golden normal/001return.txt
	rm -r .git
'

test_expect 'a directory gets a file for each process' '
	mkdir logs
	test_exit 5 trace GIT_TRACE2_EVENT="$PWD/logs" test-tool trace2 \
		004child test-tool trace2 001return 5
	cat logs/* | sort >got
	sort "$ROOT/golden/event/004child.txt" >want
	test_cmp want got
	test "$(ls logs)" = "$(printf "%s\n" \
		20260102T030405.000005Z-H63cf98d4-P000003e8 \
		20260102T030405.000077Z-H63cf98d4-P000003e9)"
'

test_expect 'the depth of regions in EVENT is a setting' '
	trace GIT_TRACE2_EVENT_NESTING=1 test-tool trace2 500region_nested 3
	golden event/500region_nested-1.txt
	trace GIT_TRACE2_EVENT_NESTING=10 test-tool trace2 500region_nested 12
	golden event/500region_nested-10.txt
'

test_expect 'parameters of the configuration and variables are listed' '
	trace GIT_TRACE2_CONFIG_PARAMS="user.*, CORE.?b,user.name" \
		GIT_TRACE2_ENV_VARS=ONE,UNSET,EMPTY,TWO,ONE \
		ONE=1 TWO="2 words" EMPTY= GIT_CONFIG_COUNT=3 \
		GIT_CONFIG_KEY_0=User.Name GIT_CONFIG_VALUE_0="A U Thor" \
		GIT_CONFIG_KEY_1=core.ab GIT_CONFIG_VALUE_1= \
		GIT_CONFIG_KEY_2=other.key GIT_CONFIG_VALUE_2=no \
		test-tool trace2 571list
	golden normal/571list.txt
	golden perf/571list.txt
	golden event/571list.txt
'

test_expect 'passwords are shown if the user wants that' '
	trace GIT_TRACE2_REDACT=0 test-tool trace2 300redact_start \
		git clone https://user:pw@example.com/x
	golden event/300redact_start-off.txt
'

test_expect 'a value that means nothing gets a warning, and no target' '
	trace GIT_TRACE2=relative/path test-tool trace2 001return 0
	grep -x "warning: trace2: unknown value for '\''GIT_TRACE2'\'': '\''relative/path'\''" err
	golden event/001return.txt
'

test_done
