#!/bin/sh
# Fetch sources of Debian's packages: helper/source.sh DIR PACKAGE[=VERSION]...
#
# They come from where the packages come from, checked by apt as any package.
# All stays in DIR, and nothing is installed: apt has lists of its own there,
# so no root is needed. What apt said is in DIR/log.

set -eu
dir=$1
shift
mkdir -p "$dir/parts" "$dir/lists/partial" "$dir/cache/archives/partial"
dir=$(cd "$dir" && pwd)

# The entries of apt's sources as ones for source packages.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*
do
	test ! -f "$file" || sed -e 's/^deb /deb-src /' \
		-e 's/^Types:.*/Types: deb-src/' "$file" \
		>"$dir/parts/${file##*/}"
done

# apt-get or apt-cache, with these lists alone.
ask () {
	program=$1
	shift
	"$program" -q -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$dir/parts" \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o Acquire::Retries=0 -o Acquire::http::Timeout=20 \
		-o APT::Sandbox::User="$(id -un)" "$@" 2>>"$dir/log" </dev/null
}

fetch () {
	ask apt-get -y source --download-only "$1" >>"$dir/log"
}

# A mirror may name a version before it has it; then an older one will do.
fetch_any () {
	fetch "$1" && return
	for version in $(ask apt-cache showsrc "$1" | sed -n 's/^Version: //p')
	do
		fetch "$1=$version" && return
	done
	return 1
}

# Not all of the sources have source packages, so an update may fail.
ask apt-get -y update >>"$dir/log" || :
cd "$dir"
for package
do
	fetch_any "$package"
done
rm -rf parts lists cache
