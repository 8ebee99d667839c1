"""helper/fleet: the logs of many machines, summed up on Dask."""

import contextlib
import gzip
import importlib.util
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from fleet_logs import make_logs

FLEET = ROOT / "helper/fleet/trace2-fleet"
MANUAL = ROOT / "helper/man/trace2-fleet.1"

pytestmark = [
    pytest.mark.xdist_group("fleet"),
    pytest.mark.skipif(
        not importlib.util.find_spec("distributed"),
        reason="no Dask (make fleet installs it)"),
]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet") / "it's all"
    make_logs(400, folder)
    return folder


@pytest.fixture
def fleet(trace2, scratch):
    """fleet(words...): what trace2-fleet did; the output is `out`."""

    def call(*words, out="out", command=trace2, env=None, **more):
        return subprocess.run(
            [sys.executable, FLEET, "--trace2", command, "-o", scratch / out,
             *words], capture_output=True, text=True, cwd=scratch,
            env={**os.environ, **(env or {})}, **more)

    return call


@pytest.fixture
def alone(trace2):
    """alone(words...): what one process of trace2 prints."""
    return lambda *words: subprocess.run(
        [trace2, *words], stdout=subprocess.PIPE).stdout


def check_equal(folder, alone, logs):
    for format_, name in (("text", "summary.txt"), ("json", "summary.json"),
                          ("state", "summary.state")):
        wanted = alone("summary", "--format", format_, logs)
        assert (folder / name).read_bytes() == wanted, name
    rows = (folder / "processes.csv").read_bytes().splitlines()
    whole = alone("table", "--format", "csv", logs).splitlines()
    assert rows[0] == whole[0]
    assert sorted(rows) == sorted(whole)


def test_workers_sum_up_what_one_process_does(fleet, alone, logs, scratch):
    done = fleet("--workers", "2", logs)
    assert (done.returncode, done.stderr) == (
        0, "401 files in 8 shards: " + str(scratch / "out") + "\n")
    check_equal(scratch / "out", alone, logs)
    page = (scratch / "out/report.html").read_text()
    assert page.rstrip().endswith("</html>")
    assert sorted(os.listdir(scratch / "out")) == [
        "processes.csv", "report.html", "summary.json", "summary.state",
        "summary.txt"]


@pytest.mark.long("starts a cluster")
def test_what_a_killed_run_left_is_neither_met_nor_told(fleet, logs, scratch):
    """Dask calls the directory of its workers by one of these names."""
    left = []
    for name in ("dask-worker-space", "dask-scratch-space"):
        left += [scratch / "tmp" / name / "worker-dead",
                 scratch / "tmp" / name / "worker-dead.dirlock"]
        left[-2].mkdir(parents=True)
        left[-1].touch()
    done = fleet("--workers", "1", logs, env={"TMPDIR": scratch / "tmp"})
    assert (done.returncode, done.stderr) == (
        0, f"401 files in 4 shards: {scratch / 'out'}\n")
    assert all(path.exists() for path in left)
    assert len(os.listdir(scratch / "tmp")) == 2


@pytest.mark.long("starts a cluster")
def test_the_port_of_another_cluster_does_not_matter(fleet, logs, scratch):
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # then somebody has it
            other.bind(("", 8787))
            other.listen()
        done = fleet("--workers", "1", "--shards", "1", logs)
    assert (done.returncode, done.stderr) == (
        0, f"401 files in 1 shard: {scratch / 'out'}\n")


@pytest.mark.long("starts several clusters")
def test_number_of_workers_and_shards_changes_no_byte(
    fleet, alone, logs, scratch
):
    for place, words in enumerate((["--workers", "1", "--shards", "1"],
                                   ["--workers", "1", "--shards", "40"],
                                   ["--workers", "3", "--shards", "7"])):
        assert fleet(*words, logs, out=f"{place}").returncode == 0
        check_equal(scratch / f"{place}", alone, logs)


