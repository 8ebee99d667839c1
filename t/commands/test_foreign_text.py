"""Hostile names through every output of the commands: nothing that a terminal
or a CI service obeys comes out. t/unit/lib/text/text.txt has each character."""

import os
import re
import subprocess

import fxt_kit as fxt
import pytest
from test_record import (  # noqa: F401
    TRACED, await_that, build, is_registered, manager, running)
from validate_kit import compact, log

# Of C0, DEL, C1, right-to-left, lines and separators, and no UTF-8 at all.
TEXT = "\x1b[31m\x7f\x9b1m\u202e\u2066\u2028\r\n::error::x ##[error]y"
NAMES = [
    "::error::" + TEXT.replace("/", ""),
    " ::add-mask::" + TEXT,
    b"\xff\xc3\x9b\x1b]0;\x07.log",
]
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                   "\u2028-\u202e\u2066-\u2069]")


def demand_harmless(printed):
    text = printed.decode()  # it is UTF-8
    assert text
    assert not UNFIT.search(text)
    assert "##[" not in text
    for line in text.split("\n"):
        assert not line.strip().startswith("::")


def demand_harmless_result(result):
    demand_harmless(result.stdout + result.stderr)


@pytest.fixture
def call(execute, trace2):
    """call(*words): what it prints is harmless."""

    def run(*words, **options):
        result = execute([trace2, *words], **options)
        demand_harmless_result(result)
        return result

    return run


LINE = compact({"event": TEXT, "sid": TEXT, "thread": TEXT, "time": TEXT,
                TEXT: TEXT})


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_harmless(name, call, scratch):
    path = os.path.join(os.fsencode(scratch), os.fsencode(name))
    call("convert", name, "out.fxt")
    call("convert", "--to", "fxt", name, "out.fxt")
    call("dump", name)
    for data in (LINE + b"\n[]\n", b"no log\n", b"",
                 fxt.begin() + fxt.record(11, 0, bytes(8))):
        with open(path, "wb") as file:
            file.write(data)
        call("convert", name, b"no/" + os.fsencode(name) + b".fxt")
        call("convert", "--to", "fxt", name, "/dev/full")
        call("convert", "--to", "fxt", name, name)
        call("dump", name)
    os.unlink(path)
    os.mkdir(path)
    with open(path + b"/in", "wb") as file:
        file.write(b"no log\n")
    call("convert", name, "out.fxt")
    call("dump", name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["convert", "dump", "record", "manager",
                                     "list-providers", "list-categories"])
def test_arguments_are_harmless(command, name, call):
    name = os.fsencode(name)
    call(name)
    call(command, b"--" + name)
    call(command, b"-" + name)
    if command != "dump":
        call(command, name, name, name)
        call(command, name)
        call(command, b"--to=" + name, name, name)
    if command == "record":
        for option in (b"--buffer-size=", b"--buffering-mode=", b"--duration=",
                       b"--timeout=", b"--output=no/", b"--socket=no/"):
            call(command, option + name, "--", "true")
        call(command, "--", name)
        call(command, "--output", b"no/" + name, "--", "true")
    elif command not in ("convert", "dump"):
        call(command, b"--socket=no/" + name)
        call(command, "--socket", b"x" * 200 + name)


def test_what_archives_hold_is_harmless(call, scratch):
    words = [("a", TEXT), (TEXT, "b")]
    data = fxt.begin() + fxt.event("instant", 1, args=words) + fxt.string(
        1, TEXT) + fxt.string(2, b"\xff\x9b")
    (scratch / "in.fxt").write_bytes(data)
    shown = call("dump", "in.fxt").stdout.decode()
    assert "\\u001b[31m\\u007f\\u009b1m\\u202e\\u2066\\u2028\\r\\n" in shown
    assert '\\u0023#[error]y"' in shown
    (scratch / "cut.fxt").write_bytes(data[:-8])
    call("dump", "cut.fxt")
    call("convert", "cut.fxt", "out.json")


def test_what_logs_hold_is_harmless(call, scratch):
    (scratch / "in").write_bytes(LINE + b"\n" + TEXT.encode() + b"\n")
    call("convert", "in", "out.fxt")
    call("dump", "out.fxt")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    place = tmp_path_factory.mktemp("traced")
    return build(place, "hostile", TRACED / "hostile.c")


@pytest.mark.linked
def test_names_of_providers_are_harmless(
    call, execute, hostile, trace2, manager, env, scratch  # noqa: F811
):
    path, process = manager
    known = "\x7f\x9b1m\u202e##[group]"
    command = [hostile, "::debug::\x7f\x9b" + known, known]
    names = {**env, "TRACE_MANAGER": str(path)}
    with running(*command, env=names, stdin=subprocess.PIPE,
                 stdout=subprocess.PIPE) as waiting:  # fmt: skip
        await_that(lambda: is_registered(execute, trace2, path, b"debug"))
        shown = call("list-providers", env=names).stdout
        assert shown == (f"1\t{waiting.pid}\t".encode()
                         + b"?:debug::??????1m??#[group]\n")
        shown = call("list-categories", env=names).stdout
        assert shown == b"???1m??#[group]\t???1m??#[group]\n"
        call("record", "--duration", "0.01", env=names)
        waiting.stdin.close()
    result = call("record", "--output", "o.fxt", "--", *command)
    assert "events 1" in result.stderr.decode()
    process.terminate()
    assert process.wait(60) == 0
