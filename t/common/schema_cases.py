"""Events that break one requirement each, made from the schemas' examples.

The first example of an event has every key, the last only those that must
be there; which types a key may have is read off the examples too. So a
`required` or a `type` that a schema loses is missed here.
"""

import copy
import functools

import schema_oracle

COMMON = ("event", "sid", "thread", "time", "file", "line", "repo")
BRIEF = ("time", "file", "line")  # which some brief events keep
KINDS = {
    "null": None,
    "boolean": True,
    "integer": 7,
    "fraction": 0.5,
    "text": "x",
    "list": [],
    "object": {},
}
ANY = set(KINDS)

# event, key, values that are refused, values at the edge that are not
LIMITS = [
    ("exit", "event", [""], []),
    ("exit", "sid", ["", "a\nb", "a\n", "a\x7f"], ["a", "a/b", "/", "a b/é"]),
    ("exit", "thread", [""], ["th01:unknown", "MainThread"]),
    ("exit", "time",
     ["", "2026-01-14T09:30:42Z", "2026-01-14T09:30:42.11243Z",
      "2026-01-14T09:30:42.1124033Z", "2026-01-14T09:30:42.112403+00:00",
      "2026-01-14 09:30:42.112403Z", "2026-01-14T09:30:42.112403z",
      "2026-01-14T09:30:42.112403Z\n", "2026-13-14T09:30:42.112403Z",
      "2026-01-32T09:30:42.112403Z", "2026-00-14T09:30:42.112403Z",
      "2026-01-00T09:30:42.112403Z", "2026-01-14T24:30:42.112403Z",
      "2026-01-14T09:60:42.112403Z", "2026-01-14T09:30:61.112403Z",
      " 2026-01-14T09:30:42.112403Z"],
     ["2026-12-31T23:59:60.999999Z", "0000-01-01T00:00:00.000000Z"]),
    ("exit", "file", [""], ["f"]),
    ("exit", "line", [0.5], [-1, 0, 1.0, 2**63 - 1]),
    ("exit", "repo", [-1], [0, 1, 2.0]),
    ("exit", "t_abs", [-0.000001], [0, 0.0, 1, 3.4e-05, 1e9]),
    ("exit", "code", [0.5], [-1, 0, 255, 1.0]),
    ("version", "evt", ["", "4a", "4\n", "-4", "4.0", "٤"], ["1", "10"]),
    ("signal", "signo", [0, -1], [1, 64]),
    ("child_start", "child_id", [-1], [0]),
    ("child_exit", "child_id", [-1], [0]),
    ("child_exit", "pid", [-2], [-1, 0, 4194304]),
    ("child_exit", "t_rel", [-1], [0]),
    ("child_ready", "child_id", [-1], [0]),
    ("child_ready", "pid", [-2], [-1]),
    ("child_ready", "ready", ["", "Ready", "ready\n"],
     ["ready", "timeout", "error"]),
    ("child_ready", "t_rel", [-1], [0]),
    ("exec", "exec_id", [-1], [0]),
    ("exec_result", "exec_id", [-1], [0]),
    ("thread_exit", "t_rel", [-1], [0]),
    ("def_repo", "repo", [0, -1], [1, 2]),
    ("region_enter", "nesting", [-1], [0, 1, 100]),
    ("region_leave", "nesting", [-1], [0, 1]),
    ("region_leave", "t_rel", [-1], [0]),
    ("data", "t_rel", [-1], [0]),
    ("data", "nesting", [-1], [0]),
    ("data", "value", [0.5, 5], [""]),
    ("data_json", "t_rel", [-1], [0]),
    ("data_json", "nesting", [-1], [0]),
    ("data_json", "value", [], [None, True, "", [], [{}], 0.5]),
    ("printf", "t_abs", [-1], [0]),
    ("timer", "intervals", [0], [1, 2**64 - 1]),
    ("th_timer", "intervals", [0], [1]),
    ("timer", "t_total", [-1], [0]),
    ("timer", "t_min", [-1], [0]),
    ("timer", "t_max", [-1], [0]),
    ("th_timer", "t_total", [-1], [0]),
    ("th_timer", "t_min", [-1], [0]),
    ("th_timer", "t_max", [-1], [0]),
    ("counter", "count", [0], [1, 2**64 - 1]),
    ("th_counter", "count", [0], [1]),
    ("start", "t_abs", [-1], [0]),
    ("atexit", "t_abs", [-1], [0]),
    ("signal", "t_abs", [-1], [0]),
    ("data", "t_abs", [-1], [0]),
    ("data_json", "t_abs", [-1], [0]),
]  # fmt: skip


