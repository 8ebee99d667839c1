"""A small emitter: it writes EVENT, NORMAL and PERF. driver.py drives it."""
import os, signal, sys, threading, time

from destination import DROPPED, Target, boolean
from lines import (Raw, event_line, is_json, json_text, normal_line,
                   perf_line, six)
from process import (LONGEST, PROCESS, SHOWN, START, ancestors, clean, new_sid,
                     now, since)

HERE = threading.local()
LOCK = threading.RLock()
TARGETS = []

# The emitter: one process, its targets, its threads

def begin_thread(name):
    with LOCK:
        PROCESS["threads"] += 1
        text = os.fsencode(f"th{PROCESS['threads']:02}:{name}")[:24]
    # It must not end in the middle of a character.
    text = next((text[:kept] for kept in range(24, 20, -1)
                 if len(text) == 24 and is_utf8(text[:kept])), text)
    HERE.name, HERE.stack, HERE.clocks = os.fsdecode(text), [now()], {}

def is_utf8(text):
    try:
        return bool(text.decode())
    except UnicodeDecodeError:
        return False

def is_on():
    return any(t.fd is not None or t.failed for t in TARGETS)

def emit(name, own, file="driver.py", line=1, repo=None, only=None,
         at=None):
    if PROCESS["over"] or not is_on():
        return
    if PROCESS["forked"]:
        begin_fork()
    if not hasattr(HERE, "name"):
        begin_thread("unknown")
    with LOCK:
        t_abs = since(PROCESS["begin"], at)
        own = {k: t_abs if k == "t_abs" else v
               for k, v in own.items() if v is not None}
        event = {"event": name, "sid": PROCESS["sid"], "own": own,
                 "thread": HERE.name, "repo": repo, "file": file,
                 "line": line, "t_abs": t_abs, "wall": time.time_ns() // 1000,
                 "dots": max(len(HERE.stack) - 1, 0)}
        for target in [only] if only else TARGETS:
            target.write(event)

# What a program calls

def initialize():
    HERE.name, HERE.stack, HERE.clocks = "main", [START // 1000 * 1000], {}
    for variable, line in (("GIT_TRACE2", normal_line),
                           ("GIT_TRACE2_PERF", perf_line),
                           ("GIT_TRACE2_EVENT", event_line)):
        TARGETS.append(Target(variable, line))
        TARGETS[-1].open(PROCESS["sid"].rpartition("/")[2])
    if not is_on():
        return
    os.environ["GIT_TRACE2_PARENT_SID"] = PROCESS["sid"]
    for number in () if not boolean("GIT_TRACE2_SIGNALS", True) else (
            signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
            signal.SIGPIPE):
        if signal.getsignal(number) in (signal.SIG_DFL,
                                        signal.default_int_handler):
            signal.signal(number, die)
    version()
    start(sys.argv)
    if names := ancestors():
        cmd_ancestry(names)

def version():
    emit("version", {"evt": "4", "exe": "example-1.0"})
    for target in TARGETS:
        if target.full:
            emit("too_many_files", {}, only=target)

def die(number, frame):
    if not PROCESS["forked"]:
        emit("signal", {"t_abs": 1, "signo": number})
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)

def start(argv):
    emit("start", {"t_abs": 1, "argv": clean(argv)})

def cmd_ancestry(ancestry):
    emit("cmd_ancestry", {"ancestry": ancestry})

def cmd_path(path):
    emit("cmd_path", {"path": path})

def cmd_mode(name):
    emit("cmd_mode", {"name": name})

def alias(alias, argv):
    emit("alias", {"alias": alias, "argv": clean(argv)})

def cmd_name(name):
    parent = PROCESS["name"]
    PROCESS["name"] = f"{parent}/{name}" if parent else name
    emit("cmd_name", {"name": name, "hierarchy": PROCESS["name"] or None})
    if is_on():
        os.environ["GIT_TRACE2_PARENT_SID"] = PROCESS["sid"]
        if len(os.fsencode(PROCESS["name"])) <= LONGEST:
            os.environ["GIT_TRACE2_PARENT_NAME"] = PROCESS["name"]

    if not PROCESS["listed"]:
        list_variables()
        PROCESS["listed"] = True

def list_variables():
    names = os.environ.get("GIT_TRACE2_ENV_VARS", "").split(",")
    for name in map(str.strip, names):
        if value := os.environ.get(name):
            def_param(name, value, "command")

def error(msg, fmt):
    emit("error", {"msg": clean(msg), "fmt": clean(fmt)} if fmt else {})

def printf(msg=None, **place):
    emit("printf", {"t_abs": 1, "msg": None if msg is None else clean(msg)},
         **place)

def def_param(param, value=None, scope="unknown"):
    emit("def_param", {"scope": scope, "param": clean(param),
                       "value": None if value is None else clean(value)})

def def_repo(worktree):
    PROCESS["repos"].append(worktree)
    emit("def_repo", {"worktree": worktree}, repo=len(PROCESS["repos"]))
    return len(PROCESS["repos"])

def child_start(child):
    child.update(id=PROCESS["children"], begin=now(), pid=-1)
    PROCESS["children"] += 1
    emit("child_start", {
        "child_id": child["id"],
        "child_class": "hook" if child.get("hook") else child.get("class", "?"),
        "hook_name": child.get("hook"), "use_shell": child.get("shell", False),
        "cd": child.get("dir"), "argv": clean(child["argv"])},
        at=child["begin"])

