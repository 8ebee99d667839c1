"""What `convert` and `record` leave of a file that they write: the new one,
complete, or the old one as it was."""

import gzip
import os
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time

import fxt_corpus
import pytest
from process_kit import await_that, running
from test_convert import event, process
from test_record import traced  # noqa: F401
from validate_kit import log

OLD = b"what was there before"
SOUND = fxt_corpus.sound()


@pytest.fixture
def convert(execute, trace2, scratch):
    """convert(*words): its result; `log` is a log, `keep.fxt` is there."""
    (scratch / "log").write_bytes(log(*process()))
    (scratch / "keep.fxt").write_bytes(OLD)
    before = set(os.listdir(scratch))

    def call(*words, left=(), program=trace2, **options):
        result = execute([program, "convert", *words], **options)
        result.stderr = result.stderr.decode()
        assert set(os.listdir(scratch)) == before | set(left)
        return result

    def note():
        before.update(os.listdir(scratch))

    call.note = note
    return call


def make_inputs(scratch):
    (scratch / "empty").mkdir()
    (scratch / "others").mkdir()
    (scratch / "others/a").write_bytes(bytes(48))
    (scratch / "nothing").write_bytes(b"")
    (scratch / "zeros").write_bytes(bytes(48))
    (scratch / "lines").write_bytes(b"[]\n{}\n")
    (scratch / "short.gz").write_bytes(gzip.compress(b"{}\n" * 999)[:12])
    (scratch / "archive.fxt").write_bytes(SOUND["every-event"])


@pytest.mark.parametrize("name", ["nosuch", "empty", "others", "nothing",
                                  "zeros", "lines", "short.gz", "archive.fxt"])
def test_an_output_stays_if_nothing_is_converted(name, convert, scratch):
    make_inputs(scratch)
    convert.note()
    result = convert(name, "keep.fxt")
    assert result.returncode == 3 and name in result.stderr
    assert (scratch / "keep.fxt").read_bytes() == OLD
    assert convert(name, "new.fxt").returncode == 3
    assert convert("--to", "fxt", name, "-").stdout == b""


def test_an_output_is_replaced_as_a_whole(convert, scratch):
    kept = os.open(scratch / "keep.fxt", os.O_RDONLY)
    (scratch / "keep.fxt").chmod(0o640)
    assert convert("log", "keep.fxt").returncode == 0
    assert os.read(kept, 99) == OLD  # whoever reads it can go on
    os.close(kept)
    data = (scratch / "keep.fxt").read_bytes()
    assert data.startswith(b"\x10\0\4FxT\x16\0")
    assert stat.S_IMODE((scratch / "keep.fxt").stat().st_mode) == 0o640
    assert convert("log", "new.fxt", left=["new.fxt"]).returncode == 0
    assert stat.S_IMODE((scratch / "new.fxt").stat().st_mode) == 0o644
    assert (scratch / "new.fxt").read_bytes() == data


@pytest.mark.plain("a sanitizer has the signal first")
def test_a_full_disk_leaves_the_old_output(convert, scratch):
    with open(scratch / "log", "ab") as file:
        for i in range(20000):
            file.write(log(event("data", i, key="k", value="v" * 90)))
    for limit in (0, 4096, 300_000):
        result = convert("log", "keep.fxt", preexec_fn=lambda: (
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
        assert result.returncode == 3
        assert "keep.fxt: File too large" in result.stderr
        assert (scratch / "keep.fxt").read_bytes() == OLD


@pytest.mark.plain("a sanitizer needs more")
def test_a_lack_of_memory_leaves_the_old_output(convert, scratch):
    with open(scratch / "log", "ab") as file:
        for i in range(100_000):
            file.write(log(event("data", i, key="k", value="v" * 90)))
    for limit in (15_000_000, 20_000_000, 25_000_000):
        result = convert("--to", "chrome", "log", "keep.fxt",
                         preexec_fn=lambda: resource.setrlimit(
                             resource.RLIMIT_AS, (limit, limit)))
        assert result.returncode == 3
        assert "trace2: out of memory\n" in result.stderr
        assert (scratch / "keep.fxt").read_bytes() == OLD


def test_a_link_to_an_output_stays_a_link(convert, scratch):
    (scratch / "far").mkdir()
    (scratch / "far/target.fxt").write_bytes(OLD)
    (scratch / "near.fxt").symlink_to("far/target.fxt")
    (scratch / "next.fxt").symlink_to("near.fxt")
    (scratch / "new.fxt").symlink_to("far/new.fxt")
    (scratch / "loop.fxt").symlink_to("loop.fxt")
    (scratch / "out.fxt").symlink_to("/dev/stdout")
    convert.note()
    data = convert("log", "out.fxt").stdout
    assert convert("log", "next.fxt").returncode == 0
    assert convert("log", "new.fxt").returncode == 0
    assert (scratch / "next.fxt").is_symlink()
    assert (scratch / "far/target.fxt").read_bytes() == data
    assert (scratch / "far/new.fxt").read_bytes() == data
    assert "symbolic links" in convert("log", "loop.fxt").stderr
    assert sorted(os.listdir(scratch / "far")) == ["new.fxt", "target.fxt"]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "-",
                                  "/proc/self/fd/1"])
