"""Passwords in URLs: git's rule, and where ours goes further."""

import json
import re

import hypothesis
import hypothesis.strategies as st
import pytest
from kit.scenarios.redact import EVERYWHERE, WHERE

# What git 2.55 makes of these.
GITS = {
    "https://user:pw@host/x": "https://user:<REDACTED>@host/x",
    "http://user:pw@host/x": "http://user:<REDACTED>@host/x",
    "https://user:pw@host": "https://user:<REDACTED>@host",
    "https://user:pw@": "https://user:<REDACTED>@",
    "https://:pw@host/": "https://:<REDACTED>@host/",
    "https://user:@host/": "https://user:<REDACTED>@host/",
    "https://:@host/": "https://:<REDACTED>@host/",
    "https://user:p:w@host/": "https://user:<REDACTED>@host/",
    "https://user:p w@host/": "https://user:<REDACTED>@host/",
    "https://us er:pw@host/": "https://us er:<REDACTED>@host/",
    "https://user:p?w#x@host/": "https://user:<REDACTED>@host/",
    "https://user:p\"'w@host/": "https://user:<REDACTED>@host/",
    "https://user:p\tw\nx@host/": "https://user:<REDACTED>@host/",
    "https://user:\xe4\u20ac@host/": "https://user:<REDACTED>@host/",
    "https://host:80?x@y": "https://host:<REDACTED>@y",
    "https://user:pw@host:80/x": "https://user:<REDACTED>@host:80/x",
    "https://user:pw@host/x y@z": "https://user:<REDACTED>@host/x y@z",
    "https://user:<REDACTED>@host/": "https://user:<REDACTED>@host/",
    "https://user:%40@host/": "https://user:<REDACTED>@host/",
}

KEPT = [
    "",
    "x",
    "a@b",
    "user:pw@host",
    "https://",
    "://",
    "https://host",
    "https://host/x",
    "https://host:8080/x",
    "https://host:8080",
    "https://[::1]:8080/x",
    "https://user@host/x",
    "https://user@host:8080/x",
    "ssh://git@host:22/x",
    "https://host/a:b@c",
    "https://host/x@y",
    "https://@host/x",
    "https:/user:pw@host",
    "https:user:pw@host",
    "https//user:pw@host",
    "https ://host x:y",
    "git@host:x/y",
    "see https://host/x: mail a@b",
    "https://host:8080/x mail a@b",
    "a@b https://host:8080/x",
    "a@b https://host:8080",
    "https://host:80/x https://other:80/y @",
    "://: /@",
]

OURS = {
    # anywhere in a text
    "--opt=https://u:p@h/": "--opt=https://u:<REDACTED>@h/",
    "k=https://u:p@h/": "k=https://u:<REDACTED>@h/",
    "url.https://u:p@h/.insteadOf=x": "url.https://u:<REDACTED>@h/.insteadOf=x",
    "can't reach 'https://u:p@h/x': 403": "can't reach 'https://u:<REDACTED>@h/x': 403",
    "git+https://u:p@h/x": "git+https://u:<REDACTED>@h/x",
    "https::https://u:p@h/": "https::https://u:<REDACTED>@h/",
    "x://u:p@h": "x://u:<REDACTED>@h",
    "://u:p@h": "://u:<REDACTED>@h",
    "\n\thttps://u:p@h": "\n\thttps://u:<REDACTED>@h",
    # in any scheme and case
    "HTTPS://U:P@H/": "HTTPS://U:<REDACTED>@H/",
    "Http://u:p@h/": "Http://u:<REDACTED>@h/",
    "ftp://u:p@h/": "ftp://u:<REDACTED>@h/",
    "ssh://u:p@h/": "ssh://u:<REDACTED>@h/",
    "socks5h://u:p@h:1080": "socks5h://u:<REDACTED>@h:1080",
    # with an @ in it
    "https://u:p@w@h/": "https://u:<REDACTED>@h/",
    "https://u:@@@h/": "https://u:<REDACTED>@h/",
    "https://u:p w@x@h/": "https://u:<REDACTED>@h/",
    # with a / in it
    "https://u:p/w@h/": "https://u:<REDACTED>@h/",
    "https://u:/pw@h/": "https://u:<REDACTED>@h/",
    "https://u://@h/": "https://u:<REDACTED>@h/",
    # with both
    "https://u:p@s/w0rd@h/": "https://u:<REDACTED>@h/",
    "https://u:p/w@rd/x@h/y": "https://u:<REDACTED>@h/y",
    # and a user with an @
    "https://me@corp:p@h/": "https://me@corp:<REDACTED>@h/",
    # several
    "https://a:b@c https://d:e@f": "https://a:<REDACTED>@c https://d:<REDACTED>@f",
    "https://h https://d:e@f": "https://h https://d:<REDACTED>@f",
    "https://h:80 https://d:e@f": "https://h:80 https://d:<REDACTED>@f",
    "https://a:b@c\nhttps://d:e@f\n": "https://a:<REDACTED>@c\nhttps://d:<REDACTED>@f\n",
    # too much, rather than too little
    "https://h:8080/a@b": "https://h:<REDACTED>@b",
    "https://u:p@h/x@y": "https://u:<REDACTED>@y",
    "https://a:b@c,https://d:e@f": "https://a:<REDACTED>@f",
    "https://h:80 down, mail a@b": "https://h:<REDACTED>@b",
}

