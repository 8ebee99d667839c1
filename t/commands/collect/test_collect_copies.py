"""`trace2 collect --watch` where files are copied, directories renamed, or
positions or descriptors can't be kept: no event comes twice, or is lost in
silence."""

import contextlib
import errno
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from collect_kit import Service, build_preload, lines_of, until

END = b'{"event":"atexit","t_abs":1.0}\n'


@pytest.fixture
def inbox(short_dir):
    path = short_dir / "in"
    path.mkdir()
    return path


@pytest.fixture
def running(trace2, short_dir, inbox):
    """A service that watches `in`."""
    options = ["--watch", inbox.name, "--output", "files:logs"]
    service = Service(trace2, short_dir, options).begin()
    yield service
    service.kill()


def has(running, lines):
    """Do the files have exactly these lines, in any order?"""
    return until(lambda: len(running.lines(".log*")) >= len(lines)) and \
        sorted(running.lines(".log*")) == sorted(lines)


def test_a_file_that_is_replaced_by_a_longer_copy_is_read_on(running, inbox):
    """As rsync(1) does it: each copy is another file, with another inode."""
    lines = lines_of(b"a", 40)
    for end in range(10, 50, 10):
        (inbox / ".log").write_bytes(b"".join(lines[:end]))
        (inbox / ".log").rename(inbox / "log")
        assert has(running, lines[:end])
    assert running.end()[::2] == (0, b"")


@pytest.mark.parametrize("cut, copy", [("in/a", "more/a.1"), ("more/a", "in/a.1")])
def test_a_copy_in_another_directory_is_found_at_the_first_look(
        running, short_dir, inbox, cut, copy):
    """Whichever directory the service looks at first."""
    (short_dir / "more").mkdir()
    running.end()
    running.options += ["--watch", "more"]
    running.begin()
    file, lines = short_dir / cut, lines_of(b"a", 20)
    file.write_bytes(b"".join(lines[:10]))
    assert has(running, lines[:10])
    running.end()
    shutil.copy(file, short_dir / copy)
    os.utime(short_dir / copy, (time.time() - 100,) * 2)
    file.write_bytes(b"")
    running.begin()
    with (short_dir / copy).open("ab") as more:
        more.write(b"".join(lines[10:]))
    assert has(running, lines)
    assert running.end()[::2] == (0, b"")


@pytest.fixture
def begin_with(trace2, short_dir, inbox):
    """begin_with(n, *options): a service that has so many descriptors."""
    made = []

    def begin(descriptors, *options):
        made.append(Service(trace2, short_dir, [*options, "--watch", inbox.name,
                                                "-o", "files:logs"]))
        made[-1].descriptors = (descriptors, descriptors)
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


@pytest.mark.parametrize("limit, places", [(64, 12), (32, 8)])
def test_files_that_move_while_descriptors_are_few_are_read_or_counted(
        begin_with, short_dir, inbox, limit, places):
    running = begin_with(limit)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context((inbox / f"{n}").open("wb", 0)) for n in range(12)]
        for file in files:
            file.write(b"1\n")
        assert has(running, [b"1\n"] * 12)
        time.sleep(1.2)  # two looks
        for file in files:
            Path(file.name).rename(short_dir / Path(file.name).name)
            file.write(b"2\n" + END)
    assert has(running, [b"1\n"] * 12 + [b"2\n", END] * places)
    code, _, errors = running.end()
    lost = 12 - places
    assert (code, errors.count(b"was moved or removed")) == (lost > 0, lost)
    counts = (running.spool / "metrics.prom").read_text()
    assert (f'by_reason_total{{reason="gone"}} {lost}\n' in counts) == (lost > 0)


def test_an_empty_file_is_counted_whose_inode_another_one_gets(begin_with, inbox):
    running = begin_with(32)
    with (inbox / "a").open("wb", 0) as file:
        inode = os.fstat(file.fileno()).st_ino
        time.sleep(1.2)  # two looks
        (inbox / "a").unlink()
        file.write(b"lost\n")
    others = [inbox / f"b{number}" for number in range(20)]
    for other in others:
        other.write_bytes(b"1\n")
    if inode not in [other.stat().st_ino for other in others]:
        pytest.skip("this disk gave other inodes")
    assert has(running, [b"1\n"] * 20)
    code, _, errors = running.end()
    assert (code, errors.count(b"in/a: was moved or removed")) == (1, 1)


