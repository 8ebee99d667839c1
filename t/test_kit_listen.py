"""The kit's listeners receive all of it, and refuse as they say."""

import contextlib
import errno
import os
import socket
import subprocess
import time

import pytest

from kit import listen

LARGE = 1 << 20


@contextlib.contextmanager
def listening(made, path):
    """The listener, stopped at the end; `got` is what it received."""
    one = made(path)
    one.got = []
    try:
        yield one
    finally:
        one.got += one.stop()


def connect(path, kind=socket.SOCK_STREAM):
    end = socket.socket(socket.AF_UNIX, kind)
    end.connect(str(path / "s"))
    return end


def test_stream_is_an_entry_for_each_connection(short_dir):
    with listening(listen.stream("s"), short_dir) as one:
        for text in (b"first", LARGE * b"x", b""):
            with connect(short_dir) as end:
                end.sendall(text)
    assert one.got == [b"first", LARGE * b"x", b""]


def test_datagrams_are_an_entry_each(short_dir):
    with listening(listen.datagrams("s"), short_dir) as one:
        with connect(short_dir, socket.SOCK_DGRAM) as end:
            for n in range(99):
                end.send(b"%d" % n)
    assert one.got == [b"%d" % n for n in range(99)]


def run_shell(one, script):
    """A shell that finds the listener's descriptors at their numbers."""
    return subprocess.run(one.wrap(["sh", "-c", script]), timeout=60,
                          pass_fds=one.pass_fds, check=False,
                          stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("number", [2, 5, 9])
def test_pipe_is_found_under_its_number(short_dir, number):
    with listening(listen.pipe(number), short_dir) as one:
        found = run_shell(one, f"ls /proc/self/fd; seq 20000 >&{number}")
    assert one.got == [b"".join(b"%d\n" % n for n in range(1, 20001))]
    assert str(number).encode() in found.split()
    assert all(int(fd) < 10 for fd in found.split())


def test_packets_are_an_entry_for_each_write(short_dir):
    with listening(listen.packets(5), short_dir) as one:
        run_shell(one, "for n in 1 2 3; do echo $n >&5; done")
    assert one.got == [b"1\n", b"2\n", b"3\n"]


def put(one, text):
    """What of the text the pipe takes at once."""
    fd, = one.pass_fds
    os.set_blocking(fd, False)
    try:
        return os.write(fd, text)
    except BlockingIOError:
        return 0


def wait_for(path):
    limit = time.monotonic() + 60
    while not path.exists() and time.monotonic() < limit:
        time.sleep(0.001)
    assert path.exists()


def test_idle_pipe_is_read_at_the_end(short_dir):
    with listening(listen.idle_pipe(5), short_dir) as one:
        took = put(one, LARGE * b"x")
        wait_for(short_dir / "full")
        assert 0 < took < LARGE and not put(one, b"x")
    assert one.got == [took * b"x"]


def test_full_pipe_takes_nothing_until_it_may_be_read(short_dir):
    with listening(listen.full_pipe(5), short_dir) as one:
        assert not put(one, b"x")
        (short_dir / "go").touch()
        wait_for(short_dir / "drained")
        assert put(one, b"x") == 1
    assert one.got[0].strip(b"\n") == b"x"


@pytest.mark.parametrize("made", [listen.dead_pipe, listen.dead_packets])
def test_dead_end_has_no_reader(short_dir, made):
    with listening(made(5), short_dir) as one:
        with pytest.raises(BrokenPipeError):
            put(one, b"x")
    assert one.got == []


def refusal(path):
    """Why a connection is refused that does not wait; 0 if it is not."""
    with socket.socket(socket.AF_UNIX) as end:
        end.setblocking(False)
        return end.connect_ex(str(path / "s"))


@pytest.mark.parametrize("made, why", [
    (listen.idle_stream, 0),
    (listen.busy_stream, errno.EAGAIN),
    (listen.dead_stream, errno.ECONNREFUSED),
])
def test_socket_refuses_as_it_says(short_dir, made, why):
    with listening(made("s"), short_dir) as one:
        assert refusal(short_dir) == why
    assert one.got == []


def test_planter_takes_names_before_it_accepts(short_dir):
    place = short_dir / "dir"
    place.mkdir()
    with listening(listen.planted("dir", (1, 9), "s"), short_dir) as one:
        assert refusal(short_dir) == errno.EAGAIN
        (place / "name").touch()
        with connect(short_dir) as end:
            names = sorted(path.name for path in place.iterdir())
            end.sendall(b"in time")
    assert names == ["name", "name.1", "name.9"]
    assert one.got == [b"in time"]


def test_planter_without_a_file_plants_nothing(short_dir):
    (short_dir / "dir").mkdir()
    with listening(listen.planted("dir", (1,), "s"), short_dir) as one:
        pass
    assert one.got == [] and not list((short_dir / "dir").iterdir())
