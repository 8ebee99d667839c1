"""Files of the FXT and Chrome targets, and what others do to them."""

import json
import os
import resource
import subprocess

import pytest
from kit import fxt

LEVELS = 5000
COUNT = 3 * LEVELS  # events of their category
FULL = [49152, 65536, 131072, 262144, 300000]


@pytest.fixture
def traced(run, scratch):
    """traced(target, ...): a program of so many events, with a log."""

    def call(target, path, **options):
        env = {f"GIT_TRACE2_{target}": str(path), "GIT_TRACE2_DST_DEBUG": "1",
               "GIT_TRACE2_EVENT": str(scratch / "log")}
        return run("500region_nested", str(LEVELS), env=env, **options)

    return call


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.fixture
def full_disk(scratch):
    """full_disk(size): a directory on a file system of so many bytes."""
    mounted = []

    def mount(size):
        path = scratch / f"disk{size}"
        path.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", path]
        if os.geteuid() or subprocess.run(command).returncode:
            pytest.skip("only root may mount a small file system")
        mounted.append(path)
        return path

    yield mount
    for path in mounted:
        subprocess.run(["umount", path], check=True)


def kept_fxt(path):
    return sum(r.category == "nest" for r in fxt.records(path.read_bytes()))


def kept_chrome(path):
    events = json.loads(path.read_text().rstrip("]\n") + "]")
    return sum(e.get("cat") == "nest" for e in events)


KEPT = {"FXT": kept_fxt, "CHROME": kept_chrome}


def lost(scratch, done):
    """How many events the warning and the EVENT target's log report."""
    said = done.stderr.decode().partition("events dropped: ")[2].split()
    events = map(json.loads, (scratch / "log").read_text().splitlines())
    told = [e["msg"] for e in events if e["event"] == "error"]
    assert told == [f"trace2: events dropped: {said[0]}"]
    return int(said[0])


def check_losses(target, path, scratch, done, room):
    kept, dropped = KEPT[target](path), lost(scratch, done)
    assert done.returncode == 0
    assert f"{target}".encode() in done.stderr
    assert kept * 130 > room - 65536 and kept > 100
    # All but version, start and the like are regions.
    assert COUNT <= kept + dropped <= COUNT + 10


@pytest.mark.parametrize("target", KEPT)
@pytest.mark.parametrize("size", FULL)
def test_a_full_disk_keeps_what_fits_and_counts_the_rest(
        traced, scratch, full_disk, target, size):
    path = full_disk(size) / "t"
    check_losses(target, path, scratch, traced(target, path), size)


@pytest.mark.plain("a sanitizer delivers SIGXFSZ late")
@pytest.mark.parametrize("size", FULL)
def test_a_limit_on_files_keeps_what_fits_and_counts_the_rest(
        traced, scratch, size):
    path = scratch / "t"
    done = traced("FXT", path, preexec_fn=limit_files(size))
    kept = kept_fxt(path)
    dropped = int(done.stderr.decode().partition("dropped: ")[2].split()[0])
    assert kept * 130 > size - 65536 and kept > 100
    assert dropped >= COUNT - kept
