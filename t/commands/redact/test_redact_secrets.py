"""`trace2 redact`, `trace2 collect --redact` and secrets in many forms."""

import json
import re
import resource
import subprocess

import pytest
import secret_forms as forms
from collect_kit import Service, send_lines
from redact_kit import SID
from secret_lines import LONG_TEXTS
from secret_neighbours import NEIGHBOURS
from test_redact_values import events

LEFT = re.compile(b"hu5h", re.I)
WHEN = "12:00:00.000000 "


@pytest.fixture
def redact(execute, trace2):
    """redact(log): the log without its secrets."""

    def call(log):
        done = execute([trace2, "redact", "-"], input=log)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    return call


def dump(records):
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n"
                    for record in records)


def left_in(given, shown):
    """The lines that still have a secret, with those that they came from."""
    pairs = zip(given.splitlines(), shown.splitlines(), strict=True)
    return [pair for pair in pairs if LEFT.search(pair[1])]


# ---- EVENT


def put_text(value, text):
    """The value of an example, with the text in place of each string."""
    if isinstance(value, str):
        return text
    if isinstance(value, list):
        return [put_text(one, text) for one in value] or [text]
    if isinstance(value, dict):
        return {**{key: put_text(one, text) for key, one in value.items()},
                "a": text, "b": [text, {"c": text}], text: 1}
    return value


def fields():
    """Each event with each of its fields that has texts."""
    for name, texts, examples in events():
        example = dict(examples[-1], event=name)
        places = {"category", "value", *texts} if name == "data_json" else texts
        for field in sorted(set(places) - {"event"}):
            yield example, field


def all_records(texts):
    for example, field in fields():
        for text in texts:
            yield {**example, field: put_text(example.get(field, ""), text)}


def with_words(words):
    for event in ("start", "child_start", "exec", "alias", "unheard_of"):
        yield {"event": event, "sid": SID, "argv": words, "words": [words]}


def with_pair(name, value):
    yield {"event": "def_param", "param": name, "value": value}
    yield {"event": "data", "category": "c", "key": name, "value": value}
    yield {"event": "data_json", "key": "k", "value": {name: value, "b": 1}}
    yield {"event": "data_json", "key": "k", "value": [{"a": {name: [value]}}]}
    yield {"event": "unheard_of", name: value}
    yield {"event": "unheard_of", "name": name, "value": value}
    yield {"event": "unheard_of", "value": value, "type": 3, "name": name}
    yield {"event": "data_json", "key": "k", "value": [
        {"key": name, "value": value}]}


def event_log():
    records = list(all_records((*forms.TEXTS, *LONG_TEXTS)))
    for words in forms.WORDS:
        records += with_words(words)
    for pair in forms.PAIRS:
        records += with_pair(*pair)
    return dump(records)


def test_there_are_a_hundred_forms_of_secrets_and_many_fields():
    assert len(forms.HEADERS + forms.NAMES + forms.URLS) >= 100
    assert len(set(forms.TEXTS)) == len(forms.TEXTS) > 160
    assert len(list(fields())) > 100


def test_redact_hides_each_form_in_each_field_of_each_event(redact):
    log = event_log()
    shown = redact(log)
    assert left_in(log, shown) == []
    assert all(json.loads(line) for line in shown.splitlines())


def test_redact_hides_forms_whose_letters_are_escapes(redact):
    escaped = b"".join(
        b'{"event":"printf","msg":"%s"}\n'
        % re.sub(b"(..)(..)", rb"\\u\1\2",
                 text.encode("utf-16-be").hex().encode())
        for text in forms.TEXTS)
    shown = redact(escaped)
    assert [line for line in shown.splitlines()
            if LEFT.search(json.loads(line)["msg"].encode())] == []


def test_redacting_secrets_twice_changes_nothing(redact):
    once = redact(event_log())
    assert redact(once) == once


def test_hiding_all_leaves_no_form_of_a_secret(execute, trace2):
    log = event_log()
    done = execute([trace2, "redact", "--hide", "all", "-"], input=log)
    assert (done.returncode, left_in(log, done.stdout)) == (0, [])


# ---- What stays


# The program that each names as an alias of git has an argument as its secret.
COMMANDS = "vault login -method=userpass username=me", "mc: set color auto main"


def test_what_only_looks_like_a_secret_stays_in_each_field(redact):
    """But the value of a key that says it is a token is one."""
    log = dump(record for record in all_records(NEIGHBOURS)
               if not set(COMMANDS).intersection(record.get("argv", ())))
    shown = redact(log).replace(b'"value": "<REDACTED>"', b'"value": "412"')
    assert shown.splitlines() == log.splitlines()


