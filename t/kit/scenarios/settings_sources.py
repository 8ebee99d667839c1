"""Where a setting comes from, and which of several values counts."""

import re

from kit.config import (SYSTEM, brief, home, pairs, params, repository,
                        trace2, warnings)
from kit.faults import fault
from kit.kit import scenario

LAYERS = ("env", "user", "system")
KEYS = b"[a]\n" + b"".join(b"\t%s = %s!\n" % (n.encode(), n.encode())
                           for n in LAYERS)
WORDS = {name.upper(): name + "?" for name in LAYERS}


def layer(name):
    """A file with every setting that can be seen; values of its own."""
    is_brief = b"false" if name == "user" else b"true"
    return trace2(eventTarget=b"{}/by_" + name.encode(), normalBrief=is_brief,
                  configParams=b"a." + name.encode(),
                  envVars=name.upper().encode())


ENV_LAYER = {
    "GIT_TRACE2_EVENT": "{}/by_env", "GIT_TRACE2_BRIEF": "true",
    "GIT_TRACE2_CONFIG_PARAMS": "a.env", "GIT_TRACE2_ENV_VARS": "ENV",
}


TITLE = "environment goes before global and global before system"


@scenario(TITLE, verbs=("001return",), ids=("settings.precedence",))
def precedence(kit):
    for at, winner in enumerate(LAYERS):
        below = LAYERS[at:]
        env = {**SYSTEM, **WORDS, **(ENV_LAYER if "env" in below else {})}
        run = kit.run("001return", "0", targets=("normal",), env=env, files={
            "system": layer("system"),
            ".gitconfig": KEYS + (layer("user") if "user" in below else b""),
        })
        written = [name for name in LAYERS if "by_" + name in run.files]
        kit.equal("settings.precedence", written, [winner])
        kit.equal("settings.precedence", brief(run)[0], winner != "user")
        kit.equal("settings.precedence", pairs(run, "by_" + winner),
                  [("a." + winner, winner + "!"),
                   (winner.upper(), winner + "?")])


def moved(old, new):
    """A log is where another should be."""
    def edit(run):
        if old in run.files:
            run.files[new] = run.files.pop(old)
        return run
    return edit


fault("settings.precedence", TITLE, edit=moved("by_env", "by_user"))
fault("settings.precedence", TITLE,
      by_user=(rb'"a.user","value":"user!"', rb'"a.system","value":"system!"'))

CONFIGURED = {
    ".gitconfig": KEYS + trace2(
        normalTarget=b"{}/normal", perfTarget=b"{}/perf",
        eventTarget=b"{}/event", normalBrief=b"true", eventBrief=b"true",
        configParams=b"a.user", envVars=b"ASKED", maxFiles=b"4",
    ),
}


FOUR = {f"full/{number}": b"" for number in range(4)}


TITLE = "an empty variable counts as unset"


@scenario(TITLE, verbs=("001return",), ids=("settings.empty-env",))
def empty_env(kit):
    kit.need_config()
    name = "settings.empty-env"
    run = kit.run("001return", "0", targets=(), files=CONFIGURED, env={
        "ASKED": "x", "GIT_TRACE2": "", "GIT_TRACE2_PERF": "0",
        "GIT_TRACE2_EVENT": "", "GIT_TRACE2_BRIEF": "",
        "GIT_TRACE2_EVENT_BRIEF": "", "GIT_TRACE2_CONFIG_PARAMS": "",
        "GIT_TRACE2_ENV_VARS": "",
    })
    kit.lacks(name, run.files, "perf")
    kit.equal(name, brief(run), (True, None, True))
    kit.equal(name, pairs(run), [("a.user", "user!"), ("ASKED", "x")])
    run = kit.run("001return", "0", targets=(), files={
        **CONFIGURED, **FOUR,
    }, env={"GIT_TRACE2_PERF": "{}/full", "GIT_TRACE2_MAX_FILES": ""})
    kit.contains(name, run.files, "full/git-trace2-discard")
    run = kit.run("001return", "0", targets=(),
                  files=home(destinationDebug=b"1"),
                  env={"GIT_TRACE2_DST_DEBUG": "",
                       "GIT_TRACE2": "{}/none/log"})
    kit.equal(name, [b"could not open" in x for x in warnings(run)], [True])


fault("settings.empty-env", TITLE, files={"normal": None})
fault("settings.empty-env", TITLE, event=(rb"def_param", None))


TITLE = "an invalid variable takes the place of the config's value"


