"""Where a program's trace goes, and that the program does not notice."""

import contextlib
import json
import os
import re
import socket
import stat
import subprocess
import threading

import pytest

# A host with output of its own, on both streams, and an exit code.
HOST = ["004child", "sh", "-c", "echo out; echo err >&2; exit 7"]
TARGETS = ["GIT_TRACE2", "GIT_TRACE2_PERF", "GIT_TRACE2_EVENT"]
EXIT_LAST = '"event":"atexit"'


@pytest.fixture
def host(run):
    """host(value): HOST with EVENT there; checked to be as without it."""

    def call(value, **options):
        result = run(*HOST, env={"GIT_TRACE2_EVENT": str(value)}, **options)
        assert result.returncode == 7
        assert result.stdout == b"out\n"
        assert result.stderr == b"err\n"

    return call


def assert_whole(text):
    """The EVENT log of one process, from version to atexit."""
    events = [json.loads(line)["event"] for line in text.splitlines()]
    assert events[0] == "version" and events[-1] == "atexit"
    assert text.endswith("\n")


@pytest.mark.parametrize("value", ["", "0", "false", "FALSE"])
def test_target_that_is_off_writes_nothing(host, scratch, value):
    host(value)
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("value", ["1", "true", "True", "2"])
def test_standard_error_gets_the_trace(run, value):
    env = {"GIT_TRACE2_EVENT": value}
    result = run("001return", "3", env=env)
    assert result.returncode == 3 and result.stdout == b""
    assert_whole(result.stderr.decode())


@pytest.mark.parametrize("number", range(3, 10))
def test_descriptor_gets_the_trace(in_shell, scratch, number):
    env = {"GIT_TRACE2_EVENT": str(number)}
    in_shell("001return", "0", env=env, redirect=f"{number}>log")
    assert_whole((scratch / "log").read_text())


def test_file_gets_one_trace_after_another(host, scratch):
    host(scratch / "log")
    first = (scratch / "log").read_text()
    assert_whole(first)
    host(scratch / "log")
    both = (scratch / "log").read_text()
    assert both.startswith(first)
    assert_whole(both[len(first) :])


def test_file_is_created_with_the_umask(host, scratch):
    host(scratch / "log")
    mode = stat.S_IMODE((scratch / "log").stat().st_mode)
    assert mode == 0o644


@pytest.mark.parametrize("value", ["dir", "dir/", "link", "link/"])
def test_directory_gets_a_file_for_each_process(host, scratch, value):
    (scratch / "dir").mkdir()
    (scratch / "link").symlink_to("dir")
    host(f"{scratch}/{value}")
    host(f"{scratch}/{value}")
    files = list((scratch / "dir").iterdir())
    assert len(files) == 2
    for file in files:
        text = file.read_text()
        assert_whole(text)
        assert json.loads(text.splitlines()[0])["sid"] == file.name


def test_child_is_named_by_its_own_component(run, test_tool, scratch):
    (scratch / "dir").mkdir()
    env = {"GIT_TRACE2_EVENT": f"{scratch}/dir"}
    run("004child", test_tool, "trace2", "001return", "0", env=env)
    sids = {
        file.name: json.loads(file.read_text().splitlines()[0])["sid"]
        for file in (scratch / "dir").iterdir()
    }
    assert len(sids) == 2
    for name, sid in sids.items():
        assert sid.rpartition("/")[2] == name


def test_three_targets_of_a_directory_are_numbered(run, scratch):
    (scratch / "dir").mkdir()
    run("001return", "0", env=dict.fromkeys(TARGETS, f"{scratch}/dir"))
    files = sorted(file.name for file in (scratch / "dir").iterdir())
    assert files[1:] == [f"{files[0]}.1", f"{files[0]}.2"]
    normal, perf, event = ((scratch / "dir" / f).read_text() for f in files)
    assert " | version " in perf and event.startswith('{"event":"version"')
    assert " | " not in normal and not normal.startswith("{")


