"""Reads the specification: its statements, headings and examples.

It has three documents; SPEC.md, the first, says in its chapter "Reading this
document" what is read here. docs/index.md is made from all of them.
"""

import bisect
import posixpath
import re
from collections import namedtuple

DOCUMENTS = ("SPEC.md", "TRACING.md", "docs/practice.md")
INDEX = "docs/index.md"
LEVELS = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY")
CLASSES = ("min", "full", "git", "git-config", "trace", "engine", "provider",
           "consumer")
EVIDENCE = ("document", "observed", "decision")
INFORMATIVE = ("consumer", "deviation", "erratum", "older", "practice")
FENCES = (
    "abnf",
    "console",
    "event",
    "normal",
    "normal brief",
    "perf",
    "perf brief",
    "python",
    "text",
)

ID_PART = "[a-z0-9_-]+"
ID = rf"{ID_PART}(?:\.{ID_PART})+"

class Statement(
    namedtuple("Statement", "id level classes evidence text line")
):
    """level is None, classes and evidence are empty, if it is informative."""

    @property
    def sentence(self):
        """The statement as it is shown without its level."""
        if prohibits(self.level):
            return f"{self.level} {self.text}"
        return self.text


class Heading(namedtuple("Heading", "depth text anchor line document")):
    def address(self, reader):
        """Its link in the document `reader`."""
        if self.document == reader:
            return f"#{self.anchor}"
        folder = posixpath.dirname(reader) or "."
        return f"{posixpath.relpath(self.document, folder)}#{self.anchor}"


Example = namedtuple("Example", "kind lines line")
Field = namedtuple("Field", "event name type required")

LINK = re.compile(r"\]\(([^)#:]*)#([^)]*)\)")
ITEM = re.compile(r"- \*\*`")
BINDING = re.compile(
    rf"- \*\*`({ID})`\*\* ([A-Z ]+) \[([a-z, -]+)\] \{{([a-z]+)\}}: (.+)"
)
NOTE = re.compile(rf"- \*\*`({ID})`\*\* informative: (.+)")
FIELD = re.compile(r"`(\w+)` \(([^)]+), (required|optional)\) ")
NEGATIVE = re.compile(
    r"\b(no|not|none|neither|never|nobody|nothing|cannot)\b", re.I
)
# What follows describes the object of the forbidden act.
RELATIVE = re.compile(r"\b(?:that|whose|which|when|where|while)\b")
CITATION = re.compile(r"SPEC:((?:[^\n]*,\n)*[^\n]*)")
CITED = re.compile(rf"(?:{ID}|{ID_PART})\.\*|{ID}")


def prohibits(level):
    """Is the text of this level a forbidden act?"""
    return level in ("MUST NOT", "SHOULD NOT")


