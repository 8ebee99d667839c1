"""`trace2 collect --watch`: directories where each process writes a file."""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import time

import pytest
from collect_kit import Service, lines_of, listen, send_lines, until

END = b'{"event":"atexit","t_abs":1.0}\n'
READER = "af_unix:stream:reader"


@pytest.fixture
def inbox(short_dir):
    path = short_dir / "in"
    path.mkdir()
    return path


@pytest.fixture
def service(trace2, short_dir, inbox):
    """service(*options): a running service that watches `in`."""
    made = []

    def begin(*options, outputs=("files:logs",)):
        outputs = [word for name in outputs for word in ("-o", name)]
        made.append(Service(trace2, short_dir, ["--watch", "in", *outputs, *options]))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def age(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then), follow_symlinks=False)


def has(running, lines):
    """Do the files have exactly these lines, in any order?"""
    return until(lambda: len(running.lines(".log*")) >= len(lines)) and \
        sorted(running.lines(".log*")) == sorted(lines)


def test_new_and_growing_files_are_read(service, inbox):
    (inbox / "before").write_bytes(b"".join(lines_of(b"a", 3000)))
    running = service()
    wanted = lines_of(b"a", 3000)
    assert has(running, wanted)
    for part in range(3):
        with (inbox / "later").open("ab") as file:
            file.write(b"p%d\nhalf " % part)
        wanted.append(b"half p%d\n" % part if part else b"p0\n")
        assert has(running, wanted)
    assert running.end() == (0, b"", b"")
    assert sorted(running.lines()) == sorted(wanted)
    assert len(list(inbox.iterdir())) == 2  # nobody asked to remove them


@pytest.mark.parametrize("harm", ["flip", "empty", "noise", "remove", "cut", "zeros"])
def test_damage_to_what_was_read_is_told(service, inbox, harm):
    wanted = lines_of(b"a", 5)
    (inbox / "a").write_bytes(b"".join(wanted))
    running = service()
    assert has(running, wanted)
    assert running.end() == (0, b"", b"")
    state = running.spool / "watched"
    text = state.read_bytes()
    place = text.index(b"\n") + 30
    if harm == "remove":
        state.unlink()
    else:
        state.write_bytes({"flip": text[:place] + b"x" + text[place + 1:],
                           "empty": b"", "noise": bytes(range(256)) * 9,
                           "cut": text[:-30],  # as after a power failure
                           "zeros": text[:-60] + bytes(60)}[harm])
    code, _, errors = running.begin().end()
    assert code == 0
    assert b"so events of watched files may come twice: " in errors
    assert sorted(running.lines(".log*")) == sorted(wanted * 2)


def test_a_spool_that_watched_nothing_is_not_damaged(trace2, short_dir, inbox):
    for options in ([], ["--watch", "in"]):
        running = Service(trace2, short_dir, [*options, "-o", "files:logs"])
        running.begin()
        send_lines(running.path, lines_of(b"a", 5))
        assert until(lambda: len(running.lines(".log*")) % 5 == 0)
        assert running.end() == (0, b"", b"")


@pytest.mark.parametrize("ended", [False, True])
def test_a_file_that_is_removed_while_it_is_written_is_told(service, inbox, ended):
    wanted = lines_of(b"a", 5)
    running = service()
    with (inbox / "a").open("wb", 0) as file:
        file.write(b"".join(wanted))
        assert has(running, wanted)
        (inbox / "a").unlink()
        if ended:
            file.close()
        code, _, errors = running.end()
    told = b"" if ended else (
        b"trace2 collect: in/a: was moved or removed, and its process may not have "
        b"ended, so what it wrote since may be lost\n"
        b"trace2 collect: 1 events were dropped in all\n")
    assert (code, errors) == (0 if ended else 1, told)


