"""What takes a trace that goes to no file: sockets, pipes, descriptors.

    run = kit.run("001return", "0", listen=listen.stream("s"),
                  env={"GIT_TRACE2_EVENT": "af_unix:stream:{}/s"})
    run.received    # bytes: one entry a connection

Each public function here makes a value for `listen` of Driver.run(): called
with the scratch directory, it gives a Listener, which is there before the
driver starts and is stopped when the driver has ended.
"""

import contextlib
import fcntl
import functools
import os
import select
import selectors
import socket
import sys
import termios
import threading
import time

ABOVE = 10  # descriptors of ours must not be those that a value can name
PATIENCE = 10  # seconds in which the other side has to hang up
PAGE = 4096


class Listener:
    """Receives nothing. Others say what they do differently."""

    pause = 0  # seconds in which it could not read, if it counts them

    def __init__(self, scratch):
        self.scratch = scratch
        self.given = {}  # number in the driver: descriptor here

    @property
    def pass_fds(self):
        return tuple(self.given.values())

    def wrap(self, words):
        """The command line, with the descriptors at their numbers. A shell
        moves them: between fork and exec one of Python's own may be there."""
        if not self.given:
            return words
        moves = " ".join(f"{n}>&{fd}-" for n, fd in self.given.items())
        return ["bash", "-c", f'exec "$@" {moves}', "bash", *words]

    def stop(self):
        """What was received, in the order in which it came."""
        return []


class Kept(Listener):
    """Holds what it is given, and reads nothing."""

    def __init__(self, scratch, given, *ends):
        super().__init__(scratch)
        self.given = given
        self._ends = [*given.values(), *ends]

    def stop(self):
        for end in self._ends:
            close(end)
        return []


class Reader(Listener):
    """Reads in a thread until it is stopped, and then to the end."""

    every = None  # seconds after which it looks again, come what may

    def __init__(self, scratch):
        super().__init__(scratch)
        self.received = []
        self._entries = {}  # which of `received` a connection fills
        self._wanted = selectors.DefaultSelector()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._stopping = False
        wake, self._wake = os.pipe()
        self.watch(wake, self._wake_up)

    def watch(self, end, act):
        """Call act(end) whenever there is something to read."""
        os.set_blocking(end if isinstance(end, int) else end.fileno(), False)
        self._wanted.register(end, selectors.EVENT_READ, act)

    def drop(self, end):
        self._wanted.unregister(end)
        close(end)

    def collect(self, end):
        """One entry for all that comes from there, until it hangs up."""
        self._entries[end] = len(self.received)
        self.received.append(b"")
        self.watch(end, self._append)

    def _append(self, end):
        data = read_some(end)
        self.received[self._entries[end]] += data
        if not data:
            del self._entries[end]
            self.drop(end)

    def _wake_up(self, end):
        self._stopping = True
        self.drop(end)

    def begin(self):
        self._thread.start()

    def _read(self):
        while not self._stopping:
            self._turn(self.every)
        while self._turn(0):
            pass
        limit = time.monotonic() + PATIENCE
        while self._entries and time.monotonic() < limit:
            self._turn(0.1)

    def _turn(self, timeout):
        ready = self._wanted.select(timeout)
        for key, _ in ready:
            with contextlib.suppress(BlockingIOError):
                key.data(key.fileobj)
        return ready

    def stop(self):
        os.close(self._wake)
        self._thread.join()
        for key in list(self._wanted.get_map().values()):
            self.drop(key.fileobj)
        self._wanted.close()
        return self.received


class Stream(Reader):
    """One entry a connection."""

    def __init__(self, scratch, name):
        super().__init__(scratch)
        server = bound(scratch, name, socket.SOCK_STREAM)
        server.listen(16)
        self.watch(server, lambda end: self.collect(end.accept()[0]))
        self.begin()


class Datagrams(Reader):
    """One entry a datagram."""

    def __init__(self, scratch, name):
        super().__init__(scratch)
        server = bound(scratch, name, socket.SOCK_DGRAM)
        self.watch(server, self._take)
        self.begin()

    def _take(self, end):
        self.received.append(end.recv(1 << 20))


class Hangup(Reader):
    """Takes the first packet of each connection, and hangs up."""

    def __init__(self, scratch, name):
        super().__init__(scratch)
        server = bound(scratch, name, socket.SOCK_SEQPACKET)
        server.listen(16)
        self.watch(server, lambda end: self.watch(end.accept()[0],
                                                  self._take))
        self.begin()

    def _take(self, end):
        self.received.append(end.recv(1 << 16))
        self.drop(end)


class Planted(Reader):
    """Sees the first file of the driver's in a directory, puts files of
    the same name with those numbers beside it, and only then lets the
    driver connect to the socket."""

    def __init__(self, scratch, directory, numbers, name):
        super().__init__(scratch)
        self._place = scratch / directory
        self._numbers = numbers
        self._server = bound(scratch, name, socket.SOCK_STREAM)
        self._server.listen(0)
        self._filler = socket.socket(socket.AF_UNIX)
        self._filler.connect(str(scratch / name))
        self.begin()

    def _read(self):
        while not (self._stopping or self._plant()):
            self._turn(0.001)
        self._server.accept()[0].close()
        self.watch(self._server, lambda end: self.collect(end.accept()[0]))
        super()._read()

    def _plant(self):
        for path in self._place.iterdir():
            for number in self._numbers:
                (self._place / f"{path.name}.{number}").touch()
            return True
        return False

    def stop(self):
        self._filler.close()
        return super().stop()