def test_words_beside_what_only_looks_like_a_secret_stay(redact):
    lines = [["git", "add", "--token-type", "x"], ["git", "push", "--force", "x"],
             ["git", "push", "-u", "origin", "a:b"], ["git", "grep", "-u", "x:y"],
             ["git", "checkout", "token", "x"], ["git", "add", "my.token", "x"],
             ["tool", "--password", "--all", "x"], ["ls", "--author", "me"],
             ["curl", "-o", "a:b", "x"], ["git", "config", "user.name", "me"]]
    log = dump(record for words in lines for record in with_words(words))
    assert redact(log) == log


# ---- NORMAL and PERF


def quote(word):
    """A word as the library quotes it."""
    if word and re.fullmatch(r"[A-Za-z0-9+,./:=@_^-]+", word):
        return word
    return "'" + re.sub(r"(['!])", r"'\\\1'", word) + "'"


PAYLOADS = ("version %s", "error %s", "printf %s", "cmd_path %s",
            "cmd_mode %s", "cmd_ancestry %s", "def_param scope:local a.b=%s")
# What is around a text here may make a secret of it.
MORE_PAYLOADS = ("cmd_name %s (%s)", "cmd_ancestry %s <- %s",
                 "def_param scope:local %s=b")
NORMAL_WORDS = ("start %s", "child_start[0] %s", "child_start[0] cd:/x git %s",
                "exec[0] git %s", "alias x -> %s", "worktree %s")
COLUMNS = ("version|%s", "error|%s", "printf|..%s", "cmd_path|%s",
           "cmd_mode|%s", "cmd_name|%s", "def_param|a.b:%s",
           "data|..k:%s", "data|k:%s", "data_json|..k:[\"%s\",1]",
           "region_enter|label:%s", "region_leave|..label:l %s",
           "th_timer|name:%s")
PERF_WORDS = ("start|%s", "child_start|[ch0] class:? argv:[%s]",
              "exec|id:0 argv:[git %s]", "alias|alias:x argv:[%s]",
              "cmd_ancestry|ancestry:[sh %s]", "def_repo|worktree:%s")
TRACES = ("trace: built-in: git %s", "trace: run_command: %s",
          "trace: exec: git-x %s")


def normal(payload):
    return f"{WHEN}a.c:1                             {payload}"


def perf(columns, thread="main"):
    event, payload = columns.split("|", 1)
    return (f"{WHEN}a.c:1                        | d0 | {thread:24} | "
            f"{event:12} |     |  0.000001 |  0.000001 | c            | "
            f"{payload}")


def fill(form, text):
    """The form with the text, as JSON if it has it in quotes."""
    if '"%s"' in form:
        return form.replace('"%s"', json.dumps(text, ensure_ascii=False))
    return form.replace("%s", text)


def text_log(texts, lines, more=MORE_PAYLOADS):
    """NORMAL and PERF lines, and those of other traces of git."""
    every = [normal(fill(form, text))
             for form in (*PAYLOADS, *more) for text in texts]
    every += [perf(fill(form, text)) for form in COLUMNS for text in texts]
    every += [perf("printf|x", thread=text) for text in texts if more]
    every += [f"{WHEN}http.c:756              {text}" for text in texts]
    every += texts
    for words in [*([text] for text in texts), *lines]:
        quoted = " ".join(map(quote, words))
        every += [normal(form % quoted) for form in (*NORMAL_WORDS, *TRACES)]
        every += [perf(form % quoted) for form in PERF_WORDS]
    return ("\n".join(every) + "\n").encode()


# The first line tells the format.
FIRST = {"NORMAL": normal("version 2.50.0"), "PERF": perf("version|2.50.0")}


@pytest.mark.parametrize("name", FIRST)
def test_redact_hides_each_form_in_each_line_of_text(name, redact):
    log = FIRST[name].encode() + b"\n" + text_log(forms.TEXTS, forms.WORDS)
    assert left_in(log, redact(log)) == []


@pytest.mark.parametrize("name", FIRST)
def test_redact_hides_the_value_of_each_name_in_each_line_of_text(name, redact):
    lines = [normal(f"def_param scope:local {key}={value}")
             for key, value in forms.PAIRS]
    lines += [perf(f"{event}|{key}:{value}") for key, value in forms.PAIRS
              for event in ("def_param", "data")]
    log = "\n".join([FIRST[name], *lines, ""]).encode()
    assert left_in(log, redact(log)) == []


@pytest.mark.parametrize("name", FIRST)
def test_what_only_looks_like_a_secret_stays_in_each_line_of_text(name, redact):
    texts = [text for text in NEIGHBOURS if text]
    log = FIRST[name].encode() + b"\n" + text_log(texts, [], more=())
    assert redact(log).splitlines() == log.splitlines()


