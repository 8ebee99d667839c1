"""Each text of each event, with each kind of text in it.

A row of PLACES is a verb with its arguments, of which TEXT is the text, an
event that it shows, and the keys of the event that have the text. In a list
the text is the last element. A driver has any of these verbs.
"""

import json

from kit import forms
from kit.faults import fault
from kit.kit import Unimplemented, scenario
from kit.payloads import quote
from kit.run import parse_event
from kit.shows import BYTES

TEXT = object()
PLACES = (
    ("003error", (TEXT,), {"error": ("msg",), "start": ("argv",)}),
    ("006data", (TEXT, TEXT, TEXT), {"data": ("category", "key", "value")}),
    ("301redact_child_start", ("word", TEXT), {"child_start": ("argv",)}),
    ("302redact_exec", (TEXT, TEXT), {"exec": ("exe", "argv")}),
    ("570def_param", (TEXT, TEXT), {"def_param": ("param", "value")}),
    ("303redact_def_param", (TEXT, TEXT), {"def_param": ("param", "value")}),
    ("501region_printf", (TEXT,),
     {"region_enter": ("msg",), "region_leave": ("msg",)}),
    ("region_named", (TEXT, TEXT, "message"),
     {"region_enter": ("category", "label"),
      "region_leave": ("category", "label")}),
    ("511data_json", (TEXT,), {"data_json": ("value",)}),
    ("json_named", (TEXT, TEXT, "1"), {"data_json": ("category", "key")}),
    ("totals_named", (TEXT, TEXT, "1"),
     {"timer": ("category", "name"), "counter": ("category", "name")}),
    ("513printf", (TEXT,), {"printf": ("msg",)}),
    ("520cmd_mode", (TEXT,), {"cmd_mode": ("name",)}),
    ("521alias", (TEXT, TEXT), {"alias": ("alias", "argv")}),
    ("522cmd_path", (TEXT,), {"cmd_path": ("path",)}),
    ("523cmd_name", (TEXT,), {"cmd_name": ("name",)}),
    ("524cmd_ancestry", (TEXT,), {"cmd_ancestry": ("ancestry",)}),
    ("printf_at", (TEXT,), {"printf": ("file",)}),
    ("527def_repo", (TEXT,), {"def_repo": ("worktree",)}),
    ("531hook", (TEXT, "true"), {"child_start": ("hook_name",)}),
    ("532child_cd", (TEXT, "true"), {"child_start": ("cd",)}),
    ("533child_class", (TEXT, "true"), {"child_start": ("child_class",)}),
)
QUOTED = {"argv", "cd", "worktree", "ancestry", "value", "file"}
# Events that a target does not show, or of which it leaves out a text.
SILENT = {
    "normal": {"region_enter", "region_leave", "data", "data_json",
               "child_start"},
    "perf": {"data", "data_json", "timer", "counter", "region_enter",
             "region_leave"},
}
ESCAPED = ("json.escape", "json.escape.short")
KINDS = {
    "control characters": (
        bytes(range(1, 32)), ESCAPED),
    "quotes and backslashes": (
        b'"a\\b" \\" \\u0041 <\\/a> \\', ESCAPED),
    "characters that need no escape": (
        "\ufeff\x7f / </script> & ' \u0080\u009f\u2028\u2029\ufeff é € 🎉"
        .encode(), ("json.escape.raw",)),
    "bytes that are not UTF-8": (
        b"a\xffb\xc3(\xe2\x82c\xf0\x9f\x8e\xed\xa0\x80\xc0\xafz\x80"
        b"\xe0\x80\xaf\xf0\x80\x80\xaf\xf4\x90\x80\x80\xf5\x80\x80\x80",
        ("json.valid", "json.invalid-utf8")),
}


def name_of(kind):
    return f"every text of every event may have {kind}"


def ids_of(kind):
    return (*KINDS[kind][1], "normal.raw", "perf.raw")


def written(text):
    """The text as a JSON string with the escapes that it needs."""
    return json.dumps(text.decode(errors="replace"),
                      ensure_ascii=False).encode()


def look(kit, kind):
    text, names = KINDS[kind]
    looked = False
    for verb, words, events in PLACES:
        if not kit.has(verb):
            continue
        looked = True
        given = [text if word is TEXT else word for word in words]
        run = kit.run(verb, *given, env={"GIT_TRACE2_REDACT": "0"})
        for event, keys in events.items():
            line = line_of(run, event)
            for key in keys:
                check_field(kit, names, line, key, text)
            check_others(kit, run, event, keys, text)
    if not looked:
        raise Unimplemented("the driver has none of these verbs")


def line_of(run, event):
    """The last line of that event, valid or not."""
    head = b'{"event":"%s"' % event.encode()
    found = [line for line in run.log("event").split(b"\n")
             if line.startswith(head)]
    return found[-1] if found else b""


def check_field(kit, names, line, key, text):
    """What the field means, and how it is written."""
    meant = (parse_event(line) or {}).get(key)
    if isinstance(meant, list):
        meant = meant[-1:] and meant[-1]
    wanted = text.decode(errors="replace")
    raw = forms.raw(line, key) or b""
    for name in names:
        if name in ("json.escape", "json.invalid-utf8"):
            kit.equal(name, meant, wanted)
        elif name == "json.valid":
            kit.check(name, parse_event(line), "JSON in UTF-8", line)
        else:
            kit.check(name, raw.removesuffix(b"]").endswith(written(text)),
                      written(text), line)


