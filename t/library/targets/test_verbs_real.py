"""git's verbs write what git's own helper wrote.

Compared with the logs of git 2.55 in t/corpus, each run again with the
command that stands in its start event. Told apart is everything but times,
session ids, process ids, places in the source, ancestors and versions.
"""

import json
import re
import shutil

import pytest

LOGS = "t/corpus/pass/real/evt4-git2.55"
NAMES = [
    "bug", "bug8", "child", "ctr", "ctr_mt", "data", "error", "exec", "exit",
    "nonutf8", "redact", "return", "timer", "timer_mt",
]
VARIABLES = {
    "normal": "GIT_TRACE2",
    "perf": "GIT_TRACE2_PERF",
    "event": "GIT_TRACE2_EVENT",
}
# Values that no two runs share; their places in a line are compared.
VARYING = {"time", "file", "line", "t_abs", "t_rel", "t_total", "t_min",
           "t_max", "exe", "ancestry", "pid", "evt"}

TEXT = [
    (rb"^(?:\d\d:){2}\d\d\.\d{6} (?=\S)", b"TIME "),
    (rb"\b\d+\.\d{6}\b", b"0.000000"),
    (rb" pid:\d+ ", b" pid:N "),
    (rb"(cmd_ancestry +).*", rb"\1..."),
    (rb"(version +(?:\|[^|]*){4}\| |version )\S+$", rb"\1VERSION"),
    (rb"(\| |start )(?:\S*/|'[^']*/)(test-tool|git)'? ", rb"\1\2 "),
]


def event_line(line, sids):
    """The keys of a line in order, with those values that runs share."""
    pairs = json.loads(line.decode("utf-8", "replace")).items()
    return [(key, event_value(key, value, sids)) for key, value in pairs]


def event_value(key, value, sids):
    if key == "sid":
        return sids.setdefault(value, len(sids))
    if key == "argv":
        return [value[0].rpartition("/")[2], *value[1:]]
    return type(value).__name__ if key in VARYING else value


def text_line(target, line):
    """A line of NORMAL or PERF; the file's column stays as wide as it is."""
    head = re.match(rb"\S+ \S+ *", line)[0]
    assert len(head) == (50 if target == "normal" else 45)
    line = line[:16] + b"FILE".ljust(len(head) - 16) + line[len(head):]
    for pattern, new in TEXT:
        line = re.sub(pattern, new, line)
    return line


def shared(target, log):
    """A log without what differs from run to run, threads one by one."""
    lines = log.splitlines()
    if target != "event":
        lines = [text_line(target, line) for line in lines]
        return sorted(lines, key=text_thread)
    sids = {}
    lines = [event_line(line, sids) for line in lines]
    return sorted(lines, key=lambda pairs: dict(pairs)["thread"])


def text_thread(line):
    """The thread's column; in NORMAL the lines that threads write."""
    found = re.search(rb"\| ((?:main|th\d\d:)\S*) +\||(\bth_\w+)", line)
    return found[1] or found[2] if found else b""


@pytest.mark.parametrize("name", NAMES)
def test_verb_writes_what_the_helper_of_git_wrote(
    execute, scratch, root, test_tool, env, name
):
    if name == "exec" and not shutil.which("git"):
        pytest.skip("no git: apt-get install git")
    real = {
        target: (root / LOGS / f"tt_{name}.{target}").read_bytes()
        for target in VARIABLES
    }
    argv = re.search(rb'"argv":(\[.*?\])', real["event"])[1]
    command = [
        word.encode("latin-1") for word in json.loads(argv.decode("latin-1"))
    ]
    (scratch / "test-tool").symlink_to(test_tool)
    logs = {v: str(scratch / t) for t, v in VARIABLES.items()}
    execute(command, env={"PATH": f"{scratch}:{env['PATH']}", **logs},
            executable=str(scratch / "test-tool"))
    for target in VARIABLES:
        ours = (scratch / target).read_bytes()
        assert shared(target, ours) == shared(target, real[target]), target
