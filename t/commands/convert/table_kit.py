"""Logs for the tests of `trace2 table`: two weeks of a small fleet."""

import datetime
import json

import pytest

KINDS = ("processes", "regions", "children", "data", "errors", "events")
MONDAY = datetime.datetime(2026, 11, 16, 10, tzinfo=datetime.timezone.utc)


class Process:
    """A process and its events; `at` is in seconds since its begin."""

    def __init__(self, name, pid, begin=0.0, parent=None, day=0, **known):
        self.begin, self.day, self.known = begin, day, known
        self.sid = f"20261116T100000.{pid:06}Z-H1-P{pid:08x}"
        if parent:
            self.sid, self.day = f"{parent.sid}/{self.sid}", parent.day
        self.pid, self.lines = pid, []
        self.add("version", 0, evt="3", exe=known.get("version", "2.50.1"))
        self.add("start", 0, t_abs=0.0, argv=["git", name])
        if "caller" in known:
            self.add("cmd_ancestry", 0, ancestry=known["caller"])
        self.add("cmd_name", 0, name=name, hierarchy=name)
        if "repository" in known:
            self.add("def_repo", 0, repo=1, worktree=known["repository"])

    def add(self, event, at, **fields):
        moment = MONDAY + datetime.timedelta(days=self.day, seconds=self.begin + at)
        time = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        self.lines.append({"event": event, "sid": self.sid, "thread": "main",
                           "time": time, **fields})
        return self

    def region(self, start, end, category, label, **fields):
        names = {"category": category, "label": label, "nesting": 1, **fields}
        self.add("region_enter", start, repo=1, **names)
        return self.add("region_leave", end, repo=1, t_rel=round(end - start, 6),
                        **names)

    def data(self, at, category, key, value):
        return self.add("data", at, repo=1, nesting=1, t_abs=at,
                        category=category, key=key, value=value)

    def child(self, start, end, number, pid):
        self.add("child_start", start, child_id=number, child_class="?",
                 use_shell=False, argv=["git", "x"])
        return self.add("child_exit", end, child_id=number, pid=pid, code=0,
                        t_rel=round(end - start, 6))

    def error(self, at, fmt, msg):
        return self.add("error", at, msg=msg, fmt=fmt)

    def end(self, at, code=0):
        self.add("exit", at, t_abs=at, code=code)
        return self.add("atexit", at, t_abs=at, code=code)

    def write(self, folder):
        folder.mkdir(exist_ok=True)
        path = folder / self.sid.rpartition("/")[2]
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path


def pull(pid=100, fails=False):
    """git pull with its fetch, which runs rev-list, and its merge."""
    top = Process("pull", pid, repository="/work/a", caller=["make", "bash"])
    fetch = Process("fetch", pid + 1, 0.1, top)
    revs = Process("rev-list", pid + 2, 0.2, fetch)
    merge = Process("merge", pid + 3, 0.7, top)
    revs.end(0.1)
    fetch.child(0.1, 0.25, 0, revs.pid)
    fetch.data(0.3, "negotiation_v2", "total_rounds", "3").end(0.5)
    if fails:
        merge.error(0.01, "cannot merge %s", "cannot merge x")
    merge.end(0.2, 1 if fails else 0)
    top.child(0.1, 0.6, 0, fetch.pid).child(0.7, 0.9, 1, merge.pid)
    top.end(1.0, 1 if fails else 0)
    return [top, fetch, revs, merge]


def fleet():
    """Processes whose rows give each query a result that is easy to count."""
    made = []
    for i, wall in enumerate((0.1, 0.2, 0.3, 0.4)):
        status = Process("status", 10 + i, repository="/work/a", caller=["bash"])
        status.region(0.01, 0.05, "index", "do_read_index")
        if i < 2:
            status.region(0.06, 0.07, "fsm_client", "query")
        made.append(status.end(wall))
    for i, wall in enumerate((0.6, 1.0)):
        status = Process("status", 20 + i, day=7, repository="/work/b",
                         version="2.52.0", caller=["code", "node"])
        made.append(status.end(wall))
    made.append(Process("push", 30, day=7, version="2.52.0")
                .error(0.1, "remote hung up", "remote hung up").end(0.5, 128))
    made.append(Process("push", 31, day=8, version="2.52.0").add("signal", 0.3,
                                                              signo=15, t_abs=0.3))
    return made + pull()


@pytest.fixture
def table(execute, trace2):
    """table(*arguments, **options): `trace2 table`."""

    def call(*arguments, **options):
        return execute([trace2, "table", *arguments], **options)

    return call


@pytest.fixture
def rows(table):
    """The rows of a run that must succeed, as dictionaries."""

    def call(kind, *arguments, **options):
        done = table("--rows", kind, *arguments, **options)
        assert (done.returncode, done.stderr) == (0, b"")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return call


@pytest.fixture
def logs(scratch):
    for process in fleet():
        process.write(scratch / "logs")
    return scratch / "logs"
