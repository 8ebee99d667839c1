"""Where did the time go? The answer of `trace2 summary`, computed slowly.

This follows the definition, not the program: each process is a list of
segments (from, to, owner) along its main thread, and a root gives its whole
life to its owners. What a child's span owns goes to the child's process: to
the one with the span's pid, and otherwise to those that began in the span.
Times are whole microseconds.
"""

import json
import os
from collections import defaultdict

from oracle_places import Places, microseconds, read_time

SELF = "process"
OPTIONS_WITH_VALUE = ("-C", "-c", "--git-dir", "--work-tree", "--namespace",
                      "--config-env", "--super-prefix", "--attr-source")  # fmt: skip


def name_words(argv):
    words = argv[0].split()
    program = os.path.basename(words[0]) if words else ""
    if program != "git":
        return program
    rest = list(argv[1:])
    while rest and rest[0].startswith("-"):
        rest = rest[2 if rest[0] in OPTIONS_WITH_VALUE else 1 :]
    return f"git {rest[0]}" if rest else "git"


class Span:
    def __init__(self, row, start):
        self.row, self.start, self.end, self.pid = row, start, None, None
        self.given = []
        self.around, self.answered = None, False


class Process:
    def __init__(self, sid):
        self.sid, self.parent = sid, sid.rpartition("/")[0]
        self.pid = int(sid.rpartition("-P")[2], 16)
        self.base = None
        self.now = 0
        self.stack, self.segments, self.children = [], [], {}
        self.transport = None
        self.all_children = []
        self.threads = {}  # other than main: spans
        self.name, self.words, self.mode = "", "(none)", ""
        self.failed = False
        self.ended = False
        self.rows = defaultdict(list)  # lengths of spans
        self.failures = defaultdict(int)
        self.errors = []

    def advance(self, to):
        if to > self.now:
            waited = self.stack and self.stack[-1].answered
            stack = self.stack[:-1] if waited else self.stack
            owner = stack[-1] if stack else SELF
            self.segments.append((self.now, to, owner))
            self.now = to

    def close(self, span, event):
        """A span has ended, after its own duration: what it seemed to own
        later is of the one around it."""
        end = span.start + microseconds(event["t_rel"])
        self.advance(end)
        if span not in self.stack:
            return
        place = self.stack.index(span)
        outer = self.stack[place - 1] if place else SELF
        for number, (low, high, owner) in enumerate(self.segments):
            if owner is span and high > end:
                self.segments[number] = low, max(low, end), span
                self.segments.append((max(low, end), high, outer))

    def take(self, event):
        """Events after the end are those of a daemon, and are not counted."""
        if self.ended:
            return
        if self.base is None and event["event"] != "version":
            since = microseconds(event.get("t_abs", 0))
            self.base = self.now = read_time(event) - since
        method = getattr(self, "on_" + event["event"], None)
        if self.transport and self.asks_again(event):
            self.transport.answered = False
        ends = ("region_leave", "child_exit", "child_ready", "thread_exit")
        if self.base is not None and event["event"] not in ends:
            self.advance(self.base + event["place"])
        if method:
            method(event)
        if self.base is not None:
            self.advance(self.base + event["place"])

    def asks_again(self, event):
        """Until this event the process waited for its transport."""
        if event["event"] == "child_exit":
            return self.children[event["child_id"]] is self.transport
        return event["event"] == "child_start" and name_words(event["argv"]) in (
            "git index-pack", "git unpack-objects")

    def on_start(self, event):
        self.words = name_words(event["argv"])

    def on_cmd_name(self, event):
        self.name = event["name"]

    def on_cmd_mode(self, event):
        self.mode = event["name"]

    def on_error(self, event):
        self.errors.append(event.get("fmt", event.get("msg")))

    def on_exit(self, event):
        self.failed = event["code"] != 0

    def on_atexit(self, event):
        self.failed = event["code"] != 0
        self.end = self.now
        self.ended = True

    def on_region_enter(self, event):
        if event["thread"] == "main":
            row = ("regions", event.get("category"), event.get("label"))
            self.stack.append(Span(row, self.now))
        else:
            self.threads[event["thread"]].append(Span(row, self.now))

    def on_thread_start(self, event):
        self.threads[event["thread"]] = [Span(None, self.now)]

    def on_thread_exit(self, event):
        if event["thread"] in self.threads:
            self.close(self.threads.pop(event["thread"])[0], event)

    def on_region_leave(self, event):
        row = ("regions", event.get("category"), event.get("label"))
        self.rows[row].append(microseconds(event["t_rel"]))
        if event["thread"] != "main":
            return self.close(self.threads[event["thread"]].pop(), event)
        span = [span for span in self.stack if span.row == row][-1]
        self.close(span, event)
        place = len(self.stack) - 1 - self.stack[::-1].index(span)
        if self.transport and self.transport.around is span:
            self.transport.answered = True
        inner = [s for s in self.stack[place + 1 :] if s.row[0] != "regions"]
        self.stack[place:] = inner

    def on_child_start(self, event):
        name = event.get("hook_name") or name_words(event["argv"])
        row = ("children", event["child_class"], name)
        span = Span(row, self.now)
        self.children[event["child_id"]] = span
        self.all_children.append(span)
        regions = [one for one in self.stack if one.row[0] == "regions"]
        span.around = regions[-1] if regions else None
        if event["thread"] == "main":
            self.stack.append(span)
        if event["child_class"].startswith("transport/") or name.startswith(
                "git remote-"):
            self.transport = span

    def on_child_exit(self, event):
        span = self.children[event["child_id"]]
        self.rows[span.row].append(microseconds(event["t_rel"]))
        self.failures[span.row] += event.get("code", 0) != 0
        self.close(span, event)
        span.end, span.pid = self.now, event["pid"]
        if span in self.stack:
            self.stack.remove(span)
        if span is self.transport:
            self.transport = None

    on_child_ready = on_child_exit

    def finish(self):
        if not self.ended:
            self.end = self.now
        for span in self.stack:
            self.rows[span.row].append(self.now - span.start)
        self.segments.append((self.now, self.end, SELF))

    def command(self):
        if not self.name:
            return self.words
        return f"{self.name}#{self.mode}" if self.mode else self.name


