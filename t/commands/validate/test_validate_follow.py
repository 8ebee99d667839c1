"""`trace2 validate --follow`: a log that is still being written."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from validate_kit import BROKEN, BROKEN_ID, START, VERSION, log

GOOD = log(VERSION, START)


@pytest.fixture
def follow(trace2, env, scratch):
    """A process that follows the file `log`, which is there already."""
    (scratch / "log").write_bytes(GOOD)
    command = [trace2, "validate", "--format", "jsonl", "--follow", "log"]
    process = subprocess.Popen(
        command, cwd=scratch, env=env, stdout=subprocess.PIPE
    )
    yield process
    process.terminate()
    process.communicate()


def append(path, content):
    with path.open("ab") as file:
        file.write(content)


def next_place(process):
    finding = json.loads(process.stdout.readline())
    return finding["id"], finding["line"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_growing_log_gives_findings_at_once(number, follow, scratch):
    append(scratch / "log", log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 3)
    append(scratch / "log", log(START) + BROKEN[:40])
    append(scratch / "log", BROKEN[40:] + b"\n")
    assert next_place(follow) == (BROKEN_ID, 5)
    follow.send_signal(number)
    summary = json.loads(follow.stdout.read())["summary"]
    assert follow.wait() == 1
    assert summary["findings"]["error"] == 2 and summary["files"] == 1


def test_a_log_that_takes_the_place_is_followed(follow, scratch):
    append(scratch / "log", log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 3)
    (scratch / "log").rename(scratch / "log.1")
    append(scratch / "log.1", log(BROKEN))  # by who still has it open
    assert next_place(follow) == (BROKEN_ID, 4)
    (scratch / "log").write_bytes(log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 1)


def test_a_log_that_is_cut_is_read_from_its_start(follow, scratch):
    append(scratch / "log", log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 3)
    (scratch / "log").write_bytes(log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 1)


@pytest.mark.long("waits for seconds")
def test_a_directory_in_the_place_of_a_log_is_waited_out(follow, scratch):
    append(scratch / "log", log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 3)
    (scratch / "log").unlink()
    (scratch / "log").mkdir()
    time.sleep(1)
    fields = Path(f"/proc/{follow.pid}/stat").read_text().split(") ")[1].split()
    ticks = int(fields[11]) + int(fields[12])
    (scratch / "log").rmdir()
    (scratch / "log").write_bytes(log(BROKEN))
    assert next_place(follow) == (BROKEN_ID, 1)
    assert ticks < os.sysconf("SC_CLK_TCK") / 4


def opened_files(process):
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            yield os.path.basename(os.readlink(link))
        except FileNotFoundError:
            pass  # closed meanwhile


def test_an_archive_that_has_ended_is_waited_for(trace2, env, scratch):
    archive = b"\x10\0\x04FxT\x16\0" + bytes(8)  # and a record of no size
    (scratch / "log").write_bytes(archive)
    with subprocess.Popen(
        [trace2, "validate", "--format", "jsonl", "--follow", "log"],
        cwd=scratch, env=env, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        while "log" not in opened_files(process):
            time.sleep(0.01)
        (scratch / "log").rename(scratch / "log.1")
        (scratch / "log").write_bytes(log(BROKEN))
        found = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.terminate()
    assert BROKEN_ID in [finding["id"] for finding in found]


@pytest.mark.parametrize("paths", [".", "log log", "-"])
def test_only_one_file_can_be_followed(paths, validate, scratch):
    (scratch / "log").write_bytes(GOOD)
    assert validate("--follow", *paths.split()).returncode == 2


def test_a_log_that_is_not_there_can_not_be_followed(validate):
    result = validate("--follow", "nowhere")
    assert result.returncode == 3
    assert b"No such file or directory" in result.stdout
