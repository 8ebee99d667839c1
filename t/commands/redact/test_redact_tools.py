"""`trace2 redact` and secrets of the tools of today: secret_tools.txt has a form
in each line, in which `{}` stands for the secret, `{L}` for a long one and `{U}`
for one of capitals; and after a line of `---` what is ordinary."""

import shlex
from pathlib import Path

import pytest
from redact_kit import SID
from secret_forms import LONG, SECRET
from test_redact_secrets import (FIRST, collect, dump, left_in, normal, perf,
                                 quote, redact)

SHELL = set("|<>;&\n")
CAPITALS = (LONG * 2).upper()[:55]

__all__ = ("collect", "redact")  # fixtures


def read_lines():
    text = (Path(__file__).parent / "secret_tools.txt").read_text()
    forms, ordinary = text.split("\n---\n")
    return ([line.replace("{U}", CAPITALS).replace("{L}", LONG)
             .replace("{}", SECRET).replace(r"\n\n", "\n")
             for line in forms.splitlines()], ordinary.splitlines())


FORMS, ORDINARY = read_lines()


def split(form):
    """The words of the form, if a shell would start one program with them."""
    try:
        return [] if SHELL.intersection(form) else shlex.split(form)
    except ValueError:
        return []


def records(texts):
    """Events that have the texts, as a line of a shell and as words."""
    for text in texts:
        words = split(text)
        yield {"event": "alias", "sid": SID, "alias": "x", "argv": ["!" + text]}
        yield {"event": "exec", "sid": SID, "argv": ["sh", "-c", text]}
        yield {"event": "def_param", "sid": SID, "param": "alias.x",
               "value": "!" + text}
        yield {"event": "error", "sid": SID, "msg": "running: " + text}
        yield {"event": "printf", "sid": SID, "msg": text}
        if not {"'", '"'} <= set(text):  # Python quotes a word for a shell so
            yield {"event": "printf", "sid": SID,
                   "msg": "run: sh -c " + shlex.quote(text)}
        if words:
            yield {"event": "start", "sid": SID, "argv": words}
            yield {"event": "child_start", "sid": SID, "argv": ["env", *words]}


def lines(texts):
    """Lines of NORMAL and PERF with the same."""
    for text in texts:
        line = text.replace("\n", " ")
        shell = "sh -c " + quote(line)
        yield normal("exec[0] " + shell)
        yield normal("printf " + line)
        yield normal("def_param scope:local alias.x=!" + line)
        yield perf("exec|id:0 argv:[" + shell + "]")
        yield perf("printf|" + line)
        yield perf("def_param|alias.x:!" + line)
        if words := " ".join(map(quote, split(line))):
            yield normal("start " + words)
            yield perf("child_start|[ch0] class:? argv:[" + words + "]")


@pytest.mark.parametrize("service", ["redact", "collect"])
def test_each_tools_secret_is_hidden_in_events(service, request):
    log = dump(records(FORMS))
    shown = request.getfixturevalue(service)(log)
    assert left_in(log, shown) == []
    assert request.getfixturevalue("redact")(shown) == shown


@pytest.mark.parametrize("name", FIRST)
def test_each_tools_secret_is_hidden_in_lines_of_text(name, redact):
    log = "\n".join([FIRST[name], *lines(FORMS), ""]).encode()
    shown = redact(log)
    assert left_in(log, shown) == []
    assert redact(shown) == shown


@pytest.mark.parametrize("name", FIRST)
def test_what_the_tools_have_without_a_secret_stays(name, redact):
    log = "\n".join([FIRST[name], *lines(ORDINARY), ""]).encode()
    assert redact(log) == log
    log = dump(records(ORDINARY))
    assert redact(log) == log


@pytest.mark.parametrize("text", [
    "password: Use the Force", "secret: Correct Horse", "token: ABC def",
    "DB_PASSWORD: keep it simple", "message='secret: Use the Force'",
    "git commit -m 'title\n\npassword: Use the Force'"])
def test_what_may_begin_a_title_is_a_secret_where_no_title_is(text, redact):
    log = dump([{"event": "error", "msg": text},
                {"event": "start", "argv": ["x", "-m", text]},
                {"event": "start", "argv": ["git", "commit", "-m", "x\n" + text]}])
    assert redact(log).count(b"<REDACTED>") == 3
