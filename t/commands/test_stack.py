"""Small stacks: less than what a command needs is told, and with that much
nothing in a log ends it."""

import json
import resource
import subprocess

import pytest
from collect_kit import Service, send_lines
from conftest import UNDER
from test_convert import event, process
from validate_kit import log

KIB = 1024
COMMANDS = {
    "validate": ["validate", "log"], "summary": ["summary", "log"],
    "report": ["report", "-o", "-", "log"], "diff": ["diff", "log", "log"],
    "table": ["table", "--rows", "events", "log"],
    "redact": ["redact", "--hide", "all", "log"],
    **{to: ["convert", "--to", to, "log", "-"] for to in (
        "fxt", "chrome", "perfetto", "otlp", "folded")},
}


def limit_stack(kib):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (kib * KIB,) * 2)
    return limit


@pytest.fixture
def deep(scratch):
    """A log with long texts and values that are nested as deep as they may be."""
    text = json.dumps("x" * 100_000)
    value = "[" * 510 + "1" + "]" * 510
    data = ',"repo":1,"t_abs":0.1,"t_rel":0.1,"nesting":1,"category":"c","key":"k"'
    lines = log(*process(event("error", f',"msg":{text},"fmt":{text}'),
                         event("data", f'{data},"value":{text}'),
                         event("data_json", f'{data},"value":{value}')))
    (scratch / "log").write_bytes(lines)
    return lines


def test_a_stack_that_is_too_small_is_told(trace2, scratch, deep):
    for words, status in (*((words, 3) for words in COMMANDS.values()),
                          (["collect", "-o", "stdout"], 3),
                          (["record", "--", "true"], 1)):
        done = subprocess.run([trace2, *words], preexec_fn=limit_stack(100),
                              cwd=scratch, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (status, b""), words
        assert done.stderr == (b"trace2: the limit of the stack (ulimit -s) is "
                               b"100 KiB; at least 128 KiB are needed\n")


@pytest.mark.skipif(bool(UNDER), reason="a sanitizer needs more")
@pytest.mark.parametrize("name", COMMANDS)
def test_the_smallest_stack_is_enough_for_any_log(name, trace2, scratch, deep):
    done = subprocess.run([trace2, *COMMANDS[name]], cwd=scratch,
                          preexec_fn=limit_stack(128), capture_output=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout


@pytest.mark.skipif(bool(UNDER), reason="a sanitizer needs more")
@pytest.mark.parametrize("options", [
    ["--redact", "all"], ["--check", "mark"], ["--compress=zstd"],
    ["--compress=gzip", "--redact", "passwords"]], ids=" ".join)
def test_the_smallest_stack_is_enough_for_the_service(options, trace2, short_dir,
                                                      deep):
    running = Service(trace2, short_dir, ["-o", "files:logs", *options])
    running.limit_files = limit_stack(128)
    try:
        running.begin()
        send_lines(running.path, deep.splitlines(keepends=True))
        assert running.end()[0] == 0
        assert running.logs(".log*")
    finally:
        running.kill()
