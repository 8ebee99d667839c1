#!/usr/bin/python3
"""Many programs write to `trace2 collect` while one of its outputs stands:

    collect_load.py TRACE2 DIR [PROCESSES EVENTS SECONDS]

EVENTS are those of all processes in a second. A process waits only when the
socket accepts nothing, so the time for which it is not scheduled, on a busy
machine, is none that the service costs. Prints how long the unluckiest
process waited in total, in ms, what is missing, and the service's memory.
Fails if a process waited longer than 100 ms, a line is missing, or the memory
reaches 64 MB.
"""

import re
import subprocess
import sys
from pathlib import Path

T = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(T), str(T / "common")]

from collect_kit import Service, listen  # noqa: E402

WAIT_MS, MEMORY_KB = 100, 64 << 10
LINE = ('{"event":"data","sid":"20261123T080000.000000Z-H00000000-P%08x",'
        '"thread":"main","time":"2026-11-23T08:00:00.000000Z","file":"load.c",'
        '"line":1,"t_abs":0.1,"t_rel":0.1,"nesting":1,"category":"load",'
        '"key":"n","value":"%d"}\n')


def build_writers(scratch):
    made = scratch / "writers"
    subprocess.run(["cc", "-O2", "-o", made,
                    T / "tools/perf/collect_writers.c"],
                   check=True)
    return made


def write_all(writers, path, processes, each, seconds):
    """The waits of all processes, in ms."""
    done = subprocess.run(
        [writers, path, *map(str, (processes, each, seconds))],
        check=True, stdout=subprocess.PIPE)
    return [int(line) for line in done.stdout.split()]


def highest_memory(process):
    """In kB, with the part of the journal that is mapped."""
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", text)[1])


def count_lines(running, processes, events):
    """How many lines are missing, doubled or in the wrong place."""
    after, wrong = [0] * processes, 0
    for log in running.logs():
        for line in log.read_bytes().splitlines():
            number = int(line[58:66], 16)
            wrong += line != (LINE % (number, after[number])).encode()[:-1]
            after[number] += 1
    return wrong + sum(abs(events - count) for count in after)


def run_load(trace2, scratch, processes, events, seconds):
    """The longest wait of a process in ms, wrong lines, memory in kB."""
    writers = build_writers(scratch)
    with listen(scratch / "stopped"):
        running = Service(trace2, scratch,
                          ["-o", "af_unix:stream:stopped", "-o", "files:logs",
                           "--spool-limit", "64g"]).begin()
        each = events * seconds // processes
        waits = write_all(writers, running.path, processes, each, seconds)
        memory = highest_memory(running.process)
        code, _, errors = running.end()
    assert code == 0, errors
    return max(waits), count_lines(running, processes, each), memory


def main(trace2, scratch, processes=1000, events=100000, seconds=60):
    trace2, scratch = Path(trace2).absolute(), Path(scratch).absolute()
    wait, wrong, memory = run_load(trace2, scratch, int(processes), int(events),
                                   int(seconds))
    print(f"{processes} processes, {events} events/s, {seconds} s: longest wait "
          f"{wait} ms, {wrong} lines wrong, {memory} kB of memory")
    return wait > WAIT_MS or wrong > 0 or memory >= MEMORY_KB


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
