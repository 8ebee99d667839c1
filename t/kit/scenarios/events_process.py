"""Events of a process that need more than a verb: see events_command."""

import os
from pathlib import Path

from kit import edits, normal, shows
from kit.faults import edited, fault
from kit.kit import Skip, scenario
from kit.payloads import quote
from kit.run import TARGETS

# A process writes one version to every target.

VERSION = "the version goes to every target"


@scenario(VERSION, verbs=("001return",),
          ids=("event.version", "normal.payload.version",
               "perf.payload.version"))
def version(kit):
    run = kit.run("001return", "0")
    active = [t for t in TARGETS if run.log(t)]
    kit.equal("event.version", [named(run, t) for t in active],
              [1 for _ in active] or None)
    exe = [f"{event.get('exe')}" for event in run.events("version")]
    texts = {
        "normal": [p.decode()[8:] for p in run.payloads(b"version")],
        "perf": [c.payload for c in run.perf("version")],
    }
    for target, found in texts.items():
        kit.check(f"{target}.payload.version",
                  not exe or not found or found == exe, exe, found)


def named(run, target):
    """How many lines say version, but for their file?"""
    bare = getattr(normal, target)
    return sum(b"version" in bare(line) for line in run.lines(target))


for target in TARGETS:
    fault("event.version", VERSION,
          **{target: (rb'^[^\n]*[" ]version[" ][^\n]*\n', None)})
fault("normal.payload.version", VERSION,
      normal=(rb" version \S+", rb"\g<0> (test)"))
fault("perf.payload.version", VERSION,
      perf=(rb"( version +\|[^\n]*\| [^\n]+)", rb"\1 (test)"))

# A directory that is full.

FULL = "a full directory is told of in EVENT"
SENTINEL = "git-trace2-discard"


@scenario(FULL, verbs=("001return",),
          ids=("event.too_many_files", "event.too_many_files.fields",
               "normal.payload.too_many_files", "perf.payload.too_many_files"))
def too_many_files(kit):
    run = kit.run(
        "001return", "0",
        env={
            "GIT_TRACE2": "{}/normal",
            "GIT_TRACE2_PERF": "{}/perf",
            "GIT_TRACE2_EVENT": "{}/event",
            "GIT_TRACE2_MAX_FILES": "1",
        },
        files={f"{target}/a": b"" for target in TARGETS},
    )
    log = f"event/{SENTINEL}"
    found = run.events("too_many_files", file=log)
    kit.equal("event.too_many_files", len(found), 1)
    place = ("file", "line")
    apart = kit.run("001return", "0", targets=("event",), env={
        "GIT_TRACE2": "{}/normal_dir", "GIT_TRACE2_MAX_FILES": "1",
    }, files={"normal_dir/a": b""})
    kit.equal("event.too_many_files", apart.events("too_many_files"), [])
    version = [[e.get(k) for k in place] for e in run.events("version", log)]
    keys = {"event", "sid", "thread", "time", *place}
    kit.check("event.too_many_files.fields",
              all(set(e) <= keys for e in found)
              and [[e.get(k) for k in place] for e in found] in ([], version),
              f"no keys of its own, file and line of version: {version}",
              found)
    for target in ("normal", "perf"):
        kit.lacks(f"{target}.payload.too_many_files",
                  run.log(f"{target}/{SENTINEL}"), b"too_many_files")


def in_sentinel(target, pattern, replacement):
    path = f"{target}/{SENTINEL}"

    def edit(run):
        run.files[path] = edited(run.log(path), pattern, replacement)
        return run

    return edit


for pair in (edits.gone("too_many_files"), edits.twice("too_many_files")):
    fault("event.too_many_files", FULL, edit=in_sentinel("event", *pair))
for pair in (
    edits.added("too_many_files", "count", "3"),
    edits.retyped("too_many_files", "line", "999999"),
    edits.dropped("too_many_files", "file"),
):
    fault("event.too_many_files.fields", FULL,
          edit=in_sentinel("event", *pair))
