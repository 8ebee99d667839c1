"""The command `trace2 validate`: what it reads, prints and exits with."""

import ctypes
import fcntl
import gzip
import json
import os
import re
import subprocess
import termios
import time
from pathlib import Path

import pytest
from validate_kit import (
    ATEXIT,
    BROKEN,
    BROKEN_ID,
    EXIT,
    START,
    VERSION,
    alone,
    compact,
    event,
    log,
    places,
    read_jsonl,
)

GOOD = log(VERSION, START, EXIT, ATEXIT)
BAD = log(VERSION, BROKEN)
TEXT = b"no event\n"
USAGE = b"Try 'trace2 validate --help'.\n"


@pytest.fixture
def write(scratch):
    """write(name=bytes, ...): files in the scratch directory."""

    def call(files):
        for name, content in files.items():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / name).write_bytes(content)

    return call


@pytest.fixture
def summary(validate):
    """summary(*arguments): the summary, and the findings by file, without
    those between events: the logs here are no whole processes."""

    def call(*arguments, **options):
        result = validate("--format", "jsonl", *arguments, **options)
        findings, totals = read_jsonl(result)
        return totals, [(f["file"], f["id"]) for f in alone(findings)]

    return call


# ---- Output

SHOWN = (Path(__file__).parent / "shown.event").read_bytes()


def test_formats_for_programs_say_the_same(validate, write):
    write({"log": SHOWN})
    whole = json.loads(validate("--format", "json", "log").stdout)
    findings, summary = read_jsonl(validate("--format", "jsonl", "log"))
    for totals in (summary, whole["summary"]):
        assert totals.pop("seconds") >= 0
    assert whole == {"findings": findings, "summary": summary}
    assert findings[2] == {
        "level": "info",
        "id": "version.unknown-event",
        "file": "log",
        "line": 3,
        "column": 10,
        "width": 7,
        "message": "novel is not an event of EVENT version 4",
    }
    names = ("version", "start", "exit", "atexit", "error", "region_enter",
             "cmd_mode")  # fmt: skip
    assert summary == {
        "files": 1,
        "other_files": 0,
        "unreadable_files": 0,
        "processes": 1,
        "events": 8,
        "records": 0,
        "event_types": {name: 1 for name in (*names, "(unknown)")},
        "records": 0,
        "findings": {"error": 7, "warning": 0, "info": 2},
        "not_shown": 0,
        "bytes": len(SHOWN),
    }


def test_json_without_findings_is_json(validate, write):
    write({"log": GOOD})
    whole = json.loads(validate("--format", "json", "log").stdout)
    assert whole["findings"] == []


FORMATS = ["concise", "full", "json", "jsonl", "sarif", "github"]


@pytest.mark.parametrize("name", FORMATS)
def test_no_control_byte_of_a_log_reaches_the_terminal(name, validate, write):
    evil = b"\x1b[31m\r\b\x7f\xff\xc2"
    line = event("start", t_abs=1, argv=["git", "@"]).replace(b"@", evil)
    file = "a\x1b[31mb\n"
    write({file: log(line, event("exit", t_abs="\x7f"), evil + START)})
    printed = validate("--format", name, file).stdout
    assert not set(printed) & ({*range(32), 0x7F} - {0x0A})
    assert printed.decode() and printed.count(b"error") >= 4


def test_an_unknown_name_is_told_once_a_file_and_event(summary, write):
    extra = {"novel": 1}
    lines = [
        event("novel", **extra),
        event("exit", t_abs=1, code=0, **extra),
        event("atexit", t_abs=1, code=0, **extra),
    ]
    write({"a": log(*lines, *lines), "b": log(*lines)})
    totals, findings = summary("a", "b")
    assert len(findings) == 6
    assert totals["event_types"]["(unknown)"] == 3


def test_a_session_is_counted_once_in_all_files(summary, write):
    lines = [event("exit", sid=f"s{i}", t_abs=1, code=0) for i in range(1000)]
    write({"a": log(*lines, *lines), "b": log(*lines[500:], VERSION)})
    totals, _ = summary("a", "b")
    assert (totals["processes"], totals["events"]) == (1001, 2501)


# ---- Input


def zstd(content):
    library = ctypes.CDLL("libzstd.so.1")  # which the command needs anyway
    for function in (library.ZSTD_compress, library.ZSTD_compressBound):
        function.restype = ctypes.c_size_t
    room = library.ZSTD_compressBound(ctypes.c_size_t(len(content)))
    out = ctypes.create_string_buffer(room)
    size = library.ZSTD_compress(
        *(out, ctypes.c_size_t(room)),
        *(content, ctypes.c_size_t(len(content)), 3),
    )
    return out.raw[:size]


