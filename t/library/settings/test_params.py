"""Interesting parameters: which ones are listed, with scope and value."""

import json

import pytest

GLOBAL = """\
[core]
editor = vi
pager
[a "B.c"]
d = 1
d = 2
D2 =
[include]
path = inner
"""


@pytest.fixture
def scopes(execute, scratch):
    """Values in all four scopes; the environment to add."""
    execute(["git", "init", "-q", "repo"])
    execute(["git", "config", "core.editor", "local"], cwd=scratch / "repo")
    (scratch / "system").write_text("[core]\neditor = ed\n")
    (scratch / ".gitconfig").write_text(GLOBAL)
    (scratch / "inner").write_text("[Core]\nEDITOR = inner\n")
    return {
        "GIT_CONFIG_SYSTEM": str(scratch / "system"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "Core.Editor",
        "GIT_CONFIG_VALUE_0": "counted",
        "GIT_CONFIG_PARAMETERS": "'core.editor'='last'",
    }


@pytest.fixture
def params(execute, test_tool, scratch, scopes):
    """params(globs): [(scope, key LF value), ...]"""

    def call(globs):
        done = execute(
            [test_tool, "gitconfig", "params", globs],
            env=scopes,
            cwd=scratch / "repo",
        )
        assert (done.returncode, done.stderr) == (0, b"")
        words = done.stdout.decode().split("\0")
        return list(zip(words[:-1:2], words[1::2]))

    return call


EDITORS = [
    ("system", "core.editor\ned"),
    ("global", "core.editor\nvi"),
    ("global", "core.editor\ninner"),
    ("local", "core.editor\nlocal"),
    ("command", "core.editor\ncounted"),
    ("command", "core.editor\nlast"),
]
SUBSECTION = [
    ("global", "a.B.c.d\n1"),
    ("global", "a.B.c.d\n2"),
    ("global", "a.B.c.d2\n"),
]


def test_all_values_of_a_key_are_listed_in_file_order(params):
    assert params("core.editor") == EDITORS


@pytest.mark.parametrize(
    "globs, want",
    [
        ("", []),
        (",", []),
        (" , ,", []),
        ("none.*", []),
        ("core", []),
        ("ore.editor", []),
        ("CORE.EDITOR", EDITORS),
        ("c?re.editor,core.*tor", EDITORS),
        (" core.editor ,\tnone", EDITORS),
        ("core.pager", [("global", "core.pager")]),
        ("a.*", SUBSECTION),
        ("A.b.C.*", SUBSECTION),
        ("a.*.d,a.*2", SUBSECTION),
        ("*.[a-c]*.d[[:digit:]]", SUBSECTION[2:]),
        ("a\\.B.c.d[!3]", SUBSECTION[2:]),
        ("include.*", [("global", "include.path\ninner")]),
        ("core.editor core.pager", []),
    ],
)
def test_globs_choose_the_keys(globs, want, params):
    assert params(globs) == want


@pytest.fixture
def def_params(run, scratch, scopes):
    """What a run of test-tool writes as def_param."""

    def call(names):
        log = scratch / "log"
        names = {"GIT_TRACE2_EVENT": str(log), **scopes, **names}
        done = run("001return", "0", env=names, cwd=scratch / "repo")
        assert (done.returncode, done.stderr) == (0, b"")
        events = [json.loads(line) for line in log.read_text().splitlines()]
        return [
            (event["scope"], event["param"], event.get("value"))
            for event in events
            if event["event"] == "def_param"
        ]

    return call


def test_config_values_reach_the_trace_with_their_scope(def_params):
    names = {"GIT_TRACE2_CONFIG_PARAMS": "core.editor,core.pager"}
    pairs = [(scope, *text.split("\n")) for scope, text in EDITORS]
    pairs.insert(2, ("global", "core.pager", None))
    assert def_params(names) == pairs


def test_variables_reach_the_trace_in_the_order_of_the_list(def_params):
    names = {
        "GIT_TRACE2_ENV_VARS": "B, A ,EMPTY,,UNSET,b,A*,B",
        "A": "1",
        "B": "2 3",
        "EMPTY": "",
    }
    assert def_params(names) == [
        ("command", "B", "2 3"),
        ("command", "A", "1"),
        ("command", "B", "2 3"),
    ]


def test_lists_may_come_from_config_files(def_params, scratch):
    with (scratch / ".gitconfig").open("a") as file:
        file.write("[trace2]\nconfigParams = core.pager\nenvVars = A\n")
    assert def_params({"A": "1"}) == [
        ("global", "core.pager", None),
        ("command", "A", "1"),
    ]


def test_passwords_in_values_are_replaced(def_params):
    names = {"GIT_TRACE2_ENV_VARS": "A", "A": "x=https://u:secret@h/"}
    assert def_params(names) == [
        ("command", "A", "x=https://u:<REDACTED>@h/"),
    ]
