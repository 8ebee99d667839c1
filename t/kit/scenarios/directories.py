"""Directories: a file for each process, and a limit on their number."""

import errno
import os

from kit import listen
from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import (
    by_sid, event_names, events, is_whole, under_shell, warning,
)
from kit.run import VARIABLES

RETURN = ("001return",)
SENTINEL = "dir/git-trace2-discard"


MAKE_DIR = "mkdir dir; ln -s dir link"


def in_dir(run):
    """The contents of the directory, by their names there."""
    return {path[4:]: text for path, text in run.files.items()
            if path.startswith("dir/")}


@scenario("a directory gets a file for each process", verbs=("004child",),
          ids=("destination.dir", "destination.dir.name"))
def each_process(kit):
    for value in ("dir", "dir/", "link", "link/"):
        run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                      targets=(), setup=MAKE_DIR,
                      env={"GIT_TRACE2_EVENT": "{}/" + value})
        files = in_dir(run)
        kit.equal("destination.dir", len(files), 2)
        for name, text in files.items():
            kit.check("destination.dir", is_whole("event", text),
                      f"a whole trace behind {value}", text)
            sid, = by_sid(events(text))
            kit.equal("destination.dir.name", name, sid.rpartition("/")[2])


def rename_all(run, change):
    for path in sorted(p for p in run.files if p.startswith("dir/")):
        run.files["dir/" + change(path[4:])] = run.files.pop(path)
    return run


def mix_all(run):
    paths = sorted(p for p in run.files if p.startswith("dir/"))
    run.files[paths[0]] = b"".join(run.files.pop(p) for p in paths)
    return run


CHILDREN = "a directory gets a file for each process"
fault("destination.dir", CHILDREN, edit=mix_all)
fault("destination.dir.name", CHILDREN,
      edit=lambda run: rename_all(run, lambda name: name + ".log"))
fault("destination.dir.name", CHILDREN,
      edit=lambda run: rename_all(run, lambda name: name[:-4] + "0000"))


@scenario("a file that can't be made in a directory is told", verbs=RETURN,
          ids=("destination.dir.slash", "destination.debug.open"))
def unmade(kit):
    run = kit.run("001return", "0", env={
        "GIT_TRACE2": "/proc/", "GIT_TRACE2_PERF": "/proc",
        "GIT_TRACE2_DST_DEBUG": "1"})
    name = run.event("version")["sid"]
    text = "trace2: could not open '%s%s' for '%s' tracing: %s"
    slash, none = run.stderr.splitlines(True)
    why = os.strerror(errno.ENOENT)
    kit.equal("destination.dir.slash", slash,
              warning(text, "/proc/", name, "GIT_TRACE2", why))
    kit.equal("destination.debug.open", none,
              warning(text, "/proc/", name, "GIT_TRACE2_PERF", why))


UNMADE = "a file that can't be made in a directory is told"
fault("destination.dir.slash", UNMADE,
      stderr=(b"'/proc/(.*'GIT_TRACE2')", rb"'/proc//\1"))
fault("destination.debug.open", UNMADE,
      stderr=(b"' for 'GIT_TRACE2_PERF'", rb".9\g<0>"))


@scenario("three targets of a directory have three files", verbs=RETURN,
          ids=("destination.dir.three-targets", "destination.dir.exclusive",
               "destination.open-order"))
def three_targets(kit):
    run = kit.run("001return", "0", setup=MAKE_DIR,
                  env=dict.fromkeys(VARIABLES.values(), "{}/dir"))
    files = in_dir(run)
    kit.equal("destination.dir.exclusive", len(files), 3)
    first = min(files, default="")
    wanted = [first, first + ".1", first + ".2"]
    kit.equal("destination.dir.three-targets", sorted(files), wanted)
    for target, name in zip(VARIABLES, wanted):
        text = files.get(name, b"")
        kit.check("destination.open-order", is_whole(target, text),
                  f"a whole {target} trace in {name}", text)


THREE = "three targets of a directory have three files"
fault("destination.dir.three-targets", THREE, edit=lambda run: rename_all(
    run, lambda name: name.replace(".2", "-2")))
fault("destination.dir.exclusive", THREE, edit=mix_all)


def swap(run):
    first, second, _ = sorted(p for p in run.files if p.startswith("dir/"))
    files = run.files
    files[first], files[second] = files[second], files[first]
    return run


