"""Values and differences as text that a person can read in a terminal.

Every value is written so that nothing in it is lost: blanks at the end of a
line, escapes, and bytes against characters. What is long takes a line for
each of its parts, so that two of them can be compared line by line.
"""

import difflib
import shlex

WIDTH = 72  # what is longer is taken apart
SHOWN = 40  # lines of a value or a difference
NDIFF = 60  # more lines than this are not compared within the line
CUT = 20000  # characters of one line
FILE = 300  # bytes of a file


def value(what):
    """A text for `what`, of one line or, where it is long, of several."""
    return "\n".join(parts(what))


def both(expected, actual):
    """Texts for two values, taken apart if one of them is long."""
    apart = max(len(repr(expected)), len(repr(actual))) > WIDTH
    return tuple("\n".join(parts(v, apart)) for v in (expected, actual))


def parts(what, apart=False):
    """The lines that show a value."""
    if isinstance(what, (str, bytes)):
        lines = what.splitlines(keepends=True) or [what]
        return [cut(repr(line)) for line in lines]
    kinds = {dict: "{}", list: "[]", tuple: "()"}
    short = not apart and len(repr(what)) <= WIDTH
    if short or not what or type(what) not in kinds:
        return [cut(repr(what))]
    first, last = kinds[type(what)]
    return [first, *(f"  {cut(line)}" for line in entries(what)), last]


def entries(what):
    if isinstance(what, dict):
        return [f"{key!r}: {value!r}" for key, value in what.items()]
    return map(repr, what)


def cut(line):
    return line if len(line) <= CUT else line[:CUT] + "…"


def comparison(expected, actual):
    """Lines that say what was expected and what came, as a difference
    where the two can be compared."""
    left, right = expected.splitlines(), actual.splitlines()
    if comparable(left, right):
        return ["expected (-) and actual (+):",
                *indented(difference(left, right))]
    return [*labelled("expected", left), *labelled("actual", right)]


def comparable(left, right):
    if len(left) > 1 and len(right) > 1:
        return True
    long = len(left) == len(right) == 1 and len(left[0]) > 40
    return long and difflib.SequenceMatcher(
        None, left[0], right[0], False).ratio() > 0.5


def difference(left, right):
    if max(len(left), len(right)) <= NDIFF:
        return [line.rstrip("\n") for line in difflib.ndiff(left, right)]
    found = difflib.unified_diff(left, right, n=2, lineterm="")
    return list(found)[2:]


def labelled(label, lines):
    """A label, the line behind it, or several below it."""
    if len(lines) < 2:
        yield f"{label + ':':<9} {lines[0] if lines else '(nothing)'}"
        return
    yield f"{label}:"
    yield from indented(lines)


def indented(lines):
    for line in lines[:SHOWN]:
        yield f"  {line}"
    if len(lines) > SHOWN:
        yield f"  … and {len(lines) - SHOWN} lines more"


def command(argv, env, cwd=None, files=None, **_):
    """A command line to type, `{}` being the working directory, and the
    files that it finds."""
    words = [f"{name}={word(text)}" for name, text in env.items()
             if text is not None]
    gone = [f"-u {name}" for name, text in env.items() if text is None]
    if gone:
        words = ["env", *gone, *words]
    there = [f"cd {word(cwd)};"] if cwd else []
    found = [f"  # with {name}: {text[:FILE]!r}"
             for name, text in (files or {}).items()]
    return " ".join([*there, *words, *map(word, argv)]) + "".join(found)


def word(text):
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    pieces = str(text).split("{}")
    quoted = [shlex.quote(p) if p else "" for p in pieces]
    return '"$PWD"'.join(quoted) or "''"
