"""Includes of configuration files, plain and conditional."""

import os
import pwd
import re

from kit.config import SYSTEM, pairs, params, repository, trace2, warnings
from kit.faults import fault
from kit.kit import Skip, scenario

LISTED = {"GIT_TRACE2_CONFIG_PARAMS": "k.*"}


def key(name):
    return b"[k]\n\t%s = x\n" % name.encode()


def include(path, section=b"include"):
    return b"[%s]\n\tpath = %s\n" % (section, path)


def keys(run):
    """The names of the listed keys, without their section."""
    return [param[2:] for param, _ in pairs(run)]


TITLE = "an include stands for the content of its file"


@scenario(TITLE, verbs=("001return",),
          ids=("config.include", "config.include.relative",
               "config.include.missing", "config.include.home"))
def includes(kit):
    run = kit.run("001return", "0", targets=("event",),
                  env={**SYSTEM, **LISTED}, files={
        "system": key("s1") + include(b"below/in-system") + key("s2"),
        "below/in-system": key("relative") + include(b"other/deeper"),
        "below/other/deeper": key("deeper"),
        "in-system": key("wrong"),
        ".gitconfig": include(b"missing") + include(b"{}/absolute")
        + include(b"~/below/in-home") + include(b"missing/x") + key("last"),
        "absolute": key("absolute"),
        "below/in-home": key("home"),
        "below/~/below/in-home": key("wrong"),
    })
    found = {param[2:]: (at, scope)
             for at, (scope, param, _) in enumerate(params(run))}
    order = ("s1", "relative", "deeper", "s2", "absolute", "home", "last")
    kit.equal("config.include", [n for n in found if n in order],
              [n for n in order if n in found])
    kit.equal("config.include", [found[n][1] for n in order if n in found],
              ["system" if at < 4 else "global"
               for at, n in enumerate(order) if n in found])
    for name in ("relative", "deeper", "absolute"):
        kit.contains("config.include.relative", found, name)
    kit.lacks("config.include.relative", found, "wrong")
    kit.contains("config.include.home", found, "home")
    kit.contains("config.include.missing", found, "last")
    kit.equal("config.include.missing", run.stderr, b"")


def late(name):
    """An include's content comes last."""
    def edit(run):
        lines = run.files["event"].splitlines(keepends=True)
        found = [x for x in lines if b'"k.%s"' % name in x]
        rest = [x for x in lines if x not in found]
        run.files["event"] = b"".join(rest + found)
        return run
    return edit


def warned(run):
    run.stderr = b"warning: unable to access 'missing'\n"
    return run


fault("config.include", TITLE, edit=late(b"relative"))
fault("config.include", TITLE,
      event=(rb'"system"(,"param":"k.deeper")', rb'"global"\1'))
fault("config.include.relative", TITLE, event=(rb'"k.deeper"', rb'"k.wrong"'))
fault("config.include.missing", TITLE, edit=warned)
fault("config.include.home", TITLE, event=(rb'"k.home"', None))


def home_of_user():
    """(name, depth) of the user's own entry, for a path from its home."""
    try:
        entry = pwd.getpwuid(os.getuid())
    except KeyError:
        raise Skip("the user has no entry in passwd")
    if not os.path.isdir(entry.pw_dir):
        raise Skip("the user has no home directory")
    return entry.pw_name, os.path.realpath(entry.pw_dir).count("/")


TITLE = "an include's path may begin with a user's home"


@scenario(TITLE, verbs=("001return",), ids=("config.include.home",))
def user_home(kit):
    user, depth = home_of_user()
    path = f"~{user}/" + "../" * depth + ".{}/in-user"
    run = kit.run("001return", "0", targets=("event",), env=LISTED, files={
        ".gitconfig": include(path.encode()), "in-user": key("user")})
    kit.equal("config.include.home", keys(run), ["user"])


fault("config.include.home", TITLE, event=(rb'"k.user"', None))


def nested(levels):
    """Files of which each includes the next: .gitconfig, in1, in2, …"""
    names = [".gitconfig", *(f"in{n}" for n in range(1, levels + 1))]
    files = {name: key(f"level{n}") for n, name in enumerate(names)}
    for outer, inner in zip(names, names[1:]):
        files[outer] += include(inner.encode()) + key(f"behind-{inner}")
    return files


TITLE = "ten levels of includes are read"


@scenario(TITLE, verbs=("001return",), ids=("config.include.depth",))
def depth(kit):
    run = kit.run("001return", "0", targets=("event",), env=LISTED,
                  files=nested(10))
    kit.equal("config.include.depth", [k for k in keys(run) if k[0] == "l"],
              [f"level{n}" for n in range(11)])


fault("config.include.depth", TITLE, event=(rb'"k.level10"', None))


TITLE = "the eleventh level of includes is warned about and skipped"


@scenario(TITLE, verbs=("001return",), ids=("config.include.too-deep",))
def too_deep(kit):
    files = nested(11)
    run = kit.run("001return", "0", targets=("event",), env=LISTED,
                  files=files)
    name = "config.include.too-deep"
    kit.equal(name, keys(run), [
        *(f"level{n}" for n in range(11)),
        *(f"behind-in{n}" for n in range(11, 0, -1)),
    ])
    kit.equal(name, [bool(re.match(
        rb"warning: trace2: not including '/\S+/in11': ", line))
                     for line in warnings(run)], [True])
    kit.equal(name, run.exit, 0)


fault("config.include.too-deep", TITLE,
      event=(rb'"k.level10"', rb'"k.level11"'))
fault("config.include.too-deep", TITLE, stderr=(rb".", None))
fault("config.include.too-deep", TITLE, stderr=(rb"not incl", rb"no incl"))


