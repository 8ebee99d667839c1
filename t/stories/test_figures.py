"""Figures that no summary of a story may show, whatever its log is."""

import json
import re
from pathlib import Path

import pytest

STORIES = Path(__file__).parent
ORDER = ("min_us", "p50_us", "p90_us", "p99_us", "max_us")
OWNERS = ("commands", "regions", "children")
NOUNS = ("command", "process", "row", "span", "run", "line", "error",
         "region", "finding", "file")
PLURALS = [noun + ("es" if noun.endswith("s") else "s") for noun in NOUNS]
WRONG = re.compile(rf"(?<![\d.,])1 (?:{'|'.join(PLURALS)})\b|\d\.\d\d+ ?%")


def dictionaries(value):
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from dictionaries(one)


def read(name):
    for path in sorted(STORIES.glob(f"*/{name}")):
        yield path, json.loads(path.read_text())


def read_times():
    """The summaries of commands: one of spans has no tables of owners."""
    for path, result in read("summary.json"):
        if "spans" not in result:
            yield path, result


@pytest.mark.parametrize("name", ["summary.json", "diff.json"])
def test_quantiles_lie_in_order_between_the_least_and_the_largest(name):
    for path, result in read(name):
        for row in dictionaries(result):
            figures = [row[key] for key in ORDER if key in row]
            assert figures == sorted(figures), path


def test_owners_phases_and_the_critical_path_add_up_to_the_time():
    for path, result in read_times():
        wall = result["wall_us"]
        owned = sum(row["self_us"] for table in OWNERS
                    for row in result[table])
        phases = sum(row["self_us"] for row in result["phases"])
        assert owned == phases == wall, path
        if result["roots"] == 1 and result["path"]:
            assert sum(row["total_us"] for row in result["path"]) == wall


def test_nothing_saves_more_than_it_has_and_no_side_has_less_than_nothing():
    for path, result in read_times():
        for row in result["path"]:
            assert 0 <= row["saves_us"] <= row["total_us"], path
        sides = [row["self_us"] for row in result["sides"]]
        assert sum(sides) <= result["wall_us"] and min([0, *sides]) == 0


def test_one_is_no_plural_and_a_share_has_one_decimal():
    for path in STORIES.glob("*/*.txt"):
        assert not WRONG.search(path.read_text(errors="replace")), path
