"""The lengths that each view gives the spans of a log, in one form.

A view becomes a dictionary. A key is the kind of a span (process, region,
child, thread), its SID, its thread, and its name; of a child the name is its
class. The value is the list of lengths in microseconds, sorted.
"""

import csv
import json

from page_data import Columns, read_page
from rules_of_time import read_processes


def sort_lengths(lengths):
    """Those that are None, of what has no length, come first."""
    return sorted(lengths, key=lambda one: -1 if one is None or
                  isinstance(one, str) else one)


def sort_spans(spans):
    found = {}
    for (kind, sid, thread, name), length in spans:
        if kind in ("region", "thread"):
            thread = thread or "main"
        found.setdefault((kind, sid, thread, name), []).append(length)
    return {key: sort_lengths(lengths) for key, lengths in found.items()}


def see_rules(text):
    """What the rules say of the lines of a log, and its processes. The
    commands show a byte that is not UTF-8 as a question mark. One blank
    before an event is a diff's that git has printed."""
    text = text.replace("\ufffd", "?")
    events = []
    for line in text.splitlines():
        if line.startswith(' {"event"'):
            continue
        try:
            events.append(json.loads(line))
        except ValueError:
            continue
    spans = []
    processes = read_processes(event for event in events
                               if isinstance(event, dict))
    for sid, process in processes.items():
        spans.append((("process", sid, "", ""), process.length))
        spans += [((kind, sid, thread, name), length)
                  for kind, thread, name, _, length in process.spans]
        parent = processes.get(sid.rpartition("/")[0])
        if parent:
            spans.append(((RAN_IN, sid, "", ""), parent.find_call(process)))
    return sort_spans(spans), processes


# The kind of a key whose value is the id of the child that a process is, or
# in which it ran.
RAN_IN = "ran in child"


def find_calls(columns, processes, known):
    """The ids of the children in which the page's processes ran. Children are
    the same, in their order, as those of `known`, the processes of a log."""
    calls = {}
    for span in columns.spans():
        if span["kind"] == "child":
            calls.setdefault(span["process"], []).append(
                (span["start"], span["span"]))
    for process in processes:
        caller = process["caller"]
        inside = [number for _, number in sorted(calls.get(caller, []))]
        parent = known.get(processes[caller]["sid"]) if caller >= 0 else None
        if not parent or len(inside) != len(parent.calls):
            continue
        ran = None
        if process["span"] in inside:
            ran = parent.calls[inside.index(process["span"])][2]
        yield ((RAN_IN, process["sid"], "", ""),
               "exec" if isinstance(ran, tuple) else ran)


def see_page(page, known):
    data = read_page(page)
    if not data:
        return {}
    columns, spans = Columns(data), []
    processes = list(columns.processes())
    for process in processes:
        spans.append((("process", process["sid"], "", ""), process["length"]))
    for span in columns.spans():
        first, second = span["names"]
        name = {"region": f"{first}/{second}", "child": first, "thread": ""}
        spans.append(((span["kind"], processes[span["process"]]["sid"],
                       span["thread"], name[span["kind"]]), span["length"]))
    spans += find_calls(columns, processes, known)
    return sort_spans(spans)


def see_table(regions, processes):
    """Only roots have lengths in `table`."""
    spans = [(("region", row["sid"], row["thread"],
               f"{row['category']}/{row['label']}"),
              int(row["wall_us"]) if row["wall_us"] else None)
             for row in csv.DictReader(regions.decode().splitlines())]
    spans += [(("process", row["sid"], "", ""),
               int(row["wall_us"]) if row["wall_us"] else None)
              for row in csv.DictReader(processes.decode().splitlines())]
    return sort_spans(spans)


def read_attributes(span):
    return {each["key"]: next(iter(each["value"].values()))
            for each in span.get("attributes", [])}