def test_planted_link_is_not_followed(run, scratch):
    """The fake host has the same SID in every run."""
    (scratch / "dir").mkdir()
    env = {"GIT_TRACE2_EVENT": f"{scratch}/dir", "TEST_TOOL_FAKE_HOST": "1"}
    run("001return", "0", env=env)
    (file,) = (scratch / "dir").iterdir()
    file.unlink()
    file.symlink_to("../victim")
    (scratch / "victim").write_text("precious\n")
    run("001return", "0", env=env)
    assert (scratch / "victim").read_text() == "precious\n"
    assert_whole((scratch / "dir" / f"{file.name}.1").read_text())


def entries(path):
    return sorted(file.name for file in path.iterdir())


@pytest.mark.parametrize("setting", ["environment", "config"])
def test_full_directory_gets_the_sentinel(run, scratch, setting):
    (scratch / "dir").mkdir()
    (scratch / "dir" / "old").touch()
    env = {"GIT_TRACE2_EVENT": f"{scratch}/dir"}
    if setting == "config":
        (scratch / ".gitconfig").write_text("[trace2]\n\tmaxFiles = 3\n")
    else:
        env["GIT_TRACE2_MAX_FILES"] = "3"
    run("001return", "0", env=env)
    assert entries(scratch / "dir") == ["git-trace2-discard", "old"]
    text = (scratch / "dir" / "git-trace2-discard").read_text()
    assert_whole(text)
    assert json.loads(text.splitlines()[1])["event"] == "too_many_files"

    run("001return", "0", env=env)
    assert (scratch / "dir" / "git-trace2-discard").read_text() == text
    assert entries(scratch / "dir") == ["git-trace2-discard", "old"]


def test_first_of_three_targets_gets_the_sentinel(run, scratch):
    (scratch / "dir").mkdir()
    env = dict.fromkeys(TARGETS, f"{scratch}/dir")
    run("001return", "0", env={**env, "GIT_TRACE2_MAX_FILES": "2"})
    assert entries(scratch / "dir") == ["git-trace2-discard"]
    text = (scratch / "dir" / "git-trace2-discard").read_text()
    assert " version " in text and " | " not in text


def serve(path, kind, got):
    """A server for one stream, or for datagrams until the atexit event."""
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(str(path))
    server.settimeout(60)

    def stream():
        connection = server.accept()[0]
        while data := connection.recv(65536):
            got.append(data.decode())

    def datagrams():
        while not got or EXIT_LAST not in got[-1]:
            got.append(server.recv(65536).decode())

    if kind == socket.SOCK_STREAM:
        server.listen(1)
    thread = threading.Thread(
        target=stream if kind == socket.SOCK_STREAM else datagrams
    )
    thread.start()
    return thread


@pytest.mark.parametrize(
    "form,kind",
    [
        ("af_unix:stream:", socket.SOCK_STREAM),
        ("af_unix:dgram:", socket.SOCK_DGRAM),
        ("af_unix:", socket.SOCK_STREAM),
        ("af_unix:", socket.SOCK_DGRAM),
    ],
)
def test_socket_gets_the_trace(host, short_dir, form, kind):
    got = []
    server = serve(short_dir / "s", kind, got)
    host(f"{form}{short_dir}/s")
    server.join(60)
    assert_whole("".join(got))
    if kind == socket.SOCK_DGRAM:
        assert all(json.loads(datagram) for datagram in got)


def test_fifo_gets_the_trace(host, scratch):
    os.mkfifo(scratch / "fifo")
    reader = subprocess.Popen(
        ["cat", scratch / "fifo"], stdout=subprocess.PIPE
    )
    # Held open, so that the reader is there and stays.
    keep = os.open(scratch / "fifo", os.O_RDWR)
    host(scratch / "fifo")
    os.close(keep)
    assert_whole(reader.communicate(timeout=60)[0].decode())


