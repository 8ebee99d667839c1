"""`trace2 validate --listen`: logs that programs write to a socket."""

import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from test_validate_rules import RULES
from validate_kit import (ATEXIT, BROKEN, BROKEN_ID, CORPUS, EXIT, SID, START,
                          VERSION, compact, log, read_jsonl, read_told,
                          told)  # fmt: skip

GOOD = log(VERSION, START, EXIT, ATEXIT)
TYPES = {"stream": socket.SOCK_STREAM, "dgram": socket.SOCK_DGRAM}


@pytest.fixture
def path(short_dir):
    return str(short_dir / "s")


@pytest.fixture
def listen(trace2, env, path):
    """listen(type): a process that listens, when it does."""
    begun = []

    def call(kind="stream"):
        command = [trace2, "validate", "--format", "jsonl", "--listen",
                   f"af_unix:{kind}:{path}"]  # fmt: skip
        begun.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE))  # fmt: skip
        first = begun[-1].stderr.readline()
        assert first == f"trace2 validate: listening on {path}\n".encode()
        return begun[-1]

    yield call
    for process in begun:
        process.kill()
        process.communicate()


def cmd_name(sid, name, hierarchy):
    return compact({"event": "cmd_name", "sid": sid, "thread": "main",
                    "name": name, "hierarchy": hierarchy})  # fmt: skip


def connect(path, kind="stream"):
    there = socket.socket(socket.AF_UNIX, TYPES[kind])
    there.connect(path)
    return there


def write(path, *pieces, kind="stream"):
    with connect(path, kind) as there:
        for piece in pieces:
            there.sendall(piece)


def end(process, number=signal.SIGINT):
    """The findings, the summary and what was said, after the signal."""
    process.send_signal(number)
    process.stdout, output = None, process.stdout.read()
    result = subprocess.CompletedProcess([], process.wait(), output)
    return *read_jsonl(result), result.returncode


def next_place(process):
    finding = json.loads(process.stdout.readline())
    return finding["id"], os.path.basename(finding["file"]), finding["line"]


# ---- Findings


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_findings_come_at_once_and_totals_at_the_end(
    kind, number, listen, path
):
    process = listen(kind)
    with connect(path, kind) as there:
        for line in (VERSION, BROKEN):
            there.sendall(line + b"\n")
        name = "s#1" if kind == "stream" else "s"
        assert next_place(process) == (BROKEN_ID, name, 2)
    write(path, *GOOD.splitlines(True), kind=kind)
    findings, summary, code = end(process, number)
    assert code == 1 and summary["events"] == 6
    assert summary["files"] == (2 if kind == "stream" else 1)
    assert not os.path.exists(path)


SLOW = pytest.mark.plain("a listener that is slow gets fewer datagrams")


@pytest.mark.parametrize("kind",
                         ["stream", pytest.param("dgram", marks=SLOW)])
def test_many_processes_write_at_once(kind, listen, path, test_tool, env):
    process = listen(kind)
    env = {**env, "GIT_TRACE2_EVENT": f"af_unix:{kind}:{path}"}
    writers = [
        subprocess.Popen([test_tool, "trace2", "004child", test_tool, "trace2",
                          "001return", "0"], env=env)
        for _ in range(30)
    ]  # fmt: skip
    assert [writer.wait() for writer in writers] == [0] * 30
    findings, summary, code = end(process)
    assert (findings, code) == ([], 0)
    assert summary["processes"] == 60
    assert summary["event_types"]["atexit"] == 60


