"""A reader of traces that is asked line by line: what the kits of Perfetto
and DevTools share."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[2] / "build"


class Reader:
    """The program `script`, which answers each question by a line."""

    def __init__(self, script, folder):
        self.process = subprocess.Popen(
            ["node", HERE / script, BUILD / folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def ask(self, **question):
        print(json.dumps(question), file=self.process.stdin, flush=True)
        said = json.loads(self.process.stdout.readline())
        assert "error" not in said, said["error"]
        return said

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def need(folder, file):
    """Skip the test where the reader is missing."""
    if not shutil.which("node"):
        pytest.skip("no node: nodejs, from wherever npm comes")
    if not (BUILD / folder / file).exists():
        pytest.skip(f"no build/{folder}: make {folder} (by npm)")
