"""`trace2 dump`: archives as text, a line for each record."""

import fxt_corpus
import fxt_kit as fxt
import pytest
from validate_kit import CORPUS

SOUND = fxt_corpus.sound()


@pytest.fixture
def dump(execute, trace2, scratch):
    """dump(archive's bytes): (lines, exit code, standard error)."""

    def call(data):
        (scratch / "in.fxt").write_bytes(data)
        result = execute([trace2, "dump", "in.fxt"])
        return (result.stdout.decode().splitlines(), result.returncode,
                result.stderr.decode())

    return call


@pytest.mark.parametrize("command", [
    "validate a.fxt", "dump a.fxt", "convert --to chrome a.fxt out"])
def test_what_is_named_as_an_archive_is_read_as_one(command, execute, trace2,
                                                    scratch):
    """By every command, also if its first bytes are lost."""
    (scratch / "a.fxt").write_bytes(b"no magic at the beginning")
    result = execute([trace2, *command.split()])
    assert b"a.fxt:0x0: error[fxt.truncated]" in result.stdout + result.stderr


EVERY_RECORD = r'''
magic
provider id=1 name="test"
initialization ticks=1000000000
string index=1 text="argname"
thread index=1 process=10 thread=11
process_name id=10 name="program"
thread_name id=11 name="main" args={"process":"#10"}
blob type=1 name="a" bytes=5
object pointer=0x1000 process=10 name="object" args={"argname":1}
switch time=5 cpu=0 thread=11 state=3 to=12 args={"incoming_weight":2}
wakeup time=6 cpu=1 thread=12
switch time=7 cpu=0 thread=11 state=3 to=11
log time=8 process=10 thread=11 message="a message"
large_blob category="test" name="large" bytes=5
large_event time=9 process=10 thread=11 category="test" name="large" bytes=0 args={"argname":"x"}
module time=10 process=10 thread=11 index=7 name="m" bytes=2
mapping time=11 process=10 thread=11 index=7 bytes=24
backtrace time=12 process=10 thread=11 bytes=16
'''


def test_every_record_has_a_line(dump):
    lines, code, said = dump(SOUND["every-record"])
    assert [line.partition(" ")[2] for line in lines
            ] == EVERY_RECORD.strip().splitlines()
    assert (code, said) == (0, "")


def test_every_event_has_a_line(dump):
    lines, _, _ = dump(SOUND["every-event"])
    events = [line.split() for line in lines[5:]]
    assert [row[1] for row in events] == list(fxt.EVENTS)
    assert [row[2] for row in events] == [f"time={at}" for at in range(10, 21)]
    assert events[4][3] == "end=24" and events[1][-2] == "id=0x7"


def test_a_line_begins_with_the_offset_of_its_record(dump):
    data = SOUND["fillers"]
    lines, _, _ = dump(data)
    for line in lines:
        offset = int(line.split()[0], 16)
        size = data[offset] >> 4 | data[offset + 1] << 4
        assert size and offset % 8 == 0
    # Three runs of dead space are between the two events and behind them.
    assert [line.split()[1] for line in lines].count("complete") == 2
    assert not any("blob" in line for line in lines)


def test_a_record_with_an_error_is_marked_and_told(dump):
    broken = (CORPUS / "fail/fxt.padding/string.fxt").read_bytes()
    lines, code, said = dump(broken)
    assert [line for line in lines if "!" in line] == [
        '0x50! string index=2 text="name"']
    assert said == ("in.fxt:0x58: error[fxt.padding]: "
                    "bytes after the end are not zero\n")
    assert code == 1


def test_what_is_unknown_is_shown_by_its_type_and_size(dump):
    lines, code, said = dump(fxt.begin() + fxt.record(11, 0, bytes(16)))
    assert lines[-1].endswith("unknown type=11 subtype=0 words=3")
    assert (code, said) == (0, "")


def test_text_of_an_archive_cannot_leave_its_line(dump):
    lines, _, _ = dump(fxt.begin() + fxt.log(1, 'a\nb\x1b"\\'))
    assert lines[-1].endswith(r'message="a\nb\u001b\"\\"')


@pytest.mark.parametrize("words, code, said", [
    ([], 2, "trace2 dump: expected an archive\n"),
    (["--"], 2, "trace2 dump: expected an archive\n"),
    (["--novel"], 2, "unknown option '--novel'"),
    (["none"], 3, "error[input.unreadable]"),
    (["."], 3, "trace2 dump: there is no archive\n"),
])
def test_what_cannot_be_shown_is_said(words, code, said, execute, trace2):
    result = execute([trace2, "dump", *words])
    assert result.returncode == code
    assert said in result.stderr.decode()


def endless(archive):
    """A shell command whose output is the archive, and zeros without end."""
    return f"cat {archive} && exec cat /dev/zero"


@pytest.mark.parametrize("command", [
    "dump -", "validate -", "convert --to chrome - out.json",
])
def test_an_endless_archive_ends_at_a_size_of_zero(
    command, execute, trace2, scratch
):
    """Each record's header is once split between two reads."""
    (scratch / "in.fxt").write_bytes(SOUND["small"])
    result = execute(
        ["sh", "-c", f"{{ {endless('in.fxt')}; }} | timeout 30 \"$0\" {command}",
         trace2])
    assert result.returncode == 1
    assert b"fxt.record.zero" in result.stdout + result.stderr


def test_an_endless_device_is_read_only_to_its_first_record(
    execute, trace2, scratch
):
    (scratch / "z.fxt").symlink_to("/dev/zero")
    for command in ("dump", "validate"):
        result = execute(["timeout", "30", trace2, command, "z.fxt"])
        assert result.returncode == 1
        assert b"fxt.record.zero" in result.stdout + result.stderr


def test_a_header_in_two_reads_is_one_header(trace2, execute, scratch):
    """The pipe's reader gets the header of size 0 in single bytes."""
    (scratch / "in.fxt").write_bytes(SOUND["small"])
    slowly = ("cat in.fxt; for i in 1 2 3 4 5 6 7; do printf '\\0'; "
              "sleep 0.02; done; exec cat /dev/zero")
    result = execute(
        ["sh", "-c", f"{{ {slowly}; }} | timeout 30 \"$0\" validate -", trace2])
    assert result.returncode == 1
    assert result.stdout.count(b"fxt.record.zero") == 1


def test_each_of_several_archives_has_its_name(execute, trace2, scratch):
    """Their offsets all begin at 0."""
    (scratch / "d").mkdir()
    for name in ("d/a\x1bb.fxt", "in.fxt"):
        (scratch / name).write_bytes(SOUND["small"])
    (scratch / "d/text").write_text("no archive\n")
    one = execute([trace2, "dump", "in.fxt"]).stdout
    assert one.startswith(b"0x0 magic\n")
    result = execute([trace2, "dump", "d", "in.fxt"])
    assert result.stdout == (b"d/a?b.fxt:\n" + one + b"in.fxt:\n" + one)
    assert execute([trace2, "dump", "d"]).stdout == b"d/a?b.fxt:\n" + one
    with open(scratch / "in.fxt", "rb") as file:
        assert execute([trace2, "dump", "-"], stdin=file).stdout == one


def test_a_scope_beyond_the_thread_is_shown(dump):
    lines, code, said = dump(SOUND["scopes"])
    assert (code, said) == (0, "")
    assert [line.partition(" name=")[2] for line in lines[-3:]] == [
        '"thread" args={"value":0}',
        '"process" scope=process args={"value":1}',
        '"global" scope=global args={"value":2}']
