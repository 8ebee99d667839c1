"""The counts of `trace2 collect`: their sums tell where each event is."""

import itertools
import time

import pytest
from collect_kit import Service, connect, listen, send_lines, until
from test_collect_config import read_metrics

GOOD = (b'{"event":"atexit","sid":"20261123T100000.000000Z-H0123abcd-P00000001",'
        b'"thread":"main","time":"2026-11-23T10:00:00.000000Z","t_abs":0.1,"code":0}\n')
LONG = b"x" * (17 << 20) + b"\n"
READER = "af_unix:stream:reader"
WAITED = 30


@pytest.fixture
def service(trace2, short_dir):
    made = []

    def begin(*options, **more):
        made.append(Service(trace2, short_dir,
                            ["-o", "files:logs", "-o", READER, *options], **more))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def read_counts(running):
    metrics = read_metrics((running.spool / "metrics.prom").read_text())
    return {name.removeprefix("trace2_collect_"): value
            for name, value in metrics.items()}


def check_sums(counts, waited=None):
    """`waited` are the events that waited for each output at the begin."""
    assert counts["received_total"] == sum(counts[name] for name in (
        "events_total", "dropped_total", "set_aside_total", "unkept_total"))
    for output in ("files:logs", READER):
        assert counts["events_total"] + (waited or {}).get(output, 0) == sum(
            counts[f'output_{name}{{output="{output}"}}']
            for name in ("passed_total", "missed_total", "waiting"))


def has_read_metrics(running):
    return (running.spool / "metrics.prom").exists()


def write_mix(running):
    """Returns how many events were written."""
    send_lines(running.path, [GOOD, b"junk1\n", GOOD, b"junk2\n", LONG, b"junk3\n", GOOD])
    with connect(running.path) as writer:
        writer.sendall(b"torn")
    return 8


def test_the_counts_of_lost_and_kept_events_add_up(service):
    running = service("--check", "set-aside", "--broken-limit", "12")
    count = write_mix(running)
    assert running.end()[0] == 1
    counts = read_counts(running)
    check_sums(counts)
    assert counts["received_total"] == count
    assert counts["events_total"] == 3
    assert counts["dropped_total"] == 1
    assert counts["set_aside_total"] == 2
    assert counts["unkept_total"] == 2
    assert counts["torn_total"] == 1
    assert sum(value for name, value in counts.items()
               if name.startswith("broken_total")) == 4


@pytest.mark.parametrize("check", ["off", "pass", "mark"])
def test_the_counts_add_up_with_each_check(service, check):
    running = service("--check", check, "--redact", "passwords")
    count = write_mix(running)
    running.end()
    counts = read_counts(running)
    check_sums(counts)
    assert counts["received_total"] == count
    assert counts["events_total"] == count - 1


def test_the_counts_of_a_second_run_have_what_waited(service, short_dir):
    running = service()
    send_lines(running.path, [GOOD] * WAITED)
    running.end()
    check_sums(read_counts(running))
    with listen(short_dir / "reader") as listener:
        running.begin()
        send_lines(running.path, [GOOD] * 7)
        with listener.accept()[0] as reader, reader.makefile("rb") as file:
            running.stop()
            assert len(file.readlines()) == WAITED + 7
    running.wait()
    counts = read_counts(running)
    check_sums(counts, {READER: WAITED})
    assert counts["received_total"] == counts["events_total"] == 7
    assert counts[f'output_passed_total{{output="{READER}"}}'] == WAITED + 7


def test_the_counts_add_up_where_an_output_misses_events(service):
    running = service("--spool-limit", "5m")
    for _ in range(5):
        send_lines(running.path, [b"y" * 999 + b"\n"] * 4000)
    running.end()
    counts = read_counts(running)
    check_sums(counts)
    assert counts["received_total"] == 20000
    assert counts[f'output_missed_total{{output="{READER}"}}'] > 0


def test_the_counts_add_up_on_a_full_disk(service):
    running = service("--check", "set-aside", file_limit=100 << 10)
    write_mix(running)
    assert running.end()[0] == 1
    counts = read_counts(running)
    check_sums(counts)
    assert counts["received_total"] == 8
    assert counts["events_total"] == 0


@pytest.mark.long("writes for 2.5 seconds")
def test_the_counts_add_up_at_any_time(service):
    """While events arrive, each file of counts is of one moment."""
    running = service("--check", "set-aside")
    assert until(lambda: has_read_metrics(running))
    end, seen = time.monotonic() + 2.5, set()
    with connect(running.path) as writer:
        for number in itertools.count():
            writer.sendall((GOOD * 20 + b"junk\n") * 20)
            if number % 10 == 0:
                counts = read_counts(running)
                check_sums(counts)
                seen.add(counts["received_total"])
            if time.monotonic() > end and len(seen) > 1:
                break
    assert running.end()[0] == 0
    check_sums(read_counts(running))
