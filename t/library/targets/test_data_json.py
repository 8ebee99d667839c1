"""What becomes of data_json values that are not what they should be."""

import json
import re

import pytest


@pytest.fixture
def written(run, scratch):
    """The value as EVENT has it, of a value that the host gives."""

    def call(value):
        log = scratch / "log"
        run("511data_json", value, env={"GIT_TRACE2_EVENT": str(log)})
        events = map(json.loads, log.read_text().splitlines())
        (found,) = [one for one in events if one["event"] == "data_json"]
        return found["value"]

    return call


@pytest.mark.parametrize(
    "value", [r'"\ud83d\ude00"', r'"\ud7ff\ue000"', '{"a":[1,null,"x"]}']
)
def test_json_stays_json(written, value):
    assert written(value) == json.loads(value)


# SPEC: json.data-json
@pytest.mark.parametrize(
    "value",
    [
        r'"\ud83d"',
        r'"\ude00"',
        r'"\ude00\ud83d"',
        r'"\ud83d\u0041"',
        r'["\ud83dx"]',
        r'"\ud83d\ude0"',
        '{"a":\n1}',
        "{",
        "",
    ],
)
def test_what_is_not_one_json_value_becomes_a_string(written, value):
    assert written(value) == value


# SPEC: redact.json
def test_a_secret_ends_with_the_json_string_it_is_in(written):
    value = '["https://u:p","x@y","https://u:p@h"]'
    shown = ["https://u:p", "x@y", "https://u:<REDACTED>@h"]
    assert written(value) == shown


def bytes_of(text):
    return re.sub(rb"<([0-9a-f]{2})>", lambda m: bytes.fromhex(m[1].decode()),
                  text.encode())


def test_each_text_is_json_or_becomes_a_string(run, root, scratch):
    """The rows of json.tsv."""
    lines = (root / "t/library/targets/json.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line[0] != "#"]
    wanted = [(bytes_of(text), bytes_of(text if shown == "=" else shown))
              for text, shown in rows]
    made = []
    for text, _ in wanted:
        run("511data_json", text,
            env={"GIT_TRACE2_EVENT": str(scratch / "log")})
        (line,) = [line for line in (scratch / "log").read_bytes().split(b"\n")
                   if b'"data_json"' in line]
        (scratch / "log").unlink()
        made.append((text, line.partition(b'"value":')[2][:-1]))
    assert made == wanted
