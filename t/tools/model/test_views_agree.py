"""All views ask one model, so they tell the same of each span of a log. More
logs than here: make property LOGS=100000."""

import json

import pytest
from agree import find_differences, write_log
from random_logs import draw_log
from validate_kit import CORPUS
from read_views import run

REAL = sorted(path for path in (CORPUS / "pass/real").rglob("*")
              if path.is_file() and path.suffix in (".event", ".json", ".log"))


@pytest.mark.parametrize("seed", range(3))
def test_views_tell_the_same_of_each_region(seed, trace2, scratch):
    assert list(find_differences(seed, 100, trace2, scratch)) == []


def add_up_self(told):
    return sum(row["self_us"] for table in ("commands", "regions", "children")
               for row in told[table])


@pytest.mark.parametrize("seed", range(3))
def test_self_times_of_random_logs_add_up_to_the_wall_time(seed, trace2, scratch):
    log = write_log(seed, 100, scratch)
    told = json.loads(run(str(trace2), "summary", "--format", "json", str(log)))
    assert add_up_self(told) == told["wall_us"] > 0


def test_no_region_of_a_real_log_has_more_self_than_total(trace2):
    assert REAL
    for log in REAL:
        text = run(str(trace2), "summary", "--format", "json", str(log))
        told = json.loads(text) if text else {"regions": []}
        assert [row for row in told["regions"]
                if row["self_us"] > row["total_us"]] == [], log


def write_files(place):
    names = []
    for process in draw_log(7, 40):
        names.append(str(place / f"{process.number}.event"))
        (place / f"{process.number}.event").write_text(
            "".join(line + "\n" for line in process.lines))
    return names


def test_the_order_of_files_does_not_matter(trace2, scratch):
    names = write_files(scratch)
    told = [json.loads(run(str(trace2), "summary", "--format", "json", *order))
            for order in (names, names[::-1])]
    for one in told:
        one.pop("seconds", None)
    assert told[0] == told[1]


@pytest.mark.parametrize("rows", ("processes", "regions"))
def test_rows_of_a_table_do_not_depend_on_the_order_of_files(rows, trace2, scratch):
    names = write_files(scratch)
    told = [sorted(run(str(trace2), "table", "--rows", rows, *order).splitlines())
            for order in (names, names[::-1])]
    assert told[0] == told[1] != []