def requirement(event, key):
    """The id under which a key must be found wrong."""
    common = key in COMMON and (event, key) != ("def_repo", "repo")
    return f"event.{'common' if common else event}.{key}"


def full(event):
    return schema_oracle.events()[event]["examples"][0]


def smallest(event):
    example = schema_oracle.events()[event]["examples"][-1]
    return {k: v for k, v in example.items() if k not in BRIEF}


def kind(value):
    if isinstance(value, bool):
        return "boolean"
    kinds = {str: "text", int: "integer", float: "fraction", list: "list"}
    return "null" if value is None else kinds.get(type(value), "object")


def kinds(event, key):
    """The types that a key has in the examples, and what they include."""
    if (event, key) == ("data_json", "value"):
        return ANY
    examples = schema_oracle.events()[event]["examples"]
    found = {kind(example[key]) for example in examples if key in example}
    return found | ({"integer"} if "fraction" in found else set())


def changed(value, key, new):
    return {**copy.deepcopy(value), key: new}


@functools.lru_cache(maxsize=None)
def negatives(event):
    """Broken events: (id, path to the place, event)."""
    return [
        *dropped(event),
        *mistyped(event),
        *bad_elements(event),
        *beyond_limits(event),
    ]


def dropped(event):
    for key in smallest(event):
        for whole in (full(event), smallest(event)):
            rest = {k: v for k, v in whole.items() if k != key}
            yield requirement(event, key), (), rest
    if event == "child_start":
        rest = {k: v for k, v in full(event).items() if k != "hook_name"}
        yield requirement(event, "hook_name"), (), rest


def mistyped(event):
    for key in full(event):
        for name in sorted(ANY - kinds(event, key)):
            yield (
                requirement(event, key),
                (key,),
                changed(full(event), key, KINDS[name]),
            )


def bad_elements(event):
    for key in full(event):
        if kinds(event, key) != {"list"}:
            continue
        for name in sorted(ANY - {"text"}):
            words = ["x", KINDS[name]]
            broken = changed(full(event), key, words)
            yield requirement(event, key), (key, 1), broken


def beyond_limits(event):
    for name, key, refused, _ in LIMITS:
        if name == event:
            for value in refused:
                broken = changed(full(event), key, value)
                yield requirement(event, key), (key,), broken


@functools.lru_cache(maxsize=None)
def positives(event):
    """Events that are in order, each at an edge of it."""
    edges = [
        changed(full(name), key, value)
        for name, key, _, accepted in LIMITS
        for value in accepted
        if name == event
    ]
    lacking = [
        {k: v for k, v in full(event).items() if k != key}
        for key in set(full(event)) - set(smallest(event)) - {"hook_name"}
    ]
    return [*schema_oracle.events()[event]["examples"], *edges, *lacking]


def corpus(pattern):
    """Logs of the corpus: EVENT logs and the files of directory targets."""
    folder = schema_oracle.ROOT / "t" / "corpus"
    names = (f"{pattern}/*.event", f"{pattern}/dir/*")
    return sorted(path for name in names for path in folder.glob(name))


def lines(logs):
    """Every line that is UTF-8: where it stands, and its value."""
    for log in logs:
        for number, line in enumerate(schema_oracle.log_lines(log), 1):
            try:
                yield f"{log}:{number}", schema_oracle.parse(line)
            except UnicodeDecodeError:
                continue  # an .expect file says so


def samples(values):
    """One event of each shape.

    python3-jsonschema is slow, so events that differ only in what no schema
    looks at, such as a name or the length of a time span, are judged once:
    schema_oracle.shape() keeps what decides. Texts that a pattern judges
    are not in it; pattern_values() gives every one of them.
    """
    seen = set()
    for where, value in values:
        form = schema_oracle.shape(value)
        if form not in seen:
            seen.add(form)
            yield where, value


def pattern_values(values):
    """Every text that a pattern judges, with its pattern's name, once."""
    patterns = {"sid": "sid", "time": "time", "evt": "digits"}
    return {
        (patterns[key], value[key])
        for _, value in values
        for key in patterns.keys() & value.keys()
    }
