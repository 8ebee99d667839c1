"""Small logs for the tests of `trace2 summary`."""

import json

import pytest


@pytest.fixture
def summary(execute, trace2):
    """summary(*arguments, **options): `trace2 summary`."""

    def call(*arguments, **options):
        return execute([trace2, "summary", *arguments], **options)

    return call


def event(sid, kind, at, **fields):
    time = f"2026-11-23T10:00:{at:09.6f}Z"
    head = {"event": kind, "sid": sid, "thread": "main", "time": time}
    return {**head, **fields}


def write_log(path, *events):
    path.write_text("".join(json.dumps(line) + "\n" for line in events))
    return path


def life(sid, *inner, start=0.0, end=1.0, name="work", code=0,
         exe="2.55.1", argv=None):
    return [
        event(sid, "version", start, evt="3", exe=exe),
        event(sid, "start", start, t_abs=0.0, argv=argv or ["git", name]),
        event(sid, "cmd_name", start, name=name, hierarchy=name),
        *inner,
        event(sid, "atexit", end, t_abs=end - start, code=code),
    ]


def region(sid, start, end, label, thread="main"):
    names = {"thread": thread, "category": "c", "label": label, "nesting": 1}
    return [
        event(sid, "region_enter", start, **names),
        event(sid, "region_leave", end, t_rel=end - start, **names),
    ]
