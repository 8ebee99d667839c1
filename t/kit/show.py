"""Values and differences as text that a person can read in a terminal.

Every value is written so that nothing in it is lost: blanks at the end of a
line, escapes, and bytes against characters. What is long takes a line for
each of its parts, so that two of them can be compared line by line.
"""

import difflib
import re
import shlex

WIDTH = 72  # what is longer is taken apart
SHOWN = 40  # lines of a value or a difference
NDIFF = 60  # more lines than this are not compared within the line
CUT = 20000  # characters of one line that are kept
LINE = 300  # characters of one line that are shown
AROUND = 60  # characters before the first difference of two long lines
REPEATED = re.compile(r"(([ -\[\]-~])\2{99,})")


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
    left, right = shortened(expected.splitlines(), actual.splitlines())
    if comparable(left, right):
        return ["expected (-) and actual (+):",
                *indented(difference(left, right))]
    return [*labelled("expected", left), *labelled("actual", right)]


def shortened(left, right):
    """Both lists with short lines. Two lines at the same place are cut where
    their difference stays visible."""
    if len(left) != len(right):
        return [around(x, 0) for x in left], [around(x, 0) for x in right]
    starts = [first_difference(*pair) for pair in zip(left, right)]
    return tuple([around(line, start) for line, start in zip(lines, starts)]
                 for lines in (left, right))


def first_difference(one, other):
    pairs = enumerate(zip(one, other))
    return next((at for at, (a, b) in pairs if a != b), 0)


def around(line, place):
    """A long line without what is far from this place."""
    if len(line) <= LINE:
        return line
    start = max(0, min(place - AROUND, len(line) - LINE))
    rest = len(line) - start - LINE
    return (f"({start} characters) …" * (start > 0)
            + line[start:start + LINE]
            + f"… ({rest} characters more)" * (rest > 0))


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


def printable(text):
    """A text that every terminal, encoding and XML file can hold."""
    return "".join(c if c in "\n\t" or c.isprintable() else repr(c)[1:-1]
                   for c in text)


def command(argv, env, cwd=None, files=None, setup=None, listen=None, **_):
    """A line that bash runs in a directory of its own (kit/sandbox.sh):
    what it prepares there, and the command line. `{}` is the directory."""
    here = '"$OLDPWD"' if cwd else '"$PWD"'
    words = [f"{name}={word(text, here)}" for name, text in env.items()
             if text is not None]
    gone = [f"-u {name}" for name, text in env.items() if text is None]
    if gone:
        words = ["env", *gone, *words]
    steps = [made(name, text) for name, text in (files or {}).items()]
    steps += [setup] if setup else []
    steps += [f"cd {word(cwd)}"] if cwd else []
    words += [word(one, here) for one in argv]
    steps += [f": needs {word(listen.shown)}"] if listen else []
    return "; ".join([*steps, " ".join(words)])


def made(name, text):
    """A step that makes a file."""
    folder = name.rpartition("/")[0]
    step = f"mkdir -p {word(folder)}; " if folder else ""
    return f"{step}printf %s {word(text)} >{word(name)}"


def word(text, here='"$PWD"'):
    """A word as bash reads it, on one line."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    pieces = str(text).split("{}")
    return here.join(quoted(p) if p else "" for p in pieces) or "''"


def quoted(text):
    """A text in quotes. What is repeated often is made by a command."""
    parts = REPEATED.split(text)
    plain = [dollar_quoted(part) if part else "" for part in parts[::3]]
    long = [repetition(*pair) for pair in zip(parts[1::3], parts[2::3])]
    return "".join(one for pair in zip(plain, [*long, ""]) for one in pair)


def repetition(text, char):
    return f'"$(printf %0{len(text)}d | tr 0 {dollar_quoted(char)})"'


def dollar_quoted(text):
    """As shlex does, or as bash alone does what can't stand on a line."""
    if text.isprintable():
        double = "'" in text and not set(text) & set('"$`\\!')
        return f'"{text}"' if double else shlex.quote(text)
    return "$'" + "".join(map(dollar_escape, text)) + "'"


def dollar_escape(char):
    if char.isprintable():
        return "\\" * (char in "\\'") + char
    return "".join(f"\\{byte:03o}"
                   for byte in char.encode("utf-8", "surrogateescape"))
