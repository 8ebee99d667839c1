#!/usr/bin/python3
"""A driver in Python: it reads t/kit/contract.tsv and does what it says.

The emitter that it drives is emitter.py. A driver for another emitter has
its own functions in CALLS; the verbs whose calls it lacks are not its verbs.
"""
import os, re, signal as system, subprocess, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import emitter  # noqa: E402
from calls import (BLOCKS, CALLS, VERBS, Wrong, fits, fits_one,  # noqa: E402
                   number, perform)

SIGNALS = {name: getattr(system, "SIG" + name) for name in (
    "INT", "TERM", "HUP", "QUIT", "PIPE", "KILL", "USR1")}

class End(Exception):  # of the process, with this exit code
    pass

# Children and exits

def show(prefix, msg):
    if not sys.stderr:  # it was closed when the program began
        return
    hidden = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "?", msg)
    sys.stderr.buffer.write(os.fsencode(f"{prefix}{hidden}\n"))
    sys.stderr.flush()

def error(names, fmt, msg):
    emitter.error(msg, fmt)
    show("error: ", msg)

def bug(names, msg):
    emitter.error(msg, msg)
    show("BUG: driver.py:1: ", msg)

def fail(names, msg):
    raise Wrong(msg)

def need(names, **given):
    reason = given.pop("else")
    what, found = given.popitem()
    good = {"int": lambda: fits_one("int", found),
            "words": lambda: all(found),
            "target": lambda: found in ("normal", "perf", "event")}[what]
    if not good():
        raise Wrong(reason)

def run(child):
    """Start the child: what Popen gives, or None after a message."""
    argv = child["argv"]
    if child.get("shell") and len(argv) > 1:
        argv = [f'{argv[0]} "$@"', *argv]
    if child.get("shell"):
        argv = ["sh", "-c", *argv]
    try:
        made = subprocess.Popen(argv, cwd=child.get("dir"),
                                close_fds=False)
    except OSError as problem:
        error(None, "cannot run %s: %s",
              f"cannot run {argv[0]}: {os.strerror(problem.errno)}")
        return None
    child["pid"] = made.pid
    return made

def start_child(names, child=None, **given):
    made = {"argv": [], **given}
    names[child or "child"] = made
    emitter.child_start(made)
    return made

def run_child(names, **given):
    child = start_child(names, **given)
    made, code = run(child), -1
    if made:
        code = made.wait()
    if code < 0 and made:
        error(None, "%s died of signal %d",
              f"{child['argv'][0]} died of signal {-code}")
        code = 128 - code
    emitter.child_exit(child, code)
    names["code"] = code

def end_child(call):
    def perform(names, child="child", pid=None, **given):
        if found := names.get(child):
            found["pid"] = pid or found["pid"]
            call(found, *given.values())
    return perform

def run_started(names, argv):
    if made := run(names["child"]):
        made.wait()

def start_exec(names, argv, exe=None):
    names["exec_id"] = emitter.PROCESS["execs"]
    emitter.exec_(exe, argv)

def execute(names, argv):
    try:
        os.execvp(argv[0], argv)
    except OSError as problem:
        names.update(errno=problem.errno, strerror=os.strerror(problem.errno))

def only_target(names, target, file):
    for name in ("normal", "perf", "event"):
        variable = "GIT_TRACE2" + ("_" + name.upper()) * (name != "normal")
        os.environ[variable] = file if name == target else ""
    os.environ["GIT_TRACE2_BRIEF"] = "1"

def exit_with(names, code):
    emitter.cmd_exit(number(code))
    raise End(number(code))

def end_with(names, code):
    raise End(number(code))

LATER = []

def do_later(words, names, block, other):
    LATER.append((block, names))

def leave(code):
    emitter.finish(code)
    for block, names in LATER:
        perform(block, names)
    if sys.stdout:
        sys.stdout.flush()
    os._exit(code & 255)

def do_fork(words, names, block, other):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)
    emitter.in_fork()
    leave(result(block, names))

# Signals, and what else happens around a verb

def raise_signal(names, signal):
    os.kill(os.getpid(), SIGNALS[signal])
    time.sleep(0)  # Python calls handlers between two steps

def set_action(names, signal, text=None):
    def handler(number, frame):
        os.write(1, os.fsencode(text))
    action = handler if text else system.SIG_IGN
    system.signal(SIGNALS[signal], action)

def broken_pipe(names, text):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        os.write(writer, os.fsencode(text))
    except BrokenPipeError:
        pass

def sleep(names, ms=0, ns=0):
    time.sleep(number(ms) / 1e3 + ns / 1e9)

def timer(call):
    def perform(names, category, name, per_thread=False, **given):
        call(category, name, per_thread=per_thread, **given)
    return perform

