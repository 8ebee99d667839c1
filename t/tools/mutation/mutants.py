"""Finds the mutants of a C file: small edits, each of which should fail a test.

    source = read("ref/base/quote.c", ["-Iref"])
    for site in source.sites: print(site.line, site.edits)

A site is an expression, or a statement, that is evaluated at run time; an
edit is (kind, the text that stands in its place). Left alone is what is not
evaluated (constants of case labels, static tables, sizes of arrays), and
what a macro expands to, unless it is a number.

kinds: operator, constant, string, condition, removed, returned, field,
arguments. Those that C makes equal to the original are told by alike.py.
"""

import bisect
import dataclasses
import re
from pathlib import Path

from alike import Alike
from clang import cindex

K = cindex.CursorKind
T = cindex.TypeKind

BINARY = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "/=",
    "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=",
}  # fmt: skip
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
# What a statement may be to be removed, beside an expression.
JUMPS = (K.BREAK_STMT, K.CONTINUE_STMT, K.GOTO_STMT)
# Not evaluated, or not at run time.
UNEVALUATED = (K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.TYPEDEF_DECL,
               K.STATIC_ASSERT)  # fmt: skip
NOTHING = ("0", "NULL", "false")


@dataclasses.dataclass
class Site:
    start: int
    end: int
    line: int
    function: str
    original: str
    is_statement: bool = False
    is_condition: bool = False
    edits: list = dataclasses.field(default_factory=list)


class Source:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.found = {}
        self.macros = []
        self.alike = None

    @property
    def sites(self):
        """Outer ones before what is in them."""
        return sorted(self.found.values(), key=lambda s: (s.start, -s.end))

    def line(self, offset):
        return self.text.count("\n", 0, offset) + 1


def read(path, flags, parsed=None):
    """The Source of a file; flags are the compiler's."""
    text = Path(path).read_bytes().decode("latin-1")
    source = Source(str(path), text)
    unit = (parsed or cindex.Index.create()).parse(
        str(path), args=flags,
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )
    here = [c for c in unit.cursor.get_children()
            if c.location.file and c.location.file.name == str(path)]
    source.alike = Alike(unit.cursor, str(path))
    source.macros = sorted(extent(c) for c in here
                           if c.kind == K.MACRO_INSTANTIATION)
    for cursor in here:
        if cursor.kind == K.FUNCTION_DECL and cursor.is_definition():
            Finder(source, cursor.spelling).function(cursor)
    return source


def extent(cursor):
    return cursor.extent.start.offset, cursor.extent.end.offset


