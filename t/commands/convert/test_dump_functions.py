"""The names that `trace2 dump` gives to calls of functions, of which an archive
has only addresses: those of ELF files, which may be damaged or others."""

import os
import re
import struct

import fxt_kit as fxt
import pytest
from faults_kit import PLAIN, faults  # noqa: F401

WIDE = struct.calcsize("P") == 8
HEADER = "<16sHHIQQQIHHHHHH" if WIDE else "<16sHHIIIIIHHHHHH"
SYMBOL = "<IBBHQQ" if WIDE else "<IIIBBH"
SECTION = "<IIQQQQIIQQ" if WIDE else "<10I"
AT = struct.calcsize(HEADER)
SYMBOL_SIZE = struct.calcsize(SYMBOL)
TABLE = 8 * SYMBOL_SIZE
NOTE_AT = AT + 2 * TABLE
SECTIONS_AT = NOTE_AT + 40
TEXTS_AT = SECTIONS_AT + 6 * struct.calcsize(SECTION)
SIZE = TEXTS_AT + 128
SYMTAB, STRTAB, NOTE, DYNSYM, PROGBITS = 2, 3, 7, 11, 1
FUNCTION, DATA, WEAK = 0x12, 0x11, 0x22
ID = "0102030405060708090a0b0c0d0e0fa0"
NAMES = re.compile(r' begin .* name="((?:[^"\\]|\\.)*)"')


def note(owner=b"GNU\0", given=None, size=None, kind=3, ident=ID):
    """A note of a build id; `given` and `size` are what it says of itself."""
    data = bytes.fromhex(ident)
    return struct.pack("<III", len(owner) if given is None else given,
                       len(data) if size is None else size, kind) + (
        b"".join(part + bytes(-len(part) % 4) for part in (owner, data)))


def image(symbols=None, dynamic=None, notes=b"", length=SIZE, **changes):
    """A file with one function at 100, of 10 bytes, unless there are others.

    A symbol is (name, address, size, kind), or its bytes. A change is of a
    member of the header, as shnum, or of a section, as symtab_size.
    """
    texts, tables = bytearray(b"\0"), []
    for table in ({1: ("one", 100, 10)} | (symbols or {}), dynamic or {}):
        data = bytearray(TABLE)
        for number, (name, address, size, *more) in table.items():
            kind = more[0] if more else FUNCTION
            at = more[1] if len(more) > 1 else len(texts)
            fields = ((at, kind, 0, 0, address, size) if WIDE
                      else (at, address, size, kind, 0, 0))
            struct.pack_into(SYMBOL, data, number * SYMBOL_SIZE, *fields)
            texts += name.encode("latin-1") + b"\0"
        tables.append(bytes(data))
    sections = {"none": (0, 0, 0), "symtab": (SYMTAB, AT, TABLE),
                "texts": (STRTAB, TEXTS_AT, 128),
                "notes": (NOTE if notes else 0, NOTE_AT, len(notes)),
                "dynsym": (DYNSYM if dynamic else 0, AT + TABLE, TABLE),
                "last": (0, 0, 0)}
    packed = b""
    for name, section in sections.items():
        kind, at, size, link = (changes.get(f"{name}_{member}", value)
                                for member, value
                                in zip(("kind", "at", "size", "link"),
                                       (*section, 2)))
        packed += struct.pack(SECTION, 0, kind, 0, 0, at, size, link, 0, 0, 0)
    header = struct.pack(
        HEADER, changes.get("ident", b"\x7fELF" + bytes([1 + WIDE])), 0, 0, 0, 0,
        0, SECTIONS_AT, 0, 0, 0, 0, struct.calcsize(SECTION)
        + changes.get("larger", 0), changes.get("shnum", 6), 0)
    shift = changes.get("shift", 0)
    return (header + tables[0] + tables[1] + notes[:40].ljust(40, b"\0") + packed
            + bytes(shift) + texts.ljust(128 - shift, b"\0"))[:length]


def pointer(name, value):
    return fxt.arg(name, 7, body=fxt.word(value))


def module(path="file", process=7, base=0, begin=0, end=1 << 62, ident="",
           kind="instant", name="module", left_out=()):
    args = {"path": ("path", str(path)), "build_id": ("build_id", ident),
            "base": pointer("base", base), "from": pointer("from", begin),
            "to": pointer("to", end)}
    return fxt.event(kind, 1, name, "test", [value for key, value in args.items()
                                             if key not in left_out],
                     thread=0, ids=(process, process))


def call(address, process=7, name="function", args=None):
    return fxt.event("begin", 2, name, "test", [pointer("other", 1), pointer(
        "address", address)] if args is None else args, thread=0,
        ids=(process, process))


