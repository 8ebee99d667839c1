"""The spans that each command makes of a log: {(category, label): (begin,
length)}, in microseconds after the begin of the process; None: not told."""

import collections
import json
import re
import subprocess


def run(trace2, *words):
    done = subprocess.run([trace2, *words], capture_output=True, text=True, check=False)
    return done.stdout


def read_table(trace2, log):
    rows = run(trace2, "table", "--rows", "regions", log).splitlines()
    return {(row["category"], row["label"]): (None, row["wall_us"])
            for row in map(json.loads, rows)}


def read_summary(trace2, log):
    told = json.loads(run(trace2, "summary", "--format", "json", log))
    return {(row["category"], row["label"]): (None, row["total_us"])
            for row in told["regions"]}


def read_otlp(trace2, log):
    spans = {}
    for line in run(trace2, "convert", "--to", "otlp", log, "-").splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            found = resource["scopeSpans"][0]["spans"]
            begin = min(int(s["startTimeUnixNano"]) for s in found if s["kind"] == 2)
            for span in found:
                name = re.fullmatch(r"region\((.*),(.*)\)", span["name"])
                if name:
                    start = int(span["startTimeUnixNano"])
                    spans[name.groups()] = ((start - begin) // 1000, (
                        int(span["endTimeUnixNano"]) - start) // 1000)
    return spans


def read_chrome(trace2, log):
    spans, begins, stacks = {}, {}, collections.defaultdict(list)
    events = json.loads(run(trace2, "convert", "--to", "chrome", log, "-"))
    if isinstance(events, dict):
        events = events["traceEvents"]
    for event in events:
        stack = stacks[event.get("pid"), event.get("tid")]
        if event["ph"] == "B":
            stack.append(event)
            if event["cat"] == "process":
                begins[event["pid"]] = event["ts"]
        elif event["ph"] == "E":
            begun = stack.pop()
            if begun["cat"] not in ("process", "thread"):
                spans[begun["cat"], begun["name"]] = (
                    round(begun["ts"] - begins[begun["pid"]]),
                    round(event["ts"] - begun["ts"]))
    return spans


VIEWS = {"table": read_table, "summary": read_summary, "otlp": read_otlp,
         "chrome": read_chrome}
