"""`trace2 summary`: its figures, its filters and its forms."""

import csv
import datetime
import gzip
import io
import json
import os
import random
import subprocess

import jsonschema
import pytest

from summary_kit import event, life, region, summary, write_log  # noqa: F401
from summary_oracle import Answer, read_events

STORY = """
git init -q up && cd up
for i in 1 2 3; do echo $i >f$i; git add .; git commit -qm $i; done
cd ..
export GIT_TRACE2_EVENT="$LOGS"
git clone -q "file://$PWD/up" copy
cd copy
printf '#!/bin/sh\\ngit rev-parse HEAD >/dev/null\\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
echo x >x; git add x; git commit -qm x
git status >/dev/null
git fetch -q
git pull -q --no-rebase
git gc -q
git push -q /nowhere HEAD 2>/dev/null || :
"""
IDENTITY = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
}  # fmt: skip
NAMES = {
    "commands": ("name",),
    "regions": ("category", "label"),
    "children": ("class", "command"),
}


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """A log for each process of a story of git. It detaches its maintenance,
    which writes when the story has ended, so all have a pipe that ends with
    the last one."""
    place = tmp_path_factory.mktemp("story")
    logs = place / "logs"
    logs.mkdir()
    names = {"LOGS": str(logs), "HOME": str(place), **IDENTITY}
    names |= {"PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
    reader, writer = os.pipe()
    subprocess.run(["sh", "-c", STORY], env=names, cwd=place, check=True,
                   pass_fds=[writer])  # fmt: skip
    os.close(writer)
    with open(reader, "rb") as pipe:
        assert pipe.read() == b""
    return sorted(logs.iterdir())


@pytest.fixture
def figures(summary):
    """The JSON of a run that must succeed."""

    def call(*arguments, **options):
        done = summary("--format", "json", *arguments, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return call


def read_tables(result):
    return {
        (table, *[row[key] for key in keys], "")[:3]: (
            row["count"],
            row.get("failed", 0),
            row["total_us"],
            row["self_us"],
        )
        for table, keys in NAMES.items()
        for row in result[table]
    }


def test_figures_equal_an_independent_computation(story, figures):
    answer, result = Answer(read_events(story)), figures(*story)
    assert read_tables(result) == answer.tables()
    assert result["wall_us"] == answer.wall
    assert result["processes"] == len(answer.processes)
    assert result["roots"] == len(answer.roots)
    errors = {row["fmt"]: row["count"] for row in result["errors"]}
    assert errors == answer.errors() and errors
    names = {row["name"]: row["failed"] for row in result["commands"]}
    wanted = {"clone", "fetch", "pull", "commit", "status", "gc", "push"}
    assert wanted <= set(names)
    assert names["push"] == 1


def test_self_times_add_up_to_the_wall_time(story, figures):
    result = figures(*story)
    rows = [row for table in NAMES for row in result[table]]
    assert sum(row["self_us"] for row in rows) == result["wall_us"] > 0
    assert sum(row["self_us"] for row in result["phases"]) == result["wall_us"]


@pytest.mark.parametrize("form", ["text", "json", "csv", "state"])
def test_the_order_of_the_logs_does_not_matter(story, summary, form):
    options = ["--format", form, "--top", "0", "--percentiles"]
    wanted = summary(*options, *story)
    assert wanted.returncode == 0
    files = list(story)
    for seed in range(6):
        random.Random(seed).shuffle(files)
        assert summary(*options, *files).stdout == wanted.stdout
    joined = b"".join(path.read_bytes() for path in reversed(story))
    assert summary(*options, "-", input=joined).stdout == wanted.stdout
    packed = gzip.compress(joined)
    assert summary(*options, "-", input=packed).stdout == wanted.stdout
    assert summary(*options, story[0].parent).stdout == wanted.stdout


def split_trees(story, seed, parts):
    """Whole trees, each in one part."""
    choose, place, shards = random.Random(seed), {}, [[] for _ in range(parts)]
    for path in story:
        sid = json.loads(path.open().readline())["sid"].split("/")[0]
        shards[place.setdefault(sid, choose.randrange(parts))].append(path)
    return [shard for shard in shards if shard]


@pytest.mark.parametrize("seed", [0, *(pytest.param(
    seed, marks=pytest.mark.long("more splits")) for seed in range(1, 6))])
@pytest.mark.parametrize("form", ["text", "json", "csv", "state"])
def test_merged_states_equal_one_run(story, summary, scratch, form, seed):
    options = ["--percentiles", "--by", "hour"]
    states = []
    for shard in split_trees(story, seed, 2 + seed):
        done = summary("--format", "state", *options, *shard)
        states.append(scratch / f"{len(states)}.state")
        states[-1].write_bytes(done.stdout)
    random.Random(seed).shuffle(states)
    inner = summary("--merge", "--format", "state", *states[: seed + 1])
    group = scratch / "group.state"
    group.write_bytes(inner.stdout)
    rest = states[seed + 1 :] + [group]
    got = summary("--merge", "--format", form, *rest)
    assert got.returncode == 0, got.stderr
    assert got.stdout == summary("--format", form, *options, *story).stdout


def test_a_thread_without_an_end_survives_a_merge(summary, scratch):
    states = []
    for number in range(2):
        sid = f"20261123T10000{number}.000000Z-H1-P0000000{number + 1}"
        spans = region(sid, 0.1, 0.2, "loop", thread="th01:x")
        log = write_log(
            scratch / f"{number}.event", *life(sid, *spans[: number + 1])
        )
        states.append(scratch / f"{number}.state")
        states[-1].write_bytes(summary("--format", "state", log).stdout)
    got = json.loads(summary("--merge", "--format=json", *states).stdout)
    assert [row["threads"] for row in got["regions"]] == [2]


def test_a_part_without_a_fitting_command_has_a_state(summary, scratch):
    log = write_log(scratch / "log", *life("20261123T100000.000000Z-H1-P1"))
    done = summary("--format", "state", "--command", "other", log)
    assert (done.returncode, done.stderr) == (0, b"")
    state = scratch / "state"
    state.write_bytes(done.stdout)
    got = summary("--merge", "--format", "json", state)
    assert json.loads(got.stdout)["processes"] == 0


@pytest.mark.parametrize("option", ["--by=hour", "--command=x", "--since=1d",
                                    "--slower-than=1s", "--percentiles"])  # fmt: skip
def test_merge_refuses_options_of_the_states(summary, option):
    done = summary("--merge", option, "-")
    assert done.returncode == 2
    assert b"--merge uses the options of the states" in done.stderr


def test_an_inner_region_without_an_end_has_a_total(figures, scratch):
    sid = "20261123T100000.000000Z-H1-P1"
    outer, inner = region(sid, 0.1, 0.6, "out"), region(sid, 0.2, 0.4, "in")
    log = write_log(scratch / "log", *life(sid, outer[0], inner[0], outer[1]))
    rows = {row["label"]: row for row in figures(log)["regions"]}
    assert (rows["in"]["count"], rows["in"]["total_us"]) == (1, 500000)
    assert rows["in"]["self_us"] == 500000
    assert rows["out"]["self_us"] == 400000
    assert figures(log)["gaps"]["unclosed"] == 1


def test_a_command_filter_makes_a_root_of_a_child(story, figures):
    answer, result = Answer(read_events(story)), figures("--command", "repack",
                                                         *story)  # fmt: skip
    repack = [p for p in answer.processes.values() if p.command() == "repack"]
    assert result["roots"] == len(repack)
    assert result["wall_us"] == sum(p.end - p.base for p in repack)
    assert result["self_us"] == result["wall_us"]


def test_filters_of_time_choose_roots(figures, summary, scratch):
    for number, length in enumerate([0.5, 2.0, 3.0]):
        sid = f"20261123T10000{number}.000000Z-H1-P0000000{number + 1}"
        write_log(
            scratch / f"{number}.event",
            *life(sid, start=number * 10.0, end=number * 10 + length),
        )
    logs = sorted(scratch.glob("*.event"))
    assert figures("--slower-than", "1s", *logs)["wall_us"] == 5000000
    since = figures("--since", "2026-11-23T10:00:20", *logs)
    assert since["wall_us"] == 3000000
    done = summary("--slower-than", "1h", *logs)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"no command fits the options" in done.stderr


def read_since(summary, scratch, text, time):
    """Is a command at this time summarized, and one a microsecond before not?"""
    codes = []
    for moment in (time, time - datetime.timedelta(microseconds=1)):
        sid = "20261123T100000.000000Z-H1-P00000001"
        stamp = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        lines = [{**line, "time": stamp} for line in life(sid, end=0.0)]
        log = write_log(scratch / "log", *lines)
        codes.append(summary("--since", text, log).returncode)
    return codes == [0, 3]


@pytest.mark.parametrize("text, time", [
    ("2026-11-23", ""), ("2026-11-23Z", ""), ("2026-11-24", "2026-11-24"),
    ("2026-11-23T08", "T08"), ("2026-11-23T08:30", "T08:30"),
    ("2026-11-23T08:30:07", "T08:30:07"), ("2026-11-23T08:30:07Z", "T08:30:07"),
    ("2026-11-23T00:00:00.000009", "T00:00:00.000009"),
    ("2026-11-23T00:00:00.123456Z", "T00:00:00.123456"),
])  # fmt: skip
def test_a_time_has_the_precision_that_its_user_gives(summary, scratch, text, time):
    whole = time if time.startswith("2") else f"2026-11-23{time}"
    assert read_since(summary, scratch, text, datetime.datetime.fromisoformat(whole))


@pytest.mark.parametrize("text, hours", [("30min", 0.5), ("8.5h", 8.5), ("0s", 0)])
def test_a_time_may_be_so_long_ago(figures, summary, scratch, text, hours):
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    ago = now - datetime.timedelta(hours=hours)
    minute = datetime.timedelta(minutes=1)
    assert not read_since(summary, scratch, text, ago - minute)
    assert not read_since(summary, scratch, text, ago + minute)
    assert summary("--since", text, scratch / "log").returncode == 0


@pytest.mark.parametrize("text", [
    "2026-11-2", "2026-11", "2026-11-23T00:00:00.1234567",
    "2026-11-23T00:00:00.1234567Z", "2026-11-23T00:00:00.000000+0000",
    "2026-11-23_08:30", "2026/11/23", "2026-11-23ZZ",
    "2026-11-23T00:00:00.123456Z-or-later", "Z", "",
    "yesterday-at-noon-if-it-did-not-rain-Z",
])  # fmt: skip
def test_what_is_no_time_is_refused(summary, text):
    assert summary(f"--since={text}", "-").returncode == 2


@pytest.mark.parametrize(
    "key, value",
    [
        ("command", "work"), ("mode", "(none)"), ("repository", "/r"),
        ("caller", "make < sh"), ("version", "2.55.1"), ("host", "Habc"),
        ("hour", "2026-11-23T10"),
    ],
)  # fmt: skip
def test_groups_by_each_key(figures, scratch, key, value):
    sid = "20261123T100000.000000Z-Habc-P1"
    more = [
        event(sid, "def_repo", 0.1, repo=1, worktree="/r"),
        event(sid, "cmd_ancestry", 0.1, ancestry=["make", "sh"]),
    ]
    log = write_log(scratch / "log", *life(sid, *more))
    result = figures("--by", key, log)
    assert result["by"] == key
    got = [(row["value"], row["total_us"]) for row in result["groups"]]
    assert got == [(value, 1000000)]


def test_quantiles_are_within_one_percent(figures, scratch):
    sid, choose = "20261123T100000.000000Z-H1-P1", random.Random(1)
    lengths = [choose.randrange(1, 10 ** choose.randrange(1, 8)) for _ in
               range(999)]  # fmt: skip
    names = {"thread": "th01:x", "category": "c", "label": "l", "nesting": 1}
    spans = [
        event(sid, "region_leave", 0.5, t_rel=length / 1e6, **names)
        for length in lengths
    ]
    log = write_log(scratch / "log", *life(sid, *spans))
    row = figures("--percentiles", log)["regions"][0]
    for percent in 50, 90, 99:
        exact = sorted(lengths)[-(-percent * 999 // 100) - 1]
        assert abs(row[f"p{percent}_us"] - exact) <= exact * 0.01


def test_hostile_names_stay_text(summary, scratch):
    sid, name = "20261123T100000.000000Z-H1-P1", '=</script>\x1b[2J\n"\t\\'
    log = write_log(scratch / "log", *life(sid, name=name))
    assert b"\x1b" not in summary(log).stdout
    result = summary("--format", "json", log).stdout
    assert b"\x1b" not in result
    assert json.loads(result)["commands"][0]["name"] == name
    text = summary("--format", "csv", log).stdout.decode()
    row = list(csv.reader(io.StringIO(text)))[1]
    assert row[-1].startswith("'=</script>?[2J ")
    state = summary("--format", "state", log).stdout
    got = summary("--merge", "--format", "json", "-", input=state)
    assert got.stdout == result


def test_top_cuts_each_table_and_tells_so(summary, story):
    done = summary("--top", "1", *story)
    assert b"more; --top 0 shows all" in done.stdout
    assert b"more;" not in summary("--top", "0", *story).stdout
    cut = json.loads(summary("--top=1", "--format=json", *story).stdout)
    assert {len(cut[table]) for table in NAMES} == {1}


def test_an_executed_program_makes_its_process_longer(figures, scratch):
    sid = "20261123T100000.000000Z-H1-P00000007"
    run = event(sid, "exec", 0.5, exec_id=0, argv=["git", "other"])
    after = f"{sid}/20261123T100000.500000Z-H1-P00000007"
    log = write_log(
        scratch / "log", *life(sid)[:3], run,
        *life(after, start=0.6, end=2.0, name="other"),
    )  # fmt: skip
    result = figures(log)
    own = {row["name"]: row["self_us"] for row in result["commands"]}
    assert result["wall_us"] == 2000000
    assert own == {"work": 500000, "other": 1400000}
    assert result["gaps"]["unfinished"] == 0


def test_a_filter_does_not_move_the_end_of_a_root(figures, scratch):
    sid = "20261123T100000.000000Z-H1-P1"
    start = event(sid, "child_start", 0.2, child_id=0, child_class="?",
                  use_shell=False, argv=["x"])  # fmt: skip
    lines = life(sid, start)
    lines[-1]["time"] = "2026-11-23T10:00:01.000009Z"  # a little too late
    log = write_log(scratch / "log", *lines)
    plain, filtered = figures(log), figures("--command", "work", log)
    assert plain == filtered
    assert plain["wall_us"] == 1000000
    assert [row["self_us"] for row in plain["commands"]] == [200000]
    assert [row["self_us"] for row in plain["children"]] == [800000]


def test_the_example_of_the_manual_is_true(figures, scratch, root):
    page = (root / "helper/man/trace2-summary.1").read_text()
    table = page.split("self  total\n")[1].split(".Ed")[0]
    wanted = [line.split(maxsplit=2) for line in table.splitlines()]
    sid = "20261123T100000.000000Z-H1-P00000001"
    inner = f"{sid}/20261123T100003.000000Z-H1-P00000002"
    span = region(sid, 1.0, 7.0, "r")
    child = [
        event(sid, "child_start", 2.0, child_id=0, child_class="?",
              use_shell=False, argv=["inner"]),
        event(sid, "child_exit", 6.0, child_id=0, pid=2, code=0, t_rel=4.0),
    ]  # fmt: skip
    lines = life(sid, span[0], *child, span[1], end=10.0, name="outer")
    lines += life(inner, start=3.0, end=6.0, name="inner")
    result = figures(write_log(scratch / "log", *lines))
    kinds = {"commands": "command {name}", "regions": "region",
             "children": "child"}  # fmt: skip
    got = {
        kind.format(**row): [row["self_us"], row["total_us"]]
        for table, kind in kinds.items()
        for row in result[table]
    }
    assert got == {
        name: [int(own) * 1000000, int(total) * 1000000]
        for own, total, name in wanted
    }


@pytest.mark.parametrize("options", [[], ["--percentiles", "--by=caller"]])
def test_the_json_fits_its_schema(story, figures, root, options):
    text = (root / "schema/summary.schema.json").read_text()
    checker = jsonschema.Draft202012Validator(json.loads(text))
    result = figures(*options, *story)
    checker.validate(result)
    assert not checker.is_valid({**result, "more": 1})


def test_gaps_of_a_log_are_counted(summary, scratch):
    sid = "20261123T100000.000000Z-H1-P1"
    start = event(sid, "child_start", 0.2, child_id=0, child_class="?",
                  use_shell=False, argv=["x"])  # fmt: skip
    log = write_log(scratch / "log", *life(sid)[:3], start)
    with log.open("a") as file:
        file.write("{broken\n")
    done = summary("--format", "json", log)
    gaps = json.loads(done.stdout)["gaps"]
    assert done.returncode == 1
    wanted = {"unfinished": 1, "unclosed": 1, "unlogged": 1, "unread": 1}
    assert {key: gaps[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    "text, status",
    [(b"", 3), (b"10:00:00.000000 a.c:1 | d0 | main | version | x\n", 3)],
)
def test_a_file_without_events_is_refused(summary, text, status):
    done = summary("-", input=text)
    assert (done.returncode, done.stdout) == (status, b"")
    assert done.stderr.startswith(b"trace2 summary: ")


def test_many_foreign_files_are_only_counted(summary, scratch):
    for number in range(40):
        (scratch / f"{number}.txt").write_text("text\n")
    write_log(scratch / "log", *life("20261123T100000.000000Z-H1-P1"))
    done = summary(scratch)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 11
    assert lines[-1] == b"trace2 summary: 40 files are no logs"


def test_a_missing_file_does_not_hide_the_others(summary, scratch):
    log = write_log(scratch / "log", *life("20261123T100000.000000Z-H1-P1"))
    done = summary(scratch / "none", log)
    assert done.returncode == 3
    assert b"1 command took 1.00 s" in done.stdout
    assert b"none" in done.stderr
