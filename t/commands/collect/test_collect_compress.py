"""`trace2 collect --compress`: files that are complete end in .log.gz."""

import ctypes
import gzip
import threading

import pytest
from collect_kit import Service, connect, lines_of, send_lines, until


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): a running service; it is ended after the test."""
    made = []

    def begin(*options):
        options = ["-o", "files:logs", "--compress", *options]
        made.append(Service(trace2, short_dir, options))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def unpack(running):
    texts = [gzip.decompress(log.read_bytes()) for log in running.logs(".log.gz")]
    return b"".join(texts).splitlines(keepends=True)


def names(running):
    return sorted(path.name[8:] for path in (running.scratch / "logs").iterdir())


def make_killed(running, lines):
    """A service that was killed while it wrote a file. Returns the file."""
    send_lines(running.path, lines)
    assert until(lambda: running.lines(".partial") == lines)
    running.kill()
    return running.logs(".partial")[0]


def name_compressed(running, partial):
    """Let the position say that the compressed file is whole."""
    name = partial.name.removesuffix(".partial")
    position = next(running.spool.glob("*.position"))
    text = position.read_text()
    assert name in text
    position.write_text(text.split("\n")[0].replace(name, name + ".gz") + "\n")
    return partial.with_name(name + ".gz")


def unpack_zstd(content, room=1 << 24):
    library = ctypes.CDLL("libzstd.so.1")  # which the command needs anyway
    library.ZSTD_decompress.restype = ctypes.c_size_t
    back = ctypes.create_string_buffer(room)
    size = library.ZSTD_decompress(back, ctypes.c_size_t(room), content,
                                   ctypes.c_size_t(len(content)))
    assert size <= room, "not whole"
    return back.raw[:size]


def unpack_logs(running):
    texts = [unpack_zstd(log.read_bytes()) for log in running.logs(".log.zst")]
    return b"".join(texts).splitlines(keepends=True)


def test_a_complete_file_may_be_compressed_by_zstd(service):
    running = service("--compress=zstd", "--file-size", "100k")
    send_lines(running.path, lines_of(b"a", 9000))
    assert running.end() == (0, b"", b"")
    assert len(running.logs(".log.zst")) > 1
    assert {name[-8:] for name in names(running)} == {".log.zst"}
    assert unpack_logs(running) == lines_of(b"a", 9000)


def test_a_kill_after_a_file_of_zstd_is_whole_repeats_nothing(service):
    running = service("--compress=zstd")
    partial = make_killed(running, [b"one\n"])
    name = partial.name.removesuffix(".partial")
    packed = partial.with_name(name + ".zst.partial")
    running.begin()
    assert running.end()[0] == 0
    whole = running.logs(".log.zst")[0]
    content = whole.read_bytes()
    assert unpack_zstd(content) == b"one\n"
    # As if it had been killed before the file got its name.
    whole.rename(packed)
    partial.write_bytes(b"one\n")
    position = next(running.spool.glob("*.position"))
    numbers = position.read_text().split()[:4]
    position.write_text(" ".join([*numbers, name + ".zst"]) + "\n")
    running.begin()
    send_lines(running.path, [b"two\n"])
    assert running.end()[0] == 0
    assert unpack_logs(running) == [b"one\n", b"two\n"]
    assert not partial.exists()
    assert not packed.exists()


def test_an_unknown_format_is_refused(service):
    running = service("--compress=off")
    send_lines(running.path, [b"one\n"])
    running.end()
    assert running.lines(".log") == [b"one\n"]
    done = running.run("--compress=xz")
    assert done.returncode == 2
    assert b"compress needs off, gzip or zstd, not 'xz'\n" in done.stderr


def test_a_complete_file_is_compressed(service, execute, trace2):
    running = service()
    send_lines(running.path, lines_of(b"a", 5000))
    assert running.end() == (0, b"", b"")
    assert names(running) == ["-000001.log.gz"]
    assert unpack(running) == lines_of(b"a", 5000)
    size = running.logs(".log.gz")[0].stat().st_size
    assert size < sum(map(len, lines_of(b"a", 5000))) / 4


def test_each_file_is_compressed_when_the_next_one_begins(service):
    running = service("--file-size", "10k")
    for part in range(5):
        some = lines_of(b"p%d" % part, 400)
        send_lines(running.path, some)
        assert until(lambda last=some[-1]: last in
                     unpack(running) + running.lines(".partial"))
    assert len(running.logs(".log.gz")) > 2
    running.end()
    assert all(name.endswith(".log.gz") for name in names(running))
    assert unpack(running) == [line for part in range(5)
                               for line in lines_of(b"p%d" % part, 400)]


def test_a_kill_before_the_compressed_file_is_whole_loses_nothing(service):
    running = service()
    partial = make_killed(running, [b"one\n"])
    half = partial.with_name(partial.name.replace(".log", ".log.gz"))
    half.write_bytes(gzip.compress(b"o" * 100000)[:60])
    running.begin()
    send_lines(running.path, [b"two\n"])
    running.end()
    assert names(running) == ["-000001.log.gz"]
    assert unpack(running) == [b"one\n", b"two\n"]


@pytest.mark.parametrize("step", ["whole", "named"])
def test_a_kill_after_the_compressed_file_is_whole_repeats_nothing(service, step):
    """The service was killed before the file got its name, or after that."""
    running = service()
    partial = make_killed(running, [b"one\n"])
    path = name_compressed(running, partial)
    whole = path.with_name(path.name + ".partial")
    whole.write_bytes(gzip.compress(b"one\n"))
    if step == "named":
        whole.rename(path)
    running.begin()
    send_lines(running.path, [b"two\n"])
    running.end()
    assert names(running) == ["-000001.log.gz", "-000002.log.gz"]
    assert unpack(running) == [b"one\n", b"two\n"]


def test_a_name_that_a_stranger_has_taken_stays_his(service):
    running = service()
    send_lines(running.path, [b"one\n"])
    assert until(lambda: running.lines(".partial") == [b"one\n"])
    taken = running.logs(".partial")[0].with_suffix(".gz")
    taken.write_bytes(b"his")
    running.end()
    assert taken.read_bytes() == b"his"
    assert running.lines(".log.partial") == [b"one\n"]


def test_a_file_that_cannot_be_compressed_stays_as_it_is(service):
    """A directory has the name that the compressed file would have."""
    running = service()
    send_lines(running.path, [b"one\n"])
    assert until(lambda: running.lines(".partial") == [b"one\n"])
    partial = running.logs(".partial")[0]
    partial.with_name(partial.name.replace(".log", ".log.gz")).mkdir()
    assert running.end() == (0, b"", b"")
    assert running.lines() == [b"one\n"]


@pytest.mark.long("kills a service many times")
def test_kills_leave_no_half_file_under_a_final_name(service):
    running = service("--file-size", "20k")
    number = 0
    for turn in range(25):
        writer = connect(running.path)
        stop = threading.Timer(0.003 * turn, running.kill)
        stop.start()
        try:
            while True:
                writer.sendall(b'{"n":%08d}\n' % number)
                number += 1
        except OSError:
            number += 1
        stop.join()
        unpack(running)  # each is whole
        running.begin()
    running.end()
    got = [int(line[5:13]) for line in unpack(running)]
    assert got == sorted(set(got))
    assert running.logs(".log") == []
    # A kill while a file is created leaves it, and it is empty.
    assert [p for p in running.logs(".log.partial") if p.stat().st_size] == []
