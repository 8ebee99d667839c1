"""Node 20 beside ours: the same small program, and what each leaves.

What both do alike is where our contract comes from; where Node is weak, the
test shows the weakness and that ours has it not. See node_kit.py for where
there is another node, or none.
"""

import json
import os
import signal
from pathlib import Path

import node_kit
import pytest
from node_kit import load, theirs
from test_trace_events import trace

pytestmark = [pytest.mark.xdist_group("node"),
              pytest.mark.long("runs node")]

WITH_ID = "Cbnestf"


def their_events(name):
    """Those of each file, or None where it is no JSON."""
    return {path: load(text) for path, text in theirs(name)["files"].items()}


def our_events(folder):
    """Those of each file, closed or not."""
    found = {}
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        found[path.name] = json.loads(
            text if text.endswith("\n]\n") else text + "]")
    return found


def number_of(args):
    """Node puts what it is given into one argument."""
    return args.get("data", args).get("number")


def plain(events):
    """What is traced, without what cannot be the same twice."""
    return [(e["ph"], e["cat"], e["name"],
             int(e["id"], 16) if e["ph"] in WITH_ID else None,
             number_of(e.get("args", {})))
            for e in events if e["ph"] != "M"]


def meta(events, name):
    """What is said of one thing, in the order in which it is."""
    return [e["args"] for e in events if e["ph"] == "M" and e["name"] == name]


def kinds(events):
    return {e["name"] for e in events if e["ph"] == "M"}


def only(events):
    one, = events.values()
    return one


@pytest.fixture
def ours(test_tool, scratch):
    """ours(words...): the events of the file, of the same program."""

    def call(*words):
        done = trace(test_tool, scratch, *words)
        assert (done.returncode, done.stderr) == (0, b"")
        return only(our_events(scratch))

    return call


def test_events_of_all_phases_stand_in_the_same_order(ours):
    complete, *found = plain(ours("phases"))
    assert complete[0] == "X"  # which JavaScript can't trace
    assert found == plain(only(their_events("phases")))


def test_what_is_switched_on_and_off_is_the_same(test_tool, scratch):
    said = trace(test_tool, scratch, "switch").stdout.decode()
    assert said == theirs("switch")["stdout"] == "a\na,b,c\na\n"
    assert plain(only(our_events(scratch))) == plain(
        only(their_events("switch")))


def test_groups_are_recorded_by_the_same_members(ours):
    groups = ("fs", "node,fs", "fs.sync", "a,fs,", "f")
    found = plain(ours("-c", "fs", "groups", *groups))
    assert found == plain(only(their_events("groups")))
    assert [cat for _, cat, *_ in found] == ["fs", "node,fs", "a,fs,"]


def test_categories_are_as_exact_in_both(ours):
    found = plain(ours("-c", "one", "-c", " two", "-c", "*",
                       "groups", "two", "one", " two", "a"))
    assert found == plain(only(their_events("exact")))
    assert [cat for _, cat, *_ in found] == ["one", " two"]


def test_durations_nest_alike(ours):
    found = plain(ours("nested", "4"))
    assert found == plain(only(their_events("nested")))
    assert [phase for phase, *_ in found] == list("BBBBEEEE")


def test_a_category_that_nothing_has_makes_a_file_in_both(ours):
    for events in (ours("-c", "b", "many", "1"),
                   only(their_events("nothing"))):
        assert kinds(events) and not plain(events)


def test_metadata_is_of_the_same_kinds(ours):
    found, expected = ours("phases"), only(their_events("phases"))
    assert kinds(expected) - kinds(found) == {"node"}
    assert kinds(found) - kinds(expected) == {
        "libtrace2", "process_sort_index", "thread_sort_index"}
    for events in found, expected:
        assert meta(events, "process_name")[-1] == {"name": "phases"}
    assert list(meta(expected, "version")[0]) == ["node"]
    assert list(meta(found, "version")[0]) == ["libtrace2"]


def test_patterns_make_the_same_names(test_tool, scratch):
    (name,) = theirs("pattern")["files"]
    trace(test_tool, scratch, "many", "1", name="${x}${rotation}-${pid}${pid}.j")
    path, = scratch.iterdir()
    pid = only(our_events(scratch))[0]["pid"]
    assert path.name == name.replace("PID", str(pid))


