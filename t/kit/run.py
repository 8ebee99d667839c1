"""One execution of a driver: what goes in, and all that comes out.

A driver is an executable that speaks the verb protocol: `DRIVER trace2 VERB
ARGUMENT...`, settings in the environment, its exit code out. It is reached
as `test-tool` through PATH. A Run is plain data: it can be kept, edited and
judged again without a process.
"""

import dataclasses
import functools
import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
from pathlib import Path

from kit.listen import Listener

VARIABLES = {
    "normal": "GIT_TRACE2",
    "perf": "GIT_TRACE2_PERF",
    "event": "GIT_TRACE2_EVENT",
}
TARGETS = tuple(VARIABLES)
PATIENCE = 20  # seconds, for one run; halved each time that it is used up
# A run counts as it is if its pipe was read without pauses that add up to
# more. A busy machine may have no processor for the reader; then the run is
# repeated.
PAUSE = 0.05  # seconds
TRIES = 10
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
TRACEBACK = b"Traceback (most recent call last):"
SAID = 200  # bytes of what a driver said


class Absent(Exception):
    """An event or a file that the scenario needs is not in the run."""


class Hung(Exception):
    """A run did not end, or left somebody behind that holds its output."""


@functools.lru_cache(maxsize=None)
def parse_event(line):
    """The object on a line, or None."""
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@dataclasses.dataclass
class Run:
    """`files` holds every regular file of the scratch directory by its
    path; the three targets write to `normal`, `perf` and `event` unless
    the scenario chose otherwise. `received` is what a socket or a pipe of
    the scenario's got, one entry a datagram or connection. `exit` is minus
    the signal's number for a driver that died of one."""

    argv: list
    exit: int
    stdout: bytes
    stderr: bytes
    files: dict
    received: list
    scratch: str = ""  # where it ran
    kept: bool = False  # it is still there

    def end(self):
        """How it ended, and the first that it said on standard error, or
        the last of a traceback."""
        how = f"exit {self.exit}"
        if self.exit < 0:
            names = {s.value: s.name for s in signal.Signals}
            how = f"died of {names.get(-self.exit, -self.exit)}"
        said = self.stderr.splitlines()
        said = said[-1:] if said[:1] == [TRACEBACK] else said[:1]
        return how + "".join(f", standard error {line[:SAID]!r}"
                             for line in said)

    def log(self, target):
        return self.files.get(target, b"")

    def lines(self, target):
        """The lines of a log, without their ends."""
        return self.log(target).splitlines()

    def events(self, name=None, file="event"):
        """The events of that name, or all, as dictionaries."""
        found = map(parse_event, self.log(file).splitlines())
        return [e for e in found if e and name in (None, e.get("event"))]

    def event(self, name, at=0, file="event"):
        """The event of that name, the `at`th."""
        found = self.events(name, file)
        if not -len(found) <= at < len(found):
            there = f"only {len(found)}" if found else "no"
            raise Absent(f"there is {there} {name} event in {file}")
        return found[at]

    def payloads(self, word=None):
        """What the lines of NORMAL say behind their prefix."""
        found = [payload(line) for line in self.lines("normal")]
        return [p for p in found if word is None or p.split(b" ")[0] == word]

    def perf(self, name=None):
        """The lines of PERF as columns; see Columns."""
        found = [columns(line) for line in self.lines("perf")]
        return [c for c in found if c and name in (None, c.event)]


def payload(line):
    """A NORMAL line without its prefix, if it has one."""
    if len(line) > 15 and line[2:3] == line[5:6] == b":":
        place, _, rest = line[16:].partition(b" ")
        return rest.lstrip(b" ") if place else line[50:]
    return line


@dataclasses.dataclass(frozen=True)
class Columns:
    """A PERF line. Texts have their blanks as they stand; `raw` are the
    columns as written, `before` is what stands in front of the depth."""

    raw: tuple
    before: str
    depth: str
    thread: str
    event: str
    repo: str
    t_abs: str
    t_rel: str
    category: str
    dots: int
    payload: str


@functools.lru_cache(maxsize=None)
def columns(line):
    """The columns of a PERF line, or None where it has too few."""
    text = line.decode("utf-8", "surrogateescape")
    parts = text.split(" | ", 8)
    if parts and parts[0][:1] == "d" and parts[0][1:].isdigit():
        parts = [""] + text.split(" | ", 7)
    if len(parts) != 9:
        return None
    rest = parts[8].lstrip(".")
    dots = len(parts[8]) - len(rest)
    return Columns(
        tuple(parts), *(part.strip(" ") for part in parts[:8]), dots, rest
    )


