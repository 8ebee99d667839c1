#!/bin/sh
# Install what is missing: helper/deps.sh build|test|mutation|check|fleet|lttng|tracing|coverage|ports|wasm
# With `missing` before the tier: only name it, and exit with 1.
#
# Each tier includes build and test, but fleet, lttng, tracing, coverage, ports and wasm stand alone. A
# package is asked for only when its command, file, header or Python module
# is missing, so that what came from elsewhere stays; with nothing missing
# this takes milliseconds. Needs root or sudo; with neither it prints the
# one command to type. Nothing here ever comes from outside Debian, and npm
# never comes from apt: Node's own packages conflict with Debian's.

set -u
python=${PYTHON:-/usr/bin/python3}
log=build/deps.log

# tier, kind of thing, thing, package
table='
build command gcc gcc
build command g++ g++
build command objcopy binutils
build header stdio.h libc6-dev
build header simdjson.h libsimdjson-dev
build header sha1.h libmd-dev
build header zlib.h zlib1g-dev
build header zstd.h libzstd-dev
build header xxhash.h libxxhash-dev
build header sqlite3.h libsqlite3-dev
build header curl/curl.h libcurl4-openssl-dev
build file /usr/bin/python3 python3
test command prove perl
test command pkg-config pkgconf
test command pmccabe pmccabe
test module pytest python3-pytest
test module xdist python3-pytest-xdist
test module jsonschema python3-jsonschema
test module hypothesis python3-hypothesis
mutation module clang python3-clang
mutation command clang clang
check command clang clang
check command clang-format clang-format
check file /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.ubsan_standalone-*.a libclang-rt-dev
check command valgrind valgrind
check command mandoc mandoc
check command shellcheck shellcheck
check command bash bash
check command ccache ccache
check command zsh zsh
check command fish fish
check command cmark-gfm cmark-gfm
check command dh debhelper
check command dpkg-buildpackage dpkg-dev
check command lintian lintian
check command pre-commit pre-commit
check module yaml python3-yaml
check module distributed python3-distributed
check command parallel parallel
fleet module distributed python3-distributed
check file /usr/libexec/installed-tests/glib/gsubprocess libglib2.0-tests
check module test.test_signal libpython@-testsuite
ports command aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
ports file /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
ports command arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf
ports file /usr/arm-linux-gnueabihf/include/stdio.h libc6-dev-armhf-cross
ports command i686-linux-gnu-gcc gcc-i686-linux-gnu
ports file /usr/i686-linux-gnu/include/stdio.h libc6-dev-i386-cross
ports command s390x-linux-gnu-gcc gcc-s390x-linux-gnu
ports file /usr/s390x-linux-gnu/include/stdio.h libc6-dev-s390x-cross
ports command qemu-aarch64 qemu-user
ports command musl-gcc musl-tools
ports command debootstrap debootstrap
lttng header lttng/tracepoint.h liblttng-ust-dev
lttng command lttng-sessiond lttng-tools
tracing command babeltrace2 babeltrace2
tracing command uftrace uftrace
coverage command gcovr gcovr
wasm command clang-19 clang-19
wasm command wasm-ld-19 lld-19
wasm file /usr/include/wasm32-wasi/stdio.h wasi-libc
wasm file /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a libclang-rt-19-dev-wasm32
wasm command wasm-opt binaryen
wasm command tclsh tcl
'

die () {
	echo "deps: $*" >&2
	exit 1
}

only_name=
test "${1-}" != missing || { only_name=1; shift; }
case "${1-}" in
build) tiers=' build ' ;;
test) tiers=' build test ' ;;
mutation) tiers=' build test mutation ' ;;
check) tiers=' build test check ' ;;
fleet | lttng | tracing | coverage | ports | wasm) tiers=" $1 " ;;
*) die 'usage: helper/deps.sh [missing] build|test|mutation|check|fleet|lttng|tracing|coverage|ports|wasm' ;;
esac

# Python starts once, for all modules: the lacking ones, blank-separated.
lacking_modules () {
	modules=$(echo "$table" | while read -r _ kind thing _
		do
			test "$kind" != module || printf '%s ' "$thing"
		done)
	"$python" -c 'import importlib.util as u, sys
print(*[m for m in sys.argv[1:] if not u.find_spec(m)])' $modules \
		2>/dev/null || echo "$modules"
}

is_header () {
	for dir in /usr/local/include /usr/include /usr/include/*-linux-gnu
	do
		test ! -e "$dir/$1" || return 0
	done
	return 1
}

is_there () {
	case "$1" in
	command) command -v "$2" >/dev/null ;;
	header) is_header "$2" ;;
	file) # one of those that the pattern names
		set -- $2
		test -e "$1" ;;
	module) case " $lacking " in *" $2 "*) false ;; esac ;;
	esac
}

# Some have Python's version in their names, in the place of @; where there
# is no Python yet they are not asked for.
name_package () {
	case "$1" in
	*@*)
		version=$("$python" -c 'import sys
print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || return 0
		printf '%s ' "${1%@*}$version${1#*@}" ;;
	*) printf '%s ' "$1" ;;
	esac
}

# The packages of the tiers whose things are not there.
missing_packages () {
	lacking=
	case "$tiers" in
	*test* | *fleet*) lacking=$(lacking_modules) ;;
	esac
	echo "$table" | while read -r tier kind thing package
	do
		case "$tiers" in
		*" ${tier:-none} "*)
			is_there "$kind" "$thing" || name_package "$package" ;;
		esac
	done
}

# As root; debconf must not ask, and a busy apt is waited for.
apt () {
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1 </dev/null
}

# Package lists are fetched only where the present ones do not do.
install () {
	mkdir -p build && : >"$log" || return 1
	if apt -s install --no-install-recommends $missing &&
	   apt install --no-install-recommends $missing
	then
		return 0
	fi
	apt update && apt install --no-install-recommends $missing
}

missing=$(missing_packages)
missing=${missing% }
test -n "$missing" || exit 0
test -z "$only_name" || die "missing here: $missing (make deps-$1)"
command="apt-get update && apt-get install -y --no-install-recommends $missing"

command -v apt-get >/dev/null ||
	die "missing here (by their Debian names): $missing"
sudo=
if test "$(id -u)" != 0
then
	command -v sudo >/dev/null ||
		die "not root, and no sudo. Type this as root, then try again:
$command"
	sudo=sudo
fi
echo "deps: installing $missing"
install || {
	cat "$log" >&2
	die "that did not work. Type this as root, then try again:
$command"
}
missing=$(missing_packages)
test -z "$missing" || die "installed, but still not found: ${missing% }"
