"""The whole path: 200 git commands, `trace2 collect`, and three outputs, of
which one is stopped."""

import gzip
import subprocess
import threading

import pytest
from collect_kit import Service, listen

COMMANDS = 200


@pytest.fixture
def service(trace2, short_dir):
    made = Service(trace2, short_dir, [
        "-o", "files:logs", "--file-size", "64k", "--compress",
        "-o", "af_unix:stream:reader", "-o", "af_unix:stream:stopped"])
    yield made
    if made.process:
        made.kill()


def run_commands(execute, repo, path):
    """Each fourth one fails."""
    commands = [["init", "-q", "."], ["status"], ["rev-parse", "HEAD"],
                ["config", "core.bare"]]
    for i in range(COMMANDS):
        execute(["git", *commands[i % 4]], cwd=repo,
                env={"GIT_TRACE2_EVENT": f"af_unix:stream:{path}"})


def read_all(listener, got):
    with listener.accept()[0] as reader, reader.makefile("rb") as file:
        got.extend(file)


def test_200_git_commands_reach_each_output_that_reads(service, execute, short_dir):
    (short_dir / "repo").mkdir()
    got = []
    with listen(short_dir / "reader") as listener, listen(short_dir / "stopped"):
        thread = threading.Thread(target=read_all, args=(listener, got))
        thread.start()
        service.begin()
        run_commands(execute, short_dir / "repo", service.path)
        code, _, errors = service.end()
        thread.join()
    logs = service.logs(".log.gz")
    lines = b"".join(gzip.decompress(log.read_bytes()) for log in logs)
    lines = lines.splitlines(keepends=True)
    assert code == 0
    assert len(logs) > 1
    assert sum(b'"event":"version"' in line for line in lines) >= COMMANDS
    assert sum(b'"event":"version"' in line for line in lines) == sum(
        b'"event":"atexit"' in line for line in lines)
    assert got == lines  # whole, in the same order, each once
    waiting = b"stopped': %d events wait in the spool\n"
    kept = (service.spool / "metrics.prom").read_text()
    count = int(kept.split('waiting{output="af_unix:stream:stopped"} ')[1].split()[0])
    assert waiting % count in errors
    passed = int(kept.split('passed_total{output="af_unix:stream:stopped"} ')[1].split()[0])
    assert count > 0
    assert passed + count == len(lines)
    checked = subprocess.run([service.trace2, "validate", *logs],
                             capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout
