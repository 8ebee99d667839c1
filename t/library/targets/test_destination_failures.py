"""Destinations that fail: the host's output and exit code stay its own."""

import contextlib
import errno
import json
import os
import resource
import signal
import socket

import pytest

HOST = ["004child", "sh", "-c", "echo out; echo err >&2; exit 7"]

# The host is held up for 100 ms at most; a test that hangs fails here.
HANGS = 60


@pytest.fixture
def host(in_shell):
    """host(env, stderr, **options): HOST is as always, but for stderr."""

    def call(env, stderr="", **options):
        result = in_shell(*HOST, env=env, timeout=HANGS, **options)
        assert result.returncode == 7
        assert result.stdout == b"out\n"
        lines = sorted(result.stderr.decode().splitlines())
        assert lines == sorted(["err", *stderr.splitlines()])

    return call


@pytest.fixture
def fails(host):
    """fails(value, *warnings): silent, but for the warnings under debug."""

    def call(value, *warnings, env={}, **options):
        names = {**env, "GIT_TRACE2_EVENT": str(value)}
        host(names, **options)
        names["GIT_TRACE2_DST_DEBUG"] = "1"
        text = "".join(f"warning: {warning}\n" for warning in warnings)
        host(names, text, **options)

    return call


def unopened(path, error):
    text = os.strerror(error)
    return (
        f"trace2: could not open '{path}' for 'GIT_TRACE2_EVENT' "
        f"tracing: {text}"
    )


def unconnected(path, error):
    text = os.strerror(error)
    return (
        f"trace2: could not connect to socket '{path}' for "
        f"'GIT_TRACE2_EVENT' tracing: {text}"
    )


def unwritten(error):
    return f"unable to write trace to 'GIT_TRACE2_EVENT': {os.strerror(error)}"


# What HOST writes: version, start, cmd_ancestry, cmd_name, child_start,
# child_exit, exit. (The report itself and atexit come after the count.)
ALL_LOST = "trace2: events dropped: 7"


@pytest.mark.parametrize("value", ["no", "10", "log", "~/log", "AF_UNIX:/x"])
def test_unknown_value_is_warned_about_without_debug(host, scratch, value):
    host(
        {"GIT_TRACE2_EVENT": value},
        "warning: trace2: unknown value for 'GIT_TRACE2_EVENT': "
        f"'{value}'\n",
    )
    assert not list(scratch.iterdir())


def test_unknown_value_of_config_is_named_by_variable(host, scratch):
    (scratch / ".gitconfig").write_text("[trace2]\n\teventTarget = log\n")
    host(
        {},
        "warning: trace2: unknown value for 'GIT_TRACE2_EVENT': 'log'\n",
    )


def test_file_in_no_directory_is_off(fails, scratch):
    path = scratch / "none" / "log"
    fails(path, unopened(path, errno.ENOENT))


def test_fifo_that_nobody_reads_is_off(fails, scratch):
    os.mkfifo(scratch / "fifo")
    fails(scratch / "fifo", unopened(scratch / "fifo", errno.ENXIO))


def test_descriptor_that_is_not_open_is_off(fails):
    fails("9", unwritten(errno.EBADF))


def test_directory_whose_ten_names_are_taken_is_off(fails, run, scratch):
    (scratch / "dir").mkdir()
    # The fake host has the same SID in every run.
    env = {"TEST_TOOL_FAKE_HOST": "1"}
    run(*HOST, env={**env, "GIT_TRACE2_EVENT": f"{scratch}/dir"})
    (file,) = (scratch / "dir").iterdir()
    for number in range(1, 10):
        file.with_name(f"{file.name}.{number}").touch()
    fails(f"{scratch}/dir", unopened(file, errno.EEXIST), env=env)
    assert len(list((scratch / "dir").iterdir())) == 10


def test_sentinel_is_warned_about(fails, scratch):
    (scratch / "dir").mkdir()
    (scratch / "dir" / "git-trace2-discard").touch()
    fails(
        f"{scratch}/dir",
        "trace2: not opening GIT_TRACE2_EVENT trace file due to too many "
        f"files in target directory {scratch}/dir",
        env={"GIT_TRACE2_MAX_FILES": "5"},
    )


@pytest.mark.parametrize("form", ["", "stream:", "dgram:"])
def test_socket_that_is_not_there_is_off(fails, short_dir, form):
    path = f"{short_dir}/s"
    fails(f"af_unix:{form}{path}", unconnected(path, errno.ENOENT))


def test_socket_that_nobody_listens_at_is_off(fails, short_dir):
    path = f"{short_dir}/s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
    fails(f"af_unix:{path}", unconnected(path, errno.ECONNREFUSED))


