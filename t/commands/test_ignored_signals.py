"""A signal that whoever started a command ignores, such as `nohup` SIGHUP and
a shell the SIGINT of a job in the background, stays ignored; but not SIGCHLD,
which tells that a program has ended."""

import os
import signal
import subprocess
import time

import pytest
from process_kit import await_that, running

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

COMMANDS = {
    "follow": ["validate", "--follow", "log"],
    "listen": ["validate", "--listen", "af_unix:stream:socket"],
    "collect": ["collect", "--spool", "spool", "--listen",
                "af_unix:stream:socket", "-o", "files:out"],
    "manager": ["manager", "--socket", "socket"],
    "record": ["record", "--timeout", "0.1", "-o", "a.event", "--", "sh", "-c",
               "echo >ready; exec sleep 60"],
}


def ignore(numbers):
    return lambda: [signal.signal(number, signal.SIG_IGN) for number in numbers]


@pytest.mark.parametrize("name", COMMANDS)
def test_ignored_signal_ends_no_command(trace2, env, short_dir, name):
    made = {"follow": "log", "record": "ready"}.get(name, "socket")
    (short_dir / "log").touch()
    with running(trace2, *COMMANDS[name], cwd=short_dir, env=env,
                 preexec_fn=ignore(ENDINGS), stdout=subprocess.DEVNULL) as process:
        await_that((short_dir / made).exists)
        time.sleep(0.5)
        for number in ENDINGS:
            process.send_signal(number)
        time.sleep(0.5)
        assert process.poll() is None


@pytest.mark.parametrize("output", ["a.event", "a.fxt", "a.json"])
def test_recording_ends_with_its_command_where_sigchld_is_ignored(
        trace2, env, scratch, output):
    done = subprocess.run(
        [trace2, "record", "-o", output, "--", "sh", "-c", "git version; exit 7"],
        cwd=scratch, env=env, preexec_fn=ignore([signal.SIGCHLD]),
        capture_output=True, timeout=30)
    assert done.returncode == 7
    assert os.listdir(scratch) == [output]
