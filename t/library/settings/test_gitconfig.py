"""Our reader of git's config files beside the installed git.

The grammar is compared by `git config --list --file`, which reads nothing
else; whole scopes in test_gitconfig_scopes.py.
"""

import re

import hypothesis
import hypothesis.strategies as st
import pytest

LINE = re.compile(rb"bad config line (\d+) in file")

GOOD = {
    "nothing": b"",
    "one value": b"[a]\nb = c\n",
    "no line end at the end": b"[a]\nb = c",
    "section and key share a line": b"[a] b = c\n",
    "two sections share a line": b"[a][b] c = d\n",
    "upper case": b"[SeCtIoN]\nKEY = VaLuE\n",
    "digits and dashes": b"[9-a]\nb-9- = c\n",
    "section of a dash": b"[-]\na = 1\n",
    "empty section with a subsection": b'[ "a"]\nb = 1\n',
    "key before any section": b"a = 1\n[b]\nc = 2\n",
    "dotted section": b"[a.B.c]\nd = e\n",
    "section of dots": b"[..]\na = 1\n",
    "subsection": b'[a "B c"]\nd = e\n',
    "subsection behind a tab": b'[a\t"b"]\nc = 1\n',
    "subsection behind blanks": b'[a \t  "b"]\nc = 1\n',
    "dotted section with a subsection": b'[a.B "C"]\nd = 1\n',
    "empty subsection": b'[a ""]\nb = c\n',
    "subsection with dots": b'[a "b.c.D"]\ne = f\n',
    "subsection with brackets": b'[a "]["]\nb = 1\n',
    "subsection with a comment sign": b'[a "#;"]\nb = 1\n',
    "escapes in a subsection": b'[a "\\b\\"\\\\\\n\\]"]\nb = 1\n',
    "tab and CR in a subsection": b'[a "b\tc\rd"]\ne = 1\n',
    "bytes over 0x7f in a subsection": b'[a "\xc3\xa4\xff"]\nb = 1\n',
    "header again": b"[a]\nb=1\n[c]\nb=2\n[a]\nb=3\n",
    "no blanks": b"[a]\nb=c\n",
    "many blanks": b"  [a]  \n \t b \t = \t c \t \n",
    "inner blanks": b"[a]\nb = c  d   e\n",
    "empty value": b"[a]\nb =\nc = \nd =\t\n",
    "value of quotes alone": b'[a]\nb = ""\n',
    "value with equal signs": b"[a]\nb == c = d\n",
    "value with brackets": b"[a]\nb = [c]\n",
    "no value": b"[a]\nb\nc  \n\td\t\n",
    "no value and no line end": b"[a]\nb",
    "no value before CRLF": b"[a]\r\nb\r\n",
    "comments": b"# a\n; b\n[a] # c\n; d\nb = c ; d\ne = f#g\n",
    "comment at the end": b"[a]\nb = 1\n# c",
    "comment behind a section": b"[a];[b]\nc = 1\n",
    "comment with a quote": b'[a]\nb = c # "d\ne = f\n',
    "comment with a backslash": b"[a]\nb = c # d\\\ne = f\n",
    "comment sign in quotes": b'[a]\nb = "c # d ; e" # f\n',
    "comment for a value": b"[a]\nb = # c\nd =; e\n",
    "quotes": b'[a]\nb = " c "\n',
    "quotes in the middle": b'[a]\nb = c" d "e\n',
    "quotes beside blanks": b'[a]\nb = c " d " e\n',
    "trailing blanks before quotes": b'[a]\nb = c  ""  \n',
    "leading quotes": b'[a]\nb = ""  c\n',
    "tab in quotes": b'[a]\nb = "c\td"\n',
    "escapes": b'[a]\nb = c\\nd\\te\\bf\\\\g\\"h\n',
    "escapes in quotes": b'[a]\nb = "c\\nd\\te\\bf\\\\g\\"h"\n',
    "escapes at the ends": b"[a]\nb = \\tc\\t\n",
    "blank before an escape": b"[a]\nb = c \\t d\n",
    "continuation": b"[a]\nb = c\\\nd\n",
    "continuation with blanks": b"[a]\nb = c \\\n  d\n",
    "continuation before a value": b"[a]\nb = \\\n  c\n",
    "continuation before nothing": b"[a]\nb = c \\\n\nd = e\n",
    "continuation at the end": b"[a]\nb = c\\\n",
    "continuation cut short": b"[a]\nb = c\\",
    "continuation in quotes": b'[a]\nb = "c \\\n d"\n',
    "continuation before a comment": b"[a]\nb = c \\\n# d\ne = f\n",
    "continuation by CRLF": b"[a]\r\nb = c \\\r\n  d\r\n",
    "two continuations": b"[a]\nb = c\\\n\\\nd\n",
    "CRLF": b"[a]\r\nb = c\r\n\r\nd = e\r\n",
    "CR at the end of the file": b"[a]\nb = c\r",
    "BOM": b"\xef\xbb\xbf[a]\nb = c\n",
    "BOM and nothing": b"\xef\xbb\xbf",
    "blank lines": b"\n\n \t\n[a]\n\n\nb = c\n\n",
    "bytes over 0x7f": b"[a]\nb = \xc3\xa4\xff\n",
    "control bytes": b"[a]\nb = \x01\x0b\x0c\x7f\n",
    "NUL in a value": b"[a]\nb = c\0d\n",
    "NUL in a comment": b"#\0\n[a]\nb = c\n",
    "long value": b"[a]\nb = " + b"x" * 100_000 + b"\nc = d\n",
    "long key": b"[" + b"s" * 3000 + b"]\n" + b"k" * 3000 + b" = v\n",
    "many keys": b"[a]\n" + b"".join(b"k%d = %d\n" % (i, i) for i in range(3000)),
    "same key twice": b"[a]\nb = 1\nb = 2\nB = 3\n",
}

