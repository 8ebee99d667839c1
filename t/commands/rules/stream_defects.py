"""Ways to break a log between its events, and what has to be found then.

A defect takes the events of a log, as a list of dicts, and yields broken
copies: (events, id of the rule, line of the finding). It breaks whatever
in the log it can be applied to.
"""

DEFECTS = {}
# git forks these, and both go on under one SID.
FORKING = {"maintenance", "gc", "daemon"}


def defect(function):
    DEFECTS[function.__name__] = function
    return function


def where(events, name):
    return [at for at, e in enumerate(events) if e["event"] == name]


def after(events, at, *keys, start=None):
    """The places behind `at` (or `start`) of events with its values."""
    first = at + 1 if start is None else start
    return [
        i
        for i in range(first, len(events))
        if all(events[i][key] == events[at][key] for key in keys)
    ]


def of_session(events, at, name):
    found = after(events, at, "sid", start=0)
    return [i for i in found if events[i]["event"] == name]


def forks(events, at):
    """Does the process write on behind its atexit, or may it?"""
    names = of_session(events, at, "cmd_name")
    return bool({events[i]["name"] for i in names} & FORKING)


def without(events, at):
    return events[:at] + events[at + 1 :]


def twice(events, at, **changes):
    return events[: at + 1] + [{**events[at], **changes}] + events[at + 1 :]


def changed(events, at, **changes):
    return events[:at] + [{**events[at], **changes}] + events[at + 1 :]


def bare(events, at, *keys):
    event = {k: v for k, v in events[at].items() if k not in keys}
    return events[:at] + [event] + events[at + 1 :]


def like(event, kind, **members):
    """Another event at the same place and time."""
    common = ("sid", "thread", "time", "file", "line")
    kept = {key: event[key] for key in common if key in event}
    return {"event": kind, **kept, **members}


def doubled(name, rule):
    """A defect: an event of that name twice."""

    def double(events):
        for at in where(events, name):
            if not forks(events, at):
                yield twice(events, at), rule, at + 2

    double.__name__ = f"doubled_{name}"
    defect(double)


doubled("version", "stream.version.once")
doubled("start", "stream.start.once")
doubled("exit", "stream.exit.once")
doubled("child_start", "stream.child.id-unique")
doubled("child_exit", "stream.child.exit-once")
doubled("child_ready", "stream.child.ready-last")
doubled("thread_start", "stream.thread.start-unique")
doubled("thread_exit", "stream.thread.after-exit")
doubled("def_repo", "stream.repo.once")
doubled("atexit", "stream.atexit.last")


# ---- Lifecycle


@defect
def no_version(events):
    for at in where(events, "version"):
        yield without(events, at), "stream.version.first", next_one(events, at)


def next_one(events, at, *keys):
    """The line of the next event of the session, with one line gone."""
    return after(events, at, "sid", *keys)[0]


@defect
def no_start(events):
    for at in where(events, "start"):  # test-tool shows a second one
        if of_session(events, at, "start")[0] == at:
            yield without(events, at), "stream.start.second", next_one(events, at)


@defect
def microseconds_as_seconds(events):
    """A brief log says too little, and a child is measured by its parent."""
    for at in where(events, "atexit"):
        before = [events[i] for i in after(events, at, "sid", "thread", start=0)
                  if i < at]
        if ("/" not in events[at]["sid"] and not forks(events, at)
                and any({"t_abs", "time"} <= e.keys() for e in before)):
            us = int(events[at]["t_abs"] * 1e6) + 10_000_000
            yield changed(events, at, t_abs=us), "stream.time.seconds", at + 1


@defect
def no_exit(events):
    for at in where(events, "exit"):
        ends = [i for i in of_session(events, at, "atexit") if i > at]
        if ends and not forks(events, at):
            yield without(events, at), "stream.exit.before-atexit", ends[0]


@defect
def another_exit_code(events):
    for at in where(events, "atexit"):
        if not forks(events, at):
            code = events[at]["code"] + 1
            yield changed(events, at, code=code), "stream.exit.code", at + 1


@defect
def goes_on_behind_atexit(events):
    for at in where(events, "atexit"):
        if not forks(events, at):
            late = like(events[at], "cmd_mode", name="late")
            yield [*events, late], "stream.atexit.last", len(events) + 1