fault("normal.payload.too_many_files", FULL,
      edit=in_sentinel("normal", *edits.also_in_normal("too_many_files")))
fault("perf.payload.too_many_files", FULL,
      edit=in_sentinel("perf", *edits.also_in_perf("too_many_files", "")))

# Errors without a text.

EMPTY = "an error without a text has a message all the same"


@scenario(EMPTY, verbs=("525cmd_error",), ids=("event.error.empty-msg",))
def empty_message(kit):
    run = kit.run("525cmd_error", targets=("event",))
    found = [(e.get("msg"), e.get("fmt")) for e in run.events("error")]
    kit.equal("event.error.empty-msg", found[1:2], [("", "%s")])


fault("event.error.empty-msg", EMPTY, event=(rb',"msg":"","fmt":"%s"', b""))
fault("event.error.empty-msg", EMPTY, event=(rb',"msg":""', b""))
fault("event.error.empty-msg", EMPTY, event=(rb'"msg":""', b'"msg":null'))

# Exit codes.

BYTES = "exit codes are cut to a byte"


@scenario(BYTES, verbs=("001return",), ids=("event.exit.code-byte",))
def code_byte(kit):
    for given, code in (("300", 44), ("-1", 255), ("256", 0)):
        run = kit.run("001return", given, targets=("event",))
        codes = [run.event(name).get("code") for name in ("exit", "atexit")]
        kit.equal("event.exit.code-byte", codes, [code, code])


for name in ("exit", "atexit"):
    for value in ("300", "-1", "256"):
        fault("event.exit.code-byte", BYTES,
              event=edits.retyped(name, "code", value))

# The names of commands.

NAMES = "names of commands are joined from parent to child"


@scenario(NAMES, verbs=("004child",),
          ids=("event.cmd_name.hierarchy", "event.cmd_name.parent",
               "event.cmd_name.export"))
def hierarchy(kit):
    script = 'echo "$GIT_TRACE2_PARENT_NAME"'
    top = kit.run("004child", "sh", "-c", script)
    name = top.event("cmd_name").get("name")
    kit.equal("event.cmd_name.hierarchy",
              top.event("cmd_name").get("hierarchy"), name)
    kit.equal("event.cmd_name.export", top.stdout, b"%s\n" % name.encode())
    below = kit.run("004child", "sh", "-c", script,
                    env={"GIT_TRACE2_PARENT_NAME": "a//'b' /"})
    joined = f"a//'b' //{name}"
    kit.equal("event.cmd_name.parent",
              below.event("cmd_name").get("hierarchy"), joined)
    kit.equal("event.cmd_name.export", below.stdout, f"{joined}\n".encode())


for value in ('""', '"/trace2"', '["trace2"]'):
    fault("event.cmd_name.hierarchy", NAMES,
          event=edits.retyped("cmd_name", "hierarchy", value))
fault("event.cmd_name.hierarchy", NAMES,
      event=edits.dropped("cmd_name", "hierarchy"))
for wrong in (rb"\1a/'b'/trace2", rb"\1trace2", rb"\1trace2/a//'b' /"):
    fault("event.cmd_name.parent", NAMES,
          event=(rb'("hierarchy":")a//\'b\' //trace2', wrong))
fault("event.cmd_name.export", NAMES, stdout=(rb"[^/\n]+\n", rb"\n"))
fault("event.cmd_name.export", NAMES, stdout=(rb".*/(.*\n)", rb"\1"))

LONG = "a hierarchy that is too long is not handed down"
MOST = 65536


@scenario(LONG, verbs=("004child",), ids=("event.cmd_name.parent-long",
                                          "event.cmd_name.export-long"))