def test_a_descriptor_is_written_as_it_is(name, convert, scratch):
    want = convert("--to", "fxt", "log", "-").stdout
    with open(scratch / "keep.fxt", "r+b") as file:
        file.seek(len(OLD))
        convert("--to", "fxt", "log", name, stdout=file)
    assert (scratch / "keep.fxt").read_bytes() == OLD + want


def test_a_fifo_and_a_device_are_written_as_they_are(convert, scratch):
    os.mkfifo(scratch / "fifo.fxt")
    convert.note()
    got = []
    reader = threading.Thread(
        target=lambda: got.append((scratch / "fifo.fxt").read_bytes()))
    reader.start()
    assert convert("log", "fifo.fxt").returncode == 0
    reader.join()
    assert got == [convert("--to", "fxt", "log", "-").stdout]
    assert convert("--to", "fxt", "log", "/dev/null").returncode == 0
    assert os.path.exists("/dev/null")
    for name, why in ((".", "Is a directory"), ("no/", "No such file"),
                      ("log/x", "Not a directory"),
                      ("x" * 256, "File name too long"),
                      ("/dev/fd/77", "Bad file descriptor")):
        result = convert("--to", "fxt", "log", name)
        assert (result.returncode, why in result.stderr) == (3, True)


def test_an_output_that_is_read_is_not_overwritten(convert, scratch):
    (scratch / "in").mkdir()
    (scratch / "in/a.log").write_bytes(log(*process()))
    (scratch / "in/b.json").write_bytes(log(*process()))
    convert.note()
    result = convert("in", "in/b.json")
    assert result.returncode == 2
    assert "would overwrite what it reads: in/b.json" in result.stderr
    assert (scratch / "in/b.json").read_bytes() == log(*process())
    with open(scratch / "log") as file:
        result = convert("--to", "fxt", "-", "log", stdin=file)
    assert result.returncode == 2
    for name in ("in/b.json", "in/c.fxt"):
        (scratch / "in/b.json").unlink()
        for _ in range(2):  # what it wrote is no input the second time
            assert convert("in", name).returncode == 0
        (scratch / "in/b.json").touch()
    assert sorted(os.listdir(scratch / "in")) == ["a.log", "b.json", "c.fxt"]


def test_a_fifo_does_not_feed_itself(convert, scratch):
    os.mkfifo(scratch / "fifo.fxt")
    convert.note()
    both = os.open(scratch / "fifo.fxt", os.O_RDWR)
    os.write(both, log(*process()))
    result = convert("fifo.fxt", "fifo.fxt", timeout=20)
    os.close(both)
    assert result.returncode == 2
    assert "would overwrite what it reads: fifo.fxt" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM,
                                    signal.SIGHUP])
def test_a_signal_removes_what_is_not_complete(number, trace2, scratch, env):
    (scratch / "keep.fxt").write_bytes(OLD)
    with running(trace2, "convert", "-", "keep.fxt", cwd=scratch, env=env,
                 stdin=subprocess.PIPE) as process_:
        process_.stdin.write(log(*process()) * 2000)
        process_.stdin.flush()
        await_that(lambda: len(os.listdir(scratch)) == 2)
        process_.send_signal(number)
        assert process_.wait(60) == -number
    assert os.listdir(scratch) == ["keep.fxt"]
    assert (scratch / "keep.fxt").read_bytes() == OLD


def test_a_place_that_may_not_be_written_is_told(convert, scratch, short_dir,
                                                 trace2):
    if os.getuid():
        pytest.skip("needs root to be another user")
    short_dir.chmod(0o755)  # the clone may be closed to others
    program = shutil.copy(trace2, short_dir)
    os.chmod(program, 0o755)
    (scratch / "keep.fxt").chmod(0o666)
    scratch.chmod(0o755)
    other = {"user": 65534, "group": 65534, "extra_groups": [],
             "program": program}
    result = convert("--to", "fxt", "-", "keep.fxt", **other,
                     input=log(*process()))
    assert result.returncode == 3
    assert result.stderr == ("trace2 convert: keep.fxt: cannot create a file "
                             "beside it: Permission denied\n")
    scratch.chmod(0o777)
    (scratch / "keep.fxt").chmod(0o644)
    result = convert("--to", "fxt", "-", "keep.fxt", **other,
                     input=log(*process()))
    assert result.stderr == "trace2 convert: keep.fxt: Permission denied\n"
    assert (scratch / "keep.fxt").read_bytes() == OLD


