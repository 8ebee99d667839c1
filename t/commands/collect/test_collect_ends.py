"""What `trace2 collect` tells at its begin and its end: which output missed
something, which part could not begin, and how many descriptors it leaves."""

import contextlib
import os
import re

import pytest
from collect_kit import Service, connect, listen, send_lines
from faults_kit import PLAIN, faults  # noqa: F401

POSITION = "462cc0d9ee925eb0.position"  # of standard output


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): one that has not begun."""
    made = []

    def make(*options):
        made.append(Service(trace2, short_dir, options))
        return made[-1]

    yield make
    for one in made:
        if one.process:
            one.kill()


def test_what_one_of_several_outputs_has_missed_is_told_with_its_name_once(
    service, short_dir
):
    running = service("-o", "files:out", "-o", "af_unix:stream:none", "-o", "stdout")
    send_lines(running.begin().path, [b"1\n"])
    assert running.end()[:2] == (0, b"1\n")
    for path in running.spool.iterdir():  # the other outputs are new
        if path.name.startswith("0" * 16) or (
                path.suffix in (".position", ".output") and path.stem not in POSITION):
            path.unlink()
    (running.spool / "0000000000000008-0000000000000004").write_text("5\n")
    send_lines(running.begin().path, [b"6\n"])
    code, out, errors = running.end()
    assert (code, out) == (1, b"5\n6\n")
    assert b"trace2 collect: output 'stdout': missed 3 events in all\n" in errors
    send_lines(running.begin().path, [b"7\n"])
    code, out, errors = running.end()
    assert (code, out) == (0, b"7\n")
    assert b"missed" not in errors


def failure_of(running):
    running.begin(reached=False)
    code, _, errors = running.wait()
    assert code == 3
    return errors.decode().removeprefix("trace2 collect: ")


@pytest.mark.parametrize("taken, is_first", [("events", True), ("other", False)])
def test_a_service_begins_with_all_its_sockets_or_makes_none(
    service, short_dir, taken, is_first
):
    running = service("-l", f"af_unix:stream:{short_dir}/other", "-o", "stdout")
    with listen(short_dir / taken):
        told = failure_of(running)
    assert told == f"{short_dir}/{taken}: another program already listens there\n"
    assert (short_dir / "other").exists() != is_first
    assert (short_dir / "events").exists() == is_first


def test_a_place_of_an_output_that_is_no_file_stops_the_begin(service):
    running = service("-o", "stdout", "-o", "files:out")
    (running.spool / POSITION).mkdir(parents=True)
    assert failure_of(running) == (f"stdout: '{running.spool}/{POSITION}' is not a "
                                   "regular file; remove it\n")


@PLAIN
@pytest.mark.parametrize("number, part", [(2, "files:out"), (3, "metrics.prom")])
def test_a_thread_that_cannot_begin_stops_the_begin_and_no_socket_stays(
    service, faults, number, part
):
    running = service("-o", "stdout", "-o", "files:out")
    running.environment = faults(FAIL_THREAD=number)
    assert failure_of(running) == f"{part}: Resource temporarily unavailable\n"
    assert not running.path.exists()


def test_the_mask_of_its_user_decides_about_files_and_not_that_of_sockets(
    service, short_dir
):
    before = os.umask(0o027)
    running = service("-o", "files:logs").begin()
    os.umask(before)
    send_lines(running.path, [b"1\n"])
    running.end()
    assert running.logs()[0].stat().st_mode & 0o777 == 0o640


def test_a_service_without_a_pipe_for_signals_makes_nothing(service):
    running = service("-o", "stdout")
    running.descriptors = (4, 4)
    assert failure_of(running) == "a pipe for signals: Too many open files\n"
    assert not running.spool.exists()


@pytest.mark.parametrize("hard, outputs, most", [
    (150, ("stdout", "files:out"), 77), (100, ("stdout",), 50)])
def test_a_service_leaves_as_many_descriptors_as_it_needs_up_to_a_half(
    service, hard, outputs, most
):
    running = service("--spool-limit", "4m", *(f"-o{name}" for name in outputs))
    running.descriptors = (hard // 2, hard)
    running.begin()
    with contextlib.ExitStack() as writers:
        for _ in range(most + 13):
            writers.enter_context(connect(running.path))
        code, _, errors = running.end()
    assert code == 1
    refused = re.search(rb"refused: (\d+) are open, .*\n.*: (\d+) connections", errors)
    assert int(refused[1]) == most
    assert int(refused[2]) in (13, 14)  # the kit's own may still be open
