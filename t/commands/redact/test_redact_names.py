"""The summary of a copy has the names that the log has: git's own words survive
`trace2 redact`, in each format and however a system names programs."""

import json
import re

import pytest
from redact_kit import SID

# Command lines of which a summary shows the words that follow.
LINES = (
    (["git.exe", "status"], "git status"),
    (["git", "-c", "imap.pass=", "fetch"], "git fetch"),
    ([r"C:\Program Files\Git\mingw64\bin\git.exe", "gc"], "git gc"),
    (["C:/Program Files/Git/cmd/git.exe", "fetch", "merge"], "git fetch"),
    ([r"C:\Program Files\Git\libexec\git-core\git-remote-https.exe", "gc"],
     "git-remote-https"),
    (["/Applications/My Tools/git", "log", "-1"], "git log"),
    (["/Applications/Xcode.app/usr/libexec/git-core/git-upload-pack", "/r"],
     "git-upload-pack"),
    (["git", "-C", "/a b/gc", "-c", "a.b=c", "--git-dir", "/x", "merge", "gc"],
     "git merge"),
    (["git", "--git-dir=/x", "--no-pager", "-ccolor.ui=no", "diff"], "git diff"),
    (["git", "--namespace", "gc", "--attr-source", "gc", "push"], "git push"),
    (["git", "--config-env", "a=b", "--super-prefix", "a/", "rm"], "git rm"),
    (["git-gvfs-helper.exe", "post"], "git-gvfs-helper"),
    (["scalar.exe", "run", "all"], "scalar"),
    *((["git", word, "private"], "git " + word) for word in (
        "gvfs-helper", "survey", "update-microsoft-git", "url-parse", "scalar",
        "credential-manager", "credential-osxkeychain", "credential-wincred",
        "filter-branch", "env--helper", "sh-setup", "askpass")),
)

PLACE = "12:00:00.{:06} a.c:1" + " " * 29
COLUMNS = ("12:00:00.{:06} a.c:1                        | d0 | main"
           "                     | {:12} |     | {:9} | {:9} |              | {}")


def quote(words):
    return " ".join(word if re.fullmatch(r"[\w+,./:=@^-]+", word)
                    else "'" + re.sub(r"(['!])", r"'\\\1'", word) + "'"
                    for word in words)


def event_log(argv):
    def event(kind, **rest):
        return json.dumps({"event": kind, "sid": SID, "thread": "main",
                           "time": "2026-01-02T03:04:05.000006Z", **rest})

    return (event("version", evt="3", exe="2.55.0"),
            event("start", t_abs=0.001, argv=argv),
            event("child_start", child_id=0, child_class="?", use_shell=False,
                  argv=argv),
            event("child_exit", child_id=0, pid=7, code=0, t_rel=0.02),
            event("exit", t_abs=0.1, code=0), event("atexit", t_abs=0.1, code=0))


def normal_log(argv):
    lines = ("version 2.55.0", "start " + quote(argv),
             "child_start[0] " + quote(argv),
             "child_exit[0] pid:7 code:0 elapsed:0.020000",
             "exit elapsed:0.100000 code:0", "atexit elapsed:0.100000 code:0")
    return [PLACE.format(at) + line for at, line in enumerate(lines)]


def perf_log(argv):
    rows = (("version", "", "", "2.55.0"),
            ("start", "0.001000", "", quote(argv)),
            ("child_start", "0.002000", "", f"[ch0] class:? argv:[{quote(argv)}]"),
            ("child_exit", "0.003000", "0.020000", "[ch0] pid:7 code:0"),
            ("exit", "0.100000", "", "code:0"),
            ("atexit", "0.100000", "", "code:0"))
    return [COLUMNS.format(at, *row) for at, row in enumerate(rows)]


def find_names(value):
    """The names of commands, wherever a summary as JSON has them."""
    if isinstance(value, list):
        return [name for one in value for name in find_names(one)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("name", "command") if isinstance(
        value.get(key), str)]
    return own + [name for one in value.values() for name in find_names(one)]


@pytest.fixture
def names_of(execute, trace2, scratch):
    """names_of(text): the names in the summary of this log."""

    def call(text):
        (scratch / "log").write_bytes(text)
        done = execute([trace2, "summary", "--format", "json", scratch / "log"])
        assert done.returncode == 0, done.stderr
        return find_names(json.loads(done.stdout))

    return call


@pytest.mark.parametrize("hide", ["none", "all", "arguments", "paths,users"])
@pytest.mark.parametrize("write", [event_log, normal_log, perf_log])
def test_gits_own_words_are_in_the_summary_of_a_copy(
        write, hide, names_of, execute, trace2):
    options = [] if hide == "none" else ["--hide", hide]
    for argv, name in LINES:
        log = "\n".join([*write(argv), ""]).encode()
        copy = execute([trace2, "redact", *options, "-"], input=log).stdout
        shown = names_of(copy)
        assert name in shown, argv
        assert shown == names_of(log), argv
        assert hide in ("none", "paths,users") or b"private" not in copy
