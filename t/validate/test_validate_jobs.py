"""`trace2 validate --jobs N`: what is said is the same, whatever N is."""

import gzip
import random
import re

import pytest
from validate_kit import ATEXIT, BROKEN, CORPUS, EXIT, START, VERSION, log

pytestmark = pytest.mark.long("judges every corpus seven times")

JOBS = ("2", "3", "7")
BLOCK = 128 << 10  # what is read at once
RING = 4 * 7 * BLOCK  # more than this, and seven jobs have work


def said(result):
    """All that was printed, but the time that it took."""
    output = re.sub(rb'"seconds":[0-9.]+', b"", result.stdout)
    return output, result.returncode, result.stderr


@pytest.fixture
def same(validate):
    """Asks one job, and checks that more of them say the same."""

    def ask(*words, **keywords):
        words = ("--format", "jsonl", "--statistics", *words)
        alone = said(validate("--jobs", "1", *words, **keywords))
        for jobs in JOBS:
            assert said(validate("--jobs", jobs, *words, **keywords)) == alone
        return alone[0]

    return ask


@pytest.fixture
def write(scratch):
    def write(**logs):
        for name, content in logs.items():
            (scratch / name).write_bytes(content)

    return write


def real_logs():
    return sorted((CORPUS / "pass/real").glob("*/*.event"))


def copy(lines, number):
    """The lines with SIDs that no other copy has."""
    host = b"-H%08x-" % number
    return [re.sub(rb"-H[0-9a-f]{8}-", host, line) for line in lines]


JUNK = (
    b"", b"{", b"}", b"5", b'{"event":"x"}', b'{"event":"version","sid":5}',
    b' 5 {"sid":"a"}', b',{"a":1}', b"\r", b'[{"event":"start","sid":"b"}]',
)  # fmt: skip


def spoil(line, other, random):
    """The line with some defect, most of them hard to get over."""
    at, to = sorted(random.randrange(len(line) + 1) for _ in range(2))
    return random.choice((
        line[:at], line[at:], line[:at] + line[to:], line + other,
        line[:at] + other, line[:at] + b"\xc3" + line[at:],
        line + random.choice(JUNK), random.choice(JUNK), line + b"\n",
        line.replace(b'"sid"', b'"s\\u0069d"'), line.replace(b":", b" : "),
        line[:-1] + b',"sid":"c"}', line[:-1] + b',"key%d":1}' % (at % 9),
    ))  # fmt: skip


def interleave(seed, rate):
    """Some real logs, as if written at one time; a part of the lines bad."""
    chance = random.Random(seed)
    logs = [path.read_bytes().splitlines() for path in real_logs()]
    logs = [chance.choice(logs) for _ in range(30)]
    logs = [iter(copy(lines, n)) for n, lines in enumerate(logs)]
    out, line = [], b"{}"
    while logs:
        taken = chance.choice(logs)
        before, line = line, next(taken, None)
        if line is None:
            logs.remove(taken)
            line = before
        elif chance.random() < rate:
            out.append(spoil(line, before, chance))
        else:
            out.append(line)
    times = 1 + RING // sum(map(len, out))
    return log(*(x for n in range(times) for x in copy(out, n << 8)))


@pytest.mark.parametrize("rate", [0, 0.002, 0.1])
def test_interleaved_logs_are_judged_alike(rate, same, write):
    write(log=interleave(7 + int(1000 * rate), rate))
    assert len(same("log").splitlines()) > 1


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_the_corpora_are_judged_alike_in_one_run(form, same):
    assert len(same("--format", form, CORPUS).splitlines()) > 1000


def test_compressed_and_other_logs_are_judged_alike(same, write):
    write(**{
        "a.gz": gzip.compress(interleave(1, 0.001)),
        "b": log(VERSION, START, BROKEN),
        "c": b"no log\n" * 9,
        "d.gz": gzip.compress(interleave(2, 0.001))[:-9],
        "e": b"",
    })  # fmt: skip
    found = same("a.gz", "b", "none", "c", "d.gz", "e", "b")
    assert b"input.unreadable" in found and b"input.other-format" in found


def test_standard_input_and_a_selection_are_judged_alike(same):
    lines = interleave(3, 0.01)
    found = same("--max-findings", "40", "--ignore", "stream", "-",
                 input=lines)  # fmt: skip
    assert len(found.splitlines()) == 41


@pytest.mark.parametrize("end", [b"", b"{", b'{"event":"start"'])
def test_every_end_of_a_block_is_judged_alike(end, same, write):
    """A torn line and what is left of it, at every place in a block."""
    whole = log(VERSION, START, EXIT, ATEXIT)
    lines = bytearray()
    for number in range(1 + RING // 2000):
        part = whole.replace(b"Hc4f2e1a9", b"H%08x" % number)
        lines += b"x" * (number % 97) + b"\n" if number % 7 == 3 else b""
        lines += part + (part[:150] + b"\n" if number % 5 == 1 else b"")
        lines += part[:9]  # in front of a version, which is whole
    write(log=bytes(lines) * 4 + end)
    same("log")


def test_unknown_names_and_line_ends_are_told_once_a_file(same, write):
    crlf = log(VERSION[:-1] + b',"other":1}\r', START + b"\r")
    lines = b"".join(
        crlf.replace(b"Hc4f2e1a9", b"H%08x" % number)
        for number in range(1 + RING // len(crlf))
    )
    write(a=lines, b=lines)
    found = same("--ignore", "stream", "a", "b")
    assert found.count(b'"id":"input.crlf"') == 2
    assert found.count(b"has no key other") == 2


@pytest.mark.parametrize("jobs", ["0", "65", "x", "-1", ""])
def test_jobs_that_are_no_number_are_refused(jobs, validate):
    result = validate("--jobs", jobs, "-")
    assert result.returncode == 2 and b"--help" in result.stderr


@pytest.fixture
def many(scratch):
    """Small logs of every sort and defect, in several directories."""
    chance = random.Random(5)
    logs = [path.read_bytes().splitlines() for path in real_logs()]
    texts = [path.read_bytes() for kind in ("normal", "perf")
             for path in sorted((CORPUS / "pass/real").glob(f"*/*.{kind}"))]
    for number in range(3000):
        lines = copy(chance.choice(logs), number)[: chance.randrange(40)]
        for place in range(len(lines)):
            if chance.random() < 0.02:
                lines[place] = spoil(lines[place], lines[0], chance)
        content = log(*lines)[: -1 if number % 7 == 0 else None]
        if number % 11 == 0:
            content = chance.choice(texts)[: chance.randrange(3000)]
        elif number % 13 == 0:
            content = chance.choice(JUNK)
        elif number % 17 == 0:
            content = gzip.compress(content)[: -chance.randrange(9) or None]
        path = scratch / "many" / f"{number % 3}" / f"{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return scratch / "many"


def test_many_small_logs_are_judged_alike(many, same):
    assert len(same(many).splitlines()) > 1000


def test_small_logs_are_judged_as_if_each_were_alone(many, validate):
    """Findings about one log: a session may go on in another one."""
    words = ("--format", "jsonl", "--ignore", "stream", "--jobs", "2")
    alone = []
    for path in sorted(many.rglob("*"))[:300]:
        if path.is_file():
            alone += validate(*words, path).stdout.splitlines()[:-1]
    together = validate(*words, many).stdout.splitlines()
    assert len(alone) > 50 and set(alone) <= set(together)
