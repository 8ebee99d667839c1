"""`trace2 validate`: its formats, and which findings it gives in what order."""

import collections
import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import fxt_corpus
import pytest
from validate_kit import (
    ATEXIT,
    BROKEN,
    BROKEN_ID,
    EXIT,
    START,
    VERSION,
    event,
    log,
)

GOOD = log(VERSION, START, EXIT, ATEXIT)
UNKNOWN = log(VERSION, START, event("novel"), EXIT, ATEXIT)
CRLF = GOOD.replace(b"\n", b"\r\n")


@pytest.fixture
def write(scratch):
    """write(name=bytes, ...): files in the scratch directory."""

    def call(**files):
        for name, content in files.items():
            (scratch / name).write_bytes(content)

    return call


@pytest.fixture
def shown(root, scratch):
    """The log of the snapshots, in the scratch directory."""
    shutil.copy(root / "t/commands/validate/shown.event", scratch / "log")
    return "log"


# ---- Formats


@pytest.mark.parametrize("name", ["concise", "full", "sarif", "github"])
def test_a_format_looks_as_ever(name, shown, validate, root):
    result = validate("--format", name, shown)
    assert result.stdout == (root / f"t/commands/validate/shown.{name}").read_bytes()
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_format_with_a_time_looks_as_ever(name, shown, validate, root):
    printed = validate("--format", name, "--statistics", shown).stdout
    printed = re.sub(rb'"seconds":[0-9.]+', b'"seconds":0', printed)
    # How many rules there are is no matter of the format.
    printed = re.sub(rb'("rules\w*"):[0-9]+', rb"\1:0", printed)
    assert printed == (root / f"t/commands/validate/shown.{name}").read_bytes()


