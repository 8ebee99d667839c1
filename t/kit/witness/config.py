"""Configuration files, by the target that they switch on."""

from kit.faults import fault
from kit.kit import scenario
from kit.witness.settings import logs, target, version


def asks(kit, name, config, expected=frozenset({"event"}), files=None,
         env=None):
    """`git version` with that configuration writes just these logs."""
    run = version(kit, config, env, files=files)
    kit.equal(name, (run.exit, logs(run)), (0, set(expected)))


# Texts that name the target, each in another way.
GRAMMAR = (
    ("config.grammar", target()),
    ("config.grammar", b"# a comment\n; another\n\n" + target()),
    ("config.grammar.case", b"[TRACE2]\n\tEVENTtarget = {}/event\n"),
    ("config.grammar.bom", b"\xef\xbb\xbf" + target()),
    ("config.grammar.crlf", b"[trace2]\r\n\teventTarget = {}/event\r\n"),
    ("config.grammar.crlf", b"[trace2]\n\teventTarget = {}/event"),
    ("config.grammar.same-line", b"[trace2] eventTarget = {}/event\n"),
    ("config.grammar.blanks", b"[trace2]\n\teventTarget\t= \t{}/event \t\n"),
    ("config.grammar.blanks", b"[trace2]\n\teventTarget={}/event # here\n"),
    ("config.grammar.quotes", b'[trace2]\n\teventTarget = "{}/e"v"ent"\n'),
    ("config.grammar.continuation",
     b"[trace2]\n\teventTarget = {}/ev\\\nent\n"),
    ("config.grammar.continuation",
     b"[trace2]\n# a comment \\\n\teventTarget = {}/event\n"),
)
# Texts that name the file `a "b\` of the scratch directory.
ESCAPES = b'[trace2]\n\teventTarget = "{}/a \\"b\\\\"\n'
# The same file by its path, for a section that is another.
OTHERS = (
    ("config.grammar.case", b'[trace2 "X"]\n\teventTarget = {}/x\n'),
    ("config.grammar.old-subsection", b"[trace2.x]\n\teventTarget = {}/x\n"),
    ("config.grammar.subsection",
     b'[trace2 "x \\"y\\" \\z"]\n\teventTarget = {}/x\n'),
)


@scenario("git reads every form of its configuration",
          ids=tuple(dict.fromkeys([name for name, _ in GRAMMAR + OTHERS]
                                  + ["config.grammar.escapes"])))
def grammar(kit):
    for name, text in GRAMMAR:
        asks(kit, name, text)
    asks(kit, "config.grammar.escapes", ESCAPES, {'a "b\\'})
    for name, text in OTHERS:
        asks(kit, name, text + target())


@scenario("git reads what is left of a broken file",
          ids=("config.files.broken", "config.files.unreadable"))
def broken(kit):
    asks(kit, "config.files.broken", target() + b"[broken\n")
    run = version(kit, env={"GIT_CONFIG_GLOBAL": None}, files={
        ".gitconfig/file": b"", ".config/git/config": target()})
    kit.equal("config.files.unreadable", (run.exit, logs(run)),
              (0, {"event"}))
    kit.contains("config.files.unreadable", run.stderr, b"Is a directory")


@scenario("git finds its global files by HOME and XDG_CONFIG_HOME",
          ids=("config.files", "config.files.xdg", "config.files.no-home"))
def files(kit):
    xdg = target(b"eventTarget = {}/xdg")
    home = {".config/git/config": xdg}
    asks(kit, "config.files.xdg", None, {"xdg"}, home)
    asks(kit, "config.files.xdg", None, {"xdg"}, home,
         {"XDG_CONFIG_HOME": ""})
    asks(kit, "config.files.xdg", None, {"xdg"}, {"else/git/config": xdg},
         {"XDG_CONFIG_HOME": "{}/else"})
    asks(kit, "config.files", target(), {"event"}, home)
    run = version(kit, target(), {"HOME": None}, ("normal",), home)
    kit.equal("config.files.no-home", (run.exit, run.stderr, logs(run)),
              (0, b"", {"normal"}))


def include(path):
    return b"[include]\n\tpath = " + path + b"\n"


@scenario("git follows includes at their place",
          ids=("config.include", "config.include.relative",
               "config.include.home", "config.include.missing",
               "config.include.depth"))
def includes(kit):
    one = {"dir/one": target(b"eventTarget = {}/one")}
    asks(kit, "config.include", target() + include(b"{}/dir/one"), {"one"},
         one)
    asks(kit, "config.include", include(b"{}/dir/one") + target(), {"event"},
         one)
    asks(kit, "config.include.relative", include(b"dir/one"), {"one"}, one)
    asks(kit, "config.include.relative", include(b"dir/two"), {"one"},
         {**one, "dir/two": include(b"one")})
    asks(kit, "config.include.home", include(b"~/dir/one"), {"one"}, one)
    asks(kit, "config.include.missing", include(b"dir/none") + target())
    run = version(kit, target() + include(b"dir/none"))
    kit.equal("config.include.missing", (logs(run), run.stderr),
              ({"event"}, b""))
    asks(kit, "config.include.depth", include(b"l1"), {"event"}, chain(10))


def chain(length):
    """Files that include one another, with the target in the last."""
    found = {f"l{at}": include(b"l%d" % (at + 1)) for at in range(1, length)}
    return {**found, f"l{length}": target()}


@scenario("git goes on without the eleventh level of includes",
          ids=("config.include.too-deep",))
def too_deep(kit):
    asks(kit, "config.include.too-deep", target() + include(b"l1"),
         {"event"}, chain(11))


CONDITIONS = (b"gitdir:/", b"gitdir/i:/", b"onbranch:**")


@scenario("git includes by remote but not by directory for settings",
          ids=("config.include-if",))
def include_if(kit):
    one = {"one": target(b"eventTarget = {}/included")}
    for condition in CONDITIONS:
        head = b'[includeIf "' + condition + b'"]\n\tpath = one\n'
        asks(kit, "config.include-if", target() + head, {"event"}, one)
    remote = (b'[remote "o"]\n\turl = https://example.com/x\n'
              b'[includeIf "hasconfig:remote.*.url:https://example.com/**"]\n'
              b"\tpath = one\n")
    asks(kit, "config.include-if", target() + remote, {"included"},
         one)


fault("config.include", "git follows includes at their place",
      edit=lambda run: without(run, "one"))


def without(run, name):
    run.files.pop(name, None)
    return run