class Finder:
    """Walks one function."""

    def __init__(self, source, function):
        self.source = source
        self.name = function

    def text(self, cursor):
        start, end = extent(cursor)
        return self.source.text[start:end]

    def is_macro(self, cursor):
        start, end = extent(cursor)
        at = bisect.bisect(self.source.macros, (start, len(self.source.text)))
        return any(first <= start and end <= last
                   for first, last in self.source.macros[max(0, at - 4):at])

    # What is found

    def add(self, span, kind, *texts, **is_what):
        start, end = span
        original = self.source.text[start:end]
        site = self.source.found.setdefault((start, end), Site(
            start, end, self.source.line(start), self.name, original))
        for name, value in is_what.items():
            setattr(site, name, value)
        for text in texts:
            edit = kind, text
            if text != original and text not in [t for _, t in site.edits]:
                site.edits.append(edit)

    def function(self, cursor):
        for child in cursor.get_children():
            if child.kind == K.COMPOUND_STMT:
                self.walk(child)

    def walk(self, node, parent=None):
        if node.kind in UNEVALUATED:
            return
        if self.is_macro(node):
            self.named_number(node)
            return
        special = SPECIAL.get(node.kind)
        if special:
            special(self, node, parent)
        else:
            self.walk_all(node)

    def walk_all(self, node):
        for child in node.get_children():
            self.walk(child, node)

    # Statements

    def body(self, *statements):
        """Statements, each of which may be removed."""
        for one in statements:
            if one.kind.is_expression() or one.kind in JUMPS:
                self.removable(one)
            elif one.kind == K.RETURN_STMT and not list(one.get_children()):
                self.removable(one)
            self.walk(one)

    def removable(self, node):
        start, end = extent(node)
        closed = re.compile(r"\s*;").match(self.source.text, end)
        if closed and not self.text(node).startswith("(void)"):
            self.add((start, closed.end()), "removed", "", is_statement=True)

    def compound(self, node, parent):
        children = list(node.get_children())
        self.body(*children)

    def switch(self, node, parent):
        """The last break of a switch ends what ends anyway."""
        *rest, block = node.get_children()
        for child in rest:
            self.walk(child, node)
        self.walk(block)
        found = list(block.get_children())
        while found and found[-1].kind in (K.CASE_STMT, K.DEFAULT_STMT):
            found = list(found[-1].get_children())
        if found and found[-1].kind == K.BREAK_STMT:
            start, end = extent(found[-1])
            self.source.found.pop((start, end + 1), None)

    def case(self, node, parent):
        self.body(*list(node.get_children())[-1:])

    def returned(self, node, parent):
        for value in node.get_children():
            if self.is_macro(value):
                continue
            if self.is_truth(value):
                self.condition(value, "0", "1")
            elif (self.text(value) not in NOTHING
                  and not re.match(r"\d", self.text(value))):
                self.add(extent(value), "returned", "0")
            self.walk(value, node)

    # Conditions

    def operator(self, node):
        """Of a binary one."""
        left, right = node.get_children()
        between = self.source.text[extent(left)[1]:extent(right)[0]]
        return re.sub(r"/\*.*?\*/", "", between, flags=re.S).strip()

    def is_truth(self, node):
        node = bare(node)
        if node.kind == K.BINARY_OPERATOR:
            return self.operator(node) in (*RELATIONS, "&&", "||")
        return (node.kind == K.UNARY_OPERATOR
                and self.text(node).startswith("!"))

    def condition(self, node, *forced):
        """Forced to the values given; negated, where that says more."""
        if self.is_macro(node):
            return
        inner = bare(node)
        if self.text(inner) in ("0", "1"):
            return
        self.add(extent(node), "condition", *forced, is_condition=True)
        if len(forced) == 1 and not self.is_truth(node):
            self.add(extent(node), "condition", f"!({self.text(node)})")

    def branch(self, node, parent):
        condition, *bodies = node.get_children()
        self.condition(condition, "0", "1")
        self.walk(condition, node)
        self.body(*bodies)

    def loop(self, node, parent):
        """A condition forced to be true is not asked for: it never ends."""
        condition, body = node.get_children()
        self.condition(condition, "0")
        self.walk(condition, node)
        self.body(body)

    def do_loop(self, node, parent):
        body, condition = node.get_children()
        self.condition(condition, "0")
        self.walk(condition, node)
        self.body(body)

    def for_loop(self, node, parent):
        """Its parts are told apart by the semicolons."""
        *parts, body = node.get_children()
        if not self.text(node).startswith("for"):  # its head is a macro
            self.body(body)
            return
        first, second = semicolons(self.source.text, extent(node)[0])
        for part in parts:
            if first < extent(part)[0] < second:
                self.condition(part, "0")
            if part.kind != K.UNARY_OPERATOR or extent(part)[0] < second:
                self.walk(part, node)
        self.body(body)

    def choice(self, node, parent):
        self.condition(next(node.get_children()), "0", "1")
        self.walk_all(node)

    # Expressions

    def is_forced(self, node, operator):
        """Forced both ways, an equation need not be turned round, too."""
        site = self.source.found.get(extent(node))
        return operator in ("==", "!=") and site and len(site.edits) > 1

    def binary(self, node, parent):
        left, right = node.get_children()
        operator = self.operator(node)
        a, b = self.text(left), self.text(right)
        if operator == "-" and is_pointer(left) and is_pointer(right):
            pass
        elif operator in BINARY and not self.is_forced(node, operator):
            self.add(extent(node), "operator", f"{a} {BINARY[operator]} {b}")
        if operator in ("&&", "||"):
            for side in (left, right):
                self.condition(side, "1" if operator == "&&" else "0")
        self.walk_all(node)

    def unary(self, node, parent):
        text = self.text(node)
        self.walk_all(node)
        (operand,) = node.get_children()
        if text[:2] in ("++", "--") or text[-2:] in ("++", "--"):
            swapped = text.translate(str.maketrans("+-", "-+"))
            if parent and parent.kind not in (K.FOR_STMT, K.COMPOUND_STMT):
                if "->" not in text:
                    self.add(extent(node), "operator", swapped)
        elif text[0] == "!" and extent(node) not in self.source.found:
            self.add(extent(node), "condition", f"!!({self.text(operand)})")
        elif text[0] in "-~":
            self.add(extent(node), "operator", f"({self.text(operand)})")

    def integer(self, node, parent):
        match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)",
                             self.text(node))
        if not match:
            return
        digits = match[1]
        value = int(digits, 8 if re.fullmatch(r"0\d+", digits) else 0)
        others = (1,) if value == 0 else (value - 1, value + 1)
        self.add(extent(node), "constant",
                 *(f"{other}{match[2]}" for other in others))

    def named_number(self, node):
        """A macro that is a number, but for what only compilers take."""
        text = self.text(node)
        if (node.kind == K.INTEGER_LITERAL and text.isidentifier()
                and not text.startswith("__")):
            self.add(extent(node), "constant", f"({text} + 1)")

    def character(self, node, parent):
        self.add(extent(node), "constant", f"({self.text(node)} + 1)")

    def string(self, node, parent):
        """Only where it is a pointer: it may initialise an array."""
        if (parent and parent.kind == K.UNEXPOSED_EXPR
                and parent.type.kind == T.POINTER):
            is_empty = self.text(node) == '""'
            self.add(extent(node), "string", '"?"' if is_empty else '""')

    def size(self, node, parent):
        if self.text(node).startswith("sizeof"):
            self.add(extent(node), "constant", f"({self.text(node)} - 1)")

    def name(self, node, parent):
        named = node.referenced
        if named and named.kind == K.ENUM_CONSTANT_DECL:
            self.add(extent(node), "constant", f"({self.text(node)} + 1)")

    def member(self, node, parent):
        """Another field of the same type, where the field is read."""
        self.walk_all(node)
        field = node.referenced
        if not parent or parent.kind != K.UNEXPOSED_EXPR or not field:
            return
        alike = [f.spelling for f in field.semantic_parent.get_children()
                 if f.kind == K.FIELD_DECL and f.spelling
                 and plain(f) == plain(field)]
        if len(alike) > 1 and self.text(node).endswith(field.spelling):
            other = alike[(alike.index(field.spelling) + 1) % len(alike)]
            start = self.text(node)[:-len(field.spelling)]
            self.add(extent(node), "field", start + other)

    def call(self, node, parent):
        self.walk_all(node)
        given = list(node.get_arguments())
        if any(self.is_macro(one) and extent(one) == extent(node)
               for one in given):
            return
        for a, b in zip(given, given[1:]):
            if plain(a) == plain(b) and self.text(a) != self.text(b):
                self.add(extent(node), "arguments", self.swapped(node, a, b))
                return

    def swapped(self, node, a, b):
        text = self.source.text
        start, end = extent(node)
        between = text[extent(a)[1]:extent(b)[0]]
        return (text[start:extent(a)[0]] + self.text(b) + between
                + self.text(a) + text[extent(b)[1]:end])

    def variable(self, node, parent):
        """What initialises it, not the size of an array."""
        if node.storage_class == cindex.StorageClass.STATIC:
            return
        for child in node.get_children():
            before = self.source.text[extent(node)[0]:extent(child)[0]]
            if "=" in before:
                self.walk(child, node)


