"""`trace2 shard`: whole trees of processes stay together."""

import gzip
import json
import os
import threading
import time

import pytest
from faults_kit import PLAIN, faults  # noqa: F401

ROOTS = 40
TIME = "2026-11-23T08:00:%09.6fZ"


def event_lines(sid, length):
    """A process that does nothing for so many seconds."""
    common = {"sid": sid, "thread": "main", "file": "a.c", "line": 1}

    def line(event, at, **more):
        return {"event": event, **common, "time": TIME % at, **more}

    events = [
        line("version", 0, evt="4", exe="2.55.0"),
        line("start", 0, t_abs=0.0, argv=["git", "gc"]),
        line("cmd_name", 0, name="gc", hierarchy="gc"),
        line("exit", length, t_abs=length, code=0),
        line("atexit", length, t_abs=length, code=0),
    ]
    return "".join(json.dumps(e) + "\n" for e in events).encode()


@pytest.fixture
def shard(execute, trace2):
    """shard(*arguments): `trace2 shard`."""

    def call(*arguments):
        return execute([trace2, "shard", *arguments])

    return call


@pytest.fixture
def forest(scratch):
    """A directory of logs: roots, each with a child and a grandchild."""
    logs = scratch / "logs"
    for sub in ("logs", "logs/x"):
        (scratch / sub).mkdir()
    for i in range(ROOTS):
        root = f"20261123T080000.{i:06d}Z-H00000000-P{i:08x}"
        (logs / f"r{i}").write_bytes(event_lines(root, 1.5))
        (logs / f"x/c{i}").write_bytes(event_lines(f"{root}/c{i}", 1))
        (logs / f"x/g{i}.gz").write_bytes(
            gzip.compress(event_lines(f"{root}/c{i}/g", 0.5))
        )
    return logs


def read_places(result):
    """The shard of each path."""
    rows = [line.split("\t") for line in result.stdout.decode().splitlines()]
    return {path: int(number) for number, path in rows}