def test_files_rotate_behind_the_same_number_of_events(test_tool, scratch):
    expected = theirs("rotation")["files"]
    trace(test_tool, scratch, "many", "600000", name="n.${rotation}.json")
    found = {path.name: path.read_text() for path in scratch.iterdir()}
    assert {name: text.count('"ph":"I"') for name, text in found.items()} == {
        name: said["events"] for name, said in expected.items()}
    assert all(text.endswith("\n]\n") for text in found.values())
    assert all(said["is JSON"] for said in expected.values())


def test_a_duration_across_two_files_is_split_alike(test_tool, scratch):
    trace(test_tool, scratch, "-n", "2", "nested", "2",
          name="n.${rotation}.json")
    phases = {name: "".join(sorted(e["ph"] for e in events if e["ph"] in "BE"))
              for name, events in our_events(scratch).items()}
    assert phases == {"n.1.json": "BB", "n.2.json": "EE"}
    assert [(said["begins"], said["ends"], said["is JSON"])
            for said in theirs("boundary")["files"].values()] == [
        (1, 0, True), (0, 1, True)]


def test_the_same_number_of_enabled_objects_is_warned_of(test_tool, scratch):
    done = trace(test_tool, scratch, "objects", "12")  # and one
    assert done.stderr.count(b"enabled") == theirs("many-enabled")["warnings"]
    assert done.stderr.count(b"\n") == 3


# ---- Where Node is weak

@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_signal_costs_their_file_and_not_ours(name, test_tool, scratch):
    number = getattr(signal, name)
    done = theirs(f"killed-{name}")
    assert (done["status"], done["files"]) == (-number, {})
    done = trace(test_tool, scratch, "crash", str(int(number)))
    assert done.returncode == -number
    assert kinds(only(our_events(scratch)))


def test_metadata_is_repeated_in_their_file_and_not_in_ours(ours):
    def doubles(events):
        said = [str(sorted(e.items())) for e in events if e["ph"] == "M"]
        return len(said) - len(set(said))

    assert doubles(only(their_events("nested"))) > 3
    assert doubles(ours("nested", "4")) == 0


@pytest.mark.plain("a sanitizer loses forked children that start threads")
def test_a_child_spoils_their_file_and_not_ours(test_tool, scratch):
    """Without ${pid}: of two processes one is lost, or both."""
    theirs_of_both = only(their_events("fork"))
    assert theirs_of_both is None or len(plain(theirs_of_both)) == 1
    assert len(their_events("fork-pid")) == 2
    trace(test_tool, scratch, "fork")
    found = [plain(events) for events in our_events(scratch).values()]
    assert sorted(name for (_, _, name, *_), in found) == ["child", "parent"]


def test_quotes_break_their_file_and_not_ours(ours):
    assert their_events("quotes") == {"n.json": None}
    assert [name for _, _, name, *_ in plain(ours("quotes"))][0] == "n\"\\\n"


def test_a_path_that_can_t_be_opened_hangs_them_and_not_us(
        test_tool, scratch):
    assert theirs("unopenable")["status"] == "hangs"
    done = trace(test_tool, scratch, "many", "9", name="none/n.json")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


def test_a_full_disk_aborts_them_and_not_us(test_tool, scratch):
    assert theirs("full")["status"] == -signal.SIGABRT
    os.symlink("/dev/full", scratch / "t.json")
    done = trace(test_tool, scratch, "many", "10")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert b"No space left" in done.stderr


def test_a_disk_that_fills_up_breaks_their_file_and_not_ours(
        test_tool, scratch):
    done = theirs("limited")
    assert done["status"] == -signal.SIGABRT
    assert their_events("limited") == {"n.json": None}
    done = trace(test_tool, scratch, "many", "9999",
                 preexec_fn=lambda: node_kit.limit_files(9000))
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert len(plain(only(our_events(scratch)))) > 50


# ---- The recordings

def sound(name, done):
    """All of it that is the same each time."""
    files = {}
    for path, text in done["files"].items():
        events = text if isinstance(text, dict) else load(text)
        files[path] = ((plain(events), kinds(events))
                       if isinstance(events, list) else events)
    return {**done, "files": files if name != "fork" else None}


def test_every_program_is_recorded():
    there = {Path(path).stem for path in os.listdir(node_kit.RECORDED)}
    assert there == node_kit.PROGRAMS.keys()


@pytest.mark.skipif(not node_kit.is_here(), reason="no node 20: nodejs")
@pytest.mark.parametrize("name", node_kit.PROGRAMS)
def test_what_was_recorded_is_what_node_does(name):
    assert sound(name, theirs(name)) == sound(name, node_kit.recorded(name))
