"""More connections at once than the limit of open files seems to allow."""

import contextlib
import os
import re
import resource
import time
from pathlib import Path

import pytest
from collect_kit import Service, connect, until
from test_collect_config import read_metrics

MANY = 5000


@pytest.fixture
def service(trace2, short_dir):
    """service(soft, hard, *options): with these limits of descriptors."""
    made = []

    def begin(soft, hard, *options):
        made.append(Service(trace2, short_dir, ["-o", "files:logs", *options]))
        made[-1].descriptors = (soft, hard)
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


@pytest.fixture
def writers():
    """The test itself holds many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with contextlib.ExitStack() as stack:
        yield stack
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def counts_of(running):
    return read_metrics((running.spool / "metrics.prom").read_text())


def cpu_seconds(running):
    """Of the user and of the system."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rsplit(")")[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line_of(number, part):
    return b'{"n":%d,"part":%d}\n' % (number, part)


def test_many_connections_at_once_lose_no_line(service, writers):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard < MANY + 1000:
        pytest.skip(f"no {MANY + 1000} open files here, but {hard} (ulimit -Hn)")
    running = service(1024, hard)
    opened = [writers.enter_context(connect(running.path)) for _ in range(MANY)]
    for part in range(2):
        for number, writer in enumerate(opened):
            writer.sendall(line_of(number, part))
    assert running.end() == (0, b"", b"")
    wanted = {line_of(number, part) for number in range(MANY) for part in range(2)}
    assert len(running.lines()) == 2 * MANY
    assert set(running.lines()) == wanted
    counts = counts_of(running)
    assert counts["trace2_collect_connections_total"] == MANY + 1  # and the kit's
    assert counts["trace2_collect_crowded_total"] == 0


def test_connections_beyond_the_limit_are_refused_and_counted(service, writers):
    """No program waits: each gets its line through, or an error."""
    running = service(256, 256)
    kept = set()
    for number in range(1000):
        writer = writers.enter_context(connect(running.path))
        with contextlib.suppress(ConnectionError):
            writer.sendall(line_of(number, 0))
            kept.add(line_of(number, 0))
    code, _, errors = running.end()
    counts = counts_of(running)
    refused = counts["trace2_collect_crowded_total"]
    assert set(running.lines()) <= kept
    assert len(running.lines()) + refused == 1000
    assert 700 < refused < 900
    told, at_end = errors.splitlines()
    assert re.fullmatch(rb"trace2 collect: connections are refused: \d+ are open, and "
                        rb"the limit on descriptors \(ulimit -n\) allows no more", told)
    assert (code, at_end) == (1, b"trace2 collect: %d connections were refused: "
                              b"there were too many at once" % refused)


def test_a_refusal_is_told_at_once_and_costs_no_time(service, writers):
    running = service(200, 200)
    for _ in range(400):
        writers.enter_context(connect(running.path))
    assert b"connections are refused" in running.process.stderr.readline()
    before = cpu_seconds(running)
    time.sleep(1)
    assert cpu_seconds(running) - before < 0.5
    counts = running.end()
    assert b"connections were refused" in counts[2]


def test_ten_thousand_connections_beyond_the_limit_do_not_stop_the_others(
        service, writers):
    """Those that are open go on, and each of the others is told by its end."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard < 10500:
        pytest.skip(f"no 10500 open files here, but {hard} (ulimit -Hn)")
    running = service(300, 300)
    first = writers.enter_context(connect(running.path))
    for _ in range(10000):
        writers.enter_context(connect(running.path))
    first.sendall(b"first\n")
    assert until(lambda: running.lines(".log*") == [b"first\n"])
    running.end()
    counts = counts_of(running)
    assert (counts["trace2_collect_crowded_total"]
            + counts["trace2_collect_connections_total"]) == 10002


def test_lines_without_an_end_cost_no_line_of_others(service, writers):
    """Five programs stop within lines of nearly 16 MiB, which none is longer
    than; another one writes a line of 20 MiB, which is dropped."""
    running = service(1024, 1024, "--spool-limit", "16m")
    size = 15 << 20
    greedy = [writers.enter_context(connect(running.path)) for _ in range(5)]
    for writer in greedy:
        writer.sendall(b"x" * size)
    greedy.append(writers.enter_context(connect(running.path)))
    greedy[-1].sendall(b"y" * (20 << 20))
    wanted = [line_of(number, 0) for number in range(200)]
    modest = [writers.enter_context(connect(running.path)) for _ in wanted]
    for number, writer in enumerate(modest):
        writer.sendall(wanted[number][:5])
    for number, writer in enumerate(modest):
        writer.sendall(wanted[number][5:])
    assert until(lambda: sorted(running.lines(".log*")) == sorted(wanted))
    greedy[0].sendall(b"\n")
    assert until(lambda: len(running.lines(".log*")) == len(wanted) + 1)
    for writer in greedy:
        writer.close()
    running.end()
    kept = [line for line in running.lines() if len(line) < size]
    assert sorted(kept) == sorted(wanted)
    assert counts_of(running)["trace2_collect_torn_total"] == 4
    assert counts_of(running)["trace2_collect_dropped_total"] == 1


def test_the_spool_has_files_beside_many_connections(service, writers):
    """What waits for a lost output takes a descriptor for each 4 MB."""
    running = service(64, 64, "-o", "af_unix:stream:none", "--spool-limit", "80m")
    opened = []
    for _ in range(100):
        writer = writers.enter_context(connect(running.path))
        with contextlib.suppress(ConnectionError):
            writer.sendall(b"first\n")
            opened.append(writer)
    lines = [b"%0*d\n" % (1 << 20, number) for number in range(40)]
    for line in lines:
        opened[0].sendall(line)
    running.end()
    assert [line for line in running.lines() if line != b"first\n"] == lines
    assert counts_of(running)["trace2_collect_dropped_total"] == 0
