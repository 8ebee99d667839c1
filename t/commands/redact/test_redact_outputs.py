"""Where `trace2 redact` writes: names of outputs, and inputs of any name."""

import gzip
import os

import pytest
from faults_kit import PLAIN, faults  # noqa: F401
from process_kit import running
from redact_kit import CLEAN

LINE = b'{"event":"exit","sid":"a"}\n'


@pytest.fixture
def redact(execute, trace2):
    """redact(*arguments): `trace2 redact`."""

    def call(*arguments, **options):
        return execute([trace2, "redact", *arguments], **options)

    return call


@pytest.fixture
def place(scratch, monkeypatch):
    """A directory of two logs beside one of another, and a log in it."""
    for name in ("in/a.log", "in/sub/b.log", "two/c.log", "next.log"):
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_bytes(LINE)
    monkeypatch.chdir(scratch)
    return scratch


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("words, shown", [
    ("in/", ["a.log", "sub"]),
    ("in two//", ["in", "two"]),
    ("in/sub/b.log two", ["b.log", "two"]),
])  # fmt: skip
def test_an_output_has_the_last_parts_of_its_inputs(redact, place, words, shown):
    assert redact("-o", "out//", *words.split()).returncode == 0
    assert names(place / "out") == shown


def test_what_is_above_has_no_name_of_its_own(redact, place, monkeypatch):
    (place / "two/deep").mkdir()
    (place / "place").mkdir()
    monkeypatch.chdir(place / "two/deep")
    options = {"cwd": place / "two/deep"}
    out = place / "place/out"
    assert redact("-o", out, "..", "../../in", **options).returncode == 0
    assert names(out) == ["c.log", "in"]
    assert names(out.parent) == ["out"]


def test_a_directory_whose_name_begins_with_two_dots_is_one(redact, place):
    (place / "..y").mkdir()
    (place / "..y/d.log").write_bytes(LINE)
    assert redact("-o", "out", "..y", "in").returncode == 0
    assert names(place / "out") == ["..y", "in"]


def test_standard_output_has_a_name(redact, place):
    done = redact("-o", "-", "next.log", "next.log")
    assert (done.returncode, done.stdout) == (0, 2 * LINE)
    assert not (place / "-").exists()


def test_standard_input_is_one_of_several(redact, place):
    assert redact("-o", "out", "-", "in", input=LINE).returncode == 0
    assert names(place / "out") == ["in", "stdin"]
    done = redact("-", input=b"word\n")
    assert done.returncode == 3
    assert done.stderr == (
        b"trace2 redact: standard input: this is a text file, no log; "
        b"expected an EVENT, NORMAL or PERF log\n")
    done = redact("./-", input=LINE)
    assert done.stderr == b"trace2 redact: ./-: No such file or directory\n"


def test_an_output_is_for_all_whom_the_umask_lets(redact, place):
    redact("-o", "out", "in")  # with the umask of all tests, 022
    modes = [(place / name).stat().st_mode & 0o777
             for name in ("out", "out/sub", "out/sub/b.log")]
    assert modes == [0o755, 0o755, 0o644]


@pytest.mark.parametrize("out, why", [
    ("in/sub/out", "is inside a directory that is read; expected another place"),
    ("in/sub/../out/", "is inside a directory that is read; expected another "
     "place"),
    ("none/out", "No such file or directory"),
    ("/", "exists already; expected a new directory"),
])  # fmt: skip
def test_a_place_that_cannot_be_is_refused(redact, place, out, why):
    done = redact("-o", out, "in")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode().endswith(f": {why}\n")
    assert names(place / "in/sub") == ["b.log"]
    assert not (place / "none").exists()


def test_of_a_log_that_breaks_off_late_its_lines_are_written(redact, place):
    lines = b"".join(b'{"event":"e%d","sid":"a"}\n' % n for n in range(100000))
    whole = gzip.compress(lines)
    (place / "late").mkdir()
    (place / "late/whole.gz").write_bytes(whole)
    (place / "late/cut.log.gz").write_bytes(whole[:-9])
    done = redact("-o", "out", "late")
    assert done.returncode == 3
    assert done.stderr.startswith(b"trace2 redact: late/cut.log.gz: the "
                                  b"compressed data end too early; its lines ")
    assert names(place / "out") == ["cut.log", "whole"]
    part = (place / "out/cut.log").read_bytes()
    assert lines.startswith(part) and part.endswith(b"}\n")
    assert len(part) > len(lines) / 2
    done = redact("-o", "other", "late/cut.log.gz")
    assert (done.returncode, (place / "other").read_bytes()) == (3, part)
    assert done.stderr.endswith(b" are written: %d\n" % part.count(b"\n"))
    assert redact("late/cut.log.gz").stdout == part
    assert not list(place.glob("*.partial"))


def test_a_log_of_which_no_line_can_be_read_leaves_no_output(redact, place):
    (place / "cut.gz").write_bytes(gzip.compress(LINE[:-1])[:-9])
    assert redact("-o", "out", "cut.gz").returncode == 3
    assert not (place / "out").exists()


