"""`trace2 convert`: stacks for speedscope and flamegraph.pl."""

import json
import re
from collections import Counter

import jsonschema
import pytest

from reader_kit import BUILD, need
from summary_kit import event, life, region, write_log

SID = "20261123T100000.000000Z-H1-P00000001"
CHILD = f"{SID}/20261123T100003.000000Z-H1-P00000002"
MANUAL = {
    "outer": 4, "outer;c/r": 2, "outer;c/r;child ?/inner": 1,
    "outer;c/r;child ?/inner;inner": 3,
}  # fmt: skip


@pytest.fixture(scope="session")
def speedscope():
    """Checks a file against the schema of speedscope."""
    need("speedscope", "file-format-schema.json")
    text = (BUILD / "speedscope/file-format-schema.json").read_text()
    return jsonschema.Draft7Validator(json.loads(text)).validate


@pytest.fixture
def convert(execute, trace2):
    """convert(*words): `trace2 convert`."""

    def call(*words, **options):
        return execute([trace2, "convert", *words], **options)

    return call


def read_folded(output):
    """Of the printed lines, each with a stack of its own."""
    lines = [line.rsplit(" ", 1) for line in output.decode().splitlines()]
    assert lines == sorted(lines)
    assert len(dict(lines)) == len(lines)
    return {stack: int(us) for stack, us in lines}


def read_profiles(data):
    """The stacks of each profile, with their weights, in order."""
    names = [frame["name"] for frame in data["shared"]["frames"]]
    assert len(set(names)) == len(names)
    return [
        [(";".join(names[frame] for frame in stack), weight)
         for stack, weight in zip(profile["samples"], profile["weights"], strict=True)]
        for profile in data["profiles"]
    ]  # fmt: skip


def manual_lines(start=0.0, brief=False):
    """The example of the summary's manual."""
    span = region(SID, start + 1.0, start + 7.0, "r")
    child = [
        event(SID, "child_start", start + 2.0, child_id=0, child_class="?",
              use_shell=False, argv=["inner"]),
        event(SID, "child_exit", start + 6.0, child_id=0, pid=2, code=0, t_rel=4.0),
    ]  # fmt: skip
    lines = life(SID, span[0], *child, span[1], start=start, end=start + 10.0,
                 name="outer")  # fmt: skip
    return lines, life(CHILD, start=start + 3.0, end=start + 6.0, name="inner")


@pytest.mark.parametrize("child_first", [False, True])
def test_the_example_of_the_manual_as_stacks(convert, scratch, child_first):
    parts = manual_lines()[:: -1 if child_first else 1]
    log = write_log(scratch / "log", *parts[0], *parts[1])
    done = convert("--to", "folded", log, "-")
    assert (done.returncode, done.stderr) == (0, b"")
    wanted = {stack: us * 1000000 for stack, us in MANUAL.items()}
    assert read_folded(done.stdout) == wanted
    convert(log, scratch / "a.speedscope.json")
    data = json.loads((scratch / "a.speedscope.json").read_text())
    (profile,) = read_profiles(data)
    assert [(stack.split(";")[-1], us // 1000000) for stack, us in profile] == [
        ("outer", 1), ("c/r", 1), ("child ?/inner", 1), ("inner", 3), ("c/r", 1),
        ("outer", 3),
    ]  # fmt: skip
    (head,) = data["profiles"]
    assert (head["name"], head["unit"]) == ("outer", "microseconds")
    assert (head["startValue"], head["endValue"]) == (0, 10000000)


def test_stacks_have_the_time_of_a_summary(convert, execute, scratch, trace2, speedscope):
    story = """
    git init -q up && cd up
    for i in 1 2 3; do echo $i >f$i; git add .; git commit -qm $i; done
    cd .. && export GIT_TRACE2_EVENT="$LOGS"
    git clone -q "file://$PWD/up" copy && cd copy && git pull -q && git gc -q
    """
    logs = scratch / "logs"
    logs.mkdir()
    people = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER")
              for what in ("NAME", "EMAIL")}  # fmt: skip
    done = execute(["sh", "-c", story], cwd=scratch, env={"LOGS": str(logs), **people})
    assert done.returncode == 0, done.stderr
    text = execute([trace2, "summary", "--format", "json", logs]).stdout
    summary = json.loads(text)
    folded = read_folded(convert("--to", "folded", logs, "-").stdout)
    assert sum(folded.values()) == summary["wall_us"] > 0
    data = json.loads(convert("--to", "speedscope", logs, "-").stdout)
    speedscope(data)
    sums = Counter()
    for profile in read_profiles(data):
        for stack, us in profile:
            sums[stack] += us
    assert sums == folded
    assert len(data["profiles"]) == summary["roots"]
    tops = Counter()
    for stack, us in folded.items():
        tops[stack.split(";")[-1]] += us
    wanted = Counter()
    for row in summary["commands"]:
        wanted[row["name"]] += row["self_us"]
    for row in summary["regions"]:
        wanted[f"{row['category']}/{row['label']}"] += row["self_us"]
    for row in summary["children"]:
        wanted[f"child {row['class']}/{row['command']}"] += row["self_us"]
    assert +tops == +wanted


