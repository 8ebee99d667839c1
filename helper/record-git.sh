#!/bin/sh
# Record what the installed git writes: helper/record-git.sh DIRECTORY
#
# Makes DIRECTORY anew, lets git do a day's work in repositories inside it,
# and leaves there
#
#	normal	perf	the NORMAL and the PERF target, one file each
#	event/		the EVENT target, one file a process
#	output		what the commands printed
#
# git sees an empty environment and a home of its own: neither the user's
# configuration nor a trace that the user has on changes the recording, and
# nothing outside DIRECTORY is written.

set -eu

test $# = 1 || {
	echo "usage: helper/record-git.sh DIRECTORY" >&2
	exit 2
}
rm -rf "$1"
mkdir -p "$1"
dir=$(cd "$1" && pwd)
mkdir "$dir/home" "$dir/event" "$dir/tmp"
exec 3>&2 >"$dir/output" 2>&1 </dev/null
trap 'test $? = 0 || cat "$dir/output" >&3' EXIT

# git ARGUMENT...: run it, traced.
git () {
	echo "\$ git $*"
	env -i PATH="$PATH" HOME="$dir/home" TMPDIR="$dir/tmp" LC_ALL=C TZ=UTC \
		GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1 \
		GIT_CEILING_DIRECTORIES="$dir" GIT_TERMINAL_PROMPT=0 \
		GIT_TRACE2="$dir/normal" GIT_TRACE2_PERF="$dir/perf" \
		GIT_TRACE2_EVENT="$dir/event" GIT_TRACE2_EVENT_NESTING=10 \
		GIT_TRACE2_CONFIG_PARAMS='core.*,user.name' \
		GIT_TRACE2_ENV_VARS=LC_ALL \
		git "$@"
}

# fails CODE COMMAND...: what goes wrong is part of the day's work.
fails () {
	want=$1
	shift
	code=0
	"$@" || code=$?
	test $code = "$want"
}

# files COUNT WORD: 10 x COUNT files below the working directory.
files () {
	for d in 0 1 2 3 4 5 6 7 8 9
	do
		mkdir -p "src/$d"
		i=0
		while test $i -lt "$1"
		do
			echo "$2 $d $i" >"src/$d/file-$i"
			i=$((i + 1))
		done
	done
}

# Nothing is detached: it would still write while the log is read.
cat >"$dir/home/.gitconfig" <<-\EOF
	[user]
		name = A U Thor
		email = author@example.com
	[init]
		defaultBranch = main
	[gc]
		autoDetach = false
	[maintenance]
		autoDetach = false
	[alias]
		short = log --oneline
		names = !git ls-files | tail -n 3
EOF

cd "$dir"
git init origin
cd origin
files 30 first
git add .
git commit -q -m 'Many files'
printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
files 3 second
git status --short
git commit -q -a -m 'With a hook'

git short
git names
git switch -q -c topic
git mv src/0/file-0 renamed
git commit -q -m 'Rename a file'
git switch -q main
git merge -q --no-ff -m 'Merge the topic' topic
git diff --stat HEAD~2

cd "$dir"
git clone -q "file://$dir/origin" copy
git -C origin commit -q --allow-empty -m 'After the clone'
git -C copy fetch -q
git -C copy pull -q --ff-only
git -C copy gc -q

fails 1 git -C copy no-such-command
fails 128 git -C copy rev-parse --verify no-such-branch
fails 129 git -C copy status --no-such-option
