"""Mutants that C itself makes equal to what they stand for: no test could
tell them apart, whatever the program does, so they are not counted.

1. One number for another where only its sign matters, or only whether it is
   0: `return 1` in a static function that is called in conditions alone.
   Who calls it stands in the same file.
2. Two texts that change places where it is only asked whether they are the
   same: `!strcmp(a, b)`.

    alike = Alike(unit.cursor, path)
    alike.is_same(site, kind, mutation)
"""

import collections
import re

from clang import cindex

K = cindex.CursorKind
# How a value is used, from little to much: not at all; is it 0; its sign.
NOTHING, TRUTH, SIGN, VALUE = range(4)
COMPARERS = ("strcmp", "strncmp", "memcmp", "strcasecmp", "strncasecmp")
NUMBER = re.compile(r"(\(*)(-?)(\d+)\)*")


class Alike:
    def __init__(self, root, path):
        self.uses = collections.defaultdict(list)  # function: [ancestors]
        self.values = {}  # extent of a number: its ancestors
        self.calls = {}  # extent of a call that compares: its ancestors
        self.asked = set()
        for cursor in root.get_children():
            if cursor.location.file and cursor.location.file.name == path:
                self.walk(cursor, ())

    def walk(self, node, above):
        """`above`: (node, which child of it), the nearest last."""
        if node.kind == K.DECL_REF_EXPR and node.referenced:
            if node.referenced.kind == K.FUNCTION_DECL:
                self.uses[node.referenced.get_usr()].append(above)
        if node.kind in (K.INTEGER_LITERAL, K.UNARY_OPERATOR):
            self.values[extent(node)] = above
        if node.kind == K.CALL_EXPR and node.spelling in COMPARERS:
            self.calls[extent(node)] = above
        for which, child in enumerate(node.get_children()):
            self.walk(child, (*above, (node, which)))

    def is_same(self, site, kind, mutation):
        place = site.start, site.end
        if kind == "arguments" and place in self.calls:
            return self.use(self.calls[place]) <= TRUTH
        if kind not in ("constant", "operator") or place not in self.values:
            return False
        old, new = value(site.original), value(mutation)
        if not old or not new:
            return False
        most = SIGN if (old > 0) == (new > 0) else TRUTH
        return self.use(self.values[place]) <= most

    # Uses

    def use(self, above):
        """Of the value that comes from below these nodes."""
        for at in range(len(above) - 1, -1, -1):
            node, which = above[at]
            if is_passed_on(node, which):
                continue
            if node.kind == K.RETURN_STMT:
                return self.returned(above[0][0])
            return used_by(node, which)
        return VALUE

    def returned(self, function):
        """What the callers of a function do with what it returns."""
        name = function.get_usr()
        if function.storage_class != cindex.StorageClass.STATIC:
            return VALUE
        if name in self.asked:
            return NOTHING  # a circle adds nothing
        self.asked.add(name)
        found = max(map(self.of_call, self.uses[name]), default=NOTHING)
        self.asked.remove(name)
        return found

    def of_call(self, above):
        """`above` a function's name: is it called, and for what?"""
        while above and above[-1][0].kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
            above = above[:-1]
        if not above or above[-1][0].kind != K.CALL_EXPR or above[-1][1]:
            return VALUE
        return self.use(above[:-1])


def extent(cursor):
    return cursor.extent.start.offset, cursor.extent.end.offset


def value(text):
    match = NUMBER.fullmatch(text)
    return int(match[2] + match[3]) if match else None


def is_passed_on(node, which):
    if node.kind == K.UNARY_OPERATOR:
        return operator(node) == "-"
    if node.kind in (K.PAREN_EXPR, K.UNEXPOSED_EXPR):
        return len(list(node.get_children())) == 1
    return node.kind == K.CONDITIONAL_OPERATOR and which > 0


def used_by(node, which):
    if node.kind in (K.IF_STMT, K.WHILE_STMT, K.CONDITIONAL_OPERATOR):
        return NOTHING if which else TRUTH
    if node.kind == K.DO_STMT:
        return TRUTH if which else NOTHING
    if node.kind == K.COMPOUND_STMT:
        return NOTHING
    if node.kind == K.UNARY_OPERATOR and operator(node) == "!":
        return TRUTH
    if node.kind == K.BINARY_OPERATOR:
        return compared(node, which)
    return VALUE


def compared(node, which):
    name = operator(node)
    if name in ("&&", "||"):
        return TRUTH
    other = list(node.get_children())[1 - which]
    if [t.spelling for t in other.get_tokens()] != ["0"]:
        return VALUE
    return {"==": TRUTH, "!=": TRUTH}.get(
        name, SIGN if name in ("<", "<=", ">", ">=") else VALUE)


def operator(node):
    """Of an expression with one or two sides."""
    children = list(node.get_children())
    tokens = list(node.get_tokens())
    if len(children) == 1:
        return tokens[0].spelling if tokens else ""
    end, start = extent(children[0])[1], extent(children[1])[0]
    return "".join(t.spelling for t in tokens
                   if end <= t.extent.start.offset < start)
