"""The broken drivers of the kit, and the edits that they are made of.

That each fails what it breaks and nothing else is seen in test_kit.py,
scenario by scenario.
"""

import copy

import pytest

import spec as reader
from kit import broken, drivers, run

EVENT = (
    b'{"event":"version","n":1}\n{"event":"start","n":2}\n'
    b'{"event":"exit","n":3}\n'
)
NORMAL = b"version 1\nstart x\n"
PERF = b"d0 | main | version | r | t | t | c | 1\n"


def made(**files):
    return run.Run(["x"], 0, b"", b"", files, [])


def driver(edit):
    return broken.Broken("a driver", "a.one", "a scenario", edit)


def test_at_least_thirty_drivers_are_broken_in_all_chapters(root):
    names = [one.name for one in drivers.DRIVERS]
    assert len(names) >= 30 and len(set(names)) == len(names)
    spec = reader.read(root)
    bound = {one.id.split(".")[0] for one in spec.statements
             if set(one.classes) - {"consumer"}}
    missing = bound - {one.id.split(".")[0] for one in drivers.DRIVERS}
    # These say of logs what others say of their writers, and have a corpus
    # of logs that break them; those of tracing have faults of their own.
    logs = {"input", "stream", "fxt"}
    assert missing == logs | {"chrome", "engine", "provider", "tracing"}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (EVENT, "event"),
        (NORMAL, "normal"),
        (b"05:42:03.588769" + 35 * b" " + b"start x\n", "normal"),
        (PERF, "perf"),
        (b"warning: x\n", ""),
        (b"[trace2]\n", ""),
        (b"", ""),
    ],
)
def test_line_tells_which_target_wrote_it(text, form):
    assert broken.form(text) == form


def test_edit_is_made_wherever_a_log_went():
    one = made(event=EVENT, other=EVENT, normal=NORMAL, config=b"[start]\n")
    one.received = [EVENT, b""]
    one.stderr = b'{"event":"start"}\nwarning: "start"\n'
    (found,) = driver(broken.in_logs(event=(b"start", b"stop"))).runs([one])
    changed = EVENT.replace(b"start", b"stop")
    assert found.files == {"event": changed, "other": changed,
                           "normal": NORMAL, "config": b"[start]\n"}
    assert found.received == [changed, b""]
    assert found.stderr == b'{"event":"stop"}\nwarning: "start"\n'


@pytest.mark.parametrize(
    "edit",
    [
        broken.in_logs(event=(b"start", None)),
        broken.swapped(b"start", b"exit"),
        broken.in_stderr(b"err", None),
    ],
)
def test_edit_leaves_what_was_recorded_alone(edit):
    one = made(event=EVENT)
    one.stderr = b"err\n"
    before = copy.deepcopy(one)
    assert driver(edit).runs([one]) != [one]
    assert one == before


def test_driver_that_does_what_was_recorded_has_no_runs():
    edit = broken.in_logs(event=(b"stop", None), perf=(b".", None))
    assert driver(edit).runs([made(event=EVENT, normal=NORMAL)]) is None


def test_events_that_follow_each_other_are_swapped():
    first, second, third = EVENT.splitlines(keepends=True)
    edit = broken.swapped(b"start", b"exit")
    (found,) = driver(edit).runs([made(event=EVENT)])
    assert found.files["event"] == first + third + second
    apart = driver(broken.swapped(b"version", b"exit"))
    assert apart.runs([made(event=EVENT)]) is None


@pytest.mark.parametrize("verb", ["005exec", "001return"])
def test_edit_of_a_verb_leaves_the_others_alone(verb):
    edit = drivers.of_verbs("005exec")(broken.in_logs(event=(b"start", b"")))
    one = made(event=EVENT)
    one.argv = ["test-tool", "trace2", verb]
    changed = driver(edit).runs([one]) is not None
    assert changed == (verb == "005exec")
