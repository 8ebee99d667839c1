"""Threads: their names and numbers."""

from kit.faults import fault
from kit.kit import scenario


def said(run):
    """The events of other threads than main, as (event, thread)."""
    return [(e["event"], e["thread"]) for e in run.events()
            if e["thread"] != "main"]


@scenario("the thread that initialises is main", verbs=("001return",),
          ids=("thread.main",))
def main(kit):
    run = kit.run("001return", "0", targets=("event",))
    threads = [e["thread"] for e in run.events()]
    kit.check("thread.main", len(threads) > 2, "some events", threads)
    kit.equal("thread.main", set(threads), {"main"})
    if kit.has("552thread_main"):  # as which it starts, and which it ends
        run = kit.run("552thread_main", "other", targets=("event",))
        kit.equal("thread.main", {e["thread"] for e in run.events()}, {"main"})


fault("thread.main", "the thread that initialises is main",
      event=(b'"thread":"main"', b'"thread":"th00:main"'))


@scenario("threads are numbered and named", verbs=("201counter",),
          ids=("thread.name", "thread.number"))
def names(kit):
    run = kit.run("201counter", "1", "1", "12")
    wanted = [f"th{number:02}:ut_201" for number in range(1, 13)]
    for event in ("thread_start", "th_counter", "thread_exit"):
        found = sorted(thread for name, thread in said(run) if name == event)
        numbers = [thread.partition(":")[0] for thread in found]
        kit.equal("thread.number", numbers,
                  [name.partition(":")[0] for name in wanted])
        kit.equal("thread.name", found, wanted)
    kit.equal("thread.name",
              sorted(c.thread for c in run.perf("thread_start")), wanted)


NAMES = "threads are numbered and named"
fault("thread.name", NAMES, event=(b'"th0(\\d):', rb'"th\1:'))
fault("thread.name", NAMES, event=(b":ut_201", b":ut"))
fault("thread.number", NAMES, event=(b'"th12:', b'"th11:'))
fault("thread.number", NAMES, event=(b'"th01:', b'"th00:'))


@scenario("a long thread name is cut to 24 bytes",
          verbs=("554thread_names",), ids=("thread.name",))
def long_name(kit):
    letters = "abcdefghijklmnopqrstuvwxyz"
    for length, kept in ((19, 19), (20, 19), (26, 19)):
        run = kit.run("554thread_names", letters[:length])
        name = "th01:" + letters[:kept]
        kit.equal("thread.name", said(run),
                  [("thread_start", name), ("thread_exit", name)])
        kit.equal("thread.name", run.perf("thread_exit")[0].thread, name)


fault("thread.name", "a long thread name is cut to 24 bytes",
      event=(b'"th01:(\\w{18})s"', rb'"th01:\1"'))
fault("thread.name", "a long thread name is cut to 24 bytes",
      perf=(b"abcdefghijklmnopqrs ", b"abcdefghijklmnopqrst "))


@scenario("a thread name is cut between characters",
          verbs=("554thread_names",), ids=("thread.name-cut",))
def between_characters(kit):
    stem = "abcdefghijklmnop"
    for text, kept in (("éé", "é"), ("\u20ac", "\u20ac"),
                       ("a\U0001f389", "a"), ("abé", "ab")):
        run = kit.run("554thread_names", stem + text)
        name = f"th01:{stem}{kept}"
        kit.equal("thread.name-cut", said(run),
                  [("thread_start", name), ("thread_exit", name)])


fault("thread.name-cut", "a thread name is cut between characters",
      event=("é\"".encode(), b"\xc3\xa9\xc3\""))
fault("thread.name-cut", "a thread name is cut between characters",
      event=(b'nopab"', b'nopab\xef\xbf\xbd"'))


ANY_NAME = "a thread's name may have any text"


@scenario(ANY_NAME, verbs=("554thread_names",),
          ids=("json.escape", "json.invalid-utf8", "perf.column.thread"))
def any_name(kit):
    for name, given, shown in (("json.escape", b'a"\\b\t\x01/', 'a"\\b\t\x01/'),
                               ("json.invalid-utf8", b"a\xffb", "a\ufffdb")):
        run = kit.run("554thread_names", given)
        kit.equal(name, said(run), [("thread_start", f"th01:{shown}"),
                                    ("thread_exit", f"th01:{shown}")])
        kit.contains("perf.column.thread", run.log("perf"),
                     (b"th01:" + given).ljust(24) + b" | thread_exit")


fault("json.escape", ANY_NAME, event=(rb'a\\"\\\\b', rb'a"\\b'))
fault("json.invalid-utf8", ANY_NAME, event=("\ufffd".encode(), b"?"))
fault("perf.column.thread", ANY_NAME, perf=(rb"a\xffb", b"a?b"))


@scenario("a thread that never starts is unknown",
          verbs=("551thread_unknown",), ids=("thread.unknown",))
def unknown(kit):
    """Two threads in any order; one says who it is."""
    run = kit.run("551thread_unknown")
    seen = dict.fromkeys(thread for _, thread in said(run))
    stranger = [name for name in seen if name.endswith(":unknown")]
    kit.check("thread.unknown",
              stranger in (["th01:unknown"], ["th02:unknown"]),
              "th01:unknown or th02:unknown", list(seen))
    kit.equal("thread.unknown",
              [name for name, thread in said(run) if thread in stranger],
              ["region_enter", "data", "region_leave"])


fault("thread.unknown", "a thread that never starts is unknown",
      event=(b":unknown", b":"))
fault("thread.unknown", "a thread that never starts is unknown",
      event=(rb'^\{"event":"region_enter"(.*:unknown.*\n)',
             rb'{"event":"thread_start"\1{"event":"region_enter"\1'))


@scenario("a thread that goes on after its exit is a new one",
          verbs=("553thread_again",),
          ids=("thread.after-exit", "thread.restart"))
def again(kit):
    run = kit.run("553thread_again")
    found = said(run)
    after = found.index(("thread_exit", "th01:once")) + 1
    kit.equal("thread.after-exit", found[after], ("data", "th02:unknown"))
    kit.equal("thread.restart", found[after + 1:],
              [("thread_start", "th03:twice"), ("data", "th03:twice"),
               ("thread_exit", "th03:twice")])


AGAIN = "a thread that goes on after its exit is a new one"
fault("thread.after-exit", AGAIN, event=(b"th02:unknown", b"th01:once"))
fault("thread.restart", AGAIN, event=(b"th03:twice", b"th02:twice"))


@scenario("a thread that starts on main is a region there",
          verbs=("552thread_main",), ids=("thread.on-main",))
def on_main(kit):
    run = kit.run("552thread_main", "named")
    names = [e["event"] for e in run.events()]
    at = names.index("region_enter")
    kit.equal("thread.on-main", names[at:at + 3],
              ["region_enter", "data", "region_leave"])
    for event, text in ((run.event("region_enter"),
                         "thread-proc on main: named"),
                        (run.event("region_leave"), "thread-proc on main")):
        shown = [event.get(key, "none")
                 for key in ("thread", "msg", "category", "label")]
        kit.equal("thread.on-main", shown, ["main", text, "none", "none"])
    kit.lacks("thread.on-main", names, "thread_start")


ON_MAIN = "a thread that starts on main is a region there"
fault("thread.on-main", ON_MAIN, event=(b"main: named", b"main:named"))
fault("thread.on-main", ON_MAIN, event=(b"region_(enter|leave)", b"thread"))
fault("thread.on-main", ON_MAIN,
      event=(b'"msg":', b'"category":"","label":"","msg":'))
