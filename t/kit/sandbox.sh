# shellcheck shell=bash
# The directory and the environment in which the kit runs a driver, for the
# commands that it shows as `ran:`. Bash reads this file in a subshell, at the
# top of the repository:
#
#	(DRIVER=build/driver.py; . t/kit/sandbox.sh; test-tool trace2 001return 3)
#
# NAME is what the driver is called by (default: test-tool).

for name in $(env | sed -n 's/^\(GIT_[A-Za-z0-9_]*\)=.*/\1/p')
do
	unset "$name"
done
unset XDG_CONFIG_HOME
box=$(mktemp -d) || exit
mkdir "$box/bin" "$box/home" &&
ln -s "$(realpath "$(command -v "$DRIVER")")" "$box/bin/${NAME:-test-tool}" &&
cd "$box/home" || exit
PATH=$box/bin:$PATH LC_ALL=C TZ=UTC HOME=$PWD TMPDIR=$PWD
GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$box
export PATH LC_ALL TZ HOME TMPDIR GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES
umask 022
exec </dev/null
echo "in $PWD" >&2
