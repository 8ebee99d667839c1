"""`trace2 collect`: from programs to outputs, of which none delays a program."""

import os
import re
import shutil
import socket
import subprocess
import threading

import pytest
from collect_kit import Service, connect, lines_of, listen, send_lines, until
from collect_load import MEMORY_KB, WAIT_MS, run_load
from collect_rebase import run_rebase


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): a running service; it is ended after the test."""
    made = []

    def begin(*options, **more):
        made.append(Service(trace2, short_dir, options, **more))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def test_collected_lines_of_two_programs_are_in_a_file(service):
    running = service("-o", "files:logs")
    for name in (b"a", b"b"):
        send_lines(running.path, lines_of(name, 100))
    result = running.end()
    assert result == (0, b"", b"")
    logs = running.logs()
    assert [log.name[8:] for log in logs] == ["-000001.log"]
    wanted = sorted(lines_of(b"a", 100) + lines_of(b"b", 100))
    assert sorted(running.lines()) == wanted


def test_collected_lines_keep_the_order_of_each_program(service):
    running = service("-o", "files:logs")
    names = [b"w%d" % i for i in range(8)]
    threads = [
        threading.Thread(target=send_lines, args=(running.path, lines_of(name, 2000)))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    running.end()
    got = running.lines()
    for name in names:
        mine = [line for line in got if b'"%s"' % name in line]
        assert mine == lines_of(name, 2000)


def test_collected_datagrams_are_lines(service):
    running = service("-o", "files:logs", listen="dgram")
    writer = connect(running.path, socket.SOCK_DGRAM)
    for line in lines_of(b"d", 300):
        writer.send(line)
    writer.send(b"no line end")
    result = running.end()
    assert running.lines() == [*lines_of(b"d", 300), b"no line end\n"]
    assert b"1 events were cut short by their writers" in result[2]


def test_a_line_that_arrives_in_pieces_is_whole(service):
    running = service("-o", "files:logs")
    one, other = connect(running.path), connect(running.path)
    one.sendall(b'{"a":')
    other.sendall(b"whole\n")
    assert until(lambda: running.lines(".partial") == [b"whole\n"])
    one.sendall(b"1}\n")
    one.close()
    other.close()
    running.end()
    assert running.lines() == [b"whole\n", b'{"a":1}\n']


def test_a_long_line_is_whole(service):
    running = service("-o", "files:logs")
    line = b"x" * (9 << 20) + b"\n"
    send_lines(running.path, [b"before\n", line, b"after\n"])
    running.end()
    assert running.lines() == [b"before\n", line, b"after\n"]


def test_a_line_beyond_the_limit_is_dropped_and_counted(service):
    running = service("-o", "files:logs")
    send_lines(running.path, [b"before\n", b"x" * (17 << 20) + b"\n", b"after\n"])
    code, _, errors = running.end()
    assert running.lines() == [b"before\n", b"after\n"]
    assert code == 1
    assert errors.endswith(b"trace2 collect: 1 events were dropped in all\n")


def test_a_loss_is_told_while_the_service_runs(service):
    running = service("-o", "files:logs")
    send_lines(running.path, [b"x" * (17 << 20) + b"\n"])
    said = b"trace2 collect: events were lost: 1 dropped, 0 missed by outputs"
    assert running.process.stderr.readline().startswith(said)
    status = running.run("--status").stdout
    assert b"\n# events were lost: 1 dropped, 0 missed" in status
    running.end()


def test_collected_lines_go_to_standard_output(service):
    running = service("-o", "stdout")
    send_lines(running.path, lines_of(b"a", 5000))
    code, out, errors = running.end()
    assert (code, errors) == (0, b"")
    assert out.splitlines(keepends=True) == lines_of(b"a", 5000)


def test_collected_lines_go_to_a_socket(service, short_dir):
    with listen(short_dir / "reader") as listener:
        running = service("-o", "af_unix:stream:reader", "-o", "files:logs")
        send_lines(running.path, lines_of(b"a", 1000))
        reader = listener.accept()[0]
        running.stop()
        with reader.makefile("rb") as file:
            assert file.readlines() == lines_of(b"a", 1000)
    assert running.wait() == (0, b"", b"")
    assert running.lines() == lines_of(b"a", 1000)


def test_a_file_is_named_partial_while_it_is_written(service):
    running = service("-o", "files:logs")
    send_lines(running.path, [b"one\n"])
    assert until(lambda: running.lines(".partial") == [b"one\n"])
    assert running.logs() == []
    running.end()
    assert running.logs(".partial") == []
    assert running.lines() == [b"one\n"]


def test_a_new_file_begins_when_one_has_its_size(service):
    running = service("-o", "files:logs", "--file-size", "10k")
    for part in range(10):
        some = lines_of(b"p%d" % part, 400)
        send_lines(running.path, some)
        assert until(lambda last=some[-1]: last in
                     running.lines(".log*"))
    running.end()
    assert len(running.logs()) > 5
    assert len(running.lines()) == 4000
    for log in running.logs():
        assert log.read_bytes().endswith(b"\n")


def test_a_second_run_writes_a_second_file(service):
    running = service("-o", "files:logs")
    send_lines(running.path, [b"one\n"])
    running.end()
    running = running.begin()
    send_lines(running.path, [b"two\n"])
    running.end()
    assert [log.read_bytes() for log in running.logs()] == [b"one\n", b"two\n"]


def test_real_git_writes_to_the_service(service, execute):
    running = service("-o", "files:logs")
    target = {"GIT_TRACE2_EVENT": f"af_unix:stream:{running.path}"}
    for _ in range(20):
        execute(["git", "version"], env=target)
    code, _, errors = running.end()
    assert (code, errors) == (0, b"")
    events = [line.split(b'"')[3] for line in running.lines()]
    assert events.count(b"version") == events.count(b"atexit") == 20
    checked = subprocess.run([running.trace2, "validate", *running.logs()],
                             capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout


# ---- Outputs that do not accept


def test_a_stopped_output_delays_no_writer(service, short_dir):
    """A reader that never reads gets nothing; a file gets everything."""
    with listen(short_dir / "reader") as listener:
        running = service("-o", "af_unix:stream:reader", "-o", "files:logs")
        lines = lines_of(b"w", 100000)
        send_lines(running.path, lines)  # many times what a socket holds
        code, _, errors = running.end()
    assert running.lines() == lines
    assert b"reader': " in errors
    assert b"events wait in the spool\n" in errors
    assert code == 0


@pytest.mark.long("starts many programs")
def test_a_rebase_of_git_ends_beside_a_stopped_reader(trace2, short_dir):
    """Alone with such a reader, git waits for ever after some 40 kB."""
    if not shutil.which("git"):
        pytest.skip("no git (git)")
    rebase = run_rebase(trace2, short_dir, 100)
    assert rebase.wrong == []
    assert rebase.size > 1000000


def test_what_waits_in_the_spool_is_passed_on_later(service, short_dir):
    """The reader is not there at first, and gets all in the second run."""
    running = service("-o", "af_unix:stream:reader", "-o", "files:logs")
    send_lines(running.path, lines_of(b"w", 1000))
    code, _, errors = running.end()
    assert code == 0
    assert errors.splitlines() == [
        b"trace2 collect: output 'af_unix:stream:reader': No such file or directory",
        b"trace2 collect: output 'af_unix:stream:reader': "
        b"1000 events wait in the spool",
    ]
    with listen(short_dir / "reader") as listener:
        running = running.begin()
        reader = listener.accept()[0]
        send_lines(running.path, [b"new\n"])
        running.stop()
        with reader.makefile("rb") as file:
            assert file.readlines() == [*lines_of(b"w", 1000), b"new\n"]
    assert running.wait() == (0, b"", b"")
    assert running.lines() == [*lines_of(b"w", 1000), b"new\n"]


def numbers(pattern, text):
    return [int(number) for number in re.findall(pattern, text)]


def test_what_the_spool_could_not_hold_is_counted_as_missed(service, short_dir):
    """Events of two outputs: what one missed, the other has."""
    running = service("-o", "af_unix:stream:reader", "-o", "files:logs",
                      "--spool-limit", "12m")
    line = b"y" * 999 + b"\n"
    for part in range(10):
        send_lines(running.path, [line] * 4000)
        # On a busy machine the file, too, could fall back beyond the limit.
        assert until(lambda size=4000000 * (part + 1): [size] == [
            log.stat().st_size for log in running.logs(".partial")])
    code, _, first_errors = running.end()
    assert code == 1
    with listen(short_dir / "reader") as listener:
        running.begin()
        reader = listener.accept()[0]
        running.stop()
        with reader.makefile("rb") as file:
            got = len(file.readlines())
    # Each event is counted in the run in which it was removed, and told once.
    # A slow machine removes some in the second run.
    code, _, second_errors = running.wait()
    more = numbers(rb"reader': missed (\d+) events", second_errors)
    assert code == bool(more)
    assert 0 < got < 13000
    assert numbers(rb"reader': missed (\d+) events", first_errors) == [
        40000 - got - sum(more)]
    assert numbers(rb"reader': (\d+) events wait in the spool",
                   first_errors) == [got + sum(more)]
    spool = sum(file.stat().st_size for file in running.spool.iterdir())
    assert spool < 13 << 20
    assert len(running.lines()) == 40000


def test_a_reader_that_goes_and_comes_gets_whole_lines(service, short_dir):
    listener = listen(short_dir / "reader")
    running = service("-o", "af_unix:stream:reader")
    send_lines(running.path, lines_of(b"a", 10))
    first = listener.accept()[0]
    with first.makefile("rb") as file:
        assert [file.readline() for _ in range(10)] == lines_of(b"a", 10)
    first.close()
    send_lines(running.path, lines_of(b"b", 10))
    second = listener.accept()[0]
    running.stop()
    with second.makefile("rb") as file:
        assert file.readlines()[-10:] == lines_of(b"b", 10)
    running.wait()
    listener.close()


def test_a_standard_output_that_is_closed_ends_only_itself(service):
    running = service("-o", "stdout", "-o", "files:logs")
    running.process.stdout.close()
    send_lines(running.path, lines_of(b"a", 100))
    assert until(lambda: len(running.lines(".partial")) == 100)
    running.stop()
    errors = running.process.stderr.read()
    running.process.wait(20)
    assert b"output 'stdout': Broken pipe" in errors
    assert b"100 events wait in the spool" in errors
    assert len(running.lines()) == 100


def test_a_directory_that_vanishes_is_made_again(service, short_dir):
    running = service("-o", "files:logs")
    send_lines(running.path, [b"one\n"])
    assert until(lambda: running.lines(".partial") == [b"one\n"])
    for log in (short_dir / "logs").iterdir():
        log.unlink()
    (short_dir / "logs").rmdir()
    send_lines(running.path, [b"two\n"])
    assert until(lambda: running.lines(".partial") == [b"two\n"])
    running.end()
    assert running.lines() == [b"two\n"]


def test_a_full_disk_delays_no_writer_and_is_counted(service):
    """A limit on the size of files refuses the spool's first segment."""
    running = service("-o", "files:logs", file_limit=100 << 10)
    send_lines(running.path, lines_of(b"a", 50000))
    code, _, errors = running.end()
    assert code == 1
    told, *_, dropped = errors.splitlines()
    assert told.endswith(b": no event can be kept: File too large")
    assert dropped == b"trace2 collect: 50000 events were dropped in all"


