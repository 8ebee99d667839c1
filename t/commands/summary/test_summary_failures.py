"""The first line of `trace2 summary` tells what failed, and because of whom."""

import pytest

from summary_kit import event, life, summary, write_log  # noqa: F401

SID = "20261123T100000.000000Z-H1-P00000001"


def child(number, names, code, begin=0.1):
    common = {"child_id": number}
    return [
        event(SID, "child_start", begin, **common, use_shell=False,
              **{"argv": ["x"], "child_class": "?", **names}),
        event(SID, "child_exit", begin + 0.1, **common, pid=7, code=code,
              t_rel=0.1),
    ]  # fmt: skip


def hook(name):
    return {"child_class": "hook", "hook_name": name}


def run(*argv):
    return {"argv": list(argv)}


@pytest.fixture
def first_line(summary, scratch):  # noqa: F811
    """first_line(inner, code): of a commit with these events."""

    def call(inner, code=1, **more):
        log = write_log(scratch / "log", *life(SID, *inner, code=code,
                                               name="commit", **more))
        return summary(log).stdout.decode().splitlines()[0]

    return call


COMMIT = "git commit failed, exit code 1"


@pytest.mark.parametrize(("children", "blamed"), [
    ([(hook("pre-commit"), 1)], "; the hook pre-commit failed"),
    ([(hook("pre-commit"), 0)], ""),
    ([(hook("post-checkout"), 1)], "; the hook post-checkout failed"),
    ([(hook("post-commit"), 1)], ""),
    ([(hook("pre-auto-gc"), 1)], ""),
    ([(hook("fsmonitor-watchman"), 1)], ""),
    ([(hook("query-watchman"), 1)], ""),
    ([(hook("commit-msg"), 1), (hook("post-commit"), 1)],
     "; the hook commit-msg failed"),
    ([(hook("pre-commit"), 1), (run("editor"), 1)],
     "; the hook pre-commit failed"),
    ([(hook("pre-receive"), 1)],
     "; the hook pre-receive of the remote failed, and its words are after "
     "'remote:'"),
    ([(run("editor"), 1)], "; editor failed"),
    ([(run("editor"), 1), (run("editor"), 0)], ""),
    ([(run("editor"), 1), (run("pager"), 2)], "; pager failed"),
    ([(run("git-remote-x"), 1)], "; git-remote-x failed"),
    ([(run("git-receive-pack"), 1)], ""),
    ([(run("git", "gc"), 1)], "; git gc failed"),
    ([(run("watchman"), 1)], ""),
])  # fmt: skip
def test_a_hook_or_program_that_failed_is_blamed(children, blamed, first_line):
    inner = [line for number, (names, code) in enumerate(children)
             for line in child(number, names, code, 0.1 + number / 5)]
    assert first_line(inner) == COMMIT + blamed


@pytest.mark.parametrize(("message", "shown", "blamed"), [
    ("no", "no", ""),
    ("unable to read files to diff", "unable to read files to diff",
     "; editor failed"),
    ("the remote end hung up unexpectedly",
     "the remote end hung up unexpectedly", "; editor failed"),
    ("a:\n b", "a: b", ""), ("a:\n b\n c", "a: b", ""),
    ("a. b:\n c:", "a. b: c:", ""),
    ("a\r\nb", "a", ""), ("a, \n\n b;\n c", "a, b;", ""), ("a:", "a:", ""),
    ("a:\n", "a:", ""), ("\u00e9" * 101, "\u00e9" * 100, ""),
    ("-" + "\u00e9" * 100, "-" + "\u00e9" * 99, ""),
    ("see https://me:word@host/x", "see https://me:<REDACTED>@host/x", ""),
])  # fmt: skip
def test_a_message_is_told_in_a_line(message, shown, blamed, first_line):
    inner = child(0, run("editor"), 1)
    inner.append(event(SID, "error", 0.5, msg=message, fmt="%s"))
    assert first_line(inner) == f"{COMMIT}: {shown}{blamed}"


def test_of_two_messages_the_first_one_is_the_cause(first_line):
    said = [event(SID, "error", 0.1 * at, msg=msg, fmt="%s")
            for at, msg in enumerate(("one", "two", " \n", "three"), 1)]
    assert first_line(said) == f"{COMMIT}: three (first: one)"
    assert first_line([said[0], said[0]]) == f"{COMMIT}: one"


@pytest.mark.parametrize(("signo", "why"), [
    (13, ", signal 13: whoever read its output was gone"), (15, ", signal 15"),
])
def test_a_signal_is_no_exit_code(signo, why, summary, scratch):  # noqa: F811
    signal = event(SID, "signal", 0.6, t_abs=0.6, signo=signo)
    log = write_log(scratch / "log", *life(SID, signal, name="commit")[:-1])
    first = summary(log).stdout.decode().splitlines()[0]
    assert first == f"git commit failed{why}"
    rows = summary("--format", "csv", log).stdout.decode().splitlines()
    assert rows[1].startswith(f"failure,1,,{signo},")


@pytest.mark.parametrize(("argv", "failed"), [
    (["git", "grep", "x"], False), (["git", "cat-file", "-e", "x"], False),
    (["git", "commit"], True), (["git", "show", "x"], True),
])  # fmt: skip
def test_a_question_that_is_answered_no_has_not_failed(
    argv, failed, summary, scratch  # noqa: F811
):
    log = write_log(scratch / "log", *life(SID, name=argv[1], argv=argv, code=1))
    first = summary(log).stdout.decode().splitlines()[0]
    assert first.startswith(" ".join(argv) + " failed") == failed
    log = write_log(scratch / "log", *life(SID, name=argv[1], argv=argv, code=2))
    assert b" failed, exit code 2\n" in summary(log).stdout
