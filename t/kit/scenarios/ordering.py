"""The order of the events of a process. Looked at is EVENT."""

import re

from kit import every_verb
from kit.edits import dropped, gone, moved, retyped, twice
from kit.faults import fault
from kit.kit import scenario

TARGETS = ("event",)

# What holds for every process of git's verbs

ORDER = "a process writes its events in order"
VERBS = (
    ("001return", "0"),
    ("002exit", "3"),
    ("003error", "m"),
    ("004child", "test-tool", "trace2", "001return", "0"),
    ("006data", "c", "k", "v", "c", "k", "v"),
    ("100timer", "2", "1"),
    ("101timer", "2", "1", "2"),
    ("200counter", "1", "2"),
    ("201counter", "1", "2", "2"),
)
TOTALS = ("th_timer", "th_counter", "timer", "counter")


def processes(run):
    """The events of each SID, with their names."""
    found = {}
    for event in run.events():
        found.setdefault(event.get("sid"), []).append(event)
    return [([e.get("event") for e in events], events)
            for events in found.values()]


# Rules: is that so of a process? None where it does not come into it.


def version_first(names, events):
    return names[0] == "version"


def start_second(names, events):
    return directly_after(names, "start", ("version", "too_many_files"))


def ancestry_third(names, events):
    if "cmd_ancestry" not in names:
        return None
    return directly_after(names, "cmd_ancestry", ("start",))


def directly_after(names, event, others):
    """Does the first event of that name follow one of the others?"""
    at = names.index(event) if event in names else 0
    return at > 0 and names[at - 1] in others


def child_after(names, events):
    started, ended = set(), []
    for event in events:
        if event.get("event") == "child_start":
            started.add(event.get("child_id"))
        elif event.get("event") in ("child_exit", "child_ready"):
            ended.append(event.get("child_id") in started)
    return all(ended) if ended else None


def threads(events):
    """The names of the events of each thread but main."""
    found = {}
    for event in events:
        if event.get("thread") != "main":
            found.setdefault(event.get("thread"), []).append(event["event"])
    return found.values()


def thread_between(names, events):
    ends = [(own[0], own[-1]) for own in threads(events)]
    return set(ends) == {("thread_start", "thread_exit")} if ends else None


def thread_totals(names, events):
    good = []
    for own in threads(events):
        totals = [name for name in own if name in TOTALS]
        last = own[-1 - len(totals):-1]
        good += [sorted(totals, key=TOTALS.index) == last] if totals else []
    return all(good) if good else None


def one_exit(names, events):
    """It comes before the `atexit`, if there is one."""
    return (names.count("exit") == 1 and
            "atexit" not in names[:names.index("exit")])


def totals_between(names, events):
    """Exit handlers of the host may write data_json before them."""
    main = [e["event"] for e in events
            if e.get("thread") == "main" and e["event"] != "data_json"]
    totals = [name for name in main if name in TOTALS]
    expected = ["exit", *sorted(totals, key=TOTALS.index), "atexit"]
    return main[-len(expected):] == expected if totals else None


def atexit_last(names, events):
    return "atexit" not in names[:-1]


def never_back(key):
    def good(names, events):
        last = {}
        for event in events:
            before = last.get(event.get("thread"))
            if key in event:
                if before is not None and event[key] < before:
                    return False
                last[event.get("thread")] = event[key]
        return True

    return good


RULES = {
    "order.version-first": version_first,
    "order.start-second": start_second,
    "order.cmd_ancestry": ancestry_third,
    "order.child": child_after,
    "order.thread": thread_between,
    "order.thread-totals": thread_totals,
    "order.exit": one_exit,
    "order.totals": totals_between,
    "order.atexit-last": atexit_last,
    "order.monotonic": never_back("t_abs"),
    "order.monotonic.time": never_back("time"),
}


