"""Node 20 as a witness: small programs, and what they leave when they trace.

    done = theirs("phases")
    load(done["files"]["n.json"])

Where node is another one, or missing, theirs() tells what one of that
version left when it was recorded, in golden/node/. To record anew:
`python3 t/library/trace/node_kit.py`.
"""

import dataclasses
import functools
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

RECORDED = Path(__file__).resolve().parents[3] / "golden/node"
VERSION = "v20."
MUCH = 1 << 20  # of a larger file only numbers are kept

# What JavaScript has no API for: an event of any phase and category.
EMIT = """
    const {trace} = require('internal/test/binding').internalBinding(
        'trace_events');
    const emit = (phase, cat, name, id, number) =>
        trace(phase.charCodeAt(0), cat, name, id, {number});
    const tracing = (...categories) =>
        require('trace_events').createTracing({categories});
"""


@dataclasses.dataclass(frozen=True)
class Program:
    script: str
    categories: str = None
    pattern: str = "n.json"
    patience: float = 30
    limit: int = resource.RLIM_INFINITY  # bytes of a file


PHASES = [("B", "duration"), ("I", "instant"), ("C", "counter"),
          ("b", "span"), ("n", "span"), ("s", "flow"), ("t", "flow"),
          ("f", "flow"), ("e", "span"), ("E", "duration")]
FORK = """
        if (!process.argv[1])
            require('child_process').spawnSync(
                process.execPath, [...process.execArgv, 'child']);
        emit('I', 'a', process.argv[1] || 'parent', 0, 0);"""
KILL = "process.kill(process.pid, '%s'); setTimeout(() => 0, 9999)"

PROGRAMS = {
    "phases": Program(f"""
        const t = tracing('a');
        t.enable();
        process.title = 'phases';
        {json.dumps(PHASES)}.forEach(([phase, name], number) =>
            emit(phase, 'a', name, 7, number));
        t.disable();"""),
    "switch": Program("""
        const trace_events = require('trace_events');
        const outer = tracing('a'), inner = tracing('b', 'c');
        outer.enable();
        for (let i = 0; i < 3; i++) {
            console.log(trace_events.getEnabledCategories() || '(none)');
            emit('I', 'a', 'a', 0, 0);
            emit('I', 'b', 'b', 0, 0);
            if (i) inner.disable(); else inner.enable();
        }"""),
    "groups": Program("""
        for (const group of ['fs', 'node,fs', 'fs.sync', 'a,fs,', 'f'])
            emit('I', group, 'grouped', 0, 0);""", "fs"),
    "exact": Program("""
        for (const group of ['two', 'one', ' two', 'a'])
            emit('I', group, 'grouped', 0, 0);""", "one, two,*"),
    "nested": Program("""
        for (let i = 0; i < 4; i++) emit('B', 'a', 'nested', 0, i);
        for (let i = 3; i >= 0; i--) emit('E', 'a', 'nested', 0, i);""", "a"),
    "nothing": Program("emit('I', 'b', 'b', 0, 0);", "a"),
    "pattern": Program("emit('I', 'a', 'a', 0, 0);", "a",
                       "${x}${rotation}-${pid}${pid}.j"),
    "rotation": Program("""
        for (let i = 0; i < 600000; i++) trace(73, 'a', 'many', 0, i);""",
                        "a", "n.${rotation}.json"),
    "boundary": Program("""
        emit('B', 'a', 'across', 0, 0);
        for (let i = 0; i < 600000; i++) trace(73, 'a', 'many', 0, i);
        emit('E', 'a', 'across', 0, 0);""", "a", "n.${rotation}.json"),
    "many-enabled": Program(
        "for (let i = 0; i < 13; i++) tracing('a').enable();"),
    "quotes": Program("emit('I', 'a', 'n\"', 0, 0);", "a"),
    "fork": Program(FORK, "a"),
    "fork-pid": Program(FORK, "a", "n-${pid}.json"),
    "full": Program("0", "a", "/dev/full"),
    "limited": Program("""
        for (let i = 0; i < 9999; i++) trace(73, 'a', 'many', 0, i);""",
                       "a", limit=9000),
    "unopenable": Program("0", "a", "none/n.json", patience=3),
    **{f"killed-{name}": Program("emit('I', 'a', 'a', 0, 0);" + KILL % name,
                                 "a")
       for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")},
}  # fmt: skip


@functools.cache
def is_here():
    """Is there a node of the version?"""
    if not shutil.which("node"):
        return False
    said = subprocess.run(["node", "--version"], stdout=subprocess.PIPE)
    return said.stdout.decode().startswith(VERSION)


def limit_files(limit):
    """In a child: no file gets larger than that, and none is a core."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(program, folder):
    command = ["node", "--expose-internals",
               f"--trace-event-file-pattern={program.pattern}"]
    if program.categories is not None:
        command.append(f"--trace-event-categories={program.categories}")
    return subprocess.Popen(
        [*command, "-e", EMIT + program.script], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: limit_files(program.limit),
        env={"PATH": os.environ["PATH"], "HOME": str(folder)})


def numbers(text):
    """Of a large file."""
    phases = re.findall(r'"ph":"(.)"', text)
    return {"events": len(phases) - phases.count("M"), "last": phases[-1],
            "begins": phases.count("B"), "ends": phases.count("E"),
            "is JSON": text.endswith("]}")}


def content(path):
    text = path.read_text()
    if len(text) > MUCH:
        return numbers(text)
    text = text.replace(f'"{shutil.which("node")}"', '"node"')
    return re.sub(r'"versions":{[^}]*}', '"versions":{}', text)


def named(path, pid):
    return re.sub("[0-9]{2,}", "CHILD", path.name.replace(pid, "PID"))


def run(program, folder):
    """What became of it: all that is kept."""
    process = start(program, folder)
    try:
        said, told = process.communicate(timeout=program.patience)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        said, told = process.communicate()
        status = "hangs"
    pid = str(process.pid)
    return {
        "status": status, "stdout": said,
        "warnings": told.count("memory leak"),
        "files": {named(path, pid): content(path)
                  for path in sorted(folder.iterdir())},
    }


def recorded(name):
    return json.loads((RECORDED / f"{name}.json").read_text())


TRIES = 6


def summarized(done):
    """The large files, of which only numbers are kept."""
    return [said for said in done["files"].values() if isinstance(said, dict)]


def is_spoiled(done, known):
    """Does it lack events, or end a large file too early?

    On a busy machine Node drops events; and where its writes take long, it
    writes events into the next file that are still meant for the one before,
    which then has no end.
    """
    found, expected = summarized(done), summarized(known)
    return (sum(said["events"] for said in found)
            < sum(said["events"] for said in expected)
            or not all(said["is JSON"] for said in found))


@functools.cache
def theirs(name):
    """What became of the program, here or when it was recorded.

    It gets more than one try, and where each of them is spoiled, what was
    recorded has to do.
    """
    if not is_here():
        return recorded(name)
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as folder:
            done = run(PROGRAMS[name], Path(folder))
        if not is_spoiled(done, recorded(name)):
            return done
    return recorded(name)


def load(text):
    """All events of a file, or None: it is no JSON."""
    try:
        return json.loads(text)["traceEvents"]
    except ValueError:
        return None


if __name__ == "__main__":
    RECORDED.mkdir(exist_ok=True)
    for one in PROGRAMS:
        text = json.dumps(theirs(one), indent=1)
        (RECORDED / f"{one}.json").write_text(text + "\n")
