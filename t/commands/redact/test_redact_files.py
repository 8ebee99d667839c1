"""`trace2 redact`: where logs come from and go to, and what can't be read."""

import gzip
import re
from pathlib import Path

import pytest
from redact_kit import CLEAN, KEY, KINDS, PASSWORD, SID, printf
from test_validate import zstd


@pytest.fixture
def redact(execute, trace2, scratch):
    """redact(*arguments): `trace2 redact`."""
    (scratch / "key").write_bytes(KEY)

    def call(*arguments, **options):
        return execute([trace2, "redact", *map(str, arguments)], **options)

    return call


# ---- Files


@pytest.fixture
def logs(scratch):
    """A directory of three logs, two of them compressed."""
    (scratch / "logs/sub").mkdir(parents=True)
    (scratch / "logs/a.log").write_bytes(PASSWORD % b"one")
    (scratch / "logs/sub/b.log.gz").write_bytes(
        gzip.compress(PASSWORD % b"two"))
    (scratch / "logs/sub/c.zst").write_bytes(zstd(PASSWORD % b"three"))
    return scratch / "logs"


def contents(place):
    return {str(path.relative_to(place)): path.read_bytes()
            for path in place.rglob("*") if path.is_file()}


def test_a_directory_in_gives_a_directory_out(redact, logs, scratch):
    done = redact("-o", "out/", "logs/")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert contents(scratch / "out") == {
        "a.log": CLEAN, "sub/b.log": CLEAN, "sub/c": CLEAN}
    assert not list(scratch.glob("*.partial"))


def test_several_inputs_keep_apart_in_the_output(redact, logs, scratch):
    done = redact("-o", "out", "logs", "logs/a.log", "-", input=CLEAN)
    assert (done.returncode, done.stderr) == (0, b"")
    assert contents(scratch / "out") == {
        "logs/a.log": CLEAN, "logs/sub/b.log": CLEAN, "logs/sub/c": CLEAN,
        "a.log": CLEAN, "stdin": CLEAN}


def test_names_of_files_are_hidden_unless_they_are_sids(redact, scratch):
    (scratch / "logs/alice").mkdir(parents=True)
    for name in (SID, SID + ".1", "alice/bob.event", "alice/2026-11-23",
                 SID + "x"):
        (scratch / "logs" / name).write_bytes(printf("x"))
    assert redact("--hide", "users", "-o", "out", "logs").returncode == 0
    names = sorted(contents(scratch / "out"))
    assert names[1:3] == [SID, SID + ".1"] or SID in names
    assert SID + ".1" in names
    assert not [name for name in names if re.search("alice|bob|x$", name)]
    assert [n for n in names if re.fullmatch(r"\w{16}/\w{16}\.event", n)]
    assert [n for n in names if re.fullmatch(r"\w{16}/2026-11-23", n)]


def test_to_standard_output_each_log_begins_a_line(redact, scratch):
    (scratch / "a").write_bytes(CLEAN[:-1])
    (scratch / "b").write_bytes(b"")
    done = redact("a", "b", "a")
    assert done.returncode == 0
    assert done.stdout == CLEAN + CLEAN[:-1]


def test_an_output_is_replaced_only_when_it_is_whole(redact, scratch):
    (scratch / "a").write_bytes(PASSWORD % b"one")
    (scratch / "out").write_text("mine")
    (scratch / "broken.gz").write_bytes(gzip.compress(CLEAN * 999)[:-20])
    done = redact("-o", "out", "broken.gz")
    assert done.returncode == 3
    assert done.stderr == (
        b"trace2 redact: broken.gz: the compressed data end too early; the "
        b"output exists and is not replaced by a part of a log, expected "
        b"another place\n")
    assert (scratch / "out").read_text() == "mine"
    assert redact("-o", "out", "a").returncode == 0
    assert (scratch / "out").read_bytes() == CLEAN


@pytest.mark.parametrize("options", [("-o", "a"), ("-o", "link")])
def test_a_log_is_never_overwritten(redact, scratch, options):
    (scratch / "a").write_bytes(PASSWORD % b"one")
    (scratch / "link").symlink_to("a")
    done = redact(*options, "a")
    assert done.returncode == 3
    assert b"is the log that is read; expected another place" in done.stderr
    assert (scratch / "a").read_bytes() == PASSWORD % b"one"


def test_a_log_is_not_appended_to_itself(redact, scratch):
    (scratch / "a").write_bytes(PASSWORD % b"one")
    with open(scratch / "a", "ab") as out:
        done = redact("a", stdout=out)
    assert done.returncode == 3
    assert (scratch / "a").read_bytes() == PASSWORD % b"one"


