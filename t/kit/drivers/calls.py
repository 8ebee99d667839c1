"""Reads t/kit/contract.tsv, and carries out what stands there.

A driver in Python gives perform() its own functions in CALLS. t/README.md
explains the language.
"""
import json, re, threading
from pathlib import Path

CONTRACT = Path(__file__).resolve().parent.parent / "contract.tsv"
CALLS = {}  # name: what makes the call

class Wrong(Exception):  # the arguments of the verb
    pass

TOKEN = re.compile(r'[{};]|(?:[^\s{};"]|"(?:\\.|[^"\\])*")+')
ITEM = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*")+')

# Reading the calls of a verb

def parse(tokens):
    """[name, words, block, block after else]..., up to a }"""
    calls = []
    while tokens and tokens[0] != "}":
        if tokens[0] == ";":
            del tokens[0]
            continue
        call = [tokens.pop(0), [], [], []]
        while tokens and tokens[0] not in ("{", "}", ";"):
            call[1].append(tokens.pop(0))
        for at in (2, 3):
            if tokens[:1] == ["{"]:
                del tokens[0]
                call[at] = parse(tokens)
                del tokens[0]
                if tokens[:1] == ["else"]:
                    del tokens[0]
        calls.append(call)
    return calls

def read_verbs():
    for row in CONTRACT.read_text().splitlines():
        if row[0] != "#":
            cells = ["" if c == "-" else c for c in row.split("\t")]
            yield cells[0], (*cells[1:4], parse(TOKEN.findall(cells[4])))

VERBS = dict(read_verbs())

# The value of a word

def read_byte(escape):
    if not escape[1]:
        return escape[0]
    return rf"\u{'dc' if escape[1] > '7g' else '00'}{escape[1]}"

def text(word, names):
    """A text in quotes: JSON's escapes, \\xHH for a byte, $name."""
    word = re.sub(r"\\x(..)|\\.", read_byte, word)
    return re.sub(r"\$(\w+)", lambda m: str(names.get(m[1], m[0])),
                  json.loads(word))

def times(word, names):
    word, _, count = word.rpartition("*") if word[-1] != '"' else (word, 0, 1)
    return text(word, names) * int(count)

def items(word, names):
    found = [value(one, names) for one in ITEM.findall(word[1:-1])]
    return [x for one in found
            for x in (one if isinstance(one, list) else [one])]

def named(word, names):
    if match := re.fullmatch(r"\$(\d?)\*", word):
        return names["*"][int(match[1] or 1) - 1:]
    name, _, default = word[1:].partition("|")
    if name in names or not default:
        return names.get(name)
    return value(default, names)

def value(word, names):
    forms = {'"': times, "[": items, "$": named}
    if word[0] in forms:
        return forms[word[0]](word, names)
    if match := re.fullmatch(r"(\d+)\+\$(\w+)", word):
        return int(match[1]) + names[match[2]]
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    return {"null": None, "true": True}.get(word, word)

def number(word):
    if not re.fullmatch(r"\s*[-+]?\d+", str(word), re.A) or \
            not -2**63 <= int(word) < 2**63:
        raise ValueError(word)
    return (int(word) + 2**31) % 2**32 - 2**31

def fits(takes, words):
    """Whether the arguments are what the verb takes."""
    more = takes.endswith(" ...") or not takes
    takes = takes.removesuffix(" ...").split()
    if takes and takes[-1].endswith("..."):  # all that follow are of this kind
        takes[-1] = takes[-1][:-3]
        takes += takes[-1:] * (len(words) - len(takes))
    for at, kind in enumerate(takes):
        if at >= len(words):
            return kind.endswith("?")
        if not fits_one(kind.rstrip("?"), words[at]):
            return False
    return more or len(words) <= len(takes)

def fits_one(kind, word):
    try:
        return {"int": lambda: number(word) is not None,
                "word": lambda: word != "", "any": lambda: True,
                "signal": lambda: word in SIGNALS,
                "verb": lambda: word in VERBS}[kind]()
    except ValueError:
        return False

SIGNALS = ("INT", "TERM", "HUP", "QUIT", "PIPE", "KILL", "USR1")

# Calls that hold others

def perform(calls, names):
    for name, words, block, other in calls:
        plain = [w for w in words if not re.match(r"\w+=", w)]
        given = {k: value(v, names) for k, v in
                 (w.split("=", 1) for w in words if re.match(r"\w+=", w))}
        if name in BLOCKS:
            BLOCKS[name](plain, names, block, other)
        else:
            CALLS[name](names, *[value(w, names) for w in plain], **given)

def do_if(words, names, block, other):
    left, sign, right = re.fullmatch(r"(!?\$\w+)(!?=)?(.*)", words[0]).groups()
    found = value(left.lstrip("!"), names)
    if sign:
        good = (str(found) == str(value(right, names))) == (sign == "=")
    else:
        good = (found is None) == (left[0] == "!")
    perform(block if good else other, names)

def do_each(words, names, block, other):
    for one in value(words[0], names):
        names["_"] = one
        perform(block, names)

def do_each3(words, names, block, other):
    rest = value(words[0], names)
    for at in range(0, len(rest), 3):
        three = (*rest[at:at + 3], None, None)
        names.update(zip("abc", three))
        perform(block, names)

def do_repeat(words, names, block, other):
    for n in range(number(value(words[0], names))):
        names["n"] = n
        perform(block, names)

def do_count(words, names, block, other):
    first, last = (number(value(one, names)) for one in words[0].split(".."))
    down = words[0].endswith("..1")
    for i in range(first, last - 1, -1) if down else range(first, last + 1):
        names["i"] = i
        perform(block, names)

def do_threads(words, names, block, other):
    each = value(words[0], names)
    if not isinstance(each, list):
        each = [None] * number(each)
    own = [{**names, "place": at, "_": one} for at, one in enumerate(each)]
    threads = [threading.Thread(target=perform, args=(block, one))
               for one in own]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

BLOCKS = {"if": do_if, "each": do_each, "each3": do_each3,
          "repeat": do_repeat, "count": do_count, "threads": do_threads}