def test_a_command_that_runs_twice_is_one_stack(convert, scratch):
    other = SID.replace("P00000001", "P00000009")
    log = write_log(scratch / "log", *life(SID), *life(other, start=5.0, end=7.0))
    assert convert("--to", "folded", log, "-").stdout == b"work 3000000\n"
    data = json.loads(convert("--to", "speedscope", log, "-").stdout)
    assert [profile["endValue"] for profile in data["profiles"]] == [1000000, 2000000]
    assert len(data["shared"]["frames"]) == 1


def test_brief_logs_have_stacks(convert, scratch):
    lines = sum(manual_lines(), [])
    for line in lines:
        del line["time"]
    log = write_log(scratch / "log", *lines)
    folded = read_folded(convert("--to", "folded", log, "-").stdout)
    assert sum(folded.values()) == 10000000


def test_an_executed_program_is_inside_its_process(convert, scratch):
    second = f"{SID}/20261123T100000.400000Z-H1-P00000001"
    first = [*life(SID)[:3], event(SID, "exec", 0.3, exec_id=0, exe="x", argv=["x"])]
    log = write_log(scratch / "log", *first, *life(second, start=0.4, end=2.0, name="x"))
    assert read_folded(convert("--to", "folded", log, "-").stdout) == {
        "work": 300000, "work;child exec/x": 100000, "work;child exec/x;x": 1600000,
    }  # fmt: skip


def test_processes_that_no_stack_has_are_counted(convert, scratch):
    """One in the background has no span in its parent."""
    away = life(CHILD, start=3.0, end=6.0, name="away")
    log = write_log(scratch / "log", *life(SID), *away, life(SID + "/x")[0])
    done = convert("--to", "folded", log, "-")
    assert (done.returncode, done.stdout) == (0, b"work 1000000\n")
    said = b"trace2 convert: processes without time in any stack: 2\n"
    assert done.stderr == said


@pytest.mark.parametrize("name", ["out.folded", "out.speedscope.json"])
def test_no_time_is_nothing_to_convert(convert, scratch, name):
    """No viewer opens a profile without a stack."""
    log = write_log(scratch / "log", life(SID)[0])
    (scratch / name).write_bytes(b"old")
    done = convert("log", name)
    assert done.returncode == 3
    assert done.stderr == (
        b"trace2 convert: processes without time in any stack: 1\n"
        b"trace2 convert: there is nothing to convert: log\n")
    assert (scratch / name).read_bytes() == b"old"


def test_names_cannot_break_a_line(convert, scratch, speedscope):
    inner = region(SID, 0.1, 0.2, "a;b\n\x1b[2Jc 7")
    log = write_log(scratch / "log", *life(SID, *inner, name="work\u202e"))
    found = read_folded(convert("--to", "folded", log, "-").stdout)
    assert found == {"work?": 900000, "work?;c/a,b??[2Jc 7": 100000}
    speedscope(json.loads(convert("--to", "speedscope", log, "-").stdout))
    nameless = [line for line in life(SID) if line["event"] not in ("start", "cmd_name")]
    log = write_log(scratch / "log", *nameless)
    assert convert("--to", "folded", log, "-").stdout == b"(none) 1000000\n"


def test_very_deep_regions_are_counted(convert, scratch):
    depth = 300
    ups = [region(SID, 0.1, 0.9, f"r{level}")[0] for level in range(depth)]
    downs = [region(SID, 0.1, 0.9, f"r{level}")[1] for level in range(depth)]
    log = write_log(scratch / "log", *life(SID, *ups, *downs[::-1]))
    done = convert("--to", "folded", log, "-")
    assert done.returncode == 1
    assert re.search(rb"too deep, or events after the end of their process: 50\n",
                     done.stderr)  # fmt: skip
    found = read_folded(done.stdout)
    assert sum(found.values()) == 1000000
    assert max(stack.count(";") for stack in found) == 250


@pytest.mark.parametrize("name", ["out.folded", "out.speedscope.json"])
def test_the_name_of_the_output_chooses_stacks(convert, scratch, name):
    log = write_log(scratch / "log", *life(SID))
    assert convert(log, scratch / name).returncode == 0
    wanted = convert("--to", name.split(".")[1], log, "-").stdout
    assert (scratch / name).read_bytes() == wanted
    archive = scratch / "a.fxt"
    assert convert(log, archive).returncode == 0
    (scratch / name).write_bytes(b"old")
    done = convert(archive, scratch / name)
    assert done.returncode == 3
    assert b"archive of the FXT format; expected an EVENT, PERF or NORMAL log" in done.stderr
    assert (scratch / name).read_bytes() == b"old"
    write_log(scratch / "empty")
    assert convert(scratch / "empty", scratch / name).returncode == 3
    assert (scratch / name).read_bytes() == b"old"
