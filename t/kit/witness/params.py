"""Parameters: what def_param records, and from which scope."""

from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell


def params(run):
    return [(e.get("scope"), e.get("param"), e.get("value"))
            for e in run.events("def_param")]


def asked(kit, globs, config=b"", script="git rev-parse --git-dir", **env):
    """The parameters that a git in a repository records."""
    return shell(kit, REPOSITORY + script, files={".gitconfig": config},
                 env={"GIT_TRACE2_CONFIG_PARAMS": globs, **env})


@scenario("git records the values of a key from each scope in order",
          ids=("params.config", "params.scopes", "params.scopes.command",
               "params.order", "params.scope-words", "event.def_param.scope",
               "settings.config-params"))
def scopes(kit):
    run = shell(kit, REPOSITORY + """
quiet config test.key local && git -c test.key=parameters rev-parse --git-dir
""", files={
        "system": b"[test]\n\tkey = system\n",
        ".config/git/config": b"[test]\n\tkey = xdg\n",
        ".gitconfig": b"[test]\n\tkey = home\n\tother = x\n",
    }, env={
        "GIT_TRACE2_CONFIG_PARAMS": " none.* , test.key ",
        "GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_SYSTEM": "{}/system",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "test.key",
        "GIT_CONFIG_VALUE_0": "count",
    })
    expected = [("system", "system"), ("global", "xdg"), ("global", "home"),
                ("local", "local"), ("command", "count"),
                ("command", "parameters")]
    for name in ("params.config", "params.scopes", "params.scopes.command",
                 "params.order", "params.scope-words",
                 "event.def_param.scope", "settings.config-params"):
        kit.equal(name, params(run),
                  [(scope, "test.key", value) for scope, value in expected])


@scenario("git records no value that was not asked for",
          ids=("privacy.config-asked", "privacy.env-asked"))
def not_asked(kit):
    run = asked(kit, "test.key", b"[test]\n\tkey = x\n[other]\n\tkey = y\n",
                SECRET="z", GIT_TRACE2_ENV_VARS="LC_ALL")
    found = {param for _, param, _ in params(run)}
    for name in ("privacy.config-asked", "privacy.env-asked"):
        kit.equal(name, found, {"test.key", "LC_ALL"})


CONFIG = b"""[Test]
\tKey = one
\tempty =
[Test "Sub.Section"]
\tKEY = two
[include]
\tpath = none
"""


@scenario("git matches keys whole and without case",
          ids=("params.glob", "params.glob.once", "params.glob.include-path",
               "params.canonical", "event.def_param.value-empty"))
def globs(kit):
    def found(patterns):
        return [(p, v) for _, p, v in params(asked(kit, patterns, CONFIG))]

    one, two = ("test.key", "one"), ("test.Sub.Section.key", "two")
    empty = ("test.empty", "")
    for pattern in ("test*key", "TEST.*KEY", "t?st.*k[a-e]y",
                    "[!x]est.*key", "[[:alpha:]]est*key", "\\test*key"):
        kit.equal("params.glob", (pattern, found(pattern)),
                  (pattern, [one, two]))
    kit.equal("params.glob", found("est.key,test.ke"), [])
    kit.equal("params.glob.once", found("test.key,test.*,*.key"),
              [one, empty, two])
    kit.equal("params.glob.include-path", found("include.*"),
              [("include.path", "none")])
    kit.equal("params.canonical", found("test.*.key"), [two])
    kit.equal("event.def_param.value-empty", found("test.empty"), [empty])


@scenario("git records variables that are set, by name",
          ids=("params.env", "params.env.duplicate", "settings.env-vars"))
def variables(kit):
    run = asked(kit, "none", GIT_TRACE2_ENV_VARS=" B , A,UNSET,EMPTY,B,A*",
                A="1", B="2", EMPTY="", AB="3")
    found = [(p, v) for _, p, v in params(run)]
    for name in ("params.env", "params.env.duplicate", "settings.env-vars"):
        kit.equal(name, found, [("B", "2"), ("A", "1"), ("B", "2")])


@scenario("git gives a variable the scope of the command",
          ids=("params.env.scope",))
def variable_scope(kit):
    run = asked(kit, "none", GIT_TRACE2_ENV_VARS="LC_ALL")
    kit.equal("params.env.scope", params(run), [("command", "LC_ALL", "C")])


@scenario("git records its parameters once, after its name",
          ids=("params.once", "params.after-name"))
def once(kit):
    run = asked(kit, "test.key", b"[test]\n\tkey = x\n",
                script="git -c alias.a='!exit 0' a",
                GIT_TRACE2_ENV_VARS="LC_ALL")
    names = [e["event"] for e in run.events()]
    at = names.index("cmd_name")
    kit.equal("params.after-name", names[at:at + 3],
              ["cmd_name", "def_param", "def_param"])
    kit.equal("params.after-name",
              [e["param"] for e in run.events("def_param")][:2],
              ["test.key", "LC_ALL"])
    run = asked(kit, "test.key", b"[test]\n\tkey = x\n",
                script="git -c alias.b='rev-parse --git-dir' b")
    tops = [e for e in run.events("def_param") if "/" not in e["sid"]]
    kit.equal("params.once", len(tops), 1)


@scenario("git records a value that it writes itself",
          ids=("params.set", "params.set.scope"))
def written(kit):
    run = kit.command("git", "init", "-q", "--template=", "new",
                      env={"GIT_TRACE2_CONFIG_PARAMS": "core.bare"})
    kit.equal("params.set", [(p, v) for _, p, v in params(run)],
              [("core.bare", "false")])
    kit.equal("params.set.scope", [s for s, _, _ in params(run)], ["unknown"])


@scenario("git records a key without a value as one",
          ids=("event.def_param.value",))
def valueless(kit):
    run = asked(kit, "test.key", b"[test]\n\tkey\n")
    kit.equal("event.def_param.value", [e.get("param") for e in
              run.events("def_param") if "value" not in e], ["test.key"])


@scenario("git finds a repository's values as its commands do",
          ids=("params.repository", "config.include-if.params"))
def repository(kit):
    def found(before, after):
        script = ("quiet config test.key local && " + before
                  + "git version" + after)
        return params(asked(kit, "test.key", script=script))

    local = [("local", "test.key", "local")]
    kit.equal("params.repository", found("mkdir -p a/b && cd a/b && ", ""),
              local)
    kit.equal("params.repository",
              found("mkdir a && GIT_CEILING_DIRECTORIES=$PWD && "
                    "export GIT_CEILING_DIRECTORIES && cd a && ", ""), [])
    kit.equal("params.repository",
              found("quiet worktree add -q ../wt && cd ../wt && ", ""), local)
    head = b'[includeIf "%s"]\n\tpath = one\n'
    for condition, expected in ((b"gitdir:**", ["yes"]), (b"onbranch:**", [])):
        run = shell(kit, REPOSITORY + "git version", files={
            ".gitconfig": head % condition, "one": b"[test]\n\tkey = yes\n",
        }, env={"GIT_TRACE2_CONFIG_PARAMS": "test.key,user.none"})
        kit.equal("config.include-if.params",
                  [v for _, _, v in params(run)] + ["end"],
                  expected + ["end"] if run.events() else None)


fault("params.order", "git records the values of a key from each scope in "
      "order", event=(rb'"local","param"', b'"global","param"'))
