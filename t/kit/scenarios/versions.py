"""Which events and fields a writer of an EVENT version may write."""

from kit import every_verb, forms
from kit.edits import added, renamed, retyped
from kit.faults import fault
from kit.kit import scenario
from kit.run import parse_event

TARGETS = ("event",)
IDS = ("version.evt", "version.bump", "version.events-of",
       "version.unknown-event", "version.unknown-key")


def look(kit, verbs):
    for run in every_verb.runs(kit, verbs, targets=TARGETS):
        evt = None
        for line in run.lines("event"):
            event = parse_event(line) or {}
            if event.get("event") == "version":
                evt = event.get("evt")
                kit.equal("version.evt", evt, "4")
            judge(kit, evt, line, event)


def judge(kit, evt, line, event):
    name = event.get("event")
    known = name in forms.since()
    kit.check("version.unknown-event", known, "an event of the table", event)
    if not known:
        return
    since = forms.since()[name]
    kit.check("version.bump", evt in map(str, range(since, 5)),
              f"an event of evt {evt}", event)
    kit.equal("version.events-of", forms.wrong_in_event(line), frozenset())
    strange = set(event) - set(forms.known_keys(name))
    kit.check("version.unknown-key", not strange, "keys of this event",
              strange)


GIT = "git's verbs write what the version of the log has"
OTHERS = "the other verbs write what the version of the log has"
# Without what dies of a signal: one that names its field wrongly is blamed
# for that where the event is looked at.
GROUPS = {
    GIT: every_verb.GIT,
    OTHERS: [words for words in (*every_verb.BEYOND, ("513printf", "m"))
             if words[0] != "540signal"],
}


def register(name, verbs):
    scenario(name, ids=IDS)(lambda kit: look(kit, verbs))


for name, verbs in GROUPS.items():
    register(name, verbs)

for value in ('"5"', '"3"', "4", '"4.0"'):
    fault("version.evt", GIT, event=retyped("version", "evt", value))
for value in ('"1"', '"2"'):
    fault("version.bump", GIT, event=retyped("version", "evt", value))
fault("version.bump", OTHERS, event=retyped("version", "evt", '"3"'))
for event, key, value in (("exit", "code", '"0"'), ("data", "t_abs", "null"),
                          ("error", "msg", "7"), ("start", "argv", '"x"'),
                          ("child_start", "use_shell", "1")):
    fault("version.events-of", GIT, event=retyped(event, key, value))
fault("version.events-of", OTHERS, event=retyped("printf", "msg", "1"))
for event, other in ((b"data_json", b"data-json"), (b"printf", b"message"),
                     (b"region_enter", b"RegionEnter")):
    fault("version.unknown-event", OTHERS,
          event=(rb'"event":"%s"' % event, rb'"event":"%s"' % other))
for event, other in ((b"cmd_name", b"command"), (b"timer", b"stopwatch")):
    fault("version.unknown-event", GIT,
          event=(rb'"event":"%s"' % event, rb'"event":"%s"' % other))
for event in ("version", "exit", "child_start", "data", "counter"):
    fault("version.unknown-key", GIT, event=added(event, "depth", "1"))
fault("version.unknown-key", GIT, event=renamed("error", "fmt", "format"))
fault("version.unknown-key", GIT,
      event=added("thread_start", "t_abs", "0.000001"))
fault("version.unknown-key", OTHERS, event=added("data_json", "pid", "1"))
