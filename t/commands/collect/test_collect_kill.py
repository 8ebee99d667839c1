"""`trace2 collect --watch --remove` and SIGKILL, also between the journal and
the note of how far a file was read."""

import os
import random
import re
import time

import pytest
from collect_kit import Service, build_preload, connect, lines_of, until

END = b'{"event":"atexit","t_abs":1.0}\n'
OLD = time.time() - 100


@pytest.fixture
def inbox(short_dir):
    path = short_dir / "in"
    path.mkdir()
    return path


@pytest.fixture
def service(trace2, short_dir, inbox):
    made = Service(trace2, short_dir, ["--watch", "in", "--remove", "-o", "files:logs"])
    yield made
    if made.process:
        made.kill()


def write_ended(path, lines):
    path.write_bytes(b"".join(lines) + END)
    os.utime(path, (OLD, OLD))


def finish(running, inbox):
    """Without kills all files are read and removed."""
    running.environment = None
    running.begin()
    assert until(lambda: not list(inbox.iterdir()))
    running.end()
    return [line for line in running.lines() if line != END]


@pytest.mark.long("kills a service many times")
@pytest.mark.parametrize("call", ["note", "noted", "remove", "removed"])
def test_a_kill_at_each_step_loses_no_line_of_a_file(
    call, service, inbox, short_dir
):
    """A file may come again where its read was not noted, and not elsewhere."""
    names = [b"f%d" % number for number in range(6)]
    for name in names:
        write_ended(inbox / name.decode(), lines_of(name, 200))
    service.environment = {"LD_PRELOAD": build_preload(short_dir)}
    for number in (1, 2, 2):
        service.environment["KILL_AT"] = f"{call} {number}"
        service.begin(reached=False)
        service.process.wait(20)
        assert service.process.returncode == -9
        service.kill()
    got = finish(service, inbox)
    wanted = sum((lines_of(name, 200) for name in names), [])
    assert set(got) == set(wanted)
    # One read at most is repeated by each kill before its note.
    assert len(got) <= len(wanted) + (600 if call == "note" else 0)
    assert all(got.count(line) == 1 for line in wanted[::50]) or call == "note"


@pytest.mark.parametrize("filtered", [(), pytest.param(
    ("--redact", "passwords"), marks=pytest.mark.long("more kills"))])
def test_kills_while_files_come_lose_no_line(service, inbox, filtered):
    """Short lives: a kill may hit each step."""
    chance, wanted = random.Random(1), []
    service.options += filtered
    for turn in range(25):
        service.begin(reached=False)
        for number in range(4):
            name = f"t{turn}n{number}"
            lines = lines_of(name.encode(), 20)
            write_ended(inbox / name, lines)
            wanted += lines
            time.sleep(chance.random() * 0.008)
        service.kill()
    got = finish(service, inbox)
    assert set(got) == set(wanted)


def test_a_kill_after_a_dropped_line_makes_no_line_of_its_rest(service, inbox):
    """What is skipped must not be in the journal's file when it is killed."""
    (inbox / "long").write_bytes(b"x" * (17 << 20) + b"rest\nA\nB\n")
    service.begin()
    assert until(lambda: service.lines(".partial") == [b"A\n", b"B\n"])
    with connect(service.path) as writer:
        writer.sendall(b"C\n")
        assert until(lambda: service.lines(".partial")[2:] == [b"C\n"])
    service.kill()
    service.begin()
    with connect(service.path) as writer:
        writer.sendall(b"D\n")
        assert until(lambda: b"D\n" in service.lines(".log*"))
    service.end()
    assert service.lines(".log*") == [b"A\n", b"B\n", b"C\n", b"D\n"]


def test_a_kill_within_a_dropped_line_makes_no_line_of_its_rest(service, inbox):
    (inbox / "long").write_bytes(b"x" * (17 << 20))
    service.begin()
    noted = service.spool / "watched"
    size = 17 << 20
    assert until(lambda: noted.exists()
                 and re.search(f" {size} 6 .* in/long\n", noted.read_text()))
    service.kill()
    with (inbox / "long").open("ab") as file:
        file.write(b"rest\nA\n")
    service.begin()
    assert until(lambda: service.lines(".partial") == [b"A\n"])
    service.end()
    assert service.lines() == [b"A\n"]
