"""`trace2 diff`: what became slower from one set of logs to another."""

import csv
import gzip
import io
import json
import random
import re

import jsonschema
import pytest

from diff_kit import chance, child, correct, draw_times, make_set
from summary_kit import life, region, write_log

SID = "20261123T100000.000000Z-H1-P1"


@pytest.fixture
def diff(execute, trace2):
    """diff(*arguments, **options): `trace2 diff`."""

    def call(*arguments, **options):
        return execute([trace2, "diff", *arguments], **options)

    return call


@pytest.fixture
def figures(diff):
    """The JSON of a run that must succeed."""

    def call(*arguments):
        done = diff("--format", "json", *arguments)
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)

    return call


def by_name(rows):
    keys = ("command", "category", "label", "class", "child")
    return {tuple(row[key] for key in keys if key in row): row for row in rows}


def quantile(values, percent):
    return sorted(values)[-(-len(values) * percent // 100) - 1]


def us(times, more=0.0):
    return [round((time + more) * 1e6) for time in times]


@pytest.mark.parametrize("count", [4, 9, 20, 21, 30, 60])
def test_chances_equal_an_independent_computation(figures, scratch, count):
    sets = {}
    for name, command, mean in (("a", "status", 0.2), ("b", "status", 0.21),
                                ("a", "fetch", 0.3), ("b", "fetch", 0.3)):  # fmt: skip
        seed, size = count + len(sets), count + (name == "b")
        sets[name, command] = times = draw_times(seed, size, mean, 0.0002)
        make_set(scratch / name, [round(time, 4) for time in times], command)
        sets[name, command] = us(round(time, 4) for time in times)
    result = figures(scratch / "a", scratch / "b")
    rows = by_name(result["commands"]) | by_name(result["regions"])
    chances = {}
    for key, row in rows.items():
        a, b = (sets[side, key[0]] for side in "ab")
        if len(key) == 1:
            a, b = ([value + 100000 for value in side] for side in (a, b))
        chances[key] = chance(a, b)
        for side, values in (("a", a), ("b", b)):
            assert row[side] == {"count": len(values), "p50_us": quantile(values, 50),
                                 "p99_us": quantile(values, 99)}  # fmt: skip
        change = 100 * (quantile(b, 50) / quantile(a, 50) - 1)
        assert row["change_percent"] == pytest.approx(change, abs=1e-6)
        assert row["p"] == pytest.approx(chances[key], rel=1e-6, abs=1e-15)
    adjusted = correct(chances)
    for key, row in rows.items():
        assert row["p_adjusted"] == pytest.approx(adjusted[key], rel=1e-6, abs=1e-15)
        certain = adjusted[key] <= 0.05
        assert (row["verdict"] in ("slower", "faster")) == certain
    assert result["tested"] == len(rows) == 4


def test_a_slow_down_of_a_tenth_in_30_runs_is_found(diff, figures, scratch):
    a = make_set(scratch / "a", draw_times(1, 30))
    b = make_set(scratch / "b", [time * 1.1 for time in draw_times(2, 30)])
    verdicts = by_name(figures(a, b)["regions"])
    assert verdicts["status", "c", "scan"]["verdict"] == "slower"
    back = by_name(figures(b, a)["regions"])
    assert back["status", "c", "scan"]["verdict"] == "faster"
    assert diff("--fail-on", "regression", a, b).returncode == 1
    assert diff("--fail-on", "regression", b, a).returncode == 0
    assert diff(a, b).returncode == 0
    assert diff("--fail-on=regression=5", a, b).returncode == 1
    assert diff("--fail-on=regression=20", a, b).returncode == 0


def test_a_regression_is_told_in_words(diff, scratch):
    a = make_set(scratch / "a", draw_times(1, 30))
    b = make_set(scratch / "b", [time * 2 for time in draw_times(2, 30)])
    # Its first row is above that of the other command, which it is not.
    make_set(a, [300] * 30, "long")
    make_set(b, [304] * 30, "long")
    done = diff("--fail-on", "regression=0.5", a, b)
    assert done.returncode == 1
    assert done.stderr == (b"trace2 diff: 4 rows are slower, and the median grew "
                           b"by more than 0.5 %\n")  # fmt: skip
    one = diff("--fail-on", "regression=80", a, b)
    assert one.stderr.startswith(b"trace2 diff: 1 row is slower")
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    assert ["4", "slower,", "0", "faster,", "0", "new,", "0", "vanished;", "4",
            "rows", "were", "tested"] in rows  # fmt: skip
    line = next(row for row in rows if row[-4:] == ["status:", "c", "/", "scan"])
    assert line[-5:] == ["slower", "status:", "c", "/", "scan"]
    assert re.fullmatch(r"\+(9\d|10\d)\.\d%", line[4])


# All spans of a log grow by so much: its region, and the command of 0.4 s.
@pytest.mark.parametrize(("more", "least", "code"), [
    (0.00399, (), 0), (0.004, (), 1),
    (0.004, ("--least", "5ms"), 0), (0.005, ("--least", "5ms"), 1),
])  # fmt: skip
def test_a_growth_below_a_hundredth_of_the_command_is_no_regression(
    diff, scratch, more, least, code
):
    a = make_set(scratch / "a", [0.3] * 30)
    b = make_set(scratch / "b", [0.3 + more] * 30)
    assert diff("--fail-on", "regression", *least, a, b).returncode == code


def test_a_set_of_which_a_log_cannot_be_read_is_not_compared(diff, scratch):
    a = make_set(scratch / "a", draw_times(1, 30))
    b = make_set(scratch / "b", draw_times(2, 30))
    (b / "broken.gz").write_bytes(b"\x1f\x8b\x08")
    for sets in [(a, b), (b, a)]:
        done = diff(*sets)
        assert (done.returncode, done.stdout) == (3, b"")


@pytest.mark.parametrize("seed", range(20))
def test_halves_of_one_set_do_not_alarm(diff, scratch, seed):
    times = draw_times(seed, 60)
    a = make_set(scratch / "a", times[:30])
    b = make_set(scratch / "b", times[30:])
    done = diff("--fail-on", "regression", a, b)
    # Of these twenty seeds none is the one in forty that has an alarm.
    assert done.returncode == 0


def test_a_set_equals_itself(diff, figures, scratch):
    a = make_set(scratch / "a", draw_times(1, 30))
    for row in figures(a, a)["regions"]:
        assert (row["p"], row["change_percent"]) == (1, 0)
    text = diff(a, a).stdout.decode()
    assert text.count(" ~ ") == 2
    assert "%" not in text


def test_new_and_vanished_rows_are_named(diff, figures, scratch):
    hook = child(SID, 0.3, 0.4)
    a = make_set(scratch / "a", draw_times(1, 5), label="old")
    b = make_set(scratch / "b", draw_times(2, 5), label="young")
    write_log(a / "x", *life(SID, *hook))
    result = figures(a, b)
    rows = by_name(result["regions"]) | by_name(result["children"])
    assert {key[-1]: row["verdict"] for key, row in rows.items()} == {
        "old": "vanished", "young": "new", "pre-commit": "vanished",
    }  # fmt: skip
    new = rows["status", "c", "young"]
    assert new["a"] == {"count": 0}
    assert new["change_percent"] is new["p"] is new["p_adjusted"] is None
    assert rows["work", "hook", "pre-commit"]["a"]["p50_us"] == 100000
    text = diff(a, b).stdout.decode()
    assert re.search(r"- +\d+ ms +new +- .* status: c / young\n", text)
    assert "work: hook / pre-commit" in text
    assert diff("--fail-on", "regression", a, b).returncode == 0


def test_regions_of_one_process_are_one_value(figures, scratch):
    two = [*region(SID, 0.1, 0.2, "x"), *region(SID, 0.3, 0.6, "x")]
    other = region(SID, 0.1, 0.9, "x", thread="th01:other")
    log = write_log(scratch / "a", *life(SID, *two, *other))
    (row,) = figures(log, log)["regions"]
    assert row["a"] == {"count": 1, "p50_us": 1200000, "p99_us": 1200000}
    assert row["verdict"] == "few"


def test_too_few_values_are_told(diff, scratch):
    a = make_set(scratch / "a", draw_times(1, 3))
    b = make_set(scratch / "b", [9.0] * 3)
    assert diff(a, b).returncode == 0
    done = diff("--fail-on", "regression", a, b)
    assert done.returncode == 3
    assert b"trace2 diff: too few runs to test" in done.stderr
    assert b"note: rows with too few values: 2;" in done.stdout
    assert b"0 rows were tested" in done.stdout


def test_one_tested_row_is_singular(diff, scratch):
    for name in "ab":
        (scratch / name).mkdir()
        for number in range(4):
            sid = f"20261123T100000.000000Z-H1-P{number}"
            write_log(scratch / name / str(number), *life(sid))
    done = diff("--command", "work", scratch / "a", scratch / "b")
    assert b" 1 row was tested\n" in done.stdout


def test_a_median_of_zero_has_no_percentage(diff, figures, scratch):
    a = make_set(scratch / "a", [0.0] * 30)
    b = make_set(scratch / "b", [0.001] * 30)
    row = by_name(figures(a, b)["regions"])["status", "c", "scan"]
    assert (row["verdict"], row["change_percent"]) == ("slower", None)
    done = diff("--fail-on", "regression=50", a, b)
    assert (done.returncode, b" from 0 " in done.stdout) == (1, True)


def test_processes_without_an_end_are_left_out(diff, figures, scratch):
    a = make_set(scratch / "a", draw_times(1, 5))
    write_log(a / "open", *life(SID, *region(SID, 0.1, 0.2, "scan"))[:-1])
    with (a / "status0").open("a") as file:
        file.write("{broken\n")
    done = diff("--format", "json", a, a)
    assert done.returncode == 0
    assert b"status0:7:" in done.stderr
    result = json.loads(done.stdout)
    assert by_name(result["commands"]).keys() == {("status",)}
    assert result["a"]["unfinished"] == result["a"]["unread"] == 1
    text = diff(a, a).stdout
    assert b"note: processes without an end in the log: 2; they are left out\n" in text
    assert b"note: lines with errors: 2;" in text


def test_a_cut_tree_is_told(diff, scratch):
    log = write_log(scratch / "a", *life(f"{SID}/{SID}2"))
    assert b"note: processes whose parent is in no log: 2\n" in diff(log, log).stdout
    assert json.loads(diff("--format", "json", log, log).stdout)["b"]["cut"] == 1


def test_a_command_can_be_chosen(diff, figures, scratch):
    a = make_set(scratch / "a", draw_times(1, 5))
    make_set(a, draw_times(2, 5), name="fetch")
    result = figures("--command", "fetch", a, a)
    assert by_name(result["commands"]).keys() == {("fetch",)}
    assert by_name(result["regions"]).keys() == {("fetch", "c", "scan")}
    done = diff("--command", "push", a, a)
    assert done.returncode == 3
    assert b"no command fits the options: " in done.stderr


def test_what_is_certain_stands_first(diff, scratch):
    a = make_set(scratch / "a", draw_times(1, 30))
    b = make_set(scratch / "b", [1.2 * time for time in draw_times(2, 30)])
    for number in range(12):
        noise = draw_times(9 + number, 60, 5.0, 1.0)
        make_set(a, noise[:30], name=f"noise{number}")
        make_set(b, noise[30:], name=f"noise{number}")
    text = diff(a, b).stdout.decode()
    tables = text.split("\n\n")[1:3]
    for table in tables:
        title, _heads, first, *rest = table.splitlines()
        assert title in ("Commands", "Regions")
        assert " slower  status" in first
        assert len(rest) == 10
        assert rest[-1] == "  ... and 3 more; --top 0 shows all"
    whole = diff("--top", "0", a, b).stdout.decode()
    assert (whole.count("noise"), "more" in whole) == (24, False)
    assert diff("--top", "13", a, b).stdout.decode() == whole


def test_the_order_of_a_set_does_not_matter(diff, execute, scratch, trace2):
    a = make_set(scratch / "a", draw_times(1, 8))
    logs = [path.read_bytes() for path in a.iterdir()]
    random.Random(1).shuffle(logs)
    (scratch / "b.gz").write_bytes(gzip.compress(b"".join(logs)))
    for form in ("text", "json", "csv"):
        wanted = diff("--format", form, a, a)
        assert diff("--format", form, a, scratch / "b.gz").stdout == wanted.stdout
        assert diff("--format", form, a, "-", input=b"".join(logs)).stdout == wanted.stdout
        assert wanted.returncode == 0 and wanted.stdout


def test_csv_and_json_tell_the_same(diff, figures, scratch):
    a = make_set(scratch / "a", draw_times(1, 9), name='=x"y,')
    b = make_set(scratch / "b", draw_times(2, 9, 0.3), name='=x"y,')
    write_log(b / "new", *life(SID, *child(SID, 0.1, 0.2)))
    text = diff("--format", "csv", a, b).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    result = figures(a, b)
    wanted = [row for table in ("commands", "regions", "children")
              for row in result[table]]  # fmt: skip
    assert len(rows) == len(wanted) == 4
    for row, other in zip(rows, wanted):
        assert row["command"].removeprefix("'") == other["command"]
        assert row["verdict"] == other["verdict"]
        for key in ("p", "p_adjusted", "change_percent"):
            assert row[key] == ("" if other[key] is None else f"{other[key]:.9g}")
        for side in "ab":
            for name, value in (("count", ""), ("p50", "_us"), ("p99", "_us")):
                found = row[f"{name}_{side}{value}"]
                assert found == str(other[side].get(name + value, ""))
    assert rows[-1]["first"] == "hook" and rows[-1]["second"] == "pre-commit"


def test_the_json_of_diff_fits_its_schema(figures, root, scratch):
    text = (root / "schema/diff.schema.json").read_text()
    checker = jsonschema.Draft202012Validator(json.loads(text))
    a = make_set(scratch / "a", draw_times(1, 5))
    b = make_set(scratch / "b", draw_times(2, 5))
    write_log(b / "new", *life(SID, *child(SID, 0.1, 0.2)))
    result = figures(a, b)
    checker.validate(result)
    assert result["children"]
    assert not checker.is_valid({**result, "more": 1})
    for table in ("commands", "regions", "children"):
        (row, *_) = result[table]
        assert not checker.is_valid({**result, table: [{**row, "more": 1}]})
        for key in row:
            less = {name: row[name] for name in row if name != key}
            assert not checker.is_valid({**result, table: [less]})


def test_hostile_names_of_rows_stay_text(diff, figures, scratch):
    hostile = "\x1b[2J\n::error::x\u202e"
    a = make_set(scratch / "a", draw_times(1, 4), name="ok", label=hostile)
    done = diff(a, a)
    assert b"\x1b" not in done.stdout and "\u202e".encode() not in done.stdout
    assert not re.search(rb"^::", done.stdout, re.M)
    assert by_name(figures(a, a)["regions"]).keys() == {("ok", "c", hostile)}
    nameless = make_set(scratch / "b", draw_times(1, 4), label="")
    assert b"status: c / (none)\n" in diff(nameless, nameless).stdout


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("content", [None, b"", b"text\n"])
def test_a_set_without_events_is_refused(diff, scratch, side, content):
    log = write_log(scratch / "log", *life(SID))
    other = scratch / "other"
    if content is not None:
        other.write_bytes(content)
    sets = [log, other]
    done = diff(*(sets if side else sets[::-1]))
    assert (done.returncode, done.stdout) == (3, b"")
    assert str(other).encode() in done.stderr


def test_an_empty_directory_is_named(diff, scratch):
    log = write_log(scratch / "log", *life(SID))
    (scratch / "none").mkdir()
    done = diff(log, scratch / "none")
    assert done.returncode == 3
    wanted = f"trace2 diff: there is no event: {scratch}/none\n"
    assert done.stderr.decode() == wanted


def test_help_names_each_option(diff):
    for word in ("-h", "--help"):
        done = diff(word)
        assert (done.returncode, done.stderr) == (0, b"")
        for option in (b"--command", b"--fail-on", b"--least", b"--top",
                       b"--format"):
            assert b"\n  " + option in done.stdout
