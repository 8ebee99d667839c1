"""`--format markdown` of summary, diff, validate and expect, as GitHub shows it.

GitHub looks for names, issues and links in what Markdown has become, and
leaves out code. So whatever a log holds must be in code when it is rendered,
and the rest must be our own texts.
"""

import json
import random
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

MOST = 65536
TAGS = {"p", "h3", "table", "thead", "tbody", "tr", "th", "td", "code", "pre",
        "ul", "li", "strong", "em"}
# What our own texts hold; each foreign text begins with a character of OURS.
OURS = "\u2603"
HOSTILE = [
    "`", "``", "|", "\\", "\\|", "<b>", "</code>", "</td></table>", "<!--",
    "@torvalds", "#123", "GH-1", "a/b#5", "https://evil.example/", "www.e.com",
    "a@b.example", "[x](http://e)", "![x](y)", "**b**", "_i_", "~~s~~", "$x$",
    ":smile:", "&lt;", "&#60;", "\n", "\r\n", "\t", "\x1b[31m", "\u202e",
    "\u2028", "::error::x", "##[x]", "# h", "- [ ] t", "    ", "> q", "---",
    "\u00e4", "\ud83d", "0123456789abcdef0123456789abcdef01234567", "x" * 90,
]
ASK = {
    "summary": ["summary", "--top", "0", "--percentiles", "--by", "repository"],
    "diff": ["diff", "--top", "0"],
    "validate": ["validate", "--statistics"],
    "expect": ["expect"],
}


class Page(HTMLParser):
    """What is code, what is not, and the cells of each row."""

    def __init__(self, text):
        super().__init__()
        self.open, self.plain, self.code, self.rows = [], "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        assert {name for name, _ in attrs} <= {"align"}, attrs
        self.open.append(tag)
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_comment(self, data):
        assert data == " "

    def handle_data(self, data):
        if "code" in self.open:
            self.code.append(data)
        else:
            self.plain += data


def render(text):
    if not shutil.which("cmark-gfm"):
        pytest.skip("no cmark-gfm (cmark-gfm)")
    return Page(subprocess.run(
        ["cmark-gfm", "-e", "table", "-e", "autolink", "-e", "strikethrough",
         "-e", "tasklist", "-e", "tagfilter", "--unsafe"],
        input=text.encode(), capture_output=True, check=True,
    ).stdout.decode())


class Log:
    def __init__(self, take):
        self.lines, self.us, self.take = [], 0, take

    def put(self, event, **fields):
        self.us += 300000
        self.lines.append(json.dumps({
            "event": event, "sid": "20260101T000000.000000Z-Habcdef12-P00001",
            "thread": "main", "file": self.take(), "line": 1,
            "time": f"2026-01-01T00:{self.us // 60000000 % 60:02}:"
                    f"{self.us // 1000000 % 60:02}.{self.us % 1000000:06}Z",
            **fields}))

    def text(self):
        return "\n".join(self.lines) + "\n"


def write_log(take, parts):
    log = Log(take)
    log.put("version", evt="3", exe=take())
    log.put("start", t_abs=0.3, argv=["git", take(), take()])
    log.put("cmd_name", name=take(), hierarchy=take())
    log.put("cmd_ancestry", ancestry=[take()])
    log.put("def_repo", repo=1, worktree=take())
    for i in range(parts):
        name = {"category": take(), "label": take()}
        log.put("region_enter", repo=1, nesting=1, **name)
        log.put("region_leave", repo=1, nesting=1, t_rel=0.3, **name)
        log.put("child_start", child_id=i, child_class="hook",
                hook_name=take(), use_shell=False, argv=[take(), take()])
        log.put("child_exit", child_id=i, pid=5, code=1, t_rel=0.3)
        log.put("data", repo=1, nesting=1, t_abs=1.0, t_rel=0.1,
                category=take(), key=take(), value="5")
        log.put("error", msg=take(), fmt=take())
        log.put("data", repo=take(), value="1")
    log.put("exit", t_abs=log.us / 1e6, code=take())
    log.put("atexit", t_abs=log.us / 1e6, code=1)
    return log.text()


@pytest.fixture
def ask(execute, trace2, scratch):
    """ask(view, text): the Markdown of the view of this log."""

    def call(view, text):
        (scratch / "a.event").write_text(text)
        words = [trace2, *ASK[view], "--format", "markdown", "a.event"]
        if view == "diff":
            words += ["a.event"]
        if view == "expect":
            words += ["--", *["no region *", "error never", "no child *",
                              f"region '{OURS}`|@x'"] * 40]
        result = execute(words)
        assert result.returncode in (0, 1), result.stderr
        return result.stdout.decode()

    return call


@pytest.mark.parametrize("view", ASK)
@pytest.mark.parametrize("seed", range(4))
def test_markdown_shows_foreign_text_only_as_code(view, seed, ask):
    lot = random.Random(seed)
    text = write_log(lambda: OURS + "".join(
        lot.choices(HOSTILE, k=lot.randint(1, 6))), 6)
    page = render(ask(view, text))
    assert any(OURS in code for code in page.code)
    assert OURS not in page.plain
    assert not re.search(r"[@#`<>\\\[\]]|www|http", page.plain)


@pytest.mark.parametrize("view", ASK)
@pytest.mark.parametrize("unit", ["x", "`|@", "\u00e4\u2603"])
def test_markdown_of_a_large_log_fits_a_comment(view, unit, ask):
    count = iter(range(10**6))
    text = ask(view, write_log(lambda: f"{OURS}{next(count)}" + unit * 60, 150))
    assert 20000 < len(text.encode()) <= MOST
    page = render(text)
    assert OURS not in page.plain and page.open == []


def test_markdown_of_one_very_long_text_keeps_the_tables(ask):
    text = write_log(lambda: OURS + "y" * 100000, 1)
    assert "### Commands" in ask("summary", text)


def test_markdown_of_validate_counts_what_it_leaves_out(ask):
    lines = json.dumps({"event": "exit"}) + "\n"
    text = ask("validate", lines * 3000)
    (more,) = re.findall(r"and ([\d,]+) more findings", text)
    (all_of,) = re.findall(r"Found ([\d,]+) errors", text)
    shown = len(re.findall(r"^- \*\*error\*\*", text, re.M))
    assert shown + int(more.replace(",", "")) == int(all_of.replace(",", ""))


def test_our_own_advice_is_plain_in_markdown(root):
    rules = (root / "helper/model/advice/rules.ini").read_text()
    texts = re.findall(r"^(?:text|unless) = (.*)", rules, re.M)
    assert len(texts) > 20
    assert not [text for text in texts if re.search(r"[<>*_`|@#\\]", text)]
