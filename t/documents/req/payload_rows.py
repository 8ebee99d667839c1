"""The forms of payloads in SPEC.md's grammars, as rows for helper/textlog.

A rule such as

    normal-child-exit = "child_exit[" id "] pid:" number " code:" number

becomes the pattern `child_exit[%i] pid:%n code:%n` (helper/rules/textlog/pattern.c).
An optional part makes two patterns of one; a pattern that another one covers
is left out.
"""

import itertools
import re

import abnf

LEAVES = {"SP": " ", "id": "%i", "number": "%n", "seconds": "%s",
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

HEAD = """\
/*
 * payload_rows.h - what a payload of each event looks like. Made from
 * SPEC.md by `make rules` (t/documents/req/payload_rows.py).
 */
#ifndef TR2_TEXTLOG_PAYLOAD_ROWS_H
#define TR2_TEXTLOG_PAYLOAD_ROWS_H

/* clang-format off */
"""


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


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def or_null(text):
    return quote(text) if text else "NULL"


def braces(patterns):
    assert len(patterns) <= PATTERNS, patterns
    return "{ " + ", ".join(map(quote, patterns)) + " }"


def held(pattern):
    """The literal after the last run of any text, before what follows it."""
    after = pattern.rpartition(ANY)[2] if ANY in pattern else ""
    return after.partition("%")[0]


def normal_rows(event, patterns):
    older, old = OLD_NORMAL.get(event.name, ("0", ""))
    literal = patterns[0].partition("%")[0]
    for begins in BEGINS.get(event.name, [literal]):
        fit = [p for p in patterns if p.startswith(begins.rstrip("/'"))]
        yield (f"{event.name.upper()}, {older}, {quote(begins)}, "
               f"{or_null(held(fit[0]))}, {braces(fit)}, {or_null(old)}")


def fills(event, patterns):
    """The columns of PERF that the event fills, and what else is true."""
    said = {
        "T_ABS": event.t_abs, "T_REL": event.t_rel, "REPO": event.repo,
        "CATEGORY": event.category, "NO_DOTS": event.name in NO_DOTS,
        "FREE": patterns[0].startswith("%"),
    }  # fmt: skip
    return " | ".join(name for name, true in said.items() if true) or "0"


def perf_rows(event, patterns):
    yield (f"{event.name.upper()}, {fills(event, patterns)}, "
           f"{braces(patterns)}, {or_null(OLD_PERF.get(event.name))}")


def wrapped(row):
    """A row of at most 80 columns a line, cut between its arguments."""
    lines, line = [], "\tROW("
    for part in re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^"])+?(?:, |$)', row):
        if len(line.expandtabs()) + len(part) > 77 and line.strip():
            lines.append(line.rstrip())
            line = "\t    "
        line += part
    return " \\\n".join([*lines, line + ")"])


def macro(comment, name, rows):
    body = "".join(f" \\\n{wrapped(row)}" for row in rows)
    return f"\n/* {comment} */\n#define {name}(ROW){body}\n"


def header(events, grammar):
    """The text of helper/rules/textlog/payload_rows.h."""
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
    return "".join([
        HEAD,
        macro("kind, remark about the old form, how it begins, what it "
              "holds,\n * patterns, old form", "TR2_NORMAL_PAYLOADS",
              rows("normal", normal_rows, ("printf",))),
        macro("Events that NORMAL never shows.", "TR2_NORMAL_NEVER",
              [f"{name.upper()}, {quote(name + ' ')}" for name in told]),
        macro("What can't be told from the text of a printf.",
              "TR2_NORMAL_ANY_TEXT", [f"{name.upper()}, 0" for name in alike]),
        macro("kind, columns that it fills, patterns, old form",
              "TR2_PERF_PAYLOADS", rows("perf", perf_rows)),
        macro("Events that PERF never shows.", "TR2_PERF_NEVER",
              [f"{e.name.upper()}, 0" for e in events if not e.perf]),
        "\n/* clang-format on */\n#endif\n"])  # fmt: skip