@scenario(TITLE, verbs=("001return",), ids=("settings.replace-invalid",))
def replace_invalid(kit):
    kit.need_config()
    name = "settings.replace-invalid"
    run = kit.run("001return", "0", targets=(), files=CONFIGURED, env={
        "GIT_TRACE2_BRIEF": "bogus", "GIT_TRACE2_PERF": "bogus",
    })
    kit.lacks(name, run.files, "perf")
    kit.equal(name, brief(run), (False, None, True))
    kit.equal(name, run.stderr, b"warning: trace2: unknown value for "
              b"'GIT_TRACE2_PERF': 'bogus'\n")
    run = kit.run("001return", "0", targets=(), files={
        **CONFIGURED, **FOUR,
    }, env={"GIT_TRACE2_PERF": "{}/full", "GIT_TRACE2_MAX_FILES": "abc"})
    kit.lacks(name, run.files, "full/git-trace2-discard")


fault("settings.replace-invalid", TITLE, normal=(rb"^.{50}", rb""))


COMMAND = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "trace2.normalTarget",
    "GIT_CONFIG_VALUE_0": "{}/counted",
    "GIT_CONFIG_PARAMETERS": "'trace2.normalTarget={}/given'",
}


TITLE = "no setting comes from a repository or the command's own config"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.config-scopes", "privacy.repo-no-control"))
def config_scopes(kit):
    files = repository(b"[extensions]\n\tworktreeConfig = true\n"
                       + trace2(perfTarget=b"{}/local", eventBrief=b"true"))
    files["repo/.git/config.worktree"] = trace2(perfTarget=b"{}/worktree")
    for name in (".gitconfig", ".gitmodules", ".gitattributes"):
        files["repo/" + name] = trace2(normalTarget=b"{}/tree")
    for env in ({}, {"GIT_DIR": "{}/repo/.git"}):
        run = kit.run("001return", "0", targets=("event",), cwd="repo",
                      files=files, env={**COMMAND, **env})
        for file in ("local", "worktree", "counted", "given"):
            kit.lacks("settings.config-scopes", run.files, file)
        kit.equal("settings.config-scopes", brief(run)[2], False)
        for file in ("local", "worktree", "tree"):
            kit.lacks("privacy.repo-no-control", run.files, file)


fault("settings.config-scopes", TITLE, files={"given": b"x\n"})
fault("privacy.repo-no-control", TITLE, files={"tree": b"x\n"})


TITLE = "the last assignment counts, an empty one too"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.last-wins", "settings.subsection"))
def last_wins(kit):
    run = kit.run("001return", "0", targets=(), env=SYSTEM, files={
        "system": trace2(normalTarget=b"{}/normal", eventTarget=b"{}/first",
                         perfTarget=b"{}/perf"),
        ".gitconfig": trace2(normalTarget=b"", eventTarget=b"{}/second")
        + trace2(eventTarget=b"{}/event", eventBrief=b"true")
        + trace2(eventBrief=b"")
        + b'[trace2 "x"]\n\teventTarget = {}/below\n\tperfBrief = true\n'
        + b"[trace2.y]\n\tperfTarget = {}/below\n\teventBrief = true\n",
    })
    logs = sorted(f for f in run.files if f not in ("system", ".gitconfig"))
    kit.equal("settings.last-wins", [f for f in logs if f != "below"],
              ["event", "perf"])
    kit.lacks("settings.subsection", logs, "below")
    kit.equal("settings.subsection", brief(run)[1], False)
    kit.equal("settings.last-wins", brief(run)[2], False)


fault("settings.last-wins", TITLE, files={"normal": b"x\n"})
fault("settings.subsection", TITLE, edit=moved("perf", "below"))
fault("settings.subsection", TITLE, perf=(rb"^.*?\| d0", rb"d0"))


TABLE = ("normalTarget", "normalBrief", "perfTarget", "perfBrief",
         "eventTarget", "eventBrief", "eventNesting", "configParams",
         "envVars", "destinationDebug", "maxFiles")


TITLE = "a setting without a value is warned about and ignored"


@scenario(TITLE, verbs=("001return",), ids=("settings.valueless",))
def valueless(kit):
    text = trace2(eventTarget=b"{}/event", eventBrief=b"false") + b"".join(
        b"\t%s\n" % key.encode() for key in TABLE)
    run = kit.run("001return", "7", targets=(), files={".gitconfig": text})
    lines = warnings(run)
    for number, key in enumerate(TABLE, 4):
        about = re.compile(
            rb"warning: trace2: missing value for 'trace2\.%s' in file "
            rb"/\S+/\.gitconfig at line %d\n"
            % (key.lower().encode(), number))
        kit.equal("settings.valueless",
                  sum(bool(about.fullmatch(line)) for line in lines), 1)
    kit.equal("settings.valueless", len(lines), len(TABLE))
    kit.equal("settings.valueless", brief(run)[2], False)
    kit.equal("settings.valueless", run.exit, 7)


fault("settings.valueless", TITLE, stderr=(rb"'trace2.normalbrief'", None))
fault("settings.valueless", TITLE, stderr=(rb"missing value", rb"no value"))


TITLE = "another key without a value has no effect"


