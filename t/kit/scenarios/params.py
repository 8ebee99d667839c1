"""Config values and environment variables that a user asks for."""

import os

from kit.config import SYSTEM, home, pairs, params, repository, trace2
from kit.faults import fault
from kit.kit import Skip, scenario

GLOB = {"GIT_TRACE2_CONFIG_PARAMS": "k.*"}


def key(value, name=b"key"):
    return b"[k]\n\t%s = %s\n" % (name, value)


LISTS = {
    "GIT_TRACE2_CONFIG_PARAMS": " k.one ,\tk.t*,, none.*",
    "GIT_TRACE2_ENV_VARS": " ONE ,\tTWO,,T*, none",
}
WORDS = {"ONE": "1st", "TWO": "2nd", "THREE": "3rd", "XONE": "x"}


TITLE = "lists have commas between their items and blanks around them"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.config-params", "settings.env-vars"))
def lists(kit):
    keys = b"[k]\n\tone = 1\n\ttwo = 2\n\tfour = 4\n[none]\n"
    in_config = trace2(
        configParams=b'"%s"' % LISTS["GIT_TRACE2_CONFIG_PARAMS"].encode(),
        envVars=b'"%s"' % LISTS["GIT_TRACE2_ENV_VARS"].encode())
    for env, text in ((LISTS, b""), ({}, in_config)):
        if text and not kit.configured():
            continue
        run = kit.run("001return", "0", targets=("event",),
                      env={**WORDS, **env}, files={".gitconfig": keys + text})
        found = pairs(run)
        kit.equal("settings.config-params", [p for p in found if "." in p[0]],
                  [("k.one", "1"), ("k.two", "2")])
        kit.equal("settings.env-vars", [p for p in found if "." not in p[0]],
                  [("ONE", "1st"), ("TWO", "2nd")])


fault("settings.config-params", TITLE, event=(rb'"k.one"', None))
fault("settings.env-vars", TITLE,
      event=(rb'"TWO","value":"2nd"', rb'"THREE","value":"3rd"'))


FILES = {
    "system": key(b"system"),
    ".config/git/config": key(b"xdg"),
    ".gitconfig": key(b"first") + key(b"second"),
    **repository(key(b"local")),
    "repo/sub/x": b"",
}
COMMAND = {
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "K.Key", "GIT_CONFIG_VALUE_0": "counted",
    "GIT_CONFIG_KEY_1": "k.key", "GIT_CONFIG_VALUE_1": "",
    "GIT_CONFIG_PARAMETERS": "'k.key=given' 'k.key'='it'\\''s'",
}
ORDER = [("system", "system"), ("global", "xdg"), ("global", "first"),
         ("global", "second"), ("local", "local"), ("command", "counted"),
         ("command", ""), ("command", "given"), ("command", "it's")]
SCOPE_WORDS = {"system", "global", "local", "worktree", "command",
               "submodule", "unknown"}
ASK = {"GIT_TRACE2_ENV_VARS": "ONE,UNSET,TWO,EMPTY,ONE", "EMPTY": "",
               **WORDS}


def once_each(values):
    return list(dict.fromkeys(values))


def by_command(values):
    return [v for scope, v in values if scope == "command"]


def listing(kit):
    """A run that is asked for all of it, and what it listed."""
    run = kit.run("001return", "0", targets=("event",), cwd="repo/sub",
                  files=FILES, env={**SYSTEM, **GLOB, **COMMAND,
                                    **ASK})
    return run, params(run)


SCOPES = "values of every scope are listed in the order of the files"


@scenario(SCOPES, verbs=("001return",),
          ids=("params.config", "params.scopes", "params.scopes.command",
               "params.order", "params.scope-words"))
def scopes(kit):
    _, found = listing(kit)
    config = once_each((s, v) for s, param, v in found if param == "k.key")
    kit.equal("params.config", set(config), set(ORDER))
    kit.equal("params.order", config, [p for p in ORDER if p in config])
    kit.equal("params.scopes", {s for s, _ in config},
              {"system", "global", "local", "command"})
    kit.equal("params.scopes.command", by_command(config), by_command(ORDER))
    kit.check("params.scope-words", {p[0] for p in found} <= SCOPE_WORDS,
              SCOPE_WORDS, found)


ASKED = "asked variables follow the config values behind the name"


@scenario(ASKED, verbs=("001return",),
          ids=("params.env", "params.env.scope", "params.env.duplicate",
               "params.once", "params.after-name"))