def run_timer(names, category, name, per_thread=False, **length):
    emitter.timer_start(category, name, per_thread=per_thread)
    sleep(names, **length)
    emitter.timer_stop(category, name, per_thread=per_thread)

def open_file(names, number, path):
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.dup2(made, int(number))
    except OSError:
        raise Wrong("expect <number> <path>") from None

def choose_text(names, kind, **texts):
    if kind not in texts:
        raise Wrong("expect " + re.sub(", (?!.*, )", " or ", ", ".join(texts)))
    names["text"] = texts[kind]

def data(kind):
    def perform(names, category=None, key=None, value=None, repo=None):
        value = "" if value is None else str(value)
        emitter.data(kind, category or "", key or "", value, repo=repo_of(repo))
    return perform

def repo_of(repo):
    return 0 if repo == "unannounced" else repo

def region(call):
    def perform(names, category=None, label=None, msg=None, repo=None):
        call(category, label, msg, repo_of(repo))
    return perform

def def_repo(names, worktree):
    names["repo"] = emitter.def_repo(worktree) if worktree else 0

def run_verb(names, name, argv):
    if name not in OWN:
        raise Wrong("expect <verb> [<args>...]")
    verb(name, argv, names)

def plain(call):
    """A call that takes what the table gives it, by name."""
    return lambda names, **given: call(**given)

CALLS.update({
    "exit": exit_with, "end": end_with, "report_exit": plain(emitter.cmd_exit),
    "error": error, "report_error": plain(emitter.error), "bug": bug,
    "fail": fail, "need": need, "child": run_child,
    "child_start": start_child, "child_exit": end_child(emitter.child_exit),
    "child_ready": end_child(emitter.child_ready), "run": run_started,
    "exec": start_exec, "execute": execute, "_exit": lambda names: os._exit(0),
    "exec_result": lambda names, code, exec_id=None: emitter.exec_result(
        names["exec_id"] if exec_id is None else exec_id, number(code)),
    "only_target": only_target, "raise": raise_signal, "ignore": set_action,
    "handle": set_action, "broken_pipe": broken_pipe, "sleep": sleep,
    "time": run_timer, "timer_start": timer(emitter.timer_start),
    "timer_stop": timer(emitter.timer_stop),
    "counter": timer(lambda *key, add, **more: emitter.counter(
        *key, add=int(add), **more)),
    "data": data("data"), "data_json": data("data_json"),
    "region_enter": region(emitter.region_enter),
    "region_leave": region(emitter.region_leave), "def_repo": def_repo,
    "open": open_file, "text": choose_text, "verb": run_verb,
    "print": lambda names, text: os.write(1, os.fsencode(text)),
    "before_start": lambda names, ms: None, **{
        name: plain(getattr(emitter, name)) for name in (
            "start", "cmd_ancestry", "cmd_path", "cmd_mode", "cmd_name",
            "alias", "def_param", "printf", "thread_start", "thread_exit")}})
BLOCKS.update(fork=do_fork, after_exit=do_later)

def known(calls):
    """Whether the driver has all that these calls need."""
    return all((call[0] in CALLS or call[0] in BLOCKS)
               and known(call[2]) and known(call[3]) for call in calls)

OWN = {name: rows for name, rows in VERBS.items() if known(rows[3])}

def verb(name, words, names):
    _, takes, wrong, calls = OWN[name]
    if wrong and not fits(takes, words):
        raise Wrong(wrong)
    own = {str(at): word for at, word in enumerate(words, 1)}
    perform(calls, {**names, **own, "*": words})

def result(block, names, run=perform):
    """What a process returns after these calls."""
    try:
        run(block, names)
    except End as end:
        return end.args[0]
    except Wrong as wrong:
        emitter.error(str(wrong), str(wrong))
        show("fatal: ", str(wrong))
        return 128
    return 0

def main(words):
    if words[:1] != ["trace2"] or words[1:2] not in [[v] for v in OWN]:
        print("usage:", *(f"\ttest-tool trace2 {name} {row[0]}".rstrip()
                          for name, row in OWN.items()),
              sep="\n", file=sys.stderr)
        return 129
    if words[1] == "late_start" and fits("int", words[2:]):
        time.sleep(int(words[2]) / 1000)
    # Python ignores it; a program in C would not.
    system.signal(system.SIGPIPE, system.SIG_DFL)
    emitter.initialize()
    emitter.cmd_name("trace2")
    names = {"sid": emitter.PROCESS["sid"], "dropped": 0}
    leave(result(words[1], names,
                 lambda name, names: verb(name, words[2:], names)))

sys.exit(main(sys.argv[1:]))
