#!/bin/sh
# The README's two commands where nothing is installed: t/packages/bare.sh [TARGET...]
#
# For each release of Debian (SUITES), for root and for a user without rights:
# makes a minimal root with only git and make added (by debootstrap, kept in
# build/bare), clones HEAD into a directory whose path has a blank and which
# nobody else may enter, and runs `make validate` and `make test` there, or
# the targets that are given. There is no /sys. Root's commands install what
# is missing; the user's print a line to type as root, which is typed, and
# then they work.
#
# Needs root, unshare(1), debootstrap and Debian's archive (MIRROR).

set -eu
cd "${0%/*}/../.."
bare=$PWD/build/bare
mirror=${MIRROR:-http://deb.debian.org/debian}
suites=${SUITES:-bookworm trixie}
test $# -gt 0 || set -- validate test

skip () {
	echo "SKIP check-bare: $*"
	exit 0
}

test "$(id -u)" = 0 || skip 'only root can make a root'
unshare --mount true 2>/dev/null || skip 'no mount namespaces here'
command -v debootstrap >/dev/null || skip 'no debootstrap (debootstrap)'

is_there () {
	wget -q --spider "$mirror/dists/$1/Release"
}

# make_base SUITE: build/bare/SUITE.tar; debootstrap fails if its directory
# has a blank in its path.
make_base () {
	test ! -e "$bare/$1.tar" || return 0
	base=$(mktemp -d)
	chmod 755 "$base" # as that of any system
	debootstrap --variant=minbase --include=git,make "$1" \
		"$base" "$mirror" >"$bare/debootstrap.log"
	tar -C "$base" -cf "$bare/$1.part" .
	mv "$bare/$1.part" "$bare/$1.tar"
	rm -rf "$base"
}

# How this machine's apt reaches its archives.
copy_settings () {
	cp -L /etc/resolv.conf "$root/etc/"
	{
		cat /etc/apt/apt.conf 2>/dev/null || :
		apt-config dump | grep '^Acquire::[^I]' || :
	} >"$root/etc/apt/apt.conf.d/90bare"
}

# make_root SUITE USER: build/bare/root, with a clone
make_root () {
	root=$bare/root
	rm -rf "$root"
	mkdir "$root"
	tar -C "$root" -xf "$bare/$1.tar"
	copy_settings
	home=/root
	test "$2" = root || {
		home=/home/$2
		chroot "$root" useradd --create-home --shell /bin/sh "$2"
	}
	clone="$home/a clone"
	git clone -q --no-hardlinks "file://$PWD" "$root$clone"
	chroot "$root" chown -R "$2:" "$home"
	chmod 700 "$root$home"
}

# as USER COMMAND...: in the clone. The mounts end with the command.
as () {
	who=$1
	shift
	ROOT=$root WHO=$who CLONE=$clone unshare --mount sh -eu -c '
		mount --rbind /dev "$ROOT/dev"
		mount -t proc proc "$ROOT/proc"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			HOME="${CLONE%/*}" chroot --userspec="$WHO:" "$ROOT" \
			sh -eu -c "umask 077; cd \"\$0\"; exec \"\$@\"" \
			"$CLONE" "$@" </dev/null' sh "$@"
}

# Run TARGET as a user who can't install. What it then asks for is typed as
# root, as it stands there, and the second attempt has to do.
make_as_user () {
	code=0
	as user make "$1" >"$bare/asked" 2>&1 || code=$?
	line=$(grep '^apt-get update && ' "$bare/asked" || :)
	test "$code" != 0 && test -n "$line" || {
		cat "$bare/asked"
		echo "make $1 does not say what to type"
		return 1
	}
	echo "# $line"
	as root sh -c "$line" >"$bare/apt.log" 2>&1 || {
		cat "$bare/apt.log"
		return 1
	}
	as user make "$1"
}

# Where nothing is installed, plain make says what to install, on one line.
check_plain_make () {
	as "$1" make >"$bare/plain" 2>&1 &&
		echo 'plain make needs nothing?' >"$bare/plain"
	cat "$bare/plain"
	test "$(grep -c '' "$bare/plain")" = 1 &&
		grep -q 'install python3 .*libsimdjson-dev' "$bare/plain" || {
		echo 'plain make does not say on one line what to install'
		exit 1
	}
}

# run TARGET AS-USER
run () {
	echo "== $suite, $2: make $1"
	start=$(date +%s)
	if test "$2" = root
	then
		as root make "$1"
	else
		make_as_user "$1"
	fi
	echo "== $suite, $2: make $1: $(($(date +%s) - start)) s"
}

mkdir -p "$bare"
for suite in $suites
do
	test -e "$bare/$suite.tar" || is_there "$suite" ||
		skip "can't reach $mirror"
	make_base "$suite"
	for user in root user
	do
		make_root "$suite" "$user"
		check_plain_make "$user"
		for target
		do
			run "$target" "$user"
		done
	done
done
rm -rf "$bare/root"
