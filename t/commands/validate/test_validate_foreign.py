"""What comes from outside steers no terminal and no service: not by
`trace2 validate`, in any of its formats."""

import json
import os
import re
import signal
import subprocess

import pytest
from validate_kit import ATEXIT, EXIT, SID, START, VERSION, compact, log

JSON = ("json", "jsonl", "sarif")  # for programs: they get the text itself
FORMATS = ("concise", "full", "github", *JSON)

# Each is one name, of a file or of anything in a log.
HOSTILE = (
    "\x1b[31mred", "a\x1b]0;title\x07", "::error::a", "  ::warning::a",
    "a##[error]b", "##[group]", "a\x9b31mb", "a\x7fb", "a\u202eb",
    "a\u2066b\u200f", "a\u2028b\u2029", "a\nb", "a\r\n::error::b", "a\tb",
    "%0A::error::a", "a\x85b", "\ufeff::error::a", "\u3000::error::a",
)  # fmt: skip
BROKEN = (b"a\xffb", b"\xc3", b"\xed\xa0\x80", b"a\xc2", b"::\xff##[")

UNFIT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
    "\u2066-\u2069]"
)


def make_lines(name):
    """Events that show the name in each of their places, all of them wrong."""
    common = {"sid": SID, "thread": "main"}
    yield compact({"event": "start", **common, name: 1, "argv": name})
    yield compact({"event": name, **common})
    yield compact({"event": "version", "sid": f"x/{name}", "thread": "main",
                   "evt": name, "exe": name})  # fmt: skip
    yield compact({"event": "cmd_name", **common, "name": name,
                   "hierarchy": f"z/{name}/y"})  # fmt: skip
    yield compact({"event": "cmd_name", **common, "name": "y",
                   "hierarchy": name})  # fmt: skip
    yield compact({"event": "error", "sid": SID, "thread": name,
                   "msg": [name], "fmt": {name: name}})  # fmt: skip
    yield compact({"event": "region_enter", **common, "nesting": name,
                   "category": 5, "label": [name]})  # fmt: skip
    yield name.encode()


def make_raw(lines):
    """The lines with the names as they are, where JSON allows that."""
    text = [json.loads(line) for line in lines[:-1]]
    raw = [json.dumps(line, ensure_ascii=False, separators=(",", ":"))
           for line in text]  # fmt: skip
    return [line.encode() for line in raw]


def make_text(name):
    """A NORMAL and a PERF log with the name in them."""
    clock = b"12:00:00.000000 "
    yield clock + b"a.c:1".ljust(33) + b" start '" + name + b"\n" + name
    yield (clock + b"a.c:1".ljust(28) + b" | d0 | " + name.ljust(24) + b" | "
           + name.ljust(12) + b" | x   | " + name)  # fmt: skip


def check_text(text, form="full"):
    """No byte of it does anything but begin a new line."""
    decoded = text.decode()  # it is UTF-8
    assert not UNFIT.search(decoded)
    assert form in JSON or "##[" not in decoded
    for line in decoded.splitlines():
        assert not re.match(r"\s*::(?!(error|warning|notice) file=)", line)


def write_logs(folder, names):
    for number, name in enumerate(names):
        raw = os.fsencode(name)
        escaped = []
        if isinstance(name, str):
            lines = list(make_lines(name))
            escaped = [*lines, *make_raw(lines)]
        lines = [VERSION, START, *escaped, raw, b'{"' + raw + b'":1}',
                 START[:-1] + b',"' + raw + b'":"' + raw + b'"}', EXIT,
                 ATEXIT]  # fmt: skip
        path = os.fsencode(folder) + b"/" + raw.replace(b"/", b"")
        with open(path, "wb") as out:
            out.write(log(*lines))
        for kind, text in zip((b"n", b"p"), make_text(raw)):
            with open(path + kind, "wb") as out:
                out.write(text + b"\n")


@pytest.fixture
def logs(scratch):
    folder = scratch / "logs"
    folder.mkdir()
    write_logs(folder, (*HOSTILE, *BROKEN))
    return folder


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("more", [(), ("--statistics", "--for", "all")])
def test_hostile_names_are_told_as_text(form, more, logs, validate):
    result = validate("--format", form, *more, logs)
    check_text(result.stdout, form)
    check_text(result.stderr)
    assert result.returncode == 1 and len(result.stdout.splitlines()) > 300


def test_a_reader_of_json_gets_the_names_themselves(logs, validate):
    result = validate("--format", "json", "--statistics", logs)
    told = json.loads(result.stdout)
    files = {finding["file"] for finding in told["findings"]}
    for name in HOSTILE:
        assert f"{logs}/{name.replace('/', '')}" in files
    writers = {row["writer"] for row in told["summary"]["statistics"]["writers"]}
    assert set(HOSTILE) <= writers


def test_sarif_of_hostile_names_is_json(logs, validate):
    result = validate("--format", "sarif", logs)
    run, = json.loads(result.stdout)["runs"]
    texts = [result["message"]["text"] for result in run["results"]]
    assert any("\x9b" in text for text in texts)


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_names_of_no_file_are_told_as_text(form, validate):
    for name in (*HOSTILE, *BROKEN):
        result = validate("--format", form, os.fsencode(name))
        check_text(result.stdout, form)
        check_text(result.stderr)


@pytest.mark.parametrize("option", ["--format", "--explain", "--x", *(
    pytest.param(option, marks=pytest.mark.long("other options"))
    for option in ("--for", "--listen", "--select", "--evt",
                   "--color", "--max-findings"))])
def test_hostile_values_of_options_are_told_as_text(option, validate):
    for name in (*HOSTILE, *BROKEN):
        result = validate(f"{option}=".encode() + os.fsencode(name), "-",
                          input=b"")  # fmt: skip
        check_text(result.stderr)
        assert result.returncode != 0


@pytest.mark.parametrize("kind", ["stream", "dgram"])
def test_a_socket_of_a_hostile_name_is_told_as_text(kind, trace2, scratch):
    for name in HOSTILE:
        with subprocess.Popen(
            [trace2, "validate", "--listen", f"af_unix:{kind}:{name}"],
            cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            line = process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            text = line + process.stderr.read()
        assert b"listening on" in line
        check_text(text)