@pytest.mark.parametrize("output, why", [
    ("there", b"there: exists already; expected a new directory"),
    ("logs/out", b"logs/out: is inside a directory that is read"),
    ("logs/sub/out", b"is inside a directory that is read"),
    ("no/out", b"No such file or directory"),
])
def test_a_directory_of_outputs_has_to_be_new(
        redact, logs, scratch, output, why):
    (scratch / "there").mkdir()
    before = contents(scratch)
    done = redact("-o", output, "logs")
    assert done.returncode == 3
    assert why in done.stderr
    assert contents(scratch) == before


def test_what_a_killed_run_left_is_not_touched(redact, logs, scratch):
    (scratch / "out.partial").mkdir()
    assert redact("-o", "out", "logs").returncode == 0
    assert contents(scratch / "out.partial") == {}
    assert (scratch / "out").exists()


def test_two_logs_of_one_name_are_both_written(redact, scratch):
    for name in ("a/x", "b/x", "b/x.2", "c/x"):
        (scratch / name).parent.mkdir(exist_ok=True)
        (scratch / name).write_bytes(PASSWORD % name[:1].encode())
    (scratch / "a/x.gz").write_bytes(gzip.compress(PASSWORD % b"one"))
    done = redact("-o", "stdin", "-", "-", input=CLEAN)
    assert done.stderr == (b"trace2 redact: standard input: another log has its "
                           b"name, so its copy is stdin/stdin.2\n")
    done = redact("-o", "out", "a/x", "a/x.gz", "b/x.2", "b/x", "c/x")
    assert (done.returncode, done.stderr.decode()) == (0, (
        "trace2 redact: a/x.gz: another log has its name, so its copy is out/x.2\n"
        "trace2 redact: b/x.2: another log has its name, so its copy is out/x.2.3\n"
        "trace2 redact: b/x: another log has its name, so its copy is out/x.4\n"
        "trace2 redact: c/x: another log has its name, so its copy is out/x.5\n"))
    assert contents(scratch / "out") == dict.fromkeys(
        ["x", "x.2", "x.2.3", "x.4", "x.5"], CLEAN)


@pytest.mark.parametrize("words, refused", [
    (["a/x", "b/x"], "/x/y: Not a directory"),
    (["c/x", "d"], "y: File name too long"),
])
def test_log_whose_name_cannot_be_made_costs_no_other(
        redact, scratch, monkeypatch, words, refused):
    monkeypatch.chdir(scratch)
    deep = Path("d", *["e" * 250] * 15, "e" * 150)
    for name in ("a/x", "b/x/y", "c/x", deep / "y"):
        Path(name).parent.mkdir(parents=True)
        Path(name).write_bytes(PASSWORD % b"one")
    out = "o" * 230
    done = redact("-o", out, *words)
    assert done.returncode == 1
    assert refused in done.stderr.decode()
    assert contents(Path(out)) == {"x": CLEAN}


def test_a_full_disk_is_reported_and_leaves_nothing(redact, scratch):
    (scratch / "a").write_bytes(CLEAN * 999)
    done = redact("-o", "/dev/full", "a")
    assert done.returncode == 3
    assert b"cannot be written: No space left on device" in done.stderr
    with open("/dev/full", "wb") as full:
        assert redact("a", stdout=full).returncode == 3


def test_a_limit_on_files_leaves_no_half_directory(
        execute, trace2, scratch):
    (scratch / "logs/sub").mkdir(parents=True)
    (scratch / "logs/a").write_bytes(CLEAN)
    (scratch / "logs/sub/b").write_bytes(CLEAN * 9999)
    done = execute(["sh", "-c", 'ulimit -f 8; exec "$0" redact -o out logs',
                    trace2])
    assert done.returncode == 3
    assert b"logs/sub/b: the redacted log cannot be written" in done.stderr
    assert not list(scratch.glob("out*"))


@pytest.mark.plain("its checks of memory need a descriptor")
@pytest.mark.parametrize("most", range(4, 8))
def test_a_process_of_few_descriptors_leaves_no_half_directory(
        execute, trace2, scratch, most):
    (scratch / "logs").mkdir()
    (scratch / "logs/a").write_bytes(CLEAN)
    done = execute(["sh", "-c", f'ulimit -n {most}; exec "$0" redact -o out logs',
                    trace2])
    assert done.returncode in (0, 3)
    assert [path.name for path in scratch.glob("out*")] == \
        ([] if done.returncode else ["out"])