def see_otlp(text):
    """A line each has the spans of a process."""
    spans, by_id = [], {}
    for line in text.splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                spans += scope["spans"]
    for span in spans:
        by_id[span["spanId"]] = span
    found = []
    for span in spans:
        what = read_attributes(span)
        kind = what["trace2.span.type"]
        length = (int(span["endTimeUnixNano"])
                  - int(span["startTimeUnixNano"])) // 1000
        name = {"region": span["name"][len("region("):-1].replace(",", "/", 1),
                "child": what.get("trace2.child.class", "")}.get(kind, "")
        sid = find_sid(span, by_id)
        thread = what.get("thread.name", "")
        found.append(((kind, sid, thread if kind == "region" else "", name),
                      length))
    return sort_spans(found)


def find_sid(span, by_id):
    while span is not None:
        what = read_attributes(span)
        if what["trace2.span.type"] == "process":
            return what.get("trace2.cmd.sid", "")
        span = by_id.get(span.get("parentSpanId"))
    return ""


class Slices:
    """Chrome's events: slices of threads, and spans of children."""

    def __init__(self, events):
        self.spans = []
        self.sids, self.threads = {}, {}
        self.open, self.children, self.calls = {}, {}, []
        self.flows, self.ends = {}, {}
        for event in events:
            take = {"B": self.begin, "E": self.end, "b": self.begin_child,
                    "e": self.end_child, "M": self.name,
                    "s": self.begin_flow, "f": self.end_flow}.get(event["ph"])
            if take:
                take(event, (event["pid"], event["tid"]))

    def name(self, event, place):
        if event["name"] == "thread_name":
            self.threads[place] = event["args"]["name"]

    def begin(self, event, place):
        self.open.setdefault(place, []).append(event)
        sid = event.get("args", {}).get("sid")
        if event.get("cat") == "process" and sid:
            self.sids[event["pid"]] = sid

    def end(self, event, place):
        if not self.open.get(place):
            return
        begun = self.open[place].pop()
        category, name = begun.get("cat", ""), begun["name"]
        length = round(event["ts"] - begun["ts"])
        sid = self.sids.get(event["pid"], "")
        if category == "process" and "sid" in begun.get("args", {}):
            self.spans.append((("process", sid, "", ""), length))
        elif category == "thread":
            self.spans.append((("thread", sid, name, ""), length))
        else:
            if category == "region":  # it has no category,
                category = ""
                if name == begun.get("args", {}).get("msg"):
                    name = ""  # and no label
            name = "" if name == "region" else name
            self.spans.append((("region", sid, self.threads.get(place, ""),
                                f"{category}/{name}"), length))

    def begin_child(self, event, _place):
        self.children[event["id"]] = event
        self.calls.append(event)

    def end_child(self, event, _place):
        begun = self.children.pop(event["id"], None)
        if begun:
            self.add_child(begun, round(event["ts"] - begun["ts"]))

    def add_child(self, begun, length):
        what = begun.get("args", {})
        name = "exec" if "exec_id" in what else what.get("child_class", "")
        sid = self.sids.get(begun["pid"], "")
        self.spans.append((("child", sid, "", name), length))

    def begin_flow(self, event, _place):
        """It begins where a child begins. One by argv only is a guess."""
        if event["name"] != "child":
            return
        self.flows[event["id"]] = next(
            (begun["args"].get("child_id", "exec") for begun in
             reversed(self.calls) if begun["pid"] == event["pid"]
             and begun["ts"] == event["ts"]), None)

    def end_flow(self, event, _place):
        self.ends[event["pid"]] = event["id"]

    def close(self):
        known = set(self.sids.values())
        ran = {sid: self.flows.get(self.ends.get(pid))
               for pid, sid in self.sids.items()
               if sid.rpartition("/")[0] in known}
        self.spans += [((RAN_IN, sid, "", ""), number)
                       for sid, number in ran.items()]
        for begun in self.children.values():
            self.add_child(begun, None)
        return self.spans


def see_chrome(text):
    return sort_spans(Slices(json.loads(text or "[]")).close())
