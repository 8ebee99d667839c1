"""helper/ci/record and helper/ci/answer, run as a job of GitHub's runs them:
git itself is recorded, and `gh` is a program that has runs and artifacts."""

import json
import os
import re
import subprocess

import pytest

import action_kit

pytestmark = pytest.mark.plain("it runs what is installed")
RECORD = {"uses": "helper/ci/record"}
STORY = "t/stories/diff-of-a-command-that-became-slower"
GH = """#!/bin/sh
echo "$*" >>"$GH_STORE/asked"
test "$GH_TOKEN" = t0ken || exit 4
case "$1 $2" in
"run list") cd "$GH_STORE" && ls -d [0-9]* 2>/dev/null ;;
"run download") cp -r "$GH_STORE/$3" "$7" ;;
*) exit 2 ;;
esac
"""


def answer(**inputs):
    return {"uses": "helper/ci/answer", "id": "answer", "if": "always()",
            "with": {key.replace("_", "-"): value
                     for key, value in inputs.items()}}


@pytest.fixture
def job(root, scratch, env, trace2):
    """A job of a pull request against `main`; a home of its own, and `gh`."""
    place = scratch / "bin"
    place.mkdir()
    (place / "trace2").symlink_to(trace2)
    (place / "gh").write_text(GH)
    (place / "gh").chmod(0o755)
    (scratch / "home").mkdir()
    (scratch / "store").mkdir()
    return action_kit.Job(root, scratch, {
        **env, "PATH": f"{place}:{os.environ['PATH']}",
        "HOME": str(scratch / "home"), "GH_STORE": str(scratch / "store"),
        "GITHUB_BASE_REF": "main", "GITHUB_REF_NAME": "12/merge",
        "GITHUB_WORKFLOW": "CI", "GITHUB_RUN_ID": "77"})


def put_runs(job, root, name, count=2):
    """The base branch had so many runs with this log."""
    for number in range(count):
        run = job.temp.parent / "store" / str(number + 1)
        run.mkdir()
        text = (root / STORY / name).read_text()
        (run / "log").write_text(text.replace("-H", f"-H{number}"))


def write_logs(job, root, name):
    """A step whose git wrote this log."""
    return {"run": f'cp "{root / STORY / name}" "$TRACE2_LOGS/log"'}


def test_git_of_each_step_is_recorded_and_told_on_the_page(job):
    alone = {"run": "env -i PATH=\"$PATH\" HOME=\"$HOME\" git init -q r; "
                    "git -C r status"}
    result = job.run([RECORD, alone, answer()])
    assert result.code == 0, result.output
    assert re.search(r"^2 commands took ", job.pages, re.M)
    assert "`init" in job.pages and "`status`" in job.pages
    assert "no record of the base branch" in job.pages
    kept = job.artifacts["trace2-record"]
    assert len(list(kept.rglob("*"))) == 2


def test_the_record_that_is_kept_is_redacted(job):
    step = {"run": "git init -q secret-name; cd secret-name; git status; "
                   "git ls-remote https://me:hunter2@localhost:1/x || :"}
    result = job.run([RECORD, step, answer()])
    kept = "".join(path.read_text() for path in
                   job.artifacts["trace2-record"].rglob("*")
                   if path.is_file())
    assert '"event":"start"' in kept
    for text in (kept, job.pages):
        assert "secret-name" not in text and "hunter2" not in text
    assert result.code == 0


def test_the_runner_is_left_as_it_was(job):
    git = ["git", "config", "--global"]
    run = {"env": job.env, "capture_output": True, "text": True}
    subprocess.run([*git, "trace2.eventNesting", "5"], check=True, **run)
    job.run([RECORD, RECORD, {"run": "git version"}, answer()])
    done = subprocess.run([*git, "--get-regexp", "trace2"], check=True, **run)
    assert done.stdout == "trace2.eventnesting 5\n"


def test_a_regression_fails_the_step_after_the_record_is_kept(job, root):
    put_runs(job, root, "a.event")
    steps = [RECORD, write_logs(job, root, "b.event"),
             answer(fail_on="regression=10")]
    result = job.run(steps)
    assert result.code == 1
    assert result.outputs["steps.answer.outputs.exit-code"] == "1"
    assert "**Git became slower.**" in job.pages
    assert re.search(r"\|\s+slower \|\s+`status`", job.pages)
    assert "trace2-record" in job.artifacts


def test_the_same_speed_and_a_regression_that_nobody_asked_for_pass(job, root):
    put_runs(job, root, "a.event")
    steps = [RECORD, write_logs(job, root, "a.event"),
             answer(fail_on="regression=10")]
    assert job.run(steps).code == 0 and "Against the last 2 runs" in job.pages


def test_a_regression_passes_where_no_one_asked(job, root):
    put_runs(job, root, "a.event")
    steps = [RECORD, write_logs(job, root, "b.event"), answer()]
    assert job.run(steps).code == 0 and " slower |" in job.pages


def test_too_few_runs_are_said_and_do_not_fail(job, root):
    put_runs(job, root, "a.event", 1)
    log = job.temp.parent / "store/1/log"
    lines = log.read_text().splitlines(True)
    sid = json.loads(lines[0])["sid"]
    log.write_text("".join(line for line in lines if f'"{sid}"' in line))
    steps = [RECORD, write_logs(job, root, "b.event"),
             answer(fail_on="regression")]
    result = job.run(steps)
    assert result.code == 0, result.output
    assert "Nothing is certain" in job.pages


def test_only_runs_of_pushes_to_the_base_are_compared(job, root):
    put_runs(job, root, "a.event", 1)
    job.run([RECORD, write_logs(job, root, "a.event"), answer(runs=3)])
    asked = (job.temp.parent / "store/asked").read_text()
    assert "--branch main" in asked and "--event push" in asked
    assert "--limit 3" in asked and "--workflow CI" in asked


def test_a_job_without_git_fails_and_says_so(job):
    result = job.run([RECORD, {"run": "true"}, answer(runs=0)])
    assert result.code == 3 and "::error::No git was recorded" in result.output
    assert not job.artifacts


def test_texts_of_the_inputs_are_no_commands(job):
    bad = "$(touch bad)`touch bad`;touch bad"
    job.run([RECORD, {"run": "git version"}, answer(
        base=bad, fail_on=bad, key=bad, name="x y")])
    assert not list(job.temp.parent.rglob("bad"))
    assert "x y" in job.artifacts
