"""What NORMAL and PERF must say where EVENT says this.

Written from the grammars of SPEC.md alone, so that one form of a trace can
be held against another. Events are dictionaries, as Run.events() gives them.
"""

import json
import os
import re

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


def seconds(event, key):
    return f"{event[key]:.6f}"


def intervals(e):
    return (f" intervals:{e['intervals']} total:{seconds(e, 't_total')} "
            f"min:{seconds(e, 't_min')} max:{seconds(e, 't_max')}")


def failure(e):
    code = e["code"]
    return f" code:{code}" + (f" err:{os.strerror(code)}" if code > 0 else "")


def child_cd(e):
    return f" cd {quote(e['cd'])};" if "cd" in e else ""


def assigned(e, mark):
    return e["param"] + (mark + e["value"] if "value" in e else "")


NORMAL = {
    "version": lambda e: f"version {e['exe']}",
    "start": lambda e: f"start {words(e['argv'])}",
    "exit": lambda e: f"exit elapsed:{seconds(e, 't_abs')} code:{e['code']}",
    "atexit":
        lambda e: f"atexit elapsed:{seconds(e, 't_abs')} code:{e['code']}",
    "signal":
        lambda e: f"signal elapsed:{seconds(e, 't_abs')} code:{e['signo']}",
    "error": lambda e: "error" + (f" {e['msg']}" if "msg" in e else ""),
    "cmd_path": lambda e: f"cmd_path {e['path']}",
    "cmd_ancestry": lambda e: "cmd_ancestry " + " <- ".join(e["ancestry"]),
    "cmd_name": lambda e: f"cmd_name {named(e)}",
    "cmd_mode": lambda e: f"cmd_mode {e['name']}",
    "alias": lambda e: f"alias {e['alias']} -> {words(e['argv'])}",
    "child_start": lambda e: (f"child_start[{e['child_id']}]{child_cd(e)} "
                              f"{words(e['argv'])}"),
    "child_exit": lambda e: (f"child_exit[{e['child_id']}] pid:{e['pid']} "
                             f"code:{e['code']} elapsed:{seconds(e, 't_rel')}"
                             ),
    "child_ready": lambda e: (f"child_ready[{e['child_id']}] pid:{e['pid']} "
                              f"ready:{e['ready']} "
                              f"elapsed:{seconds(e, 't_rel')}"),
    "exec": lambda e: (f"exec[{e['exec_id']}] "
                       + (f"{e['exe']} " if "exe" in e else "")
                       + words(e["argv"])),
    "exec_result": lambda e: f"exec_result[{e['exec_id']}]{failure(e)}",
    "def_param":
        lambda e: f"def_param scope:{e['scope']} {assigned(e, '=')}",
    "def_repo": lambda e: f"worktree {quote(e['worktree'])}",
    "printf": lambda e: e.get("msg", ""),
    **{name: lambda e: (f"{e['event']} {e['category']}/{e['name']}"
                        + (intervals(e) if "intervals" in e
                           else f" value:{e['count']}"))
       for name in TOTALS},
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


def fact(e):
    return f"{e['key']}:{e['value']}"


PERF = {
    "version": lambda e: e["exe"],
    "start": lambda e: words(e["argv"]),
    "exit": lambda e: f"code:{e['code']}",
    "atexit": lambda e: f"code:{e['code']}",
    "signal": lambda e: f"signo:{e['signo']}",
    "error": lambda e: e.get("msg", ""),
    "cmd_path": lambda e: e["path"],
    "cmd_ancestry": lambda e: f"ancestry:[{words(e['ancestry'])}]",
    "cmd_name": named,
    "cmd_mode": lambda e: e["name"],
    "alias": lambda e: f"alias:{e['alias']} argv:[{words(e['argv'])}]",
    "child_start": child,
    "child_exit":
        lambda e: f"[ch{e['child_id']}] pid:{e['pid']} code:{e['code']}",
    "child_ready":
        lambda e: f"[ch{e['child_id']}] pid:{e['pid']} ready:{e['ready']}",
    "exec": executed,
    "exec_result": lambda e: f"id:{e['exec_id']}{failure(e)}",
    "thread_start": lambda e: "",
    "thread_exit": lambda e: "",
    "def_param": lambda e: assigned(e, ":"),
    "def_repo": lambda e: f"worktree:{quote(e['worktree'])}",
    "region_enter": region,
    "region_leave": region,
    "data": fact,
    "data_json": lambda e: f"{e['key']}:{compact(e['value'])}",
    "printf": lambda e: e.get("msg", ""),
    **{name: lambda e: (f"name:{e['name']}"
                        + (intervals(e) if "intervals" in e
                           else f" value:{e['count']}"))
       for name in TOTALS},
}


def normal(event):
    """The NORMAL payload, or None where NORMAL does not show the event."""
    form = NORMAL.get(event["event"])
    return form(event) if form else None


def perf(event):
    """The PERF payload without its dots, or None where PERF does not show
    the event. A data_json value is taken to be written without blanks."""
    form = PERF.get(event["event"])
    return form(event) if form else None


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
