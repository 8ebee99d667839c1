"""Writes archives of the FXT format, word by word, right or wrong.

Written from TRACING.md's chapter "The FXT format", and apart from the C that
it tests: nothing here knows fxt.h.
"""

import struct

MAGIC = 0x0016547846040010
METADATA, INITIALIZATION, STRING, THREAD, EVENT, BLOB = range(6)
USERSPACE, KERNEL, SCHEDULING, LOG, PROFILER, LARGE = 6, 7, 8, 9, 10, 15
EVENTS = ("instant", "counter", "begin", "end", "complete", "async_begin",
          "async_instant", "async_end", "flow_begin", "flow_step", "flow_end")
WITH_TRAILER = ("counter", "complete", "async_begin", "async_instant",
                "async_end", "flow_begin", "flow_step", "flow_end")


def word(value):
    return struct.pack("<Q", value & (1 << 64) - 1)


def padded(data, pad=b"\0"):
    return data + pad * (-len(data) % 8)


def bits(**fields):
    """bits(_16=5, _32=7): 5 << 16 | 7 << 32."""
    return sum(value << int(name[1:]) for name, value in fields.items())


def record(kind, fields, *parts, size=None):
    """A record; its size is right unless it is given."""
    body = b"".join(parts)
    words = 1 + len(body) // 8 if size is None else size
    return word(kind | words << 4 | fields) + body


class Text:
    """A string as a record names it: an index, or inline bytes."""

    def __init__(self, value):
        if isinstance(value, int):
            self.ref, self.stream = value, b""
            return
        data = value.encode() if isinstance(value, str) else value
        self.ref = 0x8000 | len(data) if data else 0
        self.stream = padded(data)


def magic():
    return word(MAGIC)


def provider(ident=1, name="test"):
    data = name.encode()
    return record(METADATA, bits(_16=1, _20=ident, _52=len(data)),
                  padded(data))


def section(ident):
    return record(METADATA, bits(_16=2, _20=ident))


def overflow(ident):
    return record(METADATA, bits(_16=3, _20=ident))


def ticks(per_second=10**9, *more):
    return record(INITIALIZATION, 0, word(per_second), *map(word, more))


def string(index, value):
    data = value.encode() if isinstance(value, str) else value
    return record(STRING, bits(_16=index, _32=len(data)), padded(data))


def thread(index, process, ident):
    return record(THREAD, bits(_16=index), word(process), word(ident))


def arg(name, kind, value=0, body=b"", size=None):
    """kind 0 to 10; `value` goes to the high half, `body` behind the name."""
    text = Text(name)
    words = 1 + (len(text.stream) + len(body)) // 8 if size is None else size
    return (word(kind | words << 4 | text.ref << 16 | (value & 0xffffffff) << 32)
            + text.stream + body)


def arg_of(name, value):
    """An argument of the type that fits the value."""
    if value is None:
        return arg(name, 0)
    if isinstance(value, bool):
        return arg(name, 9, int(value))
    if isinstance(value, float):
        return arg(name, 5, body=struct.pack("<d", value))
    if isinstance(value, int):
        if -2**31 <= value < 2**31:
            return arg(name, 1, value)
        return arg(name, 3 if value < 2**63 else 4, body=word(value))
    if isinstance(value, bytes):
        return arg(name, 10, len(value), padded(value))
    text = Text(value)
    return arg(name, 6, text.ref, text.stream)


def event(kind, time, name="work", category="test", args=(), *, thread=1,
          last=None, size=None, count=None, ids=(), more=b""):
    """`args` are pairs, or the bytes of arguments; `ids` of inline threads."""
    category, name = Text(category), Text(name)
    number = EVENTS.index(kind) if isinstance(kind, str) else kind
    given = [one if isinstance(one, bytes) else arg_of(*one) for one in args]
    fields = bits(_16=number, _20=len(given) if count is None else count,
                  _24=thread, _32=category.ref, _48=name.ref)
    tail = word(last or 0) if kind in WITH_TRAILER else b""
    return record(EVENT, fields, word(time), *map(word, ids),
                  category.stream, name.stream, *given, tail, more, size=size)


def blob(name, data, kind=1):
    text = Text(name)
    return record(BLOB, bits(_16=text.ref, _32=len(data), _48=kind),
                  text.stream, padded(data))


def filler(words, dirt=b"\xee"):
    return record(BLOB, bits(_32=8 * (words - 1)), dirt * 8 * (words - 1))


def kernel_object(kind, ident, name, args=()):
    text = Text(name)
    given = [one if isinstance(one, bytes) else arg_of(*one) for one in args]
    return record(KERNEL, bits(_16=kind, _24=text.ref, _40=len(given)),
                  word(ident), text.stream, *given)


def process_name(ident, name):
    return kernel_object(1, ident, name)


def thread_name(process, ident, name):
    return kernel_object(2, ident, name, [arg("process", 8, body=word(process))])


def userspace_object(pointer, name, args=(), thread=1, ids=()):
    text = Text(name)
    given = [one if isinstance(one, bytes) else arg_of(*one) for one in args]
    return record(USERSPACE, bits(_16=thread, _24=text.ref, _40=len(given)),
                  word(pointer), *map(word, ids), text.stream, *given)


def switch(time, outgoing, incoming, cpu=0, state=3, args=()):
    given = [arg_of(*one) for one in args]
    return record(SCHEDULING, bits(_16=len(given), _20=cpu, _36=state, _60=1),
                  word(time), word(outgoing), word(incoming), *given)


def wakeup(time, ident, cpu=0, args=()):
    given = [arg_of(*one) for one in args]
    return record(SCHEDULING, bits(_16=len(given), _20=cpu, _60=2),
                  word(time), word(ident), *given)


def legacy_switch(time, outgoing=1, incoming=1, cpu=0, state=3):
    return record(SCHEDULING, bits(_16=cpu, _24=state, _28=outgoing,
                                   _36=incoming, _44=1, _52=2), word(time))


def log(time, message, thread=1):
    data = message.encode()
    return record(LOG, bits(_16=len(data), _32=thread), word(time),
                  padded(data))


def profiler(kind, time, fields, *parts, thread=1):
    return record(PROFILER, bits(_16=kind, _20=thread) | fields, word(time),
                  *parts)


def large(data, name="large", category="test", time=None, args=(), thread=1):
    """With a time it is an event with a blob, else the blob alone."""
    category, name = Text(category), Text(name)
    given = [arg_of(*one) for one in args]
    fields = bits(_0=category.ref, _16=name.ref)
    middle = b""
    if time is not None:
        fields |= bits(_32=len(given), _36=thread)
        middle = word(time) + b"".join(given)
    return record(LARGE, bits(_40=int(time is None)), word(fields),
                  category.stream, name.stream, middle, word(len(data)),
                  padded(data))


def begin():
    """How an archive begins whose events are on thread 1."""
    return (magic() + provider() + ticks() + string(1, "argname")
            + thread(1, 10, 11))
