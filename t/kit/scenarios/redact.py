"""Passwords in URLs: what is replaced, where, and when."""

import json
import re

from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS

HIDDEN = "<REDACTED>"

# Texts, `{}` where the replacement stands, and the password that it hides.
TEXTS = {
    "redact.git": (
        ("https://user:{}@host/x", "secret"),
        ("http://u:{}@h", "p"),
        ("https://:{}@host/", ""),
        ("https://u:{}@h", ""),
        ("https://:{}@h/a:b", "p"),
        ("https://a:{}@h/", "b:c"),
        ("https://host:{}@y", "80?x"),
    ),
    "redact.keeps": (
        "https://host:8080/path", "https://host", "user:secret@host:path",
        "u:p@h https://host", "a@b", "u:p@h", "//u:p@h", "https:/u:p@h", "",
    ),
    "redact.anywhere": (
        ("--opt=https://u:{}@h/", "p"),
        ("k=http://u:{}@h", "p"),
        ("see https://u:{}@h/ for more", "p"),
        ("'https://u:{}@h'", "p"),
    ),
    "redact.scheme": (
        ("HTTPS://u:{}@h", "p"),
        ("hTTp://u:{}@h/", "p"),
        ("ssh://u:{}@h/x", "p"),
        ("a+b-c.1://u:{}@h", "p"),
        ("://u:{}@h", "p"),
    ),
    "redact.url": (
        "https://token@host/", "https://host/a:b@c", "https://h/:p@x",
        ("https://a to https://u:{}@b", "p"),
        ("https://a b:{}@c", "p"),
        ("https://a\tthttps://u:{}@b", "p"),
        ("https://a\x7fhttps://u:{}@b", "p"),
    ),
    "redact.end": (
        ("https://u:{}@h/", "a b\tc?#%'\"\\"),
        ("https://u:{}@h x@y/", "p"),
        ("https://u:{}@", "p"),
    ),
    "redact.password-slash": (
        ("https://u:{}@h/", "p/q"),
        ("https://host:{}@b", "8080/a"),
        "https://u:p/q r@h/", "https://u:p q/r@h/", "https://u:p/q\x7f@h",
        "https://u:p/q\x01@h",
    ),
    "redact.password-at": (
        ("https://u:{}@h/", "p@q"),
        ("https://u:{}@h/", "p@q@r@"),
        ("https://u:{}@y", "p@h/x"),
        ("https://u:{}@q r@h/", "p"), ("https://u:{}@q\tr@h/", "p"),
    ),
    "redact.query": (
        ("https://h/x?sig={}&t=1", "a/b%2B'"),
        ("https://h/x?a=1&X-Amz-Signature={}#y", "0a:b"),
        ("ssh://h?X-Goog-Credential={}&apiKey={}&API-KEY={}", "p"),
        ("https://h#access_token={}&t=1", "p@q"),
        ("https://h/a_sig={} sig=p", "p"),
        ("see https://u:{}@h?token={} token=p", "p"),
        ("https://h?client_secret={}\"password=p", "p"),
        ("https://h?password={}&passwd={}&passphrase={}", "p"),
        ("https://h?%70assword={}&%41PI%2Dkey={}&a%5Fsi%67={}", "p"),
        ("https://h?token={} z", "a:p w@x"), ("https://h?token={}\tz", "p"),
        "https://h?msig=1&sigs=2&tokens=3&key=4&token=&t=5&%7Asig=6",
        "https:/h?sig=1", "https://h \"://?\"sig=1",
    ),
    "redact.escapes": (
        (r"see 'https:\/\/u:{}@h'", "p"),
        (r"https:/\u002fu\u003A{}\u0040h", "p"),
        (r"x:\\\/\/u:{}@h", "p"),
        (r"x:\/\u002fh?\u0073ig\u003d{}\u0026a=1", r"\\p"),
        r"x:\/\/u\u002fa:p@h", r"x:\/\/h/:p@x", r"x:\\/u:p@h",
        (r"https://u\u003ax:{}@h", "p"),
        (r'see https://h?token={}\"password=q', "p"),
        r"see https\u003a//u:p@h",
    ),
    "redact.again": (
        ("https://u:{}@h https://v:{}@i/", "p"),
        ("https://u:{}@h x=ssh://v:{}@i, ftp://w:{}@j", "p"),
    ),
}


def given(row):
    return row[0].replace("{}", row[1]) if isinstance(row, tuple) else row


def written(row):
    return row[0].replace("{}", HIDDEN) if isinstance(row, tuple) else row


@scenario("passwords of URLs are replaced and nothing else",
          verbs=("300redact_start",), ids=TEXTS)
def texts(kit):
    words = [given(row) for rows in TEXTS.values() for row in rows]
    run = kit.run("300redact_start", *words)
    found = list(run.event("start", -1)["argv"])
    for name, rows in TEXTS.items():
        kit.equal(name, [found.pop(0) for _ in rows], list(map(written, rows)))