def test_socket_of_another_type_is_off(fails, short_dir):
    path = f"{short_dir}/s"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        fails(f"af_unix:stream:{path}", unconnected(path, errno.EPROTOTYPE))


@pytest.mark.parametrize(
    "value,what,shown",
    [
        ("af_unix:", "value", "af_unix:"),
        ("af_unix:dgram:", "value", "af_unix:dgram:"),
        ("af_unix:x", "path", "x"),
        ("af_unix:/" + 107 * "x", "path", "/" + 107 * "x"),
    ],
    ids=["nothing", "no-path", "relative", "long"],
)
def test_socket_value_that_is_none_is_off(fails, value, what, shown):
    fails(
        value,
        f"trace2: invalid AF_UNIX {what} '{shown}' for 'GIT_TRACE2_EVENT' "
        "tracing",
    )


def test_full_device_is_a_drop(fails):
    fails("/dev/full", unwritten(errno.ENOSPC), ALL_LOST)


@pytest.mark.parametrize("name", ["EBADF", "ENOSPC", "EPIPE", "EIO", "EFBIG"])
@pytest.mark.parametrize("kind", ["file", "dir"])
def test_any_error_of_a_write_is_a_drop(fails, scratch, kind, name):
    (scratch / "dir").mkdir()
    fails(
        scratch / kind,
        unwritten(getattr(errno, name)),
        ALL_LOST,
        env={"TEST_TOOL_FAIL": f"write:1:{name}"},
    )


def small_files():
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))


def test_file_size_limit_is_a_drop(run, scratch):
    result = run(
        "001return",
        "3",
        env={"GIT_TRACE2_EVENT": f"{scratch}/log"},
        preexec_fn=small_files,
    )
    assert (result.returncode, result.stdout, result.stderr) == (3, b"", b"")
    assert (scratch / "log").stat().st_size == 100


@pytest.fixture
def opened():
    """opened(a, b, …): descriptors or sockets to close after the test."""
    with contextlib.ExitStack() as stack:

        def call(*things):
            for thing in things:
                if isinstance(thing, int):
                    stack.callback(os.close, thing)
                else:
                    stack.enter_context(thing)
            return things

        yield call


def as_five(end):
    """What makes that end the host's descriptor 5."""
    number = end if isinstance(end, int) else end.fileno()
    return {"redirect": f"5>&{number}-", "pass_fds": [number]}


def fill(end):
    """Until the end takes no more bytes. It blocks again afterwards."""
    number = end if isinstance(end, int) else end.fileno()
    os.set_blocking(number, False)
    for size in (4096, 1):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(number, size * b"-")
    os.set_blocking(number, True)


def test_pipe_that_nobody_reads_is_a_drop(fails):
    reader, writer = os.pipe()
    os.close(reader)
    fails("5", unwritten(errno.EPIPE), ALL_LOST, **as_five(writer))
    os.close(writer)


def test_full_pipe_is_a_drop(fails, opened):
    reader, writer = opened(*os.pipe())
    fill(writer)
    fails("5", unwritten(errno.EAGAIN), ALL_LOST, **as_five(writer))


def test_fifo_that_is_full_is_a_drop(fails, opened, scratch):
    os.mkfifo(scratch / "fifo")
    (fifo,) = opened(os.open(scratch / "fifo", os.O_RDWR))
    fill(fifo)
    fails(scratch / "fifo", unwritten(errno.EAGAIN), ALL_LOST)


@pytest.mark.parametrize("kind", ["STREAM", "DGRAM", "SEQPACKET"])
def test_full_socket_is_a_drop(fails, opened, kind):
    kind = getattr(socket, f"SOCK_{kind}")
    peer, end = opened(*socket.socketpair(socket.AF_UNIX, kind))
    fill(end)
    fails("5", unwritten(errno.EAGAIN), ALL_LOST, **as_five(end))


def test_dead_socket_is_a_drop(fails, opened):
    peer, end = opened(*socket.socketpair())
    peer.close()
    fails("5", unwritten(errno.EPIPE), ALL_LOST, **as_five(end))