@pytest.mark.long("makes 4,000 files")
def test_many_small_logs_are_all_written(redact, scratch):
    (scratch / "logs").mkdir()
    for number in range(2000):
        (scratch / f"logs/{number}").write_bytes(PASSWORD % b"one")
    assert redact("-o", "out", "logs").returncode == 0
    assert set(contents(scratch / "out").values()) == {CLEAN}
    assert len(contents(scratch / "out")) == 2000


def test_a_long_log_loses_nothing(redact, scratch):
    """Blocks begin and end anywhere in its lines."""
    lines = [printf("x" * (number % 999) + "https://u:p@h", line=number)
             for number in range(20000)]
    log = b"".join(lines)
    done = redact("-", input=log)
    assert done.returncode == 0
    assert done.stdout == log.replace(b"u:p@", b"u:<REDACTED>@")


# ---- What can't be read


@pytest.mark.parametrize("line", [
    b'{"event":"printf","msg":"https://u:p@h',
    b'["https://u:p@h"]', b'{"event":"a"}{"event":"https://u:p@h"}',
    b'{"event":"\xff"}', b'{"event":"a\0b"}',
    b'{"event":"printf","msg":"%s"}' % (b"x" * (17 << 20)),
], ids=("torn", "array", "two", "utf8", "nul", "long"))
def test_a_line_that_cannot_be_read_is_left_out(redact, scratch, line):
    (scratch / "a").write_bytes(CLEAN + line + b"\n" + CLEAN + line)
    done = redact("a")
    assert (done.returncode, done.stdout) == (1, CLEAN + CLEAN)
    assert b"a: 2 lines were left out, first line 2: " in done.stderr


def test_a_text_line_with_nul_is_left_out(redact, root):
    log = (root / "t/corpus/pass/text/brief.normal").read_bytes()
    bad = b"printf\0https://u:p@h\n"
    done = redact("-", input=log + bad)
    assert (done.returncode, done.stdout) == (1, log)
    assert b"1 line was left out" in done.stderr


@pytest.mark.parametrize("content, what", [
    (b"\x00\x01\x02", b"a binary file"), (b"word\n", b"a text file, no log"),
    (b"{}\n", b"a text file, no log"), (b"[1]\n", b"a text file, no log"),
    (b'[{"ph":"X"}]\n', b"a trace in Chrome's JSON"),
    (b'{"traceEvents":[]}\n', b"a trace in Chrome's JSON"),
    (b'x"ph":"X"\n', b"a text file, no log"),
])
def test_a_file_that_is_no_log_is_left_out(redact, scratch, content, what):
    (scratch / "logs").mkdir()
    (scratch / "logs/a").write_bytes(content)
    done = redact("-o", "out", "logs")
    assert done.returncode == 3
    assert (b"logs/a: this is " + what + b"; expected an EVENT, NORMAL or "
            b"PERF log") in done.stderr
    assert not list(scratch.glob("out*"))
    (scratch / "logs/b").write_bytes(CLEAN)
    assert redact("-o", "out", "logs").returncode == 1
    assert contents(scratch / "out") == {"b": CLEAN}


def test_lines_of_programs_between_events_have_no_secrets(redact):
    done = redact("-", input=CLEAN + b"word https://u:p@h\n" + CLEAN)
    assert (done.returncode, done.stdout) == (
        0, CLEAN + b"word https://u:<REDACTED>@h\n" + CLEAN)
    done = redact("--hide", "users", "-", input=CLEAN + b"a b\n" + CLEAN)
    assert re.search(rb"\n<text-[0-9a-f]{16}>\n", done.stdout)


REAL = "t/corpus/pass/real/evt4-git2.55"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", ["clone.perf", "clone.normal", "brief.perf",
                                  "brief.normal", "stash.perf"])
def test_text_logs_say_the_same_when_values_are_hidden(
        redact, execute, trace2, root, scratch, name, encoding):
    text = (root / REAL / name).read_text()
    (scratch / "log").write_bytes(text.encode(encoding))
    done = redact("--hide", "all", "--key", "key", "-o", "copy", "log")
    assert (done.returncode, done.stderr) == (0, b"")
    shown = (scratch / "copy").read_text()
    assert len(shown.splitlines()) == len(text.splitlines())
    assert not re.search("scenario|/root", shown)
    for command in (("validate", "--format", "json"),
                    ("table", "--rows", "processes"),
                    ("table", "--rows", "regions")):
        said = [execute([trace2, *command, log]).stdout
                for log in ("log", "copy")]
        said = [re.sub(rb'"(sid|root|input|file|name|command|caller|seconds|'
                       rb'excerpt|message)": ?("[^"]*"|[0-9.]+),?|"log"'
                       rb'|"copy"|(log|copy)#[^",]*|[0-9]{8}T[^",]*', b"",
                       text) for text in said]
        if encoding == "utf-8" or command[0] == "table":
            assert said[0].count(b"\n") == said[1].count(b"\n")


