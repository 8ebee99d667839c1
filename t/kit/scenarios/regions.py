"""Regions and data: what nests, what is timed, what is cut."""

from kit.faults import fault
from kit.kit import scenario


@scenario("nested regions count up", verbs=("500region_nested",),
          ids=("region.nesting", "perf.dots"))
def nested(kit):
    run = kit.run("500region_nested", "3",
                  env={"GIT_TRACE2_EVENT_NESTING": "9"})
    enters = [e["nesting"] for e in run.events("region_enter")]
    kit.equal("region.nesting", enters, [1, 2, 3])
    leaves = [e["nesting"] for e in run.events("region_leave")]
    kit.equal("region.nesting", leaves, [3, 2, 1])
    dots = [c.dots for c in run.perf("region_enter")]
    kit.equal("perf.dots", dots, [0, 2, 4])


fault("region.nesting", "nested regions count up",
      event=(rb'"nesting":2,"category"', rb'"nesting":1,"category"'))
fault("perf.dots", "nested regions count up", perf=(rb"\| \.\.", rb"| "))
