"""How events are written as JSON. All scenarios look at EVENT alone."""

import functools
import json
import re

from kit import every_verb, forms
from kit.edits import member
from kit.faults import fault
from kit.kit import scenario
from kit.run import parse_event
from kit.shows import BYTES, is_number

TARGETS = ("event",)
INTEGERS = ("line", "repo", "code", "signo", "child_id", "pid", "exec_id",
            "nesting", "intervals", "count")
IDS = ("json.line", "json.compact", "json.compact.min", "json.key-order",
       "json.event-first", "json.integer", "json.seconds", "json.seconds.min")
LF = ("003error", "two\nlines", 'a "quoted" text, and: more')


@functools.lru_cache(maxsize=None)
def wrong(line):
    """What breaks on a line, and how far that is seen on it."""
    value = parse_event(line)
    if value is None or line[:1] + line[-1:] != b"{}":
        return frozenset(["json.line"])
    return frozenset([*wrong_text(line, value), *wrong_values(line, value)])


def wrong_text(line, value):
    """A data_json brings along blanks of its own."""
    own = line.partition(b'"value"')[0]
    text = own if value.get("event") == "data_json" else line
    if re.search(rb"\s", forms.STRING.sub(b"", text)):
        yield "json.compact"
        yield "json.compact.min"
    if not line.startswith(b'{"event":"'):
        yield "json.event-first"
    order = forms.known_keys(value.get("event"))
    known = [key for key in value if key in order]
    if known != sorted(known, key=order.index):
        yield "json.key-order"


def wrong_values(line, value):
    for key in INTEGERS:
        if key in value and type(value[key]) is not int:
            yield "json.integer"
    for key in forms.SECONDS:
        if key in value and not is_number(value[key]):
            yield "json.seconds.min"
        if key in value and not re.fullmatch(
            rb"\d+\.\d{6}", forms.raw(line, key) or b""
        ):
            yield "json.seconds"


def look(kit, verbs):
    found = {name: [] for name in IDS}
    for run in every_verb.runs(kit, verbs, targets=TARGETS):
        log = run.log("event")
        if not log.endswith(b"\n"):
            found["json.line"].append(log[-100:])
        for line in log[:-1].split(b"\n"):
            for name in wrong(line):
                found[name].append(line)
    for name, bad in found.items():
        kit.check(name, not bad, "no such line", bad[:3])


GIT = "git's verbs write one JSON object on each line"
OTHERS = "the other verbs write one JSON object on each line"
GROUPS = {GIT: (*every_verb.GIT, LF), OTHERS: every_verb.BEYOND}


def register(name, verbs):
    scenario(name, ids=IDS)(lambda kit: look(kit, verbs))


for name, verbs in GROUPS.items():
    register(name, verbs)


def unterminated(run):
    run.files["event"] = run.log("event").removesuffix(b"\n")
    return run


PAIRS = (
    ("json.line", rb'\}\n', b'}\r\n'),
    ("json.line", rb'(,"t_abs")', rb'\n\1'),
    ("json.line", rb'("event":"exit".*)\n', rb'\1'),
    ("json.line", rb'^(\{"event":"exit".*)\n', rb'[\1]\n'),
    ("json.line", rb'("event":"exit".*)\n', rb'\1\n\n'),
    ("json.line", rb'("event":"exit".*)\}\n', rb'\1\n'),
    ("json.compact", rb',"t_abs":', rb', "t_abs":'),
    ("json.compact.min", rb'"code":', rb'"code": '),
    ("json.compact", rb'\}\n', b' }\n'),
    ("json.event-first", rb'^\{("event":"exit"),("sid":"[^"]*")', rb"{\2,\1"),
    ("json.event-first", rb'^\{"event":', rb'{"event": '),
    ("json.key-order", rb'("thread":"[^"]*"),("time":"[^"]*")', rb"\2,\1"),
    ("json.key-order", rb'("t_abs":[^,]*),("code":\d+)', rb"\2,\1"),
)
SWAPPED = {
    GIT: (("child_start", "use_shell", "argv"), ("data", "key", "value"),
          ("data", "repo", "t_abs"), ("child_exit", "pid", "code"),
          ("exec", "exec_id", "exe"), ("error", "msg", "fmt"),
          ("timer", "category", "name"), ("timer", "t_min", "t_max"),
          ("def_param", "scope", "param"), ("cmd_name", "name", "hierarchy")),
    OTHERS: (("region_enter", "nesting", "category"),
             ("region_leave", "t_rel", "nesting"),
             ("region_enter", "label", "msg"),
             ("child_start", "child_class", "hook_name"),
             ("child_ready", "pid", "ready"), ("signal", "t_abs", "signo"),
             ("alias", "alias", "argv"), ("def_repo", "repo", "worktree")),
}
WHOLE = {
    GIT: (("exit", "line"), ("data", "repo"), ("exit", "code"),
          ("child_start", "child_id"), ("child_exit", "pid"),
          ("exec", "exec_id"), ("data", "nesting"), ("timer", "intervals"),
          ("counter", "count")),
    OTHERS: (("signal", "signo"), ("region_enter", "nesting")),
}


