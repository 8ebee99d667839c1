"""The FXT target: what it writes to, and how the file stays an archive."""

from kit import fxt, fxt_edits, listen
from kit.faults import fault
from kit.kit import scenario
from kit.logs import warning
from kit.scenarios.fxt_target import LOG, ON, archive, archives, shown

RETURN = ("001return",)
MIB = 1 << 20


def pids(run, path="fxt"):
    return [r.of[0] for r in archive(run, path) if r.kind == "provider"]


def pid_of(event):
    """The one in its SID."""
    return int(event["sid"].rpartition("-P")[2], 16)


@scenario("the archive of a process begins with who it is", verbs=RETURN,
          ids=("fxt.target.provider",))
def provider(kit):
    run = kit.run("001return", "0", env=ON)
    first, ticks = archive(run)[:2]
    pid = pid_of(run.event("version"))
    kit.equal("fxt.target.provider", (first.kind, first.name, first.of),
              ("provider", f"trace2 {pid}", (pid,)))
    kit.equal("fxt.target.provider", (ticks.kind, ticks.time),
              ("ticks", 10**9))


PROVIDER = "the archive of a process begins with who it is"
fault("fxt.target.provider", PROVIDER,
      edit=fxt_edits.text(b"trace2 ", b"traced "))
fault("fxt.target.provider", PROVIDER,
      edit=fxt_edits.text((10**9).to_bytes(8, "little"),
                          (10**6).to_bytes(8, "little")))


@scenario("an archive is added to what is there", verbs=RETURN,
          ids=("fxt.target.file", "fxt.target.file.foreign"))
def added(kit):
    before = kit.run("001return", "1", env=ON)
    old = before.files["fxt"] if archive(before) else b""
    run = kit.run("001return", "2", env=ON, files={"fxt": old})
    kit.check("fxt.target.file", run.files["fxt"].startswith(old),
              "a file that begins as before", pids(run))
    kit.equal("fxt.target.file", pids(run)[1:],
              [pid_of(run.event("version"))])
    codes = [r.args["code"] for r in shown(run) if r.name == "exit"]
    kit.equal("fxt.target.file", codes, [1, 2])
    for foreign in (b"seven !", b"a text of some length\n"):
        run = kit.run("001return", "0", env=ON, files={"fxt": foreign})
        kit.equal("fxt.target.file.foreign", run.files["fxt"], foreign)
    for value in (ON[LOG], ON[LOG].replace("/", "//")):
        run = kit.run("001return", "0", targets=(),
                      env={**ON, "GIT_TRACE2_EVENT": value})
        lines = run.files["fxt"].splitlines()
        kit.check("fxt.target.file.foreign", b'"version"' in lines[0] and
                  b'"atexit"' in lines[-1], "all lines of EVENT", lines)


def only_the_last(run):
    """As if the file had been emptied."""
    data = run.files.get("fxt", b"")
    magic = fxt.MAGIC.to_bytes(8, "little")
    if data.count(magic) > 1:
        run.files["fxt"] = data[data.rindex(magic):]
    return run


def foreign_too(run):
    if not run.files.get("fxt", b"").startswith(b"\x10"):
        run.files["fxt"] += b"more"
    return run


ADDED = "an archive is added to what is there"
fault("fxt.target.file", ADDED, edit=only_the_last)
fault("fxt.target.file.foreign", ADDED, edit=foreign_too)


@scenario("a child writes beside its parent", verbs=("004child",),
          ids=("fxt.target.file.nested",))
def nested(kit):
    for value, name in (("{}/a.b.fxt", "a.b-%d.fxt"), ("{}/plain", "plain-%d"),
                        ("{}/d/.fxt", "d/.fxt-%d")):
        run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                      env={LOG: value}, files={"d/x": b""})
        parent, child = (pid_of(e) for e in run.events("version"))
        kit.equal("fxt.target.file.nested", archives(run),
                  sorted((value[3:], name % child)))
        kit.equal("fxt.target.file.nested", pids(run, value[3:]), [parent])
        kit.equal("fxt.target.file.nested", pids(run, name % child), [child])


def renamed(old, new):
    """An edit: files by other names."""
    def edit(run):
        run.files = {name.replace(old, new): text
                     for name, text in run.files.items()}
        return run
    return edit


fault("fxt.target.file.nested", "a child writes beside its parent",
      edit=renamed("a.b-", "a.b."))


@scenario("a directory gets an archive for each process",
          verbs=("004child",), ids=("fxt.target.directory",))
def directory(kit):
    run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                  env={LOG: "{}/dir"}, files={"dir/x": b""})
    wanted = [f"dir/{e['sid'].rpartition('/')[2]}.fxt"
              for e in run.events("version")]
    kit.equal("fxt.target.directory", archives(run), sorted(wanted))