def long_hierarchy(kit):
    script = 'printf %s "$GIT_TRACE2_PARENT_NAME"'
    top = kit.run("004child", "sh", "-c", script, targets=("event",),
                  env={"GIT_TRACE2_PARENT_NAME": "x" * (MOST + 1)})
    name = top.event("cmd_name").get("name")
    kit.equal("event.cmd_name.parent-long",
              (top.event("cmd_name").get("hierarchy"), top.stdout.decode()),
              (name, name))
    below = kit.run("004child", "sh", "-c", script, targets=("event",),
                    env={"GIT_TRACE2_PARENT_NAME": "x" * MOST})
    kit.equal("event.cmd_name.export-long",
              (below.event("cmd_name").get("hierarchy"),
               below.stdout.decode()),
              ("x" * MOST + f"/{name}", "x" * MOST))


fault("event.cmd_name.parent-long", LONG,
      event=(rb'("hierarchy":")(t)', rb"\1xx/\2"))
fault("event.cmd_name.export-long", LONG, stdout=(rb"^(x+)$", rb"\1/trace2"))

AGAIN = "a second name is appended to the first"


@scenario(AGAIN, verbs=("523cmd_name",),
          ids=("event.cmd_name.name", "event.cmd_name.again"))
def again(kit):
    run = kit.run("523cmd_name", "second", "third", targets=("event",))
    names = [e.get("name") for e in run.events("cmd_name")]
    kit.equal("event.cmd_name.name", names[-2:], ["second", "third"])
    kit.equal("event.cmd_name.again",
              [e.get("hierarchy") for e in run.events("cmd_name")],
              ["trace2", "trace2/second", "trace2/second/third"])


fault("event.cmd_name.name", AGAIN,
      event=(rb'"name":"third"', rb'"name":"trace2/second/third"'))
for wrong in (rb"trace2/third", rb"second/third", rb"third"):
    fault("event.cmd_name.again", AGAIN,
          event=(rb"trace2/second/third", wrong))

LONGER = "a hierarchy goes on or begins anew where it would get too long"
FULL_NAME, ONE_MORE = "n" * 1017, "n" * 1018  # behind `trace2/`


@scenario(LONGER, verbs=("523cmd_name",),
          ids=("event.cmd_name.again", "event.cmd_name.again-long"))
def longer(kit):
    run = kit.run("523cmd_name", FULL_NAME, targets=("event",))
    kit.equal("event.cmd_name.again",
              run.events("cmd_name")[-1].get("hierarchy"),
              f"trace2/{FULL_NAME}")
    run = kit.run("523cmd_name", ONE_MORE, "last", targets=("event",))
    found = [e.get("hierarchy") for e in run.events("cmd_name")]
    kit.check("event.cmd_name.again-long",
              found[1:] in ([f"trace2/{ONE_MORE}", "last"],
                            [f"trace2/{ONE_MORE}", f"trace2/{ONE_MORE}/last"],
                            [ONE_MORE, f"{ONE_MORE}/last"]),
              "names that are appended, or stand alone from 1,025 bytes on",
              found[1:])


fault("event.cmd_name.again", LONGER,
      event=(rb'"trace2/(n{1017}")', rb'"\1'))
fault("event.cmd_name.again-long", LONGER,
      event=(rb'("hierarchy":"[^"]*)n/last"', rb'\1/last"'))
fault("event.cmd_name.again-long", LONGER,
      event=(rb'("hierarchy":")(trace2/)?(n{1018}")', rb"\1x/\3"))

# Ancestors.

ANCESTRY = "ancestors are named from the parent up"


def ancestors():
    """The names of this process and those above it, as Linux has them."""
    pid, names = os.getpid(), []
    while pid:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        name, rest = stat.partition(b"(")[2].rsplit(b")", 1)
        names.append(name.decode(*shows.BYTES))
        pid = int(rest.split()[1])
    return names


ODD_NAMES = ("a sh'", "b) R 1 (%s")
ODD_SHELLS = "; ".join(f'ln -s /bin/sh "{name}"' for name in ODD_NAMES)