def halves(content):
    return content[:150], content[150:]


COMPRESSORS = {
    "gzip": gzip.compress,
    "two-gzip-members": lambda c: b"".join(map(gzip.compress, halves(c))),
    "empty-gzip-member": lambda c: gzip.compress(c) + gzip.compress(b""),
    "zstd": zstd,
    "two-zstd-frames": lambda c: b"".join(map(zstd, halves(c))),
}


@pytest.mark.parametrize("name", COMPRESSORS)
def test_a_compressed_log_is_read_whatever_its_name(name, summary, write):
    content = GOOD * 3000 + BAD
    write({"log": COMPRESSORS[name](content)})
    totals, findings = summary("log")
    assert findings == [("log", BROKEN_ID)]
    assert (totals["events"], totals["bytes"]) == (12002, len(content))


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_cut_compressed_log_is_read_as_far_as_it_goes(name, summary, write):
    content = b"".join(
        log(event("exit", sid=os.urandom(30).hex(), t_abs=1, code=0))
        for _ in range(5000)
    )
    write({"log": COMPRESSORS[name](BAD + content)[:-20]})
    totals, findings = summary("log")
    assert findings == [("log", "input.unreadable"), ("log", BROKEN_ID)]
    assert 100 < totals["events"] < 5002


def test_a_directory_means_all_files_below_it_by_name(summary, write, scratch):
    names = ["d/b/log", "d/b.log", "d/a", "d/c", "other/x"]
    write({name: BAD for name in names})
    (scratch / "d/link").symlink_to("c")
    (scratch / "d/loop").symlink_to(".")
    (scratch / "d/gone").symlink_to("nowhere")
    os.mkfifo(scratch / "d/fifo")
    _, findings = summary("d/")
    files = ["d/a", "d/b.log", "d/b/log", "d/c", "d/link"]
    assert findings == [(name, BROKEN_ID) for name in files]


def test_standard_input_is_read_for_a_dash(summary, write):
    write({"log": GOOD})
    totals, findings = summary("log", "-", input=BAD)
    assert findings == [("-", BROKEN_ID)]
    assert totals["files"] == 2


def test_a_pipe_that_comes_in_pieces_is_one_log(trace2, env):
    command = [trace2, "validate", "--format", "jsonl", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        for byte in BAD[:200]:
            process.stdin.write(bytes([byte]))
            process.stdin.flush()
        process.stdin.write(BAD[200:])
        process.stdin.close()
        lines = process.stdout.read().splitlines()
    assert json.loads(lines[0])["id"] == BROKEN_ID


def test_a_log_that_begins_late_in_a_pipe_is_read(trace2, env):
    command = [trace2, "validate", "--format", "jsonl", "-"]
    empty = bytes(4)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        process.stdin.write(b"\n" * 20_000)
        process.stdin.flush()
        while fcntl.ioctl(process.stdin, termios.FIONREAD, empty) != empty:
            time.sleep(0.01)
        process.stdin.write(BAD)
        process.stdin.close()
        found = [json.loads(line) for line in process.stdout]
    late = [one["id"] for one in found if one.get("line", 0) > 20_000]
    assert late == [BROKEN_ID]


def test_files_that_are_no_logs_are_named_once_and_left_out(summary, write):
    write({"d/good": GOOD, "d/text": TEXT * 5, "d/json": b'{"event'})
    totals, findings = summary("d")
    other = "input.other-format"
    assert findings == [("d/json", other), ("d/text", other)]
    assert (totals["files"], totals["other_files"]) == (3, 2)
    assert totals["findings"] == {"error": 0, "warning": 0, "info": 2}


def test_a_log_is_recognised_behind_other_text(summary, write):
    write({"log": b"x" * 60000 + b"\n" + BAD, "far": TEXT * 10000 + BAD})
    _, findings = summary("log", "far")
    assert findings == [
        ("far", "input.between"),
        ("far", BROKEN_ID),
        ("log", "input.between"),
        ("log", BROKEN_ID),
    ]


# ---- Exit codes


CODES = {
    "good": 0,
    "good text": 0,
    "good crlf": 0,
    "good unknown": 0,
    "good bad": 1,
    "empty": 1,
    "text": 3,
    "no-files": 3,
    "nowhere": 3,
    "good nowhere": 3,
    "bad nowhere": 3,
}


def another(content, number):
    """The log of a process with another SID."""
    return content.replace(b"-P0000", b"-P000%d" % number)


@pytest.mark.parametrize("names", CODES)
def test_the_exit_code_says_how_it_went(names, validate, write, scratch):
    write(
        {
            "good": GOOD,
            "bad": BAD,
            "text": TEXT,
            "crlf": another(GOOD, 1).replace(b"\n", b"\r\n"),
            "unknown": another(log(VERSION, START, event("novel")), 2),
            "empty": b"",
        }
    )
    (scratch / "no-files").mkdir()
    assert validate(*names.split()).returncode == CODES[names]


WRONG = [
    "--format",
    "--format xml log",
    "--format= log",
    "--evt 0 log",
    "--evt 5 log",
    "--evt 44 log",
    "--nonsense log",
    "-x log",
]


@pytest.mark.parametrize("words", WRONG)
def test_wrong_usage_is_said_in_one_line(words, validate, write):
    write({"log": GOOD})
    result = validate(*words.split())
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"trace2 validate: ")
    lists_valid_words = result.stderr.endswith(b")\n")
    assert lists_valid_words or result.stderr.endswith(USAGE)
    assert result.stderr.count(b"\n") == 2 - lists_valid_words