@pytest.mark.parametrize("kind", TYPES)
def test_a_git_that_writes_is_followed(kind, listen, path, env):
    if not shutil.which("git"):
        pytest.skip("no git: apt-get install git")
    process = listen(kind)
    env = {**env, "GIT_TRACE2_EVENT": f"af_unix:{kind}:{path}"}
    subprocess.run(["git", "-c", "alias.x=!git version", "x"], env=env,
                   check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    findings, summary, code = end(process)
    assert code == 0 and summary["processes"] == 2
    assert {finding["level"] for finding in findings} <= {"info"}


def test_connections_are_told_apart_line_by_line(listen, path):
    process = listen()
    names = [VERSION, START, EXIT, ATEXIT]
    theirs = [
        [line.replace(b"P00001f4", b"P%07x" % n) + b"\n" for line in names]
        for n in range(8)
    ]
    sockets = [connect(path) for _ in theirs]
    for step in range(len(names)):
        for there, lines in zip(sockets, theirs):
            there.sendall(lines[step][:70])
        for there, lines in zip(sockets, theirs):
            there.sendall(lines[step][70:])
    for there in sockets:
        there.close()
    findings, summary, code = end(process)
    assert (findings, code, summary["processes"]) == ([], 0, 8)


def test_a_torn_last_line_names_its_connection(listen, path):
    process = listen()
    write(path, GOOD.replace(b"P00001f40", b"P00001f41"))
    write(path, GOOD, START[:40])
    assert next_place(process) == ("input.torn-line", "s#2", 5)
    write(path, GOOD.replace(b"P00001f40", b"P00001f42")[:-1])
    assert next_place(process) == ("input.final-newline", "s#3", 4)
    assert end(process)[2] == 1


def test_a_line_that_is_written_when_it_ends_is_not_torn(listen, path):
    process = listen()
    with connect(path) as there:
        there.sendall(GOOD + START[:40])
        findings, summary, code = end(process)
    assert (findings, code, summary["events"]) == ([], 0, 4)


def test_a_process_finds_its_parent_on_another_connection(listen, path):
    process = listen()
    below = f"{SID}/{SID[:-1]}1"
    with connect(path) as parent:
        name = cmd_name(SID, "a", "a")
        parent.sendall(log(VERSION, START, name, BROKEN))
        next_place(process)  # now it was read
        with connect(path) as child:
            name = cmd_name(below, "b", "x/b")
            lines = log(VERSION, START).replace(SID.encode(), below.encode())
            child.sendall(lines + log(name))
            assert next_place(process) == ("stream.hierarchy.parent", "s#2", 3)


def test_what_one_connection_is_amid_of_concerns_no_other(listen, path):
    process = listen()
    torn, rest = START[:40] + b"\n", START[40:] + b"\n"
    with connect(path) as one, connect(path) as two:
        for there, lines, found in (
            (one, log(VERSION) + torn, ("input.torn-line", "s#1", 2)),
            (two, VERSION + b"\r\n", ("input.crlf", "s#2", 1)),
            (one, rest + EXIT + b"\r\n", ("input.crlf", "s#1", 4)),
            (two, torn, ("input.torn-line", "s#2", 2)),
            (one, ATEXIT + b"\r\n" + torn, ("input.torn-line", "s#1", 6)),
            (two, rest + EXIT + b"\r\n" + torn, ("input.torn-line", "s#2", 5)),
        ):
            there.sendall(lines.replace(b"P00001f4", b"P%07x" % there.fileno()))
            assert next_place(process) == found


@pytest.mark.long("sends many megabytes")
def test_a_line_that_is_too_long_is_dropped(listen, path):
    """Not even kept until its end comes."""
    process = listen()
    write(path, GOOD, b'{"a":"' + (17 << 20) * b"x", b'"}\n' + log(BROKEN))
    findings, summary, code = end(process)
    assert code == 3 and summary["events"] in (4, 5)


@pytest.mark.long("sends many megabytes")
def test_a_line_is_not_dropped_with_the_one_before(listen, path):
    process = listen()
    # Its end, which makes it too long, comes together with the next lines.
    write(path, b'{"a":"' + ((16 << 20) - 8) * b"x", b'xx"}\n' + GOOD)
    findings, summary, code = end(process)
    assert summary["events"] == 4
    said = process.stderr.read()
    assert code == 3 and said.startswith(b"trace2 validate: 1 lines were dro")


# ---- Datagrams


@pytest.mark.parametrize("log_", sorted(CORPUS.glob("fail/*/*.dgram")),
                         ids=lambda path: path.stem)
def test_a_datagram_of_the_fail_corpus_gives_what_is_expected(
    log_, listen, path
):
    process = listen("dgram")
    write(path, log_.read_bytes(), kind="dgram")
    findings, _, code = end(process)
    assert (told(findings), code) == (read_told(log_.with_suffix(".expect")), 1)


def test_examples_of_datagrams_are_what_they_are_called(listen, path):
    (rule,) = (r for r in RULES if r.id.startswith("destination."))
    process = listen("dgram")
    write(path, *rule.good.splitlines(True), kind="dgram")
    assert end(process)[0] == []
    process = listen("dgram")
    write(path, rule.bad, kind="dgram")
    assert [finding["id"] for finding in end(process)[0]] == [rule.id]


def test_each_datagram_with_more_events_is_told_once(listen, path):
    process = listen("dgram")
    text = [VERSION, START, EXIT, ATEXIT]
    theirs = [log(*(line.replace(b"P00001f4", b"P%07x" % n) for line in text))
              for n in range(3)]  # fmt: skip
    write(path, *theirs, b"\n", START[:40], kind="dgram")
    findings, summary, _ = end(process)
    name = "destination.socket.datagram-event"
    assert [f["line"] for f in findings if f["id"] == name] == [2, 6, 10]
    assert [f["id"] for f in findings if f["id"] != name] == [
        "input.blank-line", "input.torn-line"]  # fmt: skip


@pytest.mark.parametrize("form", ["normal", "perf"])
def test_a_datagram_of_text_may_have_several_lines(form, listen, path):
    process = listen("dgram")
    text = (CORPUS / f"pass/text/newlines.{form}").read_bytes()
    write(path, text, kind="dgram")
    assert end(process)[2] == 0


def test_every_format_is_taken_and_others_are_named(listen, path):
    process = listen()
    write(path, b"hello\n" * 3, b"again\n")
    assert next_place(process) == ("input.other-format", "s#1", 1)
    archive = (CORPUS / "pass/fxt/every-event.fxt").read_bytes()
    for number, text in (2, archive), (3, b'[{"ph":"B","ts":1,"name":"a"}\n'):
        write(path, text)
        assert next_place(process) == ("input.other-format", f"s#{number}", 1)
    for name in ("normal", "perf"):
        write(path, next((CORPUS / "pass/text").glob(f"*{name}*")).read_bytes())
    findings, summary, code = end(process)
    assert code == 0 and summary["files"] == 5
    assert summary["other_files"] == 3


# ---- Writers do not wait


@pytest.mark.long("fills buffers")
def test_a_writer_does_not_wait_for_who_reads_the_findings(listen, path):
    """Nobody reads them; what is too much is dropped, and that is said."""
    process = listen()
    lines = log(*[BROKEN] * 5000)
    sent = 0
    with connect(path) as there:
        there.settimeout(20)
        there.sendall(log(VERSION))
        while sent < 24 << 20:  # more than is kept
            there.sendall(lines)
            sent += len(lines)
    process.send_signal(signal.SIGINT)
    output, said = process.communicate()
    summary = json.loads(output.splitlines()[-1])["summary"]
    events = summary["events"]
    dropped = int(said.split()[2])
    assert b"lines were dropped" in said and process.returncode == 3
    assert events + dropped == 1 + sent // (len(BROKEN) + 1)
    # What is missing may be what the end of the process was in.
    assert b"stream.unfinished" not in output


# ---- The socket's file


def test_a_listener_replaces_a_stale_socket(listen, path):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(path)
    process = listen()
    write(path, GOOD)
    assert end(process)[2] == 0


@pytest.mark.parametrize("kind", TYPES)
def test_a_path_in_use_is_refused_and_kept(kind, listen, path, validate):
    process = listen(kind)
    for other in TYPES:
        result = validate("--listen", f"af_unix:{other}:{path}")
        assert (result.returncode, result.stdout) == (3, b"")
        assert b"another program already listens there" in result.stderr
    write(path, *GOOD.splitlines(True), kind=kind)
    assert end(process)[2] == 0


def test_a_listener_that_begins_is_left_alone(path, validate):
    """Its socket is there, and refuses: it does not listen yet."""
    with socket.socket(socket.AF_UNIX) as begun, \
            open(path + ".lock", "w") as held:  # fmt: skip
        fcntl.flock(held, fcntl.LOCK_EX)
        begun.bind(path)
        result = validate("--listen", f"af_unix:stream:{path}")
        assert result.returncode == 3
        assert b"another program already listens there" in result.stderr
        assert os.path.exists(path) and os.path.exists(path + ".lock")


def test_of_many_that_begin_at_once_one_listens(trace2, env, path):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(path)
    command = [trace2, "validate", "--listen", f"af_unix:stream:{path}"]
    begun = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE)
             for _ in range(8)]  # fmt: skip
    first = [process.stderr.readline() for process in begun]
    for process in begun:
        process.terminate()
        process.communicate()
    assert sum(b"listening on" in line for line in first) == 1
    assert sum(b"already listens" in line for line in first) == 7


