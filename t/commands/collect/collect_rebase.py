#!/usr/bin/python3
"""git rebases while one of the outputs of `trace2 collect` stands:

    collect_rebase.py TRACE2 DIR [COMMITS]

Prints how long the rebase took with and without traces. Fails if an event of
it is missing in the output that reads, or git does not end.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, namedtuple
from pathlib import Path

T = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(T), str(T / "common")]

from collect_kit import Service, listen  # noqa: E402

LONGEST = 300  # s; without the service git waits for ever
STOPPED = "af_unix:stream:reader"
NESTING = 100000  # git leaves some regions open, and counts them as nested
ENVIRONMENT = {
    **os.environ, "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e",
    "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
}

Rebase = namedtuple("Rebase", "traced plain events size wrong")


def git(repo, *words, **more):
    begin = time.monotonic()
    subprocess.run(["git", "-c", "gc.auto=0", *words], cwd=repo, check=True,
                   timeout=LONGEST, env={**ENVIRONMENT, **more.pop("env", {})}, **more)
    return time.monotonic() - begin


def make_repository(repo, commits):
    """Each commit adds a file."""
    git(repo.parent, "init", "-q", repo.name)
    text = "".join(
        f"commit refs/heads/work\ncommitter n <e> {10 ** 9 + i} +0000\ndata 2\nc\n"
        f"M 100644 inline f{i}\ndata 2\nx\n"
        for i in range(commits))
    git(repo, "fast-import", "--quiet", input=text.encode())
    git(repo, "checkout", "-q", "work")


def rebase(repo, **env):
    return git(repo, "rebase", "-q", "--force-rebase", "--root", env=env)


def read_counts(running):
    text = (running.spool / "metrics.prom").read_text(encoding="utf-8")
    return {name: int(count) for name, count in
            re.findall(r"^trace2_collect_(\S+) (\d+)$", text, re.M)}


def find_wrong(events, counts):
    """What tells that an event is missing."""
    begun = Counter(event["sid"] for event in events if event["event"] == "version")
    ended = Counter(event["sid"] for event in events if event["event"] == "atexit")
    wrong = [f"no end of {sid}" for sid in begun - ended]
    wrong += [f"no begin of {sid}" for sid in ended - begun]
    stopped = [counts[f'output_{name}{{output="{STOPPED}"}}']
               for name in ("passed_total", "waiting")]
    for what, count in (("received", counts["received_total"]),
                        ("passed on or waiting", sum(stopped))):
        if count != len(events):
            wrong.append(f"{len(events)} events in files, but {count} {what}")
    return wrong


def run_rebase(trace2, scratch, commits):
    repo = scratch / "repo"
    make_repository(repo, commits)
    with listen(scratch / "reader"):
        running = Service(trace2, scratch,
                          ["-o", STOPPED, "-o", "files:logs"]).begin()
        traced = rebase(repo, GIT_TRACE2_EVENT=f"af_unix:stream:{running.path}",
                        GIT_TRACE2_EVENT_NESTING=str(NESTING))
        running.end()
    plain = rebase(repo)
    lines = running.lines()
    events = [json.loads(line) for line in lines]
    return Rebase(traced, plain, len(events), sum(map(len, lines)),
                  find_wrong(events, read_counts(running)))


def main(trace2, scratch, commits=400):
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="t2-") as short:
        done = run_rebase(Path(trace2).absolute(), Path(short), int(commits))
    print(f"{commits} commits: {done.traced:.1f} s, without traces "
          f"{done.plain:.1f} s, {done.events} events, {done.size} bytes")
    for text in done.wrong:
        print(text)
    return bool(done.wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
