"""Finds a definition in the sources of ref/ and changes a part of it.

    edit = change(ROOT / "ref", "tr2_exit_seen", "code & 0xff", "code")
    edit = change(ROOT / "ref", "TR2_EVENTS START", "STRINGS", "STRING")
    edit.path, edit.text

A definition is a function, a variable, a type or a macro at file scope. It
is found by its name, in whatever file it is. A second word names a row of a
table: the row in brackets that begins with it. The part is a run of whole
tokens: blanks, line breaks and comments make no difference. So code can be
moved and formatted again, and the faults still find it.
"""

import dataclasses
import functools
import re
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<skip>\s+|\\\n|/\*.*?\*/|//[^\n]*)
      | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
      | [A-Za-z_]\w* | \.?\d(?:[eEpP][+-]|[\w.])*
      | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'
      | \.\.\. | <<= | >>= | -> | \+\+ | -- | && | \|\|
      | [-+*/%&|^<>=!]= | << | >> | .""",
    re.X | re.S | re.M,
)
NAME = re.compile(r"[A-Za-z_]\w*\Z")
DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)")
OPEN, CLOSE = set("({["), set(")}]")


class NotFound(Exception):
    """No such definition, or the part is not in it just once."""


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Edit:
    path: Path
    text: str  # of the file, after the change


def tokens(text, begin=0, end=None):
    """Without blanks and comments; a directive is one token."""
    end = len(text) if end is None else end
    return [Token(m[0], m.start(), m.end())
            for m in TOKEN.finditer(text, begin, end)
            if not m["skip"]]  # fmt: skip


def words(text):
    return [token.text for token in tokens(text)]


def is_directive(token):
    return token.text.lstrip(" \t").startswith("#")


def names_of(run):
    """What the tokens of a declaration at file scope may be known by."""
    if run[0].text == "enum":
        yield from enumerators(run)
    depth = 0
    for token in run:
        if not depth and token.text in ("=", "{"):
            return
        if not depth and NAME.match(token.text):
            yield token.text
        depth += (token.text in OPEN) - (token.text in CLOSE)


def enumerators(run):
    for before, token in zip(run, run[1:]):
        if before.text in ("{", ",") and NAME.match(token.text):
            yield token.text


def ends_here(token, depth, run):
    if depth:
        return False
    if token.text == ";":
        return True
    # A function's body; after `= {...}` and `struct x {...}` comes more.
    return (token.text == "}" and any(t.text == ")" for t in run)
            and not any(t.text == "=" for t in before_brace(run)))  # fmt: skip


def before_brace(run):
    for token in run:
        if token.text == "{":
            return
        yield token


def definitions(text):
    """(names, start, end) of each; those of a macro are its directive."""
    run, depth = [], 0
    for token in tokens(text):
        if is_directive(token):
            found = DEFINE.match(token.text)
            if found:
                yield {found[1]}, token.start, token.end
            continue
        run.append(token)
        depth += (token.text in OPEN) - (token.text in CLOSE)
        if ends_here(token, depth, run):
            yield set(names_of(run)), run[0].start, token.end
            run = []


@functools.lru_cache(None)
def read(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(None)
def index(root):
    """name -> [(path, start, end)]"""
    found = {}
    for path in sorted(root.rglob("*.[ch]")):
        for names, start, end in definitions(read(path)):
            for name in names:
                found.setdefault(name, []).append((path, start, end))
    return found


def body(text, start, end, row=None):
    """The tokens of a definition; a macro's are those after `#define`."""
    found = DEFINE.match(text, start)
    run = tokens(text, found.end(1) if found else start, end)
    return row_of(run, row) if row else run


def row_of(run, row):
    """The tokens of the row, with its brackets."""
    for at, token in enumerate(run[1:], 1):
        if token.text == row and run[at - 1].text in OPEN:
            return run[at - 1:closing(run, at - 1) + 1]  # fmt: skip
    return []


def closing(run, at):
    """Where the bracket at `at` is closed."""
    depth = 0
    for here in range(at, len(run)):
        depth += (run[here].text in OPEN) - (run[here].text in CLOSE)
        if not depth:
            return here
    return len(run) - 1


def places(path, start, end, part, row=None):
    """(path, start, end) of the part, wherever it is in the definition."""
    run = body(read(path), start, end, row)
    for at in range(len(run) - len(part) + 1):
        if [t.text for t in run[at:at + len(part)]] == part:  # fmt: skip
            yield path, run[at].start, run[at + len(part) - 1].end


def change(root, name, old, new):
    """The file in which `old` became `new` in the definition of that name."""
    name, _, row = name.partition(" ")
    found = {place for where in index(root).get(name, ())
             for place in places(*where, words(old), row)}  # fmt: skip
    if len(found) != 1:
        raise NotFound(f"{name}: {len(found)} times {old!r}")
    path, start, end = found.pop()
    text = read(path)
    return Edit(path, text[:start] + new + text[end:])
