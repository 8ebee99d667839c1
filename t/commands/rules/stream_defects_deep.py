"""More of stream_defects: regions, data, times and sums."""

from stream_defects import (
    after,
    bare,
    changed,
    defect,
    forks,
    of_session,
    twice,
    where,
    without,
)

NESTED = ("region_enter", "region_leave", "data", "data_json")


def regions(events):
    """(enter, leave, nested events of the thread between) of each region."""
    for enter in where(events, "region_enter"):
        if forks(events, enter):
            continue
        between = []
        for at in after(events, enter, "sid", "thread"):
            event = events[at]
            if event["event"] not in NESTED:
                continue
            if (event["event"] == "region_leave"
                    and event["nesting"] == events[enter]["nesting"]):  # fmt: skip
                yield enter, at, between
                break
            between.append(at)


@defect
def no_region_enter(events):
    for enter, leave, between in regions(events):
        if not between and events[enter]["nesting"] == 1:
            yield (without(events, enter),
                   "stream.region.leave-unmatched", leave)  # fmt: skip


@defect
def no_region_leave(events):
    for _, outer, between in regions(events):
        if between and events[between[-1]]["event"] == "region_leave":
            yield (without(events, between[-1]),
                   "stream.region.leave-innermost", outer)  # fmt: skip


@defect
def region_that_is_never_left(events):
    for enter, leave, _ in regions(events):
        ends = of_session(events, enter, "atexit")
        later = after(events, leave, "sid", "thread")
        nested = [i for i in later if events[i]["event"] in NESTED]
        threads = [i for i in later if events[i]["event"] == "thread_exit"]
        if ends and not nested and events[enter]["nesting"] == 1:
            yield (without(events, leave), "stream.region.unfinished",
                   threads[0] if threads else ends[0])  # fmt: skip


@defect
def region_left_under_another_label(events):
    for _, leave, _ in regions(events):
        if events[leave].get("label"):
            yield (changed(events, leave, label="other"),
                   "stream.region.leave-match", leave + 1)  # fmt: skip


@defect
def region_left_under_another_category(events):
    for _, leave, _ in regions(events):
        if events[leave].get("category"):
            yield (changed(events, leave, category="other"),
                   "stream.region.leave-match", leave + 1)  # fmt: skip


@defect
def region_left_for_another_repository(events):
    for _, leave, _ in regions(events):
        if "repo" in events[leave]:
            yield (bare(events, leave, "repo"),
                   "stream.region.leave-match", leave + 1)  # fmt: skip


@defect
def region_entered_too_deep(events):
    for enter, _, _ in regions(events):
        nesting = events[enter]["nesting"] + 1
        yield (changed(events, enter, nesting=nesting),
               "stream.region.nesting", enter + 1)  # fmt: skip


@defect
def region_left_too_deep(events):
    for _, leave, _ in regions(events):
        nesting = events[leave]["nesting"] + 1
        yield (changed(events, leave, nesting=nesting),
               "stream.region.nesting", leave + 1)  # fmt: skip


@defect
def region_shorter_than_its_data(events):
    for _, leave, between in regions(events):
        depth = events[leave]["nesting"] + 1
        direct = [
            events[i]
            for i in between
            if events[i]["event"] != "region_enter"
            and events[i]["nesting"] == depth
        ]
        if any(e["t_rel"] > 0.000002 for e in direct):
            yield (changed(events, leave, t_rel=0.0),
                   "stream.region.t_rel", leave + 1)  # fmt: skip


@defect
def region_longer_than_the_clock_says(events):
    for _, leave, _ in regions(events):
        if "time" in events[leave]:
            yield (changed(events, leave, t_rel=86400.5),
                   "stream.region.time", leave + 1)  # fmt: skip


@defect
def data_too_deep(events):
    for name in ("data", "data_json"):
        for at in where(events, name):
            nesting = events[at]["nesting"] + 1
            yield (changed(events, at, nesting=nesting),
                   "stream.data.nesting", at + 1)  # fmt: skip


@defect
def no_def_repo(events):
    for at in where(events, "def_repo"):
        users = [
            i
            for i in after(events, at, "sid")
            if events[i].get("repo") == events[at]["repo"]
        ]
        if users:
            yield without(events, at), "stream.repo.undefined", users[0]