fault("fxt.target.directory", "a directory gets an archive for each process",
      edit=renamed(".fxt", ".trace"))


@scenario("the FXT target takes a path, and nothing else", verbs=RETURN,
          ids=("fxt.target.value",))
def values(kit):
    archive(kit.run("001return", "0", env=ON))
    config = b"[trace2]\n\tfxtTarget = {}/fxt\n"
    run = kit.run("001return", "0", env={"GIT_CONFIG_GLOBAL": "{}/config"},
                  files={"config": config})
    kit.equal("fxt.target.value", archives(run), ["fxt"])
    for off in ("", "0", "false", "FALSE"):
        run = kit.run("001return", "0", env={LOG: off})
        kit.equal("fxt.target.value", (archives(run), run.stderr), ([], b""))
    for wrong in ("fxt", "1", "true", "7"):
        run = kit.run("001return", "0", env={LOG: wrong})
        told = warning("trace2: unknown value for '%s': '%s'", LOG, wrong)
        kit.equal("fxt.target.value", (archives(run), run.stderr),
                  ([], told))


def silent(run):
    run.stderr = b""
    return run


VALUES = "the FXT target takes a path, and nothing else"
fault("fxt.target.value", VALUES, edit=silent)


@scenario("records of a killed process are in its archive",
          verbs=("541signal_region", "001return"),
          ids=("fxt.target.whole", "fxt.target.end"))
def killed(kit):
    run = kit.run("541signal_region", "KILL", env=ON)
    names = [r.name for r in shown(run) if r.name != "cmd_ancestry"]
    kit.equal("fxt.target.whole", names,
              ["version", "start", "cmd_name", "open"])
    run = kit.run("001return", "0", env=ON)
    kit.check("fxt.target.end", len(run.files["fxt"]) <= 64 << 10,
              "at most 64 KiB", str(len(run.files["fxt"])))


def torn(run):
    """What a writer that stores its headers first leaves."""
    if run.exit < 0 and "fxt" in run.files:
        run.files["fxt"] = run.files["fxt"][:-8]
    return run


def never_cut(run):
    if run.exit >= 0 and "fxt" in run.files:
        run.files["fxt"] += (1 << 4 | 5).to_bytes(8, "little") * MIB
    return run


KILLED = "records of a killed process are in its archive"
fault("fxt.target.whole", KILLED, edit=torn)
fault("fxt.target.whole", KILLED, edit=fxt_edits.events(2, fxt_edits.gone))
fault("fxt.target.end", KILLED, edit=never_cut)


@scenario("only the categories that are asked for are written",
          verbs=("regions_deep",), ids=("fxt.target.categories",))
def categories(kit):
    for asked, wanted in (("nest", {"nest"}), ("a,trace2", {"trace2"}),
                          ("trace2,nest", {"nest", "trace2"}),
                          ("nes,nested", set())):
        run = kit.run("regions_deep", "1",
                      env={**ON, "GIT_TRACE2_CATEGORIES": asked})
        kit.equal("fxt.target.categories",
                  {r.category for r in shown(run)}, wanted)


fault("fxt.target.categories",
      "only the categories that are asked for are written",
      edit=fxt_edits.text(b"nest\0\0\0\0", b"rest\0\0\0\0"))


@scenario("a process adds no more than it may", verbs=("006data",),
          ids=("fxt.target.max",))
def limited(kit):
    many = ("c", "k", "v" * 3000) * 600
    for limit, most in (("1", 1), ("2000000", 1), ("1m", 1), ("2m", 2)):
        run = kit.run("006data", *many, targets=(),
                      env={LOG: "{}/fxt", "GIT_TRACE2_FXT_MAX": limit})
        archive(run)
        over = len(run.files["fxt"]) - (most - 1) * MIB
        kit.check("fxt.target.max", MIB / 2 < over <= MIB + 4096,
                  f"up to {most} MiB", str(len(run.files["fxt"])))


def doubled(run):
    run.files["fxt"] *= 2
    return run


fault("fxt.target.max", "a process adds no more than it may", edit=doubled)


@scenario("a socket is that of a trace manager", verbs=RETURN,
          ids=("fxt.target.manager",))
def managed(kit):
    archive(kit.run("001return", "0", env=ON))
    run = kit.run("001return", "3", env={LOG: "af_unix:{}/s"},
                  listen=listen.hangup("s"))
    # REGISTER, version 1: see "Providers"
    found = [packet[:16] for packet in run.received]
    kit.equal("fxt.target.manager", found, [b"\0\2\0\0\1" + b"\0" * 11])
    kit.equal("fxt.target.manager", run.exit, 3)


def unheard(run):
    run.received = []
    return run


fault("fxt.target.manager", "a socket is that of a trace manager",
      edit=unheard)