def test_each_line_of_a_pasted_log_keeps_its_form(redact):
    perf = ("{}10:00:00.000000 git.c:1                      | d0 | main    "
            "                 | {:12} |     |  0.001000 |           |      "
            "        | {}")
    lines = [perf.format("> ", "version", "2.55.0"),
             perf.format("remote: ", "start", "git -C /home/me/ab status"),
             "\x1b[32mbox1  |\x1b[0m " + perf.format(
                 "", "cmd_path", "/usr/bin/git"),
             "10:00:00.000000 git.c:460               trace: built-in: git "
             "fetch corp.example:x",
             "10:00:00.000000 trace.c:4               performance: 0.000123 s:"
             " git command: git fetch corp.example:x",
             "10:00:00.000000 http.c:8                == Info: Connected to "
             "corp.example",
             "Cloning into 'secretproject'...", ""]
    done = redact("--hide", "all", "--key", "key", "-",
                  input="\r\n".join(lines).encode())
    shown = re.sub(r"<(\w+)-[0-9a-f]{16}>", r"<\1>", done.stdout.decode())
    assert shown.split("\r\n") == [
        perf.format("> ", "version", "2.55.0"),
        perf.format("remote: ", "start", "git -C '<path>' status"),
        perf.format("<text>  | ", "cmd_path", "<path>"),
        "10:00:00.000000 git.c:460               trace: built-in: <text>",
        "10:00:00.000000 trace.c:4               performance: <text>",
        "10:00:00.000000 http.c:8                == Info: <text>",
        "<text>", ""]


def test_a_place_in_gits_source_is_no_host_where_the_clocks_are_gone(redact):
    lines = ["    common-main.c:55                  version 2.45.1",
             "    common-main.c:56                  start git -C {} status"]
    done = redact("--hide", "all", "--key", "key", "-",
                  input="\n".join(lines).format("/home/me/ab").encode())
    shown = re.sub(r"<(\w+)-[0-9a-f]{16}>", r"<\1>", done.stdout.decode())
    assert shown == "\n".join(lines).format("'<path>'")


def test_an_input_that_is_missing_is_reported(redact, scratch):
    (scratch / "a").write_bytes(CLEAN)
    done = redact("a", "nothing")
    assert (done.returncode, done.stdout) == (3, CLEAN)
    assert b"nothing: No such file or directory" in done.stderr


def test_an_empty_directory_has_no_log(redact, scratch):
    (scratch / "logs").mkdir()
    done = redact("-o", "out", "logs")
    assert done.returncode == 3
    assert b"there is no log" in done.stderr


# ---- The command line


@pytest.mark.parametrize("arguments, why", [
    ([], b"expected a log, a directory or -"),
    (["--hide", "path", "a"], b"did you mean 'paths'"),
    (["--hide", "", "a"], b"--hide needs paths, hosts, users"),
    (["--hide", "paths,", "a"], b"--hide needs paths, hosts, users"),
    (["--hide", "paths" * 20, "a"], b"--hide needs paths, hosts, users"),
    (["--key", "key", "a"], b"--key needs --hide"),
    (["--hide", "all", "--key", "short", "a"], b"a key has 16 to 4096 bytes"),
    (["--hide", "all", "--key", "long", "a"], b"a key has 16 to 4096 bytes"),
    (["--hid", "all", "--kee", "a"], b"kee"),
])
def test_a_wrong_command_line_of_redact_is_refused(redact, scratch, arguments, why):
    (scratch / "short").write_bytes(b"x" * 15)
    (scratch / "long").write_bytes(b"x" * 4097)
    (scratch / "a").write_bytes(CLEAN)
    done = redact(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert why in done.stderr


@pytest.mark.parametrize("size", [16, 4096])
def test_a_key_may_have_16_to_4096_bytes(redact, scratch, size):
    (scratch / "k").write_bytes(b"x" * size)
    (scratch / "a").write_bytes(printf("x"))
    assert redact("--hide", "all", "--key", "k", "a").returncode == 0


def test_a_key_that_is_missing_is_reported(redact, scratch):
    (scratch / "a").write_bytes(CLEAN)
    for name in ("nothing", "."):
        done = redact("--hide", "all", "--key", name, "a")
        assert (done.returncode, done.stdout) == (3, b"")


def test_the_help_names_each_kind(redact):
    done = redact("--help")
    assert done.returncode == 0
    for kind in KINDS:
        assert kind in done.stdout.decode()
