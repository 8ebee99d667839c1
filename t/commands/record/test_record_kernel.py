"""What `trace2 record` shows of the kernel: switches, wakeups, names and
system calls, or why it can't."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_record import record, sound, traced  # noqa: F401

pytestmark = pytest.mark.linked


def test_the_kernel_tells_when_programs_had_a_cpu(
    record, traced, scratch, sound, execute, trace2
):
    done = record("--kernel", "--", traced, "paced", "100000")
    assert "kernel (pid 0): " in done.stderr
    if "skipped: " in done.stderr:
        pytest.skip(done.stderr.split("skipped: ")[1].split("\n")[0])
    sound(scratch / "trace.fxt")
    pid = done.stderr.split("traced (pid ")[1].split(")")[0]
    shown = execute([trace2, "dump", "trace.fxt"]).stdout.decode()
    switches = [line for line in shown.splitlines() if " switch " in line]
    assert any(f" to={pid}" in line for line in switches)
    assert any(f" thread={pid} " in line for line in switches)


def test_a_kernel_that_refuses_is_told_with_the_reason(
    execute, trace2, short_dir
):
    if os.getuid():
        pytest.skip("needs root to be another user")
    short_dir.chmod(0o777)
    # The other user may not reach the clone, say below /root.
    program = Path(shutil.copy(trace2, short_dir))
    program.chmod(0o755)
    done = execute([program, "record", "--kernel", "--output", "-", "--",
                    "true"], user=65534, cwd="/",
                   env={"TMPDIR": str(short_dir)})  # fmt: skip
    assert done.returncode == 0
    if b"skipped: " not in done.stderr:
        pytest.skip("the kernel shows everybody its context switches")
    assert b"perf_event_open(2) is not allowed here; it needs" in done.stderr
    assert b"CAP_PERFMON" in done.stderr


def with_tracefs(*command):
    """The command in a mount namespace with tracefs, or a skip."""
    mount = "mount -t tracefs none /sys/kernel/tracing"
    tried = subprocess.run(["unshare", "-m", "sh", "-c", mount],
                           capture_output=True)  # fmt: skip
    if tried.returncode:
        pytest.skip("only root may mount tracefs, and not everywhere")
    return ["unshare", "-m", "sh", "-c", mount + ' && exec "$@"', "sh",
            *command]  # fmt: skip


@pytest.fixture
def with_kernel(execute, trace2, short_dir):
    """with_kernel(*words): what a recording shows, line by line."""

    def call(*words):
        command = with_tracefs(trace2, "record", *words)
        done = execute(command, env={"TMPDIR": str(short_dir)})
        done.stderr = done.stderr.decode()
        if "skipped: " in done.stderr or "only context" in done.stderr:
            pytest.skip(done.stderr)
        shown = execute([trace2, "dump", "trace.fxt"]).stdout.decode()
        return done, shown.splitlines()

    return call


def test_the_kernel_tells_who_wakes_and_names_threads(
    with_kernel, traced, scratch, sound
):
    done, lines = with_kernel("--kernel", "--", traced, "children", "3")
    sound(scratch / "trace.fxt")
    pids = re.findall(r"traced \(pid (\d+)\)", done.stderr)
    wakeups = [line for line in lines if " wakeup " in line]
    assert any(f"#{pid}" in line for pid in pids for line in wakeups)
    assert any('thread_name ' in line and '"trace2"' in line for line in lines)
    assert not any("syscall" in line for line in lines)


def test_system_calls_have_names_and_results(
    with_kernel, traced, scratch, sound
):
    done, lines = with_kernel("--syscalls", "--", traced, "children", "3")
    sound(scratch / "trace.fxt")
    calls = [line for line in lines if 'category="syscall"' in line]
    assert any('name="close"' in line and '"result":0' in line
               for line in calls)  # fmt: skip
    assert any(" wakeup " in line for line in lines)


def test_what_the_kernel_tells_becomes_json(with_kernel, traced, scratch):
    done, _ = with_kernel("--syscalls", "--output", "t.json", "--", traced,
                          "events", "5")  # fmt: skip
    assert "records without a form in Chrome's JSON" not in done.stderr
    assert done.returncode == 0
    events = json.loads((scratch / "t.json").read_text())
    assert {"syscall", "sched"} <= {event.get("cat") for event in events}
    named = {event.get("name") for event in events}
    assert {"switch", "wakeup", "thread_name"} <= named


def test_without_tracefs_the_rest_is_recorded(record, traced, scratch, sound):
    if os.path.exists("/sys/kernel/tracing/events"):
        pytest.skip("tracefs is mounted here")
    done = record("--syscalls", "--", traced, "events", "5")
    if "skipped: " in done.stderr:
        pytest.skip(done.stderr)
    assert "mount -t tracefs none /sys/kernel/tracing" in done.stderr
    assert done.returncode == 0
    sound(scratch / "trace.fxt")


def test_the_kernel_is_asked_only_where_that_is_wanted(record, traced):
    assert "kernel" not in record("--", traced, "events", "1").stderr
