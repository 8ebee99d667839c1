"""Services in narrow places: a sandbox that refuses system calls, a root
directory without /proc and /dev, and a namespace with clocks of its own."""

import errno
import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from collect_kit import Service, send_lines, until

LINES = [b'{"event":"data","sid":"a"}\n'] * 3
CALLS = {  # that a service can do without, by their numbers on this processor
    "fallocate": 285, "getrandom": 318, "prlimit64": 302, "statx": 332,
    "ftruncate": 77, "eventfd2": 290, "getsockopt": 55, "fchmod": 91,
    "link": 86, "sysinfo": 99, "madvise": 28, "sched_getaffinity": 204,
    "rseq": 334, "renameat2": 316,
}
SANITIZED = "prlimit64", "sched_getaffinity"  # that a sanitizer can't do without
REFUSED = {
    **{call: [number] for call, number in CALLS.items()}, "all": CALLS.values(),
    "most": [number for call, number in CALLS.items() if call not in SANITIZED],
}


def serve_lines(service):
    service.begin()
    try:
        send_lines(service.path, LINES)
        assert until(lambda: len(service.lines(".log*")) == len(LINES))
    finally:
        result = service.end()
        service.kill()
    return result


@pytest.fixture
def sandbox(scratch):
    if platform.machine() != "x86_64":
        pytest.skip("the numbers of system calls are those of x86_64")
    made = scratch / "sandbox"
    source = Path(__file__).parent / "collect_sandbox.c"
    subprocess.run(["cc", "-O", "-o", made, source], check=True)
    if subprocess.run([made, "1", "--", "true"], check=False).returncode == 77:
        pytest.skip("no sandbox can be made here (seccomp)")
    return made


def under(service, *command):
    plain = service.arguments
    service.arguments = lambda options, spool: [*command, *plain(options, spool)]
    return service


@pytest.mark.parametrize("error", [errno.EPERM, errno.ENOSYS])
@pytest.mark.parametrize("call", [
    pytest.param(call, marks=pytest.mark.plain("a sanitizer needs these calls"))
    if call in (*SANITIZED, "all") else call for call in REFUSED])
def test_a_sandbox_that_refuses_calls_costs_no_event(
        trace2, short_dir, sandbox, call, error):
    service = Service(trace2, short_dir, ["-o", "files:logs", "--redact", "all"])
    under(service, sandbox, str(error), *map(str, REFUSED[call]), "--")
    assert serve_lines(service) == (0, b"", b"")


def test_a_lock_that_a_sandbox_refuses_is_told(trace2, short_dir, sandbox):
    service = Service(trace2, short_dir, ["-o", "files:logs"])
    under(service, sandbox, str(errno.ENOSYS), "73", "--")
    service.begin(reached=False)
    code, _, errors = service.wait()
    assert code == 3
    assert errors == b"trace2 collect: %s: Function not implemented\n" % bytes(
        service.spool)


@pytest.mark.plain("a sanitizer finds no leak without /proc")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has chroot(2)")
def test_a_root_without_proc_and_dev_is_enough(trace2, short_dir):
    root = short_dir / "root"
    loaded = subprocess.run(["ldd", trace2], capture_output=True, text=True, check=False)
    files = [word for word in loaded.stdout.split() if word.startswith("/")]
    if not files:
        pytest.skip("its libraries can't be found (ldd)")
    for file in files:
        (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file[1:])
    shutil.copy(trace2, root / "trace2")
    service = Service(trace2, short_dir, [])
    service.scratch, service.path = root, root / "events"
    service.arguments = lambda options, spool: [
        "chroot", root, "/trace2", "collect", "--spool", "/spool",
        "--listen", "af_unix:stream:/events", "-o", "files:/logs", "--redact", "all"]
    assert serve_lines(service) == (0, b"", b"")
    assert len((root / "spool/redact.key").read_bytes()) == 32


def test_clocks_of_a_namespace_cost_no_event(trace2, short_dir):
    """The service goes on with a spool of one whose clock was ahead."""
    ahead = ["unshare", "--time", "--monotonic", "100000", "--boottime", "100000"]
    if subprocess.run([*ahead, "true"], capture_output=True, check=False).returncode:
        pytest.skip("there can be no namespace of clocks here (unshare --time)")
    for command, lines in ([*ahead, "--"], 3), ([], 6):
        service = under(Service(trace2, short_dir, ["-o", "files:logs"]), *command)
        service.begin()
        send_lines(service.path, LINES)
        assert until(lambda: len(service.lines(".log*")) == lines)
        assert service.end() == (0, b"", b"")
