#!/usr/bin/python3
"""The stories: stories.py check|bless|show [STORY[/OUTPUT] ...]

    t/stories/region-left-open/log.event     a log
    t/stories/region-left-open/regions.csv   what `trace2 table` makes of it

`check` compares all outputs of the stories that are named, or of all.
`bless` rewrites them; STORY/OUTPUT also makes one that is not there yet.
`show` prints what a command makes of a story.

A story has logs of its own, whose names begin with `log`, or a file `log`
with the paths of others below t/corpus, a line each. Logs that are compared
begin with `a` and `b`. A file `commands` has outputs that only this story
has: lines of NAME and command. `messages.txt` is made of all commands: what
they say on standard error, and their exit code if it is not 0.

STORIES.tsv has a line for each story: what is right about it, and what is
wrong today.
"""

import csv
import difflib
import hashlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from outputs import OUTPUTS, SHOW, make_output

STORIES = Path(__file__).resolve().parent
CORPUS = STORIES.parent / "corpus"
TABLE = STORIES / "STORIES.tsv"
MESSAGES = "messages.txt"

# An output of more bytes is kept as digests, one for so many lines.
LONG = 24_000
LINES = 20
# What `bless` makes of a story that has no output yet.
FIRST = ("findings.txt", "summary.json")
DIGEST = "digests of every {} lines of {} lines\n"


def find_trace2():
    named = os.environ.get("TRACE2")
    return Path(named or STORIES.parents[1] / "helper/trace2").absolute()


def pin_environment():
    names = {name: value for name, value in os.environ.items()
             if not name.startswith(("GIT_", "TRACE_"))}
    names.update(LC_ALL="C", TZ="UTC", HOME="/nonexistent", COLUMNS="80")
    return names


def digest(data):
    """A long output: a line for every few of its lines."""
    lines = data.splitlines(keepends=True)
    parts = [b"".join(lines[at:at + LINES])
             for at in range(0, len(lines), LINES)]
    shown = [f"{at * LINES + 1} {hashlib.sha256(part).hexdigest()[:16]}\n"
             for at, part in enumerate(parts)]
    return (DIGEST.format(LINES, len(lines)) + "".join(shown)).encode()


class Story:
    """A folder with logs and outputs."""

    def __init__(self, name, path=None):
        self.name = name
        self.path = path or STORIES / name
        self.where, self.words = self.find_logs()

    def find_logs(self):
        """Where to run commands, and the words that stand for logs."""
        names = sorted(entry.name for entry in self.path.iterdir())
        logs = [name for name in names if name.startswith("log")]
        sets = {"A": [name for name in names if name.startswith("a.")],
                "B": [name for name in names if name.startswith("b.")]}
        where = self.path
        if "log" in names and (self.path / "log").is_file():
            where, logs = CORPUS, (self.path / "log").read_text().split()
            sets = {"A": logs[:1], "B": logs[1:2]}
        return where, {"LOGS": logs or sets["A"] + sets["B"],
                       "BACKWARDS": logs[::-1], **sets}

    def commands(self):
        own = self.path / "commands"
        lines = own.read_text().splitlines() if own.exists() else []
        return OUTPUTS | dict(line.split(maxsplit=1) for line in lines)

    def outputs(self):
        """The names of its outputs, without messages.txt."""
        commands = self.commands()
        names = (entry.name.removesuffix(".digest")
                 for entry in self.path.iterdir())
        return sorted(name for name in names if name in commands)

    def make(self, name):
        """An output as it is kept, and what was said about it."""
        made, said = make_output(find_trace2(), self.commands()[name],
                                 self.where, self.words, pin_environment())
        return SHOW.get(name, bytes)(made), said

    def make_all(self, names):
        """All of these outputs by name, and messages.txt unless it is empty."""
        made, messages = {}, []
        for name in names:
            made[name], said = self.make(name)
            messages += [f"{name}: {line}\n" for line in said]
        if messages:
            made[MESSAGES] = "".join(messages).encode()
        return made

    def check(self):
        """A difference of what is kept and what is made, as text."""
        made = self.make_all(self.outputs())
        kept = {MESSAGES} & {entry.name for entry in self.path.iterdir()}
        return "".join(self.compare(name, made.get(name, b""))
                       for name in sorted(kept | made.keys()))

    def compare(self, name, made):
        plain, digests = self.path / name, self.path / f"{name}.digest"
        if digests.exists():
            return self.compare_digests(digests, made)
        kept = plain.read_bytes() if plain.exists() else b""
        if kept == made:
            return ""
        lines = [data.decode(errors="backslashreplace").splitlines(True)
                 for data in (kept, made)]
        place = f"t/stories/{self.name}/{name}"
        return "".join(difflib.unified_diff(*lines, place, f"{place} (now)"))

    def compare_digests(self, kept, made):
        """Of a long output the lines as they are now."""
        before = kept.read_text().splitlines()
        after = digest(made).decode().splitlines()
        if before == after:
            return ""
        lines = made.decode(errors="backslashreplace").splitlines(True)
        text = f"t/stories/{self.name}/{kept.name}: not what it was\n"
        for line in after[1:]:
            if line not in before:
                at = int(line.split()[0])
                text += f"@@ lines {at} and following, now @@\n"
                text += "".join(lines[at - 1:][:LINES])
        return text

    def bless(self, more):
        names = sorted({*self.outputs(), *more}) or FIRST
        made = self.make_all(names)
        for name in {*names, MESSAGES}:
            for stale in (name, f"{name}.digest"):
                (self.path / stale).unlink(missing_ok=True)
        for name, data in made.items():
            long = len(data) > LONG
            path = self.path / (f"{name}.digest" if long else name)
            path.write_bytes(digest(data) if long else data)


def names_of_stories():
    return sorted(path.name for path in STORIES.iterdir()
                  if path.is_dir() and not path.name.startswith("__"))


def read_table():
    """Each row of STORIES.tsv: story, right, wrong today."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t",
                                   quoting=csv.QUOTE_NONE))


def run(verb, wanted):
    asked = {}
    for word in wanted or names_of_stories():
        name, _, output = word.strip("/").partition("/")
        asked.setdefault(name, []).extend([output] if output else [])
    stories = {Story(name): more for name, more in asked.items()}
    if verb == "show":
        for story, more in stories.items():
            for data in story.make_all(more or story.outputs()).values():
                sys.stdout.buffer.write(data)
        return 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if verb == "bless":
            list(pool.map(lambda item: item[0].bless(item[1]),
                          stories.items()))
            return 0
        found = "".join(pool.map(Story.check, stories))
    print(found or f"{len(stories)} stories are as they were")
    return 1 if found else 0


def main(arguments):
    if not arguments or arguments[0] not in ("check", "bless", "show"):
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    return run(arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