SPECIAL = {
    K.COMPOUND_STMT: Finder.compound,
    K.SWITCH_STMT: Finder.switch,
    K.CASE_STMT: Finder.case,
    K.DEFAULT_STMT: Finder.case,
    K.LABEL_STMT: Finder.case,
    K.RETURN_STMT: Finder.returned,
    K.IF_STMT: Finder.branch,
    K.WHILE_STMT: Finder.loop,
    K.DO_STMT: Finder.do_loop,
    K.FOR_STMT: Finder.for_loop,
    K.CONDITIONAL_OPERATOR: Finder.choice,
    K.BINARY_OPERATOR: Finder.binary,
    K.COMPOUND_ASSIGNMENT_OPERATOR: Finder.binary,
    K.UNARY_OPERATOR: Finder.unary,
    K.INTEGER_LITERAL: Finder.integer,
    K.CHARACTER_LITERAL: Finder.character,
    K.STRING_LITERAL: Finder.string,
    K.CXX_UNARY_EXPR: Finder.size,
    K.DECL_REF_EXPR: Finder.name,
    K.MEMBER_REF_EXPR: Finder.member,
    K.CALL_EXPR: Finder.call,
    K.VAR_DECL: Finder.variable,
}


def bare(node):
    """Without parentheses and conversions."""
    while node.kind in (K.PAREN_EXPR, K.UNEXPOSED_EXPR):
        inner = list(node.get_children())
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def plain(node):
    kind = node.type.get_canonical().spelling
    return re.sub(r"\bconst\b ?", "", kind)


def is_pointer(node):
    return node.type.get_canonical().kind in (T.POINTER, T.CONSTANTARRAY)


def semicolons(text, start):
    """Where the two in the head of a for loop are."""
    token = re.compile(r"'(?:\\.|[^'])*'|\"(?:\\.|[^\"])*\"|[();]")
    depth, found = 0, []
    for match in token.finditer(text, start):
        if match[0] == ";" and depth == 1:
            found.append(match.start())
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth:
            break
    return found[:2]
