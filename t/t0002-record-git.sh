#!/bin/bash
# helper/record-git.sh: what a recording holds, and what it leaves alone.

. "${0%/*}/test-lib.sh"

# All events of the recording, one word each.
event_types () {
	cat "$1"/event/* | sed 's/^{"event":"\([a-z_]*\)".*/\1/'
}

# The commands that ran, each with those above it.
commands () {
	grep -ho "\"hierarchy\":\"[^\"]*\"" "$1"/event/* | sort
}

test_expect 'a recording holds the events of a day of work' '
	"$ROOT"/helper/record-git.sh rec
	event_types rec | sort -u >got
	cat >want <<-\EOF
	alias
	atexit
	child_exit
	child_start
	cmd_ancestry
	cmd_mode
	cmd_name
	data
	data_json
	def_param
	def_repo
	error
	exit
	region_enter
	region_leave
	start
	version
	EOF
	test_exit 1 grep -vxF -f got want
'

test_expect 'a recording has a hook, an alias, a failure and -C' '
	grep -h "\"child_class\":\"hook\",\"hook_name\":\"pre-commit\"" rec/event/*
	grep -h "\"alias\":\"short\"" rec/event/*
	grep -h "\"event\":\"exit\".*\"code\":128}" rec/event/*
	grep -h "\"argv\":\[\"git\",\"-C\"" rec/event/*
'

test_expect 'a recording has all three targets, for the same processes' '
	event_types rec | grep -cx version >event
	grep -c " version [^ ]*$" rec/normal >normal
	grep -c "| version  *|" rec/perf >perf
	test_cmp event normal
	test_cmp event perf
'

test_expect 'a recording is the same whatever the user has set' '
	commands rec >plain
	mkdir -p home hooks outside
	cat >home/.gitconfig <<-EOF
	[trace2]
		eventTarget = $PWD/outside/event
	[core]
		hooksPath = $PWD/hooks
	[user]
		useConfigOnly = true
	EOF
	env HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/home" \
		TMPDIR="$PWD/outside" GIT_TRACE2="$PWD/outside/normal" \
		GIT_TRACE="$PWD/outside/trace" GIT_DIR="$PWD/outside/dir" \
		GIT_TRACE2_EVENT_BRIEF=1 \
		GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name \
		GIT_CONFIG_VALUE_0=someone GIT_TRACE2_PARENT_SID=parent \
		"$ROOT"/helper/record-git.sh rec2
	commands rec2 >hostile
	test_cmp plain hostile
	grep -h "\"sid\":\"parent/" rec2/event/* | test_line_count 0 /dev/stdin
	grep -hv "\"file\":" rec2/event/* | test_line_count 0 /dev/stdin
	ls -A outside | test_line_count 0 /dev/stdin
'

test_expect 'work that goes wrong ends the recording with its output' '
	mkdir bin
	printf "#!/bin/sh\necho no git today >&2\nexit 7\n" >bin/git
	chmod +x bin/git
	test_exit 7 env PATH="$PWD/bin:$PATH" \
		"$ROOT"/helper/record-git.sh rec3 2>err
	grep "no git today" err
'

test_done
