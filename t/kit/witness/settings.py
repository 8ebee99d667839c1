"""Settings: which are heard, from where, and what their values mean."""

from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell

TARGETS = ("normal", "perf", "event")
VARIABLES = {"normal": "GIT_TRACE2", "perf": "GIT_TRACE2_PERF",
             "event": "GIT_TRACE2_EVENT"}


def version(kit, config=None, env=None, targets=(), files=None):
    """`git version` with that text as ~/.gitconfig."""
    files = dict(files or {})
    if config is not None:
        files[".gitconfig"] = config
    return kit.command("git", "version", targets=targets, env=env,
                       files=files)


def target(line=b"eventTarget = {}/event"):
    return b"[trace2]\n\t" + line + b"\n"


def logs(run):
    """The files that are logs: they begin with a version event."""
    return {name for name, text in run.files.items()
            if b"version" in text.partition(b"\n")[0]}


@scenario("each target of git has a variable and a key of its own",
          ids=("settings.event-target", "settings.event-target.config",
               "settings.normal-target", "settings.perf-target",
               "destination.off"))
def variable_and_key(kit):
    for name in TARGETS:
        own = f"settings.{name}-target"
        run = version(kit, targets=(name,))
        kit.equal(own, logs(run), {name})
        kit.equal("destination.off", logs(run), {name})
        key = b"%sTarget = {}/%s" % (name.encode(), name.encode())
        run = version(kit, target(key))
        own += ".config" if name == "event" else ""
        kit.equal(own, logs(run), {name})


def brief(run):
    """Which of the logs are in their brief form."""
    starts = {
        "normal": run.log("normal").startswith(b"version "),
        "perf": run.log("perf").startswith(b"d0 |"),
        "event": b'"file":' not in run.log("event"),
    }
    return {name for name in TARGETS if run.log(name) and starts[name]}


@scenario("each target of git is brief by itself",
          ids=("settings.normal-brief", "settings.perf-brief",
               "settings.event-brief"))
def brief_by_itself(kit):
    for name in TARGETS:
        own = f"settings.{name}-brief"
        run = version(kit, targets=TARGETS,
                      env={f"{VARIABLES[name]}_BRIEF": "1"})
        kit.equal(own, brief(run), {name})
        run = version(kit, target(f"{name}Brief = yes".encode()),
                      targets=TARGETS)
        kit.equal(own, brief(run), {name})


@scenario("git's brief forms leave out what they should",
          ids=("brief.event", "brief.event-time", "brief.event-rest",
               "brief.normal", "brief.perf"))
def brief_forms(kit):
    names = {f"{v}_BRIEF": "true" for v in VARIABLES.values()}
    run = shell(kit, REPOSITORY + "git status", env=names)
    events = run.events()
    timed = [e["event"] for e in events if "time" in e]
    kit.equal("brief.event-time", timed, ["version", "atexit"])
    kit.equal("brief.event", [e for e in events if {"file", "line"} & set(e)],
              [] if events else "events")
    one = run.event("region_enter")
    kit.equal("brief.event-rest", list(one),
              ["event", "sid", "thread", "repo", "nesting", "category",
               "label", "msg"])
    kit.check("brief.event-rest", "t_abs" in run.event("start"),
              "t_abs in start", run.event("start"))
    lines = run.lines("normal")
    kit.equal("brief.normal", lines[0],
              b"version " + run.event("version")["exe"].encode())
    kit.equal("brief.normal", lines[1],
              b"start " + run.event("start")["argv"][0].encode() + b" status")
    starts = {line[:29] for line in run.lines("perf")}
    kit.equal("brief.perf", starts, {b"d0 | main" + b" " * 20})


def deepest(run):
    return max(e["nesting"] for e in run.events("region_enter"))


@scenario("git's nesting limit hides deeper regions from EVENT alone",
          ids=("settings.event-nesting", "settings.event-nesting.invalid",
               "nesting.limit", "nesting.default", "nesting.only-event",
               "nesting.only-these", "nesting.counts", "settings.number"))
