"""Sockets that systemd passes to `trace2 collect`."""

import configparser
import fcntl
import os
import shlex
import socket
import subprocess

import pytest
from collect_kit import connect, until

TIMEOUT = 60


def bind(path, kind=socket.SOCK_STREAM):
    made = socket.socket(socket.AF_UNIX, kind)
    made.bind(str(path))
    if kind == socket.SOCK_STREAM:
        made.listen()
    return made


@pytest.fixture
def begin(trace2, short_dir):
    """begin(sockets, *options): a service that was passed these sockets."""
    made = []

    def call(sockets, *options, of="$$", count=None):
        # High numbers first: 3 may be one of those that are passed. The tests
        # themselves may have any number open.
        fds = [fcntl.fcntl(one, fcntl.F_DUPFD, 40) for one in sockets]
        moves = " ".join(f"{3 + n}<&{fd} {fd}<&-" for n, fd in enumerate(fds))
        command = shlex.join([str(trace2), "collect", "--spool", "spool",
                              "-o", "stdout", *options])
        made.append(subprocess.Popen(
            ["bash", "-c", f"LISTEN_PID={of} "
                           f"LISTEN_FDS={len(fds) if count is None else count} "
                           f"exec {command} {moves}"],
            cwd=short_dir, pass_fds=fds,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        for fd in fds:
            os.close(fd)
        return made[-1]

    yield call
    for one in made:
        one.kill()
        one.communicate()


def end(service):
    service.terminate()
    out, errors = service.communicate(timeout=TIMEOUT)
    return service.returncode, out, errors


def write(path, line, kind=socket.SOCK_STREAM):
    with connect(path, kind) as writer:
        writer.sendall(line)


def test_passed_sockets_are_read(begin, short_dir):
    """Also what was written before the service began."""
    with bind(short_dir / "s") as stream, \
            bind(short_dir / "d", socket.SOCK_DGRAM) as datagrams:
        write(short_dir / "s", b"early\n")
        service = begin([stream, datagrams])
        assert service.stdout.readline() == b"early\n"
        write(short_dir / "d", b"datagram\n", socket.SOCK_DGRAM)
        assert service.stdout.readline() == b"datagram\n"
        assert end(service) == (0, b"", b"")
        assert (short_dir / "s").is_socket() and (short_dir / "d").is_socket()
        write(short_dir / "s", b"between\n")
        service = begin([stream, datagrams])
        assert service.stdout.readline() == b"between\n"
        assert end(service) == (0, b"", b"")


def test_a_passed_socket_takes_the_place_of_a_configured_one(begin, short_dir):
    path = short_dir / "s"
    with bind(path) as stream:
        service = begin([stream], "-l", f"af_unix:stream:{path}",
                        "-l", f"af_unix:stream:{short_dir}/own")
        write(path, b"passed\n")
        assert service.stdout.readline() == b"passed\n"
        assert until((short_dir / "own").exists)
        write(short_dir / "own", b"own\n")
        assert service.stdout.readline() == b"own\n"
        assert end(service) == (0, b"", b"")
    assert path.is_socket() and not (short_dir / "own").exists()


def test_what_another_process_was_passed_is_not_used(begin, short_dir):
    with bind(short_dir / "s") as stream:
        service = begin([stream], of="1")
        assert service.wait(TIMEOUT) == 2
        assert b"expected a socket" in service.stderr.read()


def test_a_descriptor_that_is_no_socket_is_refused(begin, short_dir):
    with (short_dir / "file").open("wb") as file:
        service = begin([file])
        assert service.wait(TIMEOUT) == 3
        assert service.stderr.read() == (
            b"trace2 collect: descriptor 3, which was passed: "
            b"it is not a Unix socket\n")
    assert not (short_dir / "spool").exists()
    one, other = socket.socketpair()
    with one, other:
        service = begin([one])
        assert service.wait(TIMEOUT) == 3
        assert b"it does not listen" in service.stderr.read()


def test_the_socket_unit_has_the_service_as_its_partner(root):
    unit = configparser.ConfigParser(interpolation=None)
    unit.read(root / "debian/trace2.trace2-collect.user.socket")
    assert unit["Socket"]["ListenStream"] == "%t/trace2"
    assert unit["Socket"]["SocketMode"] == "0600"
    assert (root / "debian/trace2.trace2-collect.user.service").exists()


def test_an_output_to_a_passed_socket_is_refused(begin, short_dir):
    with bind(short_dir / "socket") as one:
        service = begin([one], "-o", "af_unix:stream:./socket")
        _, errors = service.communicate(timeout=TIMEOUT)
    assert service.returncode == 2
    assert b"the service reads what this output writes" in errors


@pytest.mark.parametrize("count, bad", [
    ("0", None), ("-1", None), ("2x", None), ("''", None), ("017", 19),
    ("18446744073709551617", 19), ("4", 6)])
def test_the_number_of_passed_sockets_is_a_decimal_up_to_one_more_than_16(
    begin, short_dir, count, bad
):
    """What is no such number is none; the last one is one too many, or no socket."""
    with bind(short_dir / "s") as stream, (short_dir / "file").open("wb") as file:
        passed = [stream] * 3 + [file if bad == 6 else stream] + [stream] * 14
        service = begin(passed, count=count)
        code = service.wait(TIMEOUT)
        errors = service.stderr.read()
    if bad is None:
        assert code == 2 and b"expected a socket" in errors
        return
    why = b"it is not a Unix socket" if bad == 6 else b"there can be 16 sockets at most"
    assert (code, errors) == (3, b"trace2 collect: descriptor %d, which was passed: "
                              b"%s\n" % (bad, why))


def test_sixteen_sockets_may_be_passed_or_named_in_all(begin, short_dir):
    named = [f"-laf_unix:dgram:{short_dir}/{number}" for number in range(15)]
    with bind(short_dir / "e") as one, bind(short_dir / "f") as other:
        service = begin([one], *named)
        write(short_dir / "e", b"1\n")
        assert service.stdout.readline() == b"1\n"
        assert end(service) == (0, b"", b"")
        service = begin([one, other], *named)
        assert service.wait(TIMEOUT) == 3
        assert b"descriptor 4, which was passed: there can be 16" in service.stderr.read()


@pytest.mark.parametrize("passed, named", [
    (socket.SOCK_STREAM, "dgram"), (socket.SOCK_DGRAM, "stream")])
def test_a_passed_socket_takes_no_place_of_another_kind(
    begin, short_dir, passed, named
):
    """So its name is bound once more, and that is refused."""
    with bind(short_dir / "s", passed) as one:
        service = begin([one], "-l", f"af_unix:{named}:{short_dir}/s")
        assert service.wait(TIMEOUT) == 3
