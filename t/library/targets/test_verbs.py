"""What test-tool's verbs print and how they exit; git's, as git's do."""

import json
import re
import resource
import signal

import pytest

EXPECT_DATA = "fatal: expect <cat0> <k0> <v0> [<cat1> <k1> <v1> [...]]\n"
EXPECT_COUNTS = "expect <v1> [<v2> [...]]"

# arguments, exit code, standard error
GIT = [
    ("001return 7", 7, ""),
    ("001return 256", 0, ""),
    ("001return -1", 255, ""),
    ("001return +3", 3, ""),
    ("001return", 128, "fatal: expect <exit_code>\n"),
    ("001return 3x", 128, "fatal: expect <exit_code>\n"),
    ("001return 99999999999999999999", 128, "fatal: expect <exit_code>\n"),
    ("002exit 300", 44, ""),
    ("002exit 0x10", 128, "fatal: expect <exit_code>\n"),
    ("003error a b", 0, "error: a\nerror: b\n"),
    ("003error", 128, "fatal: expect <error_message>\n"),
    ("004child", 0, ""),
    ("004child test-tool trace2 001return 5", 5, ""),
    ("004child no-such", 255,
     "error: cannot run no-such: No such file or directory\n"),
    ("005exec", 0, ""),
    ("005exec trace2 001return 6", 6, ""),
    ("006data", 0, ""),
    ("006data a b c", 0, ""),
    ("006data a b", 128, EXPECT_DATA),
    ("006data a b c d", 128, EXPECT_DATA),
    ("100timer 1 1", 0, ""),
    ("100timer 1", 128, "fatal: expect <count> <ms_delay>\n"),
    ("101timer 1 1 1", 0, ""),
    ("101timer 1 1", 128, "fatal: expect <count> <ms_delay> <threads>\n"),
    ("200counter 1", 0, ""),
    ("200counter", 128, f"fatal: {EXPECT_COUNTS}\n"),
    ("200counter 1 x", 128, f"fatal: invalid value[x] -- {EXPECT_COUNTS}\n"),
    ("201counter 1 2 3", 0, ""),
    ("201counter 1 2", 128, "fatal: expect <v1> <v2> <threads>\n"),
    ("300redact_start a", 0, ""),
    ("300redact_start", 128, "fatal: expect <argv...>\n"),
    ("301redact_child_start", 128, "fatal: expect <argv...>\n"),
    ("302redact_exec a", 128, "fatal: expect <exe> <argv...>\n"),
    ("303redact_def_param k", 128, "fatal: expect <key> <value>\n"),
    ("303redact_def_param k v extra", 0, ""),
    ("400ancestry normal x", 128,
     "fatal: expect <target> <output_file> <child_command_line>\n"),
    ("400ancestry json /dev/null a", 128,
     "fatal: invalid target 'json', expected: normal, perf, event\n"),
    ("400ancestry perf /dev/null test-tool trace2 001return 9", 9, ""),
]

BUGS = {
    "007bug": ["the bug message"],
    "008bug": [
        "a bug message",
        "another bug message",
        "an explicit BUG_if_bug() following bug() call(s) is nice, "
        "but not required",
    ],
    "009bug_BUG": [
        "a bug message",
        "another bug message",
        "on exit(): had bug() call(s) in this process without explicit "
        "BUG_if_bug()",
    ],
    "010bug_BUG": ["a bug message", "a BUG message"],
}


@pytest.fixture
def verb(run, scratch, test_tool, env):
    """The verb's run, with test-tool and git (the same) first in PATH."""
    folder = scratch / "bin"
    folder.mkdir()
    for name in ("test-tool", "git"):
        (folder / name).symlink_to(test_tool)
    path = f"{folder}:{env['PATH']}"

    def call(*words, env={}, **options):
        return run(*words, env={"PATH": path, **env}, **options)

    return call


