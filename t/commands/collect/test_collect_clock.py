"""A clock that jumps must cost `trace2 collect` no event and no file."""

import os
import subprocess
import time

import pytest
from collect_kit import Service, build_preload, listen, send_lines, until

DAY, YEAR = 86400, 365 * 86400
JUMPS = [0, DAY, -DAY, YEAR, 0, -YEAR, YEAR, -DAY]
END = b'{"event":"atexit","t_abs":1.0}\n'


@pytest.fixture
def clock(short_dir):
    path = short_dir / "clock"

    def jump(seconds):
        new = path.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(path)

    jump(0)
    return jump


@pytest.fixture
def service(trace2, short_dir, clock):
    made = []

    def begin(*options):
        made.append(Service(trace2, short_dir, options))
        made[-1].environment = {"LD_PRELOAD": build_preload(short_dir),
                                "CLOCK_FILE": str(short_dir / "clock")}
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def day_of(seconds):
    return time.strftime("%Y%m%d", time.gmtime(time.time() + seconds))


def test_files_by_day_have_each_line_once(service, clock):
    days = {day_of(0)}
    running = service("-o", "files:logs")
    wanted = [b"%d\n" % number for number in range(len(JUMPS))]
    for number, jump in enumerate(JUMPS):
        clock(jump)
        send_lines(running.path, [wanted[number]])
        assert until(lambda line=wanted[number]: line in running.lines(".log*"))
    assert running.end() == (0, b"", b"")
    assert sorted(running.lines()) == wanted
    assert running.logs(".partial") == []
    assert len(running.logs()) == len(JUMPS)
    days |= {day_of(jump) for jump in JUMPS}  # the test may run over midnight
    assert {log.name[:8] for log in running.logs()} <= days
    assert len({log.name[:8] for log in running.logs()}) == 5


def numbered_lines(running):
    return sorted(int(line) for line in running.lines())


def test_no_file_gets_old_by_a_clock_that_jumps(service, clock):
    running = service("-o", "files:logs", "--files-age", "30d")
    for number, jump in enumerate([0, YEAR, 5 * YEAR, 0, -YEAR]):
        clock(jump)
        line = b"%d\n" % number
        send_lines(running.path, [line])
        assert until(lambda line=line: line in running.lines(".log*"))
    assert running.end() == (0, b"", b"")
    assert numbered_lines(running) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("ahead", [5 * YEAR, 200 * DAY])
def test_a_service_that_begins_when_the_clock_is_ahead_keeps_its_files(
        service, clock, ahead):
    running = service("-o", "files:logs", "--files-age", "30d")
    for number in range(3):
        send_lines(running.path, [b"%d\n" % number])
        assert running.end() == (0, b"", b"")
        clock(ahead if number == 1 else 0)
        running.begin()
    assert running.end() == (0, b"", b"")
    assert numbered_lines(running) == [0, 1, 2]


def test_a_clock_that_was_behind_at_the_begin_keeps_no_old_file(service, clock):
    """As that of a machine without a battery, before it asks for the time."""
    running = service("-o", "files:logs", "--files-age", "2h")
    for number in range(2):
        send_lines(running.path, [b"%d\n" % number])
        assert running.end() == (0, b"", b"")
        clock(-YEAR * number)
        running.begin()
    old = min(running.logs())
    os.utime(old, (time.time() - 3 * 3600,) * 2)
    clock(0)
    assert until(lambda: not old.exists())
    assert running.end()[0] == 0
    assert numbered_lines(running) == [1]


def test_no_event_leaves_the_spool_by_a_clock_that_jumps(service, clock):
    running = service("-o", "af_unix:stream:nobody", "-o", "files:logs",
                      "--spool-age", "2h")
    line = b"z" * 99999 + b"\n"
    send_lines(running.path, [line] * 60)  # two parts of the spool
    assert until(lambda: len(running.lines(".log*")) == 60)
    clock(YEAR)
    send_lines(running.path, [b"1\n"])
    assert until(lambda: len(running.lines(".log*")) == 61)
    code, _, errors = running.end()
    assert code == 0
    assert b"61 events wait in the spool" in errors
    assert b"missed" not in errors


@pytest.mark.parametrize("jump", [
    -YEAR,
    *(pytest.param(jump, marks=pytest.mark.long("waits for seconds"))
      for jump in (-DAY, DAY, YEAR)),
])
def test_a_lost_reader_is_tried_again_each_second(service, clock, short_dir, jump):
    running = service("-o", "af_unix:stream:reader")
    send_lines(running.path, [b"1\n"])
    clock(jump)
    with listen(short_dir / "reader") as listener:
        listener.settimeout(20)
        begin = time.monotonic()
        with listener.accept()[0] as reader:
            assert reader.recv(10) == b"1\n"
        assert time.monotonic() - begin < 20
    running.end()


@pytest.mark.long("waits for seconds")
def test_the_counts_are_renewed_while_the_clock_jumps(service, clock):
    running = service("-o", "files:logs")
    metrics = running.spool / "metrics.prom"
    for number, jump in enumerate(JUMPS[:4]):
        clock(jump)
        send_lines(running.path, [b"x\n"])
        assert until(lambda count=number + 1: metrics.exists() and (
            f"\ntrace2_collect_events_total {count}\n" in metrics.read_text()))
    running.end()


@pytest.mark.parametrize(
    ("jump", "told"),
    [(-DAY, " s in the future: the clock was set\n"), (YEAR, " s ago\n")],
)
def test_the_age_of_the_counts_is_never_negative(service, clock, jump, told):
    running = service("-o", "files:logs")
    running.end()
    clock(jump)
    done = subprocess.run(
        running.arguments(["--status"], running.spool), capture_output=True,
        text=True, check=True, env={**os.environ, **running.environment})
    first = done.stdout.splitlines(keepends=True)[0]
    assert first.endswith(told)
    assert int(first.split()[2]) >= abs(jump) - 100


@pytest.mark.long("waits for seconds")
def test_no_file_of_a_running_process_is_removed(service, clock, short_dir):
    """For a day nothing was written, says the clock, but it is wrong."""
    inbox = short_dir / "in"
    inbox.mkdir()
    running = service("-o", "files:logs", "--watch", "in", "--remove")
    with (inbox / "a").open("ab", buffering=0) as file:
        file.write(b"1\ntorn")
        assert until(lambda: running.lines(".partial") == [b"1\n"])
        clock(YEAR)
        time.sleep(1.5)  # three looks
        file.write(b" no more\n" + END)
    assert until(lambda: not list(inbox.iterdir()))
    assert running.end() == (0, b"", b"")
    assert [line for log in running.logs() for line in log.read_bytes().splitlines(True)
            ] == [b"1\n", b"torn no more\n", END]


def test_a_clock_that_is_set_back_keeps_no_file(service, clock, short_dir):
    inbox = short_dir / "in"
    inbox.mkdir()
    running = service("-o", "files:logs", "--watch", "in", "--remove")
    clock(-DAY)
    (inbox / "a").write_bytes(END)
    assert until(lambda: not list(inbox.iterdir()))
    running.end()
    assert running.lines() == [END]
