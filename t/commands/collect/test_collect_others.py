"""Who may write to `trace2 collect`: the same user and root, unless allowed."""

import os
import subprocess
import sys

import pytest
from collect_kit import Service, send_lines, until
from test_collect_config import read_metrics

NOBODY = 65534
WRITER = """
import socket, sys
client = socket.socket(socket.AF_UNIX, getattr(socket, "SOCK_" + sys.argv[1]))
client.connect(sys.argv[2])
client.sendall(b"foreign\\n")
"""

pytestmark = pytest.mark.skipif(os.geteuid() != 0,
                                reason="only root can be another user")


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): a running service in a directory of everybody's."""
    made = []
    short_dir.chmod(0o1777)

    def begin(*options, **more):
        made.append(Service(trace2, short_dir, ["-o", "files:logs", *options], **more))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def write_as_nobody(path, kind="STREAM"):
    """What the kernel says to it."""
    done = subprocess.run([sys.executable, "-c", WRITER, kind, path], cwd="/",
                          user=NOBODY, group=NOBODY, extra_groups=[],
                          capture_output=True, check=False, timeout=60)
    return done.stderr.decode()


@pytest.mark.parametrize("listen", ["stream", "dgram"])
def test_another_user_cannot_open_the_socket(service, listen):
    running = service(listen=listen)
    told = write_as_nobody(running.path, listen.upper())
    assert "PermissionError" in told
    running.end()
    assert running.lines() == []


def test_another_user_is_refused_by_an_open_socket(service):
    """For example, because somebody changed its mode."""
    running = service()
    os.chmod(running.path, 0o777)
    write_as_nobody(running.path)
    send_lines(running.path, [b"own\n"])
    assert until(lambda: running.lines(".log*") == [b"own\n"])
    code, _, errors = running.end()
    assert code == 0
    assert errors == b"trace2 collect: 1 connections of other users were refused\n"
    metrics = read_metrics((running.spool / "metrics.prom").read_text())
    assert metrics["trace2_collect_refused_total"] == 1
    assert running.lines() == [b"own\n"]


@pytest.mark.parametrize("listen", ["stream", "dgram"])
def test_another_user_is_allowed_if_configured(service, listen):
    running = service("--allow-others", listen=listen)
    assert write_as_nobody(running.path, listen.upper()) == ""
    assert running.end() == (0, b"", b"")
    assert running.lines() == [b"foreign\n"]


@pytest.mark.parametrize("options, wanted", [
    ([], [b"own\n"]),
    (["--allow-others"], [b"foreign\n", b"own\n"]),
])
def test_files_of_other_users_are_read_only_if_allowed(
        service, short_dir, options, wanted):
    inbox = short_dir / "in"
    inbox.mkdir()
    (inbox / "foreign").write_bytes(b"foreign\n")
    os.chown(inbox / "foreign", NOBODY, NOBODY)
    (inbox / "own").write_bytes(b"own\n")
    for path in inbox.iterdir():
        os.utime(path, (0, 0))
    running = service("--watch", "in", "--remove", *options)
    assert until(lambda: sorted(running.lines(".log*")) == wanted)
    assert until(lambda: len(list(inbox.iterdir())) == 2 - len(wanted))
    running.end()
    assert sorted(running.lines()) == wanted