MURDERER = """#!/bin/sh
# The first time that it is to sum up a shard, its worker dies.
case $1$2 in
summary--format)
	if mkdir "{0}/murder" 2>/dev/null; then kill -9 $PPID; exit 1; fi ;;
esac
exec "{1}" "$@"
"""


@pytest.mark.long("waits for a new worker")
def test_death_of_a_worker_loses_nothing(
    fleet, alone, logs, scratch, trace2
):
    command = scratch / "murderer"
    command.write_text(MURDERER.format(scratch, trace2))
    command.chmod(0o755)
    done = fleet("--workers", "2", logs, command=command)
    assert (scratch / "murder").exists()
    assert done.returncode == 0, done.stderr
    check_equal(scratch / "out", alone, logs)


@pytest.mark.long("starts a cluster")
def test_what_is_no_log_is_left_out_and_named(fleet, logs, scratch, alone):
    folder = scratch / "mixed"
    shutil.copytree(logs / "00000", folder)
    (folder / "foreign").write_text("Hello\n")
    (folder / "a\nb").write_text("{}\n")
    done = fleet("--workers", "1", folder)
    assert done.returncode == 1
    lost = (scratch / "out/left-out.txt").read_text()
    assert "foreign" in lost and lost.count("\n") == 2
    assert "foreign" in done.stderr
    wanted = alone("summary", "--format", "json", logs / "00000")
    assert (scratch / "out/summary.json").read_bytes() == wanted


FAILING = """#!/bin/sh
case "$*" in
"summary --format state "*/00000000*) echo "trace2 summary: broken" >&2; exit 3 ;;
esac
exec "{0}" "$@"
"""


@pytest.mark.long("a task is tried again")
def test_shard_that_fails_is_named_and_the_others_count(
    fleet, logs, scratch, trace2
):
    command = scratch / "failing"
    command.write_text(FAILING.format(trace2))
    command.chmod(0o755)
    done = fleet("--workers", "1", "--shards", "5", logs, command=command)
    assert done.returncode == 3
    assert "1 of them failed" in done.stderr
    lost = (scratch / "out/left-out.txt").read_text()
    assert re.fullmatch(r"shard \d: trace2 summary: trace2 summary: broken\n",
                        lost)
    assert (scratch / "out/summary.txt").stat().st_size > 100


