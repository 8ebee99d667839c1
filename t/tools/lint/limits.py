#!/usr/bin/python3
"""House limits: limits.py FILE...

A function has at most 60 lines and a complexity of at most 12; a file has
at most 450 lines, a public header 800. There is no list of exceptions.
"""

import ast
import subprocess
import sys

FUNCTION_LINES = 60
COMPLEXITY = 12
FILE_LINES = 450
PUBLIC_HEADER_LINES = 800

# The ways to branch, beside `and` and `or`.
BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.ExceptHandler,
    ast.comprehension,
)


def is_public_header(path):
    return path.startswith("ref/trace2") or (
        path.startswith("ref/trace/") and path.endswith(".h")
    )


def pmccabe(paths):
    return subprocess.run(
        ["pmccabe", *paths],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def c_functions(paths):
    """(place, name, lines, complexity) of each function, by pmccabe."""
    for row in pmccabe(paths).stdout.splitlines():
        _, complexity, _, line, lines, where, name = row.split(None, 6)
        path = where.partition("(")[0]
        yield f"{path}:{line}", name, int(lines), int(complexity)


def python_complexity(function):
    score = 1
    for node in ast.walk(function):
        if isinstance(node, ast.BoolOp):
            score += len(node.values) - 1
        elif isinstance(node, BRANCHES):
            score += 1
    return score


def python_functions(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read(), path)
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = node.end_lineno - node.lineno + 1
                place = f"{path}:{node.lineno}"
                yield place, node.name, lines, python_complexity(node)


def unread_findings(paths):
    """What pmccabe did not understand is not measured: write it plainer."""
    return pmccabe(paths).stderr.splitlines()


def file_findings(paths):
    for path in paths:
        with open(path, "rb") as file:
            lines = sum(1 for _ in file)
        limit = PUBLIC_HEADER_LINES if is_public_header(path) else FILE_LINES
        if lines > limit:
            yield f"{path}:{limit + 1}: {lines} lines, at most {limit}"


def function_findings(functions):
    for place, name, lines, complexity in functions:
        if lines > FUNCTION_LINES:
            yield f"{place}: {name}: {lines} lines, at most {FUNCTION_LINES}"
        if complexity > COMPLEXITY:
            yield (
                f"{place}: {name}: complexity {complexity}, "
                f"at most {COMPLEXITY}"
            )


def main(paths):
    c_paths = [p for p in paths if p.endswith((".c", ".h", ".cpp"))]
    python_paths = [p for p in paths if p.endswith(".py")]
    findings = [
        *file_findings(paths),
        *unread_findings(c_paths),
        *function_findings(c_functions(c_paths)),
        *function_findings(python_functions(python_paths)),
    ]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