def test_json_keeps_to_its_published_schema(shown, validate, root):
    schema = json.loads((root / "schema/findings.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    checker = jsonschema.Draft202012Validator(schema)
    for words in (["--statistics", shown], [shown], ["nowhere"]):
        result = validate("--format", "json", *words)
        checker.validate(json.loads(result.stdout))
        result = validate("--format", "jsonl", *words)
        for line in result.stdout.splitlines():
            checker.validate(json.loads(line))
    finding = json.loads(result.stdout.splitlines()[0])
    for broken in ({**finding, "line": 0}, {**finding, "novel": 1}):
        assert not checker.is_valid(broken)


@functools.cache
def sarif_schema():
    here = Path(__file__).parent / "sarif/sarif-2.1.0-rtm.5.json"
    schema = json.loads(here.read_text())
    jsonschema.Draft4Validator.check_schema(schema)
    return jsonschema.Draft4Validator(schema)


def sarif_run(result):
    whole = json.loads(result.stdout)
    sarif_schema().validate(whole)
    assert set(whole) == {"$schema", "version", "runs"}
    assert whole["version"] == "2.1.0"
    assert whole["$schema"].endswith("sarif-2.1.0.json")
    (run,) = whole["runs"]
    assert set(run) == {"results", "columnKind", "tool"}
    assert run["columnKind"] == "unicodeCodePoints"
    return run


def demand_sarif_result(result, rules):
    assert set(result) == {
        *("ruleId", "level", "message", "locations", "partialFingerprints"),
    }
    assert result["ruleId"] in rules
    assert result["level"] in ("error", "warning", "note")
    assert result["message"]["text"]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert re.fullmatch(r"[A-Za-z0-9/._~%:-]+", place["artifactLocation"]["uri"])
    region = place["region"]
    assert region["startLine"] >= 1
    if "startColumn" in region:
        assert 1 <= region["startColumn"] <= region["endColumn"]
    prints = result["partialFingerprints"]["primaryLocationLineHash"]
    assert re.fullmatch("[0-9a-f]{16}:1", prints)


def test_sarif_has_what_code_scanning_requires(shown, validate, write):
    write(empty=b"")
    run = sarif_run(validate("--format", "sarif", shown, "empty"))
    driver = run["tool"]["driver"]
    assert set(driver) == {"name", "semanticVersion", "rules"}
    rules = {rule["id"]: rule for rule in driver["rules"]}
    assert len(rules) == len(driver["rules"])
    for rule in rules.values():
        for key in ("shortDescription", "fullDescription", "help"):
            assert rule[key]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "note")
    for result in run["results"]:
        demand_sarif_result(result, rules)
    assert {r["ruleId"] for r in run["results"]} == set(rules)
    assert "input.empty" in rules and len(run["results"]) == 10


@pytest.mark.long("checks every corpus")
def test_sarif_of_every_corpus_keeps_to_its_schema(validate, root):
    for folder in ("fail", "deviating", "consumer"):
        path = root / "t/corpus" / folder
        run = sarif_run(validate("--format", "sarif", "--for", "all", path))
        assert len(run["results"]) > 200
    broken = {"version": "2.1.0", "runs": [{"results": []}]}
    assert not sarif_schema().is_valid(broken)


def test_sarif_without_findings_is_sarif(validate, write):
    write(good=GOOD)
    run = sarif_run(validate("--format", "sarif", "good"))
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []


def test_sarif_counts_characters_and_escapes_names(validate, scratch):
    file = scratch / "azAZ09-._~@[`{/:; %é"
    file.parent.mkdir()
    file.write_bytes(
        log(VERSION, event("start", t_abs=1, argv=["@", 5])).replace(
            b"@", "é漢".encode()
        )
    )
    run = sarif_run(validate("--format", "sarif", file))
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert uri.startswith("file:///") and uri.endswith(
        "/azAZ09-._~%40%5B%60%7B/%3A%3B%20%25%C3%A9")  # fmt: skip
    line = file.read_text().splitlines()[1]
    region = place["region"]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "5"


def test_a_workflow_command_is_one_line_with_escapes(validate, scratch):
    (scratch / "a,b:c%d").write_bytes(log(VERSION, event("%0A")))
    result = validate("--format=github", "--select=version", "a,b:c%d")
    first, _ = result.stdout.decode().splitlines()
    assert first.startswith("::notice file=a%2Cb%3Ac%25d,line=2,col=10,")
    assert first.endswith("::%250A is not an event of EVENT version 4")


# ---- Colour


def printed_on(terminal, command, env):
    """What the command prints on a terminal."""
    ours, theirs = terminal
    process = subprocess.Popen(command, stdout=theirs, env=env)
    os.close(theirs)
    printed = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        printed += part
    os.close(ours)
    process.wait()
    return printed


COLORS = {
    "by-itself": ([], {}, True),
    "auto": (["--color", "auto"], {}, True),
    "never": (["--color", "never"], {}, False),
    "no-color": ([], {"NO_COLOR": "1"}, False),
    "empty-no-color": ([], {"NO_COLOR": ""}, True),
    "dumb-terminal": ([], {"TERM": "dumb"}, False),
    "always": (["--color", "always"], {"NO_COLOR": "1"}, True),
}


@pytest.mark.parametrize("case", COLORS)
def test_a_terminal_gets_full_findings_in_colour(
    case, shown, trace2, env, scratch, terminal
):
    options, variables, colored = COLORS[case]
    names = {**env, "TERM": "xterm", **variables}
    command = [trace2, "validate", *options, scratch / shown]
    printed = printed_on(terminal(), command, names)
    assert b"^^^" in printed
    assert (b"\x1b[" in printed) == colored


def test_colour_alone_differs(shown, validate):
    plain = validate("--format", "full", shown).stdout
    colored = validate("--format", "full", "--color", "always", shown).stdout
    assert plain != colored
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", colored) == plain


# ---- Which findings


def ids(result):
    lines = map(json.loads, result.stdout.splitlines())
    return [line["id"] for line in lines if "id" in line]


SELECTIONS = {
    "--select event": 3,
    "--select event.start": 2,
    "--select event.start.argv": 1,
    "--select input,version": 5,
    "--select input --select version": 5,
    "--ignore event": 6,
    "--ignore event,input": 3,
    "--select event --ignore event.start": 1,
    "--ignore event --select event.start.argv": 1,
    "--select event --ignore event": 0,
    "--ignore event --select event": 3,
}


@pytest.mark.parametrize("words", SELECTIONS)
def test_the_longest_prefix_selects(words, shown, validate):
    result = validate("--format=jsonl", *words.split(), shown)
    assert len(ids(result)) == SELECTIONS[words]
    summary = json.loads(result.stdout.splitlines()[-1])["summary"]
    assert sum(summary["findings"].values()) == SELECTIONS[words]
    assert result.returncode == (summary["findings"]["error"] > 0)


WRONG = [
    "--select nonsense",
    "--select input,nonsense",
    "--select event.sta",
    "--ignore= ",
    "--fail-on nothing",
    "--color sometimes",
    "--max-findings -1",
    "--max-findings 1x",
    "--max-per-rule x",
    "--max-findings 99999999999999999999",
    "--explain nonsense",
    "--explain event.sta",
]


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_value_is_refused_by_name(words, shown, validate):
    result = validate(*words.split(), shown)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"trace2 validate: ")


