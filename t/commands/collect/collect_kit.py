"""A running `trace2 collect`, and writers for it."""

import array
import contextlib
import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import termios
import time
from pathlib import Path

from conftest import UNDER

TIMEOUT = 60  # on a busy machine, under a sanitizer


def lines_of(name, count):
    """So many events of a session."""
    return [b'{"event":"data","sid":"%s","n":%d}\n' % (name, i) for i in range(count)]


def until(condition):
    """Wait until it is true. False: it took too long."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def connect(path, kind=socket.SOCK_STREAM):
    client = socket.socket(socket.AF_UNIX, kind)
    # As git, wait while too many others connect; settimeout() would not.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO,
                      struct.pack("ll", TIMEOUT, 0))
    client.connect(str(path))
    client.settimeout(TIMEOUT)
    return client


class Listener(socket.socket):
    """A reader that does not wait for ever."""

    def accept(self):
        reader, address = super().accept()
        reader.settimeout(TIMEOUT)
        return reader, address


def listen(path):
    listener = Listener(socket.AF_UNIX)
    listener.settimeout(TIMEOUT)
    listener.bind(str(path))
    listener.listen()
    return listener


def send_lines(path, lines):
    """As a program does that ends."""
    with connect(path) as writer:
        for i in range(0, len(lines), 50):
            writer.sendall(b"".join(lines[i:i + 50]))


def is_reached(path, kind):
    try:
        connect(path, kind).close()
    except OSError:
        return False
    return True


def build_preload(scratch):
    """A library of calls that are wrong, for LD_PRELOAD."""
    made = scratch / "preload.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O", "-o", made,
                    Path(__file__).parent / "collect_preload.c", "-ldl"], check=True)
    return str(made)


class Service:
    """The names of outputs are relative to the scratch directory."""

    def __init__(self, trace2, scratch, options, listen="stream",
                 file_limit=resource.RLIM_INFINITY):
        self.trace2, self.scratch = trace2, scratch
        self.options, self.listen = options, listen
        self.path, self.spool = scratch / "events", scratch / "spool"
        self.process, self.file_limit = None, file_limit
        self.code, self.errors = None, b""
        self.descriptors = None  # their soft and hard limit
        self.environment = None  # variables besides those of the tests

    def arguments(self, options, spool):
        return [self.trace2, "collect", "--spool", spool, *options]

    def begin(self, reached=True):
        """With `reached`, wait until programs can write to it."""
        options = ["--listen", f"af_unix:{self.listen}:{self.path}", *self.options]
        self.process = subprocess.Popen(
            self.arguments(options, self.spool), cwd=self.scratch,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=self.limit_files,
            env={**os.environ, **(self.environment or {})},
        )
        if not reached:
            return self
        kind = {"stream": socket.SOCK_STREAM, "dgram": socket.SOCK_DGRAM}
        assert until(lambda: is_reached(self.path, kind[self.listen]))
        return self

    def limit_files(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_limit,) * 2)
        if self.descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, self.descriptors)

    def run(self, *options, spool="spool"):
        """Another one, which fails to start."""
        return subprocess.run(self.arguments(options, self.scratch / spool),
                              cwd=self.scratch, capture_output=True,
                              timeout=TIMEOUT, check=False)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, timeout=TIMEOUT):
        out, errors = self.process.communicate(timeout=timeout)
        self.code, self.errors = self.process.returncode, errors
        return self.code, out, errors

    def end(self):
        self.stop()
        if UNDER == "tsan":
            return self.wait_or_stop()
        return self.wait()

    def wait_or_stop(self):
        """ThreadSanitizer makes a thread's place for held signals at its
        first call that blocks, and once in 40,000 runs it loses a signal
        that comes at that moment. Another one ends a service that got the
        first too."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(TIMEOUT / 6)
        self.stop()
        return self.wait()

    def kill(self):
        """End it at once; or do nothing if it has ended."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait(TIMEOUT)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()

    def logs(self, suffix=".log"):
        return sorted((self.scratch / "logs").glob(f"*{suffix}"))

    def lines(self, suffix=".log"):
        """All lines of the files, in the order of their names. A file that
        gets its name meanwhile is left out."""
        texts = []
        for log in self.logs(suffix):
            with contextlib.suppress(FileNotFoundError):
                texts.append(log.read_bytes())
        return b"".join(texts).splitlines(keepends=True)

    @staticmethod
    def unread(writer):
        """Bytes that were sent and that nobody has read yet."""
        count = array.array("i", [0])
        fcntl.ioctl(writer, termios.TIOCOUTQ, count)
        return count[0]