QUERY = {
    # the names
    "https://h/?sig=p": "https://h/?sig=<REDACTED>",
    "https://h/?SIG=p&Sig=q": "https://h/?SIG=<REDACTED>&Sig=<REDACTED>",
    "https://h/?a-sig=p&b_sig=q&.sig=r": (
        "https://h/?a-sig=<REDACTED>&b_sig=<REDACTED>&.sig=<REDACTED>"
    ),
    "sig://sig=p": "sig://sig=<REDACTED>",
    "https://h/?asig=p&1sig=q&sig1=r&s=t": "https://h/?asig=p&1sig=q&sig1=r&s=t",
    **{
        f"https://h/x?a=1&{name}=p/q%20&b=2": f"https://h/x?a=1&{name}=<REDACTED>&b=2"
        for name in (
            "signature",
            "X-Amz-Signature",
            "X-Amz-Security-Token",
            "X-Amz-Credential",
            "X-Goog-Signature",
            "token",
            "access_token",
            "accessToken",
            "private_token",
            "client_secret",
            "PASSWORD",
            "passwd",
            "passphrase",
            "apikey",
            "api_key",
            "api-key",
        )
    },
    "https://h/?token_type=p&key=q": "https://h/?token_type=p&key=q",
    # where, and up to where
    "https://h/#token=p#token=q": "https://h/#token=<REDACTED>#token=<REDACTED>",
    "https://h/;token=p;x": "https://h/;token=<REDACTED>",
    "https://h/?token=p=q": "https://h/?token=<REDACTED>",
    "https://h/?token=&x=": "https://h/?token=&x=",
    "https://h/?token=": "https://h/?token=",
    'https://h/?token=p"token=q': 'https://h/?token=<REDACTED>"token=q',
    "https://h/?token=p token=q": "https://h/?token=<REDACTED> token=q",
    "https://h/?token=p\x7ftoken=q": "https://h/?token=<REDACTED>\x7ftoken=q",
    "https://h/?token=p x://?token=q": (
        "https://h/?token=<REDACTED> x://?token=<REDACTED>"
    ),
    "token=p https://h/": "token=p https://h/",
    "?token=p": "?token=p",
    # beside passwords
    "https://u:p@h/?token=q": "https://u:<REDACTED>@h/?token=<REDACTED>",
    "https://u:p?token=q@h/": "https://u:<REDACTED>@h/",
    "https://h?x:y@z&token=q": "https://h?x:<REDACTED>@z&token=<REDACTED>",
    "https://h?token=a:b@c": "https://h?token=<REDACTED>",
    "https://h?token=a:b c@d&e=f": "https://h?token=<REDACTED>&e=f",
    "x://h/?token=p y://u:q@h": "x://h/?token=<REDACTED> y://u:<REDACTED>@h",
    "x://:@h?token=q y://:@z": "x://:<REDACTED>@h?token=<REDACTED> y://:<REDACTED>@z",
}

