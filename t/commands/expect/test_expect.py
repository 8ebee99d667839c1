"""`trace2 expect`: grammar, verdicts, formats, and what tests are written with."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[3]
REAL = ROOT / "t/corpus/pass/real/evt4-git2.55"
CLONE = REAL / "clone.event"
LIBRARY = ROOT / "helper/views/expect"


def expect(*words, **options):
    return subprocess.run([os.environ["TRACE2"], "expect", *words],
                          capture_output=True, text=True, timeout=20, check=False,
                          **options)


WRONG = {
    "": "it is empty",
    "no": 'it needs a kind, such as region, not ""',
    "regoin x": 'it needs a kind, such as region, not "regoin"; did you mean region?',
    "region 'x": "a quote does not end, or a blank is missing after it",
    "region 'x'y": "a quote does not end, or a blank is missing after it",
    "region x y": 'it has a word too many: "y"',
    "region x in": "in needs the name of a command",
    "region x never once": 'it has a word too many: "once"',
    "no region x once": "it says twice how many",
    "every region x": "every needs a value, such as = 0",
    "every data x = 1 once": "it says twice how many",
    "region x count 5": "a comparison such as < is missing",
    "region x count <": "it ends before the number",
    "region x count < y": 'count needs a number, not "y"',
    "data a/b =": "a value is missing at its end",
    "data a/b < x": 'only a number can be less or more, not "x"',
    "exit x": 'it needs a number, not "x"',
    "child class": "class needs a name",
    "time data a/b < 1s": "only a region, a child or a command takes time",
    "time region x < 5": 'it needs a time, such as 20ms, not "5"',
    "time share region x < 5": 'it needs a percentage, not "5"',
    "time share region x < 101%": 'it needs a percentage, not "101%"',
    " ".join(["x"] * 33): "it has too many words",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_assertion_is_refused_with_the_reason(text):
    done = expect(CLONE, "--", text)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f'trace2 expect: "{text}": {WRONG[text]}\n'


def test_a_file_that_is_no_log_leaves_open_what_it_may_have_held(scratch):
    (scratch / "note").write_text("not a log\n")
    done = expect(CLONE, "note", "--", "region merge/* never", cwd=scratch)
    assert done.returncode == 3
    assert "one of the files is no log" in done.stdout
    done = expect(CLONE, "note", "--", "region index/*", cwd=scratch)
    assert done.returncode == 0


def test_a_file_of_assertions_names_the_line_that_is_wrong(scratch):
    (scratch / "a").write_text("# a comment\n\n  exit 0\nregion\t'a b' x\n")
    done = expect("--file", "a", CLONE, cwd=scratch)
    assert done.returncode == 2
    assert done.stderr == ("trace2 expect: a:4: \"region\\t'a b' x\": it has a word "
                           'too many: "x"\n')


@pytest.mark.parametrize("words, why", [
    ([CLONE], "there is no assertion; they follow `--`, or stand in --file"),
    (["--list", CLONE, "--", "exit 0"], "--list takes no assertions"),
    (["--file", "/dev/null", CLONE], "there is no assertion: /dev/null"),
    (["--file", "none", CLONE], "No such file or directory: none"),
    (["--", "exit 0"], "expected a log"),
])
def test_a_wrong_command_line_is_refused(words, why, scratch):
    done = expect(*words, cwd=scratch)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"trace2 expect: {why}\n")


@pytest.mark.parametrize("log", sorted(
    path for path in REAL.glob("*.*") if path.suffix in (".event", ".perf", ".normal")),
    ids=lambda path: path.name)
def test_what_is_listed_holds(log, scratch):
    listed = expect("--list", log)
    assert listed.returncode == 0 and listed.stdout.count("\n") >= 1
    done = expect("--file", "-", log, input=listed.stdout)
    count = listed.stdout.count("\n")
    assert (done.returncode, done.stdout) == (
        0, f"{count} hold{'s' if count == 1 else ''}\n")


UNDECIDED = ("no region a/*", "region a/* count <= 3", "region a/* count != 1",
             "region a/b", "data a/b = 1", "time region unpack_trees/* < 1h")


@pytest.mark.parametrize("assertion", UNDECIDED)
def test_a_log_that_ends_early_proves_only_what_it_shows(assertion, scratch):
    lines = CLONE.read_text().splitlines(True)
    (scratch / "cut").write_text("".join(lines[:20]))
    shown = ("region fetch-pack/*", "error count >= 1", "command clone != 7")
    assert expect("cut", "--", *shown, cwd=scratch).returncode == 0
    done = expect("cut", "--", assertion, cwd=scratch)
    assert done.returncode == 3
    assert done.stdout == (
        f"undecided: {assertion}\n  a process has no end in the log (--whole takes it "
        "as it is): cut:1\n0 hold, 1 is undecided\n")
    assert expect("cut", "--", assertion, "error never", cwd=scratch).returncode == 1
    whole = expect("cut", "--whole", "--nesting", "9", "--", assertion, cwd=scratch)
    assert whole.returncode == (3 if "time" in assertion else
                                0 if "no" in assertion or "count" in assertion else 1)


def test_a_log_that_may_lack_deep_regions_does_not_deny_them():
    done = expect(CLONE, "--", "no region a/*")
    assert done.returncode == 3 and "nested 2 deep" in done.stdout
    assert expect("--nesting", "9", CLONE, "--", "no region a/*").returncode == 0
    perf = expect(CLONE.with_suffix(".perf"), "--", "no region a/*")
    assert perf.returncode == 0


@pytest.mark.parametrize("assertion", [
    "region a/b", "no region a/*", "data a/b = 1", "thread th* never",
    "no child class hook", "no child * = hook", "event data never",
    "time region a/b < 1s"])
def test_a_normal_log_does_not_say_what_its_format_lacks(assertion):
    done = expect("status.normal", "--", assertion, cwd=REAL)
    assert done.returncode == 3
    assert done.stdout == (f"undecided: {assertion}\n  a NORMAL log does not say it: "
                           "status.normal:1\n0 hold, 1 is undecided\n")


def test_a_normal_log_says_what_its_format_has():
    done = expect("status.normal", "--", "command status once", "exit 0", "error never",
                  "no child *", cwd=REAL)
    assert (done.returncode, done.stdout) == (0, "4 hold\n")


def test_nothing_holds_without_a_trace(scratch):
    (scratch / "empty").touch()
    assert expect("empty", "--", "error never", cwd=scratch).returncode == 3
    assert expect("none", "--", "error never", cwd=scratch).returncode == 3


def test_a_log_that_the_outcome_would_replace_is_refused(scratch):
    (scratch / "log").write_text(CLONE.read_text())
    done = expect("-o", "log", "log", "--", "exit 0", cwd=scratch)
    assert done.returncode == 2
    assert done.stderr.startswith("trace2 expect: would overwrite what it reads: log\n")
    assert (scratch / "log").read_text() == CLONE.read_text()


def test_a_failure_names_what_was_found_and_the_nearest():
    done = expect("clone.event", "--nesting", "9", "--", "region index/preload",
                  "error never", "time region 'unpack_trees/*' < 20us", cwd=REAL)
    assert done.returncode == 1
    assert done.stdout == """\
