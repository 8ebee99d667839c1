"""Regions and data: what nests, what is timed, what is cut."""

from kit.faults import fault
from kit.kit import scenario
from kit.logs import microseconds

DEEP = {"GIT_TRACE2_EVENT_NESTING": "9"}
MS = 1000


@scenario("nested regions count up", verbs=("regions_deep",),
          ids=("region.nesting", "region.match", "perf.dots"))
def nested(kit):
    run = kit.run("regions_deep", "3", env=DEEP)
    enters = run.events("region_enter")
    leaves = run.events("region_leave")
    kit.equal("region.nesting", [e["nesting"] for e in enters], [1, 2, 3])
    kit.equal("region.nesting", [e["nesting"] for e in leaves], [3, 2, 1])
    data = [(e["key"], e["value"], e["nesting"]) for e in run.events("data")]
    kit.equal("region.nesting", data,
              [("level", str(n), n + 1) for n in (1, 2, 3)])
    left, entered = ([(e.get("category"), e.get("label")) for e in found]
                     for found in (leaves, reversed(enters)))
    kit.equal("region.match", left, entered)
    dots = [c.dots for c in run.perf("region_enter")]
    kit.equal("perf.dots", dots, [0, 2, 4])


NESTED = "nested regions count up"
fault("region.nesting", NESTED,
      event=(rb'"nesting":2,"category"', rb'"nesting":1,"category"'))
fault("region.nesting", NESTED,
      event=(rb'("region_leave".*"nesting":)3', rb"\g<1>4"))
fault("region.nesting", NESTED,
      event=(rb'("event":"data".*"nesting":)4', rb"\g<1>3"))
fault("region.match", NESTED,
      event=(rb'("region_leave".*"label":)"level2"', rb'\1"level1"'))
fault("region.match", NESTED,
      event=(rb'("region_leave".*"category":)"nest",', rb'\1"",'))
fault("perf.dots", NESTED, perf=(rb"\| \.\.", rb"| "))


@scenario("data outside all regions has nesting 1", verbs=("006data",),
          ids=("region.nesting",))
def outside(kit):
    run = kit.run("006data", "c", "k", "v", "c", "k", "w")
    found = [e["nesting"] for e in run.events("data")]
    kit.equal("region.nesting", found, [1, 1])


fault("region.nesting", "data outside all regions has nesting 1",
      event=(rb'("event":"data".*"nesting":)1', rb"\g<1>0"))


APART = "the regions of a thread are not inside those of another"


@scenario(APART, verbs=("550threads",), ids=("region.nesting",))
def apart(kit):
    run = kit.run("550threads", "2", env=DEEP)
    found = sorted((e["label"], e["nesting"])
                   for e in run.events("region_enter"))
    kit.equal("region.nesting", found, [("around threads", 1), ("inner", 2),
                                        ("inner", 2), ("outer", 1),
                                        ("outer", 1)])
    kit.equal("region.nesting",
              [e["nesting"] for e in run.events("data")], [2, 2])


fault("region.nesting", APART,
      event=(rb'("nesting":)1(,"category":"cat","label":"outer")',
             rb"\g<1>2\2"))
fault("region.nesting", APART,
      event=(rb'("event":"data".*"nesting":)2', rb"\g<1>3"))


@scenario("a region_leave closes the innermost region",
          verbs=("505region_mismatch",), ids=("region.pairs",))
def innermost(kit):
    """Whatever it is called: a, b; a, b."""
    run = kit.run("505region_mismatch")
    found = [(e["event"][7:], e["label"], e["nesting"])
             for e in run.events() if e["event"].startswith("region_")]
    kit.equal("region.pairs", found,
              [("enter", "a", 1), ("enter", "b", 2), ("leave", "a", 2),
               ("leave", "b", 1)])


fault("region.pairs", "a region_leave closes the innermost region",
      event=(rb'("nesting":)2(,"category":"cat","label":"a")',
             rb"\g<1>1\2"))


@scenario("times of regions and data count from what is open",
          verbs=("506region_timed",),
          ids=("region.t_rel", "region.data-t_rel",
               "event.thread_exit.t_rel"))
def timed(kit):
    """There are 10 ms before each step, and nothing is said of more."""
    run = kit.run("506region_timed", env=DEEP)
    outer, inner = (microseconds(e["t_rel"]) for e in sorted(
        run.events("region_leave"), key=lambda e: e["nesting"]))
    rel, at = {}, {}
    for event in run.events("data"):
        key = event["key"], event["value"]
        rel[key] = microseconds(event["t_rel"])
        at[key] = microseconds(event["t_abs"])
    left = at["outside", "thread"] - 10 * MS
    within(kit, "region.t_rel", inner, 10 * MS, outer - 10 * MS)
    within(kit, "region.t_rel", outer, 20 * MS, left - 10 * MS)
    name = "region.data-t_rel"
    key = ("inside", "inner")
    began = [microseconds(c.t_abs) for c in run.perf("region_enter")]
    within(kit, name, rel[key], 10 * MS, at[key] - max(began, default=20 * MS)
           + 1)
    key = ("inside", "outer")
    within(kit, name, rel[key], 20 * MS, at[key] - 10 * MS)
    key = ("outside", "main")
    within(kit, name, rel[key], 10 * MS, at[key])
    key = ("outside", "thread")
    within(kit, name, rel[key], 10 * MS, at[key] - 30 * MS)
    within(kit, "event.thread_exit.t_rel",
           microseconds(run.event("thread_exit")["t_rel"]), 10 * MS,
           microseconds(run.event("exit")["t_abs"]) - 30 * MS)


