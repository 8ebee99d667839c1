#!/usr/bin/python3
"""Where the views of a log disagree: disagree.py [STORY ...]

For each story with EVENT logs this reads what report, table, OTLP, Chrome's
JSON (which has the records of FXT) and summary say of the lengths of
processes, regions, children and threads, and of the child that a process is or
in which it ran; and what the rules of the time of a log say (rules_of_time.py).
It prints each on which one of them differs, and nothing if none does. Slices
nest, so one of Chrome's is longer where an inner one ends later.
"""

import gzip
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from outputs import OUTPUTS, make_output
from stories import Story, find_trace2, names_of_stories, pin_environment
from views import (RAN_IN, see_chrome, see_otlp, see_page, see_rules,
                   see_table, sort_lengths)

SPANS = ("rules", "report", "table", "otlp", "chrome")
VIEWS = (*SPANS, "summary")
# Lengths that two numbers with six digits round differently.
NEAR = 1
SUMS = " (count, longest)"


def read_log(story):
    """The lines of the story's logs, in the order in which they are read."""
    text = b""
    for name in story.words["LOGS"]:
        path = story.where / name
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            data = file.read_bytes()
            text += gzip.decompress(data) if data[:1] == b"\x1f" else data
    return text.decode(errors="replace")


def see_story(name):
    """What each view says of the story; {} if it has no EVENT log."""
    story = Story(name)
    if len(story.words["LOGS"]) != 1:
        return {}  # `convert` takes one
    try:
        rules, known = see_rules(read_log(story))
    except (EOFError, OSError):
        return {}

    def make(output):
        return make_output(find_trace2(), OUTPUTS[output], story.where,
                           story.words, pin_environment())[0]

    summary = make("summary.json")
    if not rules or not summary:
        return {}
    return {"rules": rules, "known": known, "report": see_page(make("page.json"), known),
            "table": see_table(make("regions.csv"), make("processes.csv")),
            "otlp": see_otlp(make("spans.otlp").decode()),
            "chrome": see_chrome(make("trace.json").decode()),
            "summary": json.loads(summary)}


def is_near(one, other):
    return len(one) == len(other) and all(
        a == b or isinstance(a, int) and isinstance(b, int)
        and abs(a - b) <= NEAR for a, b in zip(one, other))


def key_for(view, key):
    """OTLP and Chrome's JSON do not say which thread started a child."""
    kind, sid, thread, name = key
    drop = kind == "child" or view == "otlp" and kind == "process"
    return kind, sid, "" if drop else thread, name


def is_shown(view, kind, sid, roots):
    """Has this view spans of this kind?"""
    if kind == RAN_IN:
        return view not in ("table", "otlp")
    if view == "table":
        return kind == "region" or kind == "process" and sid in roots
    return view != "otlp" or kind != "thread"


def join_spans(seen):
    """Each key, and what each view says of it."""
    spans = {}
    for view in SPANS:
        for key, lengths in seen[view].items():
            group = spans.setdefault(key_for(view, key), {})
            group[view] = sort_lengths(group.get(view, []) + lengths)
    return sorted(spans.items())


def agree(key, said):
    if key[0] == RAN_IN:
        return "rules" not in said or all(one == said["rules"]
                                          for one in said.values())
    return all(is_near(said["rules"], one) or
               view == "chrome" and is_around(one, said["rules"])
               for view, one in said.items())


def is_around(slices, lengths):
    return len(slices) == len(lengths) and all(
        one >= other - NEAR for one, other in zip(slices, lengths))


def compare_spans(seen):
    """(quantity, view: lengths) of each key on which views differ."""
    spans = join_spans(seen)
    sids = {key[1] for key, _ in spans if key[0] == "process"}
    roots = {sid for sid in sids if sid.rpartition("/")[0] not in sids}
    for key, found in spans:
        said = {view: found.get(view, []) for view in SPANS
                if is_shown(view, key[0], key[1], roots)
                and (view in found or key[0] != RAN_IN)}
        if not agree(key, said):
            yield key, said


def add_up(seen, view, kind):
    """Count, longest and total of the spans of each name."""
    sums = {}
    for (what, _, _, name), lengths in seen[view].items():
        if what == kind:
            sums.setdefault(name, []).extend(lengths)
    return {name: [len(all_), max(all_)] for name, all_ in sums.items()}


def compare_sums(seen):
    """What summary says of counts and of the longest span of a name."""
    for kind, table, names in (("region", "regions", ("category", "label")),
                               ("child", "children", ("class",))):
        said = {}
        for row in seen["summary"][table]:
            name = "/".join(row[part] for part in names)
            count, longest = said.get(name, [0, 0])
            said[name] = [count + row["count"], max(longest, row["max_us"])]
        right = add_up(seen, "rules", kind)
        for name in sorted({*said, *right}):
            one, other = right.get(name, [0, 0]), said.get(name, [0, 0])
            if one[0] != other[0] or abs(one[1] - other[1]) > NEAR:
                yield (kind, "", "", name + SUMS), {
                    "rules": one, "summary": other}


def compare_walls(seen):
    """Self times add up to the wall time; a root is as long as its process."""
    summary = seen["summary"]
    own = sum(row["self_us"] for table in ("commands", "regions", "children")
              for row in summary[table])
    if abs(own - summary["wall_us"]) > NEAR:
        yield ("wall", "", "", "self of all"), {
            "rules": [summary["wall_us"]], "summary": [own]}
    sids = {key[1]: max(lengths) for key, lengths in seen["rules"].items()
            if key[0] == "process"}
    roots = [length for sid, length in sids.items()
             if sid.rpartition("/")[0] not in sids]
    wall = sum(roots)
    if abs(wall - summary["wall_us"]) > NEAR * len(roots):
        yield ("wall", "", "", "of all roots"), {
            "rules": [wall], "summary": [summary["wall_us"]]}


def show_length(one):
    if one is None:
        return "no length"
    return f"{one / 1000:.3f}".rstrip("0").rstrip(".")


def show_values(key, values):
    if not values:
        return "none"
    if key[0] == RAN_IN:
        return ", ".join("none" if one is None else str(one)
                         for one in values)
    if key[3].endswith(SUMS):
        return f"{values[0]}, {show_length(values[1])}"
    more = f" … ({len(values)})" if len(values) > 4 else ""
    return ", ".join(map(show_length, values[:4])) + more


def name_key(key, sids):
    kind, sid, thread, name = key
    number = f"#{sids.setdefault(sid, len(sids) + 1)}" if sid else ""
    return " ".join(part for part in (kind, name, number, thread) if part)


class Difference:
    """A quantity of a story, and what each view says of it."""

    def __init__(self, story, key, said, sids):
        self.story, self.key, self.said = story, key, said
        self.name = name_key(key, sids)

    def cells(self):
        return [show_values(self.key, self.said[view])
                if view in self.said else "" for view in VIEWS]

    def line(self):
        said = "; ".join(f"{view} {cell}" for view, cell
                         in zip(VIEWS, self.cells()) if cell)
        name = "".join(c if c.isprintable() else "?" for c in self.name)
        return f"{self.story}: {name}: {said}"


def find_differences(name):
    seen, sids = see_story(name), {}
    if not seen:
        return []
    found = [*compare_spans(seen), *compare_sums(seen), *compare_walls(seen)]
    return [Difference(name, key, said, sids) for key, said in found]


def main(arguments):
    with ThreadPoolExecutor(2) as pool:
        found = [one for those in pool.map(find_differences,
                                           arguments or names_of_stories())
                 for one in those]
    for one in found:
        print(one.line())
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
