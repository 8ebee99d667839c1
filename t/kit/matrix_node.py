"""What a version of Node holds to of TRACING.md's "The Chrome target".

Node's trace events are where that chapter's files come from. Each check runs
a small program and returns what is wrong, or None. A requirement that has no
check here has no cell for Node.
"""

import json
import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

from kit.kit import FAIL, PASS

PATIENCE = 8  # seconds for one program
TRIES = 3  # Node drops events on a busy machine
MANY = 600000  # more events than a file takes
FILE_SIZE = 9000  # bytes, of a full disk

# What JavaScript has no API for: an event of any phase and category.
EMIT = """
const {trace} = require('internal/test/binding').internalBinding(
    'trace_events');
const emit = (phase, name, number) =>
    trace(phase.charCodeAt(0), 'a', name, 7, {number});
"""



class Node:
    """Runs programs, each in a folder of its own."""

    def __init__(self, program):
        self.program = str(Path(program).absolute())
        self.version = subprocess.run(
            [self.program, "--version"], check=True, text=True,
            stdout=subprocess.PIPE).stdout.strip().lstrip("v")

    def run(self, script, pattern="n.json", size=resource.RLIM_INFINITY):
        """(exit code or minus a signal, {name of a file: its bytes})"""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.program, "--expose-internals", "--no-warnings",
                       f"--trace-event-file-pattern={pattern}",
                       "--trace-event-categories=a", "-e", EMIT + script]
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=PATIENCE,
                preexec_fn=lambda: limit_files(size),
                env={"PATH": os.environ["PATH"], "HOME": folder})
            files = {path.name: path.read_bytes()
                     for path in sorted(Path(folder).iterdir())
                     if path.is_file()}
        return done.returncode, files