def test_a_hidden_name_keeps_an_ending_that_tells_nothing(redact, place):
    kept = [".12345678", ".7", ".jsonl", ".trace2"]
    for ending in [*kept, "", ".", ".123456789", ".7a", ".bob"]:
        (place / f"two/c{ending}").write_bytes(LINE)
    (place / "two/.log").write_bytes(LINE)
    (place / "two/c.log").unlink()
    assert redact("--hide", "all", "-o", "out", "two").returncode == 0
    shown = [path.name for path in (place / "out").rglob("*") if path.is_file()]
    assert len(shown) == 10
    assert sorted(name[16:] for name in shown) == [""] * 6 + kept


def test_a_key_gives_the_same_names_and_values_each_time(redact, place):
    (place / "key").write_bytes(b"0123456789abcdef")
    (place / "user.log").write_bytes(
        b'{"event":"printf","sid":"a","msg":"bob"}\n')

    def hidden(*options):
        redact("--hide", "all", *options, "-o", "out", "in", "user.log")
        shown = names(place / "out")
        value = redact("--hide", "all", *options, "user.log").stdout
        for path in sorted((place / "out").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (place / "out").rmdir()
        return shown, value

    first = hidden("--key", "key")
    assert first == hidden("--key", "key") != hidden()
    assert len(first[0]) == 2 and not {"in", "user.log"} & set(first[0])
    assert b"bob" not in first[1] and b"<text-" in first[1]


# ---- Outputs that can't be whole


# So many that each of several buffers has to grow.
WORDS = (b" wwwwww" * 430)[:2999]


@PLAIN
@pytest.mark.parametrize("line, hide", [
    (b"09:30:42.112358 a.c:1                         printf x://u:p@h/\n", ""),
    (b"09:30:42.112358 a.c:1                         exit\n", ""), (CLEAN, ""),
    (b'{"event":"start","sid":"s","argv":["git","a\\u0041","x://u:p@h/"]}\n', "all"),
    (b'{"event":"def_param","param":"user.name","value":"bob"}\n', "all"),
    (b'{"event":"printf","msg":"%b\\u0041"}\n' % WORDS, ""),
    (b'{"event":"start","argv":["git","--%b","x://u:p@h"]}\n' % WORDS, "hosts"),
    (b'{"event":"version","exe":"%b","file":"/a"}\n' % WORDS, "paths"),
], ids=range(8))
def test_without_memory_a_log_is_written_whole_or_not_at_all(
        redact, faults, scratch, line, hide):
    (scratch / "a").write_bytes(line)
    (scratch / "b").write_bytes(line)
    (scratch / "key").write_bytes(b"0123456789abcdef")
    words = ("--hide", hide, "--key", "key") if hide else ()
    whole, codes = redact(*words, "a").stdout, []
    for call in range(1, 70):
        done = redact(*words, "-o", f"{call}-all", "a", "b",
                      env=faults(FAIL_REALLOC=call))
        assert len(list(scratch.glob(f"{call}-all*"))) == (done.returncode == 0)
        codes.append(redact(*words, "-o", "out", "a",
                            env=faults(FAIL_REALLOC=call)).returncode)
        if codes[-1] == 0:
            assert (scratch / "out").read_bytes() == whole
            (scratch / "out").unlink()
        assert not list(scratch.glob("out*"))
    assert set(codes) == {0, 3} and codes[-1] == 0  # there are fewer calls


def test_what_is_wrong_with_one_log_does_not_make_up_for_another(redact, scratch):
    (scratch / "lacks").write_bytes(CLEAN + b"{\n")
    (scratch / "text").write_bytes(b"word\n")
    (scratch / "torn.gz").write_bytes(b"\x1f\x8b\x08")
    assert redact("-o", "out", "lacks", "text").returncode == 1
    assert redact("-o", "more", "lacks", "torn.gz", "missing").returncode == 3


@pytest.mark.parametrize("more", [[], ["next"]])
def test_a_place_that_is_taken_meanwhile_is_left_to_whoever_took_it(
        trace2, env, scratch, more):
    os.mkfifo(scratch / "a")
    (scratch / "next").write_bytes(CLEAN)
    with running(trace2, "redact", "-o", "out", "a", *more, cwd=scratch,
                 env=env) as process:
        with open(scratch / "a", "wb") as log:
            log.write(CLEAN)
            (scratch / "out").mkdir()
            (scratch / "out/theirs").touch()
        assert process.wait(30) == 3
    assert [path.name for path in (scratch / "out").iterdir()] == ["theirs"]


def test_a_log_that_finds_no_room_leaves_an_older_output(execute, trace2, scratch):
    (scratch / "a").write_bytes(CLEAN * 999)
    (scratch / "out").write_bytes(b"old")
    done = execute(["sh", "-c", 'ulimit -f 8; exec "$0" redact -o out a', trace2])
    assert (done.returncode, done.stderr) == (3, (
        b"trace2 redact: a: the redacted log cannot be written: File too large\n"))
    assert (scratch / "out").read_bytes() == b"old"


def test_a_text_line_of_a_megabyte_is_kept_and_one_of_17_is_left_out(redact):
    head = b"09:30:42.112358 a.c:1                         "
    line, end = head + b"printf %s\n", head + b"exit\n"
    log = line % (b"x" * (1 << 20)) + end
    assert redact("-", input=log).stdout == log
    done = redact("-", input=line % (b"x" * (17 << 20)) + end)
    assert (done.returncode, done.stdout) == (1, end)
