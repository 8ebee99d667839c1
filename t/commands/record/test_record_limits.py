"""`trace2 record` and `trace2 manager` with few descriptors, and clients of a
manager that does not answer."""

import re
import resource
import signal
import socket
import struct
import subprocess
import time

import pytest
from faults_kit import PLAIN, faults  # noqa: F401
from process_kit import await_listener, await_that, running
from test_record import record, traced  # noqa: F401

pytestmark = pytest.mark.linked

REGISTER = 0x200  # of a program


def test_too_few_descriptors_are_told_as_such(record, scratch):
    for limit in range(5, 13):
        done = record("--", "true", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (limit, limit)))
        assert done.returncode == 1
        lines = done.stderr.splitlines()  # a thread may add another one
        assert any(x.endswith(": Too many open files") for x in lines), limit
        assert not list(scratch.iterdir())


@PLAIN
@pytest.mark.parametrize("command, fails, told", [
    ("record -o - -- true", 1, "start a trace manager: Cannot allocate memory"),
    ("record -o - -- true", 2, "start a trace manager: Cannot allocate memory"),
    ("record -o - -- true", 4, "trace: Broken pipe"),
    ("manager --socket m", 1, "start: Cannot allocate memory"),
])
def test_a_lack_of_memory_is_told_and_leaves_nothing(
    execute, trace2, faults, short_dir, command, fails, told
):
    """Of the two of a private manager, and of the recorder's connection."""
    done = execute([trace2, *command.split()], cwd=short_dir, env={
        "TMPDIR": str(short_dir), **faults(FAIL_CALLOC=fails)})
    assert done.returncode == 1
    assert done.stderr.decode() == f"trace2 {command.split()[0]}: cannot {told}\n"
    assert not list(short_dir.iterdir())


@pytest.mark.plain("a sanitizer needs more")
@pytest.mark.parametrize("limit, most, output, code, told", [
    (resource.RLIMIT_FSIZE, 0, "t.event", 7, "t.event: File too large (ulimit -f)"),
    (resource.RLIMIT_FSIZE, 0, "t.fxt", 1, "t.fxt: File too large (ulimit -f)"),
    (resource.RLIMIT_FSIZE, 512, "t.event", 7,
     "the limit on the size of files (ulimit -f) is reached, so events may be "
     "missing"),
    (resource.RLIMIT_FSIZE, 512, "t.json", 7,
     "the limit on the size of files (ulimit -f) is reached, so events may be "
     "missing"),
    (resource.RLIMIT_NOFILE, 9, "t.event", 7,
     "nothing was recorded: programs may have so few descriptors (ulimit -n) "
     "that they can't open a log"),
    (resource.RLIMIT_DATA, 4 << 20, "t.fxt", 1,
     "cannot start a trace manager: there is no room for another process or "
     "thread (ulimit -u, ulimit -v)"),
])
def test_each_limit_is_told_as_such(record, test_tool, limit, most, output,
                                    code, told):
    done = record("-o", output, "--", test_tool, "trace2", "001return", "7",
                  preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
    lines = done.stderr.splitlines()
    assert (done.returncode, lines[-1]) == (code, f"trace2 record: {told}")


@pytest.mark.parametrize("size", [0, 512])
def test_a_full_log_does_not_kill_git(record, size):
    done = record("-o", "t.event", "--", "git", "version", preexec_fn=lambda:
                  resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    assert (done.returncode, "(ulimit -f)" in done.stderr) == (1, True)


@pytest.mark.long("waits for seconds")
def test_a_program_for_which_no_descriptor_is_left_is_told(
    record, scratch, traced
):
    """`record` itself needs more of them than the program's connection."""
    seen = set()
    for limit in range(13, 20):
        done = record("--", traced, "events", "5", preexec_fn=lambda:
                      resource.setrlimit(resource.RLIMIT_NOFILE,
                                         (limit, limit)))
        reason = re.search(r"left for (it|its buffer) \(ulimit -n\)\n|"
                           "Too many open files\n", done.stderr)
        assert bool(reason) == bool(done.returncode), limit
        if done.returncode:
            assert not list(scratch.iterdir())
        seen.add(reason and reason[1])
    assert {"its buffer", None} <= seen


def test_a_manager_without_descriptors_tells_why_it_does_not_answer(
    trace2, short_dir, env, execute
):
    path = short_dir / "manager"
    with running(trace2, "manager", "--socket", path, env=env,
                 stderr=subprocess.PIPE, preexec_fn=lambda:
                 resource.setrlimit(resource.RLIMIT_NOFILE,
                                    (8, 8))) as manager:
        await_listener(path)
        waiting = []
        for _ in range(9):
            waiting.append(socket.socket(socket.AF_UNIX,
                                         socket.SOCK_SEQPACKET))
            await_that(lambda: not waiting[-1].connect_ex(str(path)))
        said = manager.stderr.readline()
        assert said == (b"trace2 manager: a program has to wait: no "
                        b"descriptor is left for it (ulimit -n)\n")
        for client in waiting:
            client.close()
        listed = execute([trace2, "list-providers", "--socket", path],
                         timeout=10)
        assert listed.returncode == 0
        manager.terminate()
        assert manager.communicate(timeout=10)[1] == b""  # only once


def test_a_manager_waits_for_a_program_as_long_as_its_option_says(
    record, trace2, short_dir, env
):
    """Much less than by default."""
    path = short_dir / "manager"
    with running(trace2, "manager", "--socket", path, "--timeout", "0.05", env=env,
                 stderr=subprocess.PIPE) as manager, socket.socket(
            socket.AF_UNIX, socket.SOCK_SEQPACKET) as mute:
        await_listener(path)
        mute.connect(str(path))
        mute.send(struct.pack("<HHIQ", REGISTER, 0, 1, 0) + b"mute")
        begin = time.monotonic()
        done = record("--socket", path, "--", "sleep", "0.5")
        assert done.returncode == 1 and time.monotonic() - begin < 4
        assert manager.stderr.readline().startswith(b"trace2 manager: dropped mute (pid ")


@pytest.mark.long("waits for ten seconds")
def test_a_manager_that_is_stopped_is_given_up(trace2, short_dir, env):
    path = short_dir / "manager"
    commands = (["list-providers"], ["list-categories"],
                ["record", "-o", short_dir / "trace.fxt", "--duration", "1"])
    with running(trace2, "manager", "--socket", path, env=env,
                 stderr=subprocess.PIPE) as manager:
        await_listener(path)
        manager.send_signal(signal.SIGSTOP)
        clients = [subprocess.Popen([trace2, *words, "--socket", path], env=env,
                                    stderr=subprocess.PIPE) for words in commands]
        said = [client.communicate(timeout=20)[1] for client in clients]
        manager.send_signal(signal.SIGCONT)
    for words, client, text in zip(commands, clients, said):
        assert client.returncode == 1
        assert text.startswith(b"trace2 %s: the trace manager does not answer; is "
                               b"it stopped?" % words[0].encode())