class Spec:
    """What the specification holds; `problems` are lines of a wrong form.

    The lines of all documents are counted on, as if they were one text.
    """

    def __init__(self, *texts):
        self.statements = []
        self.headings = []
        self.examples = []
        self.problems = []
        self._prose = []
        self._starts = []
        lines = []
        for text in texts:
            self._starts.append(len(lines))
            lines += text.splitlines()
        self._read(lines)
        self.ids = {one.id for one in self.statements}

    def _document(self, line):
        return bisect.bisect(self._starts, line - 1) - 1

    def place(self, line):
        """`SPEC.md: line 12` of a line."""
        at = self._document(line)
        return f"{DOCUMENTS[at]}: line {line - self._starts[at]}"

    def _read(self, lines):
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.startswith("```"):
                end = lines.index("```", at)
                example = Example(line[3:], lines[at:end], at)
                self.examples.append(example)
                at = end + 1
            elif line.startswith("#"):
                self._heading(line, at)
            elif ITEM.match(line):
                self._item(line, at)
            if not line.startswith("```"):
                self._prose.append((at, line))

    def _heading(self, line, number):
        marks, _, text = line.partition(" ")
        kept = re.sub(r"[^\w -]", "", text.lower())
        anchor = kept.replace(" ", "-")
        self.headings.append(Heading(len(marks), text, anchor, number,
                                     DOCUMENTS[self._document(number)]))

    def _item(self, line, number):
        match = BINDING.fullmatch(line)
        if match:
            name, level, classes, evidence, text = match.groups()
            classes = tuple(classes.split(", "))
            found = Statement(name, level, classes, evidence, text, number)
            self.statements.append(found)
            return
        match = NOTE.fullmatch(line)
        if not match:
            self.problems.append(
                f"{self.place(number)}: no statement: {line[:60]}")
            return
        name, text = match.groups()
        self.statements.append(Statement(name, None, (), "", text, number))

    def links(self):
        """(line, document, anchor) of every link into the specification."""
        for number, line in self._prose:
            here = DOCUMENTS[self._document(number)]
            for document, anchor in LINK.findall(line):
                path = posixpath.join(posixpath.dirname(here), document)
                name = posixpath.normpath(path) if document else here
                if name in DOCUMENTS:
                    yield number, name, anchor

    def mentions(self):
        """(line, id) of every id that the text names between backticks."""
        chapters = {one.split(".")[0] for one in self.ids}
        for number, line in self._prose:
            for name in re.findall(rf"`({ID})`", line):
                if name.split(".")[0] in chapters:
                    yield number, name

    def table(self, *heads):
        """The rows of the table whose head begins with these cells."""
        start = "| " + " | ".join(heads) + " |"
        lines = iter(line for _, line in self._prose)
        for line in lines:
            if line.startswith(start):
                break
        next(lines)
        for line in lines:
            if not line.startswith("|"):
                return
            yield [cell.strip() for cell in line.strip("|").split("|")]

    def fields(self):
        """The own fields of events, in the order of the line."""
        for one in self.statements:
            match = FIELD.match(one.text)
            parts = one.id.split(".")
            if match and parts[0] == "event" and parts[1] != "common":
                name, kind, presence = match.groups()
                required = presence == "required"
                yield Field(parts[1], name, kind, required)

    def names(self, cited):
        """Does `cited` name a statement, or a chapter (`json.*`)?"""
        if cited.endswith(".*"):
            return any(one.startswith(cited[:-1]) for one in self.ids)
        return cited in self.ids


def read(root):
    """The specification in that folder."""
    return Spec(*((root / name).read_text() for name in DOCUMENTS))


def wrong_statements(spec):
    """What is wrong with statements, one line each."""
    seen = set()
    for one in spec.statements:
        for problem in _wrong(one, seen):
            yield f"{spec.place(one.line)}: {one.id}: {problem}"
        seen.add(one.id)


def _wrong(one, seen):
    if one.id in seen:
        yield "the id is there already"
    if not one.text.endswith("."):
        yield "no full stop at the end"
    informative = one.id.split(".")[0] in INFORMATIVE
    if informative != (one.level is None):
        yield f"only {INFORMATIVE} are informative"
    if one.level is not None:
        yield from _wrong_columns(one)
        yield from _wrong_wording(one)


def _wrong_columns(one):
    if one.level not in LEVELS:
        yield f"unknown level {one.level}"
    if not set(one.classes) <= set(CLASSES):
        yield f"unknown class in {', '.join(one.classes)}"
    elif list(one.classes) != [c for c in CLASSES if c in one.classes]:
        yield "classes out of order or twice"
    if one.evidence not in EVIDENCE:
        yield f"unknown evidence {one.evidence}"


def _wrong_wording(one):
    words = re.sub(r"``[^`].*?``|`[^`]*`", "x", one.text)
    if re.search(r"[.!?] ", words):
        yield "more than one sentence"
    if prohibits(one.level):
        yield from _wrong_prohibition(words)
    elif one.text[0].islower():
        yield "a rule without a subject"


def _wrong_prohibition(words):
    if not re.match("[a-z]+ ", words):
        yield "a prohibition that is no verb phrase"
    if NEGATIVE.search(RELATIVE.split(words)[0]):
        yield "a prohibition with a second negative"


def citations(text):
    """(line, id or chapter.*) of every `SPEC:` citation in a source."""
    for match in CITATION.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        for cited in CITED.findall(match.group(1)):
            yield number, cited
