"""The stories, where no native program runs: in Node, and in a page.

    elsewhere.py node|browser [STORY ...]

compares what the module makes of each story with what t/stories keeps, which
is what the native command makes.
"""

import base64
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
sys.path[:0] = [str(ROOT / "t/stories"), str(ROOT / "t/commands/summary")]

import stories  # noqa: E402
from browser import Browser  # noqa: E402

# The page has no `cd`: a run gets the logs that it may need.
RUN = """(async () => {
    const file = ([name, text]) => ({ name, content: new Blob([Uint8Array.from(
        atob(text), (char) => char.charCodeAt(0))]) });
    state.files = %s.map(file);
    const input = Uint8Array.from(atob('%s'), (char) => char.charCodeAt(0));
    const done = await runCommand('', %s, '', input);
    const show = async (blob) => {
        const bytes = new Uint8Array(await blob.arrayBuffer());
        let text = '';
        for (let i = 0; i < bytes.length; i += 32768)
            text += String.fromCharCode(...bytes.subarray(i, i + 32768));
        return btoa(text);
    };
    return { code: done.code, out: await show(done.out),
             said: await show(done.said) };
})()"""


def encode(data):
    return base64.b64encode(data).decode()


class NodeEngine:
    """The package in Node; one process for all commands."""

    def __init__(self, package=BUILD / "npm"):
        engine = Path(__file__).with_name("engine.mjs")
        self.process = subprocess.Popen(
            ["node", str(engine), str(package)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def run(self, args, where, env, data):
        asked = {"args": args, "where": str(where), "env": env,
                 "input": encode(data)}
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class PageEngine:
    """build/trace2.html in a headless Chromium."""

    def __init__(self, page=BUILD / "trace2.html"):
        self.place = tempfile.TemporaryDirectory()
        self.browser = Browser(Path(self.place.name))
        self.browser.open(page)

    def run(self, args, where, env, data):
        files = [[name, encode(path.read_bytes())]
                 for name, path in find_files(args, where)]
        return self.browser.run(
            RUN % (json.dumps(files), encode(data), json.dumps(args)))

    def close(self):
        self.browser.close()
        self.place.cleanup()


def find_files(args, where):
    """The files that the words of a command name."""
    for word in args:
        path = where / word
        if word != "-" and path.is_file():
            yield word, path
        elif word not in ("-", ".", "") and path.is_dir():
            for inner in sorted(path.rglob("*")):
                if inner.is_file():
                    yield str(inner.relative_to(where)), inner


def make_output(engine):
    """As outputs.make_output, by an engine."""

    def make(_, command, where, words, environment):
        given, said = b"", []
        for part in command.split(" | "):
            program = [word for name in shlex.split(part)
                       for word in words.get(name, [name])]
            if program[0] != "trace2":
                given = subprocess.run(program, input=given, check=True,
                                       stdout=subprocess.PIPE).stdout
                continue
            done = engine.run(program[1:], where, environment, given)
            given = base64.b64decode(done["out"])
            text = base64.b64decode(done["said"])
            said += [f"exit code {done['code']}"] if done["code"] else []
            said += text.decode(errors="backslashreplace").splitlines()
        return given, said

    return make


def compare(engine, wanted=()):
    """What differs, as text, and how many stories were compared."""
    names = list(wanted) or stories.names_of_stories()
    native, stories.make_output = stories.make_output, make_output(engine)
    try:
        found = "".join(stories.Story(name).check() for name in names)
    finally:
        stories.make_output = native
    return found, len(names)


def main(kind, *wanted):
    engine = NodeEngine() if kind == "node" else PageEngine()
    found, count = compare(engine, wanted)
    engine.close()
    print(found or f"{count} stories are the same in {kind}")
    return 1 if found else 0


if __name__ == "__main__":
    os.environ.setdefault("TRACE2", "trace2")
    sys.exit(main(*sys.argv[1:]))
