"""A file that a command writes is never one of its inputs: it is told by its
name, the exit status is that of a file that can't be read, and the other
files are read."""

import os

import fxt_corpus
import pytest
from test_convert import process
from validate_kit import log

LOG = log(*process())
TOLD = b"this command writes to this file, so it was not read"

# The words of a command, in which D is the directory that is read.
COMMANDS = {
    "validate": "validate D",
    "summary": "summary D",
    "report": "report -o - D",
    "table": "table D",
    "descriptor": "table --format csv -o /dev/stdout D",
    "convert": "convert --to chrome D -",
    "redact": "redact D",
    "shard": "shard -n 2 D",
    "expect": "expect --list D",
    "diff": "diff D E",
    "dump": "dump F",
}


@pytest.fixture
def place(scratch):
    for name, text in {"D/a.event": LOG, "D/b.event": LOG, "E/a.event": LOG,
                       "F/a.event": fxt_corpus.sound()["every-event"],
                       "F/b.event": fxt_corpus.sound()["every-event"]}.items():
        (scratch / name).parent.mkdir(exist_ok=True)
        (scratch / name).write_bytes(text)
    return scratch


def target(words):
    return "F/a.event" if " F" in words else "D/a.event"


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("way", ["itself", "link", "hard"])
def test_an_input_that_gets_the_output_is_told_and_not_read(
    words, way, execute, trace2, place
):
    name = target(words)
    old = (place / name).read_bytes()
    (place / "other").hardlink_to(place / name)
    (place / "soft").symlink_to(name)
    out = {"itself": name, "link": "soft", "hard": "other"}[way]
    with open(place / out, "ab") as stream:
        done = execute([trace2, *words.split()], stdout=stream)
    assert done.returncode == 3
    assert TOLD in done.stderr and name.encode() in done.stderr
    assert (place / name).read_bytes().startswith(old)
    if "diff" not in words: # which does not compare a part
        assert len((place / name).read_bytes()) > len(old), "the others are read"


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_new_file_among_the_inputs_gets_what_another_place_would(
    words, execute, trace2, place
):
    """The shell has made `> DIR/rows` before the command looks at DIR."""
    wanted = execute([trace2, *words.split()])
    with open(place / target(words)[0] / "new", "wb") as stream:
        done = execute([trace2, *words.split()], stdout=stream)
    assert (done.returncode, done.stderr) == (wanted.returncode, wanted.stderr)
    if "validate" not in words: # its last line has the time
        assert (place / target(words)[0] / "new").read_bytes() == wanted.stdout


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_new_file_among_the_inputs_gets_the_messages(
    words, execute, trace2, place
):
    """`2> DIR/errors` is no log, but a log of before with `2>>` is one."""
    wanted = execute([trace2, *words.split()])
    with open(place / target(words)[0] / "new", "wb") as stream:
        done = execute([trace2, *words.split()], stderr=stream)
    assert done.returncode == wanted.returncode
    new = place / target(words)[0] / "new"
    assert new.read_bytes() == wanted.stderr
    new.unlink()
    with open(place / target(words), "ab") as stream:
        done = execute([trace2, *words.split()], stderr=stream)
    assert done.returncode == wanted.returncode
    if "validate" not in words:  # its last line has the time
        assert done.stdout == wanted.stdout


@pytest.mark.parametrize("words", ["summary -", "table -", "redact -",
                                   "validate -", "convert --to chrome - -"])
def test_standard_input_that_is_the_output_is_told(words, execute, trace2, place):
    path = place / "D/a.event"
    with open(path, "rb") as stdin, open(path, "ab") as stdout:
        done = execute([trace2, *words.split()], stdin=stdin, stdout=stdout,
                       timeout=10)
    assert done.returncode == 3 and TOLD in done.stderr


def test_a_log_that_is_followed_does_not_get_its_own_findings(
    execute, trace2, place
):
    path = place / "D/a.event"
    path.write_bytes(b"{no event\n" + LOG)
    with open(path, "ab") as stream:
        done = execute([trace2, "validate", "--follow", "D/a.event"],
                       stdout=stream, timeout=10)
    assert done.returncode == 3 and TOLD in done.stderr


@pytest.mark.parametrize("words", [
    "expect -o D/a.event D -- 'exit 0'", "expect -o soft D/a.event -- 'exit 0'",
    "expect -f checks -o checks D", "table -o D/a.event D",
    "table --select checks -o checks D", "table --select checks -o other D",
    "redact --hide all --key checks -o checks D/a.event",
    "report -o D/a.event D", "convert --to chrome D D/a.event",
    "redact -o D/a.event D/a.event",
])
def test_an_output_that_would_replace_an_input_is_refused(
    words, execute, trace2, place
):
    checks = b"exit 0\n# so long that it may be a key\n"
    (place / "checks").write_bytes(checks)
    (place / "other").hardlink_to(place / "checks")
    (place / "soft").symlink_to("D/a.event")
    done = execute(["sh", "-c", f"exec {trace2} {words}"])
    assert done.returncode in (2, 3) and done.stderr.count(b"\n") <= 2
    assert (place / "D/a.event").read_bytes() == LOG
    assert (place / "checks").read_bytes() == checks
    assert sorted(os.listdir(place / "D")) == ["a.event", "b.event"]
