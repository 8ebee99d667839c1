"""Headers: each can be included alone; the public one also from C++, and
switched off."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.long("compiles with four compilers")

ROOT = Path(__file__).resolve().parents[3]
HEADERS = sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("ref/**/*.h"))
CALLS = "t/tools/lint/all_calls.c"

C = ["-std=c11", "-D_POSIX_C_SOURCE=200809L"]
C += ["-Wstrict-prototypes", "-Wmissing-prototypes"]
COMPILERS = {
    "gcc": ["gcc", *C],
    "clang": ["clang", *C],
    "g++": ["g++", "-std=c++17", "-x", "c++"],
    "clang++": ["clang++", "-std=c++17", "-x", "c++"],
}
# As strict as the house is to itself.
STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Werror".split()


def compile_with(compiler, *arguments):
    command = COMPILERS[compiler]
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}: apt-get install clang")
    subprocess.run(
        [*command, *STRICT, "-Iref", "-Iref/trace/compat", *arguments], cwd=ROOT, check=True
    )


@pytest.mark.parametrize("header", HEADERS)
def test_header_compiles_alone(header):
    source = ["-x", "c", "/dev/null"]
    compile_with("gcc", "-fsyntax-only", "-include", header, *source)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", [[], ["-DTRACE2_DISABLE"]])
def test_every_call_compiles(compiler, flags):
    compile_with(compiler, "-fsyntax-only", *flags, CALLS)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("file", ["ref/trace2.h", "ref/libtrace2.3"])
def test_the_smallest_program_compiles_as_it_is_shown(compiler, file, scratch):
    text = re.sub(r"(?m)^ \*\t", "", (ROOT / file).read_text())
    program = re.search(r"^int main.*?^}", text, re.S | re.M)[0]
    (scratch / "main.c").write_text(f"#include <trace2.h>\n{program}\n")
    compile_with(compiler, "-fsyntax-only", str(scratch / "main.c"))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_disabled_calls_leave_no_trace_in_the_object(compiler, scratch):
    made = scratch / "calls.o"
    flags = ["-O0", "-c", "-DTRACE2_DISABLE", "-o", str(made)]
    compile_with(compiler, *flags, CALLS)
    shown = subprocess.run(
        ["nm", "-u", made], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    assert "trace2" not in shown


def test_every_public_name_is_called():
    headers = [ROOT / f"ref/trace2{name}.h" for name in ("", "-json", "-target")]
    header = "".join(path.read_text() for path in headers)
    names = set(re.findall(r"\b(trace2_\w+?)(?:_fl)?\(", header))
    calls = (ROOT / CALLS).read_text()
    assert [n for n in sorted(names) if not re.search(rf"\b{n}\(", calls)] == []