@pytest.fixture
def names(execute, trace2, scratch):
    """names(records...): the names of the calls, in their order."""

    def dump(*records):
        (scratch / "a.fxt").write_bytes(fxt.begin() + b"".join(records))
        done = execute([trace2, "dump", "a.fxt"], timeout=60)
        assert done.returncode == 0, done.stderr
        return NAMES.findall(done.stdout.decode())

    return dump


TWO = {2: ("two", 200, 10)}
SECOND = {1: ("dynamic", 300, 10)}
# What it shows, the file, the build id, and addresses with their names.
FILES = [
    ("a function has each of its bytes", {}, "",
     {100: "one", 109: "one", 110: None, 99: None, 1 << 61: None}),
    ("one of no size has its address", {"symbols": {2: ("two", 120, 0)}}, "",
     {120: "two", 121: None}),
    ("functions may be in any order", {"symbols": {
        i + 1: (f"f{at}", at, 5)
        for i, at in enumerate((50, 20, 70, 10, 60, 30, 40))}}, "",
     {at + step: f"f{at}" if step < 5 else None
      for at in range(10, 80, 10) for step in (0, 4, 5)}),
    ("of several names one is always taken", {"symbols": {
        1: ("b", 100, 9), 2: ("c", 100, 9), 3: ("a", 100, 9)}}, "", {100: "c"}),
    ("whatever their order is", {"symbols": {
        1: ("c", 100, 9), 2: ("b", 100, 9), 3: ("a", 100, 9)}}, "", {100: "c"}),
    *((f"the name {bad!r} cannot be shown",
       {"symbols": {2: (bad, 200, 10)}}, "", {100: "one", 200: None})
      for bad in ("", "a b", "a\tb", "a\x7f", "\xc3\xa4", "a\x1f")),
    ("all that can be shown may be in one", {"symbols": {2: ("!~", 200, 10)}},
     "", {200: "!~"}),
    ("data is no function", {"symbols": {2: ("two", 200, 10, DATA)}}, "",
     {200: None}),
    ("a weak function is one", {"symbols": {2: ("two", 200, 10, WEAK)}}, "",
     {200: "two"}),
    ("one of another file has no address", {"symbols": {2: ("two", 0, 10)}}, "",
     {5: None}),
    ("the first symbol is one", {"symbols": {0: ("two", 200, 10)}}, "",
     {200: "two"}),
    *((f"the texts may be at offset {shift}",
       {"texts_at": TEXTS_AT + shift, "texts_size": 128 - shift, "shift": shift},
       "", {100: "one"}) for shift in range(8)),
    ("the last text needs no end, nor does the file",
     {"texts_size": 4, "length": TEXTS_AT + 4}, "", {100: "one"}),
    ("texts that are not all there are none",
     {"texts_size": 5, "length": TEXTS_AT + 4}, "", {100: None}),
    ("without texts there is no name", {"texts_size": 0}, "", {100: None}),
    ("nor with texts behind the file", {"texts_at": SIZE + 1}, "", {100: None}),
    ("nor far behind it", {"texts_at": 1 << 30}, "", {100: None}),
    ("a name behind the texts is none", {"symbols": TWO, "texts_size": 5}, "",
     {200: None, 100: "one"}),
    ("however far it is", {"symbols": {2: (
        "two", 200, 10, FUNCTION, 0x7fffffff)}}, "", {200: None, 100: "one"}),
    ("the table of all symbols counts", {"dynamic": SECOND}, "",
     {100: "one", 300: None}),
    ("or the other if it has none",
     {"symbols": {1: ("one", 0, 10)}, "dynamic": SECOND}, "", {300: "dynamic"}),
    ("or is empty", {"symtab_size": 0, "dynamic": SECOND}, "",
     {300: "dynamic"}),
    ("or has no texts", {"symtab_link": 0, "dynamic": SECOND}, "",
     {300: "dynamic"}),
    ("other sections have no symbols", {"symtab_kind": PROGBITS}, "",
     {100: None}),
    ("neither table may have any", {"symbols": {1: ("one", 0, 10)},
                                    "dynamic": SECOND, "dynsym_link": 6}, "",
     {100: None, 300: None}),
    ("of two tables the first counts",
     {"dynamic": SECOND, "dynsym_kind": SYMTAB}, "", {100: "one", 300: None}),
    ("half a symbol is none", {"symtab_size": 2 * SYMBOL_SIZE - 1}, "",
     {100: None}),
    ("a whole one may be the last", {"symtab_size": 2 * SYMBOL_SIZE}, "",
     {100: "one"}),
    ("a table is aligned", {"symtab_at": AT + 1}, "", {100: None}),
    ("a table is inside of the file", {"symtab_size": SIZE}, "", {100: None}),
    ("the first section may have symbols",
     {"symtab_kind": 0, "none_kind": SYMTAB, "none_at": AT, "none_size": TABLE},
     "", {100: "one"}),
    *((f"a file that begins with {magic} has no names",
       {"ident": magic + bytes([1 + WIDE])}, "", {100: None})
      for magic in (b"\x80ELF", b"\x7fFLF", b"\x7fEMF", b"\x7fELG")),
    ("nor has another machine's", {"ident": b"\x7fELF" + bytes([2 - WIDE])}, "",
     {100: None}),
    ("or one with larger sections", {"larger": 1}, "", {100: None}),
    ("a file may end with its sections",
     {"symbols": {1: ("one", 100, 10, FUNCTION, 1)}, "texts_at": 0,
      "texts_size": 4, "length": TEXTS_AT}, "", {100: "ELF"}),
    ("but not before their end",
     {"symbols": {1: ("one", 100, 10, FUNCTION, 1)}, "texts_at": 0,
      "texts_size": 4, "length": TEXTS_AT - 1}, "", {100: None}),
    ("nor within its header", {"length": AT - 1}, "", {100: None}),
    ("an empty file has no names", {"length": 0}, "", {100: None}),
    ("sections behind the last are none", {"shnum": 1}, "", {100: None}),
    ("a file may have none at all", {"shnum": 0}, "", {100: None}),
    ("a file has the id that it is built with", {"notes": note()}, ID,
     {100: "one"}),
    ("without an id any file will do", {"notes": note()}, "", {100: "one"}),
    ("the last digit of an id counts", {"notes": note()}, ID[:-1] + "1",
     {100: None}),
    ("as does the first one", {"notes": note()}, "1" + ID[1:], {100: None}),
    ("an id has small letters", {"notes": note()}, ID.upper(), {100: None}),
    ("it has an end", {"notes": note()}, ID + "00", {100: None}),
    ("it may have any length", {"notes": note(ident=ID[:-2])},
     ID[:-2], {100: "one"}),
    ("a longer name is another owner's", {"notes": note(b"GNUx")}, ID,
     {100: None}),
    ("another owner's note is no id", {"notes": note(b"GNU\0\0")}, ID,
     {100: None}),
    ("whatever its name is", {"notes": note(b"GNu\0")}, ID, {100: None}),
    ("another kind of note is no id", {"notes": note(kind=1)}, ID,
     {100: None}),
    ("other sections have no id", {"notes": note(), "notes_kind": PROGBITS}, ID,
     {100: None}),
    ("a note that was cut has none", {"notes": note(), "notes_size": 31}, ID,
     {100: None}),
    ("nor has one behind the file", {"notes": note(), "notes_at": SIZE}, ID,
     {100: None}),
    ("or one that is longer than all", {"notes": note(given=2**32 - 1)}, ID,
     {100: None}),
    ("the first section may have it",
     {"notes": note(), "notes_kind": 0, "none_kind": NOTE, "none_at": NOTE_AT,
      "none_size": 32}, ID, {100: "one"}),
]


