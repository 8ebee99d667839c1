"""Runs tests in a child process of their own, which ends with all that they
started, whatever they are like.

    jail = Jail()
    jail.start({"TR2_MUTANT": "17"}, tests, {"name": ("passed", 0.1)})
    ... until jail.pidfd can be read ...
    for name, outcome, seconds in jail.finish(): print(name, outcome)

It stops at the first test whose outcome is not the expected one; one that
takes far longer than expected has the outcome HUNG.
"""

import ctypes
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
SLACK = 3  # seconds that each test gets beside its multiple
TIMES = 5
HUNG = "hung"


class TimedOut(Exception):
    pass


def adopt():
    """Orphans below this process become its children."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def on_alarm(number, frame):
    raise TimedOut


def kill_children(kept=()):
    """All that this process started or adopted, and theirs."""
    me = os.getpid()
    while True:
        path = f"/proc/{me}/task/{me}/children"
        found = set(map(int, Path(path).read_text().split())) - set(kept)
        if not found:
            return
        for pid in found:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


class Jail:
    def __init__(self):
        self.pid = None

    def start(self, environment, tests, expected):
        """`expected` maps names to (outcome, seconds)."""
        self.place = tempfile.mkdtemp(prefix="m")
        self.result = Path(self.place) / "result"
        self.pid = os.fork()
        if self.pid:
            self.pidfd = os.pidfd_open(self.pid)
            usual = sum(expected.get(t.name, (0, 60))[1] for t in tests)
            self.deadline = time.monotonic() + 60 + 2 * TIMES * usual
            return
        try:
            self.inside(environment, tests, expected)
        except BaseException as problem:
            self.note("?", repr(problem), 0)
        finally:
            os._exit(0)

    def inside(self, environment, tests, expected):
        adopt()
        os.setpgid(0, 0)  # a mutant may send a signal to its whole group
        os.environ.update(environment)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        sys.stdout = sys.stderr = open(os.devnull, "w")
        tempfile.tempdir = self.place
        sys.modules["conftest"].SCRATCH = Path(self.place) / "t"
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGALRM, on_alarm)
        for test in tests:
            wanted, usual = expected.get(test.name, (None, 60))
            began = time.monotonic()
            outcome = limited(test, SLACK + TIMES * usual)
            self.note(test.name, outcome, time.monotonic() - began)
            if wanted is not None and outcome != wanted:
                break
        kill_children()

    def note(self, *row):
        """A file that stayed open might have a number that a test uses."""
        with open(self.result, "a") as file:
            file.write(json.dumps(row) + "\n")

    def finish(self, hung=False):
        """What was written; after a hang, all that there is, and HUNG."""
        if hung:
            os.kill(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.pidfd)
        text = self.result.read_text() if self.result.exists() else ""
        rows = [json.loads(line) for line in text.splitlines()]
        shutil.rmtree(self.place, ignore_errors=True)
        if hung:
            rows.append(["?", HUNG, 0])
        elif os.WIFSIGNALED(status):
            rows.append(["?", f"signal {os.WTERMSIG(status)}", 0])
        return rows


def limited(test, seconds):
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 1)
        return test.run()
    except TimedOut:
        return HUNG
    except Exception as problem:
        return type(problem).__name__
    finally:
        stop_alarm()


def stop_alarm():
    while True:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        except TimedOut:
            continue
