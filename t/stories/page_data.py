"""What a page of `trace2 report` knows, as lines that a person can read."""

import json
import re

DATA = re.compile(
    rb'<script type="application/json" id="data">(.*?)</script>', re.S)
NUMBERS = {
    "processes": ("sid", "name", "mode", "words", "argv", "version", "start",
                  "length", "code", "ended", "timed", "caller", "span",
                  "signal"),
    "threads": ("process", "name", "spans", "marks"),
    "spans": ("start", "length", "what"),
    "marks": ("time", "key", "value"),
    "few": ("span", "note", "code", "unclosed"),
    "flame": ("parent", "table", "first", "second", "count", "self"),
}
TEXTS = ("sid", "name", "mode", "words", "argv", "version")
KINDS = ("region", "child", "thread")


class Columns:
    """The page's columns as rows: names instead of numbers, and times since
    the page's origin instead of differences."""

    def __init__(self, data):
        self.data = data
        self.texts = data["texts"]

    def processes(self):
        columns = self.data["processes"]
        for number in range(len(columns["sid"])):
            row = {name: column[number] for name, column in columns.items()}
            row.update((name, self.texts[row[name]]) for name in TEXTS)
            yield {"process": number, **row}

    def spans(self):
        spans, whats = self.data["spans"], self.data["whats"]
        few = {name: {span: value for span, value in zip(
            self.data["few"]["span"], self.data["few"][name]) if value}
            for name in ("note", "code", "unclosed")}
        for number, where, start in self.places("spans", spans["start"]):
            kind, *names = whats[3 * spans["what"][number]:][:3]
            row = {"span": number, **where, "kind": KINDS[kind],
                   "names": [self.texts[name] for name in names],
                   "start": start, "length": spans["length"][number]}
            row.update((name, bool(values[number]) if name == "unclosed"
                        else self.texts[values[number]] if name == "note"
                        else values[number])
                       for name, values in few.items() if number in values)
            yield row

    def marks(self):
        marks, keys = self.data["marks"], self.data["keys"]
        for number, where, time in self.places("marks", marks["time"]):
            names = keys[2 * marks["key"][number]:][:2]
            yield {"mark": [self.texts[name] for name in names], **where,
                   "time": time, "value": self.texts[marks["value"][number]]}

    def places(self, counts, differences):
        """The number, place and time of each item; they are thread by
        thread."""
        threads, end = self.data["threads"], 0
        for thread, count in enumerate(threads[counts]):
            process = threads["process"][thread]
            where = {"process": process,
                     "thread": self.texts[threads["name"][thread]]}
            time = self.data["processes"]["start"][process]
            begin, end = end, end + count
            for number in range(begin, end):
                time += differences[number]
                yield number, where, time


def divide(data):
    """The lists of a page's data, each as columns."""
    for name, names in NUMBERS.items():
        data[name] = {one: data[name][at::len(names)]
                      for at, one in enumerate(names)}
    return data


def read_page(page):
    """The data of a page; None: this is no page."""
    found = DATA.search(page)
    data = found and json.loads(found[1])
    return data if not data or "compare" in data else divide(data)


def show_page(page):
    """All but the summary, which `trace2 summary --format json` writes."""
    data = read_page(page)
    if not data:
        return page
    columns = Columns(data)
    rows = [{name: data[name] for name in ("version", "origin", "wall")},
            *columns.processes(), *columns.spans(), *columns.marks(),
            *({name: data[name]} for name in ("failure", "stuck")
              if data[name]),
            {"advice": data["advice"].split("\n")},
            {name: data[name] for name in ("findings", "found")
             if name in data}]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return "".join(line + "\n" for line in lines).encode()
