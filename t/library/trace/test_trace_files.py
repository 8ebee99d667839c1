"""Files of the FXT and Chrome targets, and what others do to them."""

import fcntl
import json
import os
import resource
import subprocess
import sys

import pytest
from kit import fxt

LEVELS = 5000
COUNT = 3 * LEVELS  # events of their category
FULL = [49152, 65536, 131072, 262144, 300000]


@pytest.fixture
def traced(run, scratch):
    """traced(target, ...): a program of so many events, with a log."""

    def call(target, path, **options):
        env = {f"GIT_TRACE2_{target}": str(path), "GIT_TRACE2_DST_DEBUG": "1",
               "GIT_TRACE2_EVENT": str(scratch / "log")}
        return run("500region_nested", str(LEVELS), env=env, **options)

    return call


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.fixture
def full_disk(scratch):
    """full_disk(size): a directory on a file system of so many bytes."""
    mounted = []

    def mount(size):
        path = scratch / f"disk{size}"
        path.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", path]
        if os.geteuid() or subprocess.run(command).returncode:
            pytest.skip("only root may mount a small file system")
        mounted.append(path)
        return path

    yield mount
    for path in mounted:
        subprocess.run(["umount", path], check=True)


def kept_fxt(path):
    return sum(r.category == "nest" for r in fxt.records(path.read_bytes()))


def kept_chrome(path):
    events = json.loads(path.read_text().rstrip("]\n") + "]")
    return sum(e.get("cat") == "nest" for e in events)


KEPT = {"FXT": kept_fxt, "CHROME": kept_chrome}


def lost(scratch, done):
    """How many events the warning and the EVENT target's log report."""
    said = done.stderr.decode().partition("events dropped: ")[2].split()
    events = map(json.loads, (scratch / "log").read_text().splitlines())
    told = [e["msg"] for e in events if e["event"] == "error"]
    assert told == [f"trace2: events dropped: {said[0]}"]
    return int(said[0])


def check_losses(target, path, scratch, done, room):
    kept, dropped = KEPT[target](path), lost(scratch, done)
    assert done.returncode == 0
    assert f"{target}".encode() in done.stderr
    assert kept * 130 > room - 65536 and kept > 100
    # All but version, start and the like are regions.
    assert COUNT <= kept + dropped <= COUNT + 10


@pytest.mark.parametrize("target", KEPT)
@pytest.mark.parametrize("size", FULL)
def test_a_full_disk_keeps_what_fits_and_counts_the_rest(
        traced, scratch, full_disk, target, size):
    path = full_disk(size) / "t"
    check_losses(target, path, scratch, traced(target, path), size)


@pytest.mark.plain("a sanitizer delivers SIGXFSZ late")
@pytest.mark.parametrize("size", FULL)
def test_a_limit_on_files_keeps_what_fits_and_counts_the_rest(
        traced, scratch, size):
    path = scratch / "t"
    done = traced("FXT", path, preexec_fn=limit_files(size))
    kept = kept_fxt(path)
    dropped = int(done.stderr.decode().partition("dropped: ")[2].split()[0])
    assert kept * 130 > size - 65536 and kept > 100
    assert dropped >= COUNT - kept


# What a child of the program does to the file that is being written.
ACTS = {
    "cut": ": >t.fxt", "cut short": "truncate -s 5000 t.fxt",
    "overwritten": "cp small t.fxt", "overwritten by more": "cp large t.fxt",
    "removed": "rm t.fxt", "copied and cut": "cp t.fxt u; : >t.fxt",
    "another in its place": "cp small u; mv u t.fxt",
    "converted onto": '"$TRACE2" convert other.log t.fxt',
}  # fmt: skip
SAID = "another program has cut, replaced or removed the file"


@pytest.fixture
def attacked(run, scratch, trace2):
    """attacked(target, act): what `act` left of the file, and the process."""

    def call(target, act, verb="004child", debug="1"):
        (scratch / "small").write_bytes(b"small" * 10)
        (scratch / "large").write_bytes(b"large" * 1000000)
        run("001return", "0",
            env={"GIT_TRACE2_EVENT": str(scratch / "other.log")})
        env = {f"GIT_TRACE2_{target}": str(scratch / "t.fxt"),
               "GIT_TRACE2_DST_DEBUG": debug, "TRACE2": str(trace2),
               "GIT_TRACE2_EVENT": str(scratch / "log")}
        after = act + "; cp t.fxt left 2>/dev/null || :"
        done = run(verb, "sh", "-c", after, env=env, cwd=scratch)
        left, now = (path.read_bytes() if path.exists() else None
                     for path in (scratch / "left", scratch / "t.fxt"))
        return done, left, now

    return call


@pytest.mark.parametrize("target", KEPT)
@pytest.mark.parametrize("act", ACTS)
def test_a_program_outlives_what_is_done_to_its_file(
        attacked, scratch, target, act):
    done, left, now = attacked(target, ACTS[act])
    assert (done.returncode, done.stdout) == (0, b"")
    assert SAID in done.stderr.decode()
    assert lost(scratch, done) > 0
    assert (now is None) == (left is None)
    assert now is None or len(now) == len(left)
    if target == "CHROME" or act != "overwritten by more":
        # A mapping writes until somebody looks, or to where nothing is.
        assert now == left


