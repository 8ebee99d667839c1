"""Validate a log as a script would: json and jsonschema, line by line."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "common"))

import schema_oracle


def validators():
    """One validator an event type, references resolved from schema/."""
    names = schema_oracle.events()
    return {name: schema_oracle.validator(f"events/{name}") for name in names}


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
