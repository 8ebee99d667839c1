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


@scenario("environment goes before home and home before system",
          verbs=("001return",), ids=("settings.precedence",))
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


fault("settings.precedence", "environment goes before home and home before "
      "system", by_user=(rb'"a.user","value":"user!"',
                         rb'"a.system","value":"system!"'))
fault("settings.precedence", "environment goes before home and home before "
      "system", edit=lambda run: moved(run, "by_env", "by_user"))


def moved(run, old, new):
    """A log is where it should not be."""
    if old in run.files:
        run.files[new] = run.files.pop(old)
    return run


CONFIGURED = {
    ".gitconfig": KEYS + trace2(
        normalTarget=b"{}/normal", perfTarget=b"{}/perf",
        eventTarget=b"{}/event", normalBrief=b"true", eventBrief=b"true",
        configParams=b"a.user", envVars=b"HOME_", maxFiles=b"4",
    ),
}


@scenario("an empty variable counts as unset", verbs=("001return",),
          ids=("settings.empty-env",))
def empty_env(kit):
    name = "settings.empty-env"
    run = kit.run("001return", "0", targets=(), files=CONFIGURED, env={
        "HOME_": "x", "GIT_TRACE2": "", "GIT_TRACE2_PERF": "0",
        "GIT_TRACE2_EVENT": "", "GIT_TRACE2_BRIEF": "",
        "GIT_TRACE2_EVENT_BRIEF": "", "GIT_TRACE2_CONFIG_PARAMS": "",
        "GIT_TRACE2_ENV_VARS": "",
    })
    kit.lacks(name, run.files, "perf")
    kit.equal(name, brief(run), (True, None, True))
    kit.equal(name, pairs(run), [("a.user", "user!"), ("HOME_", "x")])
    run = kit.run("001return", "0", targets=(), files={
        **CONFIGURED, "full/1": b"", "full/2": b"",
    }, env={"GIT_TRACE2_PERF": "{}/full", "GIT_TRACE2_MAX_FILES": ""})
    kit.contains(name, run.files, "full/git-trace2-discard")
    run = kit.run("001return", "0", targets=(),
                  files=home(destinationDebug=b"1"),
                  env={"GIT_TRACE2_DST_DEBUG": "",
                       "GIT_TRACE2": "{}/none/log"})
    kit.equal(name, [b"could not open" in x for x in warnings(run)], [True])


fault("settings.empty-env", "an empty variable counts as unset",
      files={"normal": None})
fault("settings.empty-env", "an empty variable counts as unset",
      event=(rb"def_param", None))


@scenario("an invalid variable takes the place of the config's value",
          verbs=("001return",), ids=("settings.replace-invalid",))
def replace_invalid(kit):
    name = "settings.replace-invalid"
    run = kit.run("001return", "0", targets=(), files=CONFIGURED, env={
        "GIT_TRACE2_BRIEF": "bogus", "GIT_TRACE2_PERF": "bogus",
    })
    kit.lacks(name, run.files, "perf")
    kit.equal(name, brief(run), (False, None, True))
    kit.equal(name, run.stderr, b"warning: trace2: unknown value for "
              b"'GIT_TRACE2_PERF': 'bogus'\n")
    run = kit.run("001return", "0", targets=(), files={
        **CONFIGURED, "full/1": b"", "full/2": b"",
    }, env={"GIT_TRACE2_PERF": "{}/full", "GIT_TRACE2_MAX_FILES": "abc"})
    kit.lacks(name, run.files, "full/git-trace2-discard")


fault("settings.replace-invalid",
      "an invalid variable takes the place of the config's value",
      normal=(rb"^.{50}", rb""))


COMMAND = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "trace2.normalTarget",
    "GIT_CONFIG_VALUE_0": "{}/counted",
    "GIT_CONFIG_PARAMETERS": "'trace2.normalTarget={}/given'",
}


@scenario("no setting comes from a repository or the command's own config",
          verbs=("001return",), ids=("settings.config-scopes",
                                     "privacy.repo-no-control"))
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


fault("settings.config-scopes",
      "no setting comes from a repository or the command's own config",
      files={"given": b"x\n"})
fault("privacy.repo-no-control",
      "no setting comes from a repository or the command's own config",
      files={"tree": b"x\n"})