def events_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("tracing", ["on", "off"])
@pytest.mark.parametrize(
    "words, code, error", GIT, ids=[row[0].replace(" ", "_") for row in GIT]
)
def test_verb_of_git_exits_and_complains_as_there(
    verb, scratch, words, code, error, tracing
):
    log = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    done = verb(*words.split(), env=log if tracing == "on" else {})
    assert done.stderr.decode() == error
    assert done.returncode == code
    assert done.stdout == b""


@pytest.mark.parametrize("name", BUGS)
def test_bug_says_where_and_exits_with_99(verb, scratch, name):
    done = verb(name, env={"GIT_TRACE2_EVENT": str(scratch / "log")})
    lines = done.stderr.decode().splitlines()
    found = [re.fullmatch(r"BUG: [^:]+:\d+: (.*)", one)[1] for one in lines]
    assert found == BUGS[name]
    assert done.returncode == 99
    events = events_of(scratch / "log")
    errors = [one["msg"] for one in events if one["event"] == "error"]
    assert errors == BUGS[name]


def test_child_that_a_signal_kills_is_named(verb):
    done = verb("004child", "sh", "-c", "kill -9 $$")
    assert done.stderr == b"error: sh died of signal 9\n"
    assert done.returncode == 137


def test_exec_without_the_program_gives_255(verb, scratch):
    done = verb("005exec", "version", env={"PATH": str(scratch)})
    assert (done.returncode, done.stderr) == (255, b"")


def test_message_hides_control_bytes_and_event_keeps_them(verb, scratch):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    done = verb("003error", "a\x01\tb\nc\x7f", env=env)
    assert done.stderr == b"error: a?\tb\nc?\n"
    errors = [e for e in events_of(scratch / "log") if e["event"] == "error"]
    assert errors[0]["msg"] == "a\x01\tb\nc\x7f"
    assert errors[0]["fmt"] == "%s"


@pytest.mark.parametrize("words", [[], ["999unknown"]])
def test_usage_names_every_verb_once(verb, words):
    done = verb(*words)
    assert done.returncode == 129
    first, *rest = done.stderr.decode().splitlines()
    assert first == "usage:"
    names = [line.split()[2] for line in rest]
    assert all(line.startswith("\ttest-tool trace2 ") for line in rest)
    numbered = [name for name in names if name[:3].isdigit()]
    assert numbered == sorted(numbered)
    assert len(names) == len(set(names))
    assert {"001return", "400ancestry", "500region_nested"} <= set(names)


def test_unknown_command_is_an_error(execute, test_tool):
    done = execute([test_tool, "nope"])
    assert done.returncode == 128
    lines = done.stderr.decode().splitlines()
    assert lines[0] == "error: there is no tool named 'nope'"
    assert "  trace2" in lines


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "PIPE"])
def test_signal_verb_dies_of_the_signal(verb, scratch, name):
    number = getattr(signal, f"SIG{name}")
    for env in ({}, {"GIT_TRACE2_EVENT": str(scratch / "log")}):
        assert verb("540signal", name, env=env).returncode == -number
    last = events_of(scratch / "log")[-1]
    assert (last["event"], last["signo"]) == ("signal", number)


def test_signal_that_the_program_handles_is_left_to_it(verb, scratch):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    done = verb("544signal_handler", "TERM", env=env)
    assert (done.returncode, done.stdout) == (0, b"handled\n")
    assert "signal" not in [e["event"] for e in events_of(scratch / "log")]


def test_session_id_is_the_one_of_the_events(verb, scratch):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    said = verb("529session_id", env=env).stdout.decode()
    assert {e["sid"] for e in events_of(scratch / "log")} == {said.strip()}


def test_flood_writes_each_number_of_each_thread_once(verb, scratch):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    verb("590flood", "500", "4", env=env)
    seen = {}
    for event in events_of(scratch / "log"):
        if event["event"] == "data":
            seen.setdefault(event["thread"], []).append(event["value"])
    numbers = [str(number) for number in range(500)]
    assert seen == {f"th0{place}:flood": numbers for place in range(1, 5)}


TEXTS = {
    "control": "\b\f\n\r\t\x01\x1f\x7f\x1b[31m",
    "quotes": "'\"\\/!$`",
    "utf8": "caf\u00e9 \u20ac \U0001f389",
    "newlines": "one\ntwo\r\n\nthree\n",
}


