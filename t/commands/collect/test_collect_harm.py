"""`trace2 collect` where somebody, or the disk, harms its files: what is lost
is counted and reported, and the service ends with 1."""

import errno
import os
import shutil
import signal
import time

import pytest
from collect_kit import (
    Service, build_preload, connect, listen, send_lines, until,
)

LINES = [b'{"event":"data","sid":"a","thread":"main","n":%d}\n' % i for i in range(60)]


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): a running service."""
    made = []

    def begin(*options, faults=None, name="events", **more):
        made.append(Service(trace2, short_dir, options, **more))
        made[-1].path = short_dir / name
        if faults:
            made[-1].environment = {"LD_PRELOAD": build_preload(short_dir), **faults}
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def read_metrics(running):
    path = running.spool / "metrics.prom"
    return path.read_text() if path.exists() else ""


def has_received(running, count):
    return until(lambda: f"_received_total {count}\n" in read_metrics(running))


def cut_segment(running, size):
    segment = next(path for path in running.spool.iterdir() if len(path.name) == 33)
    with segment.open("r+b") as file:
        file.truncate(size)


@pytest.mark.parametrize("signo", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_what_programs_have_written_before_a_signal_is_passed_on(
        service, short_dir, signo):
    """The terminal of a service is closed (SIGHUP) while it does not run."""
    running = service("-o", "files:logs")
    running.process.send_signal(signal.SIGSTOP)
    send_lines(running.path, LINES)
    running.process.send_signal(signo)
    running.process.send_signal(signal.SIGCONT)
    assert running.wait() == (0, b"", b"")
    assert b"".join(path.read_bytes() for path in (short_dir / "logs").iterdir()) \
        == b"".join(LINES)


@pytest.mark.parametrize("redact", ["off", "passwords", "all"])
def test_a_spool_file_that_is_cut_in_use_is_reported(service, short_dir, redact):
    running = service("--redact", redact, "-o", "files:missing/logs")
    send_lines(running.path, LINES[:40])
    assert has_received(running, 40)
    cut_segment(running, 500)
    send_lines(running.path, LINES[40:])
    assert has_received(running, 60)
    code, _, errors = running.end()
    assert code == 1
    assert b": somebody cut or removed files with events that waited\n" in errors
    (short_dir / "missing").mkdir()
    running.begin()
    code, _, errors = running.end()
    assert code == 1
    assert b": missed " in errors
    got = [line for path in (short_dir / "missing/logs").iterdir()
           for line in path.read_bytes().splitlines(True)]
    assert [line.split(b",")[-1] for line in got[-20:]] == \
        [line.split(b",")[-1] for line in LINES[40:]]
    assert f"missed {60 - len(got)} events".encode() in errors


def test_a_spool_file_that_is_removed_in_use_is_reported(service):
    running = service("-o", "files:missing/logs")
    send_lines(running.path, LINES[:40])
    assert has_received(running, 40)
    next(path for path in running.spool.iterdir() if len(path.name) == 33).unlink()
    send_lines(running.path, LINES[40:])
    assert has_received(running, 60)
    code, _, errors = running.end()
    assert code == 1
    assert b": somebody cut or removed files with events that waited\n" in errors
    kept = [path.read_bytes() for path in running.spool.iterdir()
            if len(path.name) == 33]
    assert b"".join(kept).count(b"\n") == 20


@pytest.mark.parametrize("compress", ["off", "gzip"])
@pytest.mark.parametrize("harm", ["cut", "exchanged"])
def test_damage_to_the_file_of_an_output_is_told(service, short_dir, harm, compress):
    running = service("--compress=" + compress, "-o", "files:logs")
    send_lines(running.path, LINES[:40])
    assert until(lambda: len(running.lines(".partial")) == 40)
    partial = running.logs(".partial")[0]
    if harm == "cut":
        os.truncate(partial, 100)
        send_lines(running.path, LINES[40:])
        assert until(lambda: len(running.logs(".partial")) == 2)
        assert until(lambda: running.logs(".partial")[1].read_bytes() ==
                     b"".join(LINES[40:]))
    else:
        partial.rename(short_dir / "moved")
        os.mkfifo(partial)
    code, _, errors = running.end()
    assert code == 0
    assert {"cut": b": somebody cut its last file, so events are lost; ",
            "exchanged": b": somebody moved its last file, "}[harm] in errors
    assert [path.name for path in running.logs(".partial")] == [partial.name]
    if harm == "cut":
        assert partial.stat().st_size == 100  # no hole
    else:
        assert (short_dir / "moved").read_bytes().count(b"\n") == 40


@pytest.mark.parametrize(("call", "told", "compress"), [
    ("fsync", "may lack events", "off"),  # as NFS tells of a full disk
    ("fsync", "may lack events", "gzip"),
    ("link", "keeps this name", "off"),
    ("link", "keeps this name", "gzip"),
    ("unlink", "keeps this name", "gzip"),
])
def test_a_disk_that_fails_when_a_file_is_complete_is_told(
        service, call, told, compress):
    running = service("--compress=" + compress, "-o", "files:logs",
                      faults={"FAIL_FILE": f"{call} {errno.ENOSPC}"})
    send_lines(running.path, LINES)
    assert until(lambda: running.lines(".log.partial") == LINES)
    code, _, errors = running.end()
    assert code == 1
    assert f"' {told}: {os.strerror(errno.ENOSPC)}\n" in errors.decode()


@pytest.mark.parametrize("harm", ["empty", "cut", "flip", "remove"])
def test_a_lost_position_brings_all_events_again(service, short_dir, harm):
    running = service("-o", "files:missing/logs")
    send_lines(running.path, LINES)
    assert has_received(running, 60)
    assert running.end()[0] == 0
    position = next(running.spool.glob("*.position"))
    text = position.read_bytes()
    if harm == "remove":
        position.unlink()
    else:
        position.write_bytes({"empty": b"", "cut": text[:50],
                              "flip": b"9" + text[1:]}[harm])
    (short_dir / "missing").mkdir()
    running.begin()
    code, _, errors = running.end()
    assert code == 0
    assert b"it gets all 60 events of the spool, maybe again\n" in errors
    got = [path.read_bytes() for path in (short_dir / "missing/logs").iterdir()]
    assert got == [b"".join(LINES)]


def test_a_spool_that_is_older_than_a_file_cuts_none_of_its_events(
        service, short_dir):
    """It comes from a backup, which was made while the service ran."""
    running = service("-o", "files:logs")
    send_lines(running.path, LINES[:20])
    assert until(lambda: running.lines(".partial") == LINES[:20])
    shutil.copytree(running.spool, short_dir / "backup")
    send_lines(running.path, LINES[20:40])
    assert until(lambda: running.lines(".partial") == LINES[:40])
    running.kill()
    shutil.rmtree(running.spool)
    (short_dir / "backup").rename(running.spool)
    running.begin()
    send_lines(running.path, LINES[40:])
    assert until(lambda: len(running.logs(".partial")) == 2)
    assert b": its last file is newer than the spool and " in running.end()[2]
    assert running.lines(".partial") == LINES[:40]
    assert set(LINES[40:]) <= set(running.lines())


def test_an_output_that_is_named_otherwise_is_told_what_waits(service):
    running = service("-o", "files:late/logs")  # there is no such directory
    send_lines(running.path, LINES)
    assert has_received(running, 60)
    assert running.end()[0] == 0
    told = []
    for _ in range(2):
        running.options = ["-o", "files:./late/logs"]
        running.begin()
        told.append(running.end()[2].count(
            b".position: belongs to an output that is not named now, or "
            b"otherwise; 60 events wait for it and will be removed\n"))
    assert told == [1, 0]
    running.options = ["-o", "files:late/logs"]
    running.begin()
    assert b"': missed 60 events in all\n" in running.end()[2]


def test_a_full_disk_is_counted_by_its_reason(service):
    running = service("-o", "files:logs", file_limit=100 << 10)
    send_lines(running.path, LINES)
    reason = 'dropped_by_reason_total{reason="space"} 60\n'
    assert until(lambda: reason in read_metrics(running))
    assert reason in running.run("--status").stdout.decode()
    code, _, errors = running.end()
    assert code == 1
    assert errors.count(b": no event can be kept: File too large\n") == 1


@pytest.mark.parametrize("error", [errno.ENOMEM, errno.ENOBUFS])
def test_a_read_that_fails_for_a_while_loses_nothing(service, error):
    running = service("-o", "files:logs", faults={"FAIL_RECV": f"{error} 20"})
    send_lines(running.path, LINES)
    assert until(lambda: running.lines(".partial") == LINES)
    assert running.end() == (0, b"", b"")


@pytest.mark.parametrize(("error", "times"), [(errno.EIO, 2), (errno.ENOMEM, 1 << 30)])
def test_a_read_that_fails_for_ever_is_a_loss(service, error, times):
    running = service("-o", "files:logs",
                      faults={"FAIL_RECV": f"{error} {times}"})
    send_lines(running.path, LINES)
    if error == errno.EIO:
        reason = 'dropped_by_reason_total{reason="read"} 2\n'
        assert until(lambda: reason in read_metrics(running))
    code, _, errors = running.end()
    assert code == 1
    assert (b"a socket can't be read, so events are lost: " +
            os.strerror(error).encode() + b"\n") in errors


def test_a_socket_on_which_a_read_would_wait_is_refused(trace2, short_dir):
    running = Service(trace2, short_dir, ("-o", "stdout"))
    running.environment = {"LD_PRELOAD": build_preload(short_dir), "FAIL_SETFL": "1"}
    running.begin(reached=False)
    code, _, errors = running.wait(20)
    assert code == 3
    assert errors.endswith(b"events: Operation not permitted\n")


def test_a_reader_that_ends_takes_nothing_with_it(service, short_dir):
    """What is in the buffer of its socket goes to the next reader, too."""
    sent = [b"line %d\n" % number for number in range(500)]
    with listen(short_dir / "reader") as listener:
        running = service("-o", "af_unix:stream:reader", "-o", "files:logs")
        send_lines(running.path, sent)
        assert until(lambda: running.lines(".log*") == sent)
        first = listener.accept()[0]
        got = first.recv(100)
        time.sleep(1)  # the rest is in the buffer, and is waited for
        first.close()
        send_lines(running.path, [b"last\n"])  # by this its end is noticed
        second = listener.accept()[0]
        with second.makefile("rb") as file:
            rest = list(iter(file.readline, b"last\n"))
        assert set(got.splitlines(keepends=True) + rest) >= set(sent)
        code, out, errors = running.end()
        second.close()
    assert (code, out) == (0, b"")
    assert errors.count(b"\n") == 1  # the first reader's end


def test_a_reader_of_standard_output_that_ends_takes_nothing_with_it(service):
    sent = [b"line %d\n" % number for number in range(2000)]
    running = service("-o", "stdout", "-o", "files:logs")
    send_lines(running.path, sent)
    assert until(lambda: running.lines(".log*") == sent)
    time.sleep(1)  # the pipe has them, and is looked at
    first = os.read(running.process.stdout.fileno(), 100)
    running.process.stdout.close()
    running.stop()
    errors = running.process.stderr.read()
    assert b"output 'stdout': 2000 events wait in the spool\n" in errors
    assert running.process.wait(20) == 0
    running.begin()
    code, rest, errors = running.end()
    assert set(first.splitlines(keepends=True)[:-1]) < set(sent)
    assert (code, rest.splitlines(keepends=True), errors) == (0, sent, b"")


def test_a_reader_of_standard_output_may_read_after_the_end(service):
    running = service("-o", "stdout")
    send_lines(running.path, [b"one\n", b"two\n"])
    running.stop()
    assert running.process.wait(20) == 0
    assert running.wait()[1:] == (b"one\ntwo\n", b"")
    running.begin()
    assert running.end() == (0, b"", b"")


@pytest.mark.parametrize("name", ["watched", "watched.partial", "metrics.prom",
                                  "metrics.partial"])
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["directory", "FIFO"])
def test_what_is_no_file_in_the_spool_is_told(make, name, trace2, short_dir):
    (short_dir / "spool").mkdir(0o700)
    make(short_dir / "spool" / name)
    done = Service(trace2, short_dir, ()).run("-o", "stdout", "-l",
                                              "af_unix:stream:s")
    told = f"spool/{name}: is not a regular file; remove it\n"
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode().endswith(told)


def remove_files(running, pattern):
    for path in running.spool.glob(pattern):
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("pattern", ["*", "spool.lock"])
def test_a_spool_that_was_removed_may_be_another_services(service, pattern):
    """The former one drops what comes, and leaves the spool alone."""
    former = service("-o", "files:former")
    send_lines(former.path, LINES[:10])
    assert has_received(former, 10)
    remove_files(former, pattern)
    running = service("-o", "files:logs", name="others")
    with connect(former.path) as writer:
        writer.sendall(b"".join(LINES[10:30]))
        assert until(lambda: not former.unread(writer))
    send_lines(running.path, LINES[30:])
    assert until(lambda: running.lines(".partial") == LINES[30:])
    send_lines(former.path, LINES[10:30])
    running.kill()
    running.begin()
    code, _, errors = former.end()
    assert code == 1
    assert errors.endswith(b" 40 events were dropped in all\n")
    assert (b"no event can be kept: another service uses this directory\n"
            in errors)
    assert running.end()[0] == 0
    assert running.lines() == LINES[30:]


def test_an_output_misses_what_only_another_one_has_got(service):
    """A power failure may leave the last file of the spool empty."""
    outputs = ["-o", "files:logs", "-o", "af_unix:stream:nobody"]
    running = service(*outputs)
    send_lines(running.path, LINES)
    assert has_received(running, 60)
    assert until(lambda: running.lines(".partial") == LINES)
    running.kill()
    for path in running.spool.glob("0*-0*"):
        os.truncate(path, 0)
    running.begin()
    code, _, errors = running.end()
    assert (code, running.lines()) == (1, LINES)
    assert b"'af_unix:stream:nobody': missed 60 events in all\n" in errors


def test_a_spool_that_was_moved_may_be_another_services(service):
    former = service("-o", "files:former")
    send_lines(former.path, LINES[:10])
    assert has_received(former, 10)
    former.spool.rename(former.spool.with_name("moved"))
    running = service("-o", "files:logs", name="others")
    time.sleep(1.1)  # it looks each second
    send_lines(former.path, LINES[10:])
    code, _, errors = former.end()
    assert (code, running.end()[0]) == (1, 0)
    assert b"trace2 collect: 50 events were dropped in all\n" in errors


def test_a_spool_that_was_removed_is_made_and_locked_again(service):
    running = service("-o", "files:logs")
    send_lines(running.path, LINES[:10])
    assert has_received(running, 10)
    remove_files(running, "*")
    send_lines(running.path, LINES[10:])
    assert has_received(running, 60)
    other = running.run("-o", "stdout", "-l", "af_unix:stream:s")
    assert (other.returncode, running.end()[0], running.lines()) == (3, 0, LINES)
    assert b"another service uses this directory" in other.stderr
