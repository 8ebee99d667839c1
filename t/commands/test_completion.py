"""Completion of trace2 in bash, zsh and fish, made from the option tables."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "helper/install"))

from completion import FREE, VALUES, commands  # noqa: E402

pytestmark = pytest.mark.plain("shells complete, not our programs")
SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def found(root):
    return list(commands(root / "helper"))


@pytest.fixture
def script(root, scratch):
    """script(shell): the path of what completes there."""

    def call(shell):
        if not shutil.which(shell):
            pytest.skip(f"no {shell} ({shell})")
        path = scratch / f"trace2.{shell}"
        if not path.exists():
            tool = root / "helper/install/completion.py"
            path.write_text(subprocess.check_output(
                [sys.executable, tool, shell], text=True))
        return path

    return call


@pytest.fixture
def complete(script, scratch, execute):
    """complete(shell, *words): what the shell offers for the last word."""

    def by_bash(*words):
        line = " ".join(f"'{word}'" for word in words)
        return f"""
            . ./trace2.bash
            COMP_WORDS=({line}) COMP_CWORD={len(words) - 1}
            _trace2
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """

    def by_fish(*words):
        return f"source trace2.fish; complete -C '{' '.join(words)}'"

    def call(shell, *words):
        script(shell)
        text = {"bash": by_bash, "fish": by_fish}[shell](*words)
        shown = execute([shell, "-c", text], stderr=None).stdout.decode()
        return {line.split("\t")[0] for line in shown.splitlines()} - {""}

    return call


def help_of(trace2, *command):
    return subprocess.check_output([trace2, *command, "--help"], text=True)


def test_commands_and_options_are_those_of_the_help(found, trace2):
    names = re.findall(r"^  ([a-z-]+)  ", help_of(trace2), re.M)
    assert [command.name for command in found] == names
    for command in found:
        told = set(re.findall(r"--([a-z][\w-]*)", help_of(trace2, command.name)))
        known = {option.name for option in command.options} | {"help"}
        assert known == told | {"help"}, command.name


def test_each_option_has_a_purpose_and_a_kind_of_value(found):
    for command in found:
        for option in command.options:
            assert len(option.purpose) > 5, option
            if option.has_value:
                kinds = (bool(option.values), option.name in FREE,
                         option.name in ("output", "socket", "file-pattern", "spool", "key", "redact-key",
                                         "config", "watch"))
                assert sum(kinds) == 1, option


@pytest.mark.parametrize("key", VALUES)
def test_each_value_is_accepted_and_no_other(key, found, trace2, scratch):
    option = key.split()[-1]

    def message(value):
        return subprocess.run(
            [trace2, command, f"--{option}", value, "--help"],
            cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    (command,) = {c.name for c in found for o in c.options
                  if key in (option, f"{c.name} {option}")
                  and o.name == option}  # fmt: skip
    values = VALUES[key].split()
    for value in values:
        assert message(value).returncode == 0, value
    assert message("no-such").returncode == 2
    wrong = message("no-such").stderr.decode()
    assert "no-such" in wrong


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_can_read_its_script(shell, script):
    path = script(shell)
    done = subprocess.run([shell, "-n", path], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_commands_options_and_values_are_offered(shell, complete):
    assert complete(shell, "trace2", "conv") == {"convert"}
    assert complete(shell, "trace2", "validate", "--list") == {
        "--listen", "--list-rules"}
    assert complete(shell, "trace2", "validate", "--format", "js") == {
        "json", "jsonl"}
    assert complete(shell, "trace2", "summary", "--format", "st") == {"state"}
    assert complete(shell, "trace2", "diff", "--fail-on", "r") == {"regression"}
    assert complete(shell, "trace2", "manager", "--ti") == {"--timeout"}
    assert "--kernel" not in complete(shell, "trace2", "manager", "--")


def test_bash_offers_no_files_where_a_number_is_wanted(complete):
    assert complete("bash", "trace2", "validate", "--jobs", "") == set()
