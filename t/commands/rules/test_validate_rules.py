"""`trace2 validate --list-rules` and `--explain`, and their table."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from req import rules as req_rules
from spec import read as read_spec
from validate_kit import CORPUS, options, read_jsonl

ROOT = Path(__file__).resolve().parents[3]
RULES = list(req_rules.rules(ROOT))
LEVELS = {
    "MUST": "error",
    "MUST NOT": "error",
    "SHOULD": "warning",
    "SHOULD NOT": "warning",
}
# Their logs are made by t/commands/rules/test_validate_corpus.py: too big to keep.
TOO_BIG = {"input.huge-line", "input.long-line"}
# An event alone is no whole process, so only rules about it are asked.
ALONE = ("--select", "event,version,input")


def test_rules_are_listed_with_the_sentences_of_the_specification(validate):
    result = validate("--list-rules")
    spec = read_spec(ROOT)
    sentences = {one.id: one.sentence for one in spec.statements}
    rows = [row.split("\t") for row in result.stdout.decode().splitlines()]
    assert len(rows) == len(RULES) > 100
    assert [name for name, _, _ in rows] == sorted(r.id for r in RULES)
    for name, level, sentence in rows:
        assert level in ("error", "warning", "info")
        assert sentence == sentences[name]


def test_the_rules_of_a_class_are_those_that_bind_it(validate):
    for word in ("min", "full", "git"):
        rows = validate("--list-rules", "--class", word).stdout.decode()
        wanted = {r.id for r in RULES if not r.classes or word in r.classes}
        assert {row.split("\t")[0] for row in rows.splitlines()} == wanted
        assert len(wanted) < len(RULES)


def test_every_id_of_the_corpus_and_the_schemas_is_a_rule():
    ids = {rule.id for rule in RULES}
    fail = ROOT / "t/corpus/fail"
    assert {path.name for path in fail.iterdir() if path.is_dir()} <= ids
    schemas = ROOT / "schema"
    text = "".join(path.read_text() for path in schemas.glob("events/*"))
    text += (schemas / "common.schema.json").read_text()
    keys = set(re.findall(r'"(event\.\w+\.\w+)"', text))
    assert keys <= ids and len(keys) > 90


def test_levels_follow_the_keywords_of_the_specification():
    for rule in RULES:
        if rule.level != "INFO" and rule.keyword in LEVELS:
            assert rule.level.lower() == LEVELS[rule.keyword], rule.id


def longest(table, name):
    """The entry whose key is the longest prefix of the id, up to a dot."""
    while name and name not in table:
        name = name.rpartition(".")[0]
    return table[name]


def log_rules():
    """Those that have logs below t/corpus/fail: all but other programs'."""
    return [r for r in RULES if not r.id.startswith("consumer.")]


def test_each_rule_has_two_logs_that_must_fail():
    for rule in log_rules():
        logs = list((CORPUS / "fail" / rule.id).glob("*.expect"))
        big = TOO_BIG | {"fxt.record.large"}  # of which one is kept
        assert len(logs) >= 2 or rule.id in big, rule.id


def test_each_rule_has_a_legal_neighbour():
    text = (CORPUS / "pass/neighbours.tsv").read_text()
    table = {row.split("\t")[0]: row.split("\t")[1] for row in text.splitlines()}
    used = set()
    for rule in log_rules():
        pattern = longest(table, rule.id)
        used.add(pattern)
        logs = list((CORPUS / "pass").glob(pattern))
        assert logs, rule.id
    assert used == set(table.values())


def test_each_event_has_a_neighbour_with_each_of_its_keys():
    logs = {}
    for path in (CORPUS / "pass/event").iterdir():
        lines = map(json.loads, path.read_text().splitlines())
        name = path.stem.removeprefix("by-schema-")
        logs[name] = {k for e in lines for k in e
                      if name in (e["event"], "common")}  # fmt: skip
    for rule in RULES:
        chapter, *rest = rule.id.split(".")
        if chapter == "event":
            key = rest[1].partition("-")[0]
            assert key in logs[rest[0]], rule.id