@pytest.mark.parametrize(
    "name, level, code",
    [
        ("unknown", "info", 1),
        ("unknown", "warning", 0),
        ("crlf", "info", 1),
        ("crlf", "warning", 1),
        ("crlf", "error", 0),
        ("bad", "error", 1),
        ("good", "info", 0),
    ],
)
def test_fail_on_is_the_lowest_level_to_fail(name, level, code, validate, write):
    write(unknown=UNKNOWN, crlf=CRLF, good=GOOD, bad=log(VERSION, BROKEN))
    assert validate("--fail-on", level, name).returncode == code


def test_findings_beyond_the_most_are_counted_only(shown, validate):
    whole = validate(shown)
    for most in (0, 1, 8, 9, 10):
        result = validate("--max-findings", str(most), shown)
        *findings, totals = result.stdout.splitlines(True)
        if most < 9:
            assert findings.pop() == (
                b"and %d more findings (--max-findings)\n" % (9 - most)
            )
        assert findings == whole.stdout.splitlines(True)[: min(most, 9)]
        assert totals == whole.stdout.splitlines(True)[-1]
        assert result.returncode == 1


def test_findings_are_sorted_by_file_line_and_column(validate, write):
    many = log(VERSION, event("start", argv=5, t_abs="x"), BROKEN)
    write(b=many, a=many + many, c=log(BROKEN))
    options = ("--format=jsonl", "--select=event")
    result = validate(*options, "c", "b", "a")
    rows = map(json.loads, result.stdout.splitlines()[:-1])
    found = [(r["file"], r["line"], r["column"]) for r in rows]
    assert found == sorted(found) and len(found) == 10
    again = validate(*options, "a", "c", "b")
    assert ids(again) == ids(result)


def test_a_limit_of_rules_changes_no_order(validate, root):
    logs = root / "t/corpus/deviating"
    whole = validate("--format", "concise", logs).stdout
    limited = validate("--format", "concise", "--max-per-rule", "999", logs)
    assert limited.stdout == whole


def test_a_hierarchy_that_can_not_be_shown_is_not(validate, write, scratch):
    again = event("cmd_name", name="b", hierarchy="b")
    for name in ("x" * 56, "\x1b", "\u00e9"):
        first = event("cmd_name", name=name, hierarchy=name)
        write(log=log(VERSION, START, first, again, EXIT, ATEXIT))
        result = validate("--select", "stream.hierarchy", scratch / "log")
        assert b"not the previous hierarchy followed by the name\n" in result.stdout