@scenario(TITLE, verbs=("001return",), ids=("settings.valueless.other",))
def valueless_other(kit):
    run = kit.run("001return", "7", targets=(), files={
        ".gitconfig": b"[other]\n\tkey\n[trace2]\n\tunknown\n"
        + trace2(eventTarget=b"{}/event", eventBrief=b"true"),
    })
    name = "settings.valueless.other"
    kit.equal(name, (run.exit, run.stderr), (7, b""))
    kit.equal(name, run.event("exit")["code"], 7)
    kit.equal(name, brief(run)[2], True)


fault("settings.valueless.other", TITLE, exit=128)


REWRITE = """
printf '[trace2]\\n\\teventTarget = %s/late\\n\\teventBrief = true\\n' \
"$HOME" >.gitconfig
"""


TITLE = "settings are read once"


@scenario(TITLE, verbs=("004child", "400ancestry"),
          ids=("settings.read-once",))
def read_once(kit):
    by_env = kit.run("400ancestry", "event", "{}/late", "test-tool", "trace2",
                     "001return", "0")
    runs = [by_env]
    if kit.configured():
        runs.append(kit.run("004child", "sh", "-c", REWRITE, targets=(),
                            files=home(eventTarget=b"{}/event")))
        kit.lacks("settings.read-once", runs[1].files, "late")
    for run in runs:
        kit.equal("settings.read-once", run.event("atexit", -1)["code"], 0)
        kit.equal("settings.read-once", brief(run)[2], False)
    kit.equal("settings.read-once", brief(by_env)[:2], (False, False))


def turned_brief(run):
    """NORMAL is brief from the moment when the flag was set."""
    text = run.files.get("normal", b"")
    run.files["normal"] = re.sub(rb"(?m)^.{50}(?=child_exit)", rb"", text)
    return run


fault("settings.read-once", TITLE, edit=turned_brief)
fault("settings.read-once", TITLE, files={"late": b'{"event":"exit"}\n'})


SECRET, HIDDEN = "https://u:secret@host/", "https://u:<REDACTED>@host/"


def redacted(kit, value, **options):
    """How the password stands in start."""
    run = kit.run("300redact_start", SECRET, env={"GIT_TRACE2_REDACT": value},
                  **options)
    return run.event("start", -1)["argv"][-1]


TITLE = "redaction is switched off by a false boolean alone"


@scenario(TITLE, verbs=("300redact_start",),
          ids=("settings.redact", "settings.redact.no-config"))
def redact(kit):
    for value in ("0", "false", "NO", "off"):
        kit.equal("settings.redact", redacted(kit, value), SECRET)
    for value in ("1", "true", "Yes"):
        kit.equal("settings.redact", redacted(kit, value), HIDDEN)
    config = home(redact=b"false")
    kit.equal("settings.redact.no-config",
              redacted(kit, None, files=config), HIDDEN)


fault("settings.redact", TITLE, event=(rb":secret@", rb":<REDACTED>@"))
fault("settings.redact.no-config", TITLE,
      event=(rb":<REDACTED>@", rb":secret@"))


TITLE = "an empty redact variable switches redaction off"


@scenario(TITLE, verbs=("300redact_start",), ids=("settings.redact.empty",))
def redact_empty(kit):
    kit.equal("settings.redact.empty", redacted(kit, ""), SECRET)


fault("settings.redact.empty", TITLE, event=(rb":secret@", rb":<REDACTED>@"))


TITLE = "a redact variable that is no boolean leaves redaction on"


@scenario(TITLE, verbs=("300redact_start",), ids=("settings.redact.invalid",))
def redact_invalid(kit):
    for value in ("bogus", "0x", "off ", "2g"):
        kit.equal("settings.redact.invalid", redacted(kit, value), HIDDEN)


fault("settings.redact.invalid", TITLE, event=(rb":<REDACTED>@", rb":secret@"))


TITLE = "a parent's SID and name come from variables that are not empty"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.parent-sid", "settings.parent-name"))
def parent(kit):
    """A minimal emitter has SIDs and no names."""
    heads = ("a/b/", "")
    runs = [kit.run("001return", "0", env={
        "GIT_TRACE2_PARENT_SID": value, "GIT_TRACE2_PARENT_NAME": value})
        for value in ("a/b", "")]
    for run, head in zip(runs, heads):
        sid = run.event("version")["sid"]
        kit.check("settings.parent-sid",
                  sid.startswith(head) and "/" not in sid[len(head):],
                  f"`{head}` and one component", sid)
    for run, head in zip(runs, heads):
        named = run.event("cmd_name")
        kit.equal("settings.parent-name", named["hierarchy"],
                  head + named["name"])


fault("settings.parent-sid", TITLE, event=(rb'"sid":"2', rb'"sid":"/2'))
fault("settings.parent-name", TITLE,
      event=(rb'"hierarchy":"a/b/', rb'"hierarchy":"'))
