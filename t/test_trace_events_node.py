"""Node 20 beside ours: the same small scenario, and what each leaves.

What both do alike is our contract's source; where Node is weak, the test
shows the weakness and that ours has it not. Skipped without node.
"""

import json
import os
import shutil
import signal
import subprocess

import pytest
from test_trace_events import trace

NODE = shutil.which("node")
pytestmark = [pytest.mark.skipif(not NODE, reason="no node: nodejs"),
              pytest.mark.long("runs node")]


def node(folder, script, *flags, **options):
    return subprocess.run(
        [NODE, *flags, "-e", script], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)}, timeout=20,
        **options)


def flags(categories, pattern):
    return (f"--trace-event-categories={categories}",
            f"--trace-event-file-pattern={pattern}")


def test_the_union_of_categories_is_told_alike(test_tool, scratch):
    said = node(scratch, """
        const t = require('trace_events');
        const outer = t.createTracing({categories: ['a']});
        const tracing = t.createTracing({categories: ['b', 'c']});
        outer.enable();
        for (let i = 0; i < 3; i++) {
            console.log(t.getEnabledCategories() || '(none)');
            if (i) tracing.disable(); else tracing.enable();
        }""").stdout
    ours = trace(test_tool, scratch, "switch").stdout.decode()
    assert ours == said == "a\na,b,c\na\n"


def test_a_group_is_recorded_by_any_member_in_both(test_tool, scratch):
    """node.fs.sync is only in groups: node,node.fs,node.fs.sync."""
    node(scratch, "require('fs').existsSync('x'); require('fs').statSync('.')",
         *flags("node.fs.sync", "n.json"))
    events = json.loads((scratch / "n.json").read_text())["traceEvents"]
    theirs = {e["cat"] for e in events if e["ph"] != "M"}
    group = "node,node.fs,node.fs.sync"
    trace(test_tool, scratch, "-c", "node.fs.sync", "groups", group, "node")
    ours = [e for e in json.loads((scratch / "t.json").read_text())
            if e["ph"] != "M"]
    assert theirs == {e["cat"] for e in ours} == {group}


def test_quotes_break_their_file_and_not_ours(test_tool, scratch):
    node(scratch, "console.time('q\"'); console.timeEnd('q\"')",
         *flags("node.console", "n.json"))
    with pytest.raises(ValueError):
        json.loads((scratch / "n.json").read_text())
    trace(test_tool, scratch, "quotes")
    assert json.loads((scratch / "t.json").read_text())


def test_metadata_is_repeated_in_their_file_and_not_in_ours(
        test_tool, scratch):
    node(scratch, "0", *flags("node.fs", "n.json"))
    trace(test_tool, scratch, "many", "1")
    theirs = json.loads((scratch / "n.json").read_text())["traceEvents"]
    ours = json.loads((scratch / "t.json").read_text())
    counts = [sum(e["name"] == "process_name" for e in events)
              for events in (theirs, ours)]
    assert counts[0] > 1 and counts[1] == 1


def test_a_signal_costs_their_file_and_not_ours(test_tool, scratch):
    done = node(scratch, "process.kill(process.pid, 'SIGTERM');"
                "setTimeout(() => 0, 9999)", *flags("node", "n.json"))
    assert done.returncode == -signal.SIGTERM
    text = (scratch / "n.json").read_text() if (
        scratch / "n.json").exists() else ""
    with pytest.raises(ValueError):
        json.loads(text)
    done = trace(test_tool, scratch, "crash", str(int(signal.SIGTERM)))
    assert done.returncode == -signal.SIGTERM
    assert json.loads((scratch / "t.json").read_text() + "]")


def test_a_full_disk_aborts_them_and_not_us(test_tool, scratch):
    done = node(scratch, "0", *flags("node", "/dev/full"))
    assert done.returncode == -signal.SIGABRT
    os.symlink("/dev/full", scratch / "t.json")
    done = trace(test_tool, scratch, "many", "10")
    assert done.returncode in (0, 2)
    assert b"No space left" in done.stderr