@scenario(ORDER, ids=tuple(RULES))
def order(kit):
    for run in every_verb.runs(kit, VERBS, targets=TARGETS):
        for names, events in processes(run):
            for name, rule in RULES.items():
                good = rule(names, events)
                if good is None:
                    kit.unseen(name)
                else:
                    kit.check(name, good, "as it says", names)


for broken, event, before in (
    ("order.version-first", "start", "version"),
    ("order.version-first", "cmd_name", "version"),
    ("order.start-second", "cmd_ancestry", "start"),
    ("order.start-second", "cmd_name", "start"),
    ("order.cmd_ancestry", "cmd_name", "cmd_ancestry"),
    ("order.child", "child_exit", "child_start"),
    ("order.thread", "thread_exit", "th_counter"),
    ("order.thread", "th_timer", "thread_start"),
    ("order.totals", "timer", "exit"),
    ("order.totals", "counter", "exit"),
    ("order.totals", "atexit", "counter"),
    ("order.atexit-last", "atexit", "timer"),
    ("order.atexit-last", "atexit", "exit"),
):
    fault(broken, ORDER, edit=moved(event, before))
fault("order.version-first", ORDER, event=gone("version"))
fault("order.start-second", ORDER, event=gone("start"))
fault("order.child", ORDER, event=gone("child_start"))
fault("order.child", ORDER, event=retyped("child_exit", "child_id", "1"))
fault("order.thread", ORDER, event=gone("thread_start"))
fault("order.thread", ORDER,
      event=retyped("counter", "thread", '"th01:ut_201"'))
for event in ("th_timer", "th_counter"):
    fault("order.thread-totals", ORDER, event=(
        rb'^(\{"event":)"%s"(,"sid":"[^"]*","thread":"th01.*)'
        % event.encode(), rb'\g<0>\n\1"data"\2'))


def exchanged(run):
    """What is `exit` is `atexit`, and the other way round."""
    name = rb'"event":"(at)?exit"'
    run.files["event"] = re.sub(
        name, lambda m: b'"event":"%s"' % (b"exit" if m[1] else b"atexit"),
        run.log("event"))
    return run


fault("order.exit", ORDER, event=gone("exit"))
fault("order.exit", ORDER, event=twice("exit"))
fault("order.exit", ORDER, edit=exchanged)
fault("order.atexit-last", ORDER, event=twice("atexit"))
for event in ("exit", "atexit", "data"):
    fault("order.monotonic", ORDER, event=retyped(event, "t_abs", "0.000000"))
for event in ("start", "cmd_name", "thread_exit", "exit", "atexit"):
    fault("order.monotonic.time", ORDER,
          event=retyped(event, "time", '"2020-01-14T09:30:42.112403Z"'))

# A full directory

FULL = "too_many_files follows the version"
SENTINEL = "d/git-trace2-discard"


@scenario(FULL, verbs=("001return",),
          ids=("order.too-many-files", "order.start-second"))
def full(kit):
    run = kit.run("001return", "0", targets=(), files={"d/a": b""},
                  env={"GIT_TRACE2_EVENT": "{}/d",
                       "GIT_TRACE2_MAX_FILES": "1"})
    names = [e["event"] for e in run.events(file=SENTINEL)]
    kit.equal("order.too-many-files",
              [a for a, b in zip(names, names[1:]) if b == "too_many_files"],
              ["version"])
    if names:
        kit.check("order.start-second", start_second(names, []),
                  "start behind it", names)
    else:
        kit.unseen("order.start-second")


for event, before in (("start", "too_many_files"),
                      ("too_many_files", "version"),
                      ("cmd_name", "too_many_files")):
    fault("order.too-many-files", FULL, edit=moved(event, before, SENTINEL))
fault("order.start-second", FULL, edit=moved("cmd_name", "start", SENTINEL))

# Repositories, and children in the background

REPOS = "a repository is announced before it is used"


