#!/bin/sh
# Build Debian's packages of what is committed: t/packages/package.sh [RELEASE...]
#
# Here, without installing anything: dpkg-buildpackage with its tests, lintian,
# and the program as it is in the package. With RELEASE, as bookworm or trixie,
# in a minimal root of that release (by debootstrap, kept in build/package/roots)
# and then in another one the packages are installed, their tests (debian/tests)
# are run, and it is compared before and after: a purge leaves nothing behind.
# That needs root and debootstrap; apt inside uses this machine's settings.

set -eu
cd "${0%/*}/../.."
work=$PWD/build/package
roots=$work/roots
mirror=${MIRROR:-http://deb.debian.org/debian}
version=$(sed -n 's/^VERSION := //p' Makefile)
source=trace2-$version

die () {
	echo "t/packages/package.sh: $*" >&2
	exit 1
}

# The tarball of `make dist`, unpacked, with debian/ in it.
make_source () {
	rm -rf "$1" && mkdir -p "$1"
	${MAKE:-make} -s dist
	cp "build/$source.tar.gz" "$1/trace2_$version.orig.tar.gz"
	tar -C "$1" -xf "build/$source.tar.gz"
	git archive HEAD debian | tar -C "$1/$source" -x
}

# Run in the unpacked source. Hints of lintian count from warnings on.
build='set -eu
	export HOME=/nonexistent
	dpkg-buildpackage -us -uc -j"$(nproc)" >../build.log 2>&1 || {
		tail -n 40 ../build.log
		exit 1
	}
	grep -h "^# PASS" ../build.log
	lintian --allow-root --fail-on error,warning ../trace2_*.changes
	echo "lintian: clean"'

build_here () {
	for tool in dpkg-buildpackage dh lintian cmark-gfm
	do
		command -v $tool >/dev/null || {
			echo "SKIP package: no $tool (make deps-check)"
			return
		}
	done
	make_source "$work/here"
	(cd "$work/here/$source" && sh -c "$build")
	for package in "$work"/here/*.deb
	do
		dpkg-deb -x "$package" "$work/here/root"
	done
	"$work/here/root/usr/bin/trace2" --version
	"$work/here/root/usr/bin/trace2" validate \
		t/corpus/pass/event/start.event
}

# enter ROOT COMMAND...: the mounts end with the shell that made them.
enter () {
	root=$1
	shift
	ROOT=$root unshare --mount sh -c '
		mount --rbind /dev "$ROOT/dev"
		mount -t proc proc "$ROOT/proc"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			DEBIAN_FRONTEND=noninteractive chroot "$ROOT" "$@"' \
		sh "$@" </dev/null
}

make_root () {
	test ! -e "$roots/$1/etc/debian_version" || return 0
	mkdir -p "$roots"
	debootstrap --variant=minbase "$1" "$roots/$1" "$mirror" \
		>"$roots/$1.log"
	cp -L /etc/resolv.conf "$roots/$1/etc/"
	# The settings of this machine, not those that a package brings.
	for file in /etc/apt/apt.conf.d/*
	do
		dpkg -S "$file" >/dev/null 2>&1 ||
			cp -L "$file" "$roots/$1/etc/apt/apt.conf.d/"
	done
}

# copy_root RELEASE USE: a new root of that release.
copy_root () {
	rm -rf "$roots/$1-$2"
	cp -a "$roots/$1" "$roots/$1-$2"
}

build_in () {
	copy_root "$1" build
	make_source "$roots/$1-build/src"
	enter "$roots/$1-build" sh -ec "
		apt-get -q update
		apt-get -q -y install --no-install-recommends dpkg-dev lintian
		cd /src/$source
		apt-get -q -y --no-install-recommends build-dep ./" \
		>"$roots/$1.log" 2>&1 || die "see $roots/$1.log"
	enter "$roots/$1-build" sh -ec "cd /src/$source; $build"
}

# Every file, but what apt and dpkg write of their own and what a command
# that is compiled and run caches.
list_files='find / -xdev \( -path /proc -o -path /dev -o -path /tmp -o \
	-path /src -o -path /root -o -path /var/lib/dpkg -o -path /var/log \
	-o -path /var/cache -o -path /var/lib/apt \) -prune -o -print |
	grep -v "/__pycache__" | LC_ALL=C sort'

use_in () {
	copy_root "$1" use
	mkdir "$roots/$1-use/src"
	cp "$roots/$1-build"/src/*.deb "$roots/$1-use/src/"
	rm -f "$roots/$1-use"/src/*dbgsym*
	cp -R "$roots/$1-build/src/$source" "$roots/$1-use/src/"
	enter "$roots/$1-use" sh -ec "
		apt-get -q update
		apt-get -q -y install --no-install-recommends git gcc \
			libc6-dev pkgconf libmd-dev libsimdjson-dev
		apt-mark manual libsimdjson-dev libzstd1 zlib1g
		$list_files >/src/before
		apt-get -q -y install --no-install-recommends /src/*.deb
		cd /src/$source
		for test in command library manager
		do
			echo \"== debian/tests/\$test\" >&3
			debian/tests/\$test >&3
		done
		apt-get -q -y purge libtrace2-0 libtrace2-dev trace2
		$list_files >/src/after
		diff /src/before /src/after >&3
		echo 'purge: nothing is left behind' >&3" \
		3>&1 >"$roots/$1-use.log" 2>&1 || die "see $roots/$1-use.log"
}

if test $# = 0
then
	build_here
	exit
fi
test "$(id -u)" = 0 || die 'only root can make a root'
for release
do
	echo "== $release"
	start=$(date +%s)
	make_root "$release"
	build_in "$release"
	use_in "$release"
	echo "== $release: $(($(date +%s) - start)) s"
done