def test_a_name_that_looks_like_an_option_can_be_given(validate, write):
    write({"--log": GOOD})
    assert validate("--", "--log").returncode == 0


def test_output_that_can_not_be_written_is_a_failure(validate, write):
    write({"log": GOOD})
    with open("/dev/full", "wb") as full:
        result = validate("log", stdout=full)
    assert result.returncode == 3
    assert b"No space left" in result.stderr


def test_an_unreadable_file_is_said_with_its_reason(validate, scratch):
    findings, _ = read_jsonl(validate("--format", "jsonl", scratch / "none"))
    assert places(findings) == [("input.unreadable", 1, 1)]
    assert findings[0]["message"] == "No such file or directory"


# ---- The command itself


def test_help_is_on_standard_output(execute, trace2):
    for words in ("--help", "-h", "validate --help", "validate -h"):
        result = execute([trace2, *words.split()])
        assert result.returncode == 0 and result.stderr == b""
        assert result.stdout.startswith(b"usage: trace2 ")


def test_version_is_one_line(execute, trace2):
    result = execute([trace2, "--version"])
    assert result.returncode == 0
    assert result.stdout.startswith(b"trace2 ")
    assert result.stdout.count(b"\n") == 1


def test_without_a_command_there_is_help_and_a_failure(execute, trace2):
    result = execute([trace2])
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"usage: trace2 " in result.stderr


@pytest.mark.parametrize("word", ["nonsense", "--nonsense"])
def test_an_unknown_command_is_told_which_there_are(word, execute, trace2):
    result = execute([trace2, word])
    assert (result.returncode, result.stdout) == (2, b"")
    assert f"unknown command '{word}'".encode() in result.stderr
    assert (b"validate, summary, report, diff, table, expect, shard, "
            b"redact, convert"
            in result.stderr)


def test_help_names_every_format_and_option(validate):
    text = validate("--help").stdout.decode()
    for word in (*FORMATS, "--format", "--evt", "--strict"):
        assert word in text


# ---- Memory


def peak_memory(trace2, env, lines, line):
    """The most memory, in KiB, that the command had for so many lines."""
    command = [trace2, "validate", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env
    ) as process:
        process.stdin.write(log(VERSION, START))
        for _ in range(lines):
            process.stdin.write(line)
        # What wait4() tells is also the memory of who started it.
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.stdin.close()
        assert process.wait() == 0
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])


@pytest.mark.plain("a sanitizer needs memory of its own")
def test_memory_is_bounded_by_the_longest_line(trace2, env):
    value = {"a": [{"b": i, "c": "x" * 40} for i in range(15000)]}
    line = event("data_json", t_abs=1, t_rel=1, nesting=1, category="c",
                 key="k", value=value) + b"\n"  # fmt: skip
    assert 2**19 < len(line) < 2**20
    few, many = (peak_memory(trace2, env, n, line) for n in (3, 60))
    assert many < 64 * 1024
    assert many - few < 1024


def test_compact_json_is_what_the_kit_writes():
    assert compact({"a": [1, "b"]}) == b'{"a":[1,"b"]}'


@pytest.mark.parametrize("name", ["region_enter", "data"])
@pytest.mark.parametrize("nesting", [-(2**63), 2**63 - 1])
def test_the_smallest_and_the_largest_nesting_are_told(
    name, nesting, validate, scratch
):
    """No sum of it may overflow."""
    members = {"category": "c", "nesting": nesting}
    if name == "data":
        members |= {"t_abs": 0.1, "t_rel": 0.1, "key": "k", "value": "v"}
    else:
        members |= {"label": "l"}
    (scratch / "log").write_bytes(log(VERSION, START, event(name, **members)))
    done = validate("log")
    assert (done.returncode, done.stderr) == (1, b"")
    assert f"found {nesting}\n".encode() in done.stdout
