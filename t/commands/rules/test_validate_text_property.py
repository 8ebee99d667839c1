"""`trace2 validate` against SPEC.md's grammars on mutated real lines.

Each line is changed by one byte. The oracle is the ABNF of SPEC.md, a rule
for each event, and with it what the grammars can't say: that padding stops
at the width of a column, which columns an event fills, and that arguments
are not quoted without need. What holds between lines is not asked for.
"""

import random
import re
from pathlib import Path

import abnf
import pytest
import spec
from validate_kit import CORPUS, read_jsonl

pytestmark = pytest.mark.long("mutates thousands of lines")

ROOT = Path(__file__).resolve().parents[3]
MUTANTS = 800  # of each format
BYTES = b" |.:'!\\[]d0r9a-\t\xc3\x01~"
# The form of git 2.22 is another one, and older def_param has no scope.
LOGS = ["real/evt3-git2.39", "real/evt4-git2.55"]
BETWEEN_LINES = {
    "perf.dots",
    "perf.dots-dropped",
    "perf.region-dots",
    "region.data-t_rel",
    "region.t_rel",
    "time.t_abs",
}
TEXT = (ROOT / "SPEC.md").read_text()


def read_grammar():
    grammar = abnf.Grammar()
    for example in spec.Spec(TEXT).examples:
        if example.kind == "abnf":
            grammar.add(example.lines)
    return grammar


GRAMMAR = read_grammar()
RULE = GRAMMAR.pattern
# event: (in NORMAL, in PERF, t_abs, t_rel, category, repo)
MATRIX = {
    row[0].strip("`"): row[1:3] + row[4:]
    for row in (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.findall(r"^\| `\w+` \|(?:[^|\n]*\|){7}$", TEXT, re.M)
        for line in [line]
    )
}
QUOTED = RULE("quoted-words")
NEEDLESS = re.compile(r"(?:^|(?<= ))'[A-Za-z0-9+,./:=@_^-]+'(?= |$)")
SOURCE = r"(?! )(?:[^ ]| (?! ))+:\d+"
PERF = re.compile(
    rf"(?:{RULE('clock')} (?P<source>.{{28}}) \| )?(?P<depth>{RULE('depth')})"
    rf" \| (?P<thread>.{{24,}}?) \| (?P<event>[^ ]+ *) \| "
    rf"(?P<repo>{RULE('repo')}) \| (?P<t_abs>{RULE('t-abs')}) \| "
    rf"(?P<t_rel>{RULE('t-rel')}) \| (?P<category>.{{12}}) \| (?P<payload>.*)",
    re.DOTALL,
)
PREFIX = re.compile(
    rf"{RULE('clock')} (?:(?P<source>{SOURCE}) )? *", re.DOTALL
)
# How the payload of an event begins; any other text is a printf.
BEGINNINGS = {
    "start ": "start",
    "exit elapsed:": "exit",
    "atexit elapsed:": "atexit",
    "signal elapsed:": "signal",
    "alias .* -> ": "alias",
    r"child_start\[": "child-start",
    r"child_exit\[": "child-exit",
    r"child_ready\[": "child-ready",
    r"exec\[": "exec",
    r"exec_result\[": "exec-result",
    "def_param scope:": "def-param",
    "worktree [/']": "def-repo",
    "timer .* intervals:": "timer",
    "th_timer .* intervals:": "th-timer",
    "counter .* value:": "counter",
    "th_counter .* value:": "th-counter",
}
KNOWN = re.compile(
    "|".join([*BEGINNINGS, "(?:version|error|cmd_[a-z]+) "]), re.DOTALL
)


def fits(rule, text):
    """Does the payload follow its rule, with no needless quotes?"""
    words = "x\0" if rule.endswith("-exec") else QUOTED
    pattern = RULE(rule).replace(words, f"(?P<words>{words})", 1)
    match = re.fullmatch(pattern, text, re.DOTALL)
    if not match or "words" not in match.groupdict():
        return match
    return not NEEDLESS.search(match["words"] or "")


def is_padded(text, width):
    return len(text) == width or not text.endswith(" ")


def has_widths(match):
    """Is every column as wide as it has to be?"""
    source = match["source"]
    if source and not re.fullmatch(rf"(?: {{28}}|{SOURCE} *)", source):
        return False
    if not is_padded(match["thread"], 24) or not is_padded(match["event"], 12):
        return False
    if len(match["event"]) < 12:
        return False
    times = [match["t_abs"], match["t_rel"]]
    return all(len(t) >= 9 and not (t[9:] and t[0] == " ") for t in times)


def is_perf(line):
    match = PERF.fullmatch(line)
    if not match or int(match["depth"][1:]) or not has_widths(match):
        return False
    event = match["event"].rstrip()
    if event not in MATRIX:
        return True
    return fills_columns(match, *MATRIX[event][2:]) and fits_perf(match, event)