def remade(event, key, new):
    """Another value of a key, made from the bytes of the present one."""

    def edit(run):
        pattern = re.compile(member(event, key), re.M)
        run.files["event"] = pattern.sub(
            lambda m: m[1] + b',"%s":' % key.encode() + new(m[2]),
            run.log("event"))
        return run

    return edit


for broken, pattern, text in PAIRS:
    fault(broken, GIT, event=(pattern, text))
fault("json.line", GIT, edit=unterminated)
for name, swaps in SWAPPED.items():
    for event, first, second in swaps:
        pattern = (rb'^(\{"event":"%s",.*)("%s":.*),("%s":%s)(?=[,}])'
                   % (event.encode(), first.encode(), second.encode(),
                      forms.VALUE))
        fault("json.key-order", name, event=(pattern, rb"\1\3,\2"))
for name, places in WHOLE.items():
    for event, key in places:
        for new in (lambda v: v + b".0", lambda v: b'"%s"' % v,
                    lambda v: v + b"e0"):
            fault("json.integer", name, edit=remade(event, key, new))
for event, key in (("start", "t_abs"), ("exit", "t_abs"), ("data", "t_rel"),
                   ("thread_exit", "t_rel"), ("timer", "t_total"),
                   ("th_timer", "t_min"), ("th_timer", "t_max")):
    for new in (lambda v: v[:-3], lambda v: v + b"000", lambda v: v + b"e0",
                lambda v: b'"%s"' % v, lambda v: b"12"):
        fault("json.seconds", GIT, edit=remade(event, key, new))
    for new in (lambda v: b"-" + v[:-1] + b"1", lambda v: b'"%s"' % v,
                lambda v: b"null"):
        fault("json.seconds.min", GIT, edit=remade(event, key, new))

# Strings

STRINGS = "strings are escaped where they must be and nowhere else"
CONTROL = "".join(map(chr, range(1, 32))) + '"\\'
PLAIN = "/ \x7f é € 🎉 <&'>"
SHORT = (
    rb'"\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e'
    rb"\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019"
    rb'\u001a\u001b\u001c\u001d\u001e\u001f\"\\"'
)
ERROR = re.compile(rb'"event"\s*:\s*"error"')


def messages(run):
    """The messages of errors as they are written, and as they are meant."""
    found = [forms.raw(line, "msg") or b""
             for line in run.log("event").split(b"\n") if ERROR.search(line)]
    return found, [meaning(text) for text in found]