@pytest.mark.parametrize("_shows,made,ident,expected", FILES,
                         ids=[row[0] for row in FILES])
def test_a_function_has_the_name_that_its_file_gives(
        scratch, names, _shows, made, ident, expected):
    (scratch / "file").write_bytes(image(**made))
    found = names(module(ident=ident), *map(call, expected))
    assert found == [name or "function" for name in expected.values()]


def many_notes(count):
    rows = [(b"Go\0\0", 4, "09"), (b"Go", 3, "12"), (b"GNU\0", 1, "12"),
            (b"GNU\0", 3, "12"), (b"GNU\0", 1, "09")]
    return b"".join(note(owner, kind=kind, ident=byte * 8)
                    for owner, kind, byte in rows[:count])


@pytest.mark.parametrize("count,ident,found", [
    (5, "12" * 8, True), (4, "12" * 8, True), (3, "12" * 8, False),
    (5, "09" * 8, False), (5, "12" * 7, False), (0, "12" * 8, False),
])
def test_a_build_id_may_stand_between_other_notes(scratch, names, count, ident,
                                                  found):
    notes = many_notes(count)
    whole = image(notes_kind=NOTE, notes_at=SIZE, notes_size=len(notes))
    (scratch / "file").write_bytes(whole + notes)
    assert names(module(ident=ident), call(100)) == [
        "one" if found else "function"]