does not hold: region index/preload
  found 0
  nearest:
  region index/do_write_index: clone.event:89
  region fetch-pack/parse_remote_refs_and_find_cutoff: clone.event:16
  region fetch-pack/mark_complete_local_refs: clone.event:18
does not hold: error never
  found 1
  error templates not found in /root/share/git-core/templates, format templates not found in %s: clone.event:6
does not hold: time region 'unpack_trees/*' < 20us
  found 1.88 s
  region unpack_trees/unpack_trees: clone.event:77
  region unpack_trees/traverse_trees: clone.event:78
0 hold, 3 do not
"""


ODD = "region 'x<#&\"'"


def test_tap_and_junit_have_each_assertion():
    words = ["--nesting", "9", CLONE, "--", "exit 0", ODD]
    done = expect("--format", "tap", *words)
    assert done.returncode == 1
    assert done.stdout.startswith("1..2\nok 1 - exit 0\nnot ok 2 - region 'x<?&\"'\n"
                                  "# found 0\n")
    done = expect("--format", "junit", *words)
    suite = ElementTree.fromstring(done.stdout)
    assert suite.attrib == {"name": "trace2 expect", "tests": "2", "failures": "1",
                            "errors": "0"}
    assert [case.get("name") for case in suite] == ["exit 0", ODD]
    assert suite[1][0].tag == "failure" and "found 0" in suite[1][0].text
    done = expect("--format", "junit", CLONE, "--", "no region a/*")
    assert ElementTree.fromstring(done.stdout)[0][0].tag == "error"


def test_markdown_shows_what_a_hostile_log_holds_as_code():
    done = expect("--format", "markdown", CLONE, "--", "exit 0", "region '</code>`*'")
    assert done.stdout.startswith("**Assertions failed** (1 holds, 1 is undecided)\n"
                                  "\nUndecided:\n\n    region '</code>`*'\n      ")
    assert all(line.startswith("    ") for line in done.stdout.splitlines()[4:])


def test_the_shell_function_fails_with_its_assertion(scratch):
    script = (f'. "{LIBRARY}/trace2-test-lib.sh"; '
              "test_trace2 'command version' -- git version; echo $?; "
              "test_trace2 'command status' -- git version; echo $?; "
              "test_trace2 'exit 129' -- git version --none; echo $?; "
              "test_trace2 'event start' -- false; echo $?; "
              "test_trace2 'event start' -- true; echo $?")
    done = subprocess.run(["sh", "-c", script], cwd=scratch, capture_output=True,
                          text=True, timeout=20, check=False,
                          env={**os.environ, "TMPDIR": str(scratch)})
    codes = [line for line in done.stdout.splitlines() if line.isdigit()]
    assert codes == ["0", "1", "0", "1", "3"], done.stderr
    assert not list(scratch.iterdir())


def test_the_fixture_of_pytest_fails_with_its_assertion(scratch):
    (scratch / "test_it.py").write_text(
        "from trace2_pytest import git_trace2\n"
        "def test_right(git_trace2):\n"
        "    git_trace2('command version once', run=['git', 'version'])\n"
        "def test_wrong(git_trace2):\n"
        "    git_trace2('command status', run=['git', 'version'])\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        cwd=scratch, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(LIBRARY), "PYTEST_ADDOPTS": ""})
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "does not hold: command status" in done.stdout