def test_two_logs_must_fail_for_each_that_must_not():
    fail = len(list(CORPUS.glob("fail/*/*.expect")))
    made = [p for p in CORPUS.glob("pass/*/*.*") if p.parent.name != "real"]
    assert fail >= 2 * len(made) > 100


def findings(validate, scratch, content, *options):
    (scratch / "log").write_bytes(content)
    result = validate("--format", "jsonl", *options, "log")
    return [row["id"] for row in read_jsonl(result)[0]]


def archive_findings(validate, scratch, words, *options):
    """Of an archive that is shown as its words."""
    shown = re.findall(r"0x\w+: 0x(\w+)\n", words.decode())
    content = b"".join(bytes.fromhex(word)[::-1] for word in shown)
    (scratch / "log.fxt").write_bytes(content)
    result = validate("--format", "jsonl", *options, "log.fxt")
    return [row["id"] for row in read_jsonl(result)[0]]


# The rules of other programs are asked by name, and always give a verdict.
PROGRAMS = sorted({r.id.split(".")[1] for r in RULES
                   if r.id.startswith("consumer.")})  # fmt: skip
# And what only a socket can show: t/commands/validate/test_validate_listen.py.
CHAPTERS = {r.id.split(".")[0] for r in RULES} - {"consumer", "destination"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_bad_examples_stop_a_program_and_good_ones_do_not(
    program, validate, scratch
):
    options = ("--for", program, "--select", f"consumer.{program}")
    verdict = f"consumer.{program}.verdict"
    for rule in RULES:
        if not rule.id.startswith(f"consumer.{program}."):
            continue
        found = findings(validate, scratch, rule.bad, *options)
        assert {rule.id, verdict} <= set(found), rule.id
        assert len(found) == 2, rule.id
        found = findings(validate, scratch, rule.good, *options)
        assert found == [verdict], rule.id


def options_of(name):
    """The options without which nobody asks the rule."""
    return options(CORPUS / "fail" / name / "log")


def findings_of_files(validate, scratch, contents, *options):
    """{name: ids} for {name: content}, all read by one process."""
    for name, content in contents.items():
        (scratch / name).write_bytes(content)
    result = validate("--format", "jsonl", *options, *contents)
    found = {name: [] for name in contents}
    for row in read_jsonl(result)[0]:
        found[row["file"]].append(row["id"])
    return found


def check_examples(rule, bad, good):
    """A log in an older form may break more than one rule."""
    others = {one for one in bad if one.split(".")[0] != "older"}
    assert rule.id in bad and others <= {rule.id}, rule.id
    assert good == [], rule.id


def test_bad_events_break_their_rule_and_good_ones_none(validate, scratch):
    """One process reads all those of which only rules about an event are
    asked: there no file changes what is found in another one."""
    rules = {r.id: r for r in RULES if r.id.split(".")[0] == "event"}
    alone = [name for name in rules if not options_of(name)]
    bad, good = (findings_of_files(validate, scratch, {
        f"{name}.{kind}": getattr(rules[name], kind) for name in alone}, *ALONE)
        for kind in ("bad", "good"))
    assert len(alone) > 80
    for name, rule in rules.items():
        if name in alone:
            check_examples(rule, bad[f"{name}.bad"], good[f"{name}.good"])
        else:
            check_examples(rule, *(
                findings(validate, scratch, log, *options_of(name))
                for log in (rule.bad, rule.good)))


@pytest.mark.parametrize("chapter", sorted(CHAPTERS - {"event"}))
def test_bad_examples_break_their_rule_and_good_ones_none(
    chapter, validate, scratch
):
    find = archive_findings if chapter == "fxt" else findings
    for rule in RULES:
        if rule.id.split(".")[0] != chapter or rule.id in TOO_BIG:
            continue
        assert rule.bad is not None and rule.good is not None, rule.id
        check_examples(rule, *(
            find(validate, scratch, log, *options_of(rule.id))
            for log in (rule.bad, rule.good)))


def shown(data):
    """An example as it is printed where all its bytes are text."""
    lines = data.decode().split("\n")[:-1]
    return "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("part", [0, *(
    pytest.param(part, marks=pytest.mark.long("the other rules"))
    for part in range(1, 8))])