# Recordings


@pytest.fixture
def record(execute, trace2, scratch, short_dir):
    """record(*words, code): its standard error. keep.fxt is there before and
    nothing else after; the private manager leaves nothing either."""
    (scratch / "keep.fxt").write_bytes(OLD)

    def call(*words, code=1, left=(), **options):
        names = {"TMPDIR": str(short_dir), "TRACE_MANAGER": None,
                 "XDG_RUNTIME_DIR": None}
        done = execute([trace2, "record", "--output", "keep.fxt", *words],
                       env=names, **options)
        assert done.returncode == code, done.stderr
        assert sorted(os.listdir(scratch)) == ["keep.fxt", *left]
        assert not list(short_dir.iterdir())
        return done.stderr.decode()

    return call


def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("words", [
    [], ["--socket", "nosuch"], ["--", "/nonexistent/command"],
    ["--socket", "nosuch", "--", "true"],
])
def test_a_recording_that_cannot_begin_leaves_its_output(
    words, record, scratch
):
    record(*words, code=127 if "/nonexistent/command" in words else 1)
    assert (scratch / "keep.fxt").read_bytes() == OLD


@pytest.mark.linked
def test_a_recording_goes_into_a_fifo_whose_reader_is_late(
    trace2, scratch, env, short_dir, traced
):
    os.mkfifo(scratch / "fifo")
    with running(trace2, "record", "--output", "fifo", "--", traced, "events",
                 "5", cwd=scratch, env={**env, "TMPDIR": str(short_dir)},
                 stderr=subprocess.DEVNULL) as process_:
        time.sleep(0.2)
        data = (scratch / "fifo").read_bytes()
        assert process_.wait(30) == 0
    assert data.startswith(b"\x10\0\4FxT\x16\0")


@pytest.mark.linked
def test_a_recording_whose_reader_goes_away_leaves_nothing(
    trace2, scratch, env, short_dir, traced
):
    with running(trace2, "record", "--buffer-size", "64K", "--output", "-",
                 "--", traced, "paced", "20000", cwd=scratch,
                 env={**env, "TMPDIR": str(short_dir)}, stdout=subprocess.PIPE,
                 stderr=subprocess.PIPE) as process_:
        assert process_.stdout.read(8) == b"\x10\0\4FxT\x16\0"
        process_.stdout.close()
        assert process_.wait(60) == 1
        assert b"trace2 record: -: Broken pipe" in process_.stderr.read()
    assert not list(short_dir.iterdir())


def test_a_recorded_program_has_the_signals_of_its_parent(record):
    """SIGPIPE (bit 12) and SIGTERM are not blocked."""
    blocked = "grep -q '^SigBlk:[^1-9a-f]*$' /proc/self/status && exit 9"
    record("--", "sh", "-c", blocked, code=9)


@pytest.mark.linked
def test_a_buffer_that_cannot_be_made_is_a_failure(record, scratch, traced):
    said = record("--buffer-size", "2G", "--", traced, "events", "5",
                  preexec_fn=lambda: limit_files(1 << 30))
    assert "its buffer is larger than the limit on the size of files" in said
    assert (scratch / "keep.fxt").read_bytes() == OLD
    record("--buffer-size", "2G", "--", traced, "events", "5", "7", code=7,
           preexec_fn=lambda: limit_files(1 << 30))


@pytest.mark.linked
def test_a_recording_that_finds_no_room_keeps_what_came(
    record, scratch, traced, validate
):
    said = record("--buffer-size", "16K", "--", traced, "paced", "200000",
                  left=["keep.fxt.partial"],
                  preexec_fn=lambda: limit_files(20000))
    assert "keep.fxt: File too large" in said
    assert "what came until then is in: keep.fxt.partial" in said
    assert (scratch / "keep.fxt").read_bytes() == OLD
    partial = scratch / "keep.fxt.partial"
    assert 10000 < partial.stat().st_size <= 20000
    found = validate("--ignore", "fxt.async,fxt.duration", partial)
    assert found.returncode == 0, found.stdout