def test_a_damaged_file_harms_nobody(scratch, names):
    whole = image(dynamic=SECOND, notes=note())
    records = []
    damaged = [whole[:at] + bytes([value]) + whole[at + 1:]
               for at in (*range(AT), *range(SECTIONS_AT, TEXTS_AT))
               for value in (0xff, 0x7f, 1)] + [
        whole[:length] for length in range(0, TEXTS_AT, 7)]
    for number, data in enumerate(damaged, 1):
        (scratch / f"f{number}").write_bytes(data)
        records += [module(f"f{number}", number), call(100, number)]
    found = names(*records)
    assert len(found) == len(damaged)
    assert set(found) <= {"one", "function", "ELF"}
    assert set(found[-(TEXTS_AT // 7):]) == {"function"}


def test_what_is_no_file_is_not_waited_for(scratch, names):
    os.mkfifo(scratch / "fifo")
    with (scratch / "large").open("wb") as file:
        file.write(image())
        file.truncate((1 << 28) + 1)
    others = ("fifo", "large", "nonexistent", "/", "/dev/zero",
              "/proc/self/cmdline")
    assert names(*(record for path in others
                   for record in (module(path), call(100)))) == (
        ["function"] * len(others))


def test_a_file_may_be_as_large_as_the_limit(scratch, names):
    with (scratch / "file").open("wb") as file:
        file.write(image())
        file.truncate(1 << 28)
    assert names(module(), call(100)) == ["one"]


ELSE = {"begin": 0, "end": 400, "path": "nonexistent"}
# What it shows, and records; each call with the name that it gets.
TOLD = [
    ("without an object a call has no name", [(call(100), "function")]),
    ("an object is one of its process",
     [module(), (call(100), "one"), (call(100, 8), "function")]),
    ("a call outside of an object has no name",
     [module(begin=101, end=105), (call(100), "function"), (call(101), "one"),
      (call(104), "one"), (call(105), "function")]),
    ("an object has a base", [module(base=1000), (call(1100), "one"),
                              (call(100), "function")]),
    ("a name has to be whole",
     [module(), (call(100, name="functions"), "functions"),
      (call(100, name="functio"), "functio")]),
    ("an address is a pointer", [module(), (call(0, args=[
        fxt.arg("address", 4, body=fxt.word(100))]), "function")]),
    ("a call without an address has no name",
     [module(), (call(0, args=[]), "function")]),
    ("a newer object at the same place hides the older one",
     [module(), module(process=8), module(**ELSE), (call(100), "function"),
      (call(100, 8), "one")]),
    ("the first one may come back",
     [module(), module("nonexistent"), (call(100), "function"), module(),
      (call(100), "one")]),
    ("a file may have another base",
     [module(), module(base=8), (call(108), "one"), (call(100), "function")]),
    *((f"{name} tells of no object",
       [module(), module(**ELSE, **more), (call(100), "one")])
      for name, more in (
          ("a duration", {"kind": "begin"}), ("`modul`", {"name": "modul"}),
          ("an instant of a call", {"name": "function"}),
          ("one without a path", {"left_out": ["path"]}),
          ("one without a build id", {"left_out": ["build_id"]}))),
    ("an object is kept once, however often it is told",
     [*[module()] * 5000, module(process=8), (call(100, 8), "one")]),
    ("no more objects are kept than the limit",
     [module(), *(module("nonexistent", 8, begin=16 * i, end=16 * i + 16)
                  for i in range(1, 4096)), module(process=9),
      (call(100, 9), "function"), (call(100), "one")]),
]


@pytest.mark.parametrize("_shows,told", TOLD, ids=[row[0] for row in TOLD])
def test_an_object_gives_names_to_the_calls_of_its_process(scratch, names,
                                                           _shows, told):
    (scratch / "file").write_bytes(image())
    calls = [one for one in told if isinstance(one, tuple)]
    found = names(*(one[0] if isinstance(one, tuple) else one for one in told))
    assert [name for name in found if name != "module"] == [
        name for _, name in calls]


@PLAIN
def test_a_file_may_be_read_in_parts_and_one_that_cannot_has_no_names(
        execute, trace2, faults, scratch):
    (scratch / "file").write_bytes(image())
    (scratch / "a.fxt").write_bytes(
        fxt.begin() + module(scratch / "file") + call(100))

    def dump(**failing):
        done = execute([trace2, "dump", "a.fxt"], env=faults(**failing))
        return done.returncode or NAMES.findall(done.stdout.decode())

    assert dump(READ_MOST=9) == ["one"]
    answers = [dump(FAIL_READ=call, READ_MOST=500) for call in range(1, 9)]
    assert ["function"] in answers and answers[-1] == ["one"]
    assert all(answer in (["one"], ["function"], 3) for answer in answers)
