#!/bin/bash
# helper/deps.sh on machines that lack something. Every command that it
# looks for is a stub here, and apt-get writes down how it is called.

. "${0%/*}/test-lib.sh"

# stub NAME: a command that succeeds; with standard input, what it does.
stub () {
	{
		echo '#!/bin/sh'
		cat
	} >bin/"$1"
	chmod +x bin/"$1"
}

# machine UID COMMAND...: one that has these commands; apt-get brings the
# command that is named like its package.
machine () {
	rm -rf bin build && mkdir bin
	echo "echo $1" | stub id
	shift
	for name in env mkdir cat chmod rm
	do
		ln -s "$(command -v $name)" bin/
	done
	for name
	do
		echo true | stub "$name"
	done
	sed "/^check file/d; /^check module/d" "$ROOT/helper/deps.sh" >deps.sh
	stub apt-get <<-\EOF
		echo "$DEBIAN_FRONTEND $*" >>apt.calls
		test ! -e broken || { rm broken; exit 100; }
		case " $* " in *" -s "*|*" update "*) exit 0 ;; esac
		for package
		do
			case $package in
			[a-z]*) echo "#!/bin/sh" >bin/$package; chmod +x bin/$package ;;
			esac
		done
	EOF
	rm -f apt.calls
}

# deps CODE TIER
deps () {
	test_exit "$1" env PATH="$PWD/bin" /bin/sh deps.sh "$2" >out 2>&1
}

# Commands by tier.
build='gcc g++ objcopy'
test="$build prove pkg-config pmccabe"
check="$test clang clang-format ccache valgrind mandoc shellcheck parallel bash zsh fish
	cmark-gfm dh dpkg-buildpackage lintian pre-commit"

test_expect 'with nothing missing apt is not called and nothing is said' '
	machine 0 $check
	deps 0 check
	test_line_count 0 out
	test ! -e apt.calls
'

test_expect 'what is missing is installed, and nothing else' '
	machine 0 g++ objcopy
	deps 0 build
	echo "deps: installing gcc" >want
	test_cmp want out
	tail -n 1 apt.calls >last
	grep "^noninteractive .* -y .* install --no-install-recommends gcc$" last
	test_exit 1 grep update apt.calls
'

test_expect 'a tier asks for its own things and those before it' '
	machine 0 $build
	deps 0 build
	test ! -e apt.calls
	machine 0 objcopy prove pkg-config pmccabe
	deps 0 test
	grep "installing gcc g++$" out
'

test_expect 'a missing header and a missing module are asked for' '
	machine 0 $test
	sed -i "/^build command gcc/i build header no-such.h libno-dev" deps.sh
	sed -i "/^test command prove/i test module no_such python3-no" deps.sh
	deps 1 test
	grep "installing libno-dev python3-no$" out
	grep "still not found: libno-dev python3-no$" out
'

test_expect 'a package may have the version of Python in its name' '
	machine 0 $test
	sed -i "/^test command prove/i test module no_such libpython@-no" deps.sh
	deps 1 test
	version=$(/usr/bin/python3 -c "import sys; print(sys.version_info[1])")
	grep "installing libpython3.$version-no$" out
	sed -i "s|^python=.*|python=/no/such|" deps.sh
	deps 1 test
	test_exit 1 grep libpython out
'

test_expect 'a file may have its version in its name' '
	machine 0 $test
	sed -i "/^test command prove/i test file v*/deep/*.a lib-no" deps.sh
	deps 1 test
	grep "installing lib-no$" out
	mkdir -p v14/deep v19/deep && touch v14/deep/an.a v19/deep/an.a
	deps 0 test
	test_line_count 0 out
	sed -i "/^test file/s|v\*|v15|" deps.sh
	deps 1 test
	grep "installing lib-no$" out
'

test_expect 'package lists are fetched when an install fails' '
	machine 0 g++ objcopy
	>broken
	deps 0 build
	cut -d" " -f 6- apt.calls >calls
	cat >want <<-\EOF
	-s install --no-install-recommends gcc
	update
	install --no-install-recommends gcc
	EOF
	test_cmp want calls
'

test_expect 'sudo is used where the user is not root' '
	machine 1000 g++ objcopy
	stub sudo <<-\EOF
		echo sudo >>apt.calls
		exec "$@"
	EOF
	deps 0 build
	grep -x sudo apt.calls
	test -x bin/gcc
'

test_expect 'with neither root nor sudo the one command is printed' '
	machine 1000 g++ objcopy
	deps 1 build
	grep -x "apt-get update && apt-get install -y --no-install-recommends gcc" out
	test ! -e apt.calls
'

test_expect 'where there is no apt-get the packages are named' '
	machine 0 g++ objcopy
	rm bin/apt-get
	deps 1 build
	grep "missing here (by their Debian names): gcc$" out
'

test_expect 'what is missing can be named without being installed' '
	machine 0 g++ objcopy
	test_exit 1 env PATH="$PWD/bin" /bin/sh deps.sh missing build >out 2>&1
	grep "missing here: gcc (make deps-build)" out
	test ! -e apt.calls
	machine 0 $build
	env PATH="$PWD/bin" /bin/sh deps.sh missing build >out 2>&1
	test_line_count 0 out
'

test_expect 'an unknown tier is refused' '
	machine 0 $check
	deps 1 everything
	grep usage out
'

test_done
