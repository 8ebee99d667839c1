"""JSON that is taken or refused: what `trace2 validate` says of a text, as
the value of a key and as a whole line. json.txt has rows of

    the text ## where and what is found; nothing if it is fine

<e9> stands for this byte.
"""

import re
from pathlib import Path

import pytest
from validate_kit import read_jsonl

VERSION = (b'{"event":"version","sid":"20260114T100000.000000Z-Hc4f2e1a9-'
           b'P00000001","thread":"main","time":"2026-01-14T10:00:00.000000Z",'
           b'"file":"a.c","line":1,"evt":"4","exe":"2"}\n')
START = VERSION[:-1].replace(b"version", b"start").partition(b'"evt"')[0]
FORMS = {"values": START + b'"t_abs":0.5,"argv":%s}\n', "lines": b"%s\n"}


def rows(name):
    text = Path(__file__).with_name("json.txt").read_text()
    part = text.partition(f"\n# {name}\n")[2].partition("\n# ")[0]
    return [row.partition(" ##")[::2] for row in part.splitlines() if row]


def bytes_of(text):
    return re.sub(rb"<([0-9a-f]{2})>", lambda m: bytes.fromhex(m[1].decode()),
                  text.encode())


def told(findings):
    for one in findings:
        if one["line"] > 1 and one["id"][:7] != "stream.":
            yield (f" {one['id']} {one['column']}+{one['width']}: "
                   f"{one['message']}")


@pytest.mark.parametrize("name", FORMS)
def test_json_is_taken_or_refused_at_its_place(name, validate, scratch):
    texts = rows(name)
    for number, (text, _) in enumerate(texts):
        (scratch / f"{number}.event").write_bytes(
            VERSION + FORMS[name] % bytes_of(text))
    findings, _ = read_jsonl(validate("--format", "jsonl", "."))
    found = {number: [] for number in range(len(texts))}
    for one in findings:
        found[int(re.search(r"\d+", one["file"])[0])].append(one)
    made = [(text, ";".join(told(found[number])))
            for number, (text, _) in enumerate(texts)]
    assert made == texts