ESCAPED = {
    r"https:\/\/u:p@h": r"https:\/\/u:<REDACTED>@h",
    r"x:\u002f\u002Fu\u003Ap\u0040h": r"x:\u002f\u002Fu\u003A<REDACTED>\u0040h",
    r"x\u003a//u:p@h": r"x\u003a//u:p@h",
    r"x:\\/\\\/u\\u003ap@h": r"x:\\/\\\/u\\u003a<REDACTED>@h",
    r"{'u':'x:\/\/h\/?\u0073ig\u003dp\u0026q=1'}": (
        r"{'u':'x:\/\/h\/?\u0073ig\u003d<REDACTED>\u0026q=1'}"
    ),
    r"x:\/\/u:p\u0040q@h": r"x:\/\/u:<REDACTED>@h",
    r"x:\/\/u:p\ud83d\ude00@h": r"x:\/\/u:<REDACTED>@h",
    # an escape is a blank, a slash or a quote
    r"x://h:80\/x\ny@z": r"x://h:80\/x\ny@z",
    r"x://h:80\/x\\ny@z": r"x://h:<REDACTED>@z",
    r"x://h:80\u002fx\u0020y@z": r"x://h:80\u002fx\u0020y@z",
    r"x://h:80\/x\u0120y@z": r"x://h:<REDACTED>@z",
    r"x://h?token=p\"token=q": r'x://h?token=<REDACTED>\"token=q',
    r"x://h?token=p\qr": r"x://h?token=<REDACTED>",
    # and none of these is one
    r"x:\\u:p@h": r"x:\\u:p@h",
    r"x:\/u:p@h": r"x:\/u:p@h",
    r"x:\/\u002gu:p@h": r"x:\/\u002gu:p@h",
    r"x:\/\u002": r"x:\/\u002",
    "x:\\": "x:\\",
    "x://u:@\\": "x://u:<REDACTED>@\\",
    # git's own
    r"https://u\u003ax:p@h": r"https://u\u003ax:<REDACTED>@h",
    r"http://u\u003ax:p@h": r"http://u\u003ax:<REDACTED>@h",
    r"https://u:p\@h": r"https://u:<REDACTED>@h",
}

JSON = {
    r'"https:\/\/u:p@h"': r'"https:\/\/u:<REDACTED>@h"',
    r'["http://u\u003ap@h",1]': r'["http://u\u003a<REDACTED>@h",1]',
    r'"x\u003a\/\/h?token=p\\"': r'"x\u003a\/\/h?token=<REDACTED>"',
    r'["x://h?token=p\\\"","token=q"]': r'["x://h?token=<REDACTED>\\\"","token=q"]',
    '{"a":"https://u:p@h/"}': '{"a":"https://u:<REDACTED>@h/"}',
    '["https://h:80",["a@b"]]': '["https://h:80",["a@b"]]',
    '["https://h:80/x","y@z"]': '["https://h:80/x","y@z"]',
    '{"https://u:p@h":["https://u:p/w@x@h"]}': (
        '{"https://u:<REDACTED>@h":["https://u:<REDACTED>@h"]}'
    ),
    '"x"': '"x"',
    "12": "12",
    '"https://u:p w@h"': '"https://u:<REDACTED>@h"',
    '["https://a:","@"]': '["https://a:","@"]',
}


@pytest.fixture
def redact(execute, test_tool):
    """The list of what becomes of each text."""

    def call(texts, *options):
        texts = [text.encode("utf-8", "surrogateescape") for text in texts]
        done = execute([test_tool, "redact", "-z", *options, *texts])
        assert (done.returncode, done.stderr) == (0, b"")
        shown = done.stdout.decode("utf-8", "surrogateescape").split("\0")
        assert shown.pop() == "" and len(shown) == len(texts)
        return shown

    return call


@pytest.mark.parametrize(
    "cases",
    [GITS, OURS, QUERY, ESCAPED],
    ids=["git's", "ours", "in a query", "escaped"],
)
def test_secret_is_replaced(cases, redact):
    assert dict(zip(cases, redact(cases))) == cases


def test_text_without_a_password_is_kept(redact):
    assert redact(KEPT) == KEPT


def test_examples_of_the_specification_hold(redact, root):
    chapter = (root / "SPEC.md").read_text().split("\n## Redaction\n")[1]
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \|$", chapter.split("\n## ")[0], re.M)
    assert len(rows) > 5
    assert redact([text for text, _ in rows]) == [shown for _, shown in rows]


def test_redacted_json_stays_json(redact):
    shown = redact(JSON, "--json")
    assert dict(zip(JSON, shown)) == JSON
    assert [json.loads(text) for text in shown]


def test_redacting_twice_changes_nothing(redact):
    once = redact([*GITS, *OURS, *QUERY, *ESCAPED, *KEPT])
    assert redact(once) == once


def test_long_texts_are_redacted(redact):
    filler = "://x " * 20_000
    texts = [filler + "https://u:" + "p" * 9000 + "@h", "@" + filler + "@"]
    assert redact(texts) == [filler + "https://u:<REDACTED>@h", texts[1]]


def gits_rule(text):
    """What git's rule makes of a text; None: not for git to change."""
    match = re.match(r"(https?://[^@/:]*:)[^@/]*(?=@)", text, re.DOTALL)
    return match and match[1] + "<REDACTED>" + text[match.end() :]