class Piped(Reader):
    """`ends` are (ours, the driver's), which it finds as `number`. A writer
    may give up when nobody has read for a while, over the life of its
    process; so the pauses add up."""

    every = 0.005

    def __init__(self, scratch, number, ends):
        super().__init__(scratch)
        self._turned = None
        self._theirs = high(ends[1])
        self.given = {number: self._theirs}
        self.collect(ends[0])

    def _turn(self, timeout):
        ready = super()._turn(timeout)
        now = time.monotonic()
        gap = now - (self._turned or now)
        self.pause += gap if gap > 2 * self.every else 0
        self._turned = now
        return ready

    def stop(self):
        os.close(self._theirs)
        return super().stop()


class Idle(Piped):
    """Not read until the driver has ended, or has made a file `go`; then
    there is one `drained` when all is read that was in the pipe. The file
    `full` is there when the pipe has been."""

    def __init__(self, scratch, number, ends):
        super().__init__(scratch, number, ends)
        self._ours = ends[0]
        self._over = threading.Event()
        self.begin()

    def _read(self):
        while not self._over.wait(0.002) and not self._may_read():
            pass
        while self._turn(0):
            pass
        if not self._over.is_set():
            (self.scratch / "drained").touch()
        super()._read()

    def _may_read(self):
        room = fcntl.fcntl(self._ours, fcntl.F_GETPIPE_SZ)
        if waiting(self._ours) > room - PAGE:
            (self.scratch / "full").touch()
        return (self.scratch / "go").exists()

    def stop(self):
        self._over.set()
        return super().stop()


class Packets(Reader):
    """One entry a write of the driver's."""

    def __init__(self, scratch, number):
        super().__init__(scratch)
        ours, theirs = socket.socketpair(socket.AF_UNIX,
                                         socket.SOCK_SEQPACKET)
        self._theirs = high(theirs.detach())
        self.given = {number: self._theirs}
        self.watch(ours, self._take)
        self.begin()

    def _take(self, end):
        data = end.recv(1 << 20)
        if data:
            self.received.append(data)
        else:
            self.drop(end)

    def stop(self):
        os.close(self._theirs)
        return super().stop()


def read_some(end):
    if isinstance(end, int):
        return os.read(end, 1 << 16)
    with contextlib.suppress(ConnectionError):
        return end.recv(1 << 16)
    return b""


def close(end):
    if isinstance(end, int):
        os.close(end)
    else:
        end.close()


def high(fd):
    """The same thing under a number that no value names."""
    made = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ABOVE)
    os.close(fd)
    return made


def bound(scratch, name, kind):
    made = socket.socket(socket.AF_UNIX, kind)
    made.bind(str(scratch / name))
    return made


def fill(fd):
    """Until a pipe takes no more bytes. It blocks again afterwards."""
    os.set_blocking(fd, False)
    for size in (4096, 1):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(fd, size * b"\n")
    os.set_blocking(fd, True)


def waiting(fd):
    """How many bytes are in a pipe."""
    answer = fcntl.ioctl(fd, termios.FIONREAD, bytes(4))
    return int.from_bytes(answer, sys.byteorder)


def listener(function):
    """What makes a Listener of (scratch, options), as a factory."""

    @functools.wraps(function)
    def factory(*options, **more):
        def listen(scratch):
            return function(scratch, *options, **more)

        shown = ", ".join([*map(repr, options),
                           *(f"{k}={v!r}" for k, v in more.items())])
        listen.shown = f"{function.__name__.lower()}({shown}) of kit/listen.py"
        return listen

    return factory


# Sockets. Each is a path in the scratch directory.

stream = listener(Stream)
datagrams = listener(Datagrams)
hangup = listener(Hangup)
planted = listener(Planted)


@listener
def idle_stream(scratch, name):
    """A stream socket whose connections nobody takes, but they are made."""
    server = bound(scratch, name, socket.SOCK_STREAM)
    server.listen(16)
    return Kept(scratch, {}, server)


@listener
def busy_stream(scratch, name):
    """A stream socket whose queue of connections is full."""
    server = bound(scratch, name, socket.SOCK_STREAM)
    server.listen(0)
    clients = []
    with contextlib.suppress(BlockingIOError):
        while True:
            clients.append(socket.socket(socket.AF_UNIX))
            clients[-1].setblocking(False)
            clients[-1].connect(str(scratch / name))
    return Kept(scratch, {}, server, *clients)


@listener
def dead_stream(scratch, name):
    """A stream socket that was there once."""
    bound(scratch, name, socket.SOCK_STREAM).close()
    return Listener(scratch)


# Descriptors. Each is open in the driver under a number.

packets = listener(Packets)


@listener
def pipe(scratch, number):
    """A pipe that is read."""
    made = Piped(scratch, number, os.pipe())
    made.begin()
    return made


@listener
def idle_pipe(scratch, number):
    """A pipe that is not read while the driver runs; but see Idle."""
    return Idle(scratch, number, os.pipe())


@listener
def full_pipe(scratch, number):
    """The same, with no room left. What fills it, newlines, is received."""
    ends = os.pipe()
    fill(ends[1])
    return Idle(scratch, number, ends)


@listener
def dead_pipe(scratch, number):
    """A pipe that has no reader, and none that a child of another thread
    holds between its fork and its exec."""
    ends = os.pipe()
    os.close(ends[0])
    dead = select.poll()
    dead.register(ends[1], 0)  # an error is told even so
    dead.poll(10_000)
    return Kept(scratch, {number: high(ends[1])})


@listener
def dead_packets(scratch, number):
    """A socket whose other end is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    return Kept(scratch, {number: high(theirs.detach())})