@pytest.mark.parametrize("target", KEPT)
def test_a_file_that_was_cut_is_no_news_unless_it_is_asked_for(
        attacked, target):
    done, _, _ = attacked(target, ": >t.fxt", debug="0")
    assert (done.returncode, done.stderr) == (0, b"")


NOBODY = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is another user")
@pytest.mark.parametrize("target", KEPT)
def test_a_file_of_another_user_is_refused(run, scratch, target):
    path = scratch / "t"
    path.touch(mode=0o666)
    os.chown(path, NOBODY, NOBODY)
    env = {f"GIT_TRACE2_{target}": str(path), "GIT_TRACE2_DST_DEBUG": "1"}
    done = run("001return", "3", env=env)
    assert (done.returncode, path.read_bytes()) == (3, b"")
    assert b"Operation not permitted" in done.stderr


@pytest.mark.parametrize("target", KEPT)
@pytest.mark.parametrize("plant", [os.symlink, os.link])
def test_a_name_that_can_be_guessed_may_have_been_planted(
        run, scratch, target, plant):
    """The file of a child has its pid in its name."""
    begin = {"FXT": b"\x10\0\x04FxT\x16\0", "CHROME": b"[\n"}[target]
    victim = scratch / "victim"
    victim.write_bytes(begin)

    def guess():
        plant(victim, scratch / f"t-{os.getpid()}")

    env = {f"GIT_TRACE2_{target}": str(scratch / "t"),
           "GIT_TRACE2_PARENT_SID": "up", "GIT_TRACE2_DST_DEBUG": "1"}
    done = run("001return", "3", env=env, preexec_fn=guess)
    assert (done.returncode, victim.read_bytes()) == (3, begin)
    assert b"could not open" in done.stderr


@pytest.mark.parametrize("ticks, is_old, is_new", [
    (None, True, True), (1, False, True), ("own", True, False)],
    ids=["old file", "file of another process", "own file"])
def test_only_a_file_of_the_same_process_is_left_alone(
        ticks, is_old, is_new, test_tool, scratch, env):
    """Programs of containers have the same pid each time they run."""
    path = scratch / "trace.json"
    script = f"""
import os, sys
path, pid, ticks = sys.argv[1], os.getpid(), {ticks!r}
if ticks == "own":
    ticks = open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]
args = '"name":"process_start","args":{{"ticks":%s}}' % ticks if ticks else '"old":1'
with open(path, "w") as file:
    file.write('[\\n{{"ph":"M","pid":%d,"tid":%d,%s}}\\n]\\n' % (pid, pid, args))
if {is_old}:
    os.utime(path, (1, 1))
os.execv(sys.argv[2], sys.argv[2:])
"""
    subprocess.run([sys.executable, "-c", script, path, test_tool, "trace2", "001return", "0"],
                   env={**env, "GIT_TRACE2_CHROME": str(path)}, check=True)
    traced = sorted(file.name for file in scratch.glob("*.json")
                    if '"cat":"trace2"' in file.read_text())
    assert traced == ["trace.json" if is_new else "trace.2.json"]
    begin = json.loads((scratch / traced[0]).read_text())[0]
    assert begin["name"] == "process_start" and begin["args"]["ticks"] > 0


def test_a_process_keeps_its_own_file_also_where_another_has_the_first(
        test_tool, scratch, env):
    """Before an exec it had that of its pid."""
    first = scratch / "trace.json"
    script = """
import os, sys
path, pid = sys.argv[1], os.getpid()
ticks = open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]
with open(path.replace(".json", "-%d.json" % pid), "w") as file:
    file.write('[\\n{"ph":"M","pid":%d,"tid":%d,"name":"process_start",'
               '"args":{"ticks":%s}}\\n]\\n' % (pid, pid, ticks))
os.execv(sys.argv[2], sys.argv[2:])
"""
    with open(first, "w") as other:
        fcntl.lockf(other, fcntl.LOCK_EX)
        subprocess.run([sys.executable, "-c", script, first, test_tool, "trace2",
                        "001return", "0"],
                       env={**env, "GIT_TRACE2_CHROME": str(first)}, check=True)
    lines = {path.name.partition(".")[2]: path.read_text().count("\n")
             for path in scratch.glob("trace-*.json")}
    assert lines.pop("json") == 3 and lines.pop("2.json") > 3 and not lines


def test_processes_of_one_pid_that_run_at_once_have_files_of_their_own(
        test_tool, scratch):
    path = scratch / "trace.json"
    running = [subprocess.Popen(
        ["unshare", "-pf", test_tool, "trace2", "100timer", "1", "700"],
        env={**os.environ, "GIT_TRACE2_CHROME": str(path)},
        stderr=subprocess.PIPE) for _ in range(3)]
    if any(b"unshare" in one.communicate()[1] for one in running):
        pytest.skip("only root may make a namespace, and not everywhere")
    names = {file.name for file in scratch.glob("*.json")
             if "100timer" in file.read_text()}
    assert len(names) == 3 and "trace.json" in names, names
