"""Outputs of commands that a signal ends: nothing that is not whole is left, an
older output stays, and the process dies of the signal."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from process_kit import await_that, running
from test_convert import process
from validate_kit import log

LOG = log(*process())

# Standard input is a log whose end does not come.
FILES = ["table -o out/a.csv -", "table -o out/a.db --format sqlite -",
         "convert --to chrome - out/a.json", "redact -o out/a.event -"]
DIRECTORIES = ["redact -o out/a one.event - two.event",
               "shard -n 3 -o out/a one.event pipe"]
SIGNALS = pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT,
               signal.SIGALRM, signal.SIGUSR1],
    ids=lambda number: number.name)


@pytest.fixture
def waiting(trace2, scratch, env):
    """waiting(words): the command, which waits for the rest of its input and
    has begun its output; and what it has made."""
    (scratch / "out").mkdir()
    for name in ("one.event", "two.event"):
        (scratch / name).write_bytes(LOG)
    os.mkfifo(scratch / "pipe")

    def begin(words):
        reads, writes = os.pipe()
        os.write(writes, 100 * LOG)
        process = running(trace2, *words.split(), cwd=scratch, env=env,
                          stdin=reads, stderr=subprocess.PIPE)
        return process, writes

    return begin


def find_partial(scratch):
    return [name for name in os.listdir(scratch / "out")
            if name.endswith(".partial")]


@SIGNALS
@pytest.mark.parametrize("words", [*FILES, *DIRECTORIES])
def test_a_signal_leaves_no_part_of_an_output(words, number, waiting, scratch):
    begun, pipe = waiting(words)
    if words in FILES:
        (scratch / "out" / words.split("out/")[1].split()[0]).write_bytes(b"old")
    with begun as running_:
        await_that(lambda: find_partial(scratch))
        if "redact" in words and words in DIRECTORIES:
            part, = find_partial(scratch)
            await_that(lambda: (scratch / "out" / part / "one.event").exists())
        running_.send_signal(number)
        assert running_.wait(10) == -number
    os.close(pipe)
    left = [] if words in DIRECTORIES else [words.split("out/")[1].split()[0]]
    assert os.listdir(scratch / "out") == left
    if left:
        assert (scratch / "out" / left[0]).read_bytes() == b"old"


@pytest.mark.parametrize("words", [*FILES, *DIRECTORIES])
def test_what_a_killed_run_left_does_not_stop_the_next_one(
    words, waiting, execute, trace2, scratch
):
    begun, pipe = waiting(words)
    with begun as running_:
        await_that(lambda: find_partial(scratch))
        running_.kill()
        running_.wait(10)
    os.close(pipe)
    assert len(find_partial(scratch)) == 1
    words = words.replace("pipe", "two.event")
    done = execute([trace2, *words.split()], input=LOG)
    assert done.returncode == 0, done.stderr
    assert "a" in {name.split(".")[0] for name in os.listdir(scratch / "out")}
    assert len(find_partial(scratch)) == 1


@pytest.mark.parametrize("words", [*FILES, *DIRECTORIES])
def test_what_another_run_still_writes_stays(
    words, waiting, execute, trace2, scratch
):
    """So does what has such a name and is no file of a command, or another's."""
    begun, pipe = waiting(words)
    target = words.split("out/")[1].split()[0]
    others = {f"out/{target}.{name}" for name in (
        "7-0", "7.partial", "x7-0.partial", "7-0.partial.gz", "-0.partial")}
    others |= {f"out/x{target}.7-0.partial", "7-0.partial"}
    for name in others:
        (scratch / name).touch()
    os.symlink("nothing", scratch / f"out/{target}.8-0.partial")
    with begun as running_:
        await_that(lambda: len(find_partial(scratch)) == 6)
        begun_names = find_partial(scratch)
        words = words.replace("pipe", "two.event")
        done = execute([trace2, *words.split()], input=LOG)
        assert done.returncode == 0, done.stderr
        # Before it is held, it may be swept; then another one is made.
        assert {name[:-9] for name in find_partial(scratch)} == \
            {name[:-9] for name in begun_names}
        assert all((scratch / name).exists() for name in others)
        if words in FILES:
            os.close(pipe)
            assert running_.wait(10) == 0
    if words in DIRECTORIES:
        os.close(pipe)


@pytest.mark.parametrize("words", FILES)
def test_a_signal_ends_the_first_process_of_a_container(
    words, trace2, scratch, env
):
    """Which no signal ends by default."""
    (scratch / "out").mkdir()
    begin = f"exec unshare -pf --kill-child {trace2} {words}"
    reads, writes = os.pipe()
    os.write(writes, 100 * LOG)
    with running("sh", "-c", begin, cwd=scratch, env=env, stdin=reads,
                 stderr=subprocess.PIPE) as process:
        os.close(reads)
        await_that(lambda: find_partial(scratch) or process.poll() is not None)
        if process.poll() is not None:
            pytest.skip("only root may make a namespace, and not everywhere")
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        os.kill(int(Path(children).read_text()), signal.SIGTERM)
        assert process.wait(10) == 128 + signal.SIGTERM
    os.close(writes)
    assert not os.listdir(scratch / "out")


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "x" * 248],
                         ids=["longest", "utf8", "long"])
def test_a_name_may_be_as_long_as_a_file_can_have(execute, trace2, scratch, name):
    (scratch / "log").write_bytes(LOG)
    (scratch / "out").mkdir()
    want = execute([trace2, "convert", "--to", "fxt", "log", "-"]).stdout
    for old in (b"", b"old"):
        (scratch / "out" / name).write_bytes(old)
        done = execute([trace2, "convert", "--to", "fxt", "log", f"out/{name}"])
        assert (done.returncode, done.stderr) == (0, b"")
        assert (scratch / "out" / name).read_bytes() == want
    assert os.listdir(scratch / "out") == [name]


@pytest.mark.parametrize("size", [240, 244, 247, 248, 255])
def test_rows_are_added_to_a_database_of_a_long_name(execute, trace2, scratch, size):
    """SQLite keeps a journal beside it."""
    (scratch / "log").write_bytes(LOG)
    (scratch / "new").write_bytes(LOG.replace(b'"sid":"', b'"sid":"x'))
    name = "x" * (size - 3) + ".db"
    for words in (["-o", name, "log"], ["-o", name, "--append", "log", "new"]):
        done = execute([trace2, "table", *words])
    told = (b"1 rows of processes that the database has already were left out"
            if size < 248 else b"%s: unable to open database file" % name.encode())
    assert done.returncode == (1 if size < 248 else 3)
    assert done.stderr.splitlines()[0] == b"trace2 table: " + told


@pytest.mark.parametrize("size", range(236, 256, 3))
def test_a_recordings_files_of_a_long_name_do_not_meet(execute, trace2, scratch,
                                                        test_tool, size):
    """Nor do those of two recordings, of which only the names' ends differ."""
    names = ["x" * (size - 5) + f"{n}.fxt" for n in (1, 2)]
    for name in names:
        done = execute([trace2, "record", "-o", name, "--", test_tool, "trace2",
                        "001return", "0"])
        assert done.returncode == 0, done.stderr
    left = set(os.listdir(scratch)) - set(names)
    assert len(left) == 2 and all(name.endswith(".event") for name in left), left