def test_explain_prints_sentence_reason_and_examples(validate, part):
    for rule in RULES[part::8]:
        result = validate("--explain", rule.id)
        text = result.stdout.decode()
        assert (result.returncode, result.stderr) == (0, b"")
        assert text.startswith(f"{rule.id} ({rule.level.lower()}; "
                               f"{rule.document}#")
        assert f"\n{rule.sentence}\n\nWhy: {rule.why}\n\nBad:\n\n" in text
        assert text.endswith(f"\nGood:\n\n{shown(rule.good)}")
        if rule.id.startswith("event.") or rule.bad == b"":
            bad = shown(rule.bad) or "    (nothing at all)\n"
            assert f"Bad:\n\n{bad}\nGood" in text


def test_explain_prints_no_control_bytes(validate):
    for name in ("input.nul", "input.utf8", "input.unreadable"):
        printed = validate("--explain", name).stdout
        assert not set(printed) & ({*range(32), 0x7F} - {0x0A})
        assert printed.decode()


def rules_of(scratch, *changed):
    """A tree of links to ours, but for what the test changes."""
    for name in {"t", "schema", "helper", "ref", "docs", "SPEC.md", "TRACING.md"} - {*changed}:
        (scratch / name).symlink_to(ROOT / name)
    return list(req_rules.rules(scratch))


def test_a_rule_that_the_specification_lacks_is_refused(scratch):
    text = (ROOT / "SPEC.md").read_text()
    (scratch / "SPEC.md").write_text(text.replace("`input.nul`", "`input.x`"))
    with pytest.raises(req_rules.Broken, match="input.nul: not in SPEC.md"):
        rules_of(scratch, "SPEC.md")


def test_what_the_build_knows_of_rules_is_up_to_date():
    found = req_rules.as_json(RULES)
    assert (ROOT / "schema/rules.json").read_text() == found, "make rules"


@pytest.fixture
def add_key(scratch):
    """A copy of schema/ with a key that no document has heard of."""
    shutil.copytree(ROOT / "schema", scratch / "schema")
    path = scratch / "schema/events/exit.schema.json"
    schema = json.loads(path.read_text())
    schema["properties"]["mood"] = {"$comment": "event.exit.mood",
                                    "type": "string"}
    schema["examples"][0]["mood"] = "good"
    path.write_text(json.dumps(schema))
    return scratch / "schema"


def test_a_schema_without_prose_builds_and_fails_the_check(scratch, add_key):
    with pytest.raises(req_rules.Broken, match="event.exit.mood: not in SPEC"):
        rules_of(scratch, "schema")
    (tool,) = (ROOT / "helper").rglob("gen_rules.py")
    subprocess.run([sys.executable, tool, add_key, scratch / "out.c"],
                   check=True)
    table = (scratch / "out.c").read_text()
    assert '.id = "event.exit.mood"' in table
    assert table.count(".id = ") == len(RULES) + 1


def test_the_program_is_built_without_the_suite_and_the_document(scratch):
    """Objects are not built: what is read to make them is what counts. Only
    test-tool, which is the suite's, has calls from it."""
    for name in ("Makefile", "ref", "schema", "helper"):
        (scratch / name).symlink_to(ROOT / name)
    (scratch / "t").mkdir()
    shutil.copy(ROOT / "t/check.mk", scratch / "t")
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}
    done = subprocess.run(
        ["make", "-n", "-B", "B=b", "b/helper/trace2", "b/libtrace2.so"],
        cwd=scratch, env=names,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    assert "gen_rules.py schema b/gen/rules_table.c" in done.stdout
    assert not re.search(r"SPEC\.md|\bt/(?!check)", done.stdout)
    made = subprocess.run(
        ["make", "-s", "B=b", "b/gen/rules_table.o"], cwd=scratch, env=names)
    assert made.returncode == 0