@pytest.mark.parametrize("kind", TYPES)
def test_of_a_listener_that_ended_nothing_is_left(kind, listen, path):
    process, folder = listen(kind), os.path.dirname(path)
    assert sorted(os.listdir(folder)) == ["s", "s.lock"]
    end(process)
    assert os.listdir(folder) == []


def test_a_file_that_is_no_socket_is_left_alone(path, validate):
    with open(path, "w") as file:
        file.write("mine")
    result = validate("--listen", f"af_unix:stream:{path}")
    assert result.returncode == 3 and b"not a socket" in result.stderr
    assert open(path).read() == "mine"
    assert os.listdir(os.path.dirname(path)) == ["s"]


def test_a_file_that_took_the_place_is_not_removed(listen, path):
    process = listen()
    write(path, GOOD)
    os.rename(path, path + ".old")
    with open(path, "w") as file:
        file.write("mine")
    assert end(process)[2] == 0
    assert open(path).read() == "mine"


@pytest.mark.parametrize("value", [
    "", "af_unix:", "af_unix:stream:", "af_unix:seqpacket:/a", "/a",
    "af_unix:stream:" + "x" * 108,
])  # fmt: skip
def test_what_names_no_socket_is_refused(value, validate):
    result = validate("--listen", value)
    assert result.returncode == 2 and b"--help" in result.stderr


