"""Runs t/tools/faults/sweep.c on cases of golden/: every call of the host fails.

`make check-host` does it for all cases (host_faults_swept.py), the suite
for a few.
"""

import importlib.machinery
import importlib.util
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# They print what became of the trace: its session, what it lost.
ABOUT_THE_TRACE = ("529session_id", "591dropped")
HANGS = 900


def load_golden():
    loader = importlib.machinery.SourceFileLoader("golden",
                                                  str(ROOT / "t/tools/golden"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("golden", loader)
    )
    loader.exec_module(module)
    return module


golden = load_golden()
CASES = {case.name: case for case in golden.read_manifest()
         if case.name not in ABOUT_THE_TRACE}  # fmt: skip


def sweep(case, scratch, test_tool):
    """The finished sweep of a case, as text."""
    program = os.environ.get("TEST_SWEEP") or ROOT / "build/faults/sweep"
    world = golden.World(scratch, test_tool)
    world.prepare(case)
    return subprocess.run(
        [Path(program).absolute(), *case.command],
        cwd=scratch,
        env=world.env(case, False),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=HANGS,
        text=True,
    )