def child_exit(child, code):
    if child.get("ended"):
        return
    child["ended"] = True
    at = now()
    emit("child_exit", {
        "child_id": child["id"], "pid": child["pid"], "code": code,
        "t_rel": since(child["begin"], at)}, at=at)

def child_ready(child, ready):
    if child.get("ended"):
        return
    child["ended"] = True
    emit("child_ready", {"child_id": child["id"], "pid": child["pid"],
                         "ready": ready, "t_rel": since(child["begin"])})

def exec_(exe, argv):
    emit("exec", {"exec_id": PROCESS["execs"], "exe": exe,
                  "argv": clean(argv)})
    PROCESS["execs"] += 1

def exec_result(exec_id, code):
    emit("exec_result", {"exec_id": exec_id, "code": code})

def is_hidden(category):
    return SHOWN and (category or "trace2") not in SHOWN.split(",")

def region_enter(category, label, msg=None, repo=None):
    if is_hidden(category):
        return
    if not hasattr(HERE, "name"):
        begin_thread("unknown")
    at = now()
    emit("region_enter", {
        "nesting": len(HERE.stack), "category": category, "label": label,
        "msg": None if msg is None else clean(msg)}, repo=repo, at=at)
    HERE.stack.append(at)

def region_leave(category, label, msg=None, repo=None):
    if is_hidden(category):
        return
    if not HERE.stack:
        return error(*["trace2: region_leave without region_enter"] * 2)
    at = now()
    own = {"t_rel": since(HERE.stack.pop(), at), "nesting": len(HERE.stack),
           "category": category, "label": label,
           "msg": None if msg is None else clean(msg)}
    emit("region_leave", own, repo=repo, at=at)

def data(name, category, key, value, repo=None):
    if is_hidden(category):
        return
    if not hasattr(HERE, "name"):
        begin_thread("unknown")
    value = clean(value)
    if name == "data_json":
        value = Raw(value if is_json(value) else json_text(value))
    at = now()
    begin = HERE.stack[-1] if HERE.stack else at
    emit(name, {"t_abs": 1, "t_rel": since(begin, at),
                "nesting": len(HERE.stack), "category": category, "key": key,
                "value": value}, repo=repo, at=at)

def thread_start(name):
    if threading.current_thread() is threading.main_thread():
        return region_enter(None, None, f"thread-proc on main: {name}")
    begin_thread(name)
    emit("thread_start", {}, at=HERE.stack[0])

def thread_exit():
    if threading.current_thread() is threading.main_thread():
        return region_leave(None, None, "thread-proc on main")
    totals("th_", HERE.name)
    HERE.stack[1:] = []
    at = now()
    emit("thread_exit", {"t_rel": since(HERE.stack[0], at)}, at=at)
    del HERE.name

# Timers and counters: (category, name) to the share of each thread

def timer_start(*key, per_thread=False):
    HERE.clocks.setdefault(key, []).append(time.monotonic_ns())
    PROCESS["timers"].setdefault(key, (per_thread, {}))

def timer_stop(*key, per_thread=False):
    begins = HERE.clocks.get(key)
    begin = begins.pop() if begins else None
    if begin is not None and not begins:
        shares = PROCESS["timers"][key][1]
        shares.setdefault(HERE.name, []).append(time.monotonic_ns() - begin)

def counter(*key, add, per_thread=False):
    shares = PROCESS["counters"].setdefault(key, (per_thread, {}))[1]
    shares[HERE.name] = shares.get(HERE.name, 0) + add

def totals(prefix, thread=None):
    for kind in ("timer", "counter"):
        for key, (per_thread, shares) in PROCESS[kind + "s"].items():
            own = [v for k, v in shares.items() if thread in (None, k)]
            if own and (per_thread or not prefix):
                total(prefix + kind, dict(zip(("category", "name"), key)), own)

def total(name, own, shares):
    if "counter" in name:
        own["count"] = sum(shares) % 2**64
    else:
        times = sum(shares, [])
        own.update(intervals=len(times), t_total=six(sum(times)),
                   t_min=six(min(times)), t_max=six(max(times)))
    if own.get("count") != 0:
        emit(name, own)

# The end, and forked children

def cmd_exit(code):
    if PROCESS["code"] is None:
        PROCESS["code"] = code & 255
        emit("exit", {"t_abs": 1, "code": code & 255})

def finish(code):
    if PROCESS["forked"] or PROCESS["over"]:
        return
    cmd_exit(code)
    HERE.stack[1:] = []
    totals("th_", "main")
    totals("")
    report_drops()
    emit("atexit", {"t_abs": 1, "code": PROCESS["code"]})
    PROCESS["over"] = True

def report_drops():
    if DROPPED[0]:
        msg = f"trace2: events dropped: {DROPPED[0]}"
        for target in TARGETS[:1]:
            target.tell(msg)
        error(msg, "trace2: events dropped: %d")

def in_fork():  # the child of a fork calls this at once
    HERE.name, HERE.stack, HERE.clocks = "main", [now()], {}
    PROCESS.update(forked=True, begin=now(), threads=0, execs=0, children=0,
                   code=None, timers={}, counters={}, parent=PROCESS["sid"])

def begin_fork():
    PROCESS["forked"] = False
    new_sid()
    for target in TARGETS:
        if target.fd is not None and target.is_own():
            target.open(PROCESS["sid"].rpartition("/")[2])
    version()
    start(sys.argv)
    for at, worktree in enumerate(PROCESS["repos"], 1):
        emit("def_repo", {"worktree": worktree}, repo=at)