class Driver:
    """Runs the executable, each time in a scratch directory of its own.

    `name` is what it is found by in PATH. With `keep` the scratch
    directories stay."""

    def __init__(self, path, name="test-tool", keep=False):
        self.path = Path(path).absolute()
        self.name = name
        self.keep = keep
        self.patience = PATIENCE
        leave_no_cores()
        self._bin = tempfile.TemporaryDirectory(prefix="t2-bin-")
        (Path(self._bin.name) / name).symlink_to(self.path)

    @functools.cached_property
    def usage(self):
        """What `DRIVER trace2` does."""
        return self.run([self.name, "trace2"], env={})

    @functools.cached_property
    def verbs(self):
        """The verbs that the usage list names: git's have numbers, others
        follow the word `trace2`."""
        shown = self.usage.stderr + self.usage.stdout
        text = shown.decode("utf-8", "replace")
        words = (w for w in text.split() if w[:3].isdigit() and len(w) > 3)
        named = re.findall(r"(?<!\S)trace2 ([A-Za-z_]\w*)(?!\S)", text)
        return frozenset((*words, *named))

    @functools.cached_property
    def configured(self):
        """Does it read settings from git's configuration?"""
        run = self.run([self.name, "trace2", "001return", "0"], env={}, files={
            ".gitconfig": b"[trace2]\n\teventTarget = {}/event\n"})
        return "event" in run.files

    def environment(self, scratch, extra):
        kept = {k: v for k, v in os.environ.items() if k[:4] != "GIT_"}
        kept.pop("XDG_CONFIG_HOME", None)
        kept.update(
            PATH=f"{self._bin.name}:{os.environ['PATH']}",
            LC_ALL="C",
            TZ="UTC",
            HOME=str(scratch),
            TMPDIR=str(scratch),
            GIT_CONFIG_NOSYSTEM="1",
            GIT_CEILING_DIRECTORIES=str(scratch.parent),
        )
        for name, value in extra.items():
            if value is None:
                kept.pop(name, None)
            else:
                kept[name] = value.replace("{}", str(scratch))
        return kept

    def run(self, argv, env, files=None, setup=None, stdin=b"", cwd=None,
            listen=None):
        """Run a command line. `{}` in values, words and files is the
        scratch directory. `files` are made before; `setup`, a script for
        the shell, may do there what files can't; `listen(scratch)` gives
        what receives meanwhile (see kit.listen)."""
        for _ in range(TRIES):
            scratch = Path(tempfile.mkdtemp(prefix="t2-"))
            try:
                run, pause = self._run(scratch, argv, env, files or {}, setup,
                                       stdin, cwd, listen or Listener)
            finally:
                if not self.keep:
                    shutil.rmtree(scratch, onerror=make_writable)
            if pause < PAUSE:
                break
        return run

    def _run(self, scratch, argv, env, files, setup, stdin, cwd, listen):
        for name, text in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.replace(b"{}", os.fsencode(scratch)))
        if setup:
            subprocess.run(["sh", "-ec", setup], cwd=scratch, check=True)
        words = [os.fsencode(w).replace(b"{}", os.fsencode(scratch))
                 for w in argv]
        environment = self.environment(scratch, env)
        listener = listen(scratch)
        try:
            code, stdout, stderr = self._execute(
                listener.wrap(words),
                stdin,
                env=environment,
                cwd=scratch / cwd if cwd else scratch,
                pass_fds=listener.pass_fds,
            )
        finally:
            received = listener.stop()
        run = Run(list(argv), code, stdout, stderr, read_files(scratch),
                  received, str(scratch), self.keep)
        return run, listener.pause

    def _execute(self, words, stdin, **options):
        """Exit code and outputs, within the patience that is left. All
        that the run started is ended with it if that is not enough."""
        patience = self.patience
        with subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            umask=0o022,
            start_new_session=True,
            preexec_fn=unignore_signals if ignores_signals() else None,
            **options,
        ) as process:
            try:
                outputs = process.communicate(stdin, timeout=patience)
            except subprocess.TimeoutExpired:
                self.patience = min(patience, max(1, patience / 2))
                shown = b" ".join(map(os.fsencode, words)).decode(
                    "utf-8", "backslashreplace")
                raise Hung(f"no end in {patience:g} s: {shown}") from None
            finally:
                if process.returncode is None:
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, *outputs


def ignores_signals():
    """A shell ignores SIGINT and SIGQUIT for what it starts in the
    background, and nohup SIGHUP; a driver would inherit that. Popen itself
    takes care of what Python ignores."""
    return any(signal.getsignal(each) == signal.SIG_IGN for each in ENDING)


def unignore_signals():
    """In the driver, before it starts; makes a start four times slower."""
    for each in ENDING:
        signal.signal(each, signal.SIG_DFL)


def leave_no_cores():
    """Nobody wants the core of a driver that dies. Limits are inherited."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def read_files(scratch):
    """Every regular file, and for a directory its path with a slash."""
    found = {}
    for path in sorted(scratch.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            found[str(path.relative_to(scratch))] = path.read_bytes()
    return found


def make_writable(function, path, _):
    os.chmod(os.path.dirname(path), 0o700)
    function(path)
