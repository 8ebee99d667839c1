"""What a NORMAL log says of each process, against the EVENT log of its run."""

import json
import os
import re
import subprocess

TRACE2 = os.environ["TRACE2"]
APART_US = 3000  # each target reads the clock for itself


def read_value(value):
    if "arrayValue" in value:
        return tuple(read_value(one) for one in value["arrayValue"].get("values", []))
    return next(iter(value.values()))


def read_spans(log):
    done = subprocess.run([TRACE2, "convert", "--to", "otlp", log, "-"],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False)
    spans = []
    for line in done.stdout.decode(errors="replace").splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                spans += scope["spans"]
    for span in spans:
        span["what"] = {one["key"]: read_value(one["value"])
                        for one in span["attributes"]}
        span["type"] = span["what"]["trace2.span.type"]
        span["begin"] = int(span["startTimeUnixNano"]) // 1000 % 86400000000
        span["us"] = (int(span["endTimeUnixNano"])
                      - int(span["startTimeUnixNano"])) // 1000
    return spans, done.stderr.decode()


class Process:
    def __init__(self, span):
        what = span["what"]
        self.id, self.begin = span["spanId"], span["begin"]
        self.sid = what["trace2.cmd.sid"].rsplit("/", 1)[-1]
        self.line = self.sid.rsplit(":", 1)[-1].split("-")[0]
        # PERF and NORMAL have bytes that are not UTF-8 as they are.
        self.argv = tuple(word.replace("\ufffd", "?")
                          for word in what.get("trace2.cmd.argv", ()))
        self.values = {"wall": span["us"],
                       "name": what.get("trace2.cmd.hierarchy"),
                       "mode": what.get("trace2.cmd.mode"),
                       "ancestry": what.get("trace2.cmd.ancestry"),
                       "code": what.get("process.exit.code")}
        if self.values["code"] is None:  # unfinished: its length is not claimed
            self.values["wall"] = None
        self.children = []


def read_log(log):
    spans, told = read_spans(log)
    by_id = {span["spanId"]: span for span in spans}
    found = {span["spanId"]: Process(span) for span in spans
             if span["type"] == "process"}

    def owner(span):
        above = span.get("parentSpanId")
        while above in by_id and by_id[above]["type"] != "process":
            above = by_id[above].get("parentSpanId")
        return found.get(above)

    for span in spans:
        above = owner(span)
        if span["type"] == "process":
            found[span["spanId"]].above = above
        elif span["type"] in ("child", "exec") and above:
            ended = span["what"].get("process.exit.code")
            argv = span["what"].get("trace2.child.argv") or ()
            if span["what"].get("trace2.child.class") == "exec":
                argv = argv[-1:]  # NORMAL has the program before them
            above.children.append((
                argv,
                span["begin"], ended, span["us"] if ended is not None else None))
    return sorted(found.values(), key=lambda one: one.begin), told


def read_begins(normal, event):
    """When each process wrote its first line, in NORMAL and in EVENT."""
    with open(normal, encoding="utf-8", errors="replace") as lines:
        here = {str(number): line[:15] for number, line in enumerate(lines, 1)
                if " version " in line}
    there = {}
    with open(event, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            made = json.loads(line)
            there.setdefault(made["sid"].rsplit("/", 1)[-1], made.get("time", "")[11:26])
    return here, there


def pair_up(here, there, begins):
    """Each of NORMAL with that of EVENT of these words.

    git makes the SID, writes the line of NORMAL, and then that of EVENT. On a
    machine with much to do, it may sleep between them.
    """
    left, pairs = sorted(there, key=lambda one: begins[1][one.sid]), []
    for one in sorted(here, key=lambda one: int(one.line)):
        clock = begins[0].get(one.line, "").replace(":", "")
        same = [other for other in left if other.argv == one.argv]
        same.sort(key=lambda other: not (
            other.sid[9:22] <= clock <= begins[1][other.sid].replace(":", "")))
        pairs.append((one, same[0] if same else None))
        if same:
            left.remove(same[0])
    return pairs, left


def compare_children(one, other):
    left = sorted(other.children, key=lambda c: c[1])
    ours = sorted(one.children, key=lambda c: c[1])
    for argv, begin, code, us in list(ours):
        same = [child for child in left if child[0] == argv]
        if not same:
            yield f"child of {one.argv}", argv, None
            continue
        # As many are left on both sides: they are in the same order.
        alike = [child for child in ours if child[0] == argv]
        best = (same[0] if len(alike) == len(same) else
                min(same, key=lambda child: abs(child[1] - begin)))
        ours.remove(alike[0])
        left.remove(best)
        yield "child", argv, argv
        yield "child code", code, best[2]
        yield "child wall", us, best[3]
    for child in left:
        yield "child", None, child[0]


def find_doubtful(told):
    """The lines with which those processes begin of which the note warns."""
    found = re.search("what those that begin in lines (.*) did may be", told)
    return set(re.findall("[0-9]+", found[1])) if found else set()


def find_place(process):
    return process and (process.argv, process.begin)


def compare(normal, event):
    """(quantity, NORMAL's value, EVENT's, is it in doubt?) of each process."""
    here, told = read_log(normal)
    there, _ = read_log(event)
    pairs, left = pair_up(here, there, read_begins(normal, event))
    twin = {one.id: other for one, other in pairs if other}
    doubtful = find_doubtful(told)
    result = []
    for one, other in pairs:
        doubt = one.line in doubtful
        if other is None:
            result.append(("process", one.argv, None, doubt))
            continue
        who = " ".join(one.argv)[:40]
        for key, value in one.values.items():
            result.append((f"{key} of {who}", value, other.values[key], doubt))
        above = twin.get(one.above.id) if one.above else None
        result.append((f"parent of {who}", find_place(above),
                       find_place(other.above),
                       doubt or above and one.above.line in doubtful))
        result += [(*row, doubt) for row in compare_children(one, other)]
    result += [("process", None, other.argv, False) for other in left]
    return result


def judge(key, here, there, doubt):
    """equal, absent, doubtful or contradicting; None: neither says it."""
    if here is None:
        return None if there is None else "absent"
    if here == there or ("wall" in key and there is not None
                         and abs(here - there) <= APART_US):
        return "equal"
    return "doubtful" if doubt else "contradicting"