fault("destination.open-order", THREE, edit=swap)


@scenario("names that are taken are numbered up to nine", verbs=RETURN,
          ids=("destination.dir.collision",))
def collisions(kit):
    """EVENT finds that names were taken since NORMAL took the first. PERF
    holds the driver up meanwhile: for 100 ms at least, so that of a few
    runs one at least is in time."""
    for taken, left in ((8, [".9"]), (9, [])):
        runs = [kit.run("001return", "7", setup=MAKE_DIR,
                        listen=listen.planted("dir", range(1, taken + 1), "s"),
                        env={"GIT_TRACE2": "{}/dir",
                             "GIT_TRACE2_PERF": "af_unix:stream:{}/s",
                             "GIT_TRACE2_EVENT": "{}/dir"})
                for _ in range(3)]
        run = next((run for run in runs if run.received), None)
        if run is None:
            raise Skip("this machine is too busy")
        files = in_dir(run)
        first = min(files)
        written = [name for name, text in files.items()
                   if is_whole("event", text)]
        kit.equal("destination.dir.collision", written,
                  [first + end for end in left])
        empty = [name for name, text in files.items() if not text]
        kit.equal("destination.dir.collision", empty,
                  [f"{first}.{number}" for number in range(1, taken + 1)])
        kit.equal("destination.dir.collision", (run.exit, run.stderr),
                  (7, b""))


def next_number(run):
    if run.received:
        rename_all(run, lambda name: name.replace(".9", ".10"))
    return run


def without_last(run):
    for path in [p for p in run.files if p.endswith(".9")]:
        del run.files[path]
    return run


TAKEN = "names that are taken are numbered up to nine"
fault("destination.dir.collision", TAKEN, edit=next_number)
fault("destination.dir.collision", TAKEN, edit=without_last)


def limited(kit, name, setup, *limits):
    """What is in a directory makes it full, or not, at these limits."""
    for number, is_full in limits:
        run = kit.run("001return", "0", targets=(), setup=setup,
                      env={"GIT_TRACE2_EVENT": "{}/dir",
                           "GIT_TRACE2_MAX_FILES": number})
        kit.equal(name, SENTINEL in run.files, is_full)
        kit.contains(name, b"".join(in_dir(run).values()), b'"version"')


HOLDS = "a directory is full that holds as many files as the limit"
FULL = "a directory is full two files below the limit"
ONE = "mkdir dir; : >dir/old"


@scenario(HOLDS, verbs=RETURN, ids=("destination.dir.limit",))
def limit(kit):
    """One file, which with `.` and `..` is three entries."""
    limited(kit, "destination.dir.limit", ONE, ("1", True), ("4", False))


@scenario(FULL, verbs=RETURN, ids=("destination.dir.limit.dots",))
def limit_with_dots(kit):
    limited(kit, "destination.dir.limit.dots", ONE, ("2", True), ("3", True))


def no_limit(run):
    if SENTINEL in run.files:
        run.files["dir/file"] = run.files.pop(SENTINEL)
    return run


fault("destination.dir.limit", HOLDS, edit=no_limit)
fault("destination.dir.limit", HOLDS, files={SENTINEL: b""})
fault("destination.dir.limit.dots", FULL, edit=no_limit)


@scenario("a full directory gets the sentinel with the trace", verbs=RETURN,
          ids=("destination.dir.sentinel", "destination.dir.sentinel-each"))
def sentinel(kit):
    for target in ("event", "normal"):
        env = dict.fromkeys(VARIABLES.values(), "{}/dir")
        if target == "event":
            env.update(GIT_TRACE2="0", GIT_TRACE2_PERF="0")
        run = kit.run("001return", "7", setup="mkdir -p dir/one dir/two",
                      env={**env, "GIT_TRACE2_MAX_FILES": "2"})
        name = ("destination.dir.sentinel" if target == "event"
                else "destination.dir.sentinel-each")
        kit.equal(name, (sorted(run.files), run.exit, run.stderr),
                  ([SENTINEL], 7, b""))
        text = run.files[SENTINEL]
        kit.check(name, is_whole(target, text),
                  f"a whole {target} trace in the sentinel", text)
        if target == "event":
            kit.contains(name, event_names(text), "too_many_files")


def second_file(run):
    run.files["dir/second"] = b"version 1\n"
    return run


