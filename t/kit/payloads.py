"""What NORMAL and PERF must say where EVENT says this.

Written from the grammars of SPEC.md alone, so that one form of a trace can
be held against another. Events are dictionaries, as Run.events() gives them.
"""

import json
import os
import re

from kit import forms

PLAIN = re.compile(r"[A-Za-z0-9+,./:=@_^-]+")
T_ABS = {"start", "exit", "atexit", "signal", "child_start", "child_exit",
         "child_ready", "thread_start", "thread_exit", "exec", "exec_result",
         "region_enter", "region_leave", "data", "data_json", "printf"}
T_REL = {"child_exit", "child_ready", "thread_exit", "region_leave", "data",
         "data_json"}
TOTALS = {"timer", "th_timer", "counter", "th_counter"}
CATEGORY = TOTALS | {"region_enter", "region_leave", "data", "data_json"}


def quote(word):
    """A word as a POSIX shell would read it back."""
    if PLAIN.fullmatch(word):
        return word
    return "'" + re.sub("['!]", lambda m: rf"'\{m[0]}'", word) + "'"


def words(argv):
    return " ".join(map(quote, argv))


def named(event, hierarchy="hierarchy"):
    more = event.get(hierarchy)
    return event["name"] + (f" ({more})" if more else "")


def failure(e):
    code = e["code"]
    return f" code:{code}" + (f" err:{os.strerror(code)}" if code > 0 else "")


def child_cd(e):
    return f" cd {quote(e['cd'])};" if "cd" in e else ""


def assigned(e, mark):
    return e["param"] + (mark + e["value"] if "value" in e else "")


NORMAL = {
    "error": lambda e: "error" + (f" {e['msg']}" if "msg" in e else ""),
    "cmd_ancestry": lambda e: "cmd_ancestry " + " <- ".join(e["ancestry"]),
    "cmd_name": lambda e: f"cmd_name {named(e)}",
    "child_start": lambda e: (f"child_start[{e['child_id']}]{child_cd(e)} "
                              f"{words(e['argv'])}"),
    "exec": lambda e: (f"exec[{e['exec_id']}] "
                       + (f"{e['exe']} " if "exe" in e else "")
                       + words(e["argv"])),
    "exec_result": lambda e: f"exec_result[{e['exec_id']}]{failure(e)}",
    "def_param":
        lambda e: f"def_param scope:{e['scope']} {assigned(e, '=')}",
    "printf": lambda e: e.get("msg", ""),
}


def region(e):
    label = f"label:{e['label']}" if "label" in e else ""
    return label + (f" {e['msg']}" if "msg" in e else "")


def child(e):
    hook = f" hook:{e['hook_name']}" if "hook_name" in e else ""
    cd = f" cd:{quote(e['cd'])}" if "cd" in e else ""
    return (f"[ch{e['child_id']}] class:{e['child_class']}{hook}{cd} "
            f"argv:[{words(e['argv'])}]")


def executed(e):
    exe = [e["exe"]] if "exe" in e else []
    return f"id:{e['exec_id']} argv:[{' '.join([*exe, *map(quote, e['argv'])])}]"


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


PERF = {
    "error": lambda e: e.get("msg", ""),
    "cmd_ancestry": lambda e: f"ancestry:[{words(e['ancestry'])}]",
    "cmd_name": named,
    "child_start": child,
    "exec": executed,
    "exec_result": lambda e: f"id:{e['exec_id']}{failure(e)}",
    "thread_start": lambda e: "",
    "thread_exit": lambda e: "",
    "def_param": lambda e: assigned(e, ":"),
    "region_enter": region,
    "region_leave": region,
    "data_json": lambda e: f"{e['key']}:{compact(e['value'])}",
    "printf": lambda e: e.get("msg", ""),
}


def filled(form, event):
    """The form of a statement, with the event's values: `<argv quoted>`."""
    seconds = {name for name, field in forms.fields()[event["event"]].items()
               if field.type == "seconds"}

    def value(match):
        key, quoted = match.groups()
        found = event[key]
        if quoted:
            return words(found) if isinstance(found, list) else quote(found)
        return f"{found:.6f}" if key in seconds else str(found)

    return re.sub(r"<(\w+)( quoted)?>", value, form)


def payload(target, special, event):
    """What a statement says in one form is that; the others are above."""
    name = event["event"]
    if name in special:
        return special[name](event)
    form = forms.form_of(target, name)
    return filled(form, event) if form else None


def normal(event):
    """The NORMAL payload, or None where NORMAL does not show the event."""
    return payload("normal", NORMAL, event)


def perf(event):
    """The PERF payload without its dots, or None where PERF does not show
    the event. A data_json value is taken to be written without blanks."""
    return payload("perf", PERF, event)


def category(event):
    """The text of PERF's category column, as it is cut."""
    name = event["event"]
    if name == "def_param":
        return f"scope:{event['scope']}"[:12].strip()
    if name in CATEGORY:
        return event.get("category", "")[:12].strip()
    return ""


def dots(events):
    """The dots before each event's payload, from all events of one thread
    of one process, in their order."""
    open_regions = 0
    for event in events:
        name = event["event"]
        if name == "region_leave" and open_regions:
            open_regions -= 1
        yield 0 if name in TOTALS | {"atexit"} else 2 * open_regions
        if name == "region_enter":
            open_regions += 1
