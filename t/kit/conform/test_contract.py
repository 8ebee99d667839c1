"""t/kit/contract.tsv: the verbs of drivers, and what they call.

The driver of t/kit/drivers does what the table says. What it writes for a case
of golden/ is what test-tool wrote there.
"""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from kit import contract, kit

ROW = re.compile(r"[^\t]+(\t[^\t]+){6}")
# What the host gives; the rest is the emitter's, or the machine's.
OWN = ("category", "key", "value", "label", "msg", "name", "hierarchy", "argv",
       "ancestry", "path", "alias", "param", "worktree", "repo", "code",
       "child_class", "hook_name", "cd", "use_shell", "child_id", "exec_id",
       "exe", "ready", "nesting", "intervals", "count", "signo", "scope")

@pytest.fixture(scope="module")
def rows(root):
    lines = (root / "t/kit/contract.tsv").read_text().splitlines()
    return [line for line in lines if line[0] != "#"]


def test_each_row_has_seven_cells(rows):
    assert [row for row in rows if not ROW.fullmatch(row)] == []


def test_table_has_the_verbs_of_the_usage_list(rows, run):
    usage = [line.split(None, 3)[2:] for line in
             run().stderr.decode().splitlines()[1:]]
    table = [[c for c in row.split("\t")[:2] if c != "-"] for row in rows]
    assert table == usage


def test_a_published_verb_keeps_its_arguments_and_its_calls(root):
    """What changes is a new verb: drivers of the published ones stay right."""
    published = (root / "t/kit/published.tsv").read_text()
    now = contract.cells((root / "t/kit/contract.tsv").read_text())
    assert [row for row in contract.cells(published) if row not in now] == []


def test_a_new_verb_is_published_with_its_version(root):
    published = (root / "t/kit/published.tsv").read_text()
    table = (root / "t/kit/contract.tsv").read_text()
    names = {row[0] for row in contract.cells(published)}
    assert {row[0] for row in contract.cells(table)} == names
    version = re.search(r"^# version: (\d+)$", table, re.M)[1]
    assert f"version {version} of" in published


def copy_files(root, place):
    for path in (contract.PAGE, contract.TABLE, contract.PUBLISHED):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text((root / path).read_text())


def test_page_that_differs_from_the_table_is_not_up_to_date(root, scratch):
    copy_files(root, scratch)
    assert list(contract.stale(scratch)) == []
    page = scratch / "t/README.md"
    page.write_text(page.read_text().replace("| an `alias` |", "| x |"))
    assert list(contract.stale(scratch)) == [
        "t/README.md: not made from t/kit/contract.tsv (make rules)"]
    renew(scratch)
    assert page.read_text() == (root / "t/README.md").read_text()


def renew(place):
    for path, text in contract.made(place):
        (place / path).write_text(text)


def test_new_verb_comes_into_the_table_of_its_kind(root, scratch):
    copy_files(root, scratch)
    table = scratch / "t/kit/contract.tsv"
    text = table.read_text()
    for name in ("011new", "late_new"):
        text += f"{name}\t[a|b]\t-\texpect it\tprintf msg=\"\"\tone|two\n"
    table.write_text(text)
    renew(scratch)
    rest = " | `[a\\|b]` | one\\|two | `expect it` |  |\n"
    page = (scratch / "t/README.md").read_text()
    git, ours = page.split("### Our verbs")
    assert "| `011new`" + rest in git and "| `late_new`" + rest in ours
    assert table.read_text().endswith("\tone|two\t-\n")
    assert (scratch / contract.PUBLISHED).read_text() == (
        (root / contract.PUBLISHED).read_text() + "".join(
            f'{name}\t[a|b]\t-\texpect it\tprintf msg=""\n'
            for name in ("011new", "late_new")))
    assert list(contract.stale(scratch)) == []


def test_verb_has_the_requirements_of_the_scenarios_that_need_it(rows):
    cells = {row.split("\t")[0]: row.split("\t")[6].split() for row in rows}
    cases = kit.load().values()
    assert {verb: set(ids) for verb, ids in cells.items() if ids != ["-"]} == {
        verb: {name for case in cases if verb in case.verbs
               for name in case.ids}
        for verb in {verb for case in cases for verb in case.verbs}}