@scenario("the last assignment counts, an empty one too",
          verbs=("001return",),
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


fault("settings.last-wins", "the last assignment counts, an empty one too",
      files={"normal": b"x\n"})
fault("settings.subsection", "the last assignment counts, an empty one too",
      edit=lambda run: moved(run, "perf", "below"))
fault("settings.subsection", "the last assignment counts, an empty one too",
      perf=(rb"^.*?\| d0", rb"d0"))


TABLE = ("normalTarget", "normalBrief", "perfTarget", "perfBrief",
         "eventTarget", "eventBrief", "eventNesting", "configParams",
         "envVars", "destinationDebug", "maxFiles")


@scenario("a setting without a value is warned about and ignored",
          verbs=("001return",), ids=("settings.valueless",))
def valueless(kit):
    text = trace2(eventTarget=b"{}/event", eventBrief=b"false") + b"".join(
        b"\t%s\n" % key.encode() for key in TABLE)
    run = kit.run("001return", "7", targets=(), files={".gitconfig": text})
    lines = [line.lower() for line in warnings(run)]
    for number, key in enumerate(TABLE, 4):
        about = re.compile(
            rb"warning: .*'trace2\.%s'.*/\.gitconfig.*\b%d\n"
            % (key.lower().encode(), number))
        kit.equal("settings.valueless",
                  sum(bool(about.fullmatch(line)) for line in lines), 1)
    kit.equal("settings.valueless", len(lines), len(TABLE))
    kit.equal("settings.valueless", brief(run)[2], False)
    kit.equal("settings.valueless", run.exit, 7)


fault("settings.valueless",
      "a setting without a value is warned about and ignored",
      stderr=(rb"'trace2.normalbrief'", None))


@scenario("another key without a value has no effect",
          verbs=("001return",), ids=("settings.valueless.other",))
def valueless_other(kit):
    run = kit.run("001return", "7", targets=(), files={
        ".gitconfig": b"[other]\n\tkey\n[trace2]\n\tunknown\n"
        + trace2(eventTarget=b"{}/event", eventBrief=b"true"),
    })
    name = "settings.valueless.other"
    kit.equal(name, (run.exit, run.stderr), (7, b""))
    kit.equal(name, run.event("exit")["code"], 7)
    kit.equal(name, brief(run)[2], True)


fault("settings.valueless.other", "another key without a value has no effect",
      stderr=(rb"^", rb""), exit=128)


REWRITE = """
printf '[trace2]\\n\\teventTarget = %s/late\\n\\teventBrief = true\\n' \
"$HOME" >.gitconfig
"""


@scenario("settings are read once", verbs=("004child", "400ancestry"),
          ids=("settings.read-once",))
def read_once(kit):
    by_file = kit.run("004child", "sh", "-c", REWRITE, targets=(),
                      files=home(eventTarget=b"{}/event"))
    by_env = kit.run("400ancestry", "event", "{}/late", "test-tool", "trace2",
                     "001return", "0")
    kit.lacks("settings.read-once", by_file.files, "late")
    for run in (by_file, by_env):
        kit.equal("settings.read-once", run.event("atexit", -1)["code"], 0)
        kit.equal("settings.read-once", brief(run)[2], False)
    kit.equal("settings.read-once", brief(by_env)[:2], (False, False))


def turned_brief(run):
    """NORMAL is brief from the moment when the flag was set."""
    text = run.files.get("normal", b"")
    run.files["normal"] = re.sub(rb"(?m)^.{50}(?=child_exit)", rb"", text)
    return run


fault("settings.read-once", "settings are read once", edit=turned_brief)
fault("settings.read-once", "settings are read once",
      files={"late": b'{"event":"exit"}\n'})


SECRET, HIDDEN = "https://u:secret@host/", "https://u:<REDACTED>@host/"


def redacted(kit, value, **options):
    """How the password stands in start."""
    run = kit.run("300redact_start", SECRET, env={"GIT_TRACE2_REDACT": value},
                  **options)
    return run.event("start", -1)["argv"][-1]


@scenario("redaction is switched off by a false boolean alone",
          verbs=("300redact_start",),
          ids=("settings.redact", "settings.redact.no-config"))
def redact(kit):
    for value in ("0", "false", "NO", "off", ""):
        kit.equal("settings.redact", redacted(kit, value), SECRET)
    for value in ("1", "true", "Yes"):
        kit.equal("settings.redact", redacted(kit, value), HIDDEN)
    config = home(redact=b"false")
    kit.equal("settings.redact.no-config",
              redacted(kit, None, files=config), HIDDEN)


fault("settings.redact", "redaction is switched off by a false boolean alone",
      event=(rb":secret@", rb":<REDACTED>@"))
fault("settings.redact.no-config",
      "redaction is switched off by a false boolean alone",
      event=(rb":<REDACTED>@", rb":secret@"))


@scenario("a redact variable that is no boolean leaves redaction on",
          verbs=("300redact_start",), ids=("settings.redact.invalid",))
def redact_invalid(kit):
    for value in ("bogus", "0x", "off ", "2g"):
        kit.equal("settings.redact.invalid", redacted(kit, value), HIDDEN)


fault("settings.redact.invalid",
      "a redact variable that is no boolean leaves redaction on",
      event=(rb":<REDACTED>@", rb":secret@"))


@scenario("a parent's SID and name come from variables that are not empty",
          verbs=("001return",),
          ids=("settings.parent-sid", "settings.parent-name"))
def parent(kit):
    for value, head in (("a/b", "a/b/"), ("", "")):
        run = kit.run("001return", "0", env={"GIT_TRACE2_PARENT_SID": value,
                                             "GIT_TRACE2_PARENT_NAME": value})
        sid = run.event("version")["sid"]
        kit.check("settings.parent-sid",
                  sid.startswith(head) and "/" not in sid[len(head):],
                  f"`{head}` and one component", sid)
        named = run.event("cmd_name")
        kit.equal("settings.parent-name", named["hierarchy"],
                  head + named["name"])


fault("settings.parent-sid",
      "a parent's SID and name come from variables that are not empty",
      event=(rb'"sid":"2', rb'"sid":"/2'))
fault("settings.parent-name",
      "a parent's SID and name come from variables that are not empty",
      event=(rb'"hierarchy":"a/b/', rb'"hierarchy":"'))
