"""The faults of the emitter in C++: t/kit/switches.py runs them all."""

import concurrent.futures
import re

import pytest

import spec as reader
from kit import kit, switches

CASES = kit.load()
KINDS = {"code": 3, "field": 6, "text": 6, "none": 5, "twice": 4}  # cells


@pytest.fixture(scope="module")
def table():
    lines = switches.TABLE.read_text().splitlines()
    return [line.split("\t") for line in lines if line[0] != "#"]


def test_switches_are_many_and_each_has_a_name(table):
    names = [row[0] for row in table]
    assert len(set(names)) == len(names) >= 250


def test_row_has_what_its_kind_needs(table):
    assert [row for row in table if len(row) < KINDS[row[2]]] == []


def test_requirement_of_a_switch_is_one_that_the_kit_checks(table):
    checked = {name for case in CASES.values() for name in case.ids}
    assert {row[1] for row in table} - checked == set()


def test_source_asks_for_each_switch_of_the_kind_code(table):
    source = "".join(path.read_text() for path in
                     switches.SOURCES.glob("*.[ch]*"))
    joined = re.sub(r'"\s*"', "", source)
    made = re.findall(r'"(\w+)" \},?\n', source) + re.findall(
        r'"(\w+)"', source)
    assert [row[0] for row in table if row[2] == "code"
            and f'"{row[0]}"' not in joined
            and row[0].removeprefix("no ") not in made] == []


@pytest.mark.long("runs the whole kit with each of these switches")
def test_switch_that_undoes_an_accident_of_git_breaks_nothing_else(
    table, root, scratch
):
    classes = {one.id: one.classes for one in reader.read(root).statements}
    judge = switches.Judge(switches.build(scratch))
    names = [name for name, requirement, *_ in table
             if classes[requirement] == ("git",)]
    assert len(names) >= 8
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = pool.map(judge.elsewhere, names)
    bound = {name: [one for one in ids if "full" in classes[one]]
             for name, ids in zip(names, found)}
    assert {name: ids for name, ids in bound.items() if ids} == {}


@pytest.mark.long("builds a program and runs the kit with it")
def test_kit_catches_a_switch_of_each_kind(table):
    first = {row[2]: row[0] for row in reversed(table)}
    assert switches.main(list(first.values())) == 0