TITLE = "an include with an unusable path is warned about and skipped"


@scenario(TITLE, verbs=("001return",), ids=("config.include.unusable",))
def unusable(kit):
    name = "config.include.unusable"
    for line in (b"path", b"path = ~no.one.of.this.name/x",
                 b"path = /" + 5000 * b"x"):
        run = kit.run("001return", "0", targets=("event",), env=LISTED,
                      files={".gitconfig": b"[include]\n\t" + line + b"\n"
                             + key("last")})
        kit.check(name, UNUSABLE.fullmatch(run.stderr), UNUSABLE.pattern,
                  run.stderr)
        kit.equal(name, (keys(run), run.exit), (["last"], 0))


UNUSABLE = re.compile(rb"warning: trace2: unusable include path in file "
                      rb"/\S+/\.gitconfig at line 2\n")
fault("config.include.unusable", TITLE, stderr=(rb".", None))
fault("config.include.unusable", TITLE, stderr=(rb"line 2", rb"line 3"))
fault("config.include.unusable", TITLE, event=(rb'"k.last"', None))
fault("config.include.unusable", TITLE, exit=128)

# Conditions, by the file that each includes. The one that settings know
# stands first, so that another that held would take its place.
PLACE = {"gitdir": b"gitdir:repo/", "fold": b"gitdir/i:REPO/"}
STATE = {"worktree": b"worktree:repo/", "branch": b"onbranch:main"}
REMOTE = {"remote": b"hasconfig:remote.*.url:https://user/**"}
LOCAL = {"local": b"hasconfig:remote.*.url:https://local/**"}
FALSE = {"none": b"hasconfig:remote.*.url:https://none/**",
         "elsewhere": b"gitdir:other/"}
ALL = {**REMOTE, **PLACE, **STATE, **LOCAL, **FALSE}


def remote(url):
    return b'[remote "origin"]\n\turl = %s\n' % url


TITLE = "conditions of includes hold for parameters, not for settings"


@scenario(TITLE, verbs=("001return",),
          ids=("config.include-if", "config.include-if.params"))
def conditions(kit):
    files = repository(remote(b"https://local/x"))
    files[".gitconfig"] = remote(b"https://user/x")
    for name, condition in ALL.items():
        files[f"in-{name}"] = key(name) + (
            trace2(perfTarget=b"{}/at-" + name.encode()))
        files[".gitconfig"] += include(b"in-" + name.encode(),
                                       b'includeIf "%s"' % condition)
    run = kit.run("001return", "0", targets=("event",), env=LISTED,
                  cwd="repo", files=files)
    kit.equal("config.include-if", [n for n in ALL if f"at-{n}" in run.files],
              [*REMOTE])
    kit.equal("config.include-if.params", sorted(keys(run)),
              sorted([*PLACE, *REMOTE, *LOCAL]))


PATTERNS = {
    "config.include-if.gitdir": (
        (b"gitdir:{}/repo/.git", True), (b"gitdir:{}/repo/", True),
        (b"gitdir:{}/repo", False), (b"gitdir:{}/*", False),
        (b"gitdir:{}/*/.git", True), (b"gitdir:{}/**", True),
        (b"gitdir:repo/", True), (b"gitdir:epo/", False),
        (b"gitdir:REPO/", False), (b"gitdir:~/repo/", True),
        (b"gitdir:./repo/", True), (b"gitdir:./other/", False),
    ),
    "config.include-if.fold": (
        (b"gitdir/i:REPO/", True), (b"gitdir/i:./REPO/.GIT", True),
        (b"gitdir/i:other/", False),
    ),
    "config.include-if.url": (
        (b"hasconfig:remote.*.url:https://host/a/b", True),
        (b"hasconfig:remote.*.url:https://host/**", True),
        (b"hasconfig:remote.*.url:https://host/*", False),
        (b"hasconfig:remote.*.url:https://*/a/b", True),
        (b"hasconfig:remote.*.url:https://host", False),
        (b"hasconfig:remote.*.url:", False),
    ),
}


@scenario("patterns of conditions are globs of paths", verbs=("001return",),
          ids=tuple(PATTERNS))
def patterns(kit):
    files = repository(remote(b"https://host/a/b"))
    rows = [row for group in PATTERNS.values() for row in group]
    files[".gitconfig"] = b""
    for at, (condition, _) in enumerate(rows):
        files[f"in-{at}"] = key(f"n{at}")
        files[".gitconfig"] += include(b"in-%d" % at,
                                       b'includeIf "%s"' % condition)
    found = keys(kit.run("001return", "0", targets=("event",), env=LISTED,
                         cwd="repo", files=files))
    for name, group in PATTERNS.items():
        kit.equal(name, [row[0] for row in group
                         if f"n{rows.index(row)}" in found],
                  [condition for condition, holds in group if holds])


GLOBS = "patterns of conditions are globs of paths"
fault("config.include-if.gitdir", GLOBS, event=(rb'"k.n10"', None))
fault("config.include-if.gitdir", GLOBS, event=(rb'"k.n6"', rb'"k.n7"'))
fault("config.include-if.fold", GLOBS, event=(rb'"k.n12"', None))
fault("config.include-if.url", GLOBS, event=(rb'"k.n16"', rb'"k.n17"'))


fault("config.include-if", TITLE, files={"at-gitdir": b"x\n"})
fault("config.include-if", TITLE, files={"at-remote": None})
fault("config.include-if.params", TITLE, event=(rb'"k.fold"', rb'"k.branch"'))
fault("config.include-if.params", TITLE, event=(rb'"k.local"', None))