for wrong in (
    ("redact.git", rb"https://user:<REDACTED>", rb"https://user:secret"),
    ("redact.git", rb"https://:<REDACTED>@host/", rb"https://:@host/"),
    ("redact.git", rb"https://a:<REDACTED>@", rb"https://a:b:<REDACTED>@"),
    ("redact.keeps", rb"host:8080/path", rb"host:<REDACTED>/path"),
    ("redact.keeps", rb"user:secret@host:", rb"user:<REDACTED>@host:"),
    ("redact.anywhere", rb"--opt=https://u:<REDACTED>", rb"--opt=https://u:p"),
    ("redact.scheme", rb"HTTPS://u:<REDACTED>@", rb"HTTPS://u:p@"),
    ("redact.url", rb"https://token@", rb"https://<REDACTED>@"),
    ("redact.url", rb"(thttps)://u:<REDACTED>@b", rb"\1:<REDACTED>@b"),
    ("redact.end", rb"<REDACTED>@h x@y", rb"<REDACTED>@y"),
    ("redact.password-slash", rb"host:<REDACTED>@b", rb"host:8080/a@b"),
    ("redact.password-slash", rb"u:p/q r@h", rb"u:<REDACTED>@h"),
    ("redact.password-at", rb"u:<REDACTED>@q r@", rb"u:<REDACTED>@"),
    ("redact.again", rb"v:<REDACTED>@i/", rb"v:p@i/"),
    ("redact.query", rb"\?sig=<REDACTED>&", rb"?sig=p&"),
    ("redact.query", rb"%70assword=<REDACTED>", rb"%70assword=p"),
    ("redact.query", rb"msig=1", rb"msig=<REDACTED>"),
    ("redact.query", rb"token=&", rb"token=<REDACTED>&"),
    ("redact.query", rb"#access_token=<REDACTED>", rb"#access_token=p@q"),
    ("redact.escapes", rb"(see 'https:[^']*):<REDACTED>@", rb"\1:p@"),
    ("redact.escapes", rb"(u003A)<REDACTED>", rb"\1p"),
    ("redact.escapes", rb"(u003ax:)<REDACTED>", rb"\1p"),
):
    fault(wrong[0], "passwords of URLs are replaced and nothing else",
          event=wrong[1:])

# Users that are tokens; `{}` stands where the replacement may be. A password
# after them is replaced, as that of any user is.
TOKENS = (
    ("https://{}@h/x", "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"),
    ("https://{}@h/x", "github_pat_0a1B2c3D4e5F6g7H8i9J0k"),
    ("see 'https://{}@h/x': 403", "glpat-0a1B2c3D4e5F6g7H8i9J"),
    ("--url=https://{}@h", "xoxb-1234567890-0a1B2c3D"),
    ("https://{}@h/", "AKIA0A1B2C3D4E5F6G7H"),
    ("https://{}@h/", "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"),
    ("https://{}:<REDACTED>@h/", "ghs_0a1B2c3D4e5F"),
    ("https://{}:<REDACTED>@h/", "0a:x-oauth-basic"),
)


@scenario("a user of a URL that is a token is kept whole or replaced whole",
          verbs=("300redact_start",), ids=("redact.token",))
def tokens(kit):
    words = [form.replace("{}:<REDACTED>", user if ":" in user else user + ":p")
             .replace("{}", user) for form, user in TOKENS]
    run = kit.run("300redact_start", *words)
    for (form, user), found in zip(TOKENS, run.event("start", -1)["argv"]):
        both = [form.replace("{}", one)
                for one in (user.partition(":")[0], HIDDEN)]
        kit.check("redact.token", found in both, " or ".join(both), found)


TITLE = "a user of a URL that is a token is kept whole or replaced whole"
fault("redact.token", TITLE,
      event=(rb"https://(<REDACTED>|glpat[^@]*)@h/x': 403",
             rb"https://\1h/x': 403"))
fault("redact.token", TITLE,
      event=(rb"https://(<REDACTED>|ghp_[^@]*)@h/x", rb"https://<REDACTED>"))

URL, SAFE = "https://u:hush@host/x", "https://u:<REDACTED>@host/x"

# The verbs that give a URL away, their event and its field.
WHERE = (
    (("300redact_start", "git", URL), "start", "argv"),
    (("301redact_child_start", "git", URL), "child_start", "argv"),
    (("302redact_exec", "exe", "git", URL), "exec", "argv"),
    (("303redact_def_param", "key", URL), "def_param", "value"),
    (("001return", "0"), "def_param", "value"),  # a variable, see where()
)
EVERYWHERE = (
    (("003error", URL), "error", "msg"),
    (("525cmd_error", "secret"), "error", "fmt"),
    (("006data", "c", "k", URL), "data", "value"),
    (("501region_printf", URL), "region_enter", "msg"),
    (("501region_printf", URL), "region_leave", "msg"),
    (("511data_json", f'{{"url":"{URL}"}}'), "data_json", "value"),
    (("513printf", URL), "printf", "msg"),
    (("521alias", "name", URL), "alias", "argv"),
    (("303redact_def_param", URL, "value"), "def_param", "param"),
)


