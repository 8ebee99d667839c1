#!/bin/sh
# Run bench-lttng in a session of LTTng that overwrites its oldest events,
# as our circular mode does: lttng.sh PROGRAM. A session daemon of our own
# lives in build/perf/lttng, if there is none.

set -u
program=$1
home=$PWD/build/perf/lttng
session=trace2-bench-$$
count=2000000
started=

skip () {
	echo "SKIP bench-lttng: $*"
	exit 0
}

finish () {
	lttng destroy "$session" >/dev/null 2>&1
	test -z "$started" || { kill "$started" && wait "$started"; } 2>/dev/null
}

# As root the daemon's sockets are at a place of the system's.
begin_daemon () {
	lttng-sessiond --no-kernel >"$home/daemon.log" 2>&1 &
	started=$!
	for _ in 1 2 3 4 5 6 7 8 9 10
	do
		lttng --no-sessiond list >/dev/null 2>&1 && return 0
		sleep 0.2
	done
	return 1
}

begin_session () {
	lttng create "$session" --snapshot --output "$home/out" &&
	lttng enable-channel -u -s "$session" --overwrite \
		--subbuf-size=1M --num-subbuf=4 bench &&
	lttng enable-event -u -s "$session" -c bench 'bench:*' &&
	lttng start "$session"
}

mkdir -p "$home"
command -v lttng-sessiond >/dev/null || skip 'no session daemon (lttng-tools)'
export LTTNG_HOME="$home" LTTNG_UST_REGISTER_TIMEOUT=5000
trap finish EXIT
lttng --no-sessiond list >/dev/null 2>&1 || begin_daemon ||
	skip "the session daemon does not start: $(tail -1 "$home/daemon.log")"
begin_session >"$home/session.log" 2>&1 ||
	skip "there is no session: $(tail -1 "$home/session.log")"
"$program" "$count" >"$home/answer" 2>"$home/error" ||
	skip "the program is not traced: $(tail -1 "$home/error")"
awk '{ ns[$1] = $2 }
	END {
		for (n = 1; n <= 2; n++)
			printf "an instant with an int, %d thread%s: " \
				"%5.1f ns, LTTng-UST %5.1f ns, ratio %.2f\n",
				n, (n > 1 ? "s" : ""), ns["ours-" n],
				ns["lttng-" n], ns["ours-" n] / ns["lttng-" n]
	}' "$home/answer"
