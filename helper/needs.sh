#!/bin/sh
# Name what a build needs and this machine lacks: helper/needs.sh THING...
#
# A thing is a command or a header. The compilers are $CC and $CXX; one of
# them is asked for the headers, with $CPPFLAGS. Prints Debian's names of the
# packages on a line, or nothing.

set -u

name_package () {
	case "$1" in
	*python3*) echo python3 ;;
	simdjson.h) echo libsimdjson-dev ;;
	sha1.h) echo libmd-dev ;;
	zlib.h) echo zlib1g-dev ;;
	zstd.h) echo libzstd-dev ;;
	xxhash.h) echo libxxhash-dev ;;
	sqlite3.h) echo libsqlite3-dev ;;
	curl/curl.h) echo libcurl4-openssl-dev ;;
	stdio.h) echo libc6-dev ;;
	objcopy) echo binutils ;;
	*) echo "$1" ;;
	esac
}

# A quoted line for each header that is not found. Before there is a compiler
# only its usual directory can be looked at.
list_lacking_headers () {
	if test -z "$compiler"
	then
		for header
		do
			test -e "/usr/include/$header" || echo "\"$header\""
		done
		return
	fi
	for header
	do
		printf '#if !__has_include(<%s>)\n"%s"\n#endif\n' \
			"$header" "$header"
	done | $compiler ${CPPFLAGS-} -E -P - 2>/dev/null
}

compiler='' headers='' lacking=''
for thing
do
	case "$thing" in
	*.h) headers="$headers $thing" ;;
	*) command -v "$thing" >/dev/null || lacking="$lacking $thing" ;;
	esac
done
for thing in "${CXX-} -x c++" "${CC-} -x c"
do
	test -n "$compiler" || ! command -v "${thing%% *}" >/dev/null ||
		compiler=$thing
done
for thing in $(list_lacking_headers $headers)
do
	thing=${thing#\"}
	lacking="$lacking ${thing%\"}"
done
names=
for thing in $lacking
do
	names="$names $(name_package "$thing")"
done
echo "${names# }"
