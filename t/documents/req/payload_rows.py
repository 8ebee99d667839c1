"""The forms of payloads in SPEC.md's grammars, as tables for helper/rules/textlog.

A rule such as

    normal-child-exit = "child_exit[" id "] pid:" number " code:" number

becomes the pattern `child_exit[%i] pid:%n code:%n` (helper/read/text/form.h).
An optional part makes two patterns of one; a pattern that another one covers
is left out.
"""

import itertools
import re

import abnf

LEAVES = {"SP": " ", "id": "%i", "number": "%n", "above": "%p", "seconds": "%s",
          "ready": "%r", "word": "%w", "quoted-words": "%q"}
ANY = "%*"
PATTERNS = 3  # TR2_PATTERNS

# Where a payload begins otherwise than its grammar, so that it is told from
# the text of a printf: an `error` with text, a `worktree` with a path.
BEGINS = {"error": ["error "], "def_repo": ["worktree /", "worktree '"]}

# What git 2.22 and 2.23 wrote, and under which remark that is reported.
OLD_NORMAL = {
    "start": ("TR2_OLDER_NORMAL_ARGV", "start  %*"),
    "child_start": ("TR2_OLDER_NORMAL_ARGV", "child_start[%i]  %*"),
}
OLD_PERF = {
    "start": " %*",
    "alias": "alias:%* argv:%*",
    "child_start": "[ch%i] class:%* argv:%*",
    "exec": "id:%i argv:%*",
}
NO_DOTS = ("atexit", "timer", "th_timer", "counter", "th_counter")

# A row that is SHOWN; NEVER, as the target has no such event; or ANY, as nobody
# can tell it from the text of a printf. `-` stands for nothing.
NORMAL = ("HOW", "KIND", "OLDER", "begins", "holds?", *["form?"] * PATTERNS,
          "old?")
PERF = ("HOW", "KIND", "FILLS", *["form?"] * PATTERNS, "old?")


class Forms:
    """The patterns of the rules of a grammar."""

    def __init__(self, grammar):
        self.grammar = grammar

    def of(self, name):
        """What the text of a rule may look like, most general last."""
        tokens = abnf.tokenise(self.grammar.text(name))
        found = [joined(parts) for parts in self.choices(tokens)]
        return without_covered(list(dict.fromkeys(found)))

    def choices(self, tokens):
        found = []
        while True:
            found += self.sequence(tokens)
            if not tokens or tokens[0] != ("mark", "/"):
                return found
            tokens.pop(0)

    def sequence(self, tokens):
        parts = []
        while tokens and tokens[0] not in (("mark", m) for m in "/)]"):
            parts.append(self.element(tokens))
        return ["".join(chosen) for chosen in itertools.product(*parts)]

    def element(self, tokens):
        kind, text = tokens.pop(0)
        if kind == "string":
            return [text[1:-1]]
        if kind == "repeat":
            of = self.element(tokens)
            return ["%i" if of == ["DIGIT"] else ANY]
        if kind == "name":
            return self.leaf(text)
        found = self.choices(tokens)
        tokens.pop(0)
        return ["", *found] if text == "[" else found

    def leaf(self, name):
        if name in LEAVES:
            return [LEAVES[name]]
        if name in abnf.CORE:
            return [name]
        return self.choices(abnf.tokenise(self.grammar.text(name)))


def joined(text):
    """Two runs of any text are one."""
    while ANY + ANY in text:
        text = text.replace(ANY + ANY, ANY)
    return text


def covers(general, special):
    before, any_text, after = general.rpartition(ANY)
    return bool(any_text and general != special
                and len(special) >= len(before) + len(after)
                and special.startswith(before) and special.endswith(after))


def without_covered(found):
    return [one for one in found
            if not any(covers(other, one) for other in found)]


def padded(patterns):
    assert len(patterns) <= PATTERNS, patterns
    return [*patterns, *["-"] * (PATTERNS - len(patterns))]


def held(pattern):
    """The literal after the last run of any text, before what follows it."""
    after = pattern.rpartition(ANY)[2] if ANY in pattern else ""
    return after.partition("%")[0]


def normal_rows(event, patterns):
    older, old = OLD_NORMAL.get(event.name, ("0", "-"))
    literal = patterns[0].partition("%")[0]
    for begins in BEGINS.get(event.name, [literal]):
        fit = [p for p in patterns if p.startswith(begins.rstrip("/'"))]
        yield ("SHOWN", event.name.upper(), older, begins,
               held(fit[0]) or "-", *padded(fit), old)


def fills(event, patterns):
    """The columns of PERF that the event fills, and what else is true."""
    said = {
        "T_ABS": event.t_abs, "T_REL": event.t_rel, "REPO": event.repo,
        "CATEGORY": event.category, "NO_DOTS": event.name in NO_DOTS,
        "FREE": patterns[0].startswith("%"),
    }  # fmt: skip
    return " | ".join(name for name, true in said.items() if true) or "0"


def perf_rows(event, patterns):
    yield ("SHOWN", event.name.upper(), fills(event, patterns),
           *padded(patterns), OLD_PERF.get(event.name, "-"))


def other_rows(how, names, width, begins=False):
    for name in names:
        row = [how, name.upper(), "0", *["-"] * (width - 3)]
        row[3] = f"{name} " if begins else "-"
        yield row


def tables(events, grammar):
    """(name, text) of each table."""
    forms = Forms(grammar)

    def rows(target, make, but=()):
        for event in events:
            if getattr(event, target) and event.name not in but:
                rule = f"{target}-{event.name.replace('_', '-')}"
                yield from make(event, forms.of(rule))

    hidden = [event.name for event in events if not event.normal]
    # A printf may be any text, and may begin with a plain word.
    told = [name for name in hidden if re.search("_", name)]
    alike = ["printf", *(name for name in hidden if name not in told)]
    for name, *found in (
            ("normal", NORMAL, *rows("normal", normal_rows, ("printf",)),
             *other_rows("NEVER", told, len(NORMAL), begins=True),
             *other_rows("ANY", alike, len(NORMAL))),
            ("perf", PERF, *rows("perf", perf_rows),
             *other_rows("NEVER", [e.name for e in events if not e.perf],
                         len(PERF)))):
        yield f"{name}.tsv", "".join("\t".join(row) + "\n" for row in found)
