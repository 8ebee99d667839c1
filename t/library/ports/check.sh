#!/bin/sh
# The library on other machines: t/library/ports/check.sh [PORT...]
#
# Builds both libraries and test-tool by a cross compiler for each port, with
# every warning an error, and runs the conformance kit on that test-tool
# under qemu-user; also with musl, and with the POSIX form of the host. A
# machine of the other byte order has no traces: there the kit judges the text
# targets, and the FXT target has to say why it is off. SHA-1 is
# t/library/ports/sha1.c, since libmd is there for this machine only.

set -eu
cd "${0%/*}/../../.."
python=${PYTHON:-/usr/bin/python3}
text='--class min --class full --class git'
all="$text --class trace --class engine --class provider"

# name, prefix of the binutils, compiler, qemu, classes, package and headers
table="
arm64 aarch64-linux-gnu- aarch64-linux-gnu-gcc qemu-aarch64 all gcc-aarch64-linux-gnu
i386 i686-linux-gnu- i686-linux-gnu-gcc qemu-i386 min gcc-i686-linux-gnu
armhf arm-linux-gnueabihf- arm-linux-gnueabihf-gcc qemu-arm all gcc-arm-linux-gnueabihf
s390x s390x-linux-gnu- s390x-linux-gnu-gcc qemu-s390x text gcc-s390x-linux-gnu
musl - musl-gcc - all musl-tools
posix - gcc - all gcc
"

# build: $dir/libtrace2.a, .so and test-tool
build () {
	flags='' host=linux
	case "$name" in
	# Its CMSG_NXTHDR compares a size with a difference.
	musl) flags=-Wno-sign-conversion ;;
	posix) host=posix ;;
	esac
	rm -rf "$dir"
	mkdir -p "$dir"
	"$cc" -O2 -fPIC -It/library/ports/include -c -o "$dir/sha1.o" t/library/ports/sha1.c
	# What is linked once is not linked again for other flags.
	make_by "$dir/libtrace2.a" "$dir/libtrace2.so"
	make_by LDFLAGS="$static" "$dir/helper/test-tool" 2>"$dir/link.log" || {
		cat "$dir/link.log"
		return 1
	}
}

make_by () {
	"${MAKE:-make}" -s --no-print-directory -j"$(nproc)" B="$dir" \
		CC="$cc" HOST="$host" OBJCOPY="${prefix}objcopy" AR="${prefix}ar" \
		NEEDS=stdio.h WERROR=-Werror OPT='-O2 -g1' \
		CPPFLAGS=-It/library/ports/include CFLAGS="$flags" \
		LIB_LIBS="$dir/sha1.o" "$@"
}

# A program that runs the other one, under the name that it was called by.
make_driver () {
	driver=$dir/helper/test-tool
	test "$qemu" != - || return 0
	driver=$dir/driver/test-tool
	mkdir -p "$dir/driver"
	${HOSTCC:-gcc} -O2 -DQEMU="\"$(command -v "$qemu")\"" \
		-DPROGRAM="\"$PWD/$dir/helper/test-tool\"" \
		-o "$driver" t/library/ports/driver.c
}

# The FXT target is off, says why, and the program goes on.
check_refusal () {
	said=$(GIT_TRACE2_FXT="$PWD/$dir/x.fxt" GIT_TRACE2_DST_DEBUG=1 \
		"$driver" trace2 001return 3 2>&1) && code=0 || code=$?
	test "$code" = 3 && test ! -e "$dir/x.fxt" || {
		echo "$name: the FXT target is on (exit $code)"
		return 1
	}
	case "$said" in
	*"'GIT_TRACE2_FXT' tracing: Operation not supported") ;;
	*)
		echo "$name: the FXT target does not say why it is off: $said"
		return 1
		;;
	esac
}

link_program () {
	"$cc" -Iref -o "$dir/ending" t/library/ports/ending.c \
		"$dir/libtrace2.a" "$dir/sha1.o" 2>"$dir/link.log" || {
		cat "$dir/link.log"
		return 1
	}
}

# musl keeps the id of a thread that ended. The agent's thread must not keep the
# process.
check_ending () {
	GIT_TRACE2_CHROME="$PWD/$dir/x.json" timeout -s KILL 20 "$dir/ending" &&
		code=0 || code=$?
	test "$code" = 7 || {
		echo "$name: a program that ends by the system call does not" \
			"end with Chrome (exit $code)"
		return 1
	}
}

check_port () {
	dir=build/ports/$name
	build
	make_driver
	case "$classes" in
	text) check_refusal; judged=$text ;;
	min) judged='--class min' ;;
	*) judged=$all ;;
	esac
	link_program || return 1
	test "$name" != musl || check_ending
	known=qemu
	test "$qemu" != - || known=$name
	"$python" t/conformance --driver "$driver" $judged --known $known \
		>"$dir/kit.out" 2>&1 || {
		cat "$dir/kit.out"
		return 1
	}
	grep '^# PASS' "$dir/kit.out" | sed "s/^#/$name:/"
}

failed=
test $# != 0 || set -- arm64 armhf i386 s390x musl posix
for name
do
	row=$(echo "$table" | grep "^$name ")
	set -- $row
	prefix=${2#-} cc=$3 qemu=$4 classes=$5 package=$6
	static=
	test "$qemu" = - || static=-static
	for command in "$cc" "$qemu"
	do
		test "$command" = - || command -v "$command" >/dev/null || {
			test "$command" = "$cc" || package="qemu-user"
			echo "SKIP $name: no $command ($package)"
			continue 2
		}
	done
	check_port || failed="$failed $name"
done
test -z "$failed" || {
	echo "check-ports: failed:$failed"
	exit 1
}