def strings(event):
    """Every string of an event, those in its lists included."""
    for value in event.values():
        yield from value if isinstance(value, list) else [value]


@pytest.mark.parametrize("kind", TEXTS)
def test_hard_text_comes_back_whole_from_json(verb, scratch, kind):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    assert verb("592text", kind, env=env).returncode == 0
    events = events_of(scratch / "log")[4:-2]
    without = {
        event["event"] for event in events if TEXTS[kind] not in strings(event)
    }
    assert without == {"child_ready"}
    assert len(events) == 19


def test_broken_utf8_becomes_what_python_makes_of_it(verb, scratch):
    env = {"GIT_TRACE2_EVENT": str(scratch / "log")}
    verb("592text", "invalid", env=env)
    broken = b"a\xffb\xc3(\xe2\x82c\xf0\x9f\x8e\xed\xa0\x80\xc0\xaf"
    start = events_of(scratch / "log")[4]
    assert start["argv"][1] == broken.decode("utf-8", "replace")


def test_a_hundred_kilobytes_stay_whole_everywhere(verb, scratch):
    logs = {
        f"GIT_TRACE2{name}": str(scratch / f"log{name}")
        for name in ("", "_PERF", "_EVENT")
    }
    assert verb("592text", "long", env=logs).returncode == 0
    text = "0123456789" * 10240
    events = events_of(scratch / "log_EVENT")
    assert [e["path"] for e in events if e["event"] == "cmd_path"] == [text]
    for name in ("", "_PERF"):
        lines = (scratch / f"log{name}").read_text().splitlines()
        assert sum(line.endswith(text) for line in lines) >= 3


def rows(root):
    """The verbs of the tables, with their arguments as in the usage."""
    text = (root / "t/README.md").read_text()
    tables = text.partition("### git's verbs")[2].partition("\n## ")[0]
    for line in tables.splitlines():
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)]
        if re.fullmatch(r"`\w+`", "".join(cells[1:2])):
            yield cells[1].strip("`"), cells[2].strip("`").replace("\\", "")


def test_tables_of_verbs_are_what_the_usage_list_says(root, run):
    usage = [line.split(None, 3)[2:] + [""] for line in
             run().stderr.decode().splitlines()[1:]]
    tables = dict(rows(root))
    assert list(tables) == [verb for verb, *_ in usage]
    for verb, arguments, *_ in usage:
        if verb >= "500":
            assert tables[verb] == arguments, verb


def required_arguments(usage):
    """Our verbs, and how many arguments each needs."""
    for line in usage.splitlines():
        found = re.match(r"\ttest-tool trace2 (5\d\d\w+|[a-z]\w*) (<.*)", line)
        if found:
            words = found[2].split()
            needed = [w for w in words if re.fullmatch(r"<\w+>", w)]
            yield from ((found[1], n) for n in range(len(needed)))


def test_verb_with_too_few_arguments_says_what_it_expects(verb, scratch):
    usage = verb().stderr.decode()
    cases = list(required_arguments(usage))
    assert len(cases) > 20
    for name, given in cases:
        done = verb(name, *["1"] * given,
                    env={"GIT_TRACE2_EVENT": str(scratch / "log")})
        assert done.returncode == 128, name
        assert done.stderr.startswith(b"fatal: expect "), name
        assert not done.stdout, name
        exit_code = [e["code"] for e in events_of(scratch / "log")
                     if e["event"] == "exit"]
        assert exit_code == [128], name
        (scratch / "log").unlink()


@pytest.mark.plain("measures memory")
def test_loop_keeps_nothing_of_its_turns(verb):
    limit = 20 << 20
    done = verb("590flood", "100000", "0", env={"GIT_TRACE2": "/dev/null"},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                      (limit, limit)))
    assert done.returncode == 0


def test_list_has_as_many_words_as_the_command_line(verb):
    done = verb("005exec", *["a"] * 3000)
    assert done.returncode == 128
    assert done.stderr.startswith(b"error: there is no tool named 'a'")