def variables(kit):
    run, found = listing(kit)
    words = [p for p in found if p[1] != "k.key"]
    kit.equal("params.env", once_each(p[1:] for p in words),
              [("ONE", "1st"), ("TWO", "2nd")])
    kit.equal("params.env.scope", {p[0] for p in words}, {"command"})
    kit.equal("params.env.duplicate", [p[1] for p in words].count("ONE"), 2)
    kit.equal("params.once", [p for p in found if found.count(p) > 1
                              and p[1] != "ONE"], [])
    names = [e["event"] for e in run.events()]
    behind = names.index("cmd_name") + 1
    kit.equal("params.after-name", names[behind:behind + len(found)],
              ["def_param"] * len(found))
    kit.equal("params.after-name",
              [p for p in found if p not in words] + words, found)


def shuffled(move):
    """def_param lines in another order; `move` edits the list of them."""
    def edit(run):
        lines = run.files["event"].splitlines(keepends=True)
        found = [x for x in lines if b'"def_param"' in x]
        if found:
            first = lines.index(found[0])
            rest = [x for x in lines if x not in found]
            run.files["event"] = b"".join(
                rest[:first] + move(found) + rest[first:])
        return run
    return edit


def before_name(run):
    """The lists come in front of cmd_name."""
    lines = run.files["event"].splitlines(keepends=True)
    name = [x for x in lines if b'"cmd_name"' in x]
    rest = [x for x in lines if x not in name]
    run.files["event"] = b"".join(rest[:-2] + name + rest[-2:])
    return run


fault("params.config", SCOPES, event=(rb'"k.key","value":"first"', None))
fault("params.order", SCOPES, edit=shuffled(lambda x: [x[1], x[0], *x[2:]]))
fault("params.scopes", SCOPES, event=(rb'"scope":"local"', None))
fault("params.scopes.command", SCOPES,
      edit=shuffled(lambda x: [*x[:5], *x[7:9], *x[5:7], *x[9:]]))
fault("params.scope-words", SCOPES,
      event=(rb'"scope":"global"', rb'"scope":"user"'))
fault("params.env", ASKED,
      event=(rb'"TWO","value":"2nd"', rb'"EMPTY","value":""'))
fault("params.env.scope", ASKED,
      event=(rb'"command"(,"param":"ONE")', rb'"unknown"\1'))
fault("params.env.duplicate", ASKED, edit=shuffled(lambda x: x[:-1]))
fault("params.once", ASKED, edit=shuffled(lambda x: x[:1] + x))
fault("params.after-name", ASKED, edit=before_name)
fault("params.after-name", ASKED, edit=shuffled(lambda x: x[-3:] + x[:-3]))


TITLE = "the repository is found from GIT_DIR, too"


@scenario(TITLE, verbs=("001return",), ids=("params.scopes",))
def git_dir(kit):
    for env in ({}, {"GIT_DIR": "{}/repo/.git"}):
        run = kit.run("001return", "0", targets=("event",),
                      files=repository(key(b"local")), env={**GLOB, **env})
        kit.equal("params.scopes", params(run),
                  [("local", "k.key", "local")] if env else [])


fault("params.scopes", TITLE, event=(rb"def_param", None))


TITLE = "the lists are not written again"


@scenario(TITLE, ids=("params.once",),
          verbs=("523cmd_name", "571list"))
def once(kit):
    for words in (("523cmd_name", "again", "and-again"), ("571list",)):
        run = kit.run(*words, targets=("event",), files=home(),
                      env={**ASK, "GIT_TRACE2_CONFIG_PARAMS": "K.*",
                           "GIT_CONFIG_PARAMETERS": "'k.key=x'"})
        words = [p for p in pairs(run) if p != ("k.key", "x")]
        config = len(pairs(run)) - len(words)
        kit.equal("params.once", config, int(kit.configured()))
        once = [("ONE", "1st"), ("TWO", "2nd")]
        kit.check("params.once", words in (once, [*once, once[0]]), once,
                  words)


fault("params.once", TITLE, edit=shuffled(lambda x: x + x[:1]))


TITLE = "a config value that the host writes is recorded"


@scenario(TITLE,
          verbs=("572set_config",), ids=("params.set", "params.set.scope"))
def set_config(kit):
    runs = [kit.run("572set_config", name, "new", targets=("event",), env=GLOB)
            for name in ("K.Key", "other.key")]
    kit.equal("params.set", [[(p.lower(), v) for p, v in pairs(run)]
                             for run in runs], [[("k.key", "new")], []])
    kit.equal("params.set.scope", params(runs[0])[0][0], "unknown")


fault("params.set", TITLE, event=(rb"def_param", None))
fault("params.set.scope", TITLE, event=(rb'"unknown"', rb'"command"'))

