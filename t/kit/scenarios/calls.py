"""Failure: calls that come at the wrong time, or with nothing in them."""

from kit.faults import fault
from kit.kit import scenario
from kit.logs import event_names


def told(run):
    """What printf and the report of drops say, in their order."""
    return [e["msg"] for e in run.events() if "msg" in e]


@scenario("an event inside another one is dropped and counted",
          verbs=("596reentrant",), ids=("failure.reentrant",))
def reentrant(kit):
    run = kit.run("596reentrant")
    kit.equal("failure.reentrant", (told(run), run.exit),
              (["around", "after", "trace2: events dropped: 1"], 0))


INSIDE = "an event inside another one is dropped and counted"
fault("failure.reentrant", INSIDE, event=(b'(.*)"around"(.*\n)',
                                          rb'\1"inside"\2\g<0>'))
fault("failure.reentrant", INSIDE, event=(b"events dropped", None))
fault("failure.reentrant", INSIDE, event=(b"dropped: 1", b"dropped: 3"))


@scenario("an event without memory is dropped and counted",
          verbs=("597no_memory",), ids=("failure.memory",))
def no_memory(kit):
    for targets in (("event",), ("normal", "perf", "event")):
        run = kit.run("597no_memory", targets=targets)
        report = f"trace2: events dropped: {len(targets)}"
        kit.equal("failure.memory", (told(run), run.exit),
                  (["after", report], 0))


MEMORY = "an event without memory is dropped and counted"
fault("failure.memory", MEMORY, event=(b"dropped: 1", b"dropped: 0"))
fault("failure.memory", MEMORY, event=(b'(.*)"after"(.*\n)',
                                       rb'\1"xxxx"\2\g<0>'))
fault("failure.memory", MEMORY, exit=-6)


OWN = "errors of the emitter have formats without numbers"


@scenario(OWN, verbs=("502region_unbalanced", "596reentrant"),
          ids=("event.error.own-fmt",))
def own_errors(kit):
    kit.unseen("event.error.own-fmt")
    for verb, fmt in (
        ("502region_unbalanced", "trace2: region_leave without region_enter"),
        ("596reentrant", "trace2: events dropped: %lu"),
    ):
        run = kit.run(verb, targets=("event",))
        for error in run.events("error"):
            kit.equal("event.error.own-fmt", error.get("fmt"), fmt)


fault("event.error.own-fmt", OWN, event=(rb"%lu", b"1"))
fault("event.error.own-fmt", OWN, event=(rb"%lu", b"%llu"))
fault("event.error.own-fmt", OWN,
      event=(rb'"fmt":"trace2: region_leave without region_enter"',
             b'"fmt":"%s"'))


@scenario("a call after atexit has no effect", verbs=("593late_call",),
          ids=("failure.after-exit",))
def after_exit(kit):
    run = kit.run("593late_call", targets=("event",))
    kit.equal("failure.after-exit",
              (event_names(run.log("event"))[-2:], told(run), run.exit),
              (["exit", "atexit"], [], 0))


LATE = "a call after atexit has no effect"
fault("failure.after-exit", LATE,
      event=(b'(.*"event":)"atexit"(.*\n)',
             rb'\g<0>\1"printf","msg":"too late"\2'))
fault("failure.after-exit", LATE, exit=1)


@scenario("a null string counts as an empty one", verbs=("512data_null",),
          ids=("failure.null",))
def null(kit):
    run = kit.run("512data_null", targets=("event",))
    found = [(e["category"], e["key"], e["value"])
             for e in run.events("data")]
    kit.equal("failure.null", found,
              [("", "", ""), ("", "", ""), ("", "", "1")])


NULL = "a null string counts as an empty one"
fault("failure.null", NULL, event=(b'"key":""', b'"key":null'))
fault("failure.null", NULL, event=(b'"value":""', b'"value":"(null)"'))
