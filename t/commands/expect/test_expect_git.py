"""`trace2 expect` says what git's own tests ask, and notices what is wrong."""

import os
import subprocess

import pytest
from git_assertions import ROWS

PREPARE = """
git init -q -b main src && cd src &&
mkdir d e && for n in $(seq 20); do echo $n >d/$n; echo e$n >e/$n; done &&
echo first >f && git add . && git commit -qm first &&
echo second >f && git commit -qam second &&
git checkout -q -b side && echo side >e/1 && git commit -qam side &&
git checkout -q main && echo third >d/2 && git commit -qam third &&
git config uploadpack.allowFilter true &&
git config uploadpack.allowAnySHA1InWant true
"""
CLONE = """
git clone -q --no-hardlinks "$1" work && cd work &&
git branch -q other origin/side &&
git config uploadpack.allowFilter true &&
git config uploadpack.allowAnySHA1InWant true &&
printf '#!/bin/sh\\n' >.git/hooks/pre-commit &&
printf '#!/bin/sh\\nprintf "x\\\\0/\\\\0"\\n' >monitor &&
printf '#!/bin/sh\\ncat\\n' >filter &&
chmod +x .git/hooks/pre-commit monitor filter &&
echo '*.f filter=f' >.git/info/attributes &&
git config filter.f.clean ./filter && touch one.f two.f &&
echo changed >>e/2
"""


def environment(**names):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    who = {f"GIT_{role}_{what}": "a@example.com" for role in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")}
    return {**kept, **who, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
            **names}


def run(script, where, *words, **names):
    return subprocess.run(["sh", "-c", script, "sh", *map(str, words)], cwd=where,
                          env=environment(**names), capture_output=True,
                          timeout=60, check=False)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    top = tmp_path_factory.mktemp("expect")
    assert run(PREPARE, top).returncode == 0
    return top / "src"


@pytest.fixture
def expect(source, scratch):
    """expect(assertion, command): what the command prints about the run."""
    def check(assertion, command):
        where = scratch / str(len(list(scratch.iterdir())))
        (where / "log").mkdir(parents=True)
        assert run(CLONE, where, source).returncode == 0
        run(command, where / "work", GIT_TRACE2_EVENT=str(where / "log"),
            GIT_TRACE2_EVENT_NESTING="100")
        return subprocess.run(
            [os.environ["TRACE2"], "expect", "--nesting", "100", where / "log",
             "--", assertion],
            capture_output=True, text=True, timeout=20, check=False)
    return check


@pytest.mark.parametrize("about, assertion, good, bad", ROWS,
                         ids=[row[0].replace(" ", "-") for row in ROWS])
def test_an_assertion_of_git_s_tests_holds_and_fails(about, assertion, good, bad, expect):
    held = expect(assertion, good)
    assert held.returncode == 0, held.stdout + held.stderr
    failed = expect(assertion, bad)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert failed.stdout.startswith(f"does not hold: {assertion}\n")