@defect
def goes_on_behind_signal(events):
    for at in where(events, "exit"):
        if not forks(events, at):
            t_abs = events[at]["t_abs"]
            line = like(events[at], "signal", t_abs=t_abs, signo=13)
            broken = events[:at] + [line] + events[at:]
            yield broken, "stream.signal.last", at + 2


@defect
def goes_on_behind_exec(events):
    for at in where(events, "exec"):
        line = like(events[at], "cmd_mode", name="late")
        broken = events[: at + 1] + [line] + events[at + 1 :]
        yield broken, "stream.exec.last", at + 2


@defect
def late_too_many_files(events):
    for at in where(events, "start"):
        line = like(events[at], "too_many_files")
        broken = events[: at + 1] + [line] + events[at + 1 :]
        yield broken, "stream.too-many-files.place", at + 2


@defect
def late_cmd_ancestry(events):
    for at in where(events, "cmd_ancestry"):
        place = next_one(events, at)
        if "t_abs" in events[place]:
            continue
        broken = without(events, at)
        late = {k: events[place][k] for k in ("time",) if k in events[place]}
        broken.insert(place, {**events[at], **late})
        yield broken, "stream.cmd_ancestry.place", place + 1


@defect
def cut_off(events):
    if len({e["sid"] for e in events}) == 1 and len(events) > 4:
        yield events[:-1], "stream.unfinished", len(events) - 1


# ---- Children, exec and hierarchy


@defect
def no_child_start(events):
    for at in where(events, "child_exit"):
        number = events[at]["child_id"]
        readies = [i for i in of_session(events, at, "child_ready")
                   if events[i]["child_id"] == number]  # fmt: skip
        kind = "ready" if readies else "exit"
        for start in of_session(events, at, "child_start"):
            if events[start]["child_id"] == number and start < at:
                yield (without(events, start),
                       f"stream.child.{kind}-unmatched",
                       min(readies, default=at))  # fmt: skip


@defect
def no_child_exit(events):
    for at in where(events, "child_exit"):
        ends = of_session(events, at, "atexit")
        if len(ends) == 1 and not forks(events, at):
            yield without(events, at), "stream.child.unfinished", ends[0]


@defect
def ready_without_start(events):
    for at in where(events, "exit"):
        line = like(events[at], "child_ready", child_id=99, pid=1,
                    ready="ready", t_rel=0.1)  # fmt: skip
        if not forks(events, at):
            yield (events[:at] + [line] + events[at:],
                   "stream.child.ready-unmatched", at + 1)  # fmt: skip


@defect
def child_that_outlives_its_exit(events):
    for at in where(events, "child_exit"):
        tail = f"-P{events[at]['pid'] & 0xFFFFFFFF:08x}"
        for end in where(events, "atexit"):
            parent, _, own = events[end]["sid"].rpartition("/")
            if parent == events[at]["sid"] and own.endswith(tail):
                line = max(at, end) + 1
                yield changed(events, at, t_rel=0.0), "stream.child.time", line
                break


@defect
def child_or_thread_longer_than_the_clock_says(events):
    for name, of in (("child_exit", ("child_start", "child_id")),
                     ("thread_exit", ("thread_start", "thread"))):
        for at in where(events, name):
            starts = [i for i in of_session(events, at, of[0])
                      if i < at and events[i][of[1]] == events[at][of[1]]]
            if starts and "time" in events[at] and "time" in events[starts[0]]:
                yield (changed(events, at, t_rel=86400.5),
                       f"stream.{name.partition('_')[0]}.t_rel", at + 1)


def exec_events(event):
    """An exec that fails, at the place of the event."""
    start = like(event, "exec", exec_id=7, exe="git", argv=["git"])
    return [start, like(event, "exec_result", exec_id=7, code=2)]


@defect
def exec_twice_under_one_id(events):
    for at in where(events, "exit"):
        if not forks(events, at):
            lines = exec_events(events[at]) * 2
            broken = events[:at] + lines + events[at:]
            yield broken, "stream.exec.id-unique", at + 3


@defect
def exec_result_without_exec(events):
    for at in where(events, "exit"):
        if not forks(events, at):
            line = exec_events(events[at])[1]
            broken = events[:at] + [line] + events[at:]
            yield broken, "stream.exec-result.unmatched", at + 1


