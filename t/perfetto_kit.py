"""Asks Perfetto's trace processor what is in a trace; see perfetto-query.cjs.

    def test_it_loads(perfetto, scratch):
        rows = perfetto(scratch / "a.fxt", "select name from slice")[0]

It is started once for all tests, and they are skipped where it is missing.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/perfetto"
# What a reader must not have to say of a trace.
STATS = "select name, value from stats where value != 0 and severity != 'info'"


class Engine:
    def __init__(self):
        self.process = subprocess.Popen(
            ["node", ROOT / "t/perfetto-query.cjs", FOLDER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def __call__(self, trace, *queries):
        """The rows of each query; the trace must load without complaint."""
        asked = {"trace": str(trace), "queries": [STATS, *queries]}
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        said = json.loads(self.process.stdout.readline())
        assert "error" not in said, said["error"]
        assert said["rows"][0] == []
        return said["rows"][1:]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def perfetto():
    if not shutil.which("node"):
        pytest.skip("no node: nodejs, from wherever npm comes")
    if not (FOLDER / "trace_processor.wasm").exists():
        pytest.skip("no build/perfetto: make perfetto (by npm)")
    engine = Engine()
    yield engine
    engine.close()
