"""Validate a log as a script would: json and jsonschema, line by line."""

import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "schema"


def validators():
    """One validator an event type, references resolved from schema/."""
    store = {}
    for path in SCHEMA.rglob("*.schema.json"):
        schema = json.loads(path.read_text())
        store[schema["$id"]] = schema
    made = {}
    for path in (SCHEMA / "events").glob("*.schema.json"):
        schema = json.loads(path.read_text())
        resolver = jsonschema.RefResolver(schema["$id"], schema, store)
        name = path.name.split(".")[0]
        made[name] = jsonschema.Draft202012Validator(schema,
                                                     resolver=resolver)
    return made


def main():
    by_event = validators()
    bad = 0
    with open(sys.argv[1], "rb") as log:
        for line in log:
            event = json.loads(line)
            validator = by_event.get(event["event"])
            if validator and not validator.is_valid(event):
                bad += 1
    print(f"bad {bad}")


if __name__ == "__main__":
    main()
