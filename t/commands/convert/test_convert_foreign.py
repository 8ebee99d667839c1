"""JSON that a terminal may show: no character in it is obeyed."""

import json

import pytest

SID = "20260102T030405.000001Z-H63cf98d4-P00000001"
NAME = "work\u202e\u009b31m"
VIEWS = {
    "table": ["table", "--rows", "processes", "log"],
    "chrome": ["convert", "--to", "chrome", "log", "-"],
    "otlp": ["convert", "--to", "otlp", "log", "-"],
}


def event(kind, time, **rest):
    return json.dumps({
        "event": kind, "sid": SID, "thread": "main", "file": "a.c", "line": 1,
        "time": f"2026-01-02T03:04:05.{time:06}Z", **rest})


@pytest.mark.parametrize("view", VIEWS)
def test_characters_that_a_terminal_obeys_are_escapes(view, execute, trace2,
                                                      scratch):
    (scratch / "log").write_text("\n".join((
        event("version", 1, evt="3", exe="1"),
        event("start", 2, t_abs=0.1, argv=["git", NAME]),
        event("cmd_name", 3, name=NAME, hierarchy=NAME),
        event("exit", 4, t_abs=0.2, code=0),
        event("atexit", 5, t_abs=0.2, code=0), "")))
    done = execute([trace2, *VIEWS[view]], cwd=scratch)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode()
    assert r"work\u202e\u009b31m" in shown
    assert "\u202e" not in shown and "\u009b" not in shown
    if view == "chrome":
        assert json.loads(shown)
    else:
        assert all(json.loads(line) for line in shown.splitlines())