@scenario(REPOS, verbs=("527def_repo",), ids=("order.def_repo",))
def repos(kit):
    run = kit.run("527def_repo", "/a", "/b", targets=TARGETS)
    known, unknown = {0}, []
    for event in run.events():
        if event["event"] == "def_repo":
            known.add(event.get("repo"))
        if event.get("repo", 0) not in known:
            unknown.append(event)
    kit.equal("order.def_repo", unknown, [])
    kit.equal("order.def_repo", len(known), 3)


fault("order.def_repo", REPOS, edit=moved("data", "def_repo"))
fault("order.def_repo", REPOS, event=gone("def_repo"))
fault("order.def_repo", REPOS, event=retyped("data", "repo", "3"))

READY = "child_ready follows its child_start"


@scenario(READY, verbs=("530child_ready",), ids=("order.child",))
def ready(kit):
    run = kit.run("530child_ready", "ready", "true", targets=TARGETS)
    for names, events in processes(run):
        kit.check("order.child", child_after(names, events),
                  "a child_start before", names)


fault("order.child", READY, edit=moved("child_ready", "child_start"))
fault("order.child", READY, event=dropped("child_start", "child_id"))

# All kinds of totals

SHARES = "timers come before counters, those of main before the sums"


@scenario(SHARES, verbs=("584shares",),
          ids=("order.totals", "order.thread-totals"))
def shares(kit):
    run = kit.run("584shares", targets=TARGETS)
    main = [e["event"] for e in run.events() if e["thread"] == "main"]
    kit.equal("order.totals", main[-7:],
              ["exit", "th_timer", "th_counter", "timer", "counter",
               "counter", "atexit"])
    kit.equal("order.thread-totals", sorted(threads(run.events())), [
        ["thread_start", "th_timer", "th_counter", "thread_exit"],
        ["thread_start", "th_timer", "thread_exit"]])


def swapped(thread, *events):
    """Two events of a thread in the other order, by their names alone."""
    a, b = (b'"event":"%s"' % event.encode() for event in events)

    def edit(run):
        lines = run.log("event").splitlines(keepends=True)
        at = [i for i, line in enumerate(lines)
              if (a in line or b in line) and thread in line]
        for i, line in zip(at, [lines[i] for i in reversed(at)]):
            lines[i] = line
        run.files["event"] = b"".join(lines)
        return run

    return edit


for events in (("th_timer", "th_counter"), ("th_counter", "timer"),
               ("timer", "counter"), ("exit", "th_timer"),
               ("counter", "atexit")):
    fault("order.totals", SHARES, edit=swapped(b'"main"', *events))
fault("order.thread-totals", SHARES,
      edit=swapped(b':shares"', "th_timer", "thread_exit"))


def counter_first(run):
    """The thread that has both writes its counter before its timer."""
    line = rb'"th_counter",[^\n]*("th\d+:[^"]*")'
    name = re.search(line, run.log("event"))[1]
    return swapped(name, "th_timer", "th_counter")(run)


fault("order.thread-totals", SHARES, edit=counter_first)

# The exit

UNREPORTED = "an exit that is not reported is written all the same"


@scenario(UNREPORTED, verbs=("528exit_unreported",),
          ids=("order.no-cmd-exit",))
def unreported(kit):
    run = kit.run("528exit_unreported", "7", targets=TARGETS)
    found = [(e["event"], e.get("code")) for e in run.events()]
    kit.equal("order.no-cmd-exit", found[-2:], [("exit", 7), ("atexit", 7)])


for event in ("exit", "atexit"):
    fault("order.no-cmd-exit", UNREPORTED, event=gone(event))
    fault("order.no-cmd-exit", UNREPORTED, event=retyped(event, "code", "0"))

ONCE = "only the first exit code that is reported is written"


@scenario(ONCE, verbs=("594exit_twice",), ids=("order.exit-once",))
def once(kit):
    run = kit.run("594exit_twice", targets=TARGETS)
    kit.equal("order.exit-once", [e["code"] for e in run.events("exit")], [3])


fault("order.exit-once", ONCE, event=twice("exit"))
fault("order.exit-once", ONCE, event=retyped("exit", "code", "4"))