LINKED = {
    **repository(key(b"local")),
    "repo/a/b/x": b"",
    "tree/.git": b"gitdir: ../repo/.git\n",
    "linked/.git": b"gitdir: {}/repo/.git/worktrees/w\n",
    "repo/.git/worktrees/w/HEAD": b"ref: refs/heads/main\n",
    "repo/.git/worktrees/w/commondir": b"../..\n",
    "repo/.git/worktrees/w/gitdir": b"{}/linked/.git\n",
}


TITLE = "the search for a repository follows files and stops at ceilings"


@scenario(TITLE, verbs=("001return",), ids=("params.repository",))
def search(kit):
    for cwd, ceiling, found in (
        ("repo/a/b", "{}", True),
        ("repo/a/b", "{}/repo", False),
        ("repo/a/b", "/nonexistent:{}/repo/a", False),
        ("repo", "{}/repo", True),
        ("tree", "{}", True),
        ("linked", "{}", True),
        (None, "", False),
    ):
        run = kit.run("001return", "0", targets=("event",), files=LINKED,
                      cwd=cwd, env={**GLOB,
                                    "GIT_CEILING_DIRECTORIES": ceiling})
        kit.equal("params.repository", params(run),
                  [("local", "k.key", "local")] if found else [])


fault("params.repository", TITLE, event=(rb"def_param", None))


FOUND = [("local", "k.key", "local")]
HEAD = "repo/.git/HEAD"


def local(kit, files, cwd="repo", **env):
    """The listed values of the repository that is found."""
    return params(kit.run("001return", "0", targets=("event",), cwd=cwd,
                          files=files, env={**GLOB, **env}))


TITLE = "a repository has a HEAD, objects and refs"


@scenario(TITLE, verbs=("001return",), ids=("params.repository.form",))
def form(kit):
    whole = repository(key(b"local"))
    for change, found in (
        ({}, FOUND),
        ({HEAD: b"ref:\trefs/x\n"}, FOUND),
        ({HEAD: 40 * b"a" + b"\n"}, FOUND),
        ({HEAD: 39 * b"a" + b"\n"}, []),
        ({HEAD: b"ref: heads/main\n"}, []),
        ({HEAD: b"\n"}, []),
        ({HEAD: None}, []),
        ({"repo/.git/objects/keep": None}, []),
        ({"repo/.git/refs/keep": None}, []),
    ):
        files = {p: t for p, t in {**whole, **change}.items()
                 if t is not None}
        kit.equal("params.repository.form", local(kit, files), found)


fault("params.repository.form", TITLE, event=(rb"def_param", None))
fault("params.repository.form", TITLE, edit=lambda run: local_listed(run))


TITLE = "the search tries .git first, then the directory, then the next"


@scenario(TITLE, verbs=("001return",), ids=("params.repository.search",))
def upwards(kit):
    inner = repository(key(b"inner"), gitdir="repo/bare")
    files = {**repository(key(b"local")), **inner, "repo/bare/a/x": b""}
    nested = {**inner, **repository(key(b"local"), gitdir="repo/bare/.git")}
    for tree, cwd, value in (
        (files, "repo", "local"),
        (files, "repo/bare", "inner"),
        (files, "repo/bare/a", "inner"),
        (nested, "repo/bare", "local"),
    ):
        kit.equal("params.repository.search", local(kit, tree, cwd),
                  [("local", "k.key", value)])


fault("params.repository.search", TITLE, event=(rb'"inner"', rb'"local"'))
fault("params.repository.search", TITLE, event=(rb'"value":"local"', None))


TITLE = "a ceiling is not tried, except as the working directory"


@scenario(TITLE, verbs=("001return",), ids=("params.repository.ceiling",))
def ceilings(kit):
    files = {**repository(key(b"local")), "repo/a/b/x": b""}
    for cwd, ceiling, found in (
        ("repo", "{}/repo", FOUND),
        ("repo/a", "{}/repo", []),
        ("repo/a", "{}/repo/", []),
        ("repo/a", "{}", FOUND),
        ("repo/a", "{}/", FOUND),
        ("repo/a/b", "{}:{}/repo/a", []),
        ("repo/a/b", "{}/re:{}/repo/a/b/c", FOUND),
        ("repo/a/b", "repo/a", FOUND),
    ):
        kit.equal("params.repository.ceiling",
                  local(kit, files, cwd, GIT_CEILING_DIRECTORIES=ceiling),
                  found)


fault("params.repository.ceiling", TITLE, event=(rb"def_param", None))
fault("params.repository.ceiling", TITLE, edit=lambda run: local_listed(run))


TITLE = "another user's repository is not read"


