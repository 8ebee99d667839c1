"""What scenarios about settings see in a run."""

import pytest

from kit import config, run as runs

CLOCK = "05:42:03.588769"
NORMAL = f"{CLOCK} git.c:1" + 27 * " " + "version 1\n"
PERF = f"{CLOCK} git.c:1{21 * ' '} | d0 | main | version | | | | | 1\n"
EVENT = (
    '{"event":"version","time":"x","file":"a.c"}\n'
    '{"event":"start","time":"x","file":"a.c"}\n'
    '{"event":"atexit","time":"x","file":"a.c"}\n'
)


def made(stderr=b"", **files):
    named = {name: text.encode() for name, text in files.items()}
    return runs.Run(["x"], 0, b"", stderr, named, [])


def without_clock(text):
    return text.partition(" | ")[2] if " | " in text else text[50:]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (NORMAL, "normal"),
        (without_clock(NORMAL) or "version 1\n", "normal"),
        (PERF, "perf"),
        (without_clock(PERF), "perf"),
        (EVENT, "event"),
        ("", ""),
        ("hello\nversion 1\n", ""),
    ],
)
def test_form_of_a_log_is_told_by_its_first_line(text, form):
    assert config.form(text.encode()) == form


def test_full_and_brief_logs_are_told_apart():
    full = made(normal=NORMAL, perf=PERF, event=EVENT)
    assert config.brief(full) == (False, False, False)
    brief = made(normal="version 1\n", perf=without_clock(PERF),
                 event=EVENT.replace('"start","time":"x","file":"a.c"', '"start"'))
    assert config.brief(brief) == (True, True, True)


def test_logs_that_are_neither_full_nor_brief_are_no_answer():
    both = EVENT + '{"event":"exit"}\n'
    assert config.brief(made(normal=NORMAL + "x\n", event=both)) == (
        None, None, None)


def test_parameters_are_read_with_their_scope():
    text = ('{"event":"def_param","scope":"local","param":"a.b","value":"1"}\n'
            '{"event":"def_param","scope":"command","param":"X"}\n')
    assert config.params(made(event=text)) == [
        ("local", "a.b", "1"), ("command", "X", None)]
    assert config.pairs(made(log=text), "log") == [("a.b", "1"), ("X", None)]


def test_parameter_without_a_scope_can_not_be_looked_up():
    with pytest.raises(KeyError):
        config.params(made(event='{"event":"def_param","param":"a.b"}\n'))


def test_warnings_keep_their_line_ends():
    assert config.warnings(made(b"a\nb")) == [b"a\n", b"b"]


def test_sections_are_written_for_git(execute, scratch):
    (scratch / "config").write_bytes(
        config.trace2(eventTarget=b"/a b", eventNesting=b"4"))
    done = execute(["git", "config", "-f", "config", "--list"])
    assert done.stdout == b"trace2.eventtarget=/a b\ntrace2.eventnesting=4\n"


def test_repository_is_one_for_git(execute, scratch):
    for name, text in config.repository(b"[a]\n\tb = c\n").items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_bytes(text)
    done = execute(["git", "config", "a.b"], cwd=scratch / "repo")
    assert done.stdout == b"c\n"