def test_terminal_gets_the_trace(run, terminal):
    master, slave = terminal()
    run("001return", "0", env={"GIT_TRACE2_EVENT": "1"}, stderr=slave)
    os.close(slave)
    data = b""
    with contextlib.suppress(OSError):  # EIO is a terminal's end
        while part := os.read(master, 65536):
            data += part
    os.close(master)
    assert_whole(data.decode().replace("\r\n", "\n"))


def sessions(text):
    """The events of a log, by SID, of parent and child."""
    found = {}
    for event in map(json.loads, text.splitlines()):
        found.setdefault(event["sid"], []).append(event["event"])
    assert len(found) == 2
    return found


def test_forked_child_shares_pipe_and_file(run, in_shell, scratch):
    piped = run("560fork", env={"GIT_TRACE2_EVENT": "1"}).stderr.decode()
    run("560fork", env={"GIT_TRACE2_EVENT": f"{scratch}/log"})
    in_shell("560fork", env={"GIT_TRACE2_EVENT": "5"}, redirect="5>by-number")
    for text in (
        piped,
        (scratch / "log").read_text(),
        (scratch / "by-number").read_text(),
    ):
        for events in sessions(text).values():
            assert events[0] == "version" and events[-1] == "atexit"


def test_forked_child_has_its_own_file_in_a_directory(run, scratch):
    (scratch / "dir").mkdir()
    run("560fork", env={"GIT_TRACE2_EVENT": f"{scratch}/dir"})
    files = list((scratch / "dir").iterdir())
    assert len(files) == 2
    for file in files:
        assert_whole(file.read_text())


def test_forked_child_has_its_own_connection(run, short_dir):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short_dir}/s")
        server.listen(2)
        run("560fork", env={"GIT_TRACE2_EVENT": f"af_unix:{short_dir}/s"})
        server.settimeout(60)
        for _ in range(2):
            with server.accept()[0] as connection:
                with connection.makefile() as log:
                    assert_whole(log.read())


VALUES = {
    "file": "{scratch}/log",
    "directory": "{scratch}/dir",
    "stderr": "1",
    "pipe": "5",
    "socket": "af_unix:{short_dir}/s",
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_child_inherits_what_it_would_untraced(
    in_shell, scratch, short_dir, value
):
    (scratch / "dir").mkdir()
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(f"{short_dir}/s")
    value = value.format(scratch=scratch, short_dir=short_dir)
    script = "ls /proc/self/fd >fds; exec grep ^Sig /proc/self/status >signals"
    seen = []
    for target in ("0", value):
        env = {"GIT_TRACE2_EVENT": target}
        verb = ["004child", "sh", "-c", script]
        in_shell(*verb, env=env, redirect="5> >(cat >pipe)")
        fds = (scratch / "fds").read_text()
        signals = (scratch / "signals").read_text().split("SigPnd")[1]
        seen.append((fds, signals))
    server.close()
    assert seen[0] == seen[1]


@pytest.mark.long("64 processes")
def test_eight_times_eight_writers_lose_no_line(test_tool, env, scratch):
    processes, threads, count = 8, 8, 5000
    command = [test_tool, "trace2", "590flood", str(count), str(threads)]
    names = {**env, "GIT_TRACE2_EVENT": f"{scratch}/log"}
    running = [
        subprocess.Popen(command, env=names, cwd=scratch)
        for _ in range(processes)
    ]
    assert [process.wait(120) for process in running] == [0] * processes

    data = re.compile(
        rb'\{"event":"data","sid":"([^"]+)","thread":"(th\d\d:flood)",'
        rb'.*"key":"number","value":"(\d+)"\}\n'
    )
    numbers = {}
    with open(scratch / "log", "rb") as log:
        for line in log:
            if b'"event":"data"' not in line:
                json.loads(line)
                continue
            match = data.fullmatch(line)
            assert match, line
            key = match.group(1, 2)
            expected = numbers.get(key, 0)
            assert int(match[3]) == expected
            numbers[key] = expected + 1
    assert list(numbers.values()) == [count] * (processes * threads)
