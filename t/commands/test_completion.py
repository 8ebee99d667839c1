"""Completion of trace2 in bash, zsh and fish, and the options of the manuals,
against the option tables."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "helper/install"))

from completion import commands  # noqa: E402

pytestmark = pytest.mark.plain("shells complete, not our programs")
SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def found(trace2):
    return list(commands(trace2))


@pytest.fixture
def script(root, trace2, scratch):
    """script(shell): the path of what completes there."""

    def call(shell):
        if not shutil.which(shell):
            pytest.skip(f"no {shell} ({shell})")
        path = scratch / f"trace2.{shell}"
        if not path.exists():
            tool = root / "helper/install/completion.py"
            path.write_text(subprocess.check_output(
                [sys.executable, tool, shell, trace2], text=True))
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


def test_every_command_of_the_help_is_completed(found, trace2):
    names = re.findall(r"^  ([a-z-]+)  ", help_of(trace2), re.M)
    assert [command.name for command in found] == names


def test_each_option_has_a_purpose_that_is_short(found):
    for command in found:
        for option in command.options:
            assert 5 < len(option.purpose) < 100, option
            assert "(default" not in option.purpose, option


def options_with_words(found):
    return [(command.name, option) for command in found
            for option in command.options
            if option.values and option.values != ["files"]]


def test_names_of_files_are_completed_where_the_help_says_file(found, trace2):
    for command in found:
        said = set(re.findall(r"^  (?:-., )?--([a-z-]+) (?:FILE|DIR)\b",
                              help_of(trace2, command.name), re.M))
        offered = {option.name for option in command.options
                   if option.values == ["files"]}
        assert said <= offered, command.name


def test_each_word_of_an_option_is_accepted_and_told(found, trace2):
    for name, option in options_with_words(found):
        shown = help_of(trace2, name)
        for value in option.values:
            done = subprocess.run(
                [trace2, name, f"--{option.name}={value}", "--help"],
                stdout=subprocess.PIPE)
            assert done.returncode == 0, (name, option.name, value)
            assert re.search(rf"\b{value}\b", shown), (name, value)


# ---- The manuals

ITEM = re.compile(r"^\.It (Fl .*)", re.M)
FLAG = re.compile(r"Fl (-?)([\w-]+)(?: Ns)?(?: Op = Ns)?(?: (?:Ar|Cm) (\S+))?")


def manual_options(root, name):
    """By name, the letter that the manual has for it."""
    page = (root / f"helper/man/trace2-{name}.1").read_text()
    options = {}
    for item in ITEM.findall(page):
        flags = FLAG.findall(item)
        letter = next((flag for long, flag, _ in flags if not long), None)
        options.update((flag, letter) for long, flag, _ in flags if long)
    return options


def test_each_manual_has_the_options_of_its_command(found, root, trace2):
    for command in found:
        shown = help_of(trace2, command.name)
        letters = {name: letter or None for letter, name in
                   re.findall(r"^  (?:-(\w), )?--([\w-]+)", shown, re.M)}
        letters.pop("help")
        options = manual_options(root, command.name)
        options.pop("help", None)
        assert options == letters, command.name


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
    assert complete("bash", "trace2", "validate", "--max-findings", "") == set()
