"""helper/fleet: it destroys nothing of others, and tells what it lacks."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest
from fleet_logs import make_logs
from test_fleet import FLEET, alone, check_equal, fleet, pytestmark  # noqa: F401


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet") / "logs"
    make_logs(20, folder)
    return folder


@pytest.mark.parametrize("words", [[], ["--work", "."]])
def test_directory_of_somebody_is_left_alone(fleet, logs, scratch, words):
    mine = scratch / ("out.parts" if words else "out.partial")
    (mine / "mine").mkdir(parents=True)
    (mine / "thesis").write_text("mine")
    done = fleet(*words, logs)
    assert done.returncode == 3
    assert f"{mine.name} exists and is no trace2-fleet's" in done.stderr
    assert (mine / "thesis").read_text() == "mine"
    assert sorted(os.listdir(mine)) == ["mine", "thesis"]
    assert not (scratch / "out").exists()
    assert not words or not (scratch / "out.partial").exists()


def test_links_are_not_followed(fleet, logs, scratch):
    (scratch / "victim").write_text("mine")
    (scratch / "elsewhere").mkdir()
    (scratch / "out.partial").mkdir()
    (scratch / "out.partial/.lock").symlink_to(scratch / "victim")
    (scratch / "other.partial").symlink_to(scratch / "elsewhere")
    (scratch / "dangling").symlink_to(scratch / "nowhere")
    assert fleet(logs).returncode == 3
    assert fleet(logs, out="other").returncode == 3
    assert fleet(logs, out="dangling").returncode == 2
    assert (scratch / "victim").read_text() == "mine"
    assert not os.listdir(scratch / "elsewhere")


@pytest.mark.long("starts a cluster")
def test_output_whose_name_is_taken_meanwhile_is_kept(
    fleet, alone, logs, scratch, trace2
):
    command = scratch / "taker"
    command.write_text(f'#!/bin/sh\nmkdir -p "{scratch}/out/theirs"\n'
                       f'exec "{trace2}" "$@"\n')
    command.chmod(0o755)
    done = fleet("--workers", "1", logs, command=command)
    assert done.returncode == 3
    assert "the whole output is in" in done.stderr
    check_equal(scratch / "out.partial", alone, logs)


@pytest.mark.long("two runs wait for each other")
def test_runs_that_share_a_work_directory_do_not_mix(
    fleet, logs, scratch, trace2
):
    os.mkfifo(scratch / "wait")
    command = scratch / "slow"
    command.write_text('#!/bin/sh\ncase $1 in summary) '
                       f': <"{scratch}/wait" ;; esac\nexec "{trace2}" "$@"\n')
    command.chmod(0o755)
    (scratch / "other").mkdir()
    with subprocess.Popen(
            [sys.executable, FLEET, "--trace2", command, "--workers", "1",
             "--shards", "1", "--work", scratch / "work", "--slowest", "0",
             "-o", scratch / "other/out", logs]) as first:
        with (scratch / "wait").open("w"):
            second = fleet("--work", "work", logs)
            assert (scratch / "work/out.parts/.lock").exists()
        while first.poll() is None:
            with contextlib.suppress(OSError):
                os.close(os.open(scratch / "wait", os.O_WRONLY | os.O_NONBLOCK))
    assert (first.returncode, second.returncode) == (0, 3)
    assert "out.parts: another run is at work" in second.stderr


def test_shard_that_is_killed_ends_the_run(fleet, logs, scratch, trace2):
    command = scratch / "killed"
    command.write_text(f'#!/bin/sh\n"{trace2}" "$@" | head -5\nkill -9 $$\n')
    command.chmod(0o755)
    done = fleet(logs, command=command)
    assert (done.returncode, done.stderr) == (
        3, "trace2-fleet: trace2 shard: exit status -9\n")
    assert not (scratch / "out").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signal_ends_the_run_with_a_message_and_leaves_nothing(
    fleet, logs, scratch, trace2, name
):
    command = scratch / "slow"
    command.write_text(f'#!/bin/sh\nkill -{name[3:]} $PPID\nsleep 2\n'
                       f'exec "{trace2}" "$@"\n')
    command.chmod(0o755)
    (scratch / "tmp").mkdir()
    done = fleet(logs, command=command, env={"TMPDIR": str(scratch / "tmp")})
    assert (done.returncode, done.stderr) == (
        3, f"trace2-fleet: ended by {name}\n")
    assert not (scratch / "out.partial").exists()
    assert not os.listdir(scratch / "tmp")


def test_signal_while_the_cluster_begins_leaves_nothing(logs, scratch, trace2):
    space = scratch / "tmp"
    space.mkdir()
    run = subprocess.Popen(
        [sys.executable, FLEET, "--trace2", trace2, "-o", "out", logs],
        cwd=scratch, stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(space)})
    while not any(space.glob("*/*")):  # of a worker that begins
        time.sleep(0.01)
    run.terminate()
    assert run.communicate()[1] == b"trace2-fleet: ended by SIGTERM\n"
    assert run.returncode == 3
    assert not os.listdir(space)


def test_signal_that_is_ignored_ends_no_run(fleet, logs, scratch, trace2):
    command = scratch / "sender"
    command.write_text(f'#!/bin/sh\nkill -INT $PPID\nkill -HUP $PPID\n'
                       f'exec "{trace2}" "$@"\n')
    command.chmod(0o755)
    done = fleet(logs, command=command, preexec_fn=lambda: [
        signal.signal(number, signal.SIG_IGN)
        for number in (signal.SIGINT, signal.SIGHUP)])
    assert done.returncode == 0
    assert done.stderr.startswith("20 files in 4 shards: ")


def test_shard_that_fails_is_noticed_where_sigchld_is_ignored(
    fleet, logs, scratch, trace2
):
    command = scratch / "failing"
    command.write_text(f'#!/bin/sh\n"{trace2}" "$@" | head -5\nexit 7\n')
    command.chmod(0o755)
    done = fleet(logs, command=command, preexec_fn=lambda: signal.signal(
        signal.SIGCHLD, signal.SIG_IGN))
    assert (done.returncode, done.stderr) == (
        3, "trace2-fleet: trace2 shard: exit status 7\n")


@pytest.mark.parametrize("words", [["--scheduler", "x"],
                                   ["--scheduler", "garbage://x"],
                                   ["--list", "nul"]])
def test_mistake_ends_with_one_line(fleet, logs, scratch, words):
    (scratch / "nul").write_bytes(b"a\0b\n")
    done = fleet(*words, logs)
    assert done.returncode == 3
    assert done.stderr.startswith(f"trace2-fleet: {words[1]}: ")
    assert done.stderr.count("\n") == 1
    assert not (scratch / "out.partial").exists()


EVENTS = """\
{"event":"version","sid":"S","thread":"main","time":"2026-11-23T10:00:00.000000Z","evt":"3","exe":"2"}
{"event":"start","sid":"S","thread":"main","time":"2026-11-23T10:00:00.000000Z","t_abs":0.1,"argv":["git","A"]}
{"event":"exit","sid":"S","thread":"main","time":"2026-11-23T10:00:01.000000Z","t_abs":1.1,"code":0}
{"event":"atexit","sid":"S","thread":"main","time":"2026-11-23T10:00:01.000000Z","t_abs":1.1,"code":0}
"""  # fmt: skip


@pytest.mark.long("starts a cluster")
def test_long_command_line_costs_nothing(fleet, scratch):
    """Python reads fields of CSV up to 128 KiB unless it is told."""
    (scratch / "log").write_text(
        EVENTS.replace('"A"', '"' + 200_000 * "a" + '"'))
    done = fleet("--workers", "1", "log")
    assert (done.returncode, done.stderr) == (
        0, f"1 file in 1 shard: {scratch / 'out'}\n")


@pytest.mark.long("starts a cluster")
def test_commands_that_the_report_lacks_are_told(fleet, scratch):
    """A file that begins with another command may be of any size."""
    (scratch / "log").write_text(EVENTS + EVENTS.replace('"S"', '"T"'))
    done = fleet("--workers", "1", "log")
    assert (done.returncode, done.stderr) == (0, (
        "trace2-fleet: report.html lacks 1 of the 2 slowest commands: no file "
        f"begins with them\n1 file in 1 shard: {scratch / 'out'}\n"))


@pytest.mark.long("starts a cluster")
def test_names_need_no_locale(fleet, logs, scratch):
    folder = scratch / "some"
    folder.mkdir()
    (folder / "log").write_text(EVENTS)
    with open(os.fsencode(folder) + b"/\xc3\xa4\xff", "wb") as file:
        file.write(b"junk\n")
    done = fleet("--workers", "1", folder, env={
        "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert done.returncode == 1, done.stderr
    assert (scratch / "out/left-out.txt").read_bytes().count(b"\n") == 1
