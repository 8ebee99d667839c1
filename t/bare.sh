#!/bin/sh
# The README's two commands on a bare Debian 12: t/bare.sh [TARGET...]
#
# Makes a minimal root with only git and make added (by debootstrap, kept
# in build/bare/base.tar), clones this repository's HEAD into it and runs
# `make validate` and `make test` there, or the targets that are given.
# Needs root and debootstrap; apt inside uses this machine's sources.

set -eu
cd "${0%/*}/.."
bare=$PWD/build/bare
mirror=${MIRROR:-http://deb.debian.org/debian}
test $# -gt 0 || set -- validate test

test "$(id -u)" = 0 || {
	echo "t/bare.sh: only root can make a root" >&2
	exit 1
}
mkdir -p "$bare"
if test ! -e "$bare/base.tar"
then
	debootstrap --variant=minbase --include=git,make bookworm \
		"$bare/base" "$mirror" >"$bare/debootstrap.log"
	tar -C "$bare/base" -cf "$bare/base.tar" .
	rm -rf "$bare/base"
fi

rm -rf "$bare/root"
mkdir "$bare/root"
tar -C "$bare/root" -xf "$bare/base.tar"
cp -RL /etc/apt/. "$bare/root/etc/apt/"
cp -L /etc/resolv.conf "$bare/root/etc/"
git clone -q --no-hardlinks "file://$PWD" "$bare/root/src"

# The mounts end with the shell that made them.
BARE=$bare/root unshare --mount sh -eu -c '
	mount --rbind /dev "$BARE/dev"
	mount -t proc proc "$BARE/proc"
	for target
	do
		echo "== make $target"
		start=$(date +%s)
		env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			chroot "$BARE" make -C /src "$target" </dev/null
		echo "== make $target: $(($(date +%s) - start)) s"
	done' sh "$@"
rm -rf "$bare/root"