def test_every_file_of_a_tree_goes_into_the_same_shard(shard, forest):
    done = shard("-n", "5", "logs")
    places = read_places(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(places) == 3 * ROOTS
    for i in range(ROOTS):
        names = (f"logs/r{i}", f"logs/x/c{i}", f"logs/x/g{i}.gz")
        assert len({places[name] for name in names}) == 1
    assert set(places.values()) == {1, 2, 3, 4, 5}


def test_a_shard_does_not_depend_on_other_files_or_names(shard, forest):
    places = read_places(shard("--shards=7", "logs"))
    for i in range(0, ROOTS, 9):
        (forest / f"r{i}").rename(forest / f"renamed{i}")
        alone = read_places(shard("-n7", f"logs/renamed{i}"))
        assert list(alone.values()) == [places[f"logs/r{i}"]]


def test_the_shard_of_a_known_sid_never_changes(shard, scratch):
    """Lists that other machines made yesterday must fit."""
    sid = "20261123T080000.000000Z-H00000000-P00000001"
    (scratch / "a").write_bytes(event_lines(sid, 1))
    got = [read_places(shard("-n", n, "a"))["a"] for n in ("1", "10", "4096")]
    assert got == [1, 6, 2170]


def test_merged_shards_are_what_one_run_over_all_logs_is(
    shard, execute, trace2, forest, scratch
):
    def summarize(*arguments):
        done = execute([trace2, "summary", *arguments])
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert shard("-n", "3", "-o", "lists", "logs").returncode == 0
    for number in "123":
        paths = (scratch / "lists" / number).read_text().splitlines()
        state = summarize("--format", "state", *paths)
        (scratch / f"{number}.state").write_bytes(state)
    whole = summarize("--format", "state", "logs")
    states = ["3.state", "1.state", "2.state"]
    assert summarize("--merge", "--format", "state", *states) == whole


@pytest.mark.long("makes 4,096 files")
def test_lists_have_every_path_once_also_where_shards_are_empty(
    shard, forest, scratch
):
    done = shard("-n", "4096", "--output", "lists", "logs/r1", "logs/x/c1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    texts = [(scratch / f"lists/{i}").read_text() for i in range(1, 4097)]
    assert len(os.listdir(scratch / "lists")) == 4096
    assert [text for text in texts if text] == ["logs/r1\nlogs/x/c1\n"]


def test_an_existing_directory_of_lists_is_left_alone(shard, forest, scratch):
    (scratch / "lists").mkdir()
    (scratch / "lists/1").write_text("mine")
    done = shard("-n", "1", "-o", "lists", "logs")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"lists: exists already; expected a new directory" in done.stderr
    assert (scratch / "lists/1").read_text() == "mine"
    done = shard("-n", "1", "-o", "no/lists", "logs")
    assert done.returncode == 3
    assert b"no/lists: No such file or directory" in done.stderr


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\x1bb", "a\x7fb"])
def test_a_name_that_no_list_can_have_is_refused(name, shard, scratch):
    log = event_lines("s", 1)
    (scratch / "d").mkdir()
    (scratch / "d" / name).write_bytes(log)
    (scratch / "d/\xfc z").write_bytes(log)
    done = shard("-n", "1", "d")
    assert (done.returncode, done.stdout) == (1, "1\td/\xfc z\n".encode())
    shown = "d/a b" if name[1] in "\t\n" else "d/a?b"
    wanted = f"trace2 shard: {shown}: a list cannot have a name with control "
    assert done.stderr == wanted.encode() + b"characters\n"


@pytest.mark.parametrize("name", [
    "a\u009bb", "a\u0085b", "a\u202eb", "a\u2066b", "a\u200fb", "a\u061cb",
    "a\u2028b", b"a\x9bb", b"a\xffb", "a##[b",
])
def test_a_name_that_a_terminal_obeys_is_only_in_lists_that_are_files(
        name, shard, scratch):
    name = name if isinstance(name, bytes) else name.encode()
    folder = str(scratch / "d").encode()
    (scratch / "d").mkdir()
    with open(folder + b"/" + name, "wb") as log:
        log.write(event_lines("s", 1))
    done = shard("-n", "1", "d")
    assert (done.returncode, done.stdout) == (3, b"")
    assert name not in done.stderr
    assert b"its name is not fit for a terminal; use --output" in done.stderr
    assert shard("-n", "1", "-o", "lists", "d").returncode == 0
    assert (scratch / "lists/1").read_bytes() == b"d/" + name + b"\n"


@pytest.mark.parametrize(
    "content, why",
    [
        (b'{"event":"version"}\n', b"its first event has no SID"),
        (b'{"event":"version","sid":"a', b"its first event has no SID"),
        (b"some text\n", b"expected an EVENT, PERF or NORMAL log"),
        (b"FXT?\n", b"expected an EVENT, PERF or NORMAL log"),
    ],
)
def test_a_file_without_a_sid_is_named_and_left_out(
    content, why, shard, scratch
):
    (scratch / "bad").write_bytes(content)
    (scratch / "good").write_bytes(event_lines("s", 1))
    done = shard("-n", "1", "bad", "good")
    assert (done.returncode, done.stdout) == (1, b"1\tgood\n")
    assert done.stderr.startswith(b"trace2 shard: bad: ")
    assert why in done.stderr and done.stderr.count(b"\n") == 1
    assert shard("-n", "1", "bad").returncode == 3


def test_a_sid_is_found_after_a_line_without_one(shard, scratch):
    (scratch / "a").write_bytes(b'{"event":"x"}\n' + event_lines("s", 1))
    assert shard("-n", "1", "a").stdout == b"1\ta\n"


def test_an_empty_file_is_named_as_summary_names_it(shard, execute, trace2,
                                                    scratch):
    (scratch / "empty").touch()
    (scratch / "empty.gz").write_bytes(gzip.compress(b""))
    (scratch / "log").write_bytes(event_lines("s", 1))
    files = ("empty", "empty.gz", "log")
    done = shard("-n", "1", *files)
    assert (done.returncode, done.stdout) == (1, b"1\tlog\n")
    told = execute([trace2, "summary", *files])
    assert told.returncode == 1 and told.stderr.count(b"empty file") == 2
    more = b", an archive of the FXT format, or Chrome's JSON"
    assert done.stderr == told.stderr.replace(b"2 summary", b"2 shard").replace(more, b"")
    assert shard("-n", "1", "empty").returncode == 3


def test_links_to_files_are_followed_but_not_to_directories(shard, scratch):
    (scratch / "d").mkdir()
    (scratch / "log").write_bytes(event_lines("s", 1))
    (scratch / "d/file").symlink_to(scratch / "log")
    (scratch / "d/up").symlink_to(scratch)
    os.mkfifo(scratch / "d/fifo")
    done = shard("-n", "1", "d")
    assert (done.returncode, done.stdout) == (0, b"1\td/file\n")


def test_what_is_unreadable_is_named_and_the_rest_is_listed(shard, scratch):
    (scratch / "log").write_bytes(event_lines("s", 1))
    (scratch / "cut.gz").write_bytes(gzip.compress(b"x" * 99)[:12])
    done = shard("-n", "1", "-o", "lists", "none", "cut.gz", "log")
    assert done.returncode == 3
    assert b"trace2 shard: none: No such file or directory\n" in done.stderr
    assert b"trace2 shard: cut.gz: " in done.stderr
    assert (scratch / "lists/1").read_text() == "log\n"


def test_a_full_disk_under_the_lists_is_reported(
    execute, trace2, forest, scratch
):
    limit = 'ulimit -f 1; exec "$0" shard -n 1 -o lists "$@"'
    paths = [f"logs/r{i % ROOTS}" for i in range(400)]
    done = execute(["sh", "-c", limit, trace2, *paths])
    assert done.returncode == 3
    assert done.stderr == b"trace2 shard: lists/1: File too large\n"
    assert not list(scratch.glob("lists*"))


def test_lists_appear_together(shard, forest, scratch):
    """They are written beside the directory, which is renamed then."""
    assert shard("-n", "2", "-o", "lists///", "logs").returncode == 0
    assert sorted(os.listdir(scratch / "lists")) == ["1", "2"]
    assert not list(scratch.glob("*.partial"))


@pytest.mark.parametrize("inputs", [["none"], ["empty"], ["text", "none"]])
def test_no_directory_of_lists_is_left_if_there_is_no_log(
    inputs, shard, scratch
):
    """The next try must not find it."""
    (scratch / "empty").touch()
    (scratch / "text").write_text("some text\n")
    assert shard("-n", "2", "-o", "lists", *inputs).returncode == 3
    assert not (scratch / "lists").exists()


def test_files_of_a_directory_go_together_on_demand(shard, scratch):
    """A process may extend over two files of `trace2 collect`."""
    for i in range(40):
        folder = scratch / f"machine{i // 4}"
        folder.mkdir(exist_ok=True)
        (folder / f"{i}.log").write_bytes(event_lines(f"s{i}", 1))
    done = shard("-n", "4", "--by", "directory", *sorted(os.listdir(scratch)))
    places = {}
    for path, number in read_places(done).items():
        places.setdefault(os.path.dirname(path), set()).add(number)
    assert len(places) == 10
    assert all(len(numbers) == 1 for numbers in places.values())
    assert len(set.union(*places.values())) > 1


def test_what_chooses_a_shard_is_sid_or_directory(shard, scratch):
    (scratch / "a").write_bytes(event_lines("s", 1))
    (scratch / "b").write_bytes(event_lines("t", 1))
    assert len(set(read_places(shard("-n", "1", "--by", "sid", "a", "b")).values())) == 1
    places = read_places(shard("-n", "4096", "--by", "directory", "a", "b"))
    assert places["a"] == places["b"]
    done = shard("-n", "1", "--by", "x", "a")
    assert done.returncode == 2
    assert b"--by needs sid or directory, not 'x'" in done.stderr


def test_no_program_takes_a_path_in_a_list_for_an_option(shard, scratch):
    name = "--checkpoint-action=exec=touch run"
    (scratch / name).write_bytes(event_lines("s", 1))
    (scratch / "a").write_bytes(event_lines("s", 1))
    places = read_places(shard("-n", "1", "--", name, "a"))
    assert list(places) == [f"./{name}", "a"]
    assert shard("-n", "1", "-o", "lists", "--", name).returncode == 0
    assert (scratch / "lists/1").read_text() == f"./{name}\n"


def test_the_help_of_shard_names_its_options(shard):
    done = shard("--help")
    assert done.returncode == 0
    for word in (b"-n, --shards N", b"-o, --output DIR", b"Exit status"):
        assert word in done.stdout


def test_a_long_first_event_has_its_sid_at_the_end(shard, scratch):
    argv = ["x" * 100] * 6000
    event = {"event": "version", "argv": argv, "sid": "a", "evt": "3"}
    path = scratch / "log"
    path.write_text(json.dumps(event) + "\n")
    assert read_places(shard("-n", "1", path)) == {str(path): 1}


def test_a_byte_order_mark_comes_before_the_sid(shard, scratch):
    path = scratch / "log"
    path.write_bytes(b'\xef\xbb\xbf{"event":"version","sid":"a"}\n')
    assert read_places(shard("-n", "1", path)) == {str(path): 1}


@pytest.mark.parametrize(
    "line",
    [
        rb'{"event":"version","sid":"root\/child"}',
        rb'{"event":"version","sid":"\u0072oot/child"}',
        rb'{"event":"version","\u0073id":"root/child"}',
        rb'{"event":"version","x":{"sid":"no"},"sid":"root/child"}',
        rb'{"event":"version","msg":"sid","sid":"root/child"}',
        rb'{"event":"error","msg":"tor{"event":"error","sid":"root\/child"}',
    ],
)
def test_a_sid_that_takes_reading_has_the_same_shard(line, shard, scratch):
    (scratch / "plain").write_bytes(event_lines("root/child", 1))
    (scratch / "log").write_bytes(line + b"\n" + event_lines("x", 1))
    (scratch / "torn").write_bytes(line)
    done = shard("-n", "4096", "plain", "log", "torn")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(set(read_places(done).values())) == 1


def test_bytes_in_a_sid_that_are_not_utf8_are_those_of_a_summary(
    shard, scratch
):
    """A summary has `?` in their place."""
    (scratch / "a").write_bytes(b'{"event":"version","sid":"r\xff/c"}\n')
    (scratch / "b").write_bytes(b'{"event":"version","sid":"r?/d"}\n')
    places = read_places(shard("-n", "4096", "a", "b"))
    assert places["a"] == places["b"]


def test_a_pipe_may_give_the_sid_later(shard, scratch):
    path = scratch / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=write_halves, args=[path])
    writer.start()
    result = shard("-n", "1", path)
    writer.join()
    assert read_places(result) == {str(path): 1}


def write_halves(path):
    with open(path, "wb", buffering=0) as pipe:
        pipe.write(b'{"event":"version",')
        time.sleep(0.2)
        pipe.write(b'"sid":"a"}\n')


TORN = b'{"event":"start","sid":"a","argv":["x'


@PLAIN
@pytest.mark.parametrize("log, error", [
    (TORN, "Input/output error"), (b"text\n" + event_lines("a", 1), None),
    (b'\n{"event":"start","sid":"\\u0061","argv":[]}\n', None),
])
def test_a_log_that_cannot_be_read_on_shows_its_sid_before(
        execute, trace2, faults, scratch, log, error):
    (scratch / "log").write_bytes(log)
    done = execute([trace2, "shard", "-n", "4096", "log"], env=faults(FAIL_READ=2))
    assert done.stdout == (b"" if error else b"3616\tlog\n")
    assert done.stderr.decode() == (f"trace2 shard: log: {error}\n" if error else "")


def test_of_an_endless_log_no_more_is_read_than_is_needed(execute, trace2, scratch):
    (scratch / "log").write_bytes(event_lines("a", 1))
    line = 'yes x | tr -d "\n" | cat log - | "$0" shard -n 1 /dev/stdin'
    assert execute(["sh", "-c", line, trace2], timeout=60).returncode == 0


@PLAIN
def test_without_memory_no_log_is_in_another_shard(execute, trace2, faults, scratch):
    (scratch / "log").write_bytes(b'{"event":"start","sid":"\\u0061","argv":[]}\n')
    codes = []
    for call in range(1, 60):
        done = execute([trace2, "shard", "-n", "4096", "log"],
                       env=faults(FAIL_REALLOC=call))
        codes.append(done.returncode)
        assert done.stdout == (b"" if codes[-1] else b"3616\tlog\n")
        assert (b"out of memory" in done.stderr) == (codes[-1] == 3)
    assert set(codes) == {0, 3} and codes[-1] == 0  # there are fewer calls
