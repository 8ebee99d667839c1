r"""Reads t/commands/rules/stories: each story is a log, and what is found in it.

    == what is the matter with it
    region_enter nesting=1 label=a
    region_leave nesting=1 label=b
    ! stream.region.leave-match label: not the label of the innermost region

An event has the members below and those that are given, as JSON or as a
bare word; `key=-` takes one away. `at=` is its time in seconds, else it is
0.1 ms after the one before. A slash before the name is a child process, two
are a child of that. `~` before it cuts off the line's last byte; `\xff` is
that byte. A row that begins with a brace is a line as it stands, and makes
a log of its own of the story; in such a one, `---` begins another log.

Below an event stand its findings: the id, and behind it in parentheses the
deviation that it is known for; the key whose value is marked (`-`: nothing
is, `{`: the brace, `$`: the end of the line); and the message, in which
lines are counted from the start of the story. The events stand between
those of a process that starts and ends, unless the story begins with one of
these; its exit comes before its first timer or counter.
"""

import json
import re

from validate_kit import compact

REGION = {"category": "c", "label": "l"}
TIMER = {"category": "c", "name": "n", "intervals": 1, "t_total": 0.001,
         "t_min": None, "t_max": None}
COUNTER = {"category": "c", "name": "n", "count": 1}
MEMBERS = {
    "version": {"evt": "4", "exe": "2.55.0"},
    "start": {"t_abs": None, "argv": ["git"]},
    "exit": {"t_abs": None, "code": 0},
    "atexit": {"t_abs": None, "code": 0},
    "signal": {"t_abs": None, "signo": 15},
    "error": {"msg": "m", "fmt": "m"},
    "cmd_name": {"name": "n", "hierarchy": "n"},
    "cmd_mode": {"name": "n"},
    "cmd_ancestry": {"ancestry": ["a"]},
    "too_many_files": {},
    "child_start": {"child_id": 0, "child_class": "?", "use_shell": False,
                    "argv": ["git"]},
    "child_exit": {"child_id": 0, "pid": 9, "code": 0, "t_rel": 0.001},
    "child_ready": {"child_id": 0, "pid": 9, "ready": "ready", "t_rel": 0.001},
    "exec": {"exec_id": 0, "exe": "git", "argv": ["git"]},
    "exec_result": {"exec_id": 0, "code": -1},
    "thread_start": {},
    "thread_exit": {"t_rel": 0.001},
    "def_param": {"scope": "s", "param": "p", "value": "v"},
    "def_repo": {"repo": 1, "worktree": "/w"},
    "region_enter": {"nesting": 1, **REGION},
    "region_leave": {"t_rel": 0.0001, "nesting": 1, **REGION},
    "data": {"t_abs": None, "t_rel": 0.0001, "nesting": 1, "category": "c",
             "key": "k", "value": "v"},
    "data_json": {"t_abs": None, "t_rel": 0.0001, "nesting": 1,
                  "category": "c", "key": "k", "value": {}},
    "printf": {"t_abs": None, "msg": "m"},
    "th_timer": TIMER,
    "timer": TIMER,
    "th_counter": COUNTER,
    "counter": COUNTER,
}  # fmt: skip
STARTS = ("version", "start")
ENDS = ("exit", "atexit")
# The SID of a process in story N, by how many slashes it has.
SIDS = [f"20260114T093042.112358Z-H%08x-P{pid:08x}" for pid in (7, 0x1f4a, 9)]


class Story:
    """Lines of a log, and what is to be said of them."""

    def __init__(self, number, name):
        self.number, self.name = number, name
        self.clock, self.is_alone = 0.0, False
        self.logs, self.expected = [[]], []

    @property
    def lines(self):
        """Of the log at hand."""
        return self.logs[-1]

    def add(self, text):
        if text[0] == "{":
            self.is_alone = True
            self.lines.append(text.encode())
        elif text == "---":
            self.is_alone = True
            self.logs.append([])
        else:
            self.add_event(text)

    def add_event(self, text):
        cut, slashes, name, words = re.fullmatch(
            r"(~?)(/*)(\w+) ?(.*)", text
        ).groups()
        given = dict(word.split("=", 1) for word in words.split())
        self.clock = float(given.pop("at", self.clock + 0.0001))
        members = {**self.common(name, len(slashes)), **MEMBERS.get(name, {})}
        if "t_abs" in members:
            members["t_abs"] = round(self.clock, 6)
        if "t_min" in members:
            members["t_min"] = members["t_max"] = mean(members | given)
        texts = {key: compact(value).decode() for key, value in members.items()}
        texts |= {key: json_of(text) for key, text in given.items()}
        parts = (f'"{key}":{text}' for key, text in texts.items() if text != "-")
        line = ("{" + ",".join(parts) + "}").encode()
        line = line.replace(rb"\\xff", b"\xff")
        self.lines.append(line[:-1] if cut else line)

    def common(self, name, depth):
        second, rest = divmod(round(self.clock * 1000000), 1000000)
        sid = "/".join(SIDS[: depth + 1]).replace("%08x", f"{self.number:08x}")
        return {
            "event": name, "sid": sid, "thread": "main",
            "time": f"2026-01-14T09:30:{42 + second}.{rest:06d}Z",
            "file": "a.c", "line": 1,
        }  # fmt: skip

    def expect(self, text):
        rule, key, message = re.fullmatch(r"(\S+) (\S+): (.*)", text).groups()
        line = self.lines[-1]
        ends = {"-": (0, 0), "{": (0, 1), "$": (len(line), len(line))}
        start, end = ends.get(key) or span(line, key)
        place = len(self.logs), len(self.lines), start + 1, end - start
        self.expected.append((*place, rule, message))


def mean(timer):
    """The interval of a timer whose intervals are all equal."""
    try:
        return round(float(timer["t_total"]) / int(timer["intervals"]), 6)
    except (ValueError, ZeroDivisionError, OverflowError):
        return 0


def json_of(text):
    """As it is given, if that is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return text if text == "-" else json.dumps(text)
    return text


def span(line, key):
    """Where the value of the key stands, or what is in it at `+N:WIDTH`; of
    a key in double quotes the key itself."""
    key, _, part = key.partition("+")
    text = line.decode("latin-1")
    if key[0] == '"':
        return text.index(key + ":"), text.index(key + ":") + len(key)
    start = text.index(f'"{key}":') + len(key) + 3
    if part:
        at, width = map(int, part.split(":"))
        return start + at, start + at + width
    return start, json.JSONDecoder().raw_decode(text, start)[1]


def with_exit(rows):
    """Totals come after the exit, everything else before it."""
    totals = [at for at, row in enumerate(rows)
              if re.match(r"(timer|counter)\b", row)]
    at = totals[0] if totals else len(rows)
    return [*rows[:at], ENDS[0], *rows[at:]]


def read_stories(path, number=None):
    """The stories of a file; those of one number have the same SIDs."""
    parts = path.read_text().split("\n== ")[1:]
    for at, part in enumerate(parts, 1):
        name, *rows = part.splitlines()
        rows = [row for row in rows if row and row[0] != "#"]
        story = Story(number or at, name)
        whole = rows[0].lstrip("~/").split()[0] in STARTS
        if not whole:
            rows = [*STARTS, *with_exit(rows), ENDS[-1]]
        for row in rows:
            story.expect(row[2:]) if row[0] == "!" else story.add(row)
        yield story
