#!/bin/sh
# What a profile of trace2 is made of: t/tools/perf/train.sh TRACE2 DIR
#
# Real logs are read as people have them read: as many small files and as a
# long one, and are converted both ways. What is found
# in them is of no interest; DIR takes what is written.

set -eu
trace2=$1 dir=$2
logs=t/corpus/pass/real

# What is wrong in a log is 1.
run () {
	"$trace2" "$@" >"$dir/training.log" 2>&1 || test $? -eq 1
}

cat "$logs"/*/*.event >"$dir/all.event"
run validate "$logs"
run validate "$dir/all.event"
run validate --for all --statistics "$dir/all.event"
run convert "$dir/all.event" "$dir/all.fxt"
run convert "$dir/all.event" "$dir/all.json"
run convert "$dir/all.fxt" "$dir/again.json"
run validate "$dir/all.fxt"

cat "$logs"/*/*.perf >"$dir/all.perf"
for log in "$dir/all.event" "$dir/all.perf"
do
	run validate "$log"
	run summary "$log"
	run table "$log"
done
