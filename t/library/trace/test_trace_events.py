"""Trace events as test-tool writes them: golden files under the fake host,
sudden ends, and what Perfetto makes of it all.

`PYTHONPATH=t/tools/readers python3 t/library/trace/test_trace_events.py TEST_TOOL` writes
the golden files anew.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from perfetto_kit import perfetto  # noqa: F401

GOLDEN = Path(__file__).resolve().parents[3] / "golden/trace-events"
# Of each: what is asked of test-tool; {} is a scratch directory.
CASES = {
    "phases": ("phases",), "switch": ("switch",),
    "groups": ("-c", "fs", "groups", "fs", "node,fs", "fs.sync", "a,fs,"),
    "quotes": ("quotes",), "threads": ("threads", "3"),
    "rotation": ("-n", "2", "many", "5"),
    "boundary": ("-n", "3", "nested", "4"), "fork": ("fork",),
}  # fmt: skip

pytestmark = pytest.mark.xdist_group("perfetto")


def trace(tool, folder, *words, name="t.json", env=(), **options):
    """What the process did; the files are in `folder`."""
    command = [tool, "trace-events", "-o", folder / name, *words]
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(("GIT_", "TRACE_"))}
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=20, **options,
        env={**kept, "LC_ALL": "C", **dict(env)})


def written(tool, folder, case):
    """All files of a case, one after another, with their names."""
    trace(tool, folder, *CASES[case], env={"TEST_TOOL_FAKE_HOST": "1"})
    files = sorted(folder.glob("*.json"))
    return b"".join(b"%s\n%s" % (path.name.encode(), path.read_bytes())
                    for path in files)


@pytest.mark.plain("a sanitizer loses forked children that start threads")
@pytest.mark.parametrize("case", CASES)
def test_trace_events_are_as_in_golden(test_tool, scratch, case):
    wanted = (GOLDEN / f"{case}.txt").read_bytes()
    assert written(test_tool, scratch, case).decode() == wanted.decode()


def lines(path):
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("number", [
    signal.SIGKILL,
    pytest.param(signal.SIGSEGV, marks=pytest.mark.plain(
        "a sanitizer makes an exit of it")),
])
def test_a_crash_leaves_whole_lines(test_tool, scratch, number):
    done = trace(test_tool, scratch, "crash", str(int(number)))
    assert done.returncode == -number
    text = (scratch / "t.json").read_text()
    assert text.endswith("}\n")
    assert {e["ph"] for e in json.loads(text + "]")} == {"M"}


def test_a_path_that_can_t_be_opened_does_not_hang(test_tool, scratch):
    begin = time.monotonic()
    done = trace(test_tool, scratch, "many", "10", name="none/t.json")
    assert done.returncode == 2 and time.monotonic() - begin < 5
    assert done.stderr.count(b"\n") == 1
    assert b"No such file" in done.stderr


def test_a_full_disk_does_not_abort(test_tool, scratch):
    done = trace(test_tool, scratch, "many", "9999", preexec_fn=lambda:
                 resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)))
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    text = (scratch / "t.json").read_text()
    assert len(json.loads(text + "]")) > 50


def test_perfetto_sees_every_phase(perfetto, test_tool, scratch):  # noqa: F811
    trace(test_tool, scratch, "phases")
    slices, counters, flows, names = perfetto(
        scratch / "t.json",
        "select name, category, depth from slice order by ts, depth",
        "select distinct t.name as name from counter c"
        " join counter_track t on t.id = c.track_id",
        "select count(*) as count from flow",
        "select t.name as thread, p.name as process from thread t"
        " join process p using (upid)")
    assert [row["name"] for row in slices] == [
        "complete", "duration", "instant", "span", "span"]
    assert {row["category"] for row in slices} == {"a"}
    assert len(counters) == 1 and flows == [{"count": 2}]
    assert {"thread": "first", "process": "phases"} in names


def test_perfetto_loads_names_with_quotes(
        perfetto, test_tool, scratch):  # noqa: F811
    trace(test_tool, scratch, "quotes")
    slices, = perfetto(scratch / "t.json",
                       "select name, category from slice order by ts")
    assert slices[0] == {"name": 'n"\\\n', "category": 'a,q"\\'}
    assert slices[1]["category"] == "a,\U0001f389"


if __name__ == "__main__":
    import tempfile

    GOLDEN.mkdir(exist_ok=True)
    for one in CASES:
        with tempfile.TemporaryDirectory() as place:
            text = written(Path(sys.argv[1]).resolve(), Path(place), one)
        (GOLDEN / f"{one}.txt").write_bytes(text)
