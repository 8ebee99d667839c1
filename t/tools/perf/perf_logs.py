#!/usr/bin/python3
"""How fast `summary` reads PERF: logs as git writes them, of some commands over
and over, each time later, beside an EVENT log in the same run.

Speeds are MB for a second of CPU, the best of RUNS:

	t/tools/perf/perf_logs.py TRACE2 [MEGABYTES [RUNS]]
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LOGS = Path(__file__).resolve().parents[3] / "t/corpus/pass/real"
LEAST = 300
UNITS = (3600_000_000, 60_000_000, 1_000_000, 1)
CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)\.(\d{6})(?= )")
HOST = re.compile("-H[0-9a-f]{8}-P")


def line(at, begun, depth, name, payload, rel="", category=""):
    """When, and what follows the clock. The process began at `begun`."""
    t_abs = f"{(at - begun) / 1e6:.6f}"
    if name in ("version", "def_repo", "cmd_name"):
        t_abs = ""
    repo = "r1" if category or name == "def_repo" else ""
    return at, (f" {'git.c:460':<28} | d{depth} | {'main':<24} | {name:<12} | "
                f"{repo:<3} | {t_abs:>9} | {rel:>9} | {category:<12} | "
                f"{payload}\n")


def command(begun, depth, took, argv, inside=()):
    """A process, and the lines of others in it."""
    name = argv.split()[1]
    for at, event, payload in (
            (0, "version", "2.55.0"), (20, "start", argv),
            (60, "def_repo", "worktree:/home/user/w"),
            (90, "cmd_name", f"{name} ({name})")):
        yield line(begun + at, begun, depth, event, payload)
    yield from inside
    for at, event in ((took - 10, "exit"), (took, "atexit")):
        yield line(begun + at, begun, depth, event, "code:0")


def children():
    """One after the other, each with a log of its own."""
    for number, argv in enumerate((
            "git rev-list --objects --stdin", "git gc --auto",
            "git merge-base HEAD FETCH_HEAD", "git status --short")):
        at = 1000 + 9000 * number
        yield line(at, 0, 0, "child_start",
                   f"[ch{number}] class:? argv:[{argv}]")
        yield from command(at + 900, 1, 6800, argv)
        yield line(at + 8000, 0, 0, "child_exit",
                   f"[ch{number}] pid:{4000 + number} code:0", "0.008000")


def regions(count):
    for i in range(count):
        at, payload = 100 + 100 * i, f"label:label{i % 7}"
        yield line(at, 0, 0, "region_enter", payload, "", "index")
        yield line(at + 1, 0, 0, "data", "..key:7", "0.000001", "index")
        yield line(at + 40, 0, 0, "region_leave", payload, "0.000040", "index")


def real(pattern):
    """What git wrote: a log begins when the one before it has ended."""
    start = 0
    for path in sorted(LOGS.glob(pattern)):
        rows = path.read_text("utf-8", "surrogateescape").splitlines(True)
        clocks = [CLOCK.match(row) for row in rows]
        if not all(clocks):
            continue
        times = [sum(int(part) * unit for part, unit in
                     zip(clock.groups(), UNITS)) for clock in clocks]
        for at, row, clock in zip(times, rows, clocks):
            yield start + at - times[0], row[clock.end():]
        start += max(times) - times[0] + 1000


SHAPES = {
    "short commands": lambda size: command(0, 0, 900, "git rev-parse HEAD"),
    "commands with children": lambda size: command(
        0, 0, 40_000, "git fetch --all", children()),
    "git status": lambda size: real("evt3-*/status.perf"),
    "git at work": lambda size: real("evt3-*/*.perf"),
    "one long process": lambda size: command(
        0, 0, 100 * size, "git status", regions(size // 400)),
    "NORMAL, git at work": lambda size: real("evt3-*/*.normal"),
}  # fmt: skip


def repeat(rows, size):
    begun = done = 0
    took = max(at for at, _ in rows) + 1000
    while done < size:
        for at, rest in rows:
            clock, left = [], (begun + at) % (24 * UNITS[0])
            for unit in UNITS:
                clock.append(left // unit)
                left %= unit
            text = "{:02}:{:02}:{:02}.{:06}".format(*clock) + rest
            done += len(text)
            yield text
        begun += took


def event(size):
    text = "".join(path.read_text("utf-8") for path in
                   sorted(LOGS.glob("evt4-*/*.event"))
                   if "nonutf8" not in path.name)
    for number in range(size // len(text) + 1):
        yield HOST.sub(f"-H{number:08x}-P", text)


def write_logs(place, size):
    logs = {"EVENT": event(size)}
    for name, make in SHAPES.items():
        logs[name] = repeat(list(make(size)), size)
    for name, lines in logs.items():
        path = logs[name] = Path(place) / name
        with open(path, "w", encoding="utf-8",
                  errors="surrogateescape") as file:
            file.writelines(lines)
    return logs


def speed(trace2, log):
    with subprocess.Popen([trace2, "summary", log], stderr=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert not process.returncode
    return log.stat().st_size / 1e6 / (used.ru_utime + used.ru_stime)


def main(trace2, megabytes="50", runs="7"):
    print("\ntrace2 summary, MB of a log for a second of CPU:")
    with tempfile.TemporaryDirectory() as place:
        logs = write_logs(place, int(megabytes) * 1_000_000)
        rounds = [{name: speed(trace2, log) for name, log in logs.items()}
                  for _ in range(int(runs))]
    best = {name: max(one[name] for one in rounds) for name in logs}
    for name, value in best.items():
        wanted = name != "EVENT" and not name.startswith("NORMAL")
        print(f"{'PERF, ' * wanted + name:30} {value:6.0f} MB/s, "
              f"{value / best['EVENT']:5.2f} of EVENT",
              " NOT MET" if wanted and value < LEAST else "", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
