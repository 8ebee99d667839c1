"""Services of `trace2 collect` that read the files that others of them write."""

import os
import time

import pytest
from collect_kit import Service, until

NOTE = "user.trace2.collected"
TOLD = (b": files of another service are not read: it passes on what this one "
        b"has written, so events would come for ever\n")


@pytest.fixture
def service(trace2, short_dir):
    """service(name, reads, writes): a running one."""
    made = []
    try:
        os.setxattr(short_dir, NOTE, b"")
    except OSError:
        pytest.skip("this disk has no extended attributes")

    def begin(name, reads, writes):
        for directory in filter(None, (name, reads)):
            (short_dir / directory).mkdir(exist_ok=True)
        watch = ["--watch", f"../{reads}"] if reads else []
        made.append(Service(trace2, short_dir / name, [
            *watch, "-o", f"files:../{writes}"]))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def find_lines(directory):
    """Of all files of services there, unless one gets its name just now."""
    try:
        return sorted(b"".join(path.read_bytes() for path in directory.iterdir()
                               if path.name.startswith("20")).splitlines())
    except FileNotFoundError:
        return []


def has_list(directory):
    return until(lambda: directory.exists() and NOTE in os.listxattr(directory))


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_a_ring_passes_each_event_on_once(service, short_dir, names):
    ring = list(zip(names, names[1:] + names[0], strict=True))
    running = [service(f"run-{one}", one, other) for one, other in ring]
    for one in names:
        (short_dir / one / f"log-{one}").write_bytes(b'"%s"\n' % one.encode())
    for one, other in ring:
        assert until(lambda one=one, other=other: b'"%s"' % one.encode()
                     in find_lines(short_dir / other))
    time.sleep(2)  # several looks
    for end in names:
        lines = find_lines(short_dir / end)
        assert len(lines) == len(set(lines))
    done = [one.end() for one in running]
    assert sum(errors.count(TOLD) for _, _, errors in done) >= 1
    assert {code for code, _, _ in done} <= {0, 1}


def test_a_service_that_closes_a_ring_later_reads_what_others_write(
        service, short_dir):
    """Only the files of services are left out, in that directory."""
    first = service("run-a", "a", "b")
    (short_dir / "a/log-1").write_bytes(b"1\n")
    assert until(lambda: find_lines(short_dir / "b") == [b"1"])
    assert has_list(short_dir / "b")
    second = service("run-b", "b", "a")
    assert until(lambda: find_lines(short_dir / "a") == [b"1"])
    (short_dir / "a/log-2").write_bytes(b"2\n")
    assert until(lambda: find_lines(short_dir / "a") == [b"1", b"2"])
    time.sleep(1.5)  # three looks
    assert find_lines(short_dir / "b") == [b"1", b"2"]
    assert find_lines(short_dir / "a") == [b"1", b"2"]
    code, _, errors = first.end()
    assert (code, errors.count(TOLD)) == (1, 1)
    assert second.end() == (0, b"", b"")


def test_a_chain_is_no_ring(service, short_dir):
    running = [service("run-b", "b", "c"), service("run-a", "a", "b")]
    (short_dir / "a/log").write_bytes(b"1\n")
    assert until(lambda: find_lines(short_dir / "c") == [b"1"])
    assert [one.end() for one in running] == [(0, b"", b"")] * 2
    assert os.getxattr(short_dir / "c", NOTE).count(b"\n") == 2
    assert all(path.name.startswith("20") for path in (short_dir / "c").iterdir())


def test_a_ring_stays_broken_when_a_service_starts_again(service, short_dir):
    first = service("run-a", "a", "b")
    (short_dir / "a/log-1").write_bytes(b"1\n")
    assert until(lambda: find_lines(short_dir / "b") == [b"1"])
    assert has_list(short_dir / "b")
    second = service("run-b", "b", "a")
    assert until(lambda: find_lines(short_dir / "a") == [b"1"])
    assert has_list(short_dir / "a")
    for one in (first, second, first):
        one.end()
        one.begin()
    (short_dir / "a/log-2").write_bytes(b"2\n")
    assert until(lambda: find_lines(short_dir / "a") == [b"1", b"2"])
    time.sleep(1.5)
    assert find_lines(short_dir / "b") == [b"1", b"2"]
    for one in (first, second):
        one.end()


def test_a_service_that_watches_nothing_any_more_is_in_no_ring(service, short_dir):
    """Else the list of its directory would tell of the ring for ever."""
    for name, reads, writes in ("run-a", "a", "b"), ("run-b", "b", "c"):
        one = service(name, reads, writes)
        assert has_list(short_dir / writes)
        one.end()
    assert os.getxattr(short_dir / "c", NOTE).count(b"\n") == 2
    service("run-b", None, "c").end()
    assert os.getxattr(short_dir / "c", NOTE).count(b"\n") == 1
    assert service("run-a", "c", "d").end() == (0, b"", b"")
