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

import os
import re
import select
import socket
import sys
import time
from pathlib import Path

from collect_kit import Service, connect, listen

WAIT_MS, MEMORY_KB = 100, 64 << 10
LINE = ('{"event":"data","sid":"20261123T080000.000000Z-H00000000-P%08x",'
        '"thread":"main","time":"2026-11-23T08:00:00.000000Z","file":"load.c",'
        '"line":1,"t_abs":0.1,"t_rel":0.1,"nesting":1,"category":"load",'
        '"key":"n","value":"%d"}\n')


def write_line(writer, line):
    """Returns how many seconds the socket was full."""
    waited = 0
    while line:
        try:
            line = line[writer.send(line):]
        except BlockingIOError:
            began = time.monotonic()
            select.select([], [writer], [])
            waited += time.monotonic() - began
    return waited


def write_events(path, number, events, seconds):
    """A process: so many events, spread evenly. Returns its waits."""
    writer = connect(path)
    writer.setblocking(False)
    begin, waited = time.monotonic(), 0
    for i in range(events):
        late = begin + seconds * i / events - time.monotonic()
        if late > 0:
            time.sleep(late)
        waited += write_line(writer, (LINE % (number, i)).encode())
    writer.close()
    return waited


def start_writer(path, number, events, seconds):
    """Returns a descriptor with the process's waits in ms, as text."""
    answer, mine = os.pipe()
    if not os.fork():
        os.close(answer)
        waited = write_events(path, number, events, seconds)
        os.write(mine, b"%d" % (waited * 1000))
        os._exit(0)
    os.close(mine)
    return answer


def read_answer(answer):
    with open(answer, "rb") as file:
        return int(file.read())


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
    with listen(scratch / "stopped"):
        running = Service(trace2, scratch,
                          ["-o", "af_unix:stream:stopped", "-o", "files:logs",
                           "--spool-limit", "64g"]).begin()
        each = events * seconds // processes
        answers = [start_writer(running.path, number, each, seconds)
                   for number in range(processes)]
        waits = [read_answer(answer) for answer in answers]
        for _ in answers:
            os.wait()
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
