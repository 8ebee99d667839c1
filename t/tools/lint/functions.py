#!/usr/bin/python3
"""Names of functions and structs: functions.py FILE...

A function of ref/ and helper/, and of the tests that are written in C (t/unit,
t/tools/fuzz, t/tools/perf), has a name of two words or more, a verb and what it acts on: a
bare `find` can't be searched for. `main` is free, and so are the entry of a
fuzzer and a function that takes the place of one of the C library's: it has
that name and is not static. In C++, classes and namespaces say more about a
name, so that is not looked at.

No two structs in ref/ and helper/ have the same name.
"""

import ctypes
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from faults import source  # noqa: E402

HOUSE = re.compile(r"(?:ref|helper)/.*\.[ch]\Z")
TESTS = re.compile(r"t/(?:unit|tools/fuzz|tools/perf)/.*\.[ch]\Z")
# The names that a program outside asks for.
ENTRIES = ("main", "LLVMFuzzerTestOneInput")
CPLUSPLUS = re.compile(
    r"^#ifdef __cplusplus\n.*?^#(?:else|endif)|^namespace\b.*?^}", re.M | re.S
)
C_LIBRARY = ctypes.CDLL(None)


def blank_cplusplus(text):
    """With `extern "C" {` away, all that is inside is at file scope."""
    return CPLUSPLUS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def is_call(run, at):
    """A macro's call stands before a function as an attribute does."""
    before = run[at - 1].text
    is_other = before == "__attribute__" or before.isupper()
    return source.NAME.match(before) and not is_other


def inner_name(run, at):
    """`void (*find_handler(int a))(int)` returns a function."""
    inner = [token.text for token in run[at : at + 4]]
    return at + 2 if inner[1:2] == ["*"] and inner[3:] == ["("] else at - 1


def name_of(run):
    """At which token is the name of what a function's definition defines?"""
    depth = 0
    for at, token in enumerate(run):
        if not depth and token.text in ("=", "{", ";"):
            break
        if not depth and token.text == "(" and at and is_call(run, at):
            return inner_name(run, at)
        depth += (token.text in source.OPEN) - (token.text in source.CLOSE)
    return None


def functions(text):
    """(line, name, is_static) of each function that is defined."""
    for _, start, end in source.definitions(text):
        run = source.tokens(text, start, end)
        at = None if source.is_directive(run[0]) else name_of(run)
        if at is None or run[-1].text != "}":
            continue
        is_static = any(token.text == "static" for token in run[:at])
        line = text.count("\n", 0, run[at].start) + 1
        yield line, run[at].text, is_static


def is_given(name, is_static):
    """Does something outside ask for this name?"""
    return name in ENTRIES or (not is_static and hasattr(C_LIBRARY, name))


def function_findings(path, text):
    for line, name, is_static in functions(text):
        if "_" not in name and not is_given(name, is_static):
            yield f"{path}:{line}: {name}: one bare word names a function"


def structs(text):
    """(line, name) of each struct that is defined, wherever."""
    run = source.tokens(text)
    for word, name, brace in zip(run, run[1:], run[2:]):
        if word.text == "struct" and brace.text == "{":
            yield text.count("\n", 0, name.start) + 1, name.text


def struct_findings(path, text, seen):
    for line, name in structs(text):
        place = f"{path}:{line}"
        if name in seen:
            yield f"{place}: struct {name} has the name of that in {seen[name]}"
        seen.setdefault(name, place)


def findings(paths):
    seen = {}
    for path in paths:
        if not HOUSE.match(path) and not TESTS.match(path):
            continue
        with open(path, encoding="utf-8") as file:
            text = blank_cplusplus(file.read())
        yield from function_findings(path, text)
        if HOUSE.match(path):
            yield from struct_findings(path, text, seen)


def main(paths):
    found = list(findings(paths))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