def check_others(kit, run, event, keys, text):
    """NORMAL and PERF have the bytes as they are; arguments, directories
    and worktrees are quoted, as in start, which every verb has."""
    quoted = quote(text.decode(*BYTES)).encode(*BYTES)
    for target, silent in SILENT.items():
        if target not in run.files:
            kit.unseen(f"{target}.raw")
        elif event not in silent and not QUOTED & {*keys}:
            log = run.log(target).replace(quoted, b"")
            kit.check(f"{target}.raw", text in log, text, log)


for one in KINDS:
    scenario(name_of(one), ids=ids_of(one))(
        lambda kit, kind=one: look(kit, kind))


def broken_at(event, key, old, new):
    """In that field alone, another way to write it."""
    def edit(run):
        lines = run.log("event").split(b"\n")
        for at, line in enumerate(lines):
            raw = forms.raw(line, key)
            if line.startswith(b'{"event":"%s"' % event.encode()) and raw:
                lines[at] = line.replace(raw, raw.replace(old, new))
        run.files["event"] = b"\n".join(lines)
        return run
    return edit


# What a text means, whatever escapes it has

MEANT = "every text of every event is the host's, from end to end"
ODD = "  two\n\n lines: é € 🎉 <a> & =\t\n "
LONG = 1200 * "a word, " + "and the end"  # more than any buffer of a field
FIELDS = {(event, key): f"event.{event}.{key}" if key != "file"
          else "event.common.file"
          for _, _, events in PLACES for event, keys in events.items()
          for key in keys}


@scenario(MEANT, ids=sorted({*FIELDS.values()}))
def meant(kit):
    for name in FIELDS.values():
        kit.unseen(name)
    for verb, words, events in PLACES:
        for text in (ODD, LONG) if kit.has(verb) else ():
            run = kit.run(verb, *(text if w is TEXT else w for w in words),
                          targets=("event",), env={"GIT_TRACE2_REDACT": "0"})
            for event, keys in events.items():
                check_meaning(kit, run.event(event, -1), event, keys, text)


def check_meaning(kit, found, event, keys, text):
    for key in keys:
        shown = found.get(key)
        kit.equal(FIELDS[event, key],
                  shown[-1] if isinstance(shown, list) and shown else shown,
                  text)


# Lists

LISTS = "every list of every event has all of its words"
WORDS = [f"w{number}" for number in range(700)]
WITH_LIST = (("521alias", ("name",), "alias", "argv"),
             ("300redact_start", (), "start", "argv"),
             ("301redact_child_start", (), "child_start", "argv"),
             ("302redact_exec", ("exe",), "exec", "argv"),
             ("524cmd_ancestry", (), "cmd_ancestry", "ancestry"))


@scenario(LISTS, ids=[f"event.{event}.{key}" for *_, event, key in WITH_LIST])
def lists(kit):
    for verb, words, event, key in WITH_LIST:
        if kit.has(verb):
            run = kit.run(verb, *words, *WORDS, targets=("event",))
            kit.equal(f"event.{event}.{key}", run.event(event, -1)[key], WORDS)
        else:
            kit.unseen(f"event.{event}.{key}")


for *_, event, key in WITH_LIST:
    fault(f"event.{event}.{key}", LISTS,
          event=(rb'("%s":\["w0",.*?),"w100".*\]' % key.encode(), rb"\1]"))

FAULTS = {
    "control characters": (
        ("json.escape", rb"\u0001", b"\x01"), ("json.escape", rb"\t", b" "),
        ("json.escape.short", rb"\u001f", rb"\u001F"),
        ("json.escape.short", rb"\b", rb"\u0008")),
    "quotes and backslashes": (
        ("json.escape", rb"\"a", b'"a'), ("json.escape", rb"a\\", rb"a\\\\"),
        ("json.escape.short", rb"\"a", rb"\u0022a")),
    "characters that need no escape": (
        ("json.escape.raw", b"</", rb"<\/"),
        ("json.escape.raw", "\u2028".encode(), rb"\u2028"),
        ("json.escape.raw", b"\x7f", rb"\u007f"),
        ("json.escape.raw", "\ufeff".encode(), b"")),
    "bytes that are not UTF-8": (
        ("json.valid", "\ufffd".encode(), b"\xff"),
        ("json.invalid-utf8", "\ufffd".encode(), b"?")),
}
for one, rows in FAULTS.items():
    for _, _, events in PLACES:
        for event, keys in events.items():
            for key in keys:
                for id_, old, new in rows[:1]:
                    fault(id_, name_of(one),
                          edit=broken_at(event, key, old, new))
    for id_, old, new in rows[1:]:
        fault(id_, name_of(one), edit=broken_at("error", "msg", old, new))
    fault("normal.raw", name_of(one),
          normal=(rb"^(.* error .{3}).*$", rb"\1"))
    fault("perf.raw", name_of(one), perf=(rb"^(.*\| error +\|.{52}).*$", rb"\1"))
for (event, key), one in FIELDS.items():
    for old, new in ((b'"  two', b'"two'), (rb"\n\n", rb"\n"),
                     ("🎉".encode(), b"?"), (b"and the end", b"")):
        fault(one, MEANT, edit=broken_at(event, key, old, new))
