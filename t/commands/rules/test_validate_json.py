"""JSON that is taken or refused: what `trace2 validate` says of a text, as
the value of a key, as a whole line and as a log. json.txt has rows of

    the text ## where and what is found; nothing if it is fine

<e9> stands for this byte, @1 and @2 for SIDs of this row.
"""

import re
from pathlib import Path

import pytest
from validate_kit import read_jsonl

VERSION = (b'{"event":"version","sid":"20260114T100000.000000Z-Hc4f2e1a9-'
           b'P00000001","thread":"main","time":"2026-01-14T10:00:00.000000Z",'
           b'"file":"a.c","line":1,"evt":"4","exe":"2"}\n')
START = VERSION[:-1].replace(b"version", b"start").partition(b'"evt"')[0]
FORMS = {"values": VERSION + START + b'"t_abs":0.5,"argv":%s}\n',
         "lines": VERSION + b"%s\n", "logs": b"%s"}


def rows(name):
    text = Path(__file__).with_name("json.txt").read_text()
    part = text.partition(f"\n# {name}\n")[2].partition("\n# ")[0]
    return [row.partition(" ##")[::2] for row in part.splitlines() if row]


def bytes_of(text, number):
    text = re.sub(r"@([12])", lambda m: "20260114T093042.112358Z-H"
                  f"{number:08x}-P0000000{m[1]}", text)
    return re.sub(rb"<([0-9a-f]{2})>", lambda m: bytes.fromhex(m[1].decode()),
                  text.encode())


def told(findings, name):
    for one in findings:
        line = f"{one['line']}:" if name == "logs" else ""
        if line or one["line"] > 1 and one["id"][:7] != "stream.":
            yield (f" {one['id']} {line}{one['column']}+{one['width']}: "
                   f"{one['message']}")


@pytest.mark.parametrize("name", FORMS)
def test_json_is_taken_or_refused_at_its_place(name, validate, scratch):
    texts = rows(name)
    for number, (text, _) in enumerate(texts):
        (scratch / f"{number}.event").write_bytes(FORMS[name]
                                                  % bytes_of(text, number))
    findings, _ = read_jsonl(validate("--format", "jsonl", "."))
    found = {number: [] for number in range(len(texts))}
    for one in findings:
        found[int(re.search(r"\d+", one["file"])[0])].append(one)
    made = [(text, ";".join(told(found[number], name)))
            for number, (text, _) in enumerate(texts)]
    assert made == texts
