"""helper/skill/SKILL.md: its commands run, and lead to the cause."""

import re
import shlex
import subprocess

import pytest
import yaml

# A story, the command of the skill, and what its first lines must tell.
CAUSES = [
    ("commit-with-a-slow-hook", "pre-commit", "79"),
    ("smudge-filter-started-by-other-threads", "60 × smudge.sh", "97"),
    ("push-with-a-slow-remote-hook", "pre-receive", "the remote runs"),
    ("agents-that-run-40-git-add-at-once", "index.lock", "codex"),
    ("index-lock-left-behind", "index.lock", "another program held it"),
]
FIRST = 12  # lines


@pytest.fixture(scope="module")
def skill(root):
    return (root / "helper/skill/SKILL.md").read_text()


def list_commands(text):
    """The commands of its blocks and of the code in its lines."""
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S))
    rest = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.findall(r"^trace2 .*$", blocks, re.M) + \
        re.findall(r"`(trace2 [^`]+)`", rest)


def test_the_skill_has_the_head_that_agents_read(skill):
    head = yaml.safe_load(skill.split("---\n")[1])
    assert head["name"] == "trace2" and len(head["description"]) <= 1024
    assert len(skill.splitlines()) < 200


def test_each_command_of_the_skill_runs(skill, root, trace2, scratch, env):
    commands = list_commands(skill)
    asked = {command.split()[1] for command in commands}
    assert asked >= {"record", "summary", "diff", "expect", "report", "table",
                     "validate", "redact", "doctor"}
    log = root / "t/stories/commit-with-a-slow-hook/log.event"
    (scratch / "logs").mkdir()
    for number in range(4):
        (scratch / f"logs/{number}").write_bytes(log.read_bytes())
    words = {"LOG": log, "LOGS": "logs", "A": "logs", "B": "logs",
             "/tmp/logs": "logs", "trace2": trace2}
    for command in commands:
        program = [words.get(word, word) for word in shlex.split(command)]
        if "record" in program:
            program[program.index("--") + 1:] = ["git", "--version"]
        done = subprocess.run(program, cwd=scratch, env=env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=30)
        assert done.returncode in (0, 1), (command, done.stderr)


@pytest.mark.parametrize("story,told", [(c[0], c[1:]) for c in CAUSES])
def test_the_first_lines_of_a_summary_have_the_cause(story, told, root,
                                                     trace2):
    logs = sorted((root / "t/stories" / story).glob("log*"))
    text = subprocess.run([trace2, "summary", *logs], capture_output=True,
                          text=True, timeout=30).stdout
    first = "\n".join(text.splitlines()[:FIRST])
    for words in told:
        assert words in first
