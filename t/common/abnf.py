"""ABNF (RFC 5234) as regular expressions over bytes.

Only what regular expressions can say: a rule that needs itself is an
error. Strings are compared with case, as SPEC.md says of its grammars.
"""

import re

CORE = {
    "ALPHA": "[A-Za-z]",
    "CR": r"\r",
    "DIGIT": "[0-9]",
    "DQUOTE": '"',
    "HTAB": r"\t",
    "LF": r"\n",
    "OCTET": r"[\x00-\xff]",
    "SP": " ",
}

TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>"[^"]*")
      | %x(?P<range>[0-9A-F]+-[0-9A-F]+)
      | %x(?P<bytes>[0-9A-F]+(?:\.[0-9A-F]+)*)
      | (?P<repeat>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
      | (?P<mark>[()\[\]/])
    )""",
    re.VERBOSE,
)


class Grammar:
    def __init__(self):
        self._rules = {}
        self._patterns = {}

    def add(self, lines):
        """Add the rules of one block; a rule goes on where lines indent."""
        name = None
        for line in lines:
            line = strip_comment(line)
            match = re.match(r"([A-Za-z][A-Za-z0-9-]*) +=(.*)", line)
            if match:
                name = match.group(1)
                if name in self._rules:
                    raise ValueError(f"two rules {name}")
                self._rules[name] = match.group(2)
            elif line.strip():
                self._rules[name] += line
        return self

    def rules(self):
        return list(self._rules)

    def text(self, name):
        """What stands behind the `=` of a rule."""
        return self._rules[name]

    def pattern(self, name, within=()):
        """The regular expression of a rule, for text decoded as latin-1."""
        if name in CORE:
            return CORE[name]
        if name in within:
            raise ValueError(f"{name} needs itself")
        if name not in self._patterns:
            tokens = tokenise(self._rules[name])
            parser = Parser(self, tokens, (*within, name))
            self._patterns[name] = parser.all()
        return self._patterns[name]

    def match(self, name, text):
        return re.fullmatch(self.pattern(name), text, re.DOTALL)


def strip_comment(line):
    """What stands before a `;` that is not inside a string."""
    return re.match(r'(?:[^";]|"[^"]*")*', line).group()


def tokenise(text):
    at, tokens = 0, []
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"no ABNF: {text[at:]}")
        tokens.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return tokens


class Parser:
    def __init__(self, grammar, tokens, within):
        self._grammar = grammar
        self._tokens = tokens
        self._within = within

    def all(self):
        pattern = self._alternation()
        if self._tokens:
            raise ValueError(f"{self._within[-1]}: {self._tokens[0][1]}")
        return pattern

    def _peek(self, *marks):
        return self._tokens and self._tokens[0] in [("mark", m) for m in marks]

    def _alternation(self):
        options = [self._concatenation()]
        while self._peek("/"):
            self._tokens.pop(0)
            options.append(self._concatenation())
        return f"(?:{'|'.join(options)})"

    def _concatenation(self):
        parts = []
        while self._tokens and not self._peek("/", ")", "]"):
            parts.append(self._element())
        return "".join(parts)

    def _element(self):
        kind, text = self._tokens.pop(0)
        if kind == "repeat":
            low, star, high = text.partition("*")
            times = f"{{{low or 0},{high}}}" if star else f"{{{low}}}"
            return f"(?:{self._element()}){times}"
        if kind == "string":
            return re.escape(text[1:-1])
        if kind == "range":
            low, high = text.split("-")
            return rf"[\x{low.lower()}-\x{high.lower()}]"
        if kind == "bytes":
            return "".join(rf"\x{one.lower()}" for one in text.split("."))
        if kind == "name":
            return self._grammar.pattern(text, self._within)
        return self._group(text)

    def _group(self, mark):
        close = {"(": ")", "[": "]"}.get(mark)
        inner = self._alternation() if close else ""
        if not close or not self._peek(close):
            raise ValueError(f"{self._within[-1]}: {mark}")
        self._tokens.pop(0)
        return inner + "?" if mark == "[" else inner