def meaning(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@scenario(STRINGS, verbs=("003error",),
          ids=("json.escape", "json.escape.short", "json.escape.raw"))
def strings(kit):
    run = kit.run("003error", CONTROL, PLAIN, targets=TARGETS)
    found, meant = messages(run)
    kit.equal("json.escape", meant, [CONTROL, PLAIN])
    kit.equal("json.escape.short", found[:1], [SHORT])
    kit.equal("json.escape.raw", found[1:], [f'"{PLAIN}"'.encode()])


for broken, changes in {
    "json.escape": (
        (rb"\\u0001", rb"\x01"), (rb'\\"', b'"'), (rb"\\\\", rb"\\"),
        (rb"\\t", b"\t"), (rb"\\n", b"n"), (rb"\\u001f", b""),
    ),
    "json.escape.short": (
        (rb"\\b", rb"\\u0008"), (rb"\\f", rb"\\u000c"),
        (rb"\\n", rb"\\u000a"), (rb"\\t", rb"\\u0009"),
        (rb"\\r", rb"\\u000d"), (rb'\\"', rb"\\u0022"),
        (rb"\\u001f", rb"\\u001F"), (rb"\\u000b", rb"\\v"),
    ),
    "json.escape.raw": (
        (rb"/ ", rb"\\/ "), (rb"\x7f", rb"\\u007f"),
        ("é".encode(), rb"\\u00e9"), ("🎉".encode(), rb"\\ud83c\\udf89"),
        (rb"<", rb"\\u003c"), (rb"'", rb"\\u0027"),
    ),
}.items():
    for change in changes:
        fault(broken, STRINGS, event=change)

# Bytes that are not UTF-8

INVALID = "bytes that are not UTF-8 become U+FFFD"
ILL = b"a\xffb\xc3(\xe2\x82c\xf0\x9f\x8e\xed\xa0\x80\xc0\xafz\x80\x1f\"\\"
CURED = ILL.decode(errors="replace")


@scenario(INVALID, verbs=("003error",),
          ids=("json.valid", "json.invalid-utf8"))
def invalid(kit):
    run = kit.run("003error", ILL, b"\xff", targets=TARGETS)
    bad = [line for line in run.lines("event") if parse_event(line) is None]
    kit.equal("json.valid", bad, [])
    kit.equal("json.invalid-utf8", messages(run)[1], [CURED, "\ufffd"])
    kit.equal("json.invalid-utf8",
              [e.get("argv", [])[-2:] for e in run.events("start")],
              [[CURED, "\ufffd"]])


FFFD = "\ufffd".encode()

fault("json.valid", INVALID, event=(FFFD, b"\xff"))
fault("json.valid", INVALID, event=(rb"\\\\", rb"\\"))
for text in (b"?", b"", FFFD * 2, rb"\\udcff"):
    fault("json.invalid-utf8", INVALID, event=(FFFD, text))
fault("json.invalid-utf8", INVALID, event=(FFFD * 2, FFFD))
fault("json.invalid-utf8", INVALID, event=(rb'"argv":(.*)' + FFFD,
                                           rb'"argv":\1?'))

# Values of data_json

VALUES = "a value of data_json is JSON or a text"
DEEP = "[" * 511 + "]" * 511
JSON = ('{"a": "b"}', "[1,-2.5e3,null,true,[]]", '"t\\u00e9xt/é"', "7", DEEP,
        "-9223372036854775808", "18446744073709551615", "1.7976931348623157e308",
        "0e999", '{"a":{"a":1},"A":[{"a":1},{"a":2}]}')
NO_JSON = ("{", "[] []", "words", "", '{"a":\n1}', '"\\ud800"', f"[{DEEP}]",
           "NaN", "01", '{"a":1,}', "'a'", '"a\tb"', "1e400", "[-1E+309]",
           "18446744073709551616", "-9223372036854775809",
           '{"a":1,"b":2,"a":3}', r'[{"\u0061":1,"a":1}]',
           '{"a":' * 512 + "1" + "}" * 512, r'"\udc00"', r'["\ud800","a"]',
           r'"\x41"', "[1.]", "1e", "-", "[1,]", '"a\nb"', "[1,\r2]", "True",
           "null true", '{"a" 1}', "{1:2}")


def values(run):
    """What stands behind the last key of a data_json."""
    return [line.partition(b'"value":')[2][:-1].decode(*BYTES)
            for line in run.lines("event") if b'"data_json"' in line]


@scenario(VALUES, verbs=("511data_json",),
          ids=("json.data-json", "json.data-json.verbatim"))
def data_json(kit):
    run = kit.run("511data_json", *JSON, *NO_JSON, targets=TARGETS)
    found = values(run)
    kit.equal("json.data-json.verbatim", found[:len(JSON)], list(JSON))
    kit.equal("json.data-json", [meaning(v) for v in found[len(JSON):]],
              list(NO_JSON))
    broken = kit.run("511data_json", b'"a\xff"', targets=("event",))
    kit.equal("json.data-json", values(broken), ['"\\"a\ufffd\\""'])


for text, other in ((rb'\{"a": "b"', b'{"a":"b"'), (rb"-2\.5e3", b"-2500.0"),
                    (rb"\\u00e9", "é".encode()),
                    (rb'"value":7\}', b'"value":"7"}'),
                    (rb'"value":(\[{511}\]{511})\}', rb'"value":"\1"}')):
    fault("json.data-json.verbatim", VALUES, event=(text, other))
for text, other in ((rb'"value":"\{"\}', b'"value":{}'),
                    (rb'"value":"words"', b'"value":words'),
                    (rb'"value":""', b'"value":null'),
                    (rb'"value":"\{\\"a\\":\\n1\}"', rb'"value":{"a":1}'),
                    (rb'"value":"01"', b'"value":1'),
                    (rb'"value":"\\"\\\\ud800\\""', rb'"value":"\\ud800"'),
                    (rb'"value":"1e400"', b'"value":1e400'),
                    (rb'"value":"18446744073709551616"',
                     b'"value":18446744073709551616'),
                    (rb'"value":"\{\\"a\\":1,\\"b.*"\}',
                     b'"value":{"a":1,"b":2,"a":3}}'),
                    (rb'"value":"(\[+\]+)"', rb'"value":\1')):
    fault("json.data-json", VALUES, event=(text, other))

ALIKE = "a value of data_json is in PERF as it is in EVENT"


@scenario(ALIKE, verbs=("511data_json",), ids=("perf.payload.data_json",))
def alike(kit):
    run = kit.run("511data_json", *JSON, *NO_JSON, targets=("perf", "event"))
    kit.equal("perf.payload.data_json",
              [c.payload for c in run.perf("data_json")],
              [f"json:{value}" for value in values(run)])


fault("perf.payload.data_json", ALIKE, perf=(rb'json:"words"', rb"json:words"))
