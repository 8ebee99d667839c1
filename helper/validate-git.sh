#!/bin/sh
# What `make validate` shows: the installed git's own log, recorded and
# validated, and then what a broken line in a copy of it looks like.
#
# The recording and the copy are left in build/recording to look at.

set -eu
cd "${0%/*}/.."
dir=build/recording

# Show a command, then run it.
run () {
	echo "> $*"
	"$@"
}

echo "Recording $(git --version) at work, then validating its log"
run helper/record-git.sh $dir
run helper/trace2 validate --format full $dir/event

first=$(grep -l '"event":"start"' $dir/event/* | head -n 1)
sed 's/\("event":"start".*"t_abs":\)\([0-9.]*\)/\1"\2"/' "$first" >$dir/broken
echo
echo "A copy of one of these files, with one number turned into a string:"
code=0
run helper/trace2 validate --format full $dir/broken || code=$?
test $code = 1 || {
	echo "make validate: the broken line was not found" >&2
	exit 1
}