def test_a_copy_in_another_watched_directory_is_read_on(begin_with, short_dir, inbox):
    """As logrotate makes it with copytruncate and olddir."""
    lines = lines_of(b"a", 40)
    (short_dir / "old").mkdir()
    running = begin_with(1024, "--watch", "old")
    (inbox / "log").write_bytes(b"".join(lines[:20]))
    assert has(running, lines[:20])
    (short_dir / "old" / "log.1").write_bytes(b"".join(lines[:25]))
    (inbox / "log").write_bytes(b"".join(lines[25:]))
    assert has(running, lines)
    assert running.end() == (0, b"", b"")


def spell(inbox, how):
    """Another name of the directory."""
    (inbox.parent / "link").symlink_to(inbox)
    return {"slash": "in/", "dot": "./in", "absolute": inbox, "link": "link"}[how]


@pytest.mark.parametrize("how", ["slash", "dot", "absolute", "link"])
def test_a_directory_may_be_spelled_otherwise_after_a_restart(running, inbox, how):
    (inbox / "log").write_bytes(b"1\n")
    assert has(running, [b"1\n"])
    running.end()
    running.options[1] = spell(inbox, how)
    with (inbox / "log").open("ab") as file:
        file.write(b"2\n")
    running.begin()
    assert has(running, [b"1\n", b"2\n"])
    assert running.end()[::2] == (0, b"")


def test_a_directory_that_is_replaced_by_its_copy_is_read_on(running, inbox):
    """As where another disk is mounted in its place, while the service runs."""
    lines = lines_of(b"a", 30)
    (inbox / "log").write_bytes(b"".join(lines[:20]))
    assert has(running, lines[:20])
    shutil.copytree(inbox, inbox.parent / "copy")
    inbox.rename(inbox.parent / "former")
    (inbox.parent / "copy").rename(inbox)
    with (inbox / "log").open("ab") as file:
        file.write(b"".join(lines[20:]))
    assert has(running, lines)
    assert running.end()[0] == 0
    assert sorted(running.lines()) == sorted(lines)


def test_files_are_read_on_where_their_inodes_are_others(running, inbox):
    """The directory comes from a backup, or a mount numbers its files anew: one
    gets the inode of another one."""
    lines = lines_of(b"a", 20) + lines_of(b"b", 20)
    (inbox / "a").write_bytes(b"".join(lines[:20]))
    (inbox / "b").write_bytes(b"".join(lines[20:]))
    assert has(running, lines)
    running.end()
    shutil.copy2(inbox / "a", inbox / "new")
    (inbox / "a").write_bytes((inbox / "b").read_bytes())
    (inbox / "b").unlink()
    (inbox / "new").rename(inbox / "b")
    running.begin()
    with (inbox / "b").open("ab") as file:
        file.write(b"more\n")
    assert has(running, lines + [b"more\n"])
    assert running.end()[::2] == (0, b"")


def test_files_wait_while_nobody_can_note_how_far_they_were_read(
        running, inbox, short_dir):
    """On a full disk the spool has space for events for a while."""
    running.end()
    (inbox / "log").write_bytes(b"1\n")
    running.environment = {"LD_PRELOAD": build_preload(short_dir),
                           "FAIL_FILE": f"note {errno.ENOSPC}"}
    running.begin()
    assert (b"/watched: can't be written, so watched files wait, and some of "
            b"their events may come twice: No space left on device\n") in \
        running.end()[2]
    assert running.lines() == []
    running.environment = None
    running.begin()
    assert has(running, [b"1\n"])
    assert running.end()[::2] == (0, b"")


