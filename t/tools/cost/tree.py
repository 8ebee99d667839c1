"""Changes a tree by operations that name a place, not a line.

    tree.after("trace2_cmd_mode_fl", "...")       behind a definition in C
    tree.before("verbs_git", "...")               before one
    tree.after_row("TR2_EVENTS", "CMD_MODE", "...")    behind a row of a table
    tree.replace("struct x", "int a;", "int b;")  a part of a definition
    tree.insert("SPEC.md", "### alias\\n", "...")  before a text of a file
    tree.append("SPEC.md", "| `a` |", "...")      behind a line that begins so
    tree.write("t/x", "...")                      a new file
    tree.extend("t/x", "...")                     at the end of a file

A definition is found in whatever file it is (see t/tools/faults/source.py). The
paths that were changed so are in `tree.hand`.
"""

import re

from faults import source


class Lost(Exception):
    """The place is not there just once."""


class Tree:
    def __init__(self, root):
        self.root = root
        self.hand = set()

    def _put(self, path, text):
        self.hand.add(str(path.relative_to(self.root)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _definition(self, name):
        """(path, text, start, end) of the one definition of that name; of
        those in a header and in a source the source's."""
        found = self._definitions(name)
        # A declaration has no body.
        found.sort(key=lambda one: (one[1][one[3] - 1] != "}", one[0].suffix))
        if not found:
            raise Lost(f"no definition of {name}")
        return found[0]

    def _definitions(self, name):
        found = []
        for path in self._sources(name):
            text = path.read_text()
            found += [(path, text, start, end) for names, start, end
                      in source.definitions(text) if name in names]
        return found

    def _sources(self, name):
        return [path for top in ("ref", "helper", "t/unit")
                for path in sorted((self.root / top).rglob("*.[ch]"))
                if name in path.read_text()]

    def after(self, name, new):
        path, text, _, end = self._definition(name)
        end = text.index("\n", end) + 1
        self._put(path, text[:end] + new + text[end:])

    def before(self, name, new):
        path, text, start, _ = self._definition(name)
        self._put(path, text[:start] + new + text[start:])

    def after_row(self, name, row, new):
        found = []
        for path, text, start, end in self._definitions(name):
            run = source.body(text, start, end, row)
            found += [(path, text, run[-1].end)] if run else []
        if len(found) != 1:
            raise Lost(f"{name}: {len(found)} rows {row}")
        path, text, end = found[0]
        end += text[end:end + 1] == ","
        self._put(path, text[:end] + new + text[end:])

    def replace(self, name, old, new):
        part = source.words(old)
        found = []
        for path, text, start, end in self._definitions(name):
            run = source.body(text, start, end)
            found += [(path, text, run[at].start, run[at + len(part) - 1].end)
                      for at in range(len(run) - len(part) + 1)
                      if [t.text for t in run[at:at + len(part)]] == part]
        if len(found) != 1:
            raise Lost(f"{name}: {len(found)} times {old!r}")
        path, text, start, end = found[0]
        self._put(path, text[:start] + new + text[end:])

    def insert(self, path, before, new):
        text = (self.root / path).read_text()
        if text.count(before) != 1:
            raise Lost(f"{path}: {text.count(before)} times {before!r}")
        self._put(self.root / path, text.replace(before, new + before))

    def append(self, path, begins, new):
        text = (self.root / path).read_text()
        found = re.findall(f"^{re.escape(begins)}.*\n", text, re.M)
        if len(found) != 1:
            raise Lost(f"{path}: {len(found)} lines begin with {begins!r}")
        self._put(self.root / path, text.replace(found[0], found[0] + new))

    def write(self, path, text):
        if (self.root / path).exists():
            raise Lost(f"{path} is there already")
        self._put(self.root / path, text)

    def replace_text(self, path, old, new):
        text = (self.root / path).read_text()
        if text.count(old) != 1:
            raise Lost(f"{path}: {text.count(old)} times {old!r}")
        self._put(self.root / path, text.replace(old, new))

    def extend(self, path, new):
        """At the end of a file."""
        text = (self.root / path).read_text()
        self._put(self.root / path, text + new)