@pytest.mark.parametrize("words", [["log"], ["--follow"], ["-"]])
def test_a_listener_takes_no_file(words, path, validate):
    result = validate("--listen", f"af_unix:stream:{path}", *words)
    assert result.returncode == 2 and not os.path.exists(path)


@pytest.mark.plain("a sanitizer needs descriptors of its own")
def test_clients_beyond_the_descriptors_are_read_in_the_end(
    trace2, env, path
):
    """Forty of them, and room for a few."""
    command = ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", trace2, "validate",
               "--format", "jsonl", "--listen",
               f"af_unix:stream:{path}"]  # fmt: skip
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    assert b"listening on" in process.stderr.readline()
    clients = [connect(path) for _ in range(40)]
    for number, client in enumerate(clients):
        client.sendall(GOOD.replace(b"Hc4f2e1a9", b"H%08x" % number))
    findings, summary, code = end(process)
    assert (findings, code, summary["processes"]) == ([], 0, 40)
    for client in clients:
        client.close()
    process.stderr.close()


@pytest.mark.plain("a sanitizer takes memory of its own")
def test_lines_that_are_not_whole_take_little_memory_in_all(listen, path):
    """A megabyte each, of 200 clients."""
    process = listen()
    clients = [connect(path) for _ in range(200)]
    for client in clients:
        client.sendall(VERSION[:-1] + b',"key":"' + b"x" * (1 << 20))
    status = Path(f"/proc/{process.pid}/status").read_text()
    most = int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])
    for client in clients:
        client.sendall(b'"}\n')
        client.close()
    _, summary, code = end(process)
    said = process.stderr.read()
    dropped = int(re.search(rb"(\d+) lines were dropped", said)[1])
    assert code == 3 and most < 180_000
    assert dropped + summary["events"] == 200


def test_a_listener_to_whom_nobody_wrote_has_no_log(listen):
    assert end(listen())[2] == 3
