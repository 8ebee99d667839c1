"""What SPEC.md shows is what happens: commands, and tables of texts.

Its EVENT examples are held against the schemas in test_schema_spec.py, its
NORMAL and PERF examples against the grammar in test_spec.py.
"""

import difflib
import json

import pytest

import readme
import spec as reader


@pytest.fixture(scope="module")
def text(root):
    return (root / "SPEC.md").read_text()


def test_commands_of_the_spec_print_what_stands_there(text):
    assert readme.commands(text)
    lines = text.splitlines(), readme.with_outputs(text).splitlines()
    assert list(difflib.unified_diff(*lines)) == []


def test_a_command_that_prints_something_else_is_found():
    block = "```console\n$ printf 'a\\nb\\n'\n{}$ false\n```\n"
    assert readme.with_outputs(block.format("a\n")) == block.format("a\nb\n")


def pairs(text, *heads):
    """A table of texts and what becomes of them, without the backticks."""
    rows = list(reader.Spec(text).table(*heads))
    return [[cell.strip("`").replace("(empty)", "") for cell in r]
            for r in rows]


def test_table_of_quoting_is_what_we_write(text, run, scratch):
    given, written = zip(*pairs(text, "argument", "written"))
    assert len(given) > 5 and "" in given
    env = {"GIT_TRACE2": str(scratch / "normal"), "GIT_TRACE2_BRIEF": "1"}
    run("300redact_start", *given, env=env)
    line = " ".join(["start", *written])
    assert line in (scratch / "normal").read_text().splitlines()


def test_table_of_redaction_is_what_we_write(text, run, scratch):
    given, written = zip(*pairs(text, "text", "written"))
    assert len(given) > 5
    run("300redact_start", *given,
        env={"GIT_TRACE2_EVENT": str(scratch / "event")})
    lines = (scratch / "event").read_text().splitlines()
    found = [json.loads(line).get("argv") for line in lines]
    assert list(written) in found
