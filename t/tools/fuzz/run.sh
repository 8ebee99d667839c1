#!/bin/sh
# Fuzz one target: t/tools/fuzz/run.sh NAME LIMIT, where the limit is an option of
# libFuzzer, -runs=N or -max_total_time=SECONDS.
#
# It begins with the corpus of the suite, and says how often it ran; what it
# finds is printed, and stays beside the program.

set -eu
name=$1 limit=$2
program=build/fuzz/$name corpus=build/fuzz/corpus/$name
case $name in
manager) length=256 ;;
settings) length=4096 ;;
*) length=1024 ;;
esac

# Memory that was freed comes back soon: to touch new pages costs more than
# the rest. To weigh features by how rare they are costs as much as the code.
export ASAN_OPTIONS=quarantine_size_mb=1:malloc_context_size=2
mkdir -p "$corpus"
"${PYTHON:-python3}" t/tools/fuzz/seeds.py "$name" "$corpus"
"$program" "$limit" -max_len=$length -entropic=0 -timeout=10 -reload=0 \
	-rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 -close_fd_mask=1 \
	-artifact_prefix="$program-" "$corpus" >"$program.log" 2>&1 || {
	cat "$program.log"
	exit 1
}
sed -n "s/.*number_of_executed_units: */fuzz: $name /p" "$program.log"