def fills_columns(match, t_abs, t_rel, category, repo):
    filled = {name: bool(text.strip(" ")) for name, text in
              match.groupdict(default="").items()}
    if (filled["t_abs"], filled["t_rel"]) != (bool(t_abs), bool(t_rel)):
        return False
    if match["event"].rstrip() == "def_repo" and not filled["repo"]:
        return False
    if category == "scope" and filled["category"]:
        return match["category"].startswith("scope:")
    return not (filled["category"] and not category or
                filled["repo"] and not repo)


def fits_perf(match, event):
    rule = f"perf-{event.replace('_', '-')}"
    payload = match["payload"]
    while True:
        if fits(rule, payload):
            return True
        if event == "start" or not payload.startswith(".."):
            return False
        payload = payload[2:]


def is_normal(line):
    if not re.match(RULE("clock") + " ", line):
        return False
    for end in range(50, len(line) + 1):
        match = PREFIX.fullmatch(line[:end])
        if match and (end == 50 or is_long(match, line[:end])):
            return is_in_place(line[end:]) and is_payload(line[end:])
    return False


def is_long(match, prefix):
    return match["source"] and len(prefix) == 17 + len(match["source"])


def is_in_place(text):
    return not (text.startswith(" ") and KNOWN.match(text.lstrip(" ")))


def is_payload(text):
    for beginning, rule in BEGINNINGS.items():
        if re.match(beginning, text, re.DOTALL):
            return bool(fits(f"normal-{rule}", text))
    return True


def real_lines(suffix):
    """One line in full form of each event of each log, no two alike."""
    found = {}
    for folder in LOGS:
        for path in sorted((CORPUS / "pass" / folder).glob(f"*.{suffix}")):
            lines = path.read_bytes().splitlines()
            for line in lines:
                if re.match(rb"\d\d:\d\d:\d\d\.(?!.{35} \| d[^0])", line):
                    found.setdefault(shape(line), line)
    return sorted(found.values())


def shape(line):
    """What is the same in lines that the checks treat alike."""
    return re.sub(rb"[a-z]+", b"a", re.sub(rb"\d+", b"0", line[15:]))[:160]


def mutants(lines, seed, count):
    choose = random.Random(seed)
    for _ in range(count):
        line = choose.choice(lines)
        at = choose.randrange(len(line))
        new = bytes([choose.choice(BYTES)])
        kind = choose.randrange(3)
        yield line[:at] + new * (kind > 0) + line[at + (kind < 2) :]


def errors_of(validate, folder, form, before, lines, behind):
    """For each line, the ids of what is wrong with it, in a log of its own."""
    for number, line in enumerate(lines):
        log = b"\n".join([before, line, behind, b""])
        (folder / f"{number:05}.{form}").write_bytes(log)
    result = validate("--format", "jsonl", folder)
    ids = {number: [] for number in range(len(lines))}
    for finding in read_jsonl(result)[0]:
        assert finding["id"] != "input.other-format", finding
        if finding["level"] != "error" or finding["id"] in BETWEEN_LINES:
            continue
        assert finding["line"] == before.count(b"\n") + 2, finding
        ids[int(Path(finding["file"]).stem)].append(finding["id"])
    return ids


CASES = {
    "perf": is_perf,
    "normal": is_normal,
    "perf brief": is_perf,
    "normal brief": is_payload,
}


@pytest.mark.parametrize("case", CASES)
def test_a_mutated_line_is_judged_as_by_the_grammar(case, validate, scratch):
    form = case.split()[0]
    lines = real_lines(form)
    before = next(line for line in lines if b"version " in line)
    behind = next(line for line in lines if b" atexit " in line)
    if case == "perf brief":
        lines, before, behind = cut_all(lines, before, behind, 47)
    elif case == "normal brief":
        lines = [line for line in lines if line[49:50] == b" "]
        lines, before, behind = cut_all(lines, before, behind, 50)
        # Only that tells that it is NORMAL.
        before = b"\n".join([before, b"start git", before])
    changed = [*lines, *mutants(lines, case, MUTANTS)]
    ids = errors_of(validate, scratch, form, before, changed, behind)
    oracle = CASES[case]
    wrong = [
        (line, ids[number])
        for number, line in enumerate(changed)
        if bool(ids[number]) == bool(oracle(line.decode("latin-1")))
    ]
    assert wrong == []
    refused = sum(map(bool, ids.values()))
    assert MUTANTS / 5 < refused < MUTANTS * 4 / 5
    assert not any(ids[number] for number in range(len(lines)))


def cut_all(lines, before, behind, width):
    return [line[width:] for line in lines], before[width:], behind[width:]
