"""What a new user meets in the first minutes: help, typos, no provider."""

import pytest


@pytest.mark.parametrize("name", ["validate", "dump", "record", "manager"])
def test_help_of_a_command_is_what_its_option_prints(execute, trace2, name):
    done = execute([trace2, "help", name])
    option = execute([trace2, name, "--help"])
    assert done.returncode == 0
    assert done.stdout == option.stdout != b""


@pytest.mark.parametrize("word", ["help", "version"])
def test_a_word_works_like_its_option(execute, trace2, word):
    done = execute([trace2, word])
    assert done.returncode == 0
    assert done.stdout == execute([trace2, "--" + word]).stdout != b""


@pytest.mark.parametrize("arguments", [["vaildate"], ["help", "validte"]])
def test_a_mistyped_command_names_the_one_that_is_near(
    execute, trace2, arguments
):
    done = execute([trace2, *arguments])
    assert done.returncode == 2
    assert done.stderr.decode() == (
        f"trace2: unknown command '{arguments[-1]}'; "
        "did you mean 'validate'?\n"
    )


def test_an_unknown_command_lists_those_that_exist(execute, trace2):
    done = execute([trace2, "zzz"])
    assert done.returncode == 2
    assert done.stderr.startswith(
        b"trace2: unknown command 'zzz' (validate, convert, dump, "
    )
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("ending, code", [("0", 1), ("3", 3)])
def test_a_command_without_a_provider_leaves_no_archive(
    execute, trace2, short_dir, scratch, ending, code
):
    done = execute(
        [trace2, "record", "--", "sh", "-c", "exit " + ending],
        env={"TMPDIR": str(short_dir)},
    )
    assert done.returncode == code
    assert b"expected a program with a trace provider" in done.stderr
    assert b"GIT_TRACE2_EVENT=" in done.stderr
    assert not list(scratch.glob("trace.fxt*"))
