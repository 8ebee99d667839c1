"""The Chrome target: the FXT target's records as lines of JSON."""

import json

from kit.faults import fault
from kit.kit import Unimplemented, scenario
from kit.logs import warning
from kit.run import Absent
from kit.scenarios import fxt_target

LOG = "GIT_TRACE2_CHROME"
ON = {LOG: "{}/chrome.json"}
FILE = "chrome.json"
RETURN = ("001return",)
PHASES = {"instant": "I", "begin": "B", "end": "E", "async-begin": "b",
          "async-end": "e", "counter": "C"}


def traces(run):
    """The names of all files that begin as such files do."""
    return sorted(name for name, text in run.files.items()
                  if text[:3] == b"[\n{")


def events(run, path=FILE):
    """What is in a file. Who writes none has no such target."""
    if not traces(run):
        raise Unimplemented("no file of trace events is written")
    if path not in run.files:
        raise Absent(f"no file {path}")
    text = run.files[path].decode()
    try:
        return json.loads(text if text.endswith("\n]\n") else text + "]")
    except ValueError as error:
        raise Absent(f"no JSON in {path}: {error}") from None


def shown(run, path=FILE):
    """Events, without metadata."""
    return [e for e in events(run, path) if e["ph"] != "M"]


def text(old, new, path=FILE):
    """An edit: other bytes."""
    def edit(run):
        for name in run.files:
            if name == path:
                run.files[name] = run.files[name].replace(old, new)
        return run
    return edit


def renamed(old, new):
    def edit(run):
        run.files = {name.replace(old, new): data
                     for name, data in run.files.items()}
        return run
    return edit


def pid_of(event):
    """The one in its SID."""
    return int(event["sid"].rpartition("-P")[2], 16)


def is_object(line, before):
    """Is that all there is, behind nothing or a comma?"""
    try:
        return before in ("", ",") and isinstance(json.loads(line), dict)
    except ValueError:
        return False


def count_of(text):
    """How many elements the JSON array has; None if it is none."""
    try:
        return len(json.loads(text))
    except ValueError:
        return None


@scenario("trace events stand on lines that begin with the comma",
          verbs=("592text",),
          ids=("chrome.line", "chrome.cut", "chrome.text", "chrome.metadata"))
def lines(kit):
    run = kit.run("592text", "quotes", env=ON)
    events(run)
    found = run.files[FILE].decode().split("\n")
    kit.equal("chrome.line", (found[0], found[-2:]), ("[", ["]", ""]))
    wrong = [line for number, line in enumerate(found[1:-2])
             if not is_object(line[number > 0:], line[:number > 0])]
    kit.equal("chrome.line", wrong, [])
    kept = [count_of("\n".join([*found[:lines], "]"]))
            for lines in range(1, len(found) - 1)]
    kit.equal("chrome.cut", kept, list(range(len(kept))))
    run = kit.run("592text", "utf8", env=ON)
    events(run)
    said = run.files[FILE]
    kit.check("chrome.text", "caf\u00e9 \u20ac \U0001f389".encode() in said
              and b"\\u" not in said, "UTF-8 as it is", said[-300:].decode())
    names = [(e["name"], *e["args"].items()) for e in events(run)
             if e["ph"] == "M"]
    kit.equal("chrome.metadata", len(names), len(set(map(str, names))))
    kit.check("chrome.metadata", {name for name, *_ in names} >= {
        "version", "process_name", "process_sort_index", "thread_name",
        "thread_sort_index"}, "all that there is to say", str(names))


LINES = "trace events stand on lines that begin with the comma"
fault("chrome.line", LINES, edit=text(b"\n,", b",\n"))
fault("chrome.cut", LINES, edit=text(b"\n,", b",\n"))
fault("chrome.text", LINES, edit=text("\U0001f389".encode(),
                                      b"\\ud83c\\udf89"))
fault("chrome.metadata", LINES, edit=text(b"thread_name", b"thread-name"))


def as_event(record):
    """The phase, name, category and arguments of an FXT record."""
    args = {key: value for key, value in record.args.items()
            if record.kind != "counter" or isinstance(value, (int, float))}
    return PHASES[record.kind], record.name, record.category, args


def seen(event):
    return event["ph"], event["name"], event["cat"], event.get("args", {})


SAME = (("006data", "c", "k", "v"), ("501region_printf", "one"),
        ("535child_open", "x", "y z"), ("510data_intmax",),
        ("100timer", "2", "1"), ("201counter", "1", "2", "1"))
CHANGING = ("start", "cmd_ancestry", "timer", "test1")


@scenario("trace events say what records do",
          verbs=tuple(verb for verb, *_ in SAME), ids=("chrome.record",))
def records(kit):
    for call in SAME:
        run = kit.run(*call, env=ON)
        found = sorted(shown(run), key=lambda event: event["ts"])
        wanted = fxt_target.shown(kit.run(*call, env=fxt_target.ON))
        kit.equal("chrome.record",
                  [seen(e) for e in found if e["name"] not in CHANGING],
                  [as_event(r) for r in wanted if r.name not in CHANGING])
        kit.equal("chrome.record", {e["pid"] for e in found},
                  {pid_of(run.event("version"))})