@pytest.mark.parametrize("ended", [False, True])
def test_what_is_written_to_a_removed_file_is_read(running, inbox, ended):
    """As logrotate removes one that it has compressed."""
    wanted = lines_of(b"a", 5) + [END] * ended
    with (inbox / "a").open("ab", 0) as growing:
        growing.write(b"".join(wanted))
        assert has(running, wanted)
        (inbox / "a").rename(inbox / "a.1")
        (inbox / "a.1").unlink()
        (inbox / "a").write_bytes(b"".join([*lines_of(b"b", 5), END]))
        wanted += [*lines_of(b"b", 5), END]
        assert has(running, wanted)
        growing.write(b"".join([*lines_of(b"c", 5), END]))
    wanted += [*lines_of(b"c", 5), END]
    assert has(running, wanted)
    open_files = Path(f"/proc/{running.process.pid}/fd")
    assert until(lambda: not any("/in/a.1" in os.path.realpath(path)
                                 for path in open_files.iterdir()))
    assert running.end() == (0, b"", b"")


def test_half_a_line_of_a_removed_file_takes_no_space_for_long(running, inbox):
    """Nobody writes its end, and a full disk needs the space."""
    (inbox / "a").write_bytes(b"first\nhalf")
    assert has(running, [b"first\n"])
    begin = time.monotonic()
    (inbox / "a").unlink()
    assert has(running, [b"first\n", b"half\n"])
    assert time.monotonic() - begin < 30
    assert running.end()[0] == 0


def test_what_a_process_writes_as_it_ends_is_read(running, inbox, short_dir):
    running.end()
    running.environment = {"LD_PRELOAD": build_preload(short_dir),
                           "LAST_WRITE": "last"}
    running.begin()
    wanted = lines_of(b"a", 5)
    (inbox / "a").write_bytes(b"".join(wanted))
    assert has(running, wanted)
    (inbox / "a").unlink()
    assert has(running, [*wanted, b"last\n"])
    assert running.end()[0] == 0


def test_another_disk_may_be_in_the_place_of_a_directory_for_a_while(
        running, inbox):
    """A file that is written goes on to be one, whatever its inode's number is."""
    former = inbox.with_name("former")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
        if os.stat(other).st_dev == os.stat(inbox).st_dev:
            pytest.skip("/dev/shm is on the same disk")
        with (inbox / "log").open("ab", 0) as growing:
            wanted = []
            for name, place in [(b"a", None), (b"b", other), (b"c", former)]:
                if place:
                    (inbox.with_name("link")).symlink_to(place)
                    if not former.exists():
                        inbox.rename(former)
                    (inbox.with_name("link")).rename(inbox)
                growing.write(b"".join([*lines_of(name, 5), END]))
                wanted += [*lines_of(name, 5), END]
                with (inbox / "more").open("ab") as more:
                    more.write(END)
                wanted.append(END)
                assert has(running, wanted)
        assert running.end()[0] == 0


@pytest.mark.parametrize("restarts", [False, True])
def test_a_file_that_moves_between_watched_directories_is_read_once(
        running, inbox, restarts):
    (inbox.with_name("other")).mkdir()
    running.end()
    running.options += ["--watch", "other"]
    running.begin()
    place, wanted = inbox / "log", []
    with place.open("ab", 0) as growing:
        for turn in range(4):
            growing.write(b"".join(lines_of(b"%d" % turn, 5)))
            wanted += lines_of(b"%d" % turn, 5)
            assert has(running, wanted)
            if restarts:
                running.end()
            place = place.rename(inbox.with_name(["other", "in"][turn % 2]) / "log")
            if restarts:
                running.begin()
        growing.write(END)
    assert has(running, [*wanted, END])
    assert running.end() == (0, b"", b"")


def test_a_directory_that_was_not_watched_for_a_while_is_read_on(running, inbox):
    (inbox / "log").write_bytes(b"".join(lines_of(b"a", 5)))
    assert has(running, lines_of(b"a", 5))
    running.end()
    watched = list(running.options)
    inbox.with_name("other").mkdir()
    running.options[1] = "other"
    running.begin()
    running.end()
    with (inbox / "log").open("ab") as log:
        log.write(END)
    running.options = watched
    running.begin()
    assert has(running, [*lines_of(b"a", 5), END])
    assert running.end() == (0, b"", b"")
