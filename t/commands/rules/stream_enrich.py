"""What few real logs hold, put into one: threads, totals, an exec, children.

The recorded gits of some EVENT versions have no threads, though the version
has them. With these events, all of them in order, a real log can have every
defect that its version can have.
"""

from stream_defects import like, where

SHARES = {
    "timer": {"intervals": 1, "t_total": 0.002, "t_min": 0.002,
              "t_max": 0.002},
    "counter": {"count": 5},
}  # fmt: skip
TOTALS = {
    "timer": {"intervals": 2, "t_total": 0.004, "t_min": 0.002,
              "t_max": 0.002},
    "counter": {"count": 10},
}  # fmt: skip
# The first versions whose gits wrote them.
SINCE = {"cmd_ancestry": 3, "child_ready": 3, "totals": 3}


def of_threads(event, version):
    """Two threads that start, have shares, and exit."""
    made = [{**event, "thread": f"th{n:02}:made"} for n in (1, 2)]
    events = [like(one, "thread_start") for one in made]
    for one in made:
        if version >= SINCE["totals"]:
            for kind, values in SHARES.items():
                named = {"category": "made", "name": kind, **values}
                events.append(like(one, f"th_{kind}", **named))
        events.append(like(one, "thread_exit", t_rel=0.0))
    return events


def of_programs(event, version):
    """A child that gets ready, one that exits, and an exec that fails."""
    argv = {"argv": ["made"]}
    start = {"child_class": "?", "use_shell": False, **argv}
    ready = {"pid": 1, "ready": "ready", "t_rel": 0.0}
    events = []
    if version >= SINCE["child_ready"]:
        events = [like(event, "child_start", child_id=98, **start),
                  like(event, "child_ready", child_id=98, **ready)]  # fmt: skip
    return [
        *events,
        like(event, "child_start", child_id=97, **start),
        like(event, "child_exit", child_id=97, pid=1, code=0, t_rel=0.0),
        like(event, "exec", exec_id=97, exe="made", **argv),
        like(event, "exec_result", exec_id=97, code=2),
    ]


def enrich(events, version):
    """The log of one process with all of these."""
    start, = where(events, "start")  # fmt: skip
    exit, = where(events, "exit")  # fmt: skip
    ancestry = where(events, "cmd_ancestry")
    begin = max([start, *ancestry]) + 1
    names = []
    if version >= SINCE["cmd_ancestry"] and not ancestry:
        names = [like(events[start], "cmd_ancestry", ancestry=["made"])]
    totals = []
    if version >= SINCE["totals"]:
        totals = [
            like(events[exit], kind, category="made", name=kind, **values)
            for kind, values in TOTALS.items()
        ]
    return [
        *events[:begin],
        *names,
        *of_threads(events[begin - 1], version),
        *of_programs(events[begin - 1], version),
        *events[begin : exit + 1],
        *totals,
        *events[exit + 1 :],
    ]
