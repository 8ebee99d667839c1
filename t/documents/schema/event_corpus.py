"""Logs of the corpora that follow from schemas and from stories.

    /usr/bin/python3 t/documents/schema/event_corpus.py [ROOT]

writes for each key of an event that has fewer than two logs of its own in
t/corpus/fail a log without the key and one with a value of another type, and
for an event that has none in t/corpus/pass its examples (`by-schema-*`). A
rule of streams that has fewer than two gets those stories of
t/commands/rules/stories in which nothing else is found (`by-story-*`). `make
corpus` renews them.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "t" / room)
                for room in ("common", "documents", "commands/rules")]

import schema_oracle  # noqa: E402
from req import rules as req_rules  # noqa: E402
from story_kit import read_stories  # noqa: E402

SID = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
MADE = ("by-schema-", "by-story-")
SCHEMA, STORY = MADE


def event(name, at, /, **own):
    common = {"event": name, "sid": SID, "thread": "main",
              "time": f"2026-01-14T09:30:42.{112403 + 100 * at}Z",
              "file": "git.c", "line": 42}  # fmt: skip
    return json.dumps({**common, **own}, separators=(",", ":"))


def process(*lines):
    """A whole process with these lines behind its start."""
    end = len(lines) + 2
    return [
        event("version", 0, evt="4", exe="2.55.0"),
        event("start", 1, t_abs=0.0002, argv=["git", "status"]),
        *lines,
        event("exit", end, t_abs=0.0004, code=0),
        event("atexit", end + 1, t_abs=0.0005, code=0),
    ]


def own_keys(name, example):
    return {key: example[key] for key in schema_oracle.own_properties(name)
            if key in example}  # fmt: skip


def examples(name):
    """The own keys of the examples of an event."""
    return [own_keys(name, example) for example
            in schema_oracle.events()[name]["examples"]]  # fmt: skip


def missing(name, key):
    own = {k: v for k, v in examples(name)[0].items() if k != key}
    return event(name, 2, **own), 1, 1, f"{name} without {key}"


def mistyped(name, key, check):
    wrong = "1" if "STRING" not in check.kinds else 5
    line = event(name, 2, **{**examples(name)[0], key: wrong})
    found = json.dumps(wrong)
    column = schema_oracle.positions(line.encode())[(key,)]
    return (line, column, len(found),
            f"{key}: expected {check.expected}, found {found}")


def cases(name, key, checks):
    """(name of the log, line, column, length, message)"""
    if key in schema_oracle.required(name):
        yield "missing", *missing(name, key)
    check = checks[name].checks[key]
    kind = "text" if "STRING" not in check.kinds else "number"
    yield kind, *mistyped(name, key, check)


def by_hand(folder, pattern):
    return [path for path in folder.glob(pattern)
            if not path.name.startswith(MADE)]  # fmt: skip


def text(lines):
    return "".join(f"{line}\n" for line in lines)


def fail_files(root, name, checks):
    for key in schema_oracle.own_properties(name):
        rule = f"event.{name}.{key}"
        if len(by_hand(root / "t/corpus/fail" / rule, "*.expect")) >= 2:
            continue
        for case, line, *place in cases(name, key, checks):
            path = f"fail/{rule}/{SCHEMA}{case}"
            row = "\t".join([rule, "3", *map(str, place)])
            yield f"{path}.event", text(process(line))
            yield f"{path}.expect", f"{row}\n"


def story_files(root):
    for story in read_stories(root / "t/commands/rules/stories", 1):
        rules = {found[4].partition("(")[0] for found in story.expected}
        rule = min(rules, default="")
        if (len(rules) != 1 or story.is_alone or rule[:7] != "stream."
                or len(by_hand(root / "t/corpus/fail" / rule, "*.expect")) >= 2):
            continue
        slug = re.sub(r"\W+", "-", story.name).strip("-")
        path = f"fail/{rule}/{STORY}{slug}"
        yield f"{path}.event", b"".join(
            line + b"\n" for line in story.lines).decode()
        yield f"{path}.expect", "".join(
            f"{rule}\t{line}\t{column}\t{width}\t{message}\n"
            for _, line, column, width, _, message in story.expected)


def files(root=ROOT):
    """{path below the corpus: its text}."""
    gen_tables = req_rules.load_gen_tables()
    _, checks = req_rules.schema_events(gen_tables, root / "schema")
    made = {}
    for name in schema_oracle.events():
        made.update(fail_files(root, name, checks))
        if not by_hand(root / "t/corpus/pass/event", f"{name}.event"):
            lines = [event(name, 2 + at, **own)
                     for at, own in enumerate(examples(name))]
            made[f"pass/event/{SCHEMA}{name}.event"] = text(process(*lines))
    made.update(story_files(root))
    return made


def main(root):
    for name, content in files(Path(root)).items():
        path = Path(root) / "t/corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


if __name__ == "__main__":
    main(*sys.argv[1:] or [ROOT])
