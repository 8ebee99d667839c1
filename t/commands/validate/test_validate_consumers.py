"""`trace2 validate --for`: what programs that read EVENT logs make of them."""

import collections
import json

import pytest
import spec
from validate_kit import CORPUS, START, VERSION, log
from validate_kit import read_expected, read_jsonl, read_told, told

LOGS = sorted((CORPUS / "consumer").glob("*/*.event"))
REAL = CORPUS / "pass/real"
NAMES = ["trace2receiver", "gitaly", "flamechart", "git-ai"]
LEVELS = {"accepted": None, "degraded": "warning", "rejected": "error"}
FORMATS = ["concise", "full", "json", "jsonl", "sarif", "github"]
# How many real logs of git have something for a program to stumble over.
STUMBLES = {
    "trace2receiver": {"time": 4},
    "gitaly": {"tree": 23},
    "flamechart": {"stack": 7, "tree": 21, "time": 4, "markup": 1},
    "git-ai": {"command": 21, "completed": 5},
}


@pytest.fixture
def judge(validate):
    """judge(name, path...): the findings of that program's rules."""

    def call(name, *paths):
        words = ("--for", name, "--select", "consumer", "--format", "jsonl")
        return read_jsonl(validate(*words, *paths))[0]

    return call


def verdicts(findings):
    """(consumer, accepted, degraded or rejected, line) of each verdict."""
    return [
        (f["id"].split(".")[1], f["message"].split()[0], f["line"])
        for f in findings
        if f["id"].endswith(".verdict")
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_log_gets_the_verdict_that_its_name_says(name, judge):
    logs = [path for path in LOGS if path.parent.name == name]
    findings = collections.defaultdict(list)
    for finding in judge(name, *logs):
        findings[finding["file"]].append(finding)
    for path in logs:
        found = findings[str(path)]
        assert told(found) == read_told(path.with_suffix(".expect")), path
        (verdict,) = verdicts(found)
        assert verdict[1] == path.stem.split("-")[0], path
        reasons = [f for f in found if not f["id"].endswith(".verdict")]
        wanted = LEVELS[verdict[1]]
        assert [f["level"] for f in reasons] == [wanted] * bool(wanted), path
        assert {f["line"] for f in reasons} <= {verdict[2]}, path


def test_each_rule_of_a_program_has_two_logs_that_break_it(root):
    found = spec.read(root)
    ids = {name for name in found.ids if name.startswith("consumer.")}
    logs = collections.Counter(
        row[0]
        for path in LOGS
        for row in read_expected(path.with_suffix(".expect"))
    )
    assert set(logs) == ids
    assert min(logs.values()) >= 2


def test_a_program_loses_twice_as_many_logs_as_it_accepts():
    count = collections.Counter(
        (path.parent.name, path.stem.startswith("accepted")) for path in LOGS
    )
    for name in NAMES:
        assert count[name, False] >= 2 * count[name, True] > 8


@pytest.mark.parametrize("name", NAMES)
def test_real_logs_are_accepted_but_for_known_reasons(name, judge):
    logs = [*REAL.glob("*/*.event"), *REAL.glob("*/dir/*")]
    findings = judge(name, *logs)
    reasons = [f for f in findings if not f["id"].endswith(".verdict")]
    count = collections.Counter(f["id"].split(".")[2] for f in reasons)
    assert count == STUMBLES[name]
    accepted = sum(row[1] == "accepted" for row in verdicts(findings))
    assert len(logs) == accepted + len({f["file"] for f in reasons}) > 180


def test_a_text_log_is_rejected_by_every_program(judge):
    for suffix in ("normal", "perf"):
        findings = judge("all", REAL / f"evt4-git2.55/add.{suffix}")
        assert verdicts(findings) == [(n, "rejected", 1) for n in NAMES]


def test_all_asks_every_program_once_a_file(judge):
    logs = [REAL / f"evt4-git2.55/{name}.event" for name in ("add", "alias")]
    assert verdicts(judge("all", *logs)) == 2 * [
        (name, "accepted", 1) for name in NAMES
    ]
    two = judge("git-ai,gitaly", logs[0])
    assert {row[0] for row in verdicts(two)} == {"git-ai", "gitaly"}


@pytest.mark.parametrize("ending", ["surrogate", "number", "utf8"])
def test_what_programs_replace_is_no_reason(ending, judge, scratch):
    bad = {
        "surrogate": (b'"status"', b'"\\udce9"'),
        "number": (b"0.000482", b"1" + b"0" * 30),
        "utf8": (b'"status"', b'"\xe9"'),
    }[ending]
    good = (CORPUS / "consumer/gitaly/accepted-full.event").read_bytes()
    (scratch / "log").write_bytes(good.replace(*bad))
    for _, verdict, _ in verdicts(judge("all", "log")):
        assert verdict == "accepted"


@pytest.mark.parametrize("text", [b"\\udce9", b"\xe9\xe9"])
def test_a_reason_beside_what_is_replaced_has_its_place(text, judge, scratch):
    path = CORPUS / "consumer/gitaly/rejected-code-in-quotes.event"
    log = path.read_bytes().replace(b'"thread":"main"', b'"thread":"%s"' % text)
    (scratch / "log").write_bytes(log)
    (found,) = [f for f in judge("gitaly", "log") if f["level"] == "error"]
    line = log.splitlines()[found["line"] - 1]
    assert found["id"] == "consumer.gitaly.type"
    assert line[found["column"] - 1 :].startswith(b'"0"')


HUGE = (b'{"event":"printf","sid":"s","thread":"main",'
        b'"time":"2026-01-14T09:30:42.000000Z","msg":[%s]}')
# A line behind the first: what each program makes of it (accepted, degraded,
# rejected), and in which columns.
LINES = {
    b"": ("aara", {1}),
    b" \t\r": ("aara", {4}),
    b" \t\r{": ("rrrd", {5}),
    b"{": ("rrrd", {2}),
    b" words": ("arrd", {2}),
    b" \0": ("arrd", {2}),
    b"\xef\xbb\xbf" + VERSION: ("drrd", {1, 13}),
    HUGE % b"1e999": ("rraa", {1, 88}),
    HUGE % b",".join([b"1e999"] * 64): ("rraa", {1, 88}),
    HUGE % b",".join([b"1e999"] * 65): ("aaaa", set()),
    HUGE % b"1e999,x": ("rrrd", {95}),
    b'  {"sid":"\\udce9","thread":"main"}': ("raad", {1, 3}),
    b'  {"sid":"s","thread":"main"}': ("raad", {1, 3}),
}


def test_a_line_is_refused_by_who_reads_it(judge, scratch):
    path = CORPUS / "consumer/gitaly/accepted-full.event"
    first, behind = path.read_bytes().split(b"\n", 1)
    for number, line in enumerate(LINES, 100):
        (scratch / f"{number}").write_bytes(first + b"\n" + line + b"\n" + behind)
    findings = judge("all", ".")
    for number, (line, expected) in enumerate(LINES.items(), 100):
        found = [f for f in findings if f["file"] == f"./{number}"]
        verdict = {name: word[0] for name, word, _ in verdicts(found)}
        places = {f["column"] for f in found
                  if not f["id"].endswith(".verdict")}  # fmt: skip
        assert ("".join(verdict[n] for n in NAMES), places) == expected, line


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_shows_verdicts_and_reasons(name, validate):
    path = CORPUS / "consumer/gitaly/rejected-words.event"
    printed = validate("--for", "gitaly", "--format", name, path).stdout
    for word in (b"consumer.gitaly.json", b"consumer.gitaly.verdict"):
        assert printed.count(word) >= 1
    assert b"rejected by gitaly at line 3" in printed


def test_a_rejected_log_fails_and_a_degraded_one_does_not(validate, scratch):
    (scratch / "log").write_bytes(log(VERSION, START))
    assert validate("log").returncode == 0
    assert validate("--for", "gitaly", "log").returncode == 1
    assert validate("--for", "flamechart", "log").returncode == 0
    words = ("--for", "flamechart", "--fail-on", "warning", "log")
    assert validate(*words).returncode == 1
    words = ("--for", "gitaly", "--ignore", "consumer.gitaly", "log")
    assert validate(*words).returncode == 0


def test_statistics_count_the_findings_of_programs(validate):
    path = CORPUS / "consumer/gitaly"
    words = ("--for", "gitaly", "--statistics", "--format", "jsonl", path)
    summary = json.loads(validate(*words).stdout.splitlines()[-1])["summary"]
    count = summary["statistics"]["findings_of_rules"]
    assert count["consumer.gitaly.verdict"] == len(list(path.glob("*.event")))
    assert count["consumer.gitaly.type"] == 5
    rules = summary["statistics"]["rules_exercised"]
    summary = json.loads(validate(*words[2:]).stdout.splitlines()[-1])["summary"]
    assert rules - summary["statistics"]["rules_exercised"] == 7


def test_without_for_no_program_is_asked(validate):
    result = validate("--format", "jsonl", CORPUS / "consumer")
    assert "consumer." not in "".join(f["id"] for f in read_jsonl(result)[0])


@pytest.mark.parametrize("name", ["perfetto", "", "gitaly,", "gitaly2"])
def test_an_unknown_program_is_wrong_usage(name, validate):
    result = validate("--for", name, REAL)
    assert result.returncode == 2
    assert b"trace2 validate: --for needs trace2receiver, " in result.stderr