def test_many_findings_wait_in_a_file_and_lose_nothing(validate, write):
    write(log=log(BROKEN) * 30000)
    result = validate("log")
    lines = result.stdout.splitlines()
    start = b": error[%s]: start without argv" % BROKEN_ID.encode()
    for number, line in enumerate(lines[:-1], 1):
        assert line == b"log:%d:1%s" % (number, start)
    assert len(lines) == 30001


@pytest.mark.plain("a sanitizer writes files of its own")
def test_a_report_whose_findings_found_no_room_has_failed(execute, trace2, write):
    """What is not written to the file stays in memory, and this is no success."""
    write(log=log(BROKEN) * 100_000)
    done = execute(["sh", "-c", 'ulimit -f 1; exec "$0" validate log', trace2])
    assert done.returncode == 3
    assert done.stdout.count(b"start without argv") == 100_000


# ---- Statistics


def test_rules_are_exercised_by_the_lines_and_records_that_they_are_about(
    validate, write, scratch
):
    rules = [line.split()[0] for line in
             validate("--list-rules").stdout.decode().splitlines()]

    def count(*chapters):
        return sum(rule.startswith(chapters) for rule in rules)

    def exercised(*words):
        found = validate("--format=jsonl", "--statistics", *words).stdout
        return json.loads(found.splitlines()[-1])["summary"]["statistics"][
            "rules_exercised"]

    others = len(rules) - count("event.", "fxt", "consumer") + count("event.common.")
    write(log=log(VERSION), empty=b"")
    (scratch / "a.fxt").write_bytes(fxt_corpus.sound()["every-event"])
    assert exercised("empty") == 0
    assert exercised("log") == others + count("event.version.")
    assert exercised("a.fxt") == others + count("fxt")
    assert exercised("--for", "flamechart", "log") - exercised("log") == count(
        "consumer.flamechart")


def test_statistics_tell_findings_by_rule_and_writer(validate, write):
    def session(sid, exe, *lines):
        version = event("version", sid=sid, evt="4", exe=exe)
        return [version, *(line(sid) for line in lines)]

    def bad(sid):
        return event("start", sid=sid, t_abs=1)

    def good(sid):
        return event("start", sid=sid, t_abs=1, argv=[])

    one, two = session("s1", "a", bad, bad), session("s2", "b", good, bad)
    mixed = [line for pair in zip(one, two) for line in pair]
    write(log=log(*mixed, bad("s3"), *session("s4", "a", good), b"?"))
    result = validate("--format=jsonl", "--select=event,input", "--statistics", "log")
    found = json.loads(result.stdout.splitlines()[-1])["summary"]["statistics"]
    assert found["findings_of_rules"][BROKEN_ID] == 4
    assert found["findings_of_rules"]["input.json"] == 1
    writers = collections.defaultdict(list)
    for row in found["writers"]:
        writers[row["writer"]] += [row["sessions"], row["findings"]]
    assert writers["a"][0] == 2 and writers["b"][0] == 1
    assert writers["(unknown)"][0] == 1
    assert sum(row[1] for row in writers.values()) == sum(
        found["findings_of_rules"].values()
    )
    assert 0 < found["rules_exercised"] < found["rules"]


def test_very_many_writers_are_counted_as_others(validate, write):
    lines = [
        event("version", sid=f"s{i}", evt="4", exe=f"{i}" * 60)
        for i in range(3000)
    ]
    write(log=log(*lines))
    result = validate("--format=jsonl", "--statistics", "log")
    found = json.loads(result.stdout.splitlines()[-1])["summary"]["statistics"]
    assert len(found["writers"]) == 63
    assert found["writers"][-1]["writer"] == "(others)"
    assert sum(row["sessions"] for row in found["writers"]) == 3000


# ---- Progress


def test_without_a_terminal_no_progress_is_shown(validate, write):
    write(log=log(START) * 20000)
    assert validate("log").stderr == b""


def test_statistics_of_no_event_have_no_types(validate, write):
    write(log=b"")
    result = validate("--statistics", "log")
    assert b"event types" not in result.stdout
    assert b"events 0" in result.stdout or b"0 events" in result.stdout
