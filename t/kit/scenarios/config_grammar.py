"""The grammar of configuration files: what they say, what is an error."""

from kit.config import pairs, trace2
from kit.faults import fault
from kit.kit import scenario

# Texts that are right, each with a section of its own, and what they say.
GOOD = {
    "config.grammar.bom": (
        b"\xef\xbb\xbf[g-bom]\n\ta = 1\n", {"a": "1"},
    ),
    "config.grammar": (
        b"# remark\n;remark\n[g-grammar] # remark\n"
        b"\tkey-9 = 1 # remark\n  a=b=c;remark\n\n\t \n\tz == 2\n"
        b"[no-value]\n\tkey\n\tother \t\n",
        {"key-9": "1", "a": "b=c", "z": "= 2"},
    ),
    "config.grammar.case": (
        b'[G-CasE]\n\tKeY = Value\n[g-CASE "One"]\n\tA = 1\n'
        b'[g-case "one"]\n\ta = 2\n',
        {"key": "Value", "One.a": "1", "one.a": "2"},
    ),
    "config.grammar.old-subsection": (
        b"[g-old-subsection.B.Cd]\n\te = 1\n", {"b.cd.e": "1"},
    ),
    "config.grammar.same-line": (
        b"[g-same-line] a = 1\n[x][g-same-line] b = 2\n",
        {"a": "1", "b": "2"},
    ),
    "config.grammar.subsection": (
        b'[g-subsection "B c"] a = 1\n[g-subsection\t  "b.D"] a = 2\n'
        b'[g-subsection "\\"\\\\\\n\\]#;"] a = 3\n[g-subsection ""] a = 4\n',
        {"B c.a": "1", "b.D.a": "2", '"\\n]#;.a': "3", ".a": "4"},
    ),
    "config.grammar.blanks": (
        b"[g-blanks]\n\ta = \t b  c\td \t \n e\t=\n\tf = \" g \"\n"
        b'\th = " "  i # j\n\tk = " # ; " \n',
        {"a": "b  c\td", "e": "", "f": " g ", "h": "   i", "k": " # ; "},
    ),
    "config.grammar.quotes": (
        b'[g-quotes]\n\ta = b" c "d\n\te = ""\n\tf = "g""h"\n\ti = "j\\\nk"\n',
        {"a": "b c d", "e": "", "f": "gh", "i": "jk"},
    ),
    "config.grammar.escapes": (
        b'[g-escapes]\n\ta = \\"b\\\\c\\n\\t\\bd\n\te = "\\"\\\\\\n"\n',
        {"a": '"b\\c\n\t\bd', "e": '"\\\n'},
    ),
    "config.grammar.continuation": (
        b"[g-continuation]\n\ta = b\\\n c\n\td = e # f\\\n\tg = h\n",
        {"a": "b c", "d": "e", "g": "h"},
    ),
    "config.grammar.crlf": (  # the last one, for its last line has no end
        b'[g-crlf]\r\n\ta = 1\r\n\tb = "2"\r\n\r\n\tc = 3\\\r\n4\r\n\td = 5',
        {"a": "1", "b": "2", "c": "34", "d": "5"},
    ),
}
CUT = b"[g-continuation]\n\ti = j\\"


def section(name):
    return "g-" + name.rpartition(".")[2] + "."


TITLE = "config files are read by their grammar"


@scenario(TITLE, verbs=("001return",), ids=GOOD)
def good(kit):
    run = kit.run("001return", "0", targets=("event",),
                  env={"GIT_TRACE2_CONFIG_PARAMS": "g-*"}, files={
                      ".config/git/config": CUT,
                      ".gitconfig": b"".join(row[0] for row in GOOD.values()),
                  })
    found = dict(pairs(run))
    kit.equal("config.grammar.continuation",
              found.pop("g-continuation.i", None), "j")
    for name, (_, values) in GOOD.items():
        head = section(name)
        kit.equal(name, {key[len(head):]: value for key, value in found.items()
                         if key.startswith(head)}, values)
    kit.equal("config.grammar", run.stderr, b"")


for wrong in (
    ("config.grammar.bom", rb'"g-bom.a"', None),
    ("config.grammar", rb'"value":"b=c"', rb'"value":"b"'),
    ("config.grammar.case", rb'"g-case.One.a"', rb'"g-case.one.a"'),
    ("config.grammar.old-subsection", rb"\.b\.cd\.e", rb".B.Cd.e"),
    ("config.grammar.same-line", rb'"g-same-line.b"', None),
    ("config.grammar.subsection", rb'"g-subsection.B c.a"',
     rb'"g-subsection.b c.a"'),
    ("config.grammar.blanks", rb'"b  c\\td"', rb'"b c d"'),
    ("config.grammar.quotes", rb'"b c d"', rb'"b\\" c \\"d"'),
    ("config.grammar.escapes", rb"\\t\\bd", rb"tbd"),
    ("config.grammar.continuation", rb'"value":"b c"', rb'"value":"b"'),
    ("config.grammar.crlf", rb'(g-crlf.a","value":"1)', rb"\1\\r"),
):
    fault(wrong[0], TITLE, event=wrong[1:])

# Texts that are errors: nothing behind them counts.
BAD = {
    "config.grammar": {
        "open-header": b"[a\n",
        "header-with-underline": b"[a_b]\n",
        "header-with-blank": b"[a ]\n",
        "no-key": b"[a]\n\t= b\n",
        "key-begins-with-digit": b"[a]\n\t1b = c\n",
        "key-with-underline": b"[a]\n\tb_c = d\n",
        "two-words": b"[a]\n\tb c\n",
    },
    "config.grammar.subsection": {
        "not-set-off": b'[a"b"]\n',
        "blank-behind-quote": b'[a "b" ]\n',
        "line-end-in-subsection": b'[a "b\nc"]\n',
        "open-subsection": b'[a "b]\n',
    },
    "config.grammar.quotes": {
        "open-quote": b'[a]\n\tb = "c\n',
        "quote-again-open": b'[a]\n\tb = "c" "\n',
    },
    "config.grammar.escapes": {
        "escape-q": b"[a]\n\tb = \\q\n",
        "escape-r-in-quotes": b'[a]\n\tb = "\\r"\n',
    },
    "config.grammar.valueless-comment": {
        "comment-without-value": b"[a]\n\tb # c\n",
        "semicolon-without-value": b"[a]\n\tb ;c\n",
    },
}


TITLE = "nothing behind a syntax error counts"


@scenario(TITLE, verbs=("001return",), ids=BAD)
def bad(kit):
    for name, texts in BAD.items():
        for log, text in texts.items():
            target = b"{}/" + log.encode()
            run = kit.run("001return", "0", targets=(), files={
                ".gitconfig": text + trace2(eventTarget=target)})
            kit.lacks(name, run.files, log)


for name, texts in BAD.items():
    fault(name, TITLE, files=dict.fromkeys(list(texts)[-1:], b"{}\n"))
