"""The examples of the design document compile as they are, and trace."""

import re
import subprocess

import pytest

from conftest import LIBRARY, LINKED, ROOT

pytestmark = pytest.mark.long("compiles with four compilers")

DOCUMENT = (ROOT / "t/library/trace/examples.md").read_text()
EXAMPLE = re.compile(r"## ([^\n]*)\n\n```(c\+\+|c)\n(.*?)```\n", re.S)
EXAMPLES = {name: (language, code)
            for name, language, code in EXAMPLE.findall(DOCUMENT)}

INCLUDE = [f"-I{ROOT}/ref", f"-I{ROOT}/ref/trace/compat", f"-I{ROOT}/t/unit"]
COMPILERS = {
    "c": (["gcc", "-std=c11"], ["clang", "-std=c11"]),
    "c++": (["g++", "-std=c++17"], ["clang++", "-std=c++17"]),
}
CASES = [
    pytest.param(name, compiler, id=f"{name} with {compiler[0]}")
    for name, (language, _) in EXAMPLES.items()
    for compiler in COMPILERS[language]
]

# What a program around an example does: it starts the engine, calls, and
# prints the events.
AROUND = """
#include "kit/trace/trace.h"
%s
int main(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 16);
	%s;
	fputs(kit_lines(), stdout);
	return 0;
}
"""
CALLS = {
    "Tracing, C++": (
        "void DoSomething(int a, std::string b);",
        'DoSomething(1, "two")',
        b"complete example/DoSomething a=int32:1 b=string:two\n",
    ),
    "Tracing, C": (
        "void DoSomething(int a, const char *b);",
        'DoSomething(1, "two")',
        b"complete example/DoSomething a=int32:1 b=string:two\n",
    ),
    "Suppressed, C": ("void DoSomething(void);", "DoSomething()", b""),
}


def compiled(compiler, name, scratch, code=None):
    """An object of the example, without a warning."""
    language = EXAMPLES[name][0]
    source = scratch / ("example.c" if language == "c" else "example.cpp")
    source.write_text(code or EXAMPLES[name][1])
    made = source.with_suffix(".around.o" if code else ".o")
    subprocess.run(
        [*compiler, "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
         "-O1", *INCLUDE, "-c", "-o", made, source],
        check=True,
    )  # fmt: skip
    return made


def test_trace_examples_are_all_there():
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("name, compiler", CASES)
def test_trace_example_compiles_as_it_is(name, compiler, scratch):
    compiled(compiler, name, scratch)


@pytest.mark.parametrize("name", CALLS)
def test_trace_example_traces(name, scratch):
    language = EXAMPLES[name][0]
    compiler = COMPILERS[language][0]
    declaration, call, lines = CALLS[name]
    example = compiled(compiler, name, scratch)
    around = compiled(compiler, name, scratch, AROUND % (declaration, call))
    program = scratch / "program"
    subprocess.run(
        [*compiler, "-o", program, around, example, LIBRARY / "ref.a",
         *LINKED, "-lmd", "-pthread"],
        check=True,
    )  # fmt: skip
    done = subprocess.run([program], check=True, stdout=subprocess.PIPE)
    assert done.stdout == lines


def test_suppressed_trace_example_leaves_no_code(scratch):
    made = compiled(["gcc", "-std=c11", "-O0"], "Suppressed, C", scratch)
    shown = subprocess.run(
        ["nm", "-u", made], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    assert "trace" not in shown
