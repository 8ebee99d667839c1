"""The spans that each command makes of a log: {name: (begin, length)}, in
microseconds after the begin of the process; None: not told. A region's name is
its category and label; that of a process or an exec is its kind and the name
that only it has."""

import collections
import json
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "stories"))
from page_data import Columns, read_page  # noqa: E402


def run(trace2, *words):
    done = subprocess.run([trace2, *words], capture_output=True, text=True, check=False)
    return done.stdout


def read_table(trace2, log):
    rows = run(trace2, "table", "--rows", "regions", log).splitlines()
    spans = {(row["category"], row["label"]): (None, row["wall_us"])
             for row in map(json.loads, rows)}
    rows = run(trace2, "table", "--rows", "processes", log).splitlines()
    return spans | {("process", row["command"]): (None, row["wall_us"])
                    for row in map(json.loads, rows)}


def read_summary(trace2, log):
    told = json.loads(run(trace2, "summary", "--format", "json", log))
    names = {"regions": ("category", "label"), "children": ("class", "command")}
    spans = {tuple(row[name] for name in names[table]): (None, row["total_us"])
             for table in names for row in told[table]}
    return spans | {("process", row["name"]): (None, row["total_us"])
                    for row in told["commands"]}


def name_otlp(span):
    region = re.fullmatch(r"region\((.*),(.*)\)", span["name"])
    if region:
        return region.groups()
    if span["kind"] == 2:
        return "process", span["name"].partition(":")[2]
    kind = re.fullmatch(r"child\(class:(.*)\)", span["name"])[1]
    words = next(one["value"] for one in span["attributes"]
                 if one["key"] == "trace2.child.argv")
    return kind, words["arrayValue"]["values"][0]["stringValue"]


def read_otlp(trace2, log):
    spans = {}
    for line in run(trace2, "convert", "--to", "otlp", log, "-").splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            found = resource["scopeSpans"][0]["spans"]
            begin = min(int(s["startTimeUnixNano"]) for s in found if s["kind"] == 2)
            for span in found:
                start = int(span["startTimeUnixNano"])
                spans[name_otlp(span)] = ((start - begin) // 1000, (
                    int(span["endTimeUnixNano"]) - start) // 1000)
    return spans


def name_chrome(begun, names):
    if begun["ph"] == "b":
        return begun["args"].get("child_class", "exec"), begun["name"]
    if begun["cat"] == "process":
        return "process", names[begun["pid"]]
    return begun["cat"], begun["name"]


def pair_chrome(events):
    """The begin and the end of each slice and each span of a child."""
    stacks = collections.defaultdict(list)
    calls = {event["id"]: event for event in events if event["ph"] == "b"}
    for event in events:
        stack = stacks[event.get("pid"), event.get("tid")]
        if event["ph"] == "B":
            stack.append(event)
        elif event["ph"] == "E":
            yield stack.pop(), event
        elif event["ph"] == "e":
            yield calls[event["id"]], event


def read_chrome(trace2, log):
    events = json.loads(run(trace2, "convert", "--to", "chrome", log, "-"))
    names = {event["pid"]: event["args"]["name"] for event in events
             if event["name"] == "process_name"}
    begins = {event["pid"]: event["ts"] for event in events
              if event["ph"] == "B" and event["cat"] == "process"}
    spans = {name_chrome(begun, names): (
        round(begun["ts"] - begins[begun["pid"]]), round(ended["ts"] - begun["ts"]))
        for begun, ended in pair_chrome(events)}
    return {name: span for name, span in spans.items() if name[0] != "thread"}


def read_report(trace2, log):
    data = read_page(run(trace2, "report", "-o", "-", log).encode())
    columns = Columns(data)
    processes, spans = list(columns.processes()), {}
    for process in processes:
        spans["process", process["name"]] = 0, process["length"]
    for span in columns.spans():
        first, second = span["names"]
        if span["kind"] != "thread":
            spans[first, second] = (
                span["start"] - processes[span["process"]]["start"], span["length"])
    return spans


def read_owners(trace2, log):
    """{process: the child that it is, or in which it ran}, by the page."""
    columns = Columns(read_page(run(trace2, "report", "-o", "-", log).encode()))
    names = {span["span"]: span["names"][1] for span in columns.spans()}
    return {process["name"]: names.get(process["span"])
            for process in columns.processes()}


VIEWS = {"table": read_table, "summary": read_summary, "otlp": read_otlp,
         "chrome": read_chrome, "report": read_report}