@scenario(ANCESTRY, verbs=("001return",),
          ids=("event.cmd_ancestry", "event.cmd_ancestry.ancestry",
               "event.cmd_ancestry.linux", "normal.payload.cmd_ancestry",
               "perf.payload.cmd_ancestry"))
def ancestry(kit):
    """A name may hold what ends a name in /proc."""
    for name in ODD_NAMES:
        run = kit.command("{}/" + name, "-c",
                          "test-tool trace2 001return 0; exit",
                          setup=ODD_SHELLS)
        check_ancestry(kit, run, [name, *ancestors()])


def check_ancestry(kit, run, names):
    found = [e.get("ancestry") for e in run.events("cmd_ancestry")]
    kit.equal("event.cmd_ancestry", len(found), 1)
    kit.check("event.cmd_ancestry.ancestry",
              all(isinstance(one, list) and one[:1] == names[:1]
                  and all(isinstance(name, str) for name in one)
                  for one in found),
              f"a list of names, first {names[0]}", found)
    kit.check("event.cmd_ancestry.linux", all(one == names for one in found),
              names, found)
    kit.equal("normal.payload.cmd_ancestry",
              [p for p in map(bytes.decode, run.payloads(b"cmd_ancestry"))],
              ["cmd_ancestry " + " <- ".join(names)])
    kit.equal("perf.payload.cmd_ancestry",
              [c.payload for c in run.perf("cmd_ancestry")],
              [f"ancestry:[{' '.join(map(quote, names))}]"])


fault("event.cmd_ancestry", ANCESTRY, event=edits.gone("cmd_ancestry"))
fault("event.cmd_ancestry", ANCESTRY, event=edits.twice("cmd_ancestry"))
for wrong in (b'"sh"', b"[]", b"[7]", b"null"):
    fault("event.cmd_ancestry.ancestry", ANCESTRY,
          event=(rb'(?<="ancestry":)\[[^]]*\]', wrong))
fault("event.cmd_ancestry.ancestry", ANCESTRY,
      event=(rb'"ancestry":\["a sh\'",', rb'"ancestry":['))
fault("event.cmd_ancestry.linux", ANCESTRY, event=(rb',"[^"]*"\]\}', rb"]}"))
fault("event.cmd_ancestry.ancestry", ANCESTRY,
      event=(rb'"b\) R 1 \(%s"', b'"b"'))
fault("event.cmd_ancestry.linux", ANCESTRY,
      event=(rb'"a sh\'",', b'"a sh\'","sh",'))
fault("normal.payload.cmd_ancestry", ANCESTRY, normal=(rb" <- ", rb" -> "))
fault("normal.payload.cmd_ancestry", ANCESTRY,
      normal=(rb"a sh' <-", rb"'a sh'\\'''' <-"))
fault("normal.payload.cmd_ancestry", ANCESTRY,
      normal=(rb"(cmd_ancestry) (.*) <- (.*)", rb"\1 \3 <- \2"))
fault("perf.payload.cmd_ancestry", ANCESTRY, perf=(rb"ancestry:\[", rb"["))
fault("perf.payload.cmd_ancestry", ANCESTRY,
      perf=(rb"'a sh'\\'''", rb"a sh'"))

ALONE = "a process without ancestors names none"


@scenario(ALONE, verbs=("001return",), ids=("event.cmd_ancestry.none",))
def no_ancestors(kit):
    new = ("unshare", "--user", "--map-root-user", "--pid", "--fork")
    if kit.command(*new, "true", targets=()).exit:
        raise Skip("this machine gives no new process namespace")
    run = kit.command(*new, "test-tool", "trace2", "001return", "0",
                      targets=("event",))
    run.event("exit")
    found = run.events("cmd_ancestry")
    kit.equal("event.cmd_ancestry.none", found, [])


fault("event.cmd_ancestry.none", ALONE,
      event=(rb'^(\{"event":")cmd_name(".*)"name":.*\n',
             rb'\g<0>\1cmd_ancestry\2"ancestry":[]}\n'))