@scenario(TITLE, verbs=("001return",), ids=("params.repository.owner",))
def owner(kit):
    if os.geteuid():
        raise Skip("only root can give a repository away")
    run = kit.run("001return", "0", targets=("event",), cwd="repo", env=GLOB,
                  files=repository(key(b"local")), setup="chown 12345:12345 repo repo/.git")
    kit.equal("params.repository.owner", (run.exit, params(run)), (0, []))


def local_listed(run):
    run.files["event"] += (b'{"event":"def_param","scope":"local",'
                           b'"param":"k.key","value":"local"}\n')
    return run


fault("params.repository.owner", TITLE, edit=local_listed)


TITLE = "errors in what is listed are silent"


@scenario(TITLE, verbs=("001return",), ids=("params.errors-silent",))
def errors(kit):
    broken = key(b"first") + b"[broken\n" + key(b"no")
    run = kit.run("001return", "0", targets=("event",), cwd="repo",
                  env={**GLOB, "GIT_CONFIG_PARAMETERS": "'k.key=last'"},
                  files=repository(broken))
    name = "params.errors-silent"
    kit.equal(name, [v for _, v in pairs(run)], ["first", "last"])
    kit.equal(name, (run.exit, run.stderr), (0, b""))


fault("params.errors-silent", TITLE, exit=128)
fault("params.errors-silent", TITLE, event=(rb'"value":"last"', None))


TITLE = "the command's config counts up to the first malformed one"


@scenario(TITLE, verbs=("001return",), ids=("config.command",))
def command(kit):
    def counted(*words):
        pairs = zip(words[::2], words[1::2])
        env = {"GIT_CONFIG_COUNT": str(len(words) // 2)}
        for at, (name, value) in enumerate(pairs):
            env[f"GIT_CONFIG_KEY_{at}"] = name
            env[f"GIT_CONFIG_VALUE_{at}"] = value
        return env

    for env in (
        counted("k.key", "first", "nodot", "x", "k.key", "no"),
        counted("k.key", "first", "k.key", None, "k.key", "no"),
        counted("k.key", "first", "", "x", "k.key", "no"),
        {"GIT_CONFIG_PARAMETERS": "'k.key=first' 'nodot' 'k.key=no'"},
        {"GIT_CONFIG_PARAMETERS": "'k.key=first' bare 'k.key=no'"},
        {"GIT_CONFIG_PARAMETERS": "'k.key=first' 'k.key=no"},
    ):
        run = kit.run("001return", "0", targets=("event",),
                      env={**GLOB, **env})
        kit.equal("config.command", pairs(run), [("k.key", "first")])


fault("config.command", TITLE, event=(rb'"value":"first"', rb'"value":"no"'))


TITLE = "the parameters of the command have two forms"
FORMS = (
    ("'k.key=a b'", ["a b"]),
    ("' k.key  = a '", [" a "]),
    ("'k.key=a=b'", ["a=b"]),
    ("'k.key='", [""]),
    ("'k.key'", [None]),
    ("'k.key'='a b'", ["a b"]),
    ("'k.key'=' a '", [" a "]),
    ("'k.key'=''", [""]),
    ("'k.key'=", [None]),
    ("'k.key'='it'\\''s'\\!''", ["it's!"]),
    ("'k.key'='a' \t 'k.key=b'\n'k.key'= ", ["a", "b", None]),
    ("", []),
    ("'k.key=a' 'k.key'b", ["a"]),
    ("'k.key=a' 'k.key'='b'c", ["a"]),
    ("'k.key=a' 'k.key'=c", ["a"]),
    ("'k.key=a' 'k.key'='b'\\'c'", ["a"]),
    ("'k.key=a' 'k.key'='b'\\x''", ["a"]),
    (" 'k.key=a'", []),
)


@scenario(TITLE, verbs=("001return",), ids=("config.command.parameters",))
def command_parameters(kit):
    for text, values in FORMS:
        run = kit.run("001return", "0", targets=("event",),
                      env={**GLOB, "GIT_CONFIG_PARAMETERS": text})
        found = [e.get("value") for e in run.events("def_param")]
        kit.equal("config.command.parameters",
                  {"GIT_CONFIG_PARAMETERS": text, "values": found},
                  {"GIT_CONFIG_PARAMETERS": text, "values": values})


fault("config.command.parameters", TITLE,
      event=(rb'"value":" a "', rb'"value":"a"'))
fault("config.command.parameters", TITLE, event=(rb"it's!", rb"it'\\\\''s"))
fault("config.command.parameters", TITLE, event=(rb'(key"),"value":""', rb"\1"))