def shortened(run):
    """The two lines that say that there were too many, and no more."""
    lines = run.files[SENTINEL].splitlines(True)
    run.files[SENTINEL] = b"".join(lines[:2])
    return run


def silent_sentinel(run):
    lines = run.files[SENTINEL].splitlines(True)
    run.files[SENTINEL] = b"".join(
        line for line in lines if b"too_many_files" not in line)
    return run


WRITTEN = "a full directory gets the sentinel with the trace"
fault("destination.dir.sentinel", WRITTEN, edit=shortened)
fault("destination.dir.sentinel", WRITTEN, edit=silent_sentinel)
fault("destination.dir.sentinel-each", WRITTEN, edit=second_file)


@scenario("a sentinel that is there keeps a target off", verbs=RETURN,
          ids=("destination.dir.sentinel-present",
               "destination.debug.too-many"))
def sentinel_present(kit):
    for number, debug in (("0", "1"), ("99", "0"), ("99", "1")):
        run = kit.run("001return", "7", targets=("perf",),
                      files={SENTINEL: b"there\n"},
                      env={"GIT_TRACE2_EVENT": "{}/dir",
                           "GIT_TRACE2_MAX_FILES": number,
                           "GIT_TRACE2_DST_DEBUG": debug})
        kit.equal("destination.dir.sentinel-present",
                  (run.files[SENTINEL], len(in_dir(run)), run.exit),
                  (b"there\n", 2 if number == "0" else 1, 7))
        told = number == "99" and debug == "1"
        kit.equal("destination.debug.too-many", run.stderr, warning(
            "trace2: not opening GIT_TRACE2_EVENT trace file due to too many "
            "files in target directory %s/dir", run.scratch) if told else b"")


def always_off(run):
    run.files = {SENTINEL: run.files[SENTINEL]}
    return run


PRESENT = "a sentinel that is there keeps a target off"
fault("destination.dir.sentinel-present", PRESENT,
      files={"dir/file": b'{"event":"version"}\n'})
fault("destination.dir.sentinel-present", PRESENT, edit=always_off)
fault("destination.debug.too-many", PRESENT,
      stderr=(b"GIT_TRACE2_EVENT", b"EVENT"))
fault("destination.debug.too-many", PRESENT, stderr=(b"^.*\n", b""))


# A link that leads nowhere is not there to stat(), but to open().
LOSE_THE_RACE = f"mkdir dir; ln -s nowhere {SENTINEL}"


@scenario("who loses the race for the sentinel is off", verbs=RETURN,
          ids=("destination.dir.sentinel-lost",))
def sentinel_lost(kit):
    run = kit.run("001return", "7", targets=("perf",), setup=LOSE_THE_RACE,
                  env={"GIT_TRACE2_EVENT": "{}/dir",
                       "GIT_TRACE2_MAX_FILES": "1"})
    kit.equal("destination.dir.sentinel-lost",
              (sorted(run.files), run.exit, run.stderr), (["perf"], 7, b""))


LOST = "who loses the race for the sentinel is off"
fault("destination.dir.sentinel-lost", LOST,
      files={SENTINEL + ".1": b'{"event":"version"}\n'})
fault("destination.dir.sentinel-lost", LOST,
      files={"dir/nowhere": b'{"event":"version"}\n'})


MODE = "a file in a directory has the mode that the umask leaves"


@scenario(MODE, verbs=RETURN, ids=("destination.file.mode",))
def mode(kit):
    for umask, shown in (("027", b"-rw-r-----"), ("0", b"-rw-rw-rw-")):
        for limit in ("0", "2"):
            run = under_shell(
                kit, f'umask {umask}; "$@"; ls -l dir >mode', "001return",
                "0", targets=(), setup=f"{MAKE_DIR}; mkdir dir/1 dir/2",
                env={"GIT_TRACE2_EVENT": "{}/dir",
                     "GIT_TRACE2_MAX_FILES": limit})
            found = [line[:10] for line in run.lines("mode")
                     if line[:1] == b"-"]
            kit.equal("destination.file.mode", found, [shown])


for modes in (b"-rw-------", b"-rw-r--r--"):
    fault("destination.file.mode", MODE,
          edit=lambda run, modes=modes: run.files.update(
              mode=b"total 4\n" + modes + b" file\n") or run)
