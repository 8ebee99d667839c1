#!/bin/sh
# Record all git that the runner's user runs from now on: helper/ci/record.sh
#
# The directory is LOGS, or one of the job. git reads these settings only from
# the user's or the system's file, so steps with an environment of their own,
# such as checkout, are recorded too. `record.sh stop` puts back what was set
# before: a runner may be used again.

set -eu
logs=${LOGS:-$RUNNER_TEMP/trace2}
before=$RUNNER_TEMP/trace2-before
export GIT_TRACE2_EVENT=0 # our own git

# put KEY VALUE: set it; an empty value means that it is not set.
put () {
	if test -n "$2"
	then
		git config --global "$1" "$2"
	else
		git config --global --unset-all "$1" || test $? = 5
	fi
}

if test "${1-}" = stop
then
	test -d "$before" || exit 0
	for file in "$before"/*
	do
		put "${file##*/}" "$(cat "$file")"
	done
	rm -r "$before"
	exit 0
fi

mkdir -p "$logs"
if test ! -d "$before"
then
	mkdir "$before"
	for key in trace2.eventTarget trace2.eventNesting trace2.configParams
	do
		git config --global "$key" >"$before/$key" || test $? = 1
	done
fi
put trace2.eventTarget "$logs"
put trace2.eventNesting 10
put trace2.configParams 'core.*,fetch.*,checkout.*,index.*,feature.*'
echo "TRACE2_LOGS=$logs" >>"$GITHUB_ENV"
