"""Settings that say where a target goes and in which form."""

from kit.config import BRIEF, brief, form, home, variables
from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS

TARGET_KEYS = {t: f"{t}Target" for t in TARGETS}
TARGET_IDS = {t: f"settings.{t}-target" for t in TARGETS}
CONFIG = "settings.event-target.config"


def forms(run, suffix):
    """Which target wrote each of the three files with this suffix?"""
    return {t: form(run.files.get(t + suffix, b"")) for t in TARGETS}


def configured(suffix, targets=TARGETS):
    return home(**{TARGET_KEYS[t]: f"{{}}/{t}{suffix}".encode()
                   for t in targets})


TITLE = "each target goes where its own setting says"


@scenario(TITLE, verbs=("001return",), ids=(*TARGET_IDS.values(), CONFIG))
def targets(kit):
    by_env = kit.run("001return", "0", env=variables("_env"))
    for target, name in TARGET_IDS.items():
        kit.equal(name, forms(by_env, "_env")[target], target)
    if not kit.configured():
        return
    by_config = kit.run("001return", "0", targets=(), files=configured("_key"))
    both = kit.run("001return", "0", targets=(), env=variables("_both"),
                   files=configured("_unused"))
    for target, name in TARGET_IDS.items():
        kit.equal(name, forms(both, "_both")[target], target)
    for target, name in {**TARGET_IDS, "event": CONFIG}.items():
        kit.equal(name, forms(by_config, "_key")[target], target)
        kit.equal(name, forms(both, "_unused")[target], "")


def swapped(one, other):
    """Two targets took each other's destination."""
    def edit(run):
        if one in run.files and other in run.files:
            files = run.files
            files[one], files[other] = files[other], files[one]
        return run
    return edit


fault("settings.event-target", TITLE, files={"event_env": b""})
fault("settings.normal-target", TITLE, edit=swapped("normal_key", "perf_key"))
fault("settings.perf-target", TITLE, edit=swapped("normal_env", "perf_env"))
fault("settings.event-target.config", TITLE, files={"event_key": b""})


TITLE = "a brief flag makes its own target brief"


@scenario(TITLE, verbs=("001return",),
          ids=[f"settings.{t}-brief" for t in TARGETS])
def brief_flags(kit):
    everything = home(normalBrief=b"true", perfBrief=b"true",
                      eventBrief=b"true")
    for at, target in enumerate(TARGETS):
        name = f"settings.{target}-brief"
        only = tuple(t == target for t in TARGETS)
        run = kit.run("001return", "0", env={BRIEF[target]: "true"})
        kit.equal(name, brief(run), only)
        if not kit.configured():
            continue
        run = kit.run("001return", "0",
                      files=home(**{f"{target}Brief": b"true"}))
        kit.equal(name, brief(run), only)
        run = kit.run("001return", "0", env={BRIEF[target]: "false"},
                      files=everything)
        kit.equal(name, brief(run)[at], False)


fault("settings.normal-brief", TITLE,
      normal=(rb"^(?=version|start|cmd_|exit|atexit)",
              rb"01:02:03.000004 a.c:1  "))
fault("settings.perf-brief", TITLE,
      perf=(rb"^(?=d0)", rb"01:02:03.000004 a.c:1                        | "))
fault("settings.event-brief", TITLE, event=(
    rb'"thread":"main",(?!"time")', rb'"thread":"main",'
    rb'"time":"2026-01-02T03:04:05.000006Z","file":"a.c","line":1,'))