@defect
def t_abs_that_goes_back(events):
    for at in where(events, "exit"):
        if not forks(events, at):
            yield (changed(events, at, t_abs=0.0),
                   "stream.time.t_abs", at + 1)  # fmt: skip


@defect
def time_that_goes_back(events):
    for at in where(events, "exit"):
        if "time" in events[at] and not forks(events, at):
            time = "2001-01-01T00:00:00.000000Z"
            yield (changed(events, at, time=time),
                   "stream.time.wall", at + 1)  # fmt: skip


@defect
def timer_out_of_bounds(events):
    for name in ("th_timer", "timer"):
        for at in where(events, name):
            longest = events[at]["t_total"] + 0.001
            yield (changed(events, at, t_max=longest),
                   "stream.timer.bounds", at + 1)  # fmt: skip


def summed(events, name):
    """The totals of the process that threads have a share in."""
    for at in where(events, name):
        for part in of_session(events, at, f"th_{name}"):
            if events[part]["name"] == events[at]["name"]:
                yield at
                break


def exact(events, name):
    """Those where every other thread of the process has exited."""
    for at in summed(events, name):
        whole = after(events, at, "sid", start=0)
        threads = {events[i]["thread"] for i in whole}
        exits = of_session(events, at, "thread_exit")
        if threads - {"main"} == {events[i]["thread"] for i in exits}:
            yield at


@defect
def timer_below_its_sum(events):
    for at in summed(events, "timer"):
        fewer = events[at]["intervals"] - 1
        yield (changed(events, at, intervals=fewer),
               "stream.timer.sum", at + 1)  # fmt: skip


@defect
def counter_below_its_sum(events):
    for at in summed(events, "counter"):
        less = events[at]["count"] - 1
        yield (changed(events, at, count=less),
               "stream.counter.sum", at + 1)  # fmt: skip


@defect
def timer_above_its_sum(events):
    for at in exact(events, "timer"):
        more = events[at]["intervals"] + 1
        yield (changed(events, at, intervals=more),
               "stream.timer.sum", at + 1)  # fmt: skip


@defect
def timer_longer_than_its_sum(events):
    for at in exact(events, "timer"):
        longer = round(events[at]["t_total"] + 0.001, 6)
        yield (changed(events, at, t_total=longer),
               "stream.timer.sum", at + 1)  # fmt: skip


@defect
def counter_above_its_sum(events):
    for at in exact(events, "counter"):
        more = events[at]["count"] + 1
        yield (changed(events, at, count=more),
               "stream.counter.sum", at + 1)  # fmt: skip


def changed_line(name, rule, change, of=lambda event: True):
    """A defect: an event of that name with other values."""

    def change_one(events):
        for at in where(events, name):
            if of(events[at]) and not forks(events, at):
                yield changed(events, at, **change(events[at])), rule, at + 1

    change_one.__name__ = f"{name}_against_{rule}"
    defect(change_one)


changed_line("child_exit", "stream.child.pid", lambda e: {"pid": 0},
             lambda e: e["code"] != -1)
changed_line("exit", "stream.repo.place", lambda e: {"repo": 0})


@defect
def error_without_its_format(events):
    for at in where(events, "error"):
        if "fmt" in events[at]:
            yield bare(events, at, "fmt"), "stream.error.fmt", at + 1


@defect
def first_time_of_another_zone(events):
    for at in where(events, "version"):
        early = {**events[at], "time": f"2001{events[at]['time'][4:]}"}
        yield ([*events[:at], early, *events[at + 1:]],
               "stream.time.sid", at + 1)  # fmt: skip


@defect
def totals_twice(events):
    for name in ("timer", "counter"):
        for at in where(events, name):
            rule = "stream.totals.once"
            yield twice(events, at), rule, at + 2


@defect
def totals_before_the_exit(events):
    for at in where(events, "exit"):
        early = [i for i in of_session(events, at, "counter") if i > at]
        if early and not forks(events, at):
            yield ([*events[:at], events[early[0]], events[at],
                    *without(events, early[0])[at + 1:]],
                   "stream.totals.order", at + 2)  # fmt: skip


@defect
def shares_without_a_total(events):
    for name in ("timer", "counter"):
        for at in summed(events, name):
            ends = [i for i in of_session(events, at, "atexit") if i > at]
            if ends and not forks(events, at):
                yield without(events, at), "stream.totals.missing", ends[0]
