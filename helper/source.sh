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

apt () {
	apt-get -q -y -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$dir/parts" \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o Acquire::Retries=0 -o Acquire::http::Timeout=20 \
		-o APT::Sandbox::User="$(id -un)" "$@" \
		>>"$dir/log" 2>&1 </dev/null
}

# Not all of the sources have source packages, so an update may fail.
apt update || :
cd "$dir"
apt source --download-only "$@"
rm -rf parts lists cache