# Each keeps what stands before the error.
BAD = {
    "key of a digit": b"[a]\nok = 1\n1b = c\n",
    "key of a dash": b"[a]\nok = 1\n-b = c\n",
    "key with a dot": b"[a]\nok = 1\nb.c = d\n",
    "key with an underscore": b"[a]\nok = 1\nb_c = d\n",
    "key with a byte over 0x7f": b"[a]\nok = 1\nb\xc3 = d\n",
    "two words": b"[a]\nok = 1\nb c\n",
    "comment behind a key": b"[a]\nok = 1\nb # c\n",
    "comment directly behind a key": b"[a]\nok = 1\nb;\n",
    "CR behind a key": b"[a]\nok = 1\nb \r x\n",
    "equal sign alone": b"[a]\nok = 1\n= b\n",
    "quote alone": b'[a]\nok = 1\n"b" = c\n',
    "section not closed": b"[a]\nok = 1\n[b\nc = d\n",
    "section cut short": b"[a]\nok = 1\n[b",
    "section with an underscore": b"[a]\nok = 1\n[b_c]\nd = 1\n",
    "blank before the bracket": b"[a]\nok = 1\n[b ]\nc = 1\n",
    "blank after the bracket": b"[a]\nok = 1\n[ b]\nc = 1\n",
    "subsection without a blank": b'[a]\nok = 1\n[b"c"]\nd = 1\n',
    "blank behind a subsection": b'[a]\nok = 1\n[b "c" ]\nd = 1\n',
    "subsection without quotes": b"[a]\nok = 1\n[b c]\nd = 1\n",
    "subsection over two lines": b'[a]\nok = 1\n[b "c\nd"]\ne = 1\n',
    "escaped line end in a subsection": b'[a]\nok = 1\n[b "c\\\nd"]\ne = 1\n',
    "subsection cut short": b'[a]\nok = 1\n[b "c',
    "bracket of a subsection missing": b'[a]\nok = 1\n[b "c"\nd = 1\n',
    "quote not closed": b'[a]\nok = 1\nb = "c\nd = e\n',
    "quote cut short": b'[a]\nok = 1\nb = "c',
    "unknown escape": b"[a]\nok = 1\nb = \\x\n",
    "upper-case escape": b"[a]\nok = 1\nb = \\N\n",
    "escaped blank": b"[a]\nok = 1\nb = \\ c\n",
    "escaped CR": b"[a]\nok = 1\nb = c\\\rd\n",
    "escaped NUL": b"[a]\nok = 1\nb = c\\\0d\n",
    "half a BOM": b"\xef\xbb[a]\nb = c\n",
    "BOM in the middle": b"[a]\nok = 1\n\xef\xbb\xbf[b]\nc = d\n",
    "NUL between statements": b"[a]\nok = 1\n\0\n",
    "empty section": b"[a]\nok = 1\n[]\nb = 1\n",
    "backslash for a section": b"[a]\nok = 1\n[\\]\nb = 1\n",
    "other byte for a section": b"[a]\nok = 1\n[^]\nb = 1\n",
    "section over two lines": b'[a]\nok = 1\n[b\n"c"]\nd = 1\n',
    "two bytes of a BOM": b"\xef\xbb",
    "other third byte of a BOM": b"\xef\xbbx[a]\nb = 1\n",
    "bracket closed twice": b"[a]\nok = 1\n[b]]\nc = 1\n",
}