def test_listener_with_a_full_queue_is_off(fails, opened, short_dir):
    path = f"{short_dir}/s"
    (server,) = opened(socket.socket(socket.AF_UNIX))
    server.bind(path)
    server.listen(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            (client,) = opened(socket.socket(socket.AF_UNIX))
            client.setblocking(False)
            client.connect(path)
    fails(f"af_unix:{path}", unconnected(path, errno.EAGAIN))


@pytest.mark.parametrize("redirect", ["2>&-", "2</dev/null", "2>/dev/full"])
@pytest.mark.parametrize("debug", ["0", "1"])
def test_standard_error_may_be_unusable(in_shell, redirect, debug):
    env = {"GIT_TRACE2_EVENT": "1", "GIT_TRACE2_DST_DEBUG": debug}
    result = in_shell(
        "001return", "3", env=env, redirect=redirect, timeout=HANGS
    )
    assert (result.returncode, result.stdout) == (3, b"")


@pytest.mark.parametrize("debug", ["0", "1"])
def test_standard_error_may_be_full_or_dead(run, opened, debug):
    env = {"GIT_TRACE2_EVENT": "1", "GIT_TRACE2_DST_DEBUG": debug}
    reader, writer = os.pipe()
    opened(writer)
    fill(writer)
    for _ in range(2):
        result = run("001return", "3", env=env, stderr=writer, timeout=HANGS)
        assert (result.returncode, result.stdout) == (3, b"")
        # Full the first time, dead the second.
        with contextlib.suppress(OSError):
            os.close(reader)


def test_own_sigpipe_still_kills(in_shell, opened):
    reader, writer = os.pipe()
    opened(writer)
    os.close(reader)
    env = {"GIT_TRACE2_EVENT": "5"}
    result = in_shell("546sigpipe", env=env, **as_five(writer))
    assert result.returncode == -signal.SIGPIPE


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP", "QUIT", "PIPE"])
def test_signal_kills_in_spite_of_a_full_pipe(in_shell, opened, name):
    reader, writer = opened(*os.pipe())
    fill(writer)
    env = {"GIT_TRACE2_EVENT": "5"}
    result = in_shell(
        "540signal", name, env=env, timeout=HANGS, **as_five(writer)
    )
    assert result.returncode == -getattr(signal, f"SIG{name}")


def read_all(end):
    os.set_blocking(end, False)
    data = b""
    with contextlib.suppress(BlockingIOError):
        while part := os.read(end, 65536):
            data += part
    return data


def test_written_and_dropped_events_are_all(run, in_shell, opened, scratch):
    """What fits into a pipe that nobody reads is whole; the rest counts."""
    verb = ["591dropped", "5000"]
    run(*verb, env={"GIT_TRACE2_EVENT": f"{scratch}/log"})
    total = len((scratch / "log").read_text().splitlines()) - 2
    reader, writer = opened(*os.pipe())
    env = {"GIT_TRACE2_EVENT": "5"}
    result = in_shell(*verb, env=env, timeout=HANGS, **as_five(writer))
    *lines, torn = read_all(reader).decode().split("\n")
    assert all(json.loads(line) for line in lines)
    assert result.returncode == 0
    assert int(result.stdout) == total - len(lines) > 0


def test_socket_that_nobody_reads_costs_events_only(run, opened, short_dir):
    path = f"{short_dir}/s"
    (server,) = opened(socket.socket(socket.AF_UNIX))
    server.bind(path)
    server.listen(1)
    env = {"GIT_TRACE2_EVENT": f"af_unix:{path}"}
    result = run("591dropped", "20000", env=env, timeout=HANGS)
    assert (result.returncode, result.stderr) == (0, b"")
    assert int(result.stdout) > 0


def test_drops_are_told_by_the_targets_that_live(run, scratch):
    env = {
        "GIT_TRACE2": "/dev/full",
        "GIT_TRACE2_PERF": f"{scratch}/perf",
        "GIT_TRACE2_EVENT": f"{scratch}/event",
        "GIT_TRACE2_DST_DEBUG": "1",
    }
    result = run("001return", "3", env=env)
    assert result.returncode == 3
    _, warning = result.stderr.decode().splitlines()
    text = warning.removeprefix("warning: ")
    assert text.startswith("trace2: events dropped: ")
    events = [*map(json.loads, open(scratch / "event"))]
    assert [event["event"] for event in events[-2:]] == ["error", "atexit"]
    assert events[-2]["msg"] == text
    perf = (scratch / "perf").read_text().splitlines()
    assert perf[-2].endswith(f" {text}") and " | atexit " in perf[-1]


def test_threads_of_a_full_pipe_are_all_let_go(in_shell, opened):
    reader, writer = opened(*os.pipe())
    env = dict.fromkeys(["GIT_TRACE2_PERF", "GIT_TRACE2_EVENT"], "5")
    verb = ["590flood", "1000", "8"]
    result = in_shell(*verb, env=env, timeout=HANGS, **as_five(writer))
    assert (result.returncode, result.stderr) == (0, b"")
