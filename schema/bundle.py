"""Put a schema and all that it refers to into one file.

    /usr/bin/python3 schema/bundle.py schema/evt4.schema.json > bundle.json

The other files become definitions of the first one, and every reference a
pointer within the file: tools that know nothing of `$id` understand it.
"""

import json
import sys
from pathlib import Path


class Bundle:
    """The definitions found so far, by name; each file has one."""

    def __init__(self, path):
        self.start = path.resolve()
        self.definitions = {}

    def schema(self):
        root = self.localise(read(self.start), self.start)
        root["$id"] = root["$id"].replace(".schema.json", ".bundle.json")
        root["$defs"] = dict(sorted(self.definitions.items()))
        return root

    def localise(self, value, path):
        """The same schema with references that stay in the bundle."""
        if isinstance(value, list):
            return [self.localise(item, path) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self.pointer(item, path)
            if key == "$ref"
            else self.localise(item, path)
            for key, item in value.items()
        }

    def pointer(self, reference, path):
        file, _, fragment = reference.partition("#")
        target = (path.parent / file).resolve() if file else path
        return f"#/$defs/{self.define(target)}{fragment}"

    def define(self, path):
        """Take a file in, with its own `$defs`; gives its name."""
        name = path.name.removesuffix(".schema.json")
        if name not in self.definitions:
            self.definitions[name] = None  # a file may refer to itself
            schema = self.localise(read(path), path)
            for key in ("$schema", "$id"):
                del schema[key]
            self.definitions[name] = schema
        return name


def read(path):
    return json.loads(path.read_text())


if __name__ == "__main__":
    json.dump(Bundle(Path(sys.argv[1])).schema(), sys.stdout, indent=1)
    print()