def without_scope(listing):
    """[key LF value, ...] of a listing with scopes."""
    words = listing.split(b"\0")
    assert words.pop() == b"" and len(words) % 2 == 0
    return words[1::2]


@pytest.fixture
def ours(execute, test_tool, scratch):
    """(what we list, the line of the first error or None)."""

    def call(text):
        (scratch / "config").write_bytes(text)
        done = execute(
            [test_tool, "gitconfig", "list"],
            env={"GIT_CONFIG_GLOBAL": scratch / "config"},
        )
        line = LINE.search(done.stderr)
        assert done.returncode == 0 and (line or not done.stderr)
        return without_scope(done.stdout), line and int(line[1])

    return call


@pytest.fixture
def gits(execute, scratch):
    """The same from git."""

    def call(text):
        (scratch / "config").write_bytes(text)
        command = ["git", "config", "--list", "-z", "--file", "config"]
        done = execute(command)
        line = LINE.search(done.stderr)
        assert done.returncode == (128 if line else 0)
        return done.stdout.split(b"\0")[:-1], line and int(line[1])

    return call


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_config_is_read_as_git_reads_it(text, ours, gits):
    listing, line = ours(text)
    assert line is None
    assert (listing, None) == gits(text)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_error_ends_the_file_where_git_stops(text, ours, gits):
    listing, line = ours(text)
    theirs, their_line = gits(text)
    assert listing == theirs
    assert line is not None and their_line is not None


@pytest.mark.parametrize(
    "text, line",
    [
        (b"=", 1),
        (b"[a]\n\n# c\n  1 = 2\n", 4),
        (b"[a]\r\nb = 1\r\nb.c = 2\r\n", 3),
        (b'[a]\nb = 1 \\\n 2\nc = "\\\n3\n', 4),
        (b'[a]\n[b "\n', 2),
    ],
)
def test_error_is_named_by_the_line_of_its_statement(text, line, ours):
    assert ours(text)[1] == line


def test_inner_tabs_and_carriage_returns_of_a_value_stay(ours):
    # git before 2.45 makes blanks of them
    assert ours(b"[a]\nb = \tc\td \re\t\n")[0] == [b"a.b\nc\td \re"]


TOKENS = st.sampled_from(
    [b"[a]", b"[b.C]", b'[d "E f"]', b'[g "\\"\\h"]', b"[", b"]", b'[x "']
    + [b"key", b"Key-2", b"k = v", b"empty =", b"k = a # b", b'q = " a "', b"3"]
    + [b" ", b"\t", b"\n", b"\n", b"\n", b"\r\n", b"\r", b"=", b'"', b"\\", b"\\n"]
    + [b"\\\n", b"#", b";", b".", b"\xc3\xa4", b"\xff", b"\0", b"!"]
)
STATEMENTS = st.sampled_from(
    [b"[a]\n", b'[b "c"]\n', b"k = v\n", b"k\n", b"k = a b  c \n", b"#x\n"]
    + [b'k = "a\\tb" c \\\n d\n', b"  k=v;w\r\n", b"\n", b'k = a"b # c"d\n']
)


def mellow(result):
    """Without the difference between git's versions, and without lines."""
    listing, line = result
    return [re.sub(rb"[\t\r]", b" ", item) for item in listing], line is None


@pytest.mark.long("runs git for each example")
@hypothesis.settings(
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
@hypothesis.given(
    st.lists(st.one_of(STATEMENTS, STATEMENTS, STATEMENTS, TOKENS), max_size=30)
)
def test_generated_config_is_read_as_git_reads_it(ours, gits, parts):
    text = b"".join(parts)
    assert mellow(ours(text)) == mellow(gits(text))