def shown(run, event, field):
    """The field in the last event of this name, and what the last lines of
    PERF and NORMAL say about it; NORMAL doesn't show them all."""
    texts = [json.dumps(run.event(event, -1)[field])]
    texts.append(run.perf(event)[-1].payload)
    for line in run.payloads():
        if re.match(rb"%s\b(?!_)" % event.encode(), line):
            texts[2:] = [line.decode()]
    return texts


def has_one(text, wanted, unwanted):
    return text.count(wanted) == 1 and unwanted not in text


@scenario("passwords are replaced in the same places of all targets",
          verbs=[words[0] for words, _, _ in WHERE],
          ids=("redact.where", "redact.all-targets", "redact.off"))
def where(kit):
    asked = {"GIT_TRACE2_ENV_VARS": "MY_URL", "MY_URL": URL}
    for words, event, field in WHERE:
        env = asked if words[0] == "001return" else {}
        run = kit.run(*words, env=env)
        off = kit.run(*words, env={"GIT_TRACE2_REDACT": "0", **env})
        texts, raw = shown(run, event, field), shown(off, event, field)
        kit.check("redact.where", has_one(texts[0], SAFE, URL), SAFE, texts[0])
        for text in texts[1:]:
            kit.equal("redact.all-targets", text.count(SAFE),
                      texts[0].count(SAFE))
        for text in raw:
            kit.check("redact.off", has_one(text, URL, SAFE), URL, text)
        for target in TARGETS:
            kit.lacks("redact.where", run.log(target), b"hush")
            kit.lacks("redact.off", off.log(target), b"<REDACTED>")


TITLE = "passwords are replaced in the same places of all targets"
fault("redact.where", TITLE,
      event=(rb'("event":"exec".*):<REDACTED>@', rb"\1:hush@"),
      perf=(rb"(\| exec .*):<REDACTED>@", rb"\1:hush@"),
      normal=(rb"(exec.*):<REDACTED>@", rb"\1:hush@"))
fault("redact.all-targets", TITLE,
      perf=(rb"(child_start.*):<REDACTED>@", rb"\1:REDACTED@"))
fault("redact.off", TITLE, normal=(rb":hush@", rb":<REDACTED>@"))


@scenario("passwords are replaced in every text of the host's",
          verbs=sorted({words[0] for words, _, _ in EVERYWHERE}),
          ids=("redact.everywhere",))
def everywhere(kit):
    for words, event, field in EVERYWHERE:
        for text in shown(kit.run(*words), event, field):
            kit.check("redact.everywhere", has_one(text, SAFE, URL),
                      f"{event} with {SAFE}", text)


TITLE = "passwords are replaced in every text of the host's"
fault("redact.everywhere", TITLE,
      event=(rb'("region_leave".*):<REDACTED>@', rb"\1:hush@"))
fault("redact.everywhere", TITLE,
      normal=(rb"(error.*):<REDACTED>@", rb"\1:hush@"))
fault("redact.everywhere", TITLE,
      perf=(rb"(\| alias.*):<REDACTED>@", rb"\1:hush@"))

# data_json values, and what they become.
VALUES = (
    ('{"url":"https://u:p","mail":"a@b"}', None),
    ('{"https://u:p":"a@b"}', None),
    ('["https://u:p@h/","c@d"]', ["https://u:<REDACTED>@h/", "c@d"]),
    (r'{"u":"https://u:\"p\\@h"}', {"u": "https://u:<REDACTED>@h"}),
    (r'"https:\/\/u\u003ap\u0040h"', "https://u:<REDACTED>@h"),
    (r'["https://h?\u0073ig=1","b"]', ["https://h?sig=<REDACTED>", "b"]),
    ('{"://u:p@h":1,"://u:q@h":2}',
     '{"://u:<REDACTED>@h":1,"://u:<REDACTED>@h":2}'),
    (r'{"u":"https:\/\/u:p@h",',
     r'{"u":"https:\/\/u:<REDACTED>@h",'),
)


@scenario("redacted JSON remains JSON", verbs=("511data_json",),
          ids=("redact.json",))
def json_values(kit):
    run = kit.run("511data_json", *(text for text, _ in VALUES))
    kit.equal("redact.json", [e["value"] for e in run.events("data_json")],
              [new or json.loads(text) for text, new in VALUES])


fault("redact.json", "redacted JSON remains JSON",
      event=(rb'u:p","mail":"a@b', rb"u:<REDACTED>@b"))
fault("redact.json", "redacted JSON remains JSON",
      event=(rb'u:<REDACTED>@h"}', rb'u:\\"p@h"}'))
fault("redact.json", "redacted JSON remains JSON",
      event=(rb'"value":"(\{.*REDACTED.*1.*REDACTED.*)"\}',
             rb'"value":{"://u:<REDACTED>@h":2}}'))