def test_words_that_lost_a_secret_are_quoted_again(redact):
    shown = redact("\n".join((FIRST["NORMAL"], normal(
        "start git -c " + quote("a.token=it's! " + forms.SECRET)), "")).encode())
    assert shown.splitlines()[1].endswith(
        b"start git -c 'a.token=<REDACTED>'")


@pytest.mark.parametrize("words, shown_words", [
    ("git clone 'https://h/r?token=%s' dir",) * 2,
    ("git ls-remote 'a://h?sig=%s'",) * 2,
    ("git -c 'url.https://h/?a=b&api_key=%s' fetch 'https://u:<REDACTED>@h/'",)
    * 2,
    ("git fetch https://h/?token=%s", "git fetch 'https://h/?token=%s'"),
    ("sh -c 'a https://h/?token=%s'\\''x' y", "sh -c 'a https://h/?token=%s' y"),
    ("Your token is %s", "Your token is '%s'"),
    ("a '[authorization:' Basic '%s'",) * 2,
    ("git clone https://u:a b%s@h/x", "git clone 'https://u:%s@h/x'"),
    ("git clone https://u:a b%s@h c://d:8 'e@f g'",
     "git clone 'https://u:%s@h' c://d:8 'e@f g'")])
def test_words_are_the_same_in_quotes_after_a_secret_is_hidden(
        words, shown_words, redact):
    for first, line in (FIRST["NORMAL"], normal("start %s")), (
            FIRST["PERF"], perf("child_start|[ch0] class:? argv:[%s]")):
        shown = redact(f"{first}\n{line % words % forms.SECRET}\n".encode())
        assert shown.decode() == (
            f"{first}\n{line % shown_words % '<REDACTED>'}\n")
        assert redact(shown) == shown


# ---- collect


@pytest.fixture
def collect(trace2, short_dir):
    """collect(log): what `collect --redact` writes of these lines."""
    services = []

    def call(log):
        service = Service(trace2, short_dir, ["-o", "files:logs", "--redact",
                                              "passwords"])
        services.append(service.begin())
        send_lines(service.path, log.splitlines(keepends=True))
        service.end()
        return b"".join(service.lines())

    yield call
    for service in services:
        service.kill()


def test_collect_hides_each_form_in_each_field_of_each_event(collect):
    log = event_log()
    assert left_in(log, collect(log)) == []


def test_collect_hides_secrets_in_lines_that_are_no_events(collect):
    words = [["a", option, forms.SECRET] for option in ("--token", "--password")]
    whole = dump(all_records(forms.TEXTS[:20])) + dump(
        record for line in words for record in with_words(line))
    cut = b"".join(line[:-2] + b"\n" for line in whole.splitlines())
    texts = ("\n".join(forms.TEXTS) + "\n").encode()
    shown = collect(cut + texts)
    assert LEFT.findall(shown) == []


def test_collect_hides_secrets_in_what_is_left_of_events_that_were_cut(collect):
    words = (["git", "clone", f"https://u:{forms.SECRET}@h/"],
             ["tool", "--token", forms.SECRET, "x"],
             ["sshpass", "-p", forms.SECRET, "ssh", "h"])
    whole = dump(next(with_words(line)) for line in words).splitlines()
    cut = [part for line in whole for at in range(12, len(line) - 4)
           for part in (line[:at], line[at:])]
    shown = collect(b"\n".join(cut) + b"\n")
    assert LEFT.findall(shown) == []
    assert shown.count(b'{"event": "start"') > len(cut) // 4


# ---- What is made of a redacted log