def nesting_limit(kit):
    def status(env=None, config=b""):
        return shell(kit, REPOSITORY + "git status", env=env,
                     files={".gitconfig": config})

    run = status()
    kit.equal("nesting.default", deepest(run), 2)
    dots = max(c.dots for c in run.perf("region_enter"))
    kit.check("nesting.only-event", dots >= 4, "four dots in PERF", dots)
    limited = {e["event"] for e in run.events() if e.get("nesting", 0) > 2}
    kit.equal("nesting.limit", limited or deepest(run), 2)
    full = status({"GIT_TRACE2_EVENT_NESTING": "9"})
    kit.equal("settings.event-nesting", deepest(full), dots // 2 + 1)
    kit.equal("nesting.only-these", others(run), others(full) or None)
    kit.equal("nesting.counts", shallow(full), shallow(run) or None)
    run = status(config=target(b"eventNesting = 1"))
    kit.equal("settings.event-nesting", deepest(run), 1)
    for value in ("0", "-1", "abc"):
        run = status({"GIT_TRACE2_EVENT_NESTING": value},
                     target(b"eventNesting = 4"))
        kit.equal("settings.event-nesting.invalid", deepest(run), 2)
    for value in ("1e3", " 1", "1abc"):
        run = status({"GIT_TRACE2_EVENT_NESTING": value})
        kit.equal("settings.number", deepest(run), 1)


def others(run):
    return [e["event"] for e in run.events() if "nesting" not in e]


def shallow(run):
    return [(e["nesting"], e.get("label")) for e in run.events("region_enter")
            if e["nesting"] <= 2]


@scenario("git hears the environment before global and system files",
          ids=("settings.precedence", "settings.empty-env", "config.files",
               "config.files.system", "config.files.nosystem",
               "config.files.global", "settings.last-wins"))
def precedence(kit):
    system = {"system": target(b"eventTarget = {}/a")}
    env = {"GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_SYSTEM": "{}/system"}

    def asks(name, expected, config=b"", more=None, files=system):
        run = version(kit, config, {**env, **(more or {})}, files=files)
        kit.equal(name, logs(run), expected)

    ours = target(b"eventTarget = {}/b")
    asks("config.files.system", {"a"})
    asks("settings.precedence", {"b"}, ours)
    asks("config.files", {"b"}, ours)
    asks("settings.precedence", {"c"}, ours, {"GIT_TRACE2_EVENT": "{}/c"})
    asks("settings.empty-env", {"b"}, ours, {"GIT_TRACE2_EVENT": ""})
    asks("settings.empty-env", set(), ours, {"GIT_TRACE2_EVENT": "0"})
    asks("settings.last-wins", {"b"}, target(b"eventTarget = {}/x") + ours)
    asks("settings.last-wins", set(), target(b"eventTarget ="))
    asks("config.files.nosystem", {"a"}, more={"GIT_CONFIG_NOSYSTEM": ""})
    asks("config.files.nosystem", set(), more={"GIT_CONFIG_NOSYSTEM": "1"})
    two = {**system, "other": target(b"eventTarget = {}/d")}
    asks("config.files.global", {"d"}, ours,
         {"GIT_CONFIG_GLOBAL": "{}/other"}, two)
    asks("config.files.global", {"a"}, ours, {"GIT_CONFIG_GLOBAL": ""})


@scenario("an invalid variable of git takes the place of its key",
          ids=("settings.replace-invalid", "settings.boolean.invalid"))
def replace_invalid(kit):
    run = version(kit, target(b"eventBrief = true"), targets=("event",),
                  env={"GIT_TRACE2_EVENT_BRIEF": "bogus"})
    for name in ("settings.replace-invalid", "settings.boolean.invalid"):
        kit.check(name, run.events() and not brief(run), "the full form",
                  run.log("event"))
    run = version(kit, target(), env={"GIT_TRACE2_EVENT": "bogus"})
    kit.equal("settings.replace-invalid", logs(run), set())
    kit.equal("settings.replace-invalid", run.stderr,
              b"warning: trace2: unknown value for 'GIT_TRACE2_EVENT': "
              b"'bogus'\n")


@scenario("nothing in a repository or on the command line traces git",
          ids=("settings.config-scopes", "privacy.repo-no-control"))
def config_scopes(kit):
    run = shell(kit, """
quiet init -q --template= repo && cd repo &&
quiet config trace2.eventTarget "$HOME/local" &&
git -c trace2.eventTarget="$HOME/command" rev-parse --git-dir
""", targets=("normal",), env={
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "trace2.perfTarget",
        "GIT_CONFIG_VALUE_0": "{}/count",
    })
    for name in ("settings.config-scopes", "privacy.repo-no-control"):
        kit.equal(name, run.stdout, b".git\n")
        kit.equal(name, logs(run), {"normal"})


@scenario("git knows booleans in all their forms",
          ids=("settings.boolean", "settings.boolean.integer",
               "settings.subsection", "settings.valueless.other"))
def booleans(kit):
    def is_brief(value):
        run = version(kit, target(b"eventBrief = " + value),
                      targets=("event",))
        return bool(run.events()) and bool(brief(run))

    for value in (b"true", b"YES", b"On", b"1"):
        kit.equal("settings.boolean", (value, is_brief(value)), (value, True))
    for value in (b"false", b"No", b"OFF", b"0", b""):
        kit.equal("settings.boolean", (value, is_brief(value)), (value, False))
    for value in (b"0x1f", b"010", b"-1", b"1k", b"2G", b"+3"):
        kit.equal("settings.boolean.integer", (value, is_brief(value)),
                  (value, value != b"2G"))
    run = version(kit, b'[trace2 "x"]\n\teventBrief = true\n' + target())
    kit.equal("settings.subsection", (logs(run), brief(run)),
              ({"event"}, set()))
    run = version(kit, target() + b"\tsomething\n")
    kit.equal("settings.valueless.other", logs(run), {"event"})


@scenario("git reads a known key without a value as nothing",
          ids=("settings.valueless",))
def valueless(kit):
    run = version(kit, target() + b"\teventBrief\n")
    kit.equal("settings.valueless", (run.exit, logs(run), brief(run)),
              (0, {"event"}, set()))


@scenario("git's destination debug is switched on by 1 and by true",
          ids=("settings.destination-debug",
               "settings.destination-debug.one", "settings.quiet",
               "destination.silent", "destination.debug.open",
               "settings.warning-form", "settings.warning-variable"))
def destination_debug(kit):
    def warned(env, config=b""):
        return version(kit, config, env).stderr

    there = {"GIT_TRACE2_EVENT": "/nowhere/x"}
    text = (b"warning: trace2: could not open '/nowhere/x' for "
            b"'GIT_TRACE2_EVENT' tracing: No such file or directory\n")
    one = warned({**there, "GIT_TRACE2_DST_DEBUG": "1"})
    for name in ("settings.destination-debug.one", "destination.debug.open",
                 "settings.warning-form", "destination.silent"):
        kit.equal(name, one, text)
    for name in ("settings.quiet", "destination.silent"):
        run = version(kit, env=there)
        kit.equal(name, (run.stderr, run.stdout[:12]), (b"", b"git version "))
    kit.equal("settings.warning-variable",
              warned({}, target(b"eventTarget = /nowhere/x\n"
                                b"destinationDebug = 1")), text)
    kit.equal("settings.destination-debug",
              warned({**there, "GIT_TRACE2_DST_DEBUG": "true"}), text)


PRECEDENCE = "git hears the environment before global and system files"
fault("settings.precedence", PRECEDENCE, edit=lambda run: renamed(run, "b"))
fault("nesting.limit", "git's nesting limit hides deeper regions from EVENT "
      "alone", event=(rb'"nesting":2,"category":"dir"', b'"nesting":3'))
fault("brief.event-time", "git's brief forms leave out what they should",
      event=(rb'("thread":"main"),("t_abs")',
             rb'\1,"time":"2026-11-21T08:18:15.656058Z",\2'))


def renamed(run, name):
    if name in run.files:
        run.files["a"] = run.files.pop(name)
    return run
