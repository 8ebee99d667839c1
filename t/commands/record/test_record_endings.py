"""Signals that end `trace2 record`: they do so even if the manager does not
answer, nobody reads the output, or the command goes on."""

import contextlib
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time

import fxt_corpus
import pytest
from process_kit import await_listener, await_that, running
from test_outputs import SIGNAL_AFTER_OPEN
from test_record import record, traced  # noqa: F401

pytestmark = pytest.mark.linked

MAGIC = b"\x10\0\4FxT\x16\0"
DONE = 0x4ff
BOTH = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])


@pytest.fixture
def recording(trace2, scratch, env, short_dir):
    """recording(*words): a running `trace2 record`. Afterwards nothing is
    left of its private manager."""

    @contextlib.contextmanager
    def run(*words, **options):
        options.setdefault("stderr", subprocess.PIPE)
        with running(trace2, "record", *words, cwd=scratch,
                     env={**env, "TMPDIR": str(short_dir)},
                     **options) as process:
            yield process
        assert not list(short_dir.glob("trace2-*"))

    return run


def end(process, number):
    """Returns what it wrote on standard error."""
    process.send_signal(number)
    said = process.communicate(timeout=30)[1].decode()
    assert process.returncode == -number, said
    return said


# Outputs that nobody reads


@contextlib.contextmanager
def full_pipe():
    """Both ends of a pipe that has no room left."""
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(ends[1], bytes(4096))
    os.set_blocking(ends[1], True)
    yield ends
    for fd in ends:
        os.close(fd)


