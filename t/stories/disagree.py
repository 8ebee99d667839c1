#!/usr/bin/python3
"""Where the views of a log disagree: disagree.py [--document] [STORY ...]

For each story with EVENT logs this reads what report, table, OTLP, Chrome's
JSON (which has the records of FXT) and summary say of the lengths of
processes, regions, children and threads, and of the child that a process is or
in which it ran; and what the rules of the time of a log say (rules_of_time.py).
It prints each on which one of them differs, and nothing if none does.
`--document` prints DISAGREE.md instead.
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
    return all(is_near(said["rules"], one) for one in said.values())


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

    def __init__(self, story, key, said, sids, first):
        self.story, self.key, self.said = story, key, said
        self.name = name_key(key, sids)
        self.first = first  # the place of the process's first event

    def cells(self):
        return [show_values(self.key, self.said[view])
                if view in self.said else "" for view in VIEWS]

    def line(self):
        said = "; ".join(f"{view} {cell}" for view, cell
                         in zip(VIEWS, self.cells()) if cell)
        return f"{self.story}: {self.name}: {said}"

    def kinds(self):
        """The general differences that this one consists of; None: others."""
        found = {self.find_kind(view, said)
                 for view, said in self.said.items() if view != "rules"}
        return None if None in found else found - {""}

    def find_kind(self, view, said):
        """"" if this view follows the rules; None if it has its own reason."""
        right, kind = self.said["rules"], self.key[0]
        if said == right or kind != RAN_IN and is_near(right, said):
            return ""
        if kind == RAN_IN:
            return self.find_kind_of_call(view, said)
        if kind == "child" and self.key[3].split(" ")[0] == "exec":
            return "exec"
        if self.key[3].endswith(SUMS) or kind == "wall":
            return "clock" if is_close(right, said) else None
        return self.find_kind_of_length(view, said)

    def find_kind_of_call(self, view, said):
        if said != [None]:
            return None
        if self.said["rules"] == ["exec"]:
            return "exec"
        return "place" if view == "report" else None

    def find_kind_of_length(self, view, said):
        right, kind = self.said["rules"], self.key[0]
        if view in ("otlp", "chrome") and kind == "process" and is_close(
                [one - self.first for one in right], said):
            return "begin"
        if len(right) != len(said):
            return None
        if None in said and view == "table":
            return "open"
        if None in said and view == "chrome" and kind == "child":
            return "no end"
        return "clock" if is_close(right, said) else None


def is_close(right, said):
    """Differs by what the clock makes of a length that t_rel states."""
    return len(right) == len(said) and all(
        isinstance(a, int) and isinstance(b, int) and abs(a - b) <= 50
        and (abs(a - b) <= 20 or abs(a - b) * 50 <= a)
        for a, b in zip(right, said))


def find_differences(name):
    seen, sids = see_story(name), {}
    if not seen:
        return []
    found = [*compare_spans(seen), *compare_sums(seen), *compare_walls(seen)]
    places = {sid: process.events[0]["place"]
              for sid, process in seen["known"].items()}
    return [Difference(name, key, said, sids, places.get(key[1], 0))
            for key, said in found]


# The general differences, and what is right by which rule.
KINDS = {
    "begin": "FXT, Chrome and OTLP begin a process at its first event; it is "
             "as long as its last t_abs says (rules 3 and 4)",
    "clock": "a length is the difference of two times, within some "
             "microseconds of t_rel and t_abs, which are right (rule 3)",
    "open": "table gives a region that is open, and a process without an end "
            "or without atexit, no length; they end with their thread or "
            "process, and at their last event (rules 1 and 4)",
    "no end": "FXT and Chrome give a child that is ready or has no exit no "
              "end; it ends when it is ready, else with its process (rules 4 "
              "and 5)",
    "exec": "FXT, Chrome and OTLP have no span for an exec, and summary gives "
            "it the length 0; it lasts until its result, else until the "
            "successor ends (rules 2 and 4)",
    "place": "report does not say in which child a process ran whose pid is "
             "not the child's, as below a shell; it ran in the child that was "
             "open when it began, and that began last (rule 2)",
}

HEAD = """# Where the views disagree

`t/stories/disagree.py --document` wrote this page; `make disagree` prints all \
that differs, and nothing when every view gives the same answer. Lengths are \
in milliseconds. `rules` is what the rules of the time of a log say, in rules_of_time.py: these are \
right. report is the data of its page. \
chrome stands for FXT, too, whose records it shows. Of `(count, longest)` the \
spans of a name are counted. #1 is the first process of the story that differs.

The outputs of these quantities are wrong and will change. What else is wrong \
now (owners, names, advice, findings) is in STORIES.tsv. All other outputs \
must not change.
""".replace("\\\n", "")
MOST = 4  # rows of a story in the document


def print_document(found):
    print(HEAD)
    print("## General differences\n")
    print("| what is wrong, and what is right | quantities | stories | as in |")
    print("|---|---|---|---|")
    for kind, text in KINDS.items():
        those = [one for one in found if kind in (one.kinds() or ())]
        stories = list(dict.fromkeys(one.story for one in those))
        if those:
            print(f"| {text} | {len(those)} | {len(stories)} "
                  f"| {', '.join(stories[:3])} |")
    others = [one for one in found if one.kinds() is None]
    print(f"\n## The other {len(others)} differences\n")
    print(f"Of each story at most {MOST} are shown.\n")
    print("| story | quantity | " + " | ".join(VIEWS) + " |")
    print("|---" * (len(VIEWS) + 2) + "|")
    shown = {}
    for one in others:
        shown[one.story] = shown.get(one.story, 0) + 1
        if shown[one.story] <= MOST:
            cells = [one.story, one.name, *one.cells()]
            print("| " + " | ".join(cell.replace("|", "\\|")
                                    for cell in cells) + " |")


def main(arguments):
    names = [word for word in arguments if not word.startswith("--")]
    with ThreadPoolExecutor(2) as pool:
        found = [one for those in pool.map(find_differences,
                                           names or names_of_stories())
                 for one in those]
    if "--document" in arguments:
        print_document(found)
        return 0
    for one in found:
        print(one.line())
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
