"""Packets of Perfetto's TrackEvent as text: a line for each, from the bytes
alone. The numbers of fields are those of Perfetto's documentation; one that is
not here is an error."""

import struct

PACKET = {8: ("timestamp", int), 10: ("sequence", int),
          11: ("event", "EVENT"), 60: ("track", "TRACK")}
MESSAGES = {
    "TRACK": {1: ("uuid", "ID"), 2: ("name", str), 3: ("process", "PROCESS"),
              4: ("thread", "THREAD"), 5: ("parent_uuid", "ID"),
              8: ("counter", "COUNTER")},
    "COUNTER": {},
    "PROCESS": {1: ("pid", int), 6: ("process_name", str)},
    "THREAD": {1: ("pid", int), 2: ("tid", int), 5: ("thread_name", str)},
    "EVENT": {4: ("arg", "ARG"), 9: ("type", "TYPE"), 11: ("track_uuid", "ID"),
              22: ("category", str), 23: ("name", str),
              30: ("counter_value", int), 44: ("double_counter_value", float),
              47: ("flow_id", "FIXED"), 48: ("terminating_flow_id", "FIXED")},
    "ARG": {2: ("bool", bool), 3: ("uint", "ID"), 4: ("int", int),
            5: ("double", float), 6: ("string", str), 7: ("pointer", "ID"),
            10: ("name", str)},
}
TYPES = {1: "SLICE_BEGIN", 2: "SLICE_END", 3: "INSTANT", 4: "COUNTER"}


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at


def read_fields(data):
    """(number, wire type, value) of each field of a message."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = read_varint(data, at)
        else:
            size = 8
            if wire == 2:
                size, at = read_varint(data, at)
            elif wire != 1:
                raise ValueError(f"wire type {wire}")
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("a field is cut")
        yield key >> 3, wire, value


class Packets:
    """Long ids become small ones, in the order in which they come."""

    def __init__(self):
        self.ids = {}

    def show_id(self, value):
        if value < 1 << 32:
            return str(value)
        return f"#{self.ids.setdefault(value, len(self.ids) + 1)}"

    def show_value(self, kind, wire, value):
        wanted = {str: 2, float: 1, "FIXED": 1}.get(kind, 2 if kind in MESSAGES else 0)
        if wire != wanted:
            raise ValueError(f"{kind} has wire type {wire}")
        if kind in MESSAGES:
            return "{" + self.show_message(MESSAGES[kind], value) + "}"
        if kind == "FIXED":
            return self.show_id(int.from_bytes(value, "little"))
        if kind == "ID":
            return self.show_id(value)
        if kind == "TYPE":
            return TYPES[value]
        if kind is float:
            return repr(struct.unpack("<d", value)[0])
        if kind is str:
            return repr(value.decode())
        return str(value - (1 << 64) if value >> 63 else value)

    def show_message(self, fields, data):
        return " ".join(
            f"{fields[number][0]}={self.show_value(fields[number][1], wire, value)}"
            for number, wire, value in read_fields(data))


def show_packets(data):
    packets = Packets()
    lines = []
    for number, wire, packet in read_fields(data):
        if (number, wire) != (1, 2):
            raise ValueError(f"a trace has field {number} of wire type {wire}")
        lines.append(packets.show_message(PACKET, packet) + "\n")
    return "".join(lines).encode()
