"""Every way to break an event, and every edge of a good one."""

import json
import re

import pytest
import schema_cases
import schema_oracle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from validate_kit import alone, compact, event, log, places, read_jsonl

pytestmark = pytest.mark.long("tries every pattern on thousands of texts")

EVENTS = list(schema_oracle.events())
VERSIONS = schema_oracle.VERSIONS


@pytest.fixture
def found(validate, scratch):
    """found(lines, *options): the findings in these lines, each alone."""

    def call(lines, *options):
        (scratch / "log").write_bytes(log(*lines))
        result = validate("--format", "jsonl", *options, scratch / "log")
        return alone(read_jsonl(result)[0])

    return call


def broken_events():
    for name in EVENTS:
        for requirement, path, value in schema_cases.negatives(name):
            line = compact(value)
            yield line, requirement, schema_oracle.positions(line)[path]


def test_each_broken_event_gives_one_finding_at_its_place(found):
    lines, names, columns = zip(*broken_events())
    expected = zip(names, range(1, len(lines) + 1), columns)
    assert len(lines) > 1000
    assert places(found(lines, "--evt", "4")) == list(expected)


def test_events_at_the_edges_of_what_is_right_give_no_finding(found):
    values = [v for name in EVENTS for v in schema_cases.positives(name)]
    lines = [compact(v) for v in values if v.get("value") != 10**30]
    assert len(lines) > 200
    assert found(lines, "--evt", "4") == []


def version_of(number):
    return event("version", evt=str(number), exe="x", sid=f"sid-{number}")


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_is_unknown_in_versions_that_did_not_have_it(name, found):
    example = schema_oracle.events()[name]["examples"][0]
    logs = [compact({**example, "sid": f"sid-{n}"}) for n in VERSIONS]
    lines = [*map(version_of, VERSIONS), *logs]
    unknown = [
        number
        for number in VERSIONS
        if not re.search(f'"const": "{name}"', read_root(number))
    ]
    infos = [f for f in found(lines) if f["id"] == "version.unknown-event"]
    # Named once a file, at the first.
    assert [f["line"] - len(VERSIONS) for f in infos] == unknown[:1]


def read_root(number):
    return (schema_oracle.FOLDER / f"evt{number}.schema.json").read_text()


def test_an_event_is_checked_against_the_version_its_session_declares(found):
    def param(number, **members):
        return event("def_param", sid=f"sid-{number}", param="p", **members)

    lines = [
        *(version_of(number) for number in (3, 4)),
        param(3, value="v"),
        param(4, value="v"),
        param(3, scope="local"),
        param(4, scope="local"),
        param(None, value="v"),
    ]
    assert [(f["id"], f["line"]) for f in found(lines)] == [
        ("event.def_param.scope", 4),
        ("event.def_param.value", 5),
        ("event.def_param.scope", 7),
    ]
    assert [f["line"] for f in found(lines, "--evt", "3")] == [5, 6]
    assert [f["line"] for f in found(lines, "--evt", "4")] == [3, 4, 7]


def test_a_version_that_nobody_knows_is_read_as_the_newest(found):
    lines = [event("version", evt="12", exe="x"), event("printf", t_abs=1)]
    assert found(lines) == []


# ---- The patterns, which are C functions in the validator

TEXTS = 200
EDGES = "/:@`{gG09aAzZ-. \n\t\x1f\x20\x7e\x7f\x80é٣\u2028\U0001f600"
PLACES = {"digits": ("version", "evt"), "sid": ("exit", "sid"),
          "time": ("exit", "time")}  # fmt: skip


def patterns():
    """The regular expression of each named pattern."""
    for name, part in schema_oracle.common()["$defs"].items():
        if name.startswith("pattern-"):
            yield name.removeprefix("pattern-"), part["pattern"]


def test_each_pattern_has_a_place_to_try_it():
    assert set(PLACES) == set(dict(patterns()))


@st.composite
def near_match(draw, expression):
    """A text that matches, or one with a character changed."""
    text = draw(st.from_regex(expression))
    if draw(st.booleans()):
        return text
    at = draw(st.integers(0, len(text)))
    end = at + draw(st.integers(0, 1))
    edge = draw(st.sampled_from(["", *EDGES]))
    return text[:at] + edge + text[end:]


def texts_near(expression):
    found = [""]

    @settings(max_examples=TEXTS, suppress_health_check=list(HealthCheck))
    @given(near_match(expression) | st.text(max_size=30))
    def collect(text):
        found.append(text)

    collect()
    return found


@pytest.mark.parametrize("name", PLACES)
def test_a_matcher_accepts_what_its_pattern_accepts(name, found):
    expression = dict(patterns())[name]
    kind, key = PLACES[name]
    example = schema_oracle.events()[kind]["examples"][0]
    texts = texts_near(expression)
    lines = [json.dumps({**example, key: text}).encode() for text in texts]
    refused = {f["line"] - 1 for f in found(lines, "--evt", "4")}
    matches = [bool(re.search(expression, text)) for text in texts]
    assert [at not in refused for at in range(len(texts))] == matches
    assert TEXTS / 10 < sum(matches) < TEXTS * 9 / 10