def test_files_of_git_are_read(service, inbox, short_dir):
    if not shutil.which("git"):
        pytest.skip("no git (git)")
    running = service("--check", "set-aside")
    environment = {**os.environ, "GIT_TRACE2_EVENT": str(inbox)}
    for _ in range(5):
        subprocess.run(["git", "version"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
    wanted = [line for path in inbox.iterdir()
              for line in path.read_bytes().splitlines(True)]
    assert len(wanted) >= 20
    assert has(running, wanted)
    assert running.end()[0] == 0


def test_a_restart_reads_on_where_the_last_run_stopped(service, inbox):
    (inbox / "one").write_bytes(b"1\n2\nha")
    running = service()
    assert has(running, [b"1\n", b"2\n"])
    running.end()
    with (inbox / "one").open("ab") as file:
        file.write(b"lf\n")
    (inbox / "two").write_bytes(b"3\n")
    running.begin()
    assert has(running, [b"1\n", b"2\n", b"half\n", b"3\n"])
    running.end()


def test_a_copy_of_a_file_that_was_cut_while_no_service_ran_is_read_on(
        service, inbox):
    lines = lines_of(b"a", 40)
    (inbox / "log").write_bytes(b"".join(lines[:20]))
    running = service()
    assert has(running, lines[:20])
    running.end()
    (inbox / "log.1").write_bytes(b"".join(lines[:25]))
    os.truncate(inbox / "log", 0)
    (inbox / "log").write_bytes(b"".join(lines[25:]))
    running.begin()
    assert has(running, lines)
    assert running.end()[::2] == (0, b"")


def test_a_file_cut_while_no_service_ran_is_reported_without_a_copy(
        service, inbox):
    lines = lines_of(b"a", 40)
    (inbox / "log").write_bytes(b"".join(lines[:20]))
    running = service()
    assert has(running, lines[:20])
    running.end()
    os.truncate(inbox / "log", 0)
    (inbox / "log").write_bytes(b"".join(lines[20:]))
    running.begin()
    assert has(running, lines)
    assert b"/log: was cut, and no copy was found" in running.end()[2]


def test_a_copy_of_what_was_read_is_not_read_again_without_a_message(
        service, inbox):
    lines = lines_of(b"a", 300)
    (inbox / "log").write_bytes(b"".join(lines))
    running = service()
    assert has(running, lines)
    (inbox / "copy").write_bytes(b"".join(lines[:200]))
    os.truncate(inbox / "log", 0)
    assert until(lambda: len(running.lines(".log*")) == 500)
    assert b"/copy: begins as another file that was read" in running.end()[2]


@pytest.mark.parametrize("magic", [b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd",
                                   b"\xfd7zXZ\0", b"BZh91AY"])
def test_a_compressed_file_is_told_once_and_not_read(magic, service, inbox):
    (inbox / "log.1.gz").write_bytes(magic + b"\n1\n2\n")
    (inbox / "log").write_bytes(b"3\n")
    running = service()
    assert has(running, [b"3\n"])
    with (inbox / "log.1.gz").open("ab") as file:
        file.write(b"4\n")
    time.sleep(1.1)
    code, _, errors = running.end()
    assert has(running, [b"3\n"])
    assert (code, errors.count(b": is compressed, so it is not read\n")) == (0, 1)


@pytest.mark.long("kills a service many times")
def test_a_kill_between_reads_loses_and_repeats_no_line(service, inbox):
    running = service()
    wanted = []
    for run in range(8):
        for name in ("a", "b"):
            with (inbox / name).open("ab") as file:
                lines = lines_of(b"%s%d" % (name.encode(), run), 50)
                file.write(b"".join(lines))
                wanted += lines
        assert has(running, wanted)
        positions = running.spool / "watched"
        assert until(lambda: all(
            re.search(f" {path.stat().st_size} 0 .* in/{path.name}\n",
                      positions.read_text()) for path in inbox.iterdir()))
        running.kill()
        running.begin()
    running.end()
    assert sorted(running.lines(".log*")) == sorted(wanted)


def test_another_file_with_the_same_name_is_read_from_its_begin(service, inbox):
    (inbox / "x").write_bytes(b"first\n")
    running = service()
    assert has(running, [b"first\n"])
    (inbox / "new").write_bytes(b"second, longer\n")
    (inbox / "new").rename(inbox / "x")
    assert until(lambda: b"second, longer\n" in running.lines(".log*"))
    (inbox / "x").write_bytes(b"cut\n")
    assert until(lambda: b"cut\n" in running.lines(".log*"))
    running.end()


def test_links_and_pipes_are_not_read(service, inbox, short_dir):
    (short_dir / "secret").write_bytes(b"secret\n")
    (inbox / "link").symlink_to("../secret")
    os.mkfifo(inbox / "pipe")
    (inbox / ".hidden").write_bytes(b"hidden\n")
    (inbox / "plain").write_bytes(END)
    for path in inbox.iterdir():
        age(path, 90000)
    running = service("--remove")
    assert has(running, [END])
    assert until(lambda: not (inbox / "plain").exists())
    running.end()
    assert {path.name for path in inbox.iterdir()} == {"link", "pipe", ".hidden"}
    assert (short_dir / "secret").read_bytes() == b"secret\n"


def test_a_file_is_removed_when_its_process_has_ended(service, inbox):
    (inbox / "ended").write_bytes(b"1\n" + END)
    (inbox / "running").write_bytes(b"2\n")
    (inbox / "old").write_bytes(b"3\n")
    for name, seconds in (("ended", 5), ("running", 3600), ("old", 90000)):
        age(inbox / name, seconds)
    running = service("--remove")
    assert until(lambda: {p.name for p in inbox.iterdir()} == {"running"})
    with (inbox / "running").open("ab") as file:
        file.write(END)
    assert until(lambda: not list(inbox.iterdir()))
    assert running.end()[0] == 0
    assert sorted(running.lines()) == sorted([b"1\n", b"2\n", b"3\n", END, END])


def test_a_file_stays_until_each_output_has_it(service, inbox, short_dir):
    (inbox / "ended").write_bytes(END)
    age(inbox / "ended", 5)
    running = service("--remove", outputs=("files:logs", "af_unix:stream:reader"))
    assert has(running, [END])
    time.sleep(1.5)  # three looks
    assert (inbox / "ended").exists()
    with listen(short_dir / "reader") as listener:
        with listener.accept()[0] as reader:
            assert reader.recv(100) == END
            assert until(lambda: not (inbox / "ended").exists())
    running.end()


@pytest.mark.parametrize("options, size", [
    ([], 17 << 20),
    (["--redact", "paths"], 9),
])
def test_a_file_of_which_a_line_was_dropped_stays(service, inbox, options, size):
    text = b"y" * size + b"\n"
    (inbox / "dropped").write_bytes(text + END)
    (inbox / "later").write_bytes(END)
    for name in ("dropped", "later"):
        age(inbox / name, 90000)
    for _ in range(2):  # a restart knows it, too
        running = service("--remove", *options)
        assert until(lambda: not (inbox / "later").exists())
        time.sleep(1.2)  # two looks
        assert (inbox / "dropped").read_bytes() == text + END
        assert b"in/dropped: stays, as all files of which a line was dropped" in \
            running.end()[2]
        (inbox / "later").write_bytes(END)
        age(inbox / "later", 90000)


def test_a_file_stays_that_an_output_missed(service, inbox, short_dir):
    missed = f'output_missed_total{{output="{READER}"}} 0\n'
    options = ("--remove", "--spool-limit", "4m")
    for name in "abcd":
        (inbox / name).write_bytes(b"".join([*lines_of(name.encode() * 100, 20000), END]))
        age(inbox / name, 5)
    running = service(*options, outputs=(READER,))
    metrics = running.spool / "metrics.prom"
    assert until(lambda: metrics.exists() and missed not in metrics.read_text() and
                 "output_missed_total" in metrics.read_text())
    time.sleep(1.2)  # two looks
    running.end()
    running = service(*options, outputs=(READER,))

    with listen(short_dir / "reader") as listener, listener.accept()[0] as reader:
        reader.settimeout(1.5)  # three looks
        with contextlib.suppress(TimeoutError):
            while reader.recv(1 << 20):
                pass
    running.end()
    assert list(inbox.iterdir())


def test_the_rest_of_a_file_without_a_line_end_is_taken(service, inbox):
    (inbox / "killed").write_bytes(b"whole\ntorn")
    age(inbox / "killed", 100)
    running = service()
    assert has(running, [b"whole\n", b"torn\n"])
    _, _, errors = running.end()
    assert b"1 events were cut short by their writers" in errors


def test_long_lines_of_files_are_whole_or_dropped(service, inbox):
    long = b"x" * (9 << 20) + b"\n"
    (inbox / "long").write_bytes(b"1\n" + long + b"y" * (17 << 20) + b"\n2\n")
    running = service()
    assert has(running, [b"1\n", long, b"2\n"])
    assert running.end()[2].endswith(b"trace2 collect: 1 events were dropped in all\n")


def test_the_sentinel_of_git_is_told_and_removed(service, inbox):
    sentinel = inbox / "git-trace2-discard"
    sentinel.write_bytes(b'{"event":"too_many_files"}\n')
    age(sentinel, 5)
    running = service("--remove")
    assert until(lambda: not sentinel.exists())
    _, _, errors = running.end()
    assert errors == (b"trace2 collect: in: git writes no more files here: "
                      b"there is git-trace2-discard\n")
    assert running.lines() == [b'{"event":"too_many_files"}\n']


@pytest.mark.long("waits for seconds")
def test_a_directory_may_vanish_and_come_back(service, inbox):
    (inbox / "a").write_bytes(b"1\n")
    running = service()
    assert has(running, [b"1\n"])
    shutil.move(inbox, inbox.with_name("away"))
    time.sleep(1.5)
    send_lines(running.path, [b"meanwhile\n"])
    assert has(running, [b"1\n", b"meanwhile\n"])
    shutil.move(inbox.with_name("away"), inbox)
    (inbox / "b").write_bytes(b"2\n")
    assert has(running, [b"1\n", b"2\n", b"meanwhile\n"])
    assert running.end()[2] == (b"trace2 collect: in: No such file or directory\n"
                                b"trace2 collect: in: can be read again\n")


def test_a_directory_alone_is_enough(execute, trace2, short_dir):
    command = [trace2, "collect", "--check-config", "--spool", "s", "-o", "stdout"]
    assert execute([*command, "--watch", "d"], cwd=short_dir).returncode == 0
    assert execute(command, cwd=short_dir).returncode == 2
    twice = execute([*command, "--watch", "d", "--watch", "d"], cwd=short_dir)
    assert b"this directory is named twice: d" in twice.stderr
    (short_dir / "d").mkdir()
    (short_dir / "link").symlink_to("d")
    for more, reason in ((["--watch", "link"], b"named twice: link"),
                         (["-o", "files:link"], b"for ever: files:link")):
        again = execute([*command, "--watch", "d", *more], cwd=short_dir)
        assert again.returncode == 2 and reason in again.stderr


def test_files_pass_the_filter(service, inbox):
    (inbox / "a").write_bytes(b"https://me:pa55@h/\n")
    running = service("--check", "mark", "--redact", "passwords")
    assert has(running, [b'{"broken":"input.json",'
                         b'"line":"https://me:<REDACTED>@h/"}\n'])
    running.end()


def test_a_directory_is_read_on_when_it_is_renamed(service, inbox, short_dir):
    growing = (inbox / "x").open("ab", 0)
    growing.write(b"".join(lines_of(b"a", 10)))
    running = service()
    wanted = lines_of(b"a", 10)
    assert has(running, wanted)
    inbox.rename(short_dir / "moved")
    growing.write(b"".join(lines_of(b"b", 10)))
    wanted += lines_of(b"b", 10)
    assert has(running, wanted)
    inbox.mkdir()
    (inbox / "x").write_bytes(b"".join(lines_of(b"c", 10)))
    growing.write(b"".join(lines_of(b"d", 10)) + END)
    wanted += lines_of(b"c", 10) + lines_of(b"d", 10) + [END]
    assert has(running, wanted)
    growing.close()
    status, _, stderr = running.end()
    assert status == 0
    assert b"No such file or directory" in stderr


def test_a_directory_that_gets_its_name_back_is_read_once(
        service, inbox, short_dir):
    (inbox / "x").write_bytes(b"".join(lines_of(b"a", 10)))
    running = service()
    wanted = lines_of(b"a", 10)
    assert has(running, wanted)
    inbox.rename(short_dir / "moved")
    inbox.mkdir()
    (inbox / "y").write_bytes(b"".join(lines_of(b"b", 10)))
    wanted += lines_of(b"b", 10)
    assert has(running, wanted)
    inbox.rename(short_dir / "other")
    (short_dir / "moved").rename(inbox)
    for name in (inbox / "x", short_dir / "other" / "y"):
        with name.open("ab") as file:
            file.write(b"".join(lines_of(b"c", 5)))
    wanted += lines_of(b"c", 5) * 2
    assert has(running, wanted)
    assert running.end()[0] == 0
    assert sorted(running.lines()) == sorted(wanted)


def test_many_files_are_read_in_a_few_looks(service, inbox):
    """The CPU time of sixteen looks, each at all files, is far more."""
    for number in range(10_000):
        (inbox / f"{number:05}").write_bytes(b"line %d\n" % number)
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    running = service()
    assert until(lambda: len(running.lines(".log*")) == 10_000)
    assert running.end() == (0, b"", b"")
    assert sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before < 2.5