def blank_in(text):
    return re.search(r"[\x01-\x20\x7f]", text)


def our_rule(text):
    """The rule of ref/event/redact.h, word for word."""
    done, at = "", 0
    while (at := text.find("://", at)) >= 0:
        at += len("://")
        colon = text.find(":", at)
        user = text[at:colon]
        if colon < 0 or "/" in user:
            continue
        if blank_in(user) and text.startswith("//", colon + 1):
            continue
        end = text.find("@", colon)
        secret = text[colon + 1 : end]
        if end < 0 or ("/" in secret and blank_in(secret)):
            continue
        end += re.match(r"[^\x01-\x20\x7f]*@", text[end:]).end() - 1
        done += text[: colon + 1] + "<REDACTED>"
        text, at = text[end:], 0
    return done + text


def many(strategy, size=200):
    return st.lists(strategy, min_size=1, max_size=size)


def properties(examples):
    return hypothesis.settings(
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
    )


WORDS = st.text("aB1:@/?# ", max_size=12)


@properties(20)
@hypothesis.given(many(st.tuples(st.sampled_from(["http", "https"]), WORDS)))
def test_where_git_redacts_so_do_we(redact, pairs):
    texts = [f"{scheme}://{rest}" for scheme, rest in pairs]
    for text, ours in zip(texts, redact(texts)):
        gits = gits_rule(text)
        if not gits:
            continue
        behind = gits.partition("<REDACTED>@")[2]
        if "@" not in behind.split(" ")[0] and "://" not in behind:
            assert ours == gits
        assert ours.startswith(gits.partition("@")[0] + "@")


PASSWORD = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=12
) | st.text("a@/:", max_size=8)
URL = st.tuples(
    st.sampled_from(["http", "HTTPS", "ssh", "git+https"]),
    st.text("abu.-", max_size=5),
    PASSWORD,
    st.sampled_from(["host", "host:80/", "h.example/a/b", "[::1]:1/x"]),
)
AROUND = st.sampled_from(["", "x ", "--opt=", "a.b=", "'", "see:\n"])


@properties(20)
@hypothesis.given(many(st.tuples(AROUND, URL)))
def test_no_password_without_blanks_is_left(redact, cases):
    texts, wanted = [], []
    for before, (scheme, user, password, host) in cases:
        texts.append(f"{before}{scheme}://{user}:{password}@{host}")
        wanted.append(f"{before}{scheme}://{user}:<REDACTED>@{host}")
    assert redact(texts) == wanted


FREE = st.text("ab:@/ \n\"'", max_size=30)


URLS = st.lists(st.sampled_from(["://", ":", "/", "//", "@", " ", "a"])).map("".join)


@properties(40)
@hypothesis.given(many(FREE | URLS))
def test_rule_is_the_one_that_is_written_down(redact, texts):
    assert redact(texts) == [our_rule(text) for text in texts]


@properties(20)
@hypothesis.given(many(FREE))
def test_all_but_secrets_is_kept(redact, texts):
    for text, shown in zip(texts, redact(texts)):
        parts = [re.escape(part) for part in shown.split("<REDACTED>")]
        assert re.fullmatch(".*".join(parts), text, re.DOTALL)
        if "@" not in text or "://" not in text:
            assert shown == text


@properties(10)
@hypothesis.given(
    many(st.recursive(FREE, lambda x: st.lists(x) | st.dictionaries(FREE, x)), 50)
)
def test_generated_json_stays_json(redact, values):
    texts = [json.dumps(value) for value in values]
    for value, shown in zip(values, redact(texts, "--json")):
        assert type(json.loads(shown)) is type(value)


@pytest.mark.parametrize("variable", ["GIT_TRACE2_FXT", "GIT_TRACE2_CHROME"])
def test_targets_of_records_hold_no_password(variable, run, scratch):
    path = scratch / "trace"

    def traced(words, **env):
        path.unlink(missing_ok=True)
        assert run(*words, env={variable: str(path), **env}).returncode < 128
        return path.read_bytes()

    for words, _, _ in (*WHERE, *EVERYWHERE):
        if words[0] == "001return":  # its secret would be in a variable
            continue
        shown, raw = traced(words), traced(words, GIT_TRACE2_REDACT="0")
        # One is in the program's own start.
        assert raw.count(b"hush") >= 2, words
        assert shown.count(b"<REDACTED>") == raw.count(b"hush"), words
        assert b"hush" not in shown, words
