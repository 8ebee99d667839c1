"""t/tools/lint/memory.sh: a program under valgrind."""

import subprocess

import pytest


@pytest.fixture
def memory(root, scratch):
    """memory(main): code of memory.sh for a program, and what it says."""

    def call(main):
        source = f"#include <stdlib.h>\nint main(void) {{ {main} }}\n"
        (scratch / "a.c").write_text(source)
        subprocess.run(["gcc", "-o", "a", "a.c"], cwd=scratch, check=True)
        done = subprocess.run([root / "t/tools/lint/memory.sh", "./a"], cwd=scratch,
                              stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout

    return call


def test_memory_passes_what_frees_all(memory):
    assert memory("free(malloc(9)); return 0;") == (0, "")


def test_memory_lets_a_test_try_again_but_no_leak(memory):
    fails_once = 'int c = system("test -e seen"); system("touch seen"); '
    assert memory(fails_once + "return !!c;") == (0, "")
    code, found = memory(fails_once + "return malloc(9) == NULL;")
    assert (code, "definitely lost" in found) == (1, True)


@pytest.mark.parametrize(
    "main, said",
    [
        ("return malloc(9) == NULL;", "definitely lost"),
        ("volatile char *a = malloc(9); free((void *)a); return *a - *a;",
         "Invalid read"),
        ("return 1;", ""),
    ],
)
def test_memory_names_what_is_wrong_and_how_to_rerun(memory, main, said):
    code, found = memory(main)
    assert code == 1
    assert said in found
    assert found.splitlines()[-1].endswith("--log-file=./a.found ./a")