def limit_files(size):
    """In a child: no file gets larger than that, and none is a core."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def events_of(files, name="n.json"):
    """The traced events of a complete file."""
    found = json.loads(files[name])["traceEvents"]
    return [e for e in found if e["ph"] != "M"]


def names_of(files):
    return [e["name"] for e in events_of(files)]


def check_pattern(node):
    _, files = node.run("emit('I', 'x', 0);", "${x}${rotation}-${pid}.j")
    if not any(re.fullmatch(r"\$\{x\}1-\d+\.j", name) for name in files):
        return f"the file is called {', '.join(files) or 'nothing'}"
    return None


def check_rotation(node):
    _, files = node.run(
        f"for (let i = 0; i < {MANY}; i++) trace(73, 'a', 'x', 0, i);",
        "n.${rotation}.json")
    if sorted(files) != ["n.1.json", "n.2.json"]:
        return f"{MANY} events make the files {', '.join(files)}"
    return None


def check_nested(node):
    _, files = node.run("""
        if (!process.argv[1])
            require('child_process').spawnSync(
                process.execPath, [...process.execArgv, 'child']);
        emit('I', process.argv[1] || 'parent', 0);""")
    names = {n for name in files for n in names_of({"n.json": files[name]})}
    if names != {"parent", "child"}:
        return ("a child that uses the same pattern overwrites the file of "
                f"its parent; what is left: {', '.join(sorted(names))}")
    return None


def check_line(node):
    _, files = node.run("emit('I', 'x', 0); emit('I', 'y', 0);")
    if not re.match(rb"\[\n?\{.*\},?\n", files["n.json"]):
        return "a file begins with {\"traceEvents\":[ and is one line"
    return None


def check_cut(node):
    _, files = node.run("for (let i = 0; i < 99; i++) emit('I', 'x', i);")
    whole = files["n.json"]
    part = whole[:whole.rfind(b"\n", 0, len(whole) // 2) + 1] + b"]"
    try:
        return None if json.loads(part) else "a cut file shows no event"
    except ValueError:
        return "half of a file and `]` are not JSON"


def check_text(node):
    _, files = node.run("""emit('I', 'a"b', 0); emit('I', 'a/c', 0);""")
    try:
        found = names_of(files)
    except ValueError as problem:
        return f"a quote in a name breaks the file: {problem}"
    return None if found == ['a"b', "a/c"] else f"found the names {found}"


def check_record(node):
    _, files = node.run(
        "for (const p of 'BICbnestfE') emit(p, 'x', 0);")
    found = "".join(e["ph"] for e in events_of(files))
    return None if found == "BICbnestfE" else f"found the phases {found}"


def check_scope(node):
    _, files = node.run("emit('I', 'x', 0);")
    scope = events_of(files)[0].get("s")
    return None if scope in ("t", "p", "g") else "an instant has no `s`"


def check_order(node):
    _, files = node.run("for (let i = 0; i < 99; i++) emit('I', 'n' + i, i);")
    wanted = [f"n{i}" for i in range(99)]
    return None if names_of(files) == wanted else "in another order"


def check_metadata(node):
    _, files = node.run("emit('I', 'x', 0);")
    found = [e["name"] for e in json.loads(files["n.json"])["traceEvents"]
             if e["ph"] == "M"]
    lacking = {"process_name", "thread_name", "version"} - set(found)
    twice = sorted({n for n in found
                    if found.count(n) > 1 and n != "thread_name"})
    if lacking or twice:
        return "; ".join(
            [f"lacks {', '.join(sorted(lacking))}"] * bool(lacking)
            + [f"more than once: {', '.join(twice)}"] * bool(twice))
    return None


def check_signal(node):
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        _, files = node.run(f"emit('I', 'x', 0); process.kill(process.pid, "
                            f"'{name}'); setTimeout(() => 0, 9999)")
        try:
            if "x" not in names_of(files):
                return f"the file of a process that {name} ends lacks events"
        except (KeyError, ValueError):
            return f"{name} leaves a file that is cut off, or none"
    return None


def check_failure(node):
    code, _ = node.run("emit('I', 'x', 0);", "none/n.json")
    return None if code == 0 else f"the program ends with {code}"


def check_failure_line(node):
    _, files = node.run(
        "for (let i = 0; i < 9999; i++) trace(73, 'a', 'x', 0, i);",
        size=FILE_SIZE)
    whole = files.get("n.json", b"")
    if whole.endswith((b"\n", b"]", b"]}", b"")) and not whole[-1:].isalnum():
        try:
            json.loads(whole)
            return None
        except ValueError:
            pass
    return f"a full disk leaves a part of an event: …{whole[-20:].decode()}"


CHECKS = {
    "chrome.pattern": check_pattern,
    "chrome.rotation": check_rotation,
    "chrome.nested": check_nested,
    "chrome.line": check_line,
    "chrome.cut": check_cut,
    "chrome.text": check_text,
    "chrome.record": check_record,
    "chrome.scope": check_scope,
    "chrome.order": check_order,
    "chrome.metadata": check_metadata,
    "chrome.signal": check_signal,
    "chrome.failure": check_failure,
    "chrome.failure.line": check_failure_line,
}


def wrong_of(check, node):
    """What is wrong each time; what is wrong only now and then is the
    machine's."""
    for _ in range(TRIES):
        try:
            wrong = check(node)
        except subprocess.TimeoutExpired:
            wrong = f"the program hangs for more than {PATIENCE} s"
        except (KeyError, IndexError, ValueError) as problem:
            wrong = f"its file can't be read: {problem!r}"
        if not wrong:
            return None
    return wrong


def judge(program):
    """(the version, a report as t/conformance --json writes it)"""
    node = Node(program)
    results = []
    for name, check in CHECKS.items():
        wrong = wrong_of(check, node)
        results.append({
            "scenario": "a small program", "id": name,
            "verdict": FAIL if wrong else PASS, "expected": None,
            "actual": None, "note": wrong or ""})
    return node.version, {"results": results}