def test_requirements_of_a_verb_that_are_wrong_are_not_up_to_date(
        root, scratch):
    copy_files(root, scratch)
    table = scratch / "t/kit/contract.tsv"
    table.write_text(table.read_text().replace("\tsettings.read-once\n",
                                               "\tsettings.twice\n"))
    assert list(contract.stale(scratch)) == [
        "t/kit/contract.tsv: not made from the scenarios (make rules)"]


def test_verbs_of_the_scenarios_are_in_the_table(rows):
    needed = {verb for case in kit.load().values() for verb in case.verbs}
    assert needed <= {row.split("\t")[0] for row in rows}


def test_calls_of_the_table_are_explained(root, rows):
    sys.path.insert(0, str(root / "t/kit/drivers"))
    import calls

    page = (root / "t/README.md").read_text()
    names = {name for row in calls.VERBS.values() for name in called(row[3])}
    schemas = (root / "schema/events").glob("*.json")
    events = {path.name.partition(".")[0] for path in schemas}
    assert [n for n in sorted(names - events)
            if not re.search(rf"`{n}\b", page)] == []


def called(calls):
    for name, _, block, other in calls:
        yield name
        yield from called(block)
        yield from called(other)


def cases(root):
    for line in (root / "golden/MANIFEST.tsv").read_text().splitlines():
        cells = line.split("\t")
        if line[0] != "#" and cells[4].startswith("test-tool trace2 "):
            yield cells


# Threads that start at once get their numbers in any order.
AT_ONCE = ("550threads", "551thread_unknown", "554thread_names", "584shares")


def shown(text, numbers=True):
    """What the host gave to each event, by process and thread."""
    found = {}
    for event in map(json.loads, text.splitlines()):
        if event["event"] == "cmd_ancestry" and len(event["ancestry"]) > 2:
            continue
        who = event["sid"].count("/"), event["thread"]
        own = {k: v for k, v in event.items() if k in OWN}
        if event["event"] in ("start", "version"):
            own = {k: v for k, v in own.items() if k == "argv" and v[0] == "word"}
        found.setdefault(who, []).append((event["event"], own))
    if numbers:
        return found
    return sorted(((depth, name.split(":")[-1], events)
                   for (depth, name), events in found.items()), key=str)


ALIKE = """001return 002exit 003error 006data-bad 007bug 008bug 009bug_BUG
010bug_BUG 100timer 200counter 200counter-bad 300redact_start
301redact_child_start 302redact_exec 303redact_def_param 500region_nested
501region_printf 501region_printf-args 502region_unbalanced 503region_open
504region_bare 505region_mismatch 510data_intmax 512data_null 513printf
513printf-args 520cmd_mode 521alias 522cmd_path 523cmd_name 525cmd_error
526location 527def_repo 527def_repo-bare 528exit_unreported 535child_open
536child_odd 537exec_result 541signal_region 550threads 551thread_unknown
552thread_main 553thread_again 554thread_names 560fork
566fork_ids 570def_param 570def_param-empty 581timer_nested 582nothing 583counter
584shares 585totals_open 590flood 592text-control 592text-quotes 592text-utf8
592text-newlines 594exit_twice in_regions""".split()


# Each starts Python; make suite has some of each kind.
FIRST = ("001return", "006data-bad", "100timer", "301redact_child_start",
         "501region_printf", "550threads", "560fork", "570def_param",
         "581timer_nested", "592text-quotes", "594exit_twice", "in_regions")
LATER = pytest.mark.long("starts a driver in Python for each case")


@pytest.mark.parametrize("case", [
    case if case in FIRST else pytest.param(case, marks=LATER)
    for case in ALIKE])
def test_calls_of_the_table_are_those_of_test_tool(case, root, scratch):
    found = [cells for cells in cases(root) if cells[0] == case]
    (_, code, _, env, command, *_), = found
    log = scratch / "log"
    set_ = dict(word.split("=", 1) for word in shlex.split(env))
    made = subprocess.run(
        [root / "t/kit/drivers/driver.py", *shlex.split(command)[1:]],
        env={"PATH": os.environ["PATH"], "GIT_TRACE2_EVENT": str(log), **set_},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=scratch,
    )  # fmt: skip
    golden = (root / f"golden/event/{case}.txt").read_text()
    numbers = case not in AT_ONCE
    assert shown(log.read_text(), numbers) == shown(golden, numbers)
    assert made.returncode == int(code)