@pytest.mark.long("starts a cluster")
def test_a_file_that_is_cut_costs_only_itself(fleet, alone, logs, scratch):
    folder = scratch / "some"
    shutil.copytree(logs / "00000", folder)
    packed = gzip.compress(next(folder.iterdir()).read_bytes())
    (folder / "cut.gz").write_bytes(packed[:len(packed) // 2])
    (folder / "alone").mkdir()
    (folder / "alone" / "nothing.gz").write_bytes(packed[:12])
    done = fleet("--workers", "1", "--by", "directory", folder)
    assert done.returncode == 1, done.stderr
    check_equal(scratch / "out", alone, folder)
    lost = (scratch / "out/left-out.txt").read_text()
    assert "cut.gz:1:1: error[input.unreadable]" in lost
    assert "nothing.gz: " in lost


@pytest.mark.long("starts a cluster")
def test_a_log_that_vanishes_costs_only_itself(fleet, logs, scratch, trace2):
    folder = scratch / "some"
    shutil.copytree(logs / "00000", folder)
    (folder / "alone").mkdir()
    gone = shutil.copy(min((logs / "00000").iterdir()), folder / "alone")
    command = scratch / "vanish"
    command.write_text(f'#!/bin/sh\ncase $1 in summary) rm -f "{gone}" ;; esac\n'
                       f'exec "{trace2}" "$@"\n')
    command.chmod(0o755)
    done = fleet("--workers", "1", "--by", "directory", "--shards", "9",
                 folder, command=command)
    assert done.returncode == 1, done.stderr
    lost = (scratch / "out/left-out.txt").read_text()
    assert lost == (f"{gone}:1:1: error[input.unreadable]: No such file or directory\n")


SLOW = """#!/bin/sh
# The shard of this file waits until the file "go" is there.
case "$*" in
"summary --format state "*) echo "$*" >>"{0}/calls"
	case "$*" in *{1}*) while test ! -e "{0}/go"; do sleep 0.1; done ;; esac ;;
esac
exec "{2}" "$@"
"""


@pytest.mark.long("starts two clusters")
def test_a_run_that_was_killed_goes_on(fleet, alone, logs, scratch, trace2):
    command = scratch / "slow"
    name = min(path.name for path in logs.rglob("*") if path.is_file())
    command.write_text(SLOW.format(scratch, name, trace2))
    command.chmod(0o755)
    words = [sys.executable, FLEET, "--trace2", command, "-o", scratch / "out",
             "--workers", "2", "--shards", "4", logs]
    parts = scratch / "out.partial/parts"
    with subprocess.Popen(words, start_new_session=True) as first:
        end = time.monotonic() + 60
        while len(list(parts.glob("*.done"))) < 3 and time.monotonic() < end:
            time.sleep(0.1)
        second = subprocess.run(words, capture_output=True, text=True, check=False)
        os.killpg(first.pid, signal.SIGKILL)
    assert second.returncode == 3
    assert second.stderr.endswith("out.partial: another run is at work\n")
    (scratch / "go").touch()
    (parts / "1.state").write_bytes(b"")  # what is broken is made again
    (scratch / "calls").unlink()
    done = fleet("--workers", "2", "--shards", "4", logs, command=command)
    assert done.returncode == 0, done.stderr
    assert len((scratch / "calls").read_text().splitlines()) in (1, 2)
    check_equal(scratch / "out", alone, logs)
    assert not parts.exists()


@pytest.mark.long("starts several clusters")
def test_list_of_paths_is_like_a_directory(fleet, alone, logs, scratch):
    paths = sorted(str(p) for p in logs.rglob("*") if p.is_file())
    (scratch / "list").write_text("\n".join(paths) + "\n")
    done = fleet("--list", "list", "--format", "sqlite", "--rows",
                 "processes,regions")  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = sqlite3.connect(scratch / "out/table.db")
    count = made.execute("SELECT COUNT(*) FROM processes").fetchone()[0]
    assert count == len(alone("table", logs).splitlines())
    inner = made.execute("SELECT COUNT(*) FROM regions").fetchone()[0]
    assert inner == len(alone("table", "--rows", "regions",
                              logs).splitlines())
    wanted = alone("summary", "--format", "json", logs)
    assert (scratch / "out/summary.json").read_bytes() == wanted


@pytest.fixture
def cluster(scratch):
    """A scheduler with a worker in another directory, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    port = address.rpartition(":")[2]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "cwd": "/"}
    scheduler = subprocess.Popen(
        ["dask-scheduler", "--host", "127.0.0.1", "--port", port,
         "--no-dashboard"], **quiet)
    worker = subprocess.Popen(
        ["dask-worker", address, "--nthreads", "1", "--no-nanny",
         "--no-dashboard", "--local-directory", scratch / "space"], **quiet)
    yield address, scheduler
    for process in (worker, scheduler):
        process.kill()
        process.wait()


@pytest.mark.long("starts a scheduler and a worker, and kills the scheduler")
def test_scheduler_of_another_directory_that_dies_costs_what_is_not_done(
    fleet, alone, logs, scratch, trace2, cluster
):
    address, scheduler = cluster
    (scratch / "mine").symlink_to(logs)
    done = fleet("--scheduler", address, "mine")
    assert done.returncode == 0, done.stderr
    check_equal(scratch / "out", alone, logs)

    command = scratch / "slow"
    command.write_text(f"""#!/bin/sh
case $1 in
table) test -e {scratch}/third && kill -9 {scheduler.pid} 2>/dev/null
    test -e {scratch}/second && touch {scratch}/third
    touch {scratch}/second ;;
esac
exec "{trace2}" "$@"
""")
    command.chmod(0o755)
    done = fleet("--scheduler", address, "--shards", "6", "mine", out="less",
                 command=command)
    assert done.returncode == 3
    said = done.stderr.splitlines()
    assert len(said) == 2, done.stderr
    assert re.fullmatch(r"\d+ files in 6 shards, \d of them failed: .*/less",
                        said[0])
    assert re.fullmatch("trace2-fleet: the scheduler is gone: [1-5] of 6 "
                        r"shards not done: [\d, ]+", said[1])
    assert (scratch / "less/summary.txt").stat().st_size > 100


def test_output_that_exists_is_kept(fleet, logs, scratch):
    (scratch / "out").mkdir()
    (scratch / "out/mine").write_text("mine")
    done = fleet(logs)
    assert done.returncode == 2
    assert "out exists; expected a new directory" in done.stderr
    assert (scratch / "out/mine").read_text() == "mine"


def test_output_inside_of_what_is_read_is_refused(fleet, logs, scratch):
    """It would read its own files, and the next run those of this one."""
    (scratch / "link").symlink_to(scratch)
    done = fleet("link", out="new")
    assert (done.returncode, os.listdir(scratch)) == (2, ["link"])
    assert "is inside link, which is read; expected another" in done.stderr


@pytest.mark.parametrize(("words", "code", "said"), [
    ([], 2, "expected logs"),
    (["--workers", "0", "x"], 2, "at least one worker"),
    (["--shards", "5000", "x"], 2, "expected 1 to 4096"),
    (["--list", "nosuch"], 3, "nosuch: No such file"),
    (["empty"], 3, "there is no file"),
    (["no-log"], 3, "no log"),
])  # fmt: skip
def test_mistake_leaves_no_output(fleet, scratch, words, code, said):
    (scratch / "empty").mkdir()
    (scratch / "no-log").write_text("Hello\n")
    done = fleet(*words)
    assert done.returncode == code
    assert said in done.stderr
    assert not (scratch / "out").exists()
    assert not (scratch / "out.partial").exists()


def blocks(title):
    """The commands of an example in the manual."""
    text = MANUAL.read_text().split(f"With {title}:", 1)[1]
    block = text.split(".Bd -literal", 1)[1].split("\n", 1)[1]
    return block.split(".Ed", 1)[0].replace("\\(aq", "'").replace("\\e", "\\")


@pytest.mark.parametrize("title", ["GNU parallel", "make"])
def test_commands_of_the_manual_give_the_same(
    title, logs, scratch, alone, trace2
):
    tool = title.split()[-1]
    if not shutil.which(tool):
        pytest.skip(f"no {tool}")
    commands = blocks(title)
    assert len(commands.strip().splitlines()) <= 8
    shutil.copytree(logs, scratch / "logs")
    if title == "make":
        (scratch / "Makefile").write_text(commands)
        commands = "make -s -j2"
    done = subprocess.run(
        ["sh", "-ec", commands], cwd=scratch, text=True, capture_output=True,
        env={**os.environ, "PATH": f"{trace2.parent}:"
             + os.environ["PATH"], "MAKEFLAGS": ""})
    assert done.returncode == 0, done.stderr
    wanted = alone("summary", "--format", "json", scratch / "logs")
    merged = alone("summary", "--merge", "--format", "json",
                   scratch / "all.state")
    assert merged == wanted


def test_manual_has_each_option(fleet):
    said = subprocess.run([sys.executable, FLEET, "--help"],
                          stdout=subprocess.PIPE, text=True).stdout
    options = set(re.findall(r"--([a-z0-9]+)", said)) - {"help"}
    page = set(re.findall(r"\.It .*Fl -([a-z0-9]+)", MANUAL.read_text()))
    assert options == page
