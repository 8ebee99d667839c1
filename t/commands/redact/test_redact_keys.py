"""`trace2 redact` and private keys of which each line is an event."""

import json

import pytest
from secret_forms import LONG, SECRET

BASE64 = (LONG * 2)[:64]
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
KEY = (BEGIN, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC," + SECRET, "",
       BASE64, BASE64, SECRET, END)
PLACE = "12:00:00.000000 a.c:1" + " " * 29
COLUMNS = ("12:00:00.000000 a.c:1                        | d0 | main | "
           "{:12} |     |  0.000001 |  0.000001 | c            | {}")


def event(kind, sid="a", thread="main", **rest):
    return json.dumps({"event": kind, "sid": sid, "thread": thread, **rest})


# How a program that prints line by line writes a line of the key.
WRITERS = {
    "printf": lambda line: event("printf", msg=line),
    "printf with a line end": lambda line: event("printf", msg=line + "\r\n"),
    "printf after a mark": lambda line: event("printf", msg="remote: " + line),
    "error": lambda line: event("error", msg=line, fmt="%s"),
    "region": lambda line: event("region_enter", label="l", msg=line),
    "data": lambda line: event("data", category="c", key="k", value=line),
    "data_json": lambda line: event("data_json", key="k", value={"a": [line]}),
    "another event": lambda line: event("unheard_of", line=line),
    "NORMAL": lambda line: PLACE + line,
    "NORMAL error": lambda line: PLACE + "error " + line,
    "PERF": lambda line: COLUMNS.format("printf", "...." + line),
    "PERF data": lambda line: COLUMNS.format("data", "..k:" + line),
}
FIRST = {"NORMAL": PLACE + "version 2.50.0",
         "PERF": COLUMNS.format("version", "2.50.0")}


def first_of(writer):
    return FIRST.get(writer.split()[0], event("version", evt="3", exe="2.50.0"))


@pytest.fixture
def redact(execute, trace2):
    """redact(lines): the lines without secrets."""

    def call(lines):
        done = execute([trace2, "redact", "-"],
                       input="\n".join([*lines, ""]).encode())
        assert (done.returncode, done.stderr) == (0, b"")
        shown = done.stdout.decode().splitlines()
        assert len(shown) == len(lines)
        return shown

    return call


@pytest.mark.parametrize("writer", WRITERS)
def test_each_line_of_a_key_is_hidden_whoever_writes_it(writer, redact):
    write = WRITERS[writer]
    after = write("main")
    shown = redact([first_of(writer), *map(write, KEY), after])
    assert "hu5h" not in "".join(shown)
    assert BEGIN in shown[1] and END in shown[-2]
    assert shown[-1] == after


@pytest.mark.parametrize("mark", ["<< END", BEGIN, "password = '''"])
def test_lines_that_begin_behind_a_hidden_word_are_hidden(mark, redact):
    text = f"mysql -p{SECRET} -h {mark}\n{SECRET}\n{SECRET}"
    for line in redact([event("printf", msg=text), event("start", argv=["sh", "-c", text])]):
        assert "hu5h" not in line


@pytest.mark.parametrize("name", FIRST)
def test_a_key_that_a_program_prints_between_events_is_hidden(name, redact):
    shown = redact([first_of(name), *KEY, first_of(name)])
    assert "hu5h" not in "".join(shown)


def test_words_of_a_command_line_that_are_a_key_are_hidden(redact):
    whole = event("start", argv=["x", *KEY, "main"])
    apart = event("start", argv=["x", *" ".join((BEGIN, BASE64, SECRET, END)).split(" "),
                                "main"])
    for line in redact([whole, apart]):
        assert "hu5h" not in line
        assert json.loads(line)["argv"][-1] == "main"


def test_two_processes_may_write_keys_at_the_same_time(redact):
    lines = [event("printf", sid=sid, msg=line) for line in KEY for sid in "ab"]
    assert "hu5h" not in "".join(redact(lines))


def test_what_follows_the_end_of_a_key_is_searched(redact):
    lines = [event("printf", msg=BEGIN),
             event("printf", msg=f"{BASE64}\n{END}\npassword={SECRET}\n{BEGIN}"),
             event("printf", msg=BASE64), event("printf", msg=END)]
    assert "hu5h" not in "".join(redact(lines))


def test_what_others_write_beside_a_key_stays(redact):
    others = [event("data", category="c", key="k", value="main"),
              event("region_enter", category="c", label="main")]
    lines = [event("printf", msg=BEGIN), *others,
             event("printf", msg="no line of a key, is it?"),
             event("printf", msg=END), event("printf", msg=BASE64)]
    assert redact(lines) == lines


def test_a_certificate_of_many_lines_stays(redact):
    lines = [event("printf", msg=line) for line in (
        "-----BEGIN CERTIFICATE-----", BASE64, "-----END CERTIFICATE-----")]
    assert redact(lines) == lines


@pytest.mark.parametrize("kind", ["CERTIFICATE", "PUBLIC KEY", "PGP MESSAGE",
                                  "PGP PUBLIC KEY BLOCK"])
def test_words_after_those_of_a_block_that_is_no_key_stay(kind, redact):
    begin = f"-----BEGIN {kind}-----".split()
    lines = [event("start", argv=["echo", *begin, "main", "origin"]),
             event("start", argv=["git", "status"])]
    shown = redact(lines)
    assert json.loads(shown[0])["argv"][-2:] == ["main", "origin"]
    assert shown[1] == lines[1]


def test_a_key_that_never_ends_hides_no_more_than_one_may_have(redact):
    lines = [event("printf", msg=BEGIN)]
    lines += [event("printf", msg="main")] * 1000
    shown = redact(lines)
    assert shown.count(lines[1]) > 400
    assert shown[2] != lines[2]
