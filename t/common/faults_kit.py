"""A C library whose calls fail when they are asked to: faults.c says how."""

import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "faults.c"
PLAIN = pytest.mark.plain("a sanitizer would have to be loaded first")


@pytest.fixture(scope="session")
def faults(tmp_path_factory):
    """faults(FAIL_CALLOC=2): the environment of a program that has them."""
    # LD_PRELOAD is divided at blanks, which the clone's path may have.
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"],
                   check=True)

    def call(**names):
        return {"LD_PRELOAD": str(library), **{k: str(v) for k, v in names.items()}}

    return call