@BOTH
@pytest.mark.parametrize("output", ["fifo", "-"])
def test_a_recording_that_nobody_reads_ends_by_a_signal(
    recording, traced, scratch, number, output
):
    os.mkfifo(scratch / "fifo")
    reader = os.open(scratch / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    with full_pipe() as ends, recording(
        "--timeout", "0.2", "--output", output, "--", traced, "paced",
        "20000", stdout=ends[1],
    ) as process:
        time.sleep(0.5)
        assert process.poll() is None  # the command's end is no such signal
        said = end(process, number)
    os.close(reader)
    name = f"nobody read the output: {output}\n"
    assert name in said and "bytes of the archive are lost" in said
    assert int(said.split("at least ")[1].split()[0]) >= 8


def test_a_socket_that_nobody_reads_ends_by_a_signal(recording, traced):
    ours, theirs = socket.socketpair()
    with ours, theirs, recording(
        "--timeout", "0.2", "--output", "-", "--", traced, "paced", "20000",
        stdout=theirs,
    ) as process:
        time.sleep(0.5)
        assert process.poll() is None
        assert "nobody read the output" in end(process, signal.SIGTERM)


def test_a_pipe_that_others_fill_ends_by_a_signal(recording, traced):
    """poll(2) promises room that another process takes meanwhile."""
    with full_pipe() as ends, recording(
        "--timeout", "0.2", "--output", "-", "--", traced, "wait",
        stdout=ends[1],
    ) as process:
        others = os.open(f"/proc/self/fd/{ends[1]}",
                         os.O_WRONLY | os.O_NONBLOCK)
        stop = threading.Event()

        def refill():
            while not stop.is_set():
                os.read(ends[0], 4096)
                with contextlib.suppress(BlockingIOError):
                    os.write(others, bytes(4096))

        thread = threading.Thread(target=refill)
        thread.start()
        time.sleep(0.3)
        process.terminate()
        code = process.wait(30)
        stop.set()
        thread.join()
        os.close(others)
        assert code in (-signal.SIGTERM, 128 + signal.SIGTERM)
        assert os.get_blocking(ends[1])


def test_a_reader_that_is_late_loses_nothing(recording, traced, scratch,
                                             validate):
    os.mkfifo(scratch / "fifo")
    reader = os.open(scratch / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    with recording("--timeout", "2", "--output", "fifo", "--", traced, "paced",
                   "20000") as process:
        time.sleep(0.5)
        process.terminate()
        time.sleep(0.2)
        os.set_blocking(reader, True)
        with open(reader, "rb") as file:
            data = file.read()
        said = process.communicate(timeout=30)[1].decode()
        assert process.returncode == 0
    assert said.endswith(f"providers 1, events 20000, dropped 0, "
                         f"bytes {len(data)}\n")
    (scratch / "got.fxt").write_bytes(data)
    assert validate(scratch / "got.fxt").returncode == 0


def test_an_output_that_does_not_block_is_waited_for(recording, traced):
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    with recording("--output", "-", "--", traced, "paced", "20000",
                   stdout=ends[1]) as process:
        os.close(ends[1])
        time.sleep(0.5)
        with open(ends[0], "rb") as file:
            data = file.read()
        said = process.communicate(timeout=30)[1].decode()
    assert f"events 20000, dropped 0, bytes {len(data)}\n" in said
    assert process.returncode == 0


# Managers that do not answer


@contextlib.contextmanager
def silent_manager(path, answers, close=True):
    """It answers so many requests, and no more."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(path))
        listener.listen()
        asked = threading.Semaphore(0)

        def serve():
            peer, _ = listener.accept()
            kept.append(peer)
            for i in range(answers + 1):
                _, fds, _, _ = socket.recv_fds(peer, 65536, 1)
                for fd in fds:
                    with open(fd, "wb") as archive:
                        archive.write(fxt_corpus.sound()["every-event"])
                if i < answers:
                    peer.send(struct.pack("<HHIQ", DONE, 0, 0, 0))
                asked.release()

        kept = []
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield lambda count: [asked.acquire(timeout=30) for _ in range(count)]
        for peer in kept:
            peer.close()


@BOTH
@pytest.mark.parametrize("answers", [0, 1])
def test_a_recording_without_an_answer_ends_by_a_signal(
    recording, scratch, short_dir, number, answers
):
    with silent_manager(short_dir / "m", answers) as await_requests, \
            recording("--socket", short_dir / "m") as process:
        await_requests(answers + 1)
        assert process.poll() is None
        said = end(process, number)
    assert said == ("trace2 record: ended by a signal before the trace "
                    "manager answered\n")
    assert not list(scratch.iterdir())


def test_an_archive_whose_end_is_not_told_is_kept_in_part(
    recording, scratch, short_dir
):
    with silent_manager(short_dir / "m", 2) as await_requests, \
            recording("--timeout", "0.2", "--duration", "0",
                      "--socket", short_dir / "m") as process:
        await_requests(3)
        said = end(process, signal.SIGTERM)
    assert "before the trace manager answered\n" in said
    assert "what came until then is in: trace.fxt.partial\n" in said
    assert os.listdir(scratch) == ["trace.fxt.partial"]


# Commands that go on


def say_ready(process):
    assert process.stdout.readline() == b"ready\n"


def test_two_signals_end_a_recording_in_order(recording, traced, scratch):
    """As `timeout` sends them, and a terminal that is closed."""
    with recording("--", traced, "wait", stdout=subprocess.PIPE) as process:
        say_ready(process)
        process.terminate()
        process.send_signal(signal.SIGHUP)
        process.terminate()
        said = process.communicate(timeout=30)[1]
        assert process.returncode == 128 + signal.SIGTERM
    assert b"providers 1, events 1, dropped 0" in said
    assert os.listdir(scratch) == ["trace.fxt"]


# The shorter one is over when the signal comes.
@pytest.mark.parametrize("duration", ["1", "99"])
def test_a_command_that_ignores_a_signal_is_left_alone(
    recording, scratch, traced, duration
):
    with recording("--timeout", "0.2", "--duration", duration, "--", "sh",
                   "-c", 'trap "" TERM; "$0" events 1; echo $$; exec sleep 99',
                   traced, stdout=subprocess.PIPE) as process:
        pid = int(process.stdout.readline())
        if duration == "1":
            await_that((scratch / "trace.fxt").exists)
        process.terminate()
        try:
            assert process.wait(30) == -signal.SIGTERM
            os.kill(pid, 0)
        finally:
            os.kill(pid, signal.SIGKILL)
    assert os.listdir(scratch) == ["trace.fxt"]


def test_a_command_that_goes_on_after_an_interrupt_is_waited_for(
    recording, scratch, traced
):
    with recording("--timeout", "0.1", "--", "sh", "-c",
                   '"$0" events 1; echo ready; read line; exit 7', traced,
                   stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        say_ready(process)
        process.send_signal(signal.SIGINT)
        await_that((scratch / "trace.fxt").exists)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None
        process.communicate(b"\n", timeout=30)
        assert process.returncode == 7


def test_a_command_hears_of_a_signal_after_the_recording(recording, traced):
    with recording("--duration", "0.1", "--", traced, "wait",
                   stdout=subprocess.PIPE) as process:
        say_ready(process)
        assert b"providers 1" in process.stderr.readline() \
            + process.stderr.readline()
        process.send_signal(signal.SIGHUP)
        assert process.wait(30) == 128 + signal.SIGHUP


# Signals that do not mean us


def test_a_hangup_that_is_ignored_ends_no_recording(recording, traced):
    with recording(
        "--", traced, "wait", stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as process:
        say_ready(process)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert process.poll() is None
        process.terminate()
        assert process.wait(30) == 128 + signal.SIGTERM


def test_the_child_of_another_program_ends_no_manager(trace2, short_dir, env):
    path = short_dir / "m"
    with running("sh", "-c", 'sleep 0.3 & exec "$@"', "sh", trace2, "manager",
                 "--socket", path, env=env) as process:
        await_listener(path)
        time.sleep(0.5)
        assert process.poll() is None
        process.terminate()
        assert process.wait(30) == 0


def test_messages_without_bytes_leave_no_descriptors(trace2, short_dir, env):
    """They end a connection; what comes with them is closed, too."""
    path = short_dir / "m"
    with running(trace2, "manager", "--socket", path, env=env) as process:
        await_listener(path)
        before = len(os.listdir(f"/proc/{process.pid}/fd"))
        for count in (1, 2, 60):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as peer:
                peer.connect(str(path))
                socket.send_fds(peer, [b""], [0] * count)
                assert peer.recv(99) == b""
        await_that(lambda: len(os.listdir(f"/proc/{process.pid}/fd"))
                   <= before)
        process.terminate()
        assert process.wait(30) == 0


# Signals that come while the output is made


@BOTH
@pytest.mark.parametrize("output", ["r.fxt", "r.json"])
def test_a_signal_while_the_output_is_made_leaves_nothing(
    trace2, scratch, env, short_dir, execute, number, output
):
    (scratch / "open.c").write_text(
        SIGNAL_AFTER_OPEN.replace("SIGTERM", number.name))
    library = short_dir / "open.so"  # a list of these is divided at blanks
    made = execute(["cc", "-shared", "-fPIC", "-o", library, "open.c", "-ldl"])
    assert made.returncode == 0, made.stderr
    done = execute(
        [trace2, "record", "--output", output, "--", "sleep", "20"],
        env={**env, "TMPDIR": str(short_dir),
             "LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.returncode == -number, done.stderr
    assert not list(scratch.glob("r.*"))


def test_a_command_that_goes_on_after_sigint_is_waited_for_and_told(
    recording, scratch
):
    """An editor and a shell do, so this is no failure."""
    with recording("--timeout", "0.5", "-o", "x.event", "--", "sh", "-c",
                   "trap '' INT; git version; touch begun; while ! test -e end; do sleep 0.1; done",
                   start_new_session=True) as process:
        await_that((scratch / "begun").exists)
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.readline()
        assert said == (b"trace2 record: still waiting for the command, which "
                        b"goes on after SIGINT; SIGTERM ends it\n")
        os.killpg(process.pid, signal.SIGINT)
        (scratch / "end").touch()
        process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.mark.parametrize("output", ["x.event", "x.fxt"])
def test_a_wrong_tmpdir_is_named(record, scratch, output):
    done = record("-o", output, "--", "true",
                  env={"TMPDIR": "/nowhere"})
    assert done.returncode == 1
    assert done.stderr.endswith(" in TMPDIR '/nowhere': No such file or directory\n")
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("rest", ["", "sleep 60 >&- 2>&- &"])
def test_a_job_of_the_shell_that_became_the_recorder_is_not_waited_for(
    trace2, scratch, env, rest
):
    """With exec. What the command leaves behind is still told."""
    done = subprocess.run(
        ["sh", "-c", 'sleep 60 >&- 2>&- & echo $!; exec "$@"', "sh", trace2,
         "record", "-q", "-o", "t.event", "--", "sh", "-c",
         f"git version; {rest} echo $!"],
        cwd=scratch, env=env, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)  # fmt: skip
    for pid in re.findall(r"^\d+$", done.stdout, re.M):
        os.kill(int(pid), signal.SIGKILL)
    assert done.returncode == 0
    assert ("a process of the command still runs" in done.stderr) == bool(rest)
