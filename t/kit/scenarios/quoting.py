"""How arguments are quoted, and which texts are."""

import re

from kit import edits
from kit.faults import fault
from kit.kit import scenario
from kit.payloads import quote
from kit.shows import BYTES

# Every printable character alone, and what SPEC.md has in its table.

WORDS = "arguments are quoted as a shell would read them back"
ARGUMENTS = (
    *map(chr, range(33, 127)), " ", "--all", "", "two words", "it's",
    "alias.sh=!git version", "a~b", "é", "a\\b", "'!'", "\t", "a\x7f",
    "/usr/bin/git-x", "user@host:~/x", "key=value",
)


def in_start(run, target):
    """The arguments as NORMAL or PERF write those of start."""
    if target == "normal":
        (line,) = run.payloads(b"start")
        return line.decode(*BYTES).partition(" 003error x ")[2]
    (line,) = run.perf("start")
    return line.payload.partition(" 003error x ")[2]


@scenario(WORDS, verbs=("003error",),
          ids=("quote.argument", "quote.escape", "quote.join"))
def words(kit):
    run = kit.run("003error", "x", *ARGUMENTS)
    plain = [w for w in ARGUMENTS if "'" not in w and "!" not in w]
    for target in ("normal", "perf"):
        found = in_start(run, target)
        kit.equal("quote.join", found, " ".join(map(quote, ARGUMENTS)))
    run = kit.run("003error", "x", *plain)
    for target in ("normal", "perf"):
        kit.equal("quote.argument", in_start(run, target),
                  " ".join(map(quote, plain)))
    run = kit.run("003error", "x", "it's", "!", "a'b!c\\d\"e")
    for target in ("normal", "perf"):
        kit.equal("quote.escape", in_start(run, target),
                  r"""'it'\''s' ''\!'' 'a'\''b'\!'c\d"e'""")


SAFE = "+,./:=@_^-aZ0"
UNSAFE = (*'~%#*[]{}$"\\', "é", "two words")
WRONG = (
    *(("quote.argument", f" {word} ", f" '{word}' ") for word in SAFE),
    *(("quote.argument", f" '{word}' ", f" {word} ") for word in UNSAFE),
    ("quote.argument", " '' ", "  "),
    ("quote.escape", r"'\''", "'"),
    ("quote.escape", r"'\''", r"\'"),
    ("quote.escape", r"'\!'", "!"),
    ("quote.escape", r"'\!'", r"\!"),
    ("quote.escape", r"c\d", "cd"),
    ("quote.escape", '"', r"\""),
    ("quote.join", " --all ", ", --all "),
    ("quote.join", " --all ", "  --all "),
)

for part in ("normal", "perf"):
    for broken, old, new in WRONG:
        fault(broken, WORDS, **{part: edits.literal(old, new)})

# Which texts are quoted: git's verbs

WHERE = "command lines are quoted and nothing else is"
NAME = "a b'c"


@scenario(WHERE, verbs=("003error", "004child", "302redact_exec",
                        "303redact_def_param"),
          ids=("quote.where",))
def where(kit):
    for words, payload, columns in (
        (("003error", NAME), f"error {NAME}", NAME),
        (("004child", "true", NAME), f"child_start[0] true {quote(NAME)}",
         f"[ch0] class:? argv:[true {quote(NAME)}]"),
        (("302redact_exec", NAME, NAME), f"exec[0] {NAME} {quote(NAME)}",
         f"id:0 argv:[{NAME} {quote(NAME)}]"),
        (("303redact_def_param", NAME, NAME),
         f"def_param scope:unknown {NAME}={NAME}", f"{NAME}:{NAME}"),
        (("001return", "0"), f"cmd_name trace2 ({NAME}/trace2)",
         f"trace2 ({NAME}/trace2)"),
    ):
        run = kit.run(*words, env={"GIT_TRACE2_PARENT_NAME": NAME})
        kit.contains("quote.where", run.payloads(), payload.encode())
        kit.contains("quote.where", [c.payload for c in run.perf()], columns)


OTHERS = "directories and worktrees are quoted, other texts are not"


@scenario(OTHERS, verbs=("513printf", "520cmd_mode", "521alias",
                         "522cmd_path", "527def_repo", "531hook",
                         "532child_cd", "533child_class"),
          ids=("quote.where",))
def others(kit):
    with_quotes = quote(NAME)
    for words, payload, columns in (
        (("513printf", NAME), NAME, NAME),
        (("520cmd_mode", NAME), f"cmd_mode {NAME}", NAME),
        (("521alias", NAME, NAME), f"alias {NAME} -> {with_quotes}",
         f"alias:{NAME} argv:[{with_quotes}]"),
        (("522cmd_path", NAME), f"cmd_path {NAME}", NAME),
        (("527def_repo", NAME), f"worktree {with_quotes}",
         f"worktree:{with_quotes}"),
        (("531hook", NAME, "true"), "child_start[0] true",
         f"[ch0] class:hook hook:{NAME} argv:[true]"),
        (("532child_cd", NAME, "true"),
         f"child_start[0] cd {with_quotes}; true",
         f"[ch0] class:? cd:{with_quotes} argv:[true]"),
        (("533child_class", NAME, "true"), "child_start[0] true",
         f"[ch0] class:{NAME} argv:[true]"),
    ):
        run = kit.run(*words)
        # Outside of git, NORMAL may name these two events.
        found = [re.sub(b"^def_repo ", b"worktree ",
                        re.sub(b"^printf +", b"", x)) for x in run.payloads()]
        kit.contains("quote.where", found, payload.encode())
        kit.contains("quote.where", [c.payload for c in run.perf()], columns)


# The word before the name, and whether the name is quoted behind it.
PLACES = {
    WHERE: {
        "normal": {" error ": False, " true ": True, "exec[0] ": False,
                   "unknown ": False, "=": False},
        "perf": {"[true ": True, ":[": False, "| ": False},
    },
    OTHERS: {
        "normal": {"cmd_mode ": False, "alias ": False, "-> ": True,
                   "cmd_path ": False, "worktree ": True, "cd ": True},
        "perf": {"alias:": False, "argv:[": True, "worktree:": True,
                 "hook:": False, "cd:": True, "class:": False},
    },
}

for name, parts in PLACES.items():
    for part, places in parts.items():
        for word, is_quoted in places.items():
            forms = (word + NAME, word + quote(NAME))
            old, new = reversed(forms) if is_quoted else forms
            fault("quote.where", name, **{part: edits.literal(old, new)})
