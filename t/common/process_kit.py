"""What tests share that run a program beside themselves."""

import contextlib
import subprocess
import time
from pathlib import Path

LISTENING = "00010000"  # the flags of a socket that accepts connections


@contextlib.contextmanager
def running(*command, **options):
    """A process that does not outlive the block."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def await_that(condition):
    limit = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.005)


def await_listener(path):
    """Until a program listens on this socket. The file exists a moment
    earlier, and refuses connections until then."""
    await_that(lambda: is_listened_on(path))


def is_listened_on(path):
    sockets = Path("/proc/net/unix").read_text().splitlines()
    return any(socket.endswith(f" {path}") and socket.split()[3] == LISTENING
               for socket in sockets)