def within(kit, name, value, least, most):
    kit.check(name, least <= value <= most,
              f"{least} to {most} us", f"{value} us")


TIMED = "times of regions and data count from what is open"
fault("region.t_rel", TIMED,
      event=(rb'("region_leave".*"t_rel":)[0-9.]+(.*"outer")',
             rb"\g<1>99.000000\2"))
fault("region.t_rel", TIMED,
      event=(rb'("region_leave".*"t_rel":)[0-9.]+(.*"inner")',
             rb"\g<1>0.000009\2"))
for wrong in (b"0.009999", b"99.000000"):
    fault("event.thread_exit.t_rel", TIMED, event=(
        rb'("thread_exit".*"t_rel":)[0-9.]+', rb"\g<1>" + wrong))
fault("region.data-t_rel", TIMED,
      event=(rb'("t_abs":)(.*)("t_rel":)[0-9.]+(.*"value":"inner")',
             rb"\1\2\g<3>0.000002\4"))
fault("region.data-t_rel", TIMED,
      event=(rb'("t_abs":)([0-9.]+)(,"t_rel":)[0-9.]+(.*"value":"thread")',
             rb"\1\2\3\2\4"))


@scenario("regions that stay open have no region_leave",
          verbs=("503region_open", "553thread_again"),
          ids=("region.open-at-end",))
def open_at_end(kit):
    for verb, opened in (("503region_open", 2), ("553thread_again", 1)):
        run = kit.run(verb, env=DEEP)
        found = [e["event"] for e in run.events()]
        counts = found.count("region_enter"), found.count("region_leave")
        kit.equal("region.open-at-end", counts, (opened, 0))
        kit.equal("region.open-at-end", len(run.perf("region_leave")), 0)


fault("region.open-at-end", "regions that stay open have no region_leave",
      event=(rb'("event":")thread_exit', rb"\1region_leave"))
fault("region.open-at-end", "regions that stay open have no region_leave",
      perf=(rb"atexit      ", rb"region_leave"))


TOO_MANY = "a region_leave too many has nesting 0"


@scenario(TOO_MANY, verbs=("502region_unbalanced",),
          ids=("region.leave-too-many", "perf.dots-base"))
def too_many(kit):
    run = kit.run("502region_unbalanced")
    found = run.events()
    if "once too many" not in [e.get("label") for e in found]:
        kit.unseen("perf.dots-base")
    at = [e["event"] for e in found].index("region_leave") + 1
    leave, after_one = found[at:at + 2]
    kit.equal("region.leave-too-many",
              (leave["event"], leave["label"], leave["nesting"]),
              ("region_leave", "once too many", 0))
    now, = (microseconds(c.t_abs) for c in run.perf("region_leave")
            if "once" in c.payload)
    start = microseconds(run.event("start")["t_abs"])
    within(kit, "region.leave-too-many", microseconds(leave["t_rel"]),
           now - start, now)
    kit.equal("region.leave-too-many",
              (after_one["value"], after_one["nesting"],
               after_one["t_rel"]), ("one", 0, 0))
    kit.equal("region.leave-too-many",
              [(e["event"], e["nesting"]) for e in found[at + 4:]
               if "nesting" in e],
              [("region_enter", 0), ("data", 1), ("region_leave", 0)])
    payloads = [(c.event, c.dots, c.payload) for c in run.perf()
                if c.event in ("region_enter", "data", "region_leave")]
    kit.equal("perf.dots-base", payloads[-3:],
              [("region_enter", 0, "label:b"), ("data", 0, "inside:b"),
               ("region_leave", 0, "label:b")])


fault("region.leave-too-many", TOO_MANY,
      event=(rb'"nesting":0(.*once too many)', rb'"nesting":1\1'))
fault("region.leave-too-many", TOO_MANY,
      event=(rb'"nesting":0(.*"value":"one")', rb'"nesting":1\1'))
fault("region.leave-too-many", TOO_MANY,
      event=(rb'"t_rel":0\.\d+(.*once too many)', rb'"t_rel":0.000001\1'))
fault("region.leave-too-many", TOO_MANY,
      event=(rb'(region_enter.*"nesting":)0', rb"\g<1>1"))
fault("region.leave-too-many", TOO_MANY,
      event=(rb'"nesting":1(.*"inside")', rb'"nesting":2\1'))
fault("perf.dots-base", TOO_MANY, perf=(rb"\| inside:b", rb"| ..inside:b"))
fault("perf.dots-base", TOO_MANY, perf=(rb"\| label:b", rb"| ..label:b"))

AGAIN = "a further region_leave that closes nothing is an error"


@scenario(AGAIN, verbs=("502region_unbalanced",),
          ids=("region.leave-too-many.again",))
def again(kit):
    run = kit.run("502region_unbalanced")
    found = run.events()
    at = [(e["event"], e.get("value")) for e in found].index(("data", "one"))
    error, after = found[at + 1:at + 3]
    kit.equal("region.leave-too-many.again",
              (error["event"], error.get("msg")),
              ("error", "trace2: region_leave without region_enter"))
    kit.equal("region.leave-too-many.again",
              (after["event"], after.get("value"), run.exit),
              ("data", "two", 0))


fault("region.leave-too-many.again", AGAIN,
      event=(rb"trace2: region_leave without", rb"region_leave without"))
fault("region.leave-too-many.again", AGAIN, exit=99)