def story(number, text):
    """A process that has the text wherever a host may put one."""
    sid = f"20260102T030405.{number:06}Z-H63cf98d4-P{number:08x}"
    clock = iter(range(1, 1000))

    def event(kind, thread="main", **rest):
        now = next(clock)
        return {"event": kind, "sid": sid, "thread": thread,
                "time": f"2026-01-02T03:04:05.{now * 1000:06}Z", "file": "a.c",
                "line": 1, **rest}

    region = {"nesting": 1, "category": text, "label": text, "msg": text}
    data = {"t_abs": 0.01, "t_rel": 0.001, "nesting": 2, "category": text}
    timer = {"category": text, "name": text}
    yield event("version", evt="3", exe=text)
    yield event("start", t_abs=0.001, argv=["git", "push", text])
    yield event("cmd_name", name=text, hierarchy=text)
    yield event("cmd_mode", name=text)
    yield event("cmd_path", path=text)
    yield event("cmd_ancestry", ancestry=[text])
    yield event("alias", alias=text, argv=[text])
    yield event("def_repo", repo=1, worktree=text)
    yield event("def_param", scope="local", param=text, value=text)
    yield event("error", msg=text, fmt=text)
    yield event("region_enter", repo=1, **region)
    yield event("data", repo=1, **data, key=text, value=text)
    yield event("data_json", repo=1, **data, key=text, value={text: [text]})
    yield event("printf", t_abs=0.01, msg=text)
    yield event("region_leave", repo=1, t_rel=0.01, **region)
    yield event("child_start", child_id=0, child_class="hook", hook_name=text,
                cd=text, use_shell=False, argv=["sh", text])
    yield event("child_exit", child_id=0, pid=7, code=1, t_rel=0.02)
    yield event("thread_start", thread="th01:" + text)
    yield event("thread_exit", thread="th01:" + text, t_rel=0.01)
    yield event("timer", **timer, intervals=1, t_total=0.1, t_min=0.1,
                t_max=0.1)
    yield event("counter", **timer, count=1)
    yield event("exec", exec_id=0, exe=text, argv=["git", text])
    yield event("exec_result", exec_id=0, code=1)
    yield event("exit", t_abs=0.1, code=128)
    yield event("atexit", t_abs=0.1, code=128)


VIEWS = {
    "summary": ["summary", "--top", "0", "log"],
    "summary as JSON": ["summary", "--format", "json", "log"],
    "summary as a state": ["summary", "--format", "state", "log"],
    "report": ["report", "-o", "-", "log"],
    "validate": ["validate", "log"],
    **{f"table of {rows}": ["table", "--rows", rows, "log"] for rows in (
        "processes", "regions", "children", "data", "errors", "events")},
    **{f"convert to {to}": ["convert", "--to", to, "log", "-"] for to in (
        "fxt", "chrome", "speedscope", "folded", "otlp")},
}


@pytest.fixture
def shared(redact, scratch):
    """A redacted log of stories, and what it was made of."""
    texts = (*forms.TEXTS, *LONG_TEXTS)
    log = dump(event for number, text in enumerate(texts)
               for event in story(number, text))
    (scratch / "log").write_bytes(redact(log))
    return log


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_of_a_redacted_log_has_a_secret(view, shared, trace2, scratch):
    done = subprocess.run([trace2, *VIEWS[view]], cwd=scratch,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode < 2, done.stderr
    assert len(done.stdout) > 1000
    assert LEFT.findall(done.stdout + done.stderr) == []
    assert LEFT.search(shared)


@pytest.mark.parametrize("text", ["<<< --with-token ", "echo a | ", "echo ",
                                  "htpasswd -b f u ", "sqlplus u/", " ",
                                  "\u00a0 ", "\u200b", "%70", "\\u0070", "//u:",
                                  "password is ", "a:b@tcp(", "a:b@h:8 ",
                                  "a:", "a:@", "password [", "h:5432:a:b ",
                                  "('password', ", "\u0430", "--pin ",
                                  "password=$( ", "--password (a b ", "auth(",
                                  "printf '%s=%s' token a ", "http://a:",
                                  '"a":', "db2 \"a b\" ", "<(echo a "])
def test_a_line_of_many_commands_takes_no_longer_than_its_length(
        text, trace2):
    """Four times the line, four times the time, also on a busy machine."""
    def measure(size):
        msg = "--password-stdin; %70 " + text * (size // len(text))
        before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        done = subprocess.run([trace2, "redact", "-"], timeout=120, check=True,
                              input=dump([{"event": "printf", "msg": msg}]),
                              capture_output=True)
        assert done.stdout
        return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before

    assert measure(1_000_000) < 8 * measure(250_000) + 0.2


# ---- The table


def test_each_row_of_the_table_has_a_name_and_a_public_source(root):
    table = (root / "ref/event/secrets.h").read_text()
    sources = dict(re.findall(r'^#define ([A-Z]+) "([^"]+)"$', table, re.M))
    rows = re.findall(r'^\tROW\("([^"]+)", (.*)\)(?: \\)?$', table, re.M)
    assert len(rows) == table.count('ROW("') > 90
    found = [(word, *re.search(r'"([^"]+)", ([^ ]+|"[^"]+")$', rest).groups())
             for word, rest in rows]
    for path in (root / "helper/redact/tables").glob("*.tsv"):
        lines = path.read_text().splitlines()
        tsv = [line.split("\t") for line in lines if line[0] != "#"]
        if tsv[0][-1] == "source":
            found += [(row[0], *row[-2:]) for row in tsv[1:]]
    assert len(found) > 800
    for word, name, source in found:
        source = sources.get(source, source.strip('"'))
        assert len(name) > 3, word
        assert re.match(r"https://|SPEC\.md ", source), word
