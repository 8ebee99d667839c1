"""Archives of FXT, as far as the FXT target writes them: see SPEC.md.

    for record in records(data):  # in the order of the archive
        record.kind, record.name, record.args, ...

What is not whole, or not of these kinds, raises Broken. rewrite() gives an
archive with some of its words changed, for faults.
"""

import dataclasses
import struct

MAGIC = 0x0016547846040010
EVENTS = ("instant", "counter", "begin", "end", "complete", "async-begin",
          "async-instant", "async-end", "flow-begin", "flow-step", "flow-end")
PLAIN = ("instant", "begin", "end")  # without a word behind the arguments
METADATA, TICKS, STRING, THREAD, EVENT, BLOB, OBJECT = 0, 1, 2, 3, 4, 5, 7


class Broken(ValueError):
    """This is no archive, or not one of a target."""


@dataclasses.dataclass
class Record:
    """`kind`: one of EVENTS, "provider", "ticks", "process" or "thread"
    (a name). `of`: the ids of process and thread, or of the provider."""

    kind: str
    name: str = ""
    category: str = ""
    time: int = 0
    of: tuple = ()
    args: dict = dataclasses.field(default_factory=dict)
    id: int | None = None


def bits(word, low, width):
    return word >> low & (1 << width) - 1


def padded(size):
    return -(-size // 8)


def split(data):
    """The records as (offset, words), each with its header."""
    if len(data) % 8:
        raise Broken(f"{len(data)} bytes are no words")
    words = struct.unpack(f"<{len(data) // 8}Q", data)
    at = 0
    while at < len(words):
        size = bits(words[at], 4, 12)
        if not size or at + size > len(words):
            raise Broken(f"a record of {size} words at byte {8 * at}")
        yield 8 * at, words[at:at + size]
        at += size


def rewrite(data, change):
    """The archive with change(words), a tuple or None, for each record."""
    made = [change(words) for _, words in split(data)]
    words = [word for record in made for word in record or ()]
    return struct.pack(f"<{len(words)}Q", *words)


def text_of(words, size):
    return struct.pack(f"<{len(words)}Q", *words)[:size].decode()


class Tables:
    """What a provider has defined so far."""

    def __init__(self):
        self.strings = {0: ""}
        self.threads = {}

    def string(self, ref, words):
        """The string, and the words behind it where it is inline."""
        if ref & 0x8000:
            size = ref & 0x7fff
            return text_of(words, size), words[padded(size):]
        return self.strings[ref], words

    def thread(self, ref, words):
        return (self.threads[ref], words) if ref else (words[:2], words[2:])


def signed(word, width):
    return word - (1 << width) if word >> width - 1 else word


def value_of(kind, field, words, tables):
    """An argument's value, by its type."""
    if kind == 0:
        return None
    if kind in (1, 2):
        return signed(field, 32) if kind == 1 else field
    if kind == 5:
        return struct.unpack("<d", struct.pack("<Q", words[0]))[0]
    if kind == 6:
        return tables.string(field & 0xffff, words)[0]
    if kind == 9:
        return bool(field & 1)
    return signed(words[0], 64) if kind == 3 else words[0]


def arguments(words, count, tables):
    """The arguments that the words begin with, and the words behind."""
    found = {}
    for _ in range(count):
        size = bits(words[0], 4, 12)
        name, rest = tables.string(bits(words[0], 16, 16), words[1:size])
        found[name] = value_of(bits(words[0], 0, 4), words[0] >> 32, rest,
                               tables)
        words = words[size:]
    return found, words


def event(words, tables):
    header, time, *rest = words
    of, rest = tables.thread(bits(header, 24, 8), rest)
    category, rest = tables.string(bits(header, 32, 16), rest)
    name, rest = tables.string(bits(header, 48, 16), rest)
    args, rest = arguments(rest, bits(header, 20, 4), tables)
    kind = EVENTS[bits(header, 16, 4)]
    return Record(kind, name, category, time, tuple(of), args,
                  rest[0] if kind not in PLAIN else None)


def named_object(words, tables):
    header, koid, *rest = words
    name, rest = tables.string(bits(header, 24, 16), rest)
    args, _ = arguments(rest, bits(header, 40, 4), tables)
    kind = {1: "process", 2: "thread"}[bits(header, 16, 8)]
    return Record(kind, name, of=(koid,), args=args)


def provider(words):
    name = text_of(words[1:], bits(words[0], 52, 8))
    return Record("provider", name, of=(bits(words[0], 20, 32),))


def read(words, tables):
    """A record that shows, or None."""
    header, kind = words[0], bits(words[0], 0, 4)
    if kind == STRING:
        size = bits(header, 32, 15)
        tables.strings[bits(header, 16, 15)] = text_of(words[1:], size)
    elif kind == THREAD:
        tables.threads[bits(header, 16, 8)] = words[1:3]
    elif kind == TICKS:
        return Record("ticks", time=words[1])
    elif kind == EVENT:
        return event(words, tables)
    elif kind == OBJECT:
        return named_object(words, tables)
    elif kind != BLOB:
        raise Broken(f"a record of type {kind}")
    return None


def records(data):
    """All records that show something, one archive or several."""
    found, tables = [], None
    for at, words in split(data):
        if words[0] == MAGIC:
            continue
        if bits(words[0], 0, 4) == METADATA:
            tables = Tables()
            found.append(provider(words))
        elif tables is None:
            raise Broken("no provider is known")
        else:
            found.append(read(words, tables))
    if data[:8] != struct.pack("<Q", MAGIC):
        raise Broken(f"begins with {data[:8]!r}")
    return [record for record in found if record]