def read_processes(events):
    processes, places = {}, {}
    for event in events:
        sid = event["sid"]
        places.setdefault(sid, Places()).add(event)
        processes.setdefault(sid, Process(sid))
    for sid, process in processes.items():
        for event in places[sid].end():
            process.take(event)
    for process in processes.values():
        process.finish()
    return processes


class Answer:
    def __init__(self, events):
        self.processes = read_processes(events)
        self.own = defaultdict(int)
        self.children = defaultdict(list)
        self.wall = 0
        self.roots = []
        for process in self.processes.values():
            if process.parent in self.processes:
                self.children[process.parent].append(process)
            else:
                self.roots.append(process)
        for root in self.roots:
            self.wall += root.end - root.base
            self.give(root, [(root.base, root.end)])

    def give(self, process, intervals):
        """The process has these intervals; its spans get theirs."""
        for start, stop, owner in process.segments:
            for low, high in intervals:
                low, high = max(low, start), min(high, stop, process.end)
                if low >= high:
                    continue
                if owner is SELF:
                    row = ("commands", process.command(), "")
                    self.own[row] += high - low
                elif owner.row[0] == "children":
                    owner.given.append((low, high))
                else:
                    self.own[owner.row] += high - low
        self.give_children(process)

    def give_children(self, process):
        left = list(self.children[process.sid])
        spans = list(process.all_children)
        for span in list(spans):
            for child in left:
                if child.pid == span.pid and child.base <= span.end:
                    self.hand_on(span, child)
                    left.remove(child)
                    spans.remove(span)
                    break
        for child in sorted(left, key=lambda child: -child.base):
            self.share(spans, child)
        for span in spans:
            self.own[span.row] += sum(b - a for a, b in span.given)

    def share(self, spans, child):
        """The last span that was open when the child began."""
        found = [
            span
            for span in sorted(spans, key=lambda span: span.start)
            if span.start <= child.base
            and (span.end is None or span.end > child.base)
        ]
        if not found:
            return self.give(child, [])
        rest, part = [], []
        for low, high in found[-1].given:
            a, b = max(low, child.base), min(high, child.end)
            pieces = [(low, min(high, child.base)), (max(low, child.end), high)]
            rest += [piece for piece in pieces if piece[0] < piece[1]]
            part += [(a, b)] if a < b else []
        found[-1].given = rest
        self.give(child, part)

    def move(self, process, by):
        process.base += by
        process.end += by
        process.segments = [(a + by, b + by, owner)
                            for a, b, owner in process.segments]
        for span in process.all_children:
            span.start += by
            span.end = None if span.end is None else span.end + by
        for child in self.children[process.sid]:
            self.move(child, by)

    def hand_on(self, span, child):
        """The child's process has the time in which it lived. It was inside
        its span, also where a busy machine wrote `time` later than `t_abs`."""
        late = child.end - span.end
        if child.base < span.start:
            self.move(child, span.start - child.base)
        elif 0 < late <= child.base - span.start:
            self.move(child, -late)
        part = [(max(a, child.base), min(b, child.end)) for a, b in span.given]
        part = [(a, b) for a, b in part if a < b]
        whole = sum(b - a for a, b in span.given)
        self.own[span.row] += whole - sum(b - a for a, b in part)
        self.give(child, part)

    def tables(self):
        """(table, name, second): count, failed, total, self."""
        lengths, failed = defaultdict(list), defaultdict(int)
        for process in self.processes.values():
            row = ("commands", process.command(), "")
            lengths[row].append(process.end - process.base)
            failed[row] += process.failed
            for row, times in process.rows.items():
                lengths[row] += times
            for row, count in process.failures.items():
                failed[row] += count
        return {
            row: (
                len(lengths[row]),
                failed[row],
                sum(lengths[row]),
                self.own[row],
            )
            for row in {*lengths, *self.own}
        }

    def errors(self):
        counts = defaultdict(int)
        for process in self.processes.values():
            for text in process.errors:
                counts[text] += 1
        return dict(counts)


def read_events(paths):
    for path in paths:
        for line in path.read_bytes().splitlines():
            yield json.loads(line)
