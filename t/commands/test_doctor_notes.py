"""`trace2 doctor`: settings that git ignores or does not know."""

import os

import pytest
from test_doctor import doctor, global_config, notes, target  # noqa: F401


def test_what_the_repository_says_is_ignored(doctor, scratch, execute):  # noqa: F811
    execute(["git", "init", "-q", "."])
    execute(["git", "config", "trace2.eventTarget", "/x y"])
    shown = doctor()
    assert target(shown)["state"] == "off"
    (note,) = shown["notes"]
    assert ".git/config:" in note["text"]
    assert "git ignores trace2.eventtarget here" in note["text"]
    assert note["repair"] == "git config --global trace2.eventtarget '/x y'"


def test_a_line_that_git_reads_twice_is_told_once(doctor, scratch, execute):  # noqa: F811
    execute(["git", "init", "-q", "."])
    (scratch / "more").write_text("[trace2]\n\teventTarget = /x\n" * 50000)
    for _ in range(2):
        execute(["git", "config", "--add", "include.path", str(scratch / "more")])
    assert len(doctor()["notes"]) == 50000  # in a moment: not each beside each


def test_what_a_command_line_says_is_ignored(doctor):  # noqa: F811
    shown = doctor(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="trace2.eventTarget",
                   GIT_CONFIG_VALUE_0="/x")  # fmt: skip
    assert target(shown)["state"] == "off"
    assert notes(shown)[0].startswith("git -c, or GIT_CONFIG_COUNT: git ignores")


def test_mistyped_names_are_told(doctor, global_config):  # noqa: F811
    names = global_config("[trace2]\n\teventTarge = /x\n\tzzz = 1\n"
                          "\teventBrief\n")  # fmt: skip
    shown = doctor(GIT_TRACE2_EVNT="1", GIT_TRACE2_XXXXXXXX="1", **names)
    found = {one["text"].split(": ")[-1]: one.get("repair")
             for one in shown["notes"]}  # fmt: skip
    assert found == {
        "no setting is named trace2.eventtarge":
            "did you mean trace2.eventtarget?",
        "no setting is named trace2.zzz": None,
        "trace2.eventbrief has no value, with which git does not start": None,
        "no setting is named GIT_TRACE2_EVNT": "did you mean GIT_TRACE2_EVENT?",
        "no setting is named GIT_TRACE2_XXXXXXXX": None,
    }


def test_what_event_leaves_out_is_told(doctor, scratch):  # noqa: F811
    log = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    shown = doctor(**log)
    assert notes(shown) == ["EVENT leaves out regions deeper than 2"]
    assert notes(doctor(GIT_TRACE2_EVENT_NESTING="5", **log)) == []
    shown = doctor(GIT_TRACE2_EVENT_NESTING="9", GIT_TRACE2_EVENT_BRIEF="yes",
                   **log)  # fmt: skip
    assert notes(shown) == [
        "EVENT is brief: its events have no time, which readers need"]
    assert notes(doctor(GIT_TRACE2_EVENT_BRIEF="yes")) == []


@pytest.mark.parametrize("nesting, depth", [
    ("0", "2"), ("-3", "2"), ("deep", "2"), ("1", "1"), ("4", "4")])
def test_deep_regions_are_told_by_the_nesting(doctor, global_config,  # noqa: F811
                                              nesting, depth):
    names = global_config(f"[trace2]\n\teventNesting = {nesting}\n")
    for more in ({"GIT_TRACE2_EVENT_NESTING": nesting}, names):
        shown = doctor(GIT_TRACE2_EVENT="/dev/null", **more)
        assert shown["notes"] == [
            {"text": f"EVENT leaves out regions deeper than {depth}",
             "repair": "GIT_TRACE2_EVENT_NESTING=10"}]


def test_a_brief_that_is_no_boolean_is_told(doctor):  # noqa: F811
    shown = doctor(GIT_TRACE2_EVENT="/dev/null", GIT_TRACE2_EVENT_NESTING="9",
                   GIT_TRACE2_EVENT_BRIEF="maybe")
    assert notes(shown) == ["EVENT is not brief: 'maybe' is neither true nor false"]


def test_other_keys_and_variables_are_not_looked_at(doctor, global_config):  # noqa: F811
    names = global_config("[trace3]\n\ty = 1\n"
                          '[trace2 "x"]\n\teventTarget = 0\n')  # fmt: skip
    shown = doctor(GIT_TRACE2_PARENT_SID="x", GIT_TRACE2_PARENT_NAME="x",
                   GIT_TRACE="1", **names)  # fmt: skip
    (note,) = notes(shown)
    assert note.endswith("no setting is named trace2.x.eventtarget")


def test_no_value_adds_words_to_a_repair(doctor, global_config):  # noqa: F811
    names = global_config("[trace2]\n\teventTarget = 0\n\teventTarget\n")
    shown = doctor(GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_0="trace2.a';b.c",
                   GIT_CONFIG_VALUE_0="it's", GIT_CONFIG_KEY_1="core.bare",
                   GIT_CONFIG_VALUE_1="1", **names)  # fmt: skip
    assert (target(shown)["state"], target(shown)["value"]) == ("off", "0")
    assert [one["repair"] for one in shown["notes"] if "ignores" in one["text"]
            ] == ["git config --global 'trace2.a'\\'';b.c' 'it'\\''s'"]


def test_root_by_sudo_is_told(doctor):  # noqa: F811
    if os.getuid():
        pytest.skip("only root can be root")
    assert "the settings of me do not count" in notes(doctor(SUDO_USER="me"))[0]
