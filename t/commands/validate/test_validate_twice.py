"""A SID that occurs twice: where it was first."""

import re

from validate_kit import compact, log, read_jsonl

MANY = 9000


def process(sid):
    common = {"sid": sid, "thread": "main"}
    return [compact({"event": "version", **common, "evt": "4", "exe": "x"}),
            compact({"event": "start", **common, "t_abs": 0.1, "argv": ["x"]}),
            compact({"event": "exit", **common, "t_abs": 0.2, "code": 0}),
            compact({"event": "atexit", **common, "t_abs": 0.2, "code": 0})]


def found(validate, *arguments):
    findings, _ = read_jsonl(validate("--format", "jsonl", *arguments))
    assert {f["id"] for f in findings} == {"stream.version.once"}
    return [(f["file"], f["line"], f["message"]) for f in findings]


MESSAGE = "a second version under this SID"


def test_first_place_is_named_also_in_another_log(validate, scratch):
    (scratch / "one").write_bytes(log(*process("a"), *process("b")))
    (scratch / "two").write_bytes(log(*process("b"), *process("b")))
    assert found(validate, "one", "two") == [
        ("two", 1, f"{MESSAGE}, which occurs first in line 5 of one"),
        ("two", 5, f"{MESSAGE}, which occurs first in line 5 of one"),
    ]


def test_name_of_a_log_that_is_long_is_cut(validate, scratch):
    (scratch / ("n" * 200)).write_bytes(log(*process("a")))
    (scratch / "z").write_bytes(log(*process("a")))
    (_, _, message), = found(validate, "n" * 200, "z")
    assert message.endswith("in line 1 of " + 80 * "n")


def test_place_is_right_or_not_named_where_there_are_many(validate, scratch):
    """Only the last SIDs have a place."""
    sids = [f"s{n}" for n in range(MANY)]
    lines = [line for _ in (1, 2) for sid in sids for line in process(sid)]
    (scratch / "log").write_bytes(log(*lines))
    told = found(validate, "log")
    assert len(told) == MANY
    places = [(line, re.fullmatch(
        MESSAGE + r"(?:, which occurs first in line (\d+))?", message)[1])
        for _, line, message in told]
    named = [line - int(first) for line, first in places if first]
    assert 100 < len(named) < MANY
    assert set(named) == {4 * MANY}
