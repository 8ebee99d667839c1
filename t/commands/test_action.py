"""action.yml and .pre-commit-hooks.yaml, run as their users run them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import action_kit

pytestmark = pytest.mark.plain("it runs what is installed")
GOOD = "t/corpus/pass/event/start.event"
BAD = "t/corpus/fail/event.exit.code/missing.event"
COMMAND = re.compile(r"^::(error|warning|notice) file=(.*),line=(\d+),"
                     r"col=(\d+),title=([\w.-]+)::(.+)$", re.M)


@pytest.fixture
def path(trace2, scratch):
    """A PATH with the trace2 of this build as the one that is installed."""
    (scratch / "bin").mkdir()
    (scratch / "bin/trace2").symlink_to(trace2)
    return f"{scratch}/bin:{os.environ['PATH']}"


@pytest.fixture
def job(root, scratch, env, path):
    return action_kit.Job(root, scratch, {**env, "PATH": path})


@pytest.fixture
def put(job, root):
    """put(name, source): a file of the workspace."""

    def call(name, source):
        (job.workspace / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / source, job.workspace / name)

    return call


def uses(**inputs):
    return {"uses": "./", "id": "logs", "with": inputs}


def test_action_accepts_good_logs(job, put):
    put("logs/a.event", GOOD)
    result = job.run([uses(path="logs")])
    assert result.code == 0 and not COMMAND.search(result.output)
    assert result.outputs["steps.logs.outputs.exit-code"] == "0"


def test_action_shows_findings_beside_their_files(job, put):
    put("logs/a b/bad.event", BAD)
    result = job.run([uses(path="logs")])
    assert result.code == 1
    (found,) = COMMAND.findall(result.output)
    assert found[:3] == ("error", "logs/a b/bad.event", "3")
    assert found[4] == "event.exit.code"
    assert result.outputs["steps.logs.outputs.exit-code"] == "1"


def test_action_takes_paths_with_blanks_and_options(job, put):
    put("one log", GOOD)
    put("-other", BAD)
    steps = [uses(path="one log\n-other\n", options="--ignore event,stream")]
    assert job.run(steps).code == 0


def test_action_without_a_log_fails(job):
    (job.workspace / "empty").mkdir()
    result = job.run([uses(path="empty")])
    assert result.code == 3


def test_text_of_an_input_is_no_command(job, put):
    put("a", GOOD)
    job.run([uses(path="$(touch bad)`touch bad`;touch bad", options="")])
    assert not (job.workspace / "bad").exists()


@pytest.mark.long("builds trace2 from a copy of its sources")
def test_action_builds_trace2_where_none_is_installed(job, put, root, scratch):
    """This tree may be in use: while it is built, nobody else may build."""
    job.env["PATH"] = os.environ["PATH"]
    if shutil.which("trace2"):
        pytest.skip("trace2 is installed")
    job.root = scratch / "clone"
    shutil.copytree(root, job.root, symlinks=True,
                    ignore=shutil.ignore_patterns("build", ".git"))
    put("a.event", BAD)
    result = job.run([uses(path="a.event")])
    assert result.code == 1 and COMMAND.search(result.output)
    assert (job.root / "helper/trace2").exists()


def matcher_findings(text, path):
    """What a runner with the problem matcher finds."""
    for matcher in json.loads(path.read_text())["problemMatcher"]:
        (pattern,) = matcher["pattern"]
        for line in text.splitlines():
            match = re.search(pattern["regexp"], line)
            if match:
                yield (matcher["severity"],
                       *(match[pattern[key]] for key in
                         ("file", "line", "column", "code", "message")))


def test_problem_matcher_finds_each_finding(job, root, validate):
    job.run([uses(path=".")])
    (path,) = re.findall(r"::add-matcher::(.*)", job.output)
    logs = [root / "t/corpus/fail/event.exit.code", root / BAD,
            *sorted((root / "t/corpus/fail").glob("older.*"))]
    text = validate(*logs).stdout.decode()
    rows = [row for row in validate("--format", "jsonl", *logs)
            .stdout.decode().splitlines()]
    told = [json.loads(row) for row in rows][:-1]
    names = {"error": "error", "warning": "warning", "info": "notice"}
    want = sorted((names[row["level"]], row["file"], str(row["line"]),
                   str(row["column"]), row["id"]) for row in told)
    found = sorted(row[:5] for row in matcher_findings(text, Path(path)))
    assert found == want and len({row[0] for row in found}) >= 2


# The tour's job


def tour_job(root):
    text = (root / "docs/tour.md").read_text()
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    return block


def test_job_of_the_tour_finds_what_a_test_wrote(root, job, put):
    block = tour_job(root)
    assert len(block.splitlines()) <= 10
    steps = yaml.safe_load(block)
    (tested,) = (step for step in steps if step.get("run") == "make test")
    tested["run"] = "git init -q repo; cp good.event \"$GIT_TRACE2_EVENT\""
    put("good.event", GOOD)
    result = job.run(steps)
    assert result.code == 0, result.output
    assert re.search(r"^OK: .* in \d files?$", result.output, re.M)
    bad = action_kit.Job(root, job.temp, job.env)
    tested["run"] = f"cp '{root / BAD}' \"$GIT_TRACE2_EVENT\""
    result = bad.run(steps)
    assert result.code == 1 and COMMAND.search(result.output)


# pre-commit


@pytest.fixture
def user(scratch, env, path, execute, root):
    """A repository whose commits are checked by the hook of ours."""
    if not shutil.which("pre-commit"):
        pytest.skip("no pre-commit (pre-commit)")
    if not (root / ".git").exists():
        pytest.skip("not a clone")
    # The hook as it is in the work tree, whether committed or not.
    hooks = scratch / "hooks"
    (hooks / "helper").mkdir(parents=True)
    shutil.copy(root / ".pre-commit-hooks.yaml", hooks)
    shutil.copytree(root / "helper/ci", hooks / "helper/ci")
    repo = scratch / "user"
    repo.mkdir()

    def git(where, *words, code=0):
        done = subprocess.run(
            ["git", "-C", where, "-c", "user.name=A", "-c",
             "user.email=a@b", *words],
            env={**env, "PATH": path, "PRE_COMMIT_HOME": f"{scratch}/cache"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == code, done.stdout
        return done.stdout

    for place in (hooks, repo):
        git(place, "init", "-q")
    git(hooks, "add", "-A")
    git(hooks, "commit", "-qm", "hooks")
    rev = git(hooks, "rev-parse", "HEAD").strip()
    (repo / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hooks}\n  rev: {rev}\n"
        "  hooks:\n  - id: trace2-validate\n")
    execute(["pre-commit", "install"], cwd=repo, check=True, env={
        "PATH": path, "PRE_COMMIT_HOME": f"{scratch}/cache"})
    return repo, git


def test_hook_lets_a_good_log_be_committed_and_no_other(user, root):
    repo, git = user
    shutil.copy(root / GOOD, repo / "good.event")
    (repo / "text.txt").write_text("no log\n")
    git(repo, "add", "-A")
    shown = git(repo, "commit", "-m", "good")
    assert re.search(r"validate Trace2 logs\.+Passed", shown)
    shutil.copy(root / BAD, repo / "bad one.event")
    git(repo, "add", "-A")
    shown = git(repo, "commit", "-m", "bad", code=1)
    assert re.search(r"validate Trace2 logs\.+Failed", shown)
    assert "bad one.event:3:1: error[event.exit.code]: " in shown


@pytest.mark.long("installs a hook")
def test_hook_leaves_a_commit_without_logs_alone(user):
    repo, git = user
    (repo / "text.txt").write_text("no log\n")
    git(repo, "add", "text.txt", ".pre-commit-config.yaml")
    assert "Skipped" in git(repo, "commit", "-m", "text")
