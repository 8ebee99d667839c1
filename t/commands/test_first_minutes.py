"""What a new user meets in the first minutes: help, typos, no provider."""

import gzip
import json
import os
import re
import select
import signal
import subprocess
from pathlib import Path

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
        b"trace2: unknown command 'zzz' (validate, summary, report, diff, table, expect, "
        b"shard, redact, "
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
    assert b"or a program that links libtrace2" in done.stderr
    assert b"sudo, ssh, containers" in done.stderr
    assert not list(scratch.glob("trace.fxt*"))


GOOD = Path(__file__).parents[1] / "corpus/pass/real/evt4-git2.55/version.event"


def on_terminal(command):
    """What it prints on a terminal, with its input, too."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs
    ) as done:
        said = b""
        while done.poll() is None:
            while select.select([ours], [], [], 0.05)[0]:
                said += os.read(ours, 65536)
        while select.select([ours], [], [], 0)[0]:
            said += os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)
    return done.returncode, said.decode().replace("\r\n", "\n")


def test_a_log_on_standard_input_needs_no_argument(execute, trace2):
    done = execute([trace2, "validate"], input=GOOD.read_bytes())
    assert done.returncode == 0
    assert re.fullmatch(
        rb"OK: \d+ events of 1 process in 1 file\n", done.stdout
    )


def test_a_terminal_is_not_waited_for(trace2):
    code, said = on_terminal([trace2, "validate"])
    assert code == 2
    assert "nothing to check; name a file or a directory" in said


@pytest.fixture
def broken(scratch):
    """Nine processes, and each has the same defect and one of its own."""
    text = GOOD.read_text()
    (sid,) = set(re.findall('"sid":"([^"]*)"', text))
    folder = scratch / "broken logs"
    folder.mkdir()
    for number in range(9):
        log = text.replace(sid, f"{sid[:-8]}{number:08x}")
        log = log.replace('"t_abs":', '"t_bas":', 1)
        (folder / f"log {number}").write_text(log)
    return folder


def test_a_terminal_shows_five_findings_of_a_rule(trace2, broken):
    code, said = on_terminal([trace2, "validate", "--color=never", broken])
    assert code == 1
    assert said.count("error[event.start.t_abs]: ") == 5
    assert (
        "\nand 4 more of event.start.t_abs (--max-per-rule 0 shows all)\n"
        in said
    )
    assert "\nFound 9 errors and 9 infos in " in said


@pytest.mark.parametrize("options", [
    ["--max-per-rule", "0"], ["--format", "full"], ["--max-findings", "99"]])  # fmt: skip
def test_a_terminal_shows_all_that_is_asked_for(trace2, broken, options):
    code, said = on_terminal([trace2, "validate", *options, broken])
    assert code == 1
    assert said.count("event.start.t_abs]") == 9
    assert " more " not in said


@pytest.mark.parametrize("most", [1, 4, 9, 10])
def test_each_rule_has_its_first_findings_shown(trace2, execute, broken, most):
    """Others are counted, and the order is that of all findings."""
    logs = sorted(broken.iterdir(), reverse=True) * 100

    def run(*options):
        done = execute([trace2, "validate", *options, *logs])
        assert done.returncode == 1
        return done.stdout.decode().splitlines()

    *whole, summary = run("--max-per-rule", "0")
    seen, wanted = {}, []
    for line in whole:
        rule = re.search(r"\[([a-z0-9._-]*)\]", line)[1]
        seen[rule] = seen.get(rule, 0) + 1
        if seen[rule] <= most:
            wanted.append(line)
    for rule in sorted(seen):
        if seen[rule] > most:
            wanted.append(f"and {seen[rule] - most:,} more of {rule} "
                          "(--max-per-rule 0 shows all)")  # fmt: skip
    assert run("--max-per-rule", str(most)) == [*wanted, summary]


def test_json_counts_what_the_limit_of_a_rule_hides(trace2, execute, broken):
    done = execute(
        [trace2, "validate", "--format=json", "--max-per-rule=2", broken]
    )
    said = json.loads(done.stdout)
    assert len(said["findings"]) == 4
    assert said["summary"]["not_shown"] == 14
    assert said["summary"]["findings"]["error"] == 9


def test_a_limit_of_rules_holds_for_a_log_that_is_heard(trace2, broken):
    """One finding after the other, none of them put aside."""
    log = broken / "log 0"
    logs = sorted(broken.iterdir())
    log.write_bytes(b"".join(p.read_bytes() for p in logs) + b'{"the last\n')
    with subprocess.Popen(
        [trace2, "validate", "--max-per-rule=3", "--follow", log],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as done:  # fmt: skip
        said = []
        while not said or b"[input." not in said[-1]:
            said.append(done.stdout.readline())
            assert said[-1]
        done.send_signal(signal.SIGINT)
        rest = done.stdout.read()
    assert sum(b"event.start.t_abs]: " in line for line in said) == 3
    assert b"and 6 more of event.start.t_abs (" in rest


FOREIGN = [
    (GOOD.read_bytes(), "a Trace2 EVENT log"),
    (b"12:00:00.000000 a.c:1                        version 2.55.0\n" * 2,
     "a Trace2 NORMAL log"),
    (b'{"traceEvents":[]}\n', "a trace in Chrome's JSON"),
    (b"# Hello\n", "a text file, no log"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(99), "a binary file"),
    (b"", "an empty file"),
]  # fmt: skip


@pytest.mark.parametrize("content, name", FOREIGN, ids=lambda x: str(x)[:9])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_dump_says_what_a_file_is_that_it_cannot_show(
    execute, trace2, scratch, content, name, pack
):
    (scratch / "a file").write_bytes(pack(content))
    done = execute([trace2, "dump", "a file"])
    assert done.returncode == 3
    assert done.stderr.decode().startswith(
        f"trace2 dump: a file: this is {name}; "
        "expected an archive of the FXT format"
    )
    assert done.stdout == b""


@pytest.mark.parametrize("content, name", FOREIGN[3:], ids=lambda x: str(x)[:9])
def test_convert_says_what_a_file_is_that_it_cannot_take(
    execute, trace2, scratch, content, name
):
    (scratch / "in").write_bytes(content)
    (scratch / "out.fxt").write_bytes(b"kept")
    done = execute([trace2, "convert", "in", "out.fxt"])
    assert done.returncode == 3
    assert done.stderr.decode() == (
        f"trace2 convert: in: this is {name}; "
        "expected an EVENT, PERF or NORMAL log, or Chrome's JSON\n"
    )
    assert (scratch / "out.fxt").read_bytes() == b"kept"


def test_a_part_of_an_id_lists_the_rules_below_it(execute, trace2):
    done = execute([trace2, "validate", "--explain", "event.start"])
    ids = [line.split("\t")[0] for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert "event.start.argv" in ids
    assert all(one.startswith("event.start.") for one in ids)


def test_an_input_that_is_no_log_is_told_as_what_it_is(
    execute, trace2, root, scratch
):
    log = root / "t/corpus/pass/real/evt4-git2.55/clone.event"
    done = execute([trace2, "summary", "--format", "state", log])
    (scratch / "all.state").write_bytes(done.stdout)
    done = execute([trace2, "summary", "all.state", ""], cwd=scratch)
    assert done.returncode == 3
    assert done.stderr.decode().startswith(
        "trace2 summary: all.state: this is a state, which 'trace2 summary "
        "--merge' reads; expected an EVENT, PERF or NORMAL log")
    assert "\n'':1:1: error[input.unreadable]: No" in done.stderr.decode()
