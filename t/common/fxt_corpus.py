#!/usr/bin/python3
"""Makes the archives of the corpora: fxt_corpus.py [CORPUS].

Archives below fail/fxt.* break one rule each, at the offset that the
`.expect` file beside them gives; those below pass/fxt break none.
t/commands/convert/test_fxt_corpus.py compares the files with what this makes.
"""

import sys
from pathlib import Path

import fxt_kit as fxt

ROOT = Path(__file__).resolve().parents[1] / "corpus"
START = fxt.begin()
# Behind what is broken, so that it is seen that reading goes on.
WORK = fxt.event("complete", 100, last=200)
BACK = fxt.event("begin", 100), fxt.event("end", 150)
NO_UTF8 = b"caf\xe9"


def flip(data, at, value):
    """The bytes with bits of the word at `at` changed."""
    old = int.from_bytes(data[at:at + 8], "little")
    return data[:at] + fxt.word(old ^ value) + data[at + 8:]


def cases():
    """(id, name, before, broken, behind, offset in broken)."""
    yield from record_cases()
    yield from table_cases()
    yield from provider_cases()
    yield from time_cases()
    yield from event_cases()
    yield from unknown_cases()


def record_cases():
    yield "fxt.magic", "missing", b"", START[8:], WORK, 0
    yield "fxt.magic", "other-number", b"", flip(START, 0, 1 << 30), WORK, 0
    yield "fxt.truncated", "in-header", START + WORK, b"\x14\0\0", b"", 0
    yield "fxt.truncated", "in-body", START, WORK[:-8], b"", 0
    yield "fxt.truncated", "large", START, fxt.large(b"x" * 99)[:-9], b"", 0
    for name, bad in (("event", WORK), ("string", fxt.string(2, "x"))):
        yield "fxt.record.zero", name, START, flip(
            bad, 0, len(bad) // 8 << 4), WORK, 0
    yield "fxt.record.zero", "unknown-type", START, fxt.word(12), b"", 0
    yield "fxt.record.short", "event", START, fxt.event(
        "complete", 1, last=9, size=4)[:32], WORK, 0
    yield "fxt.record.short", "initialization", START, fxt.record(
        fxt.INITIALIZATION, 0), WORK, 0
    yield "fxt.record.short", "string", START, fxt.record(
        fxt.STRING, 2 << 16 | 9 << 32, b"12345678"), WORK, 0
    yield "fxt.record.short", "args", START, fxt.event(
        "instant", 1, args=[("argname", 5)], count=3), WORK, 0
    yield "fxt.record.short", "large", START, flip(
        fxt.large(b"1234", "", ""), 16, 1 << 63), WORK, 0
    yield "fxt.record.long", "string", START, fxt.record(
        fxt.STRING, 2 << 16 | 1 << 32, b"x" + bytes(15)), WORK, 16
    yield "fxt.record.long", "section", START, fxt.record(
        fxt.METADATA, 2 << 16 | 1 << 20, bytes(8)), WORK, 8
    yield "fxt.record.long", "begin", START, fxt.event(
        "complete", 1, "", "", last=2, more=bytes(16)), WORK, 24
    yield "fxt.record.large", "word", START, fxt.large(b"x" * 32760), WORK, 0
    for name, bad, bit in (
        ("initialization", fxt.ticks(), 16), ("string", fxt.string(1, "a"), 31),
        ("string-high", fxt.string(1, "a"), 47), ("log", fxt.log(1, "a"), 40),
        ("thread", fxt.thread(2, 1, 2), 24), ("blob", fxt.blob("a", b"b"), 56),
        ("wakeup", fxt.wakeup(1, 11), 36), ("switch", fxt.switch(1, 11, 12), 40),
        ("object", fxt.process_name(10, "a"), 44),
        ("section", fxt.section(1), 52),
    ):
        yield "fxt.record.reserved", name, START, flip(bad, 0, 1 << bit), WORK, 0
    yield "fxt.record.reserved", "arg", START, fxt.event(
        "instant", 1, "", "", [fxt.arg(1, 9, 3)]), WORK, 16
    yield "fxt.record.reserved", "format", START, flip(
        fxt.large(b"b", "", ""), 8, 1 << 32), WORK, 8
    dirty = fxt.padded(b"name", b"\x01")
    yield "fxt.padding", "string", START, fxt.string(2, "name").replace(
        fxt.padded(b"name"), dirty), WORK, 8
    yield "fxt.padding", "inline", START, fxt.event(
        "instant", 1, "name", "").replace(fxt.padded(b"name"), dirty), WORK, 16


def table_cases():
    yield "fxt.string.index", "zero", START, fxt.string(0, "none"), WORK, 0
    yield "fxt.string.index", "zero-empty", START, fxt.string(0, ""), WORK, 0
    yield "fxt.string.unknown", "name", START, fxt.event("instant", 1, 7), WORK, 0
    yield "fxt.string.unknown", "category", START, fxt.event(
        "instant", 1, "a", 7), WORK, 0
    yield "fxt.string.unknown", "arg", START, fxt.event(
        "instant", 1, "", "", [fxt.arg(7, 0)]), WORK, 16
    yield "fxt.string.unknown", "value", START, fxt.event(
        "instant", 1, "", "", [fxt.arg(1, 6, 7)]), WORK, 16
    yield "fxt.string.unknown", "other-provider", START + fxt.provider(2) + (
        fxt.ticks() + fxt.thread(1, 20, 21)), fxt.event("instant", 1, 1), WORK, 0
    yield "fxt.string.unknown", "provider-again", START + fxt.provider(1) + (
        fxt.ticks() + fxt.thread(1, 20, 21)), fxt.event("instant", 1, 1), WORK, 0
    long = "x" * 32001
    yield "fxt.string.length", "record", START, fxt.string(2, long), WORK, 0
    yield "fxt.string.length", "inline", START, fxt.event(
        "instant", 1, long), WORK, 0
    yield "fxt.string.utf8", "record", START, fxt.string(2, NO_UTF8), WORK, 8
    yield "fxt.string.utf8", "inline", START, fxt.event(
        "instant", 1, "", NO_UTF8), WORK, 16
    yield "fxt.string.utf8", "surrogate", START, fxt.string(
        2, b"12345678\xed\xa0\x80"), WORK, 16
    yield "fxt.string.utf8", "overlong", START, fxt.string(2, b"\xc0\x80"), WORK, 8
    yield "fxt.string.utf8", "object-arg", START, fxt.kernel_object(
        1, 10, NO_UTF8, [("argname", "x"), (NO_UTF8, 5)]), WORK, 56
    yield "fxt.thread.index", "zero", START, fxt.thread(0, 1, 2), WORK, 0
    yield "fxt.thread.index", "zero-again", START + fxt.thread(2, 3, 4), (
        fxt.thread(0, 3, 4)), WORK, 0
    yield "fxt.thread.unknown", "event", START, fxt.event(
        "instant", 1, thread=7), WORK, 0
    yield "fxt.thread.unknown", "log", START, fxt.log(1, "a", thread=7), WORK, 0
    yield "fxt.thread.id", "process", START, fxt.thread(2, 1 << 32, 1), WORK, 8
    yield "fxt.thread.id", "thread", START, fxt.event(
        "instant", 1, thread=0, ids=(1, 1 << 40)), WORK, 24


def provider_cases():
    rest = START[8:]
    yield "fxt.provider.first", "string", fxt.magic(), fxt.string(1, "a"), rest, 0
    yield "fxt.provider.first", "event", fxt.magic(), (
        fxt.ticks() + fxt.thread(1, 1, 2)), rest, 0
    yield "fxt.provider.unknown", "section", START, fxt.section(9), (
        fxt.ticks() + fxt.section(1)), 0
    yield "fxt.provider.unknown", "section-before", fxt.magic(), (
        fxt.section(1)), rest, 0
    yield "fxt.provider.dropped", "end", START + WORK, fxt.overflow(1), b"", 0
    yield "fxt.provider.dropped", "middle", START, fxt.overflow(1), WORK, 0
    yield "fxt.initialization.ticks", "zero", START, fxt.ticks(0), fxt.ticks(), 8
    yield "fxt.initialization.ticks", "zero-long", START, fxt.ticks(
        0, 5, 6), fxt.ticks(), 8
    late = fxt.magic() + fxt.provider() + fxt.thread(1, 10, 11)
    yield "fxt.initialization.first", "missing", late, WORK, WORK, 0
    yield "fxt.initialization.first", "late", late, fxt.log(5, "a"), (
        fxt.ticks() + WORK), 0


def time_cases():
    late = 1 << 63
    yield "fxt.time.range", "event", START, fxt.event("instant", late), WORK, 8
    yield "fxt.time.range", "end", START, fxt.event(
        "complete", 1, "", "", last=late), WORK, 16
    yield "fxt.time.range", "slow-ticks", START + fxt.ticks(1), fxt.event(
        "instant", 9223372037), fxt.ticks(), 8
    yield "fxt.time.order", "begins", START + fxt.event("begin", 500), fxt.event(
        "begin", 499), fxt.event("end", 600) + fxt.event("end", 601), 8
    yield "fxt.time.order", "end", START + fxt.event("begin", 500), fxt.event(
        "end", 499), WORK, 8
    for name, first, last in (("one-tick", 100, 99), ("zero", 1, 0)):
        yield "fxt.duration.backward", name, START, fxt.event(
            "complete", first, "", "", last=last), WORK, 16


def event_cases():
    for name, size in (("zero", 0), ("beyond", 9)):
        yield "fxt.arg.size", name, START, fxt.event(
            "instant", 1, "", "", [fxt.arg(1, 1, 5, size=size)]), WORK, 16
    yield "fxt.arg.size", "value-missing", START, fxt.event(
        "instant", 1, "", "", [fxt.arg(1, 3)]), WORK, 16
    yield "fxt.arg.size", "word-more", START, fxt.event(
        "instant", 1, "", "", [fxt.arg(1, 1, 5, bytes(8))]), WORK, 16
    for name, scope in (("thread", 0), ("unknown", 3)):
        yield "fxt.event.scope", name, START, fxt.event(
            "instant", 1, "", "", more=fxt.word(scope)), WORK, 16
    yield "fxt.counter.series", "none", START, fxt.event(
        "counter", 1, last=1), WORK, 0
    yield "fxt.counter.series", "string", START, fxt.event(
        "counter", 1, args=[("a", 5), ("b", "5")], last=1), WORK, 0
    begin, end = BACK
    yield "fxt.duration.unmatched", "alone", START, end, WORK, 0
    yield "fxt.duration.unmatched", "second", START + begin + end, end, WORK, 0
    yield "fxt.duration.unmatched", "other-thread", START + fxt.thread(
        2, 10, 12) + begin, fxt.event("end", 101, thread=2), end, 0
    yield "fxt.duration.match", "name", START + begin, fxt.event(
        "end", 101, "play"), WORK, 0
    yield "fxt.duration.match", "category", START + begin, fxt.event(
        "end", 101, category="play"), WORK, 0
    yield "fxt.duration.open", "one", START, begin, WORK, 0
    yield "fxt.duration.open", "outer", START, begin, begin + end, 0
    yield from pair_cases()
    for name, ids in (("one-word", (10,)), ("two-words", (10, 11))):
        yield "fxt.object.inline-thread", name, START, fxt.userspace_object(
            0x1000, "o", thread=0, ids=ids), WORK, 0


def pair_cases():
    for kind in ("async", "flow"):
        begin = fxt.event(f"{kind}_begin", 100, last=7)
        end = fxt.event(f"{kind}_end", 150, last=7)
        other = fxt.event(f"{kind}_end", 150, last=8)
        yield f"fxt.{kind}.unmatched", "alone", START, end, WORK, 0
        yield f"fxt.{kind}.unmatched", "second", START + end + begin, end, WORK, 0
        yield f"fxt.{kind}.unmatched", "other-id", START + begin, (
            other), end, 0
        yield f"fxt.{kind}.open", "one", START, begin, WORK, 0
        yield f"fxt.{kind}.open", "second", START + begin + end, begin, WORK, 0
    spans = START + fxt.thread(2, 20, 21) + fxt.event(
        "async_begin", 100, last=7)
    yield "fxt.async.unmatched", "other-process", spans, fxt.event(
        "async_end", 150, thread=2, last=7), fxt.event(
            "async_end", 150, last=7), 0


def unknown_cases():
    for name, bad, at in (
        ("record", fxt.record(11, 0, bytes(8)), 0),
        ("metadata", fxt.record(fxt.METADATA, 9 << 16, b"garbage."), 0),
        ("trace-info", flip(fxt.magic(), 0, 1 << 20), 0),
        ("provider-event", flip(fxt.overflow(1), 0, 1 << 52), 0),
        ("event", fxt.event(13, 1, more=bytes(24)), 0),
        ("blob", fxt.blob("a", b"b", 9), 0),
        ("object", fxt.kernel_object(3, 1, "a"), 0),
        ("scheduling", fxt.record(fxt.SCHEDULING, 9 << 60, bytes(8)), 0),
        ("state", fxt.switch(1, 11, 12, state=9), 0),
        ("profiler", fxt.profiler(7, 1, 0), 0),
        ("large", flip(fxt.large(b"x"), 0, 1 << 42), 0),
        ("arg", fxt.event("instant", 1, "", "", [
            fxt.arg(1, 13, 0xffff, b"12345678"), ("a", 1)]), 16),
    ):
        yield "fxt.unknown", name, START, bad, WORK, at


def pairs():
    """Spans and flows, ends ahead of begins, in durations on two threads."""
    around = fxt.event("complete", 5, last=50)
    late = b"".join(fxt.event(kind, 20, last=99)
                    for kind in ("async_end", "flow_end"))
    early = fxt.event("async_begin", 10, last=99) + fxt.event(
        "flow_begin", 10, thread=2, last=99)
    more = b"".join(
        fxt.event("flow_begin", 30, last=id) + fxt.event(
            "flow_end", 31, thread=2, last=id) for id in range(100, 140))
    return around + late + fxt.thread(2, 20, 21) + fxt.event(
        "complete", 5, thread=2, last=50) + early + more


def sound():
    """{name: an archive without a finding}."""
    begin, end = BACK
    return {
        "small": START + WORK,
        "magic": fxt.magic(),
        "every-event": START + b"".join(
            fxt.event(kind, 10 + at, args=[("value", at)],
                      last=24 if kind == "complete" else 7)
            for at, kind in enumerate(fxt.EVENTS)),
        "scopes": START + b"".join(
            fxt.event("instant", 10 + at, name=name, args=[("value", at)],
                      more=more)
            for at, (name, more) in enumerate((
                ("thread", b""), ("process", fxt.word(1)),
                ("global", fxt.word(2))))),
        "every-arg": START + fxt.event("instant", 1, args=[
            ("none", None), ("int32", -5), (1, 5), ("int64", -2**40),
            ("uint64", 2**64 - 1), ("double", 1.5), ("string", "h\u00e9llo"),
            ("empty", ""), ("true", True), ("blob", b"123456789"),
            fxt.arg("uint32", 2, 2**32 - 1),
            fxt.arg("pointer", 7, body=fxt.word(2**48)),
            fxt.arg("koid", 8, body=fxt.word(10))]),
        "every-record": START + fxt.process_name(10, "program") + (
            fxt.thread_name(10, 11, "main") + fxt.blob("a", b"bytes")
            + fxt.userspace_object(0x1000, "object", [("argname", 1)])
            + fxt.switch(5, 11, 12, args=[("incoming_weight", 2)])
            + fxt.wakeup(6, 12, cpu=1) + fxt.legacy_switch(7)
            + fxt.log(8, "a message") + fxt.large(b"bytes")
            + fxt.large(b"", time=9, args=[("argname", "x")])
            + fxt.profiler(0, 10, 7 << 28 | 1 << 44 | 2 << 52,
                           fxt.padded(b"m"), fxt.padded(b"id"))
            + fxt.profiler(1, 11, 7 << 28 | 5 << 44, bytes(24))
            + fxt.profiler(2, 12, 2 << 28, bytes(16))),
        "pairs": START + pairs(),
        "fillers": START + fxt.filler(1) + WORK + fxt.filler(4095) + (
            WORK + fxt.filler(2)),
        "providers": START + begin + fxt.provider(2, "other") + (
            fxt.ticks(1000) + fxt.thread(1, 20, 21) + fxt.string(1, "again")
            + fxt.event("instant", 1, 1) + fxt.section(1) + end),
        "concatenated": START + WORK + fxt.magic() + fxt.provider(2) + (
            START[24:] + WORK),
        "name-not-utf8": START + fxt.kernel_object(1, 10, NO_UTF8) + WORK,
        "longest": START + fxt.string(2, "x" * 32000) + fxt.large(
            b"x" * 32728, "", "") + fxt.event("instant", 1, 2),
        "base-time": fxt.magic() + fxt.provider() + fxt.ticks(10**9, 1, 2),
        "replaced": START + fxt.string(1, "new") + fxt.thread(
            1, 10, 12) + fxt.event("instant", 1, 1),
        "inline-thread": START + fxt.event("begin", 1, thread=0, ids=(
            10, 11)) + fxt.event("end", 2),
        "ticks": START + fxt.ticks(3_000_000_000) + fxt.event(
            "complete", 2**60, last=2**60 + 3),
    }


def files():
    """{path below the corpus: its bytes}."""
    made = {}
    for name, case, before, broken, behind, offset in cases():
        path = f"fail/{name}/{case}"
        made[f"{path}.fxt"] = before + broken + behind
        found = f"{name}\t{len(before) + offset}\n"
        made[f"{path}.expect"] = found.encode()
    for name, data in sound().items():
        made[f"pass/fxt/{name}.fxt"] = data
    return made


def main(root):
    for name, data in files().items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:] or [ROOT])
