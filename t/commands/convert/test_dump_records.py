"""Records word by word: how `trace2 dump` shows each field, what `trace2
validate` finds, and what `trace2 convert` makes of it for Chrome. records.txt
has chapters of records, each with

    a sentence about it
    its words in hexadecimal; 61*3 is three times 61
    what is shown: the place, in bytes from its first word, and the line
    what is found: | the rule, place+width, the word seen, the message
    Chrome's events: > the JSON, in the last two chapters

Of a text of more than 40 characters its length is shown.
"""

import re
import struct
from pathlib import Path

import pytest
from validate_kit import read_jsonl

RECORDS = Path(__file__).with_name("records.txt")
# Magic, provider 1, ticks, string 1 and thread 1.
START = (0x0016547846040010, 0x0040000000110020, 0x74736574, 0x21, 1000000000,
         0x0000000700010022, 0x656d616e677261, 0x10033, 10, 11)


def chapters():
    """{name: [(sentence, words, [line...])]}"""
    found = {}
    for part in RECORDS.read_text().split("\n## ")[1:]:
        name, _, rest = part.partition("\n")
        blocks = (block.splitlines() for block in rest.strip().split("\n\n"))
        found[name] = [(head, words, told) for head, words, *told in blocks]
    return found


CHAPTERS = chapters()


def archive(text):
    words = list(START)
    for word in text.split():
        word, _, times = word.partition("*")
        words += [int(word, 16)] * int(times or 1)
    return struct.pack(f"<{len(words)}Q", *words)


def shown(lines):
    """The records after those with which each archive begins."""
    for line in lines:
        place, _, rest = line.partition(" ")
        offset = int(place.rstrip("!"), 16) - 8 * len(START)
        if offset >= 0:
            rest = re.sub(r'"([^"]{41,})"', lambda m: f'"{len(m[1])}"', rest)
            yield f"{offset}{place[len(place.rstrip('!')):]} {rest}"


def found(findings):
    for one in findings:
        yield (f"| {one['id']} {one['offset'] - 8 * len(START)}"
               f"+{one['width']} {one['seen']:x} {one['message']}")


@pytest.fixture
def chrome(execute, trace2, scratch):
    """chrome(words): Chrome's events of them, and what was left out."""

    def call(text):
        (scratch / "in.fxt").write_bytes(archive(text))
        done = execute([trace2, "convert", "--to", "chrome", "in.fxt", "-"])
        lines = done.stdout.decode().splitlines()[1:-1]
        return [f"> {line.removeprefix(',')}" for line in lines] + [
            f"> {line}" for line in done.stderr.decode().splitlines()
            if "fxt:" not in line]

    return call


@pytest.fixture
def tell(execute, trace2, validate, scratch):
    """tell([words...]): [[line...]...], of all of them at once."""

    def call(texts):
        names = [f"{number}.fxt" for number in range(len(texts))]
        for name, text in zip(names, texts):
            (scratch / name).write_bytes(archive(text))
        said = execute([trace2, "dump", *names]).stdout.decode()
        parts = re.split(r"^(\d+\.fxt):\n", said, flags=re.M)
        dumped = dict(zip(parts[1::2], parts[2::2]))
        findings = read_jsonl(validate("--format", "jsonl", *names))[0]
        return [[*shown(dumped[name].splitlines()),
                 *found(one for one in findings if one["file"] == name)]
                for name in names]

    return call


@pytest.mark.parametrize("name", CHAPTERS)
def test_records_are_shown_and_judged_word_by_word(name, tell, chrome):
    rows = CHAPTERS[name]
    told = tell([words for _, words, _ in rows])
    if name.startswith("Chrome"):
        told = [lines + chrome(row[1]) for row, lines in zip(rows, told)]
    assert [(row[0], lines) for row, lines in zip(rows, told)
            ] == [(row[0], row[2]) for row in rows]