def hierarchies(events):
    """(place, names so far) of each cmd_name with a hierarchy."""
    for at in where(events, "cmd_name"):
        before = [i for i in of_session(events, at, "cmd_name") if i < at]
        yield at, len(before)


@defect
def hierarchy_of_another_name(events):
    for at, _ in hierarchies(events):
        other = events[at]["hierarchy"] + "-x"
        yield (changed(events, at, hierarchy=other),
               "stream.hierarchy.name", at + 1)  # fmt: skip


@defect
def hierarchy_of_another_parent(events):
    sids = {e["sid"] for e in events}
    for at, before in hierarchies(events):
        event = events[at]
        parent = event["sid"].rpartition("/")[0]
        if before or parent not in sids or "/" not in event["hierarchy"]:
            continue
        # A child that was started before its parent's name is free.
        first = [e["event"] for e in events if e["sid"] == parent
                 and e["event"] in ("child_start", "cmd_name")]  # fmt: skip
        if first[0] == "cmd_name":
            yield (changed(events, at, hierarchy="other/" + event["name"]),
                   "stream.hierarchy.parent", at + 1)  # fmt: skip


@defect
def hierarchy_that_does_not_grow(events):
    for at, before in hierarchies(events):
        if before:
            yield (changed(events, at, hierarchy=events[at]["name"]),
                   "stream.hierarchy.grow", at + 1)  # fmt: skip


# ---- Threads


@defect
def main_by_another_name(events):
    for at in where(events, "version"):
        sid = events[at]["sid"]
        broken = [
            {**e, "thread": "Main"}
            if (e["sid"], e["thread"]) == (sid, "main")
            else e
            for e in events
        ]
        yield broken, "stream.thread.main", at + 1


@defect
def no_thread_start(events):
    for at in where(events, "thread_start"):
        yield (without(events, at), "stream.thread.start-first",
               next_one(events, at, "thread"))  # fmt: skip


@defect
def no_thread_exit(events):
    for at in where(events, "thread_exit"):
        ends = of_session(events, at, "atexit")
        if len(ends) == 1:
            yield without(events, at), "stream.thread.unfinished", ends[0]


@defect
def exit_of_a_thread_that_never_began(events):
    for at in where(events, "exit"):
        line = like(events[at], "thread_exit", t_rel=0.0)
        broken = events[:at] + [line] + events[at:]
        if not forks(events, at):
            yield broken, "stream.thread.exit-unmatched", at + 1


@defect
def thread_number_taken(events):
    for at in where(events, "thread_start"):
        others = [i for i in of_session(events, at, "thread_start") if i < at]
        if not others:
            continue
        number = events[others[0]]["thread"].partition(":")[0]
        broken = [
            {**e, "thread": f"{number}:taken"}
            if i in [at, *after(events, at, "sid", "thread")]
            else e
            for i, e in enumerate(events)
        ]
        yield broken, "stream.thread.number", at + 1


@defect
def event_behind_the_totals_of_a_thread(events):
    for name in ("th_timer", "th_counter"):
        for at in where(events, name):
            line = like(events[at], "cmd_mode", name="late")
            broken = events[: at + 1] + [line] + events[at + 1 :]
            yield broken, "stream.thread.totals-last", at + 2


@defect
def thread_of_unknown_name(events):
    for at in where(events, "exit"):
        line = like(events[at], "cmd_mode", name="mode")
        broken = events[:at] + [{**line, "thread": "th99:unknown"}]
        if not forks(events, at):
            yield broken + events[at:], "stream.thread.unknown", at + 1


# ---- Form


@defect
def brief_among_full(events):
    for at in where(events, "cmd_name"):
        if "time" in events[at]:
            yield (bare(events, at, "time", "file", "line"),
                   "stream.brief.mixed", at + 1)  # fmt: skip


@defect
def file_without_line(events):
    for at in where(events, "start"):
        if "line" in events[at]:
            yield bare(events, at, "line"), "stream.place", at + 1


@defect
def line_without_file(events):
    for at in where(events, "exit"):
        if "file" in events[at] and not forks(events, at):
            yield bare(events, at, "file"), "stream.place", at + 1
