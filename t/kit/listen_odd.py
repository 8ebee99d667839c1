"""More of what takes a trace, as listen.py has it: ends that are slow all
at once, a file that another process has locked, a reader that hangs up."""

import fcntl
import os
import socket

from kit.listen import Kept, Listener, Reader, bound, fill, high, listener

FIRST = 1 << 16  # bytes


@listener
def full_pipes(scratch, *numbers):
    """A pipe without room under each of these numbers, and no reader."""
    ends = {number: os.pipe() for number in numbers}
    for _, writer in ends.values():
        fill(writer)
    return Kept(scratch, {n: high(w) for n, (_, w) in ends.items()},
                *(reader for reader, _ in ends.values()))


class Locked(Listener):
    """Holds all of a file, in both ways that POSIX and BSD have."""

    def __init__(self, scratch, name):
        super().__init__(scratch)
        self._file = (scratch / name).open("ab")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def stop(self):
        self._file.close()
        return []


class Fickle(Reader):
    """A stream socket. It takes the first bytes of each connection, hangs
    up, makes a file `hungup`, and listens on."""

    def __init__(self, scratch, name):
        super().__init__(scratch)
        server = bound(scratch, name, socket.SOCK_STREAM)
        server.listen(16)
        self.watch(server, lambda end: self.watch(end.accept()[0],
                                                  self._take))
        self.begin()

    def _take(self, end):
        self.received.append(end.recv(FIRST))
        self.drop(end)
        (self.scratch / "hungup").touch()


locked = listener(Locked)
fickle = listener(Fickle)
