#!/usr/bin/python3
"""Names of tests: names.py FILE...

Each is unique in the whole suite and has at most 70 characters. Read are
test_expect in shell, the calls of t/unit/kit/tap.h in C (a name that is put
together at run time is not seen), and functions and classes in Python.
"""

import ast
import re
import sys

LENGTH = 70

SHELL = re.compile(r"^\s*test_expect\s+('[^']*'|\"[^\"]*\")", re.M)
C_CALL = re.compile(r"\btap_(?:ok|int|str|bytes)\(.*?\);", re.S)
C_LAST_STRING = re.compile(r'((?:"(?:[^"\\]|\\.)*"\s*)+)\);$')
C_PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def shell_names(text):
    for match in SHELL.finditer(text):
        yield line_of(text, match.start()), match[1][1:-1]


def c_names(text):
    for call in C_CALL.finditer(text):
        last = C_LAST_STRING.search(call[0])
        if last:
            name = "".join(C_PIECE.findall(last[1]))
            yield line_of(text, call.start()), name


def python_names(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            if not node.decorator_list or not is_fixture(node):
                yield node.lineno, node.name


def is_fixture(node):
    return any("fixture" in ast.dump(d) for d in node.decorator_list)


READERS = {"sh": shell_names, "c": c_names, "py": python_names}


def findings(paths):
    seen = {}
    for path in paths:
        reader = READERS.get(path.rpartition(".")[2])
        if not reader:
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line, name in reader(text):
            place = f"{path}:{line}"
            if len(name) > LENGTH:
                yield f"{place}: {len(name)} characters in: {name}"
            if name in seen:
                yield f"{place}: same name as {seen[name]}: {name}"
            seen.setdefault(name, place)


def main(paths):
    found = list(findings(paths))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