fault("chrome.record", "trace events say what records do",
      edit=text(b'"ph":"E"', b'"ph":"B"'))
fault("chrome.record", "trace events say what records do",
      edit=text(b'"atexit"', b'"at_exit"'))


@scenario("the Chrome target takes a path, and nothing else", verbs=RETURN,
          ids=("chrome.value",))
def values(kit):
    events(kit.run("001return", "0", env=ON))
    config = b"[trace2]\n\tchromeTarget = {}/chrome.json\n"
    run = kit.run("001return", "0", env={"GIT_CONFIG_GLOBAL": "{}/config"},
                  files={"config": config})
    kit.equal("chrome.value", traces(run), [FILE])
    for off in ("", "0", "false", "FALSE"):
        run = kit.run("001return", "0", env={LOG: off})
        kit.equal("chrome.value", (traces(run), run.stderr), ([], b""))
    for wrong in ("t.json", "1", "true"):
        run = kit.run("001return", "0", env={LOG: wrong})
        told = warning("trace2: unknown value for '%s': '%s'", LOG, wrong)
        kit.equal("chrome.value", (traces(run), run.stderr), ([], told))


def silent(run):
    run.stderr = b""
    return run


fault("chrome.value", "the Chrome target takes a path, and nothing else",
      edit=silent)


@scenario("the Chrome target is off beside the FXT target", verbs=RETURN,
          ids=("chrome.one-engine",))
def beside(kit):
    events(kit.run("001return", "0", env=ON))
    run = kit.run("001return", "0", env={**ON, **fxt_target.ON})
    told = warning("trace2: '%s' has no effect beside '%s'", LOG,
                   fxt_target.LOG)
    kit.equal("chrome.one-engine", (traces(run), run.stderr), ([], told))
    kit.equal("chrome.one-engine", fxt_target.archives(run), ["fxt"])


fault("chrome.one-engine", "the Chrome target is off beside the FXT target",
      edit=silent)


@scenario("a child has trace events in a file of its own",
          verbs=("004child",), ids=("chrome.nested", "chrome.pattern"))
def nested(kit):
    for value, parents, children in (
            ("{}/a.b.json", "a.b.json", "a.b-%d.json"),
            ("{}/${x}-${pid}.${rotation}", "${x}-%d.1", "${x}-%d.1")):
        run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                      env={LOG: value})
        events(run, (traces(run) or [""])[0])
        parent, child = (pid_of(e) for e in run.events("version"))
        wanted = sorted((parents % parent if "%" in parents else parents,
                         children % child))
        name = "chrome.pattern" if "$" in value else "chrome.nested"
        kit.equal(name, traces(run), wanted)


fault("chrome.nested", "a child has trace events in a file of its own",
      edit=renamed("a.b-", "a.b."))
fault("chrome.pattern", "a child has trace events in a file of its own",
      edit=renamed("${x}", "x"))


@scenario("a directory gets trace events of each process",
          verbs=("004child",), ids=("chrome.directory",))
def directory(kit):
    run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                  env={LOG: "{}/dir"}, files={"dir/x": b""})
    events(run, (traces(run) or [""])[0])
    wanted = [f"dir/{e['sid'].rpartition('/')[2]}.json"
              for e in run.events("version")]
    kit.equal("chrome.directory", traces(run), sorted(wanted))


fault("chrome.directory", "a directory gets trace events of each process",
      edit=renamed(".json", ".trace"))


@scenario("trace events are those of the categories that are asked for",
          verbs=("regions_deep",), ids=("chrome.categories",))
def categories(kit):
    for asked, wanted in (("nest", {"nest"}), ("a,trace2", {"trace2"}),
                          ("trace2,nest", {"nest", "trace2"}),
                          ("nes,nested", set())):
        run = kit.run("regions_deep", "1",
                      env={**ON, "GIT_TRACE2_CATEGORIES": asked})
        kit.equal("chrome.categories", {e["cat"] for e in shown(run)},
                  wanted)


fault("chrome.categories",
      "trace events are those of the categories that are asked for",
      edit=text(b'"cat":"nest"', b'"cat":"rest"'))


@scenario("a signal is the last trace event",
          verbs=("541signal_region", "540signal"), ids=("chrome.signal",))
def signals(kit):
    for verb in ("540signal", "541signal_region"):
        for name in ("TERM", "INT", "HUP"):
            run = kit.run(verb, name, env=ON)
            found = [event["name"] for event in shown(run)]
            kit.equal("chrome.signal", (found[0], found[-1]),
                      ("version", "signal"))


def unsaid(run):
    """As if nothing had been handed over in time."""
    if FILE in run.files:
        run.files[FILE] = run.files[FILE].rpartition(b"\n,")[0]
    return run


fault("chrome.signal", "a signal is the last trace event", edit=unsaid)
