"""Logs for the tests of `trace2 report`, and the data of a page."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "stories"))
import page_data  # noqa: E402

EVENT = {"thread": "main", "file": "a.c", "line": 1}
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x1b[31m\u200f'\""


def log(events, sid="20261123T100000.000000Z-H01234567-P00000001"):
    """A log of (event, microseconds, fields)."""
    return "".join(json.dumps({
        "event": event, "sid": sid, **EVENT,
        "time": f"2026-11-23T10:00:{us // 10**6:02}.{us % 10**6:06}Z",
        **fields}) + "\n" for event, us, fields in events).encode()


def region(start, end, label, **fields):
    names = {"category": "cat", "label": label, "nesting": 1, **fields}
    return [("region_enter", start, names),
            ("region_leave", end, {**names, "t_rel": (end - start) / 1e6})]


def command(inner, end=1_000_000, name="status", code=0, **options):
    return log([
        ("version", 0, {"evt": "3", "exe": "2.55.0"}),
        ("start", 0, {"t_abs": 0, "argv": ["git", name]}),
        ("cmd_name", 0, {"name": name, "hierarchy": name}), *inner,
        ("exit", end, {"t_abs": end / 1e6, "code": code}),
        ("atexit", end, {"t_abs": end / 1e6, "code": code})], **options)


def child(start, end, pid, argv):
    return [("child_start", start, {"child_id": 0, "child_class": "?",
                                    "use_shell": False, "argv": argv}),
            ("child_exit", end, {"child_id": 0, "pid": pid, "code": 3,
                                 "t_rel": (end - start) / 1e6})]


def family():
    sid = "20261123T100000.000000Z-H01234567-P00000001"
    inner = "20261123T100000.200000Z-H01234567-P00000002"
    enter, leave = region(100_000, 900_000, "outer")
    run = child(300_000, 700_000, 2, ["git", "gc"])
    return (command([enter, *run, leave], sid=sid) +
            log([("version", 350_000, {"evt": "3", "exe": "2.55.0"}),
                 ("start", 350_000, {"t_abs": 0, "argv": ["git", "gc"]}),
                 ("cmd_name", 350_000, {"name": "gc", "hierarchy": "gc"}),
                 ("error", 400_000, {"msg": "oh", "fmt": "oh"}),
                 ("data", 500_000, {"category": "c", "key": "k", "t_abs": 0.15,
                                    "t_rel": 0.15, "nesting": 1, "value": 7}),
                 ("atexit", 600_000, {"t_abs": 0.25, "code": 3})],
                sid=f"{sid}/{inner}"))


def siblings():
    """Three children of one program, one after the other, the last of which
    runs beside another program."""
    root = "20261123T100000.000000Z-H01234567-P00000001"
    inner, text = [], b""
    times = [(100, 200, "gc"), (300, 400, "gc"), (500, 600, "gc"),
             (550, 900, "repack")]
    for i, (begin, end, name) in enumerate(times):
        start, stop = child(begin, end, 10 + i, ["git", name])
        inner += [(*start[:2], {**start[2], "child_id": i}),
                  (*stop[:2], {**stop[2], "child_id": i, "code": 0})]
        sid = f"{root}/20261123T100000.000{begin}Z-H01234567-P0000000{10 + i:x}"
        text += log([("version", begin, {"evt": "3", "exe": "2.55.0"}),
                     ("start", begin, {"t_abs": 0, "argv": ["git", name]}),
                     ("cmd_name", begin, {"name": name, "hierarchy": name}),
                     ("atexit", end, {"t_abs": (end - begin) / 1e6,
                                      "code": 0})], sid=sid)
    inner.sort(key=lambda event: event[1])
    return command(inner, end=1000, name="maintenance") + text


def read_data(page):
    return page_data.read_page(page.encode())