@pytest.mark.linked
def test_a_recording_whose_name_is_taken_meanwhile_is_kept(
    record, scratch, traced
):
    said = record("--output", "new.fxt", "--", "sh", "-c",
                  'mkdir new.fxt; exec "$@"', "sh", traced, "events", "5",
                  left=["new.fxt", "new.fxt.partial"])
    assert "new.fxt: Is a directory" in said
    assert "the archive is in: new.fxt.partial" in said
    assert (scratch / "new.fxt.partial").stat().st_size > 100


def test_a_log_whose_name_is_taken_meanwhile_is_kept(record, scratch):
    said = record("--output", "new.event", "--", "sh", "-c",
                  "mkdir new.event; exec git version",
                  left=["new.event", "new.event.partial"])
    assert "new.event: Is a directory" in said
    assert "the events are in: new.event.partial" in said
    assert "cmd_name" in (scratch / "new.event.partial").read_text()


@pytest.mark.linked
def test_a_recording_is_put_in_place_at_its_end(record, scratch, traced,
                                                validate):
    (scratch / "keep.fxt").chmod(0o600)
    record("--", traced, "events", "5", code=0)
    assert validate(scratch / "keep.fxt").returncode == 0
    assert stat.S_IMODE((scratch / "keep.fxt").stat().st_mode) == 0o600


@pytest.mark.linked
def test_a_recorder_that_is_killed_leaves_whole_records(
    trace2, traced, scratch, env, validate, record, short_dir
):
    partial = scratch / "keep.fxt.partial"
    with running(trace2, "record", "--output", "keep.fxt", "--buffer-size",
                 "64K", "--", traced, "paced", "1000000", cwd=scratch,
                 env={**env, "TMPDIR": str(short_dir)}, stderr=subprocess.DEVNULL) as process_:
        await_that(lambda: partial.exists() and partial.stat().st_size > 20000)
        # Not in the middle of a write(2), which the kernel would cut.
        process_.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process_.pid, os.WSTOPPED)
        process_.kill()
        process_.wait()
    left = list(short_dir.iterdir())  # of its private manager, and stays
    assert left
    for place in left:
        shutil.rmtree(place)
    found = validate("--fail-on", "error", "--ignore", "fxt.async,fxt.duration",
                     partial)
    assert found.returncode == 0, found.stdout
    assert (scratch / "keep.fxt").read_bytes() == OLD
    size = partial.stat().st_size
    said = record("--", "true",
                  left=["keep.fxt.1.partial", "keep.fxt.event.1.partial"])
    assert "earlier recording left is now in: keep.fxt.1.partial" in said
    assert (scratch / "keep.fxt.1.partial").stat().st_size == size


@pytest.mark.parametrize("signo", [signal.SIGTERM, signal.SIGINT])
def test_a_fifo_without_a_reader_is_waited_for_until_a_signal(
    trace2, short_dir, scratch, env, signo
):
    """The command is not started, and nothing is left."""
    os.mkfifo(scratch / "fifo")
    with subprocess.Popen(
        [trace2, "record", "--output", scratch / "fifo", "--", "touch",
         scratch / "begun"],
        env={**env, "TMPDIR": str(short_dir)},
    ) as done:  # fmt: skip
        time.sleep(0.3)
        assert done.poll() is None
        done.send_signal(signo)
        assert done.wait(5) == -signo
    assert sorted(p.name for p in scratch.iterdir()) == ["fifo"]
    assert not list(short_dir.iterdir())


SIGNAL_AFTER_OPEN = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

static int open_and_raise(const char *name, const char *path, int flags,
			  int mode)
{
	int (*real)(const char *, int, ...);
	int fd;

	*(void **)&real = dlsym(RTLD_NEXT, name);
	fd = real(path, flags, mode);
	if (strstr(path, ".partial"))
		raise(SIGTERM);
	return fd;
}

int open(const char *path, int flags, int mode)
{
	return open_and_raise("open", path, flags, mode);
}

int open64(const char *path, int flags, int mode)
{
	return open_and_raise("open64", path, flags, mode);
}
"""


@pytest.mark.parametrize("out", ["keep.fxt", "new.fxt"])
def test_a_signal_right_after_the_file_is_made_leaves_nothing(
    out, convert, scratch, short_dir, execute
):
    (scratch / "open.c").write_text(SIGNAL_AFTER_OPEN)
    library = short_dir / "open.so"  # a list of these is divided at blanks
    made = execute(["cc", "-shared", "-fPIC", "-o", library, "open.c", "-ldl"])
    assert made.returncode == 0, made.stderr
    convert.note()
    preload = {**os.environ, "LD_PRELOAD": str(library)}
    result = convert("log", out, env=preload)
    assert result.returncode == -signal.SIGTERM
    assert (scratch / "keep.fxt").read_bytes() == OLD
