"""The whole path: 200 git commands, `trace2 collect`, and four outputs, of
which one is stopped; then trace2-fleet sums up the files."""

import collections
import gzip
import json
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from collect_kit import Service, listen
from conftest import ROOT
from otlp_kit import read_traces
from otlp_receiver import receive

pytestmark = pytest.mark.long("starts many programs")

COMMANDS = 200
FLEET = ROOT / "helper/fleet/trace2-fleet"


def run_commands(repo, path):
    """Each fourth one fails at first, and tells of it in an error."""
    commands = [["init", "-q", "."], ["status"], ["rev-parse", "HEAD"],
                ["config", "core.bare"]]
    home = {"HOME": str(repo), "GIT_CONFIG_NOSYSTEM": "1", "PATH": "/usr/bin:/bin"}
    for i in range(COMMANDS):
        subprocess.run(["git", *commands[i % 4]], cwd=repo, capture_output=True, check=False,
                       env={**home, "GIT_TRACE2_EVENT": f"af_unix:stream:{path}"})


def read_all(listener, got):
    with listener.accept()[0] as reader, reader.makefile("rb") as file:
        got.extend(file)


class Run:
    """What the outputs have in the end."""

    def __init__(self, trace2, folder):
        (folder / "repo").mkdir()
        self.folder, self.read = folder, []
        with receive() as self.receiver, listen(folder / "reader") as listener, \
                listen(folder / "stopped"):
            self.service = Service(trace2, folder, [
                "-o", "files:logs", "--file-size", "64k", "--compress",
                "-o", "af_unix:stream:reader", "-o", "af_unix:stream:stopped",
                "-o", f"otlp:{self.receiver.url}", "--otlp-gzip"])
            thread = threading.Thread(target=read_all, args=(listener, self.read))
            thread.start()
            try:
                self.service.begin()
                run_commands(folder / "repo", self.service.path)
                self.code, _, self.errors = self.service.end()
            finally:
                self.service.kill()
            thread.join()
        self.logs = self.service.logs(".log.gz")
        self.lines = b"".join(gzip.decompress(log.read_bytes())
                              for log in self.logs).splitlines(keepends=True)

    def metric(self, name, output):
        text = (self.service.spool / "metrics.prom").read_text()
        return int(re.search(rf'^trace2_collect_output_{name}{{output="{output}.*"}} (\d+)$',
                             text, re.M)[1])


@pytest.fixture(scope="module")
def collected(trace2):
    with tempfile.TemporaryDirectory(prefix="t2-") as folder:
        yield Run(trace2, Path(folder))


def test_200_git_commands_reach_the_files(collected, trace2):
    kinds = collections.Counter(json.loads(line)["event"] for line in collected.lines)
    assert collected.code == 0
    assert len(collected.logs) > 1
    assert kinds["version"] == kinds["atexit"] >= COMMANDS
    checked = subprocess.run([trace2, "validate", *collected.logs],
                             capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_200_git_commands_reach_another_reader(collected):
    assert collected.read == collected.lines  # whole, in the same order, each once


def test_200_git_commands_reach_the_receiver_as_spans(collected, trace2):
    done = subprocess.run([trace2, "convert", "--to", "otlp", "-", "-"], check=True,
                          input=b"".join(collected.lines), stdout=subprocess.PIPE)
    wanted = collections.Counter(map(json.dumps, read_traces(done.stdout)))
    assert collections.Counter(map(json.dumps, collected.receiver.traces())) == wanted
    kinds = collections.Counter(json.loads(line)["event"] for line in collected.lines)
    types = collections.Counter(span["attributes"]["trace2.span.type"]
                                for span in collected.receiver.spans())
    assert types == collections.Counter({
        "process": kinds["version"], "region": kinds["region_enter"],
        "child": kinds["child_start"]})
    assert collected.metric("outside_total", "otlp") == 0
    assert collected.metric("waiting", "otlp") == 0


def test_the_stopped_output_is_told_what_it_lacks(collected):
    passed = collected.metric("passed_total", "af_unix:stream:stopped")
    count = collected.metric("waiting", "af_unix:stream:stopped")
    assert b"stopped': %d events wait in the spool\n" % count in collected.errors
    assert count > 0
    assert passed + count == len(collected.lines)


def test_trace2_fleet_sums_up_the_collected_files(collected, trace2):
    if subprocess.run([sys.executable, "-c", "import distributed"],
                      stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("no Dask (make fleet installs it)")
    out = collected.folder / "sums"
    subprocess.run([sys.executable, FLEET, "--trace2", trace2, "--by", "directory",
                    "--workers", "1", "-o", out,
                    collected.folder / "logs"], check=True, capture_output=True)
    wanted = subprocess.run([trace2, "summary", "--format", "state", *collected.logs],
                            check=True, stdout=subprocess.PIPE).stdout
    got = (out / "summary.state").read_bytes()
    assert got == wanted
    rows = (out / "processes.csv").read_text().splitlines()[1:]
    assert len(rows) >= COMMANDS