# ---- What a kill costs


@pytest.mark.long("kills a service many times")
def test_a_kill_loses_no_line_that_was_read(service, short_dir):
    """A writer knows what was read: it has left the socket."""
    running = service("-o", "files:logs")
    for turn in range(20):
        writer = connect(running.path)
        sent = lines_of(b"t%d" % turn, 50 * turn + 1)
        writer.sendall(b"".join(sent))
        writer.sendall(b"half")
        assert until(lambda: not running.unread(writer))
        running.kill()
        writer.close()
        running.begin()
    running.end()
    wanted = [line for turn in range(20)
              for line in lines_of(b"t%d" % turn, 50 * turn + 1)]
    got = running.lines()
    assert [line for line in got if line in set(wanted)] == wanted
    assert got == wanted


@pytest.mark.long("kills a service many times")
def test_kills_at_any_time_repeat_and_tear_no_line(service):
    """The writer goes on with the next line after each kill."""
    running = service("-o", "files:logs", "--file-size", "20k")
    number = 0
    for turn in range(25):
        writer = connect(running.path)
        stop = threading.Timer(0.002 * turn, running.kill)
        stop.start()
        try:
            while True:
                writer.sendall(b'{"n":%08d}\n' % number)
                number += 1
        except OSError:
            number += 1
        stop.join()
        running.begin()
    running.end()
    got = running.lines()
    numbers = [int(line[5:13]) for line in got]
    assert all(len(line) == 15 for line in got)
    assert sorted(set(numbers)) == sorted(numbers)
    assert numbers == sorted(numbers)
    # A kill right after its creation leaves an empty one.
    assert running.lines(".partial") == []


# ---- Who may use it


def test_a_spool_has_one_service(service):
    running = service("-o", "files:logs")
    other = running.run("-o", "files:others", "-l", "af_unix:stream:other")
    assert other.returncode == 3
    assert b"another service uses this directory" in other.stderr
    running.end()


def test_only_the_user_may_write(service):
    running = service("-o", "files:logs")
    assert os.stat(running.path).st_mode & 0o777 == 0o600
    running.end()
    running = service("-o", "files:logs", "--allow-others")
    assert os.stat(running.path).st_mode & 0o777 == 0o777
    running.end()


@pytest.mark.parametrize("options, words", [
    (["-o", "stdout"] + [f"-oaf_unix:stream:{i}" for i in range(64)],
     b"there can be 64 outputs at most"),
    ([f"-laf_unix:stream:{i}" for i in range(17)],
     b"there can be 16 sockets at most"),
])
def test_a_wrong_command_line_is_explained(execute, trace2, options, words):
    result = execute([trace2, "collect", *options])
    assert result.returncode == 2
    assert words in result.stderr


def test_a_socket_that_is_taken_stops_the_start(service, short_dir):
    running = service("-o", "files:logs")
    other = running.run("-o", "files:others", "-l", f"af_unix:stream:{running.path}",
                        spool="other")
    assert other.returncode == 3
    assert b"another program already listens there" in other.stderr
    running.end()


@pytest.mark.long("starts many programs")
def test_many_programs_do_not_wait_for_a_stopped_output(trace2, short_dir):
    """`make collect-load` runs the same with 1,000 programs for a minute."""
    wait, wrong, memory = run_load(trace2, short_dir, 50, 10000, 2)
    assert wrong == 0
    assert wait <= WAIT_MS
    assert memory < MEMORY_KB
