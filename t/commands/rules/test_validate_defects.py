"""Every defect between events is found in every real log that can have it.

The broken logs are made from real ones of every EVENT version, and all of
them are checked in one run: each copy gets SIDs of its own.
"""

import bisect
import collections
import itertools
import json
import re

import pytest
import spec
import stream_defects
import stream_defects_deep  # noqa: F401  it adds to the defects
import stream_enrich
from validate_kit import CORPUS, log, read_jsonl

pytestmark = pytest.mark.long("breaks every real log in every way")

DEFECTS = stream_defects.DEFECTS
PLACES = 3  # in one log
ENRICHED = "add"
# Versions whose gits have no such events.
LATER = {
    "doubled_child_ready": 3,
    "late_cmd_ancestry": 3,
    "totals_twice": 3,
    "totals_before_the_exit": 3,
    "shares_without_a_total": 3,
    "event_behind_the_totals_of_a_thread": 3,
    "timer_out_of_bounds": 3,
    "timer_below_its_sum": 3,
    "counter_below_its_sum": 3,
    "timer_above_its_sum": 3,
    "timer_longer_than_its_sum": 3,
    "counter_above_its_sum": 3,
}
HOST = re.compile(rb"-H[0-9a-f]{8}-")


def real_logs():
    """(EVENT version, events) of each real log without findings, and of one
    of each version with what few logs hold."""
    for path in sorted((CORPUS / "pass/real").glob("*/*.event")):
        if path.with_suffix(".expect").exists():
            continue
        lines = path.read_text().splitlines()
        events = [json.loads(line) for line in lines]
        yield path.parent.name, events
        if path.stem == ENRICHED:
            version = int(path.parent.name[3])
            yield path.parent.name, stream_enrich.enrich(events, version)


class Texts:
    """The lines of events, which most copies of a log share."""

    def __init__(self):
        self._known = {}

    def line(self, event):
        if id(event) not in self._known:
            text = json.dumps(event, separators=(",", ":")).encode()
            self._known[id(event)] = event, HOST.split(text)
        return self._known[id(event)][1]

    def copy(self, events, number):
        """The bytes of a log, with SIDs that no other copy has."""
        host = b"-H%08x-" % number
        return log(*(host.join(self.line(event)) for event in events))


def broken_copies():
    """(defect, version, events, rule, line), a few of each in a log."""
    for version, events in real_logs():
        for name, break_it in DEFECTS.items():
            for found in itertools.islice(break_it(events), PLACES):
                yield name, version, *found


@pytest.fixture(scope="module")
def copies():
    return list(broken_copies())


def test_every_defect_is_found_in_every_real_log(copies, validate, scratch):
    starts, texts = [], Texts()
    with (scratch / "log").open("wb") as out:
        line = 1
        for number, (_, _, events, _, _) in enumerate(copies):
            starts.append(line)
            out.write(texts.copy(events, number))
            line += len(events)
    result = validate("--format", "jsonl", scratch / "log")
    found = [[] for _ in copies]
    for finding in read_jsonl(result)[0]:
        if not finding["id"].startswith("stream."):
            continue  # without its version, an old log is read as a new one
        number = bisect.bisect(starts, finding["line"]) - 1
        place = (finding["id"], finding["line"] - starts[number] + 1)
        found[number].append((finding["level"], *place))
    wrong = []
    for (name, version, _, *expected), told in zip(copies, found):
        bad = {tuple(place) for level, *place in told if level != "info"}
        wanted = tuple(expected)
        if wanted not in {tuple(p) for _, *p in told} or bad - {wanted}:
            wrong.append((name, version, *expected, sorted(told)))
    assert len(copies) > 5000
    assert wrong == []


def test_every_version_has_its_defects(copies):
    names = collections.defaultdict(set)
    for name, version, *_ in copies:
        names[version].add(name)
    assert len(names) == 4
    for version, defects in names.items():
        number = int(version[3])
        wanted = {name for name in DEFECTS if LATER.get(name, 1) <= number}
        assert defects == wanted, version


def test_an_enriched_log_is_sound(validate, scratch):
    made = [(v, e) for v, e in real_logs() if "made" in str(e)]
    assert len(made) == 4
    for version, events in made:
        (scratch / "log").write_bytes(Texts().copy(events, 0))
        result = validate("--format", "jsonl", "log")
        assert read_jsonl(result)[0] == [], version


def test_every_rule_has_a_defect(copies, root):
    text = spec.read(root)
    rules = {i for i in text.ids if i.startswith("stream.")}
    assert rules == {rule for _, _, _, rule, _ in copies}
