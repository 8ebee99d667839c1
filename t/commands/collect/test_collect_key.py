"""The key of placeholders of `trace2 collect`: of a file, or made in the spool."""

import errno
import os
import subprocess
import threading
import time

import pytest
from collect_kit import Service, send_lines
from faults_kit import PLAIN, faults  # noqa: F401

SIZE = "a key has 16 to 4096 bytes, expected another one"


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): one that hides paths, and has not begun."""
    made = []

    def make(*options):
        made.append(Service(trace2, short_dir, ["-o", "stdout", "--redact", "paths",
                                                *options]))
        made[-1].spool.mkdir(exist_ok=True)
        return made[-1]

    yield make
    for one in made:
        if one.process:
            one.kill()


def is_served(running):
    """One that has begun, and ends well."""
    send_lines(running.begin().path, [b"{}\n"])
    return running.end()[0] == 0


def failure_of(running):
    running.begin(reached=False)
    code, _, errors = running.wait()
    assert code == 3
    return errors.decode().removeprefix("trace2 collect: ").removesuffix("\n")


@pytest.mark.parametrize("size", [16, 4096])
def test_a_key_of_16_to_4096_bytes_serves(service, short_dir, size):
    (short_dir / "key").write_bytes(b"k" * size)
    assert is_served(service("--redact-key", "key"))


@pytest.mark.parametrize("size", [0, 15, 4097])
def test_a_key_of_fewer_or_more_bytes_is_refused(service, short_dir, size):
    (short_dir / "key").write_bytes(b"k" * size)
    assert failure_of(service("--redact-key", "key")) == f"{SIZE}: key"


def test_a_key_that_is_not_there_is_named_and_none_is_made(service, short_dir):
    assert failure_of(service("--redact-key", "missing")) == \
        "No such file or directory: missing"
    assert failure_of(service("--redact-key", ".")) == "Is a directory: ."
    assert not (short_dir / "missing").exists()
    assert not (short_dir / "spool/redact.key").exists()


def test_a_key_is_made_once_of_random_bytes_for_its_owner_only(service):
    keys = []
    for _ in range(2):
        running = service()
        (running.spool / "redact.partial").write_text("left behind")
        (running.spool / "redact.key").unlink(missing_ok=True)
        before = os.umask(0)
        assert is_served(running)
        os.umask(before)
        keys.append((running.spool / "redact.key").read_bytes())
        assert (running.spool / "redact.key").stat().st_mode & 0o777 == 0o600
        assert not (running.spool / "redact.partial").exists()
    assert len(keys[0]) == len(keys[1]) == 32 and keys[0] != keys[1]
    assert is_served(running)
    assert (running.spool / "redact.key").read_bytes() == keys[1]


def test_a_damaged_key_of_the_spool_is_named_and_not_replaced(service):
    running = service()
    (running.spool / "redact.key").write_text("short")
    (running.spool / "redact.key").chmod(0o600)
    assert failure_of(running) == f"{SIZE}: {running.spool}/redact.key"
    assert (running.spool / "redact.key").read_text() == "short"


def test_a_directory_where_a_key_is_to_be_made_is_named(service):
    running = service()
    (running.spool / "redact.partial").mkdir()
    assert failure_of(running) == f"Is a directory: {running.spool}/redact.partial"


@PLAIN
@pytest.mark.parametrize("fails, number", [
    ("FAIL_SYNC", errno.EIO), ("WRITE_MOST", 16), ("FAIL_RENAME", errno.EROFS)])
def test_a_key_that_may_not_be_on_the_disk_is_none(service, faults, fails, number):
    """Nor is half of one, nor one without its name."""
    running = service()
    running.environment = faults(**{fails: number})
    why = os.strerror(errno.ENOSPC if number == 16 else number)
    assert failure_of(running) == f"{why}: {running.spool}/redact.key"
    assert not list(running.spool.glob("redact*"))


def test_a_key_may_come_bit_by_bit(service, short_dir):
    os.mkfifo(short_dir / "key")

    def write():
        with open(short_dir / "key", "wb", buffering=0) as pipe:
            for _ in range(4):
                pipe.write(b"0123456789")
                time.sleep(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    assert is_served(service("--redact-key", "key"))
    writer.join()


def test_a_key_is_made_and_read_where_standard_input_is_closed(trace2, short_dir):
    for words in ([], ["--redact-key", "spool/redact.key"]):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" <&-', "sh", "timeout", "0.5", trace2, "collect",
             "--spool", "spool", "-l", "af_unix:stream:s", "-o", "stdout", "--redact",
             "paths", *words], cwd=short_dir, capture_output=True)
        assert (done.returncode, done.stderr) == (124, b"")
    assert len((short_dir / "spool/redact.key").read_bytes()) == 32
