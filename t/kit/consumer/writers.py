"""What writers may do, or are known to: a consumer takes it all."""

from kit.kit import scenario
from kit.faults import fault
from kit.reading import (
    SID, begin, changed, end, event, lost, read, refused, start, takes,
    version,
)

FOREIGN = (
    "x",
    "a/b",
    "a//b",
    "/a",
    "a/",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "repo-20260101T000000Z-P00000001/repo-20260101T000000Z-P00000001",
    "ein Name/é/日本",
    "/".join(["20260102T030405.000005Z-H63cf98d4-P000003e8"] * 200),
)


@scenario("session ids of any form are taken", ids=("session.foreign",))
def foreign(kit):
    lines = [x for sid in FOREIGN for x in begin(sid) + end(sid)]
    found = takes(kit, "session.foreign", lines)
    kit.equal("session.foreign", found.summary["processes"], len(FOREIGN))


refused("session.foreign", "session ids of any form are taken")
fault("session.foreign", "session ids of any form are taken",
      edit=changed(lambda whole: whole["summary"].update(processes=2)))


@scenario("second process of one session id is read as another",
          ids=("session.unique-not-guaranteed",))
def twice(kit):
    name = "session.unique-not-guaranteed"
    again = ("stream.version.once", 5, 10)
    takes(kit, name, begin() + end() + begin() + end(), but=[again])
    # The second is judged by what it says of itself.
    lines = [*begin(), *end(), *begin(evt="3"), event("printf", t_abs=0.1),
             *end()]
    takes(kit, name, lines, but=[again, ("version.unknown-event", 7, 10)])


refused("session.unique-not-guaranteed",
        "second process of one session id is read as another")
lost("session.unique-not-guaranteed",
     "second process of one session id is read as another")


def region(name, nesting, label, **own):
    rest = {"t_rel": 0.000001} if name == "region_leave" else {}
    return event(name, nesting=nesting, category="c", label=label, **rest,
                 **own)


@scenario("regions of threads and processes cross each other",
          ids=("region.per-thread", "order.consumer.sid"))
def crossing(kit):
    threads = [{"thread": "main"}, {"thread": "th01:a"},
               {"sid": f"{SID}/b", "thread": "main"}]
    enters = [region("region_enter", n, label, **where)
              for n, label in ((1, "outer"), (2, "inner"))
              for where in threads]
    leaves = [region("region_leave", n, label, **where)
              for n, label in ((2, "inner"), (1, "outer"))
              for where in threads]
    thread = [event("thread_start", thread="th01:a"),
              event("thread_exit", thread="th01:a", t_rel=0.1)]
    child = f"{SID}/b"
    lines = [version(), version(child), start(child), start(), thread[0],
             *enters, *leaves, thread[1]]
    ends = [x for both in zip(end(), end(child)) for x in both]
    found = takes(kit, "region.per-thread", lines + ends)
    kit.equal("order.consumer.sid", found.summary["processes"], 2)
    kit.equal("order.consumer.sid", found.findings, [])


fault("order.consumer.sid", "regions of threads and processes cross each other",
      edit=changed(lambda whole: whole["summary"].update(processes=1)))


@scenario("regions of two threads cross each other",
          ids=("region.per-thread",))
def threads(kit):
    def both(name, make, **own):
        return [make(name, thread=thread, **own)
                for thread in ("th01:a", "th02:b")]

    takes(kit, "region.per-thread", [
        *begin(),
        *both("thread_start", event),
        *both("region_enter", region, nesting=1, label="same"),
        *both("region_leave", region, nesting=1, label="same"),
        *both("thread_exit", event, t_rel=0.1),
        *end(),
    ])


refused("region.per-thread", "regions of two threads cross each other")


@scenario("events behind the last one are read",
          ids=("order.consumer.after-atexit",))
def after(kit):
    lines = [*begin(), *end(), event("data", t_abs=1, t_rel=1, nesting=1,
                                     category="c", key="k", value="v"),
             *end(at=2)]
    takes(kit, "order.consumer.after-atexit", lines,
          but=[("stream.atexit.last", 5, 10)])


refused("order.consumer.after-atexit", "events behind the last one are read")
lost("order.consumer.after-atexit", "events behind the last one are read")


@scenario("log may stop anywhere", ids=("order.consumer.unfinished",))
def unfinished(kit):
    whole = [
        *begin(),
        event("thread_start", thread="th01:a"),
        region("region_enter", 1, "a"),
        event("child_start", child_id=0, child_class="?", use_shell=False,
              argv=["x"]),
        event("exec", exec_id=0, argv=["x"]),
    ]
    for stop in range(1, len(whole) + 1):
        found = read(kit, log=whole[:stop])
        kit.equal("order.consumer.unfinished",
                  (found.exit, found.summary["events"]), (0, stop))
        kit.equal("order.consumer.unfinished",
                  [name for name, _, _ in found.findings
                   if not name.endswith(".unfinished")], [])


refused("order.consumer.unfinished", "log may stop anywhere")
