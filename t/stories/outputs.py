"""How each file of a story is made: its name, and the command.

LOGS stands for the logs of the story, BACKWARDS for them in the reverse
order, A and B for the two sets of `trace2 diff`. A command runs where the
logs are and writes to standard output. So no output names a path of the
machine.
"""

import json
import shlex
import subprocess
from pathlib import Path

from packets import show_packets
from page_data import show_page

TABLE = "trace2 table --format {} --rows {} LOGS"
KINDS = ("processes", "regions", "children", "data", "errors", "events")

MANUALS = Path(__file__).resolve().parents[2] / "helper/man"

OUTPUTS = {
    # COMMAND.txt: what a command with a manual prints without options
    **{f"{page.stem.removeprefix('trace2-')}.txt":
       f"trace2 {page.stem.removeprefix('trace2-')} LOGS"
       for page in MANUALS.glob("trace2-*.1")},
    "summary.json": "trace2 summary --format json LOGS",
    "summary.md": "trace2 summary --format markdown LOGS",
    "findings.md": "trace2 validate --format markdown LOGS",
    "diff.md": "trace2 diff --format markdown A B",
    "summary.csv": "trace2 summary --format csv LOGS",
    "summary.state": "trace2 summary --format state LOGS",
    "percentiles.csv": "trace2 summary --percentiles --format csv LOGS",
    "backwards.csv": "trace2 summary --format csv BACKWARDS",
    "spans.otlp": "trace2 convert --to otlp LOGS -",
    "trace.json": "trace2 convert --to chrome LOGS -",
    "packets.txt": "trace2 convert --to perfetto LOGS -",
    "dump.txt": "trace2 convert --to fxt LOGS - | trace2 dump -",
    "folded.txt": "trace2 convert --to folded LOGS -",
    "speedscope.json": "trace2 convert --to speedscope LOGS -",
    "page.json": "trace2 report -o - LOGS",
    "diff.txt": "trace2 diff A B",
    "diff.json": "trace2 diff --format json A B",
    "findings.txt": "trace2 validate LOGS",
    "findings.json": "trace2 validate --format json LOGS",
    "expected.txt": "trace2 expect --list LOGS",
    "redacted.event": "trace2 redact LOGS",
    "archive.txt": "trace2 dump LOGS",
    **{f"{kind}.{form}": TABLE.format(form, kind)
       for kind in KINDS for form in ("csv", "ndjson")},
}

WIDTH = 100
# What is another one in each run.
VOLATILE = {"seconds"}


class Members(list):
    """An object's members in their order."""


class Number(str):
    """A number as it is written."""


def lay_out(value, indent=""):
    """JSON in lines that a person can read."""
    short = put_short(value)
    if len(indent + short) <= WIDTH or not isinstance(value, list):
        return short
    deeper = indent + "  "
    if isinstance(value, Members):
        lines = [f"{json.dumps(name, ensure_ascii=False)}: "
                 f"{lay_out(member, deeper)}" for name, member in value]
        opened, closed = "{}"
    else:
        lines = [lay_out(member, deeper) for member in value]
        opened, closed = "[]"
    inside = ",\n".join(deeper + line for line in lines)
    return f"{opened}\n{inside}\n{indent}{closed}"


def put_short(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Members):
        return "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: "
                               f"{put_short(member)}"
                               for name, member in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(put_short, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def read_members(pairs):
    return Members((name, Number("0") if name in VOLATILE else value)
                   for name, value in pairs)


def read_json(text):
    return json.loads(text, parse_float=Number, parse_int=Number,
                      object_pairs_hook=read_members)


def show_json(text):
    """Values of JSON, a line or a file each; other text stays as it is."""
    try:
        try:
            values = [read_json(text)]
        except ValueError:
            values = [read_json(line) for line in text.splitlines()]
    except ValueError:
        return text
    return "".join(lay_out(value) + "\n" for value in values).encode()


SHOW = {
    "page.json": show_page,
    "packets.txt": show_packets,
    "summary.json": show_json,
    "speedscope.json": show_json,
    "spans.otlp": show_json,
    "diff.json": show_json,
    "findings.json": show_json,
}


def make_output(trace2, command, where, words, environment):
    """What the command writes to standard output, and the lines about it: its
    exit code, if that is not 0, and standard error."""
    given, said = b"", []
    for part in command.split(" | "):
        program = [trace2 if word == "trace2" else word
                   for name in shlex.split(part)
                   for word in words.get(name, [name])]
        done = subprocess.run(program, cwd=where, env=environment, input=given,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=300, check=False)
        given = done.stdout
        said += [f"exit code {done.returncode}"] if done.returncode else []
        said += done.stderr.decode(errors="backslashreplace").splitlines()
    return given, said
