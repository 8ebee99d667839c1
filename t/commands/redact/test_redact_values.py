"""`trace2 redact`: logs that can be shared. What is hidden, and what stays."""

import itertools
import json
import re
import shlex

import pytest
import schema_oracle
from redact_kit import KEY, KINDS, SID, printf

# The fields that the manual says are kept, and the formats of messages.
KEPT = re.compile(
    r"event|thread|exe|child_class|hook_name|ready|scope|category|label|key"
    r"|name|hierarchy|fmt"
)


@pytest.fixture
def redact(execute, trace2, scratch):
    """redact(*arguments): `trace2 redact`."""
    (scratch / "key").write_bytes(KEY)

    def call(*arguments, **options):
        return execute([trace2, "redact", *map(str, arguments)], **options)

    return call


@pytest.fixture
def hide(redact):
    """hide(log, KINDS): the log, through standard input and output."""

    def call(log, kinds="all"):
        done = redact("--hide", kinds, "--key", "key", "-", input=log)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    return call


def message(log):
    return json.loads(log.splitlines()[0])["msg"]


# ---- What is hidden


def events():
    """The schema of each event, with those of its fields that are texts."""
    common = schema_oracle.read_schema(
        schema_oracle.FOLDER / "common.schema.json")["properties"]
    for path in sorted((schema_oracle.FOLDER / "events").iterdir()):
        schema = schema_oracle.read_schema(path)
        own = schema.get("properties", {})
        texts = [name for name, rule in {**common, **own}.items()
                 if is_text(rule)]
        yield schema["title"], texts, schema["examples"]


def is_text(rule):
    """A rule without a type allows texts, too."""
    refers = rule.get("$ref", "")
    return (re.search("pattern|strings", refers)
            or not refers and ("type" not in rule or "string" in rule["type"]))


def test_the_table_and_the_manual_have_each_text_of_each_schema(root):
    table = (root / "helper/redact/tables/fields.tsv").read_text()
    page = (root / "helper/man/trace2-redact.1").read_text()
    common = set(re.findall(r"^OTHER\t(\w+)\t", table, re.M))
    manual = {
        (event.strip(), name.strip())
        for events_, names in re.findall(r"^\.It (.+?) Ta (.+?) Ta ", page,
                                         re.M)
        for event in events_.split(",") for name in names.split(",")
    }
    for event, texts, _ in events():
        rows = set(re.findall(rf"^{event.upper()}\t(\w+)\t", table, re.M))
        assert {name.upper() for name in texts} == rows | common, event
        for name in texts:
            assert {(event, name), ("every event", name)} & manual, name


SHAPES = (
    "secret{}", "secret{} secret{}", "/home/secret{}/x", "secret{}/x",
    "https://secret{}a@secret{}b.example/secret{}c?secret{}d#secret{}e",
    "secret{}@secret{}.example", "git@secret{}.example:secret{}",
    "https://u:secret{}@h/", "~/secret{}", "C:\\secret{}", "--x=secret{}",
    "-xsecret{}", "\\\\secret{}\\x", "key=secret{}", "'secret{}'", "\u00e9secret{}",
    "https://h/?token=secret{}", "see https://secret{}/", "a.secret{}.b",
    "\nsecret{}", "HEAD:secret{}/a", "file:///secret{}", "10.1.2.3 secret{}",
)


def seed(value, shape, count):
    """The value with other texts, each with secrets of its own."""
    if isinstance(value, str):
        return re.sub("{}", lambda _: str(next(count)), shape)
    if isinstance(value, list):
        return [seed(item, shape, count) for item in value or ["x"]]
    if isinstance(value, dict):
        # A key that is a name is the program's own word.
        return {f"{next(count)}/{seed(key, shape, count)}":
                seed(item, shape, count) for key, item in value.items()}
    return value


def seeded_events(count):
    """Each example of each schema with secrets in each field, and a few
    events that no schema has."""
    for event, texts, examples in events():
        for shape, example in itertools.product(SHAPES, examples):
            secret = dict(example)
            for name in texts:
                if name in ("argv", "ancestry"):
                    secret[name] = seed(["x", "x", "x"], shape, count)
                elif name == "file" and not re.search(r"[^\w./{}-]|^/", shape):
                    continue  # as a source file is named
                elif name == "param" and re.fullmatch(r"[\w{}-]+", shape):
                    continue  # as a variable is named
                elif not KEPT.fullmatch(name):
                    secret[name] = seed(example.get(name, "x"), shape, count)
            yield {**secret, "unknown": seed({"x": ["x"]}, shape, count)}
            yield {"event": "unknown", **{
                name: seed("x", shape, count) for name in secret
                if name not in ("event", "thread", "file")}}


def test_no_secret_is_anywhere_in_the_output(redact, hide):
    count = itertools.count(1000000)
    log = "".join(json.dumps(event) + "\n" for event in seeded_events(count))
    assert next(count) > 1010000
    assert log.count("secret1") > 10000
    got = hide(log.encode())
    assert got.count(b"\n") == log.count("\n")
    assert not re.findall(rb".*secret.*", got)[:1]
    for line in got.splitlines():
        json.loads(line)
    plain = redact("-", input=log.encode())
    assert plain.returncode == 0
    for text in (rb"u:secret", rb"token=secret"):
        assert re.search(text, log.encode())
        assert not re.search(text, plain.stdout)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_hides_texts_of_which_nothing_is_known(hide, kind):
    assert message(hide(printf("my secret"), kind)).startswith("<text-")


def test_kinds_may_be_combined(hide):
    log = printf("https://me@host.example/x")
    assert re.fullmatch(r"https://<user-\w{16}>@<host-\w{16}>/"
                        r"<repository-\w{16}>", message(hide(log, "users,hosts")))
    assert re.fullmatch(r"https://me@<host-\w{16}>/x",
                        message(hide(log, "hosts")))


# These verbs only write the events, and no program runs.
LEFT_OPEN = ("stream.child.unfinished", "stream.exec.last")


@pytest.mark.parametrize("verb", [
    ("001return",), ("301redact_child_start",), ("302redact_exec", "git"),
    ("303redact_def_param", "a.b"), ("003error",),
])
@pytest.mark.parametrize("brief", ["0", "1"])
@pytest.mark.parametrize("form", ["event", "normal", "perf"])
def test_passwords_are_hidden_as_the_library_hides_them(
        run, redact, execute, trace2, scratch, form, brief, verb):
    """What the library writes with redaction is what redact makes of what it
    writes without, and so are the quotes that a `<` asks for."""
    variable = {"event": "GIT_TRACE2_EVENT", "normal": "GIT_TRACE2",
                "perf": "GIT_TRACE2_PERF"}[form]
    words = ("https://u:p@h/x", "https://u:it's@h", "x https://u:p/q@h y https://:@h", "a\\b",
             "https://h:8080/a", "ssh://u:a@b@h", "https://h/?sig=x&b=1")
    for redacts in ("0", "1"):
        run(*verb, *words, env={
            variable: str(scratch / redacts), f"{variable}_BRIEF": brief,
            "GIT_TRACE2_REDACT": redacts})
    logs = [(scratch / name).read_bytes() for name in "01"]
    got = redact(scratch / "0").stdout
    assert b"u:p@h" in logs[0]
    assert mask(got) == mask(logs[1])
    found = findings(execute, trace2, got)
    assert found == findings(execute, trace2, logs[1])
    assert {name for _, name, _ in found} <= set(LEFT_OPEN)


def mask(log):
    """Without what differs from run to run."""
    return re.sub(rb"\d{8}T\d{6}\.\d+Z-H\w+-P\w+|\d+\.\d{6}|"
                  rb"[\d-]+T[\d:.]+Z|\d\d:\d\d:\d\d\.\d+", b"?", log)


# ---- What stays


def findings(execute, trace2, log):
    done = execute([trace2, "validate", "--strict", "--format", "jsonl", "-"],
                   input=log)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [(row["line"], row["id"], row["level"])
            for row in rows if "id" in row]


def corpus(root, *places):
    for place in places:
        for path in sorted((root / "t/corpus" / place).rglob("*.event")):
            if path.is_file():
                yield path, path.read_bytes()


PARTS = 16
LATER = pytest.mark.long("the rest of the corpus")


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=LATER)
                  for part in range(1, PARTS))])
def test_validate_says_the_same_before_and_after(
        redact, execute, trace2, root, part):
    logs = [(path, log) for path, log in corpus(root, "pass", "fail")
            if "/fail/input." not in str(path)][part::PARTS]
    assert len(logs) > 100 * 4 // PARTS
    met = 0
    for path, log in logs:
        want = findings(execute, trace2, log)
        met += bool(want)
        for options in ([], ["--hide", "all", "--key", "key"]):
            done = redact(*options, "-", input=log)
            if done.returncode == 0:
                assert findings(execute, trace2, done.stdout) == want, path
            else:
                assert b"left out" in done.stderr, path
    assert met > len(logs) // 4


def figures(execute, trace2, log):
    """All numbers of the summary, without the names beside them."""
    done = execute([trace2, "summary", "--format", "json", "-"], input=log)
    assert done.returncode in (0, 1)
    found = []

    def walk(value):
        if isinstance(value, dict):
            for key in value:
                walk(value[key])
        elif isinstance(value, list):
            inner = found[:]
            rows = []
            for item in value:
                found.clear()
                walk(item)
                rows.append(tuple(found))
            found[:] = [*inner, tuple(sorted(rows, key=repr))]
        elif not isinstance(value, str):
            found.append(value)

    walk(json.loads(done.stdout))
    return found


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_summary_has_the_same_figures_after_redaction(
        hide, execute, trace2, root, version):
    logs = b"".join(log for path, log in corpus(root, "pass/real")
                    if f"evt{version}" in str(path) and b"\xff" not in log
                    and "nonutf8" not in path.name)
    assert logs.count(b"\n") > 200
    got = hide(logs)
    assert got != logs
    assert figures(execute, trace2, got) == figures(execute, trace2, logs)


def test_gits_own_logs_stay_valid_and_show_no_name(
        redact, execute, trace2, scratch):
    repo, quote = str(scratch / "topsecret"), shlex.quote
    script = f"""
        git init -q {quote(repo)} && cd {quote(repo)} &&
        git config user.name Topsecret && git config user.email t@secret.example &&
        git remote add topsecret https://me:pw@topsecret.example/topsecret.git &&
        echo 1 >topsecret.txt && git add topsecret.txt && git commit -qm topsecret &&
        git checkout -qb topsecret && git log --oneline --author=topsecret &&
        git -c alias.topsecret=status topsecret; git nothing-topsecret;
        git fetch -q {quote(repo)} HEAD; true
    """
    (scratch / "logs").mkdir()
    env = {"GIT_TRACE2_EVENT": str(scratch / "logs"),
           "GIT_TRACE2_CONFIG_PARAMS": "*", "GIT_TRACE2_EVENT_NESTING": "9"}
    execute(["sh", "-c", script], env=env)
    before = [path.read_bytes() for path in sorted((scratch / "logs").iterdir())]
    assert len(before) > 8
    assert b"".join(before).count(b"topsecret") > 30
    done = redact("--hide", "all", "-o", "out", "logs")
    assert (done.returncode, done.stderr) == (0, b"")
    paths = sorted((scratch / "out").iterdir())
    after = [path.read_bytes() for path in paths]
    assert not re.findall(rb"(?i).*secret.*", b"".join(after))[:1]
    assert not {path.name for path in paths} & {
        path.name for path in (scratch / "logs").iterdir()}
    for path in paths:
        first = json.loads(path.read_bytes().splitlines()[0])
        assert path.name == first["sid"].split("/")[-1]
    checks = [execute([trace2, "validate", "--format", "concise", place])
              for place in ("logs", "out")]
    assert [check.returncode for check in checks] == [0, 0]
    assert figures(execute, trace2, b"".join(after)) == figures(
        execute, trace2, b"".join(before))


# ---- Joins


def test_a_value_has_one_placeholder_in_all_fields_and_runs(hide, redact):
    log = b"".join([
        printf("/home/me/repo"),
        b'{"event":"def_repo","worktree":"/home/me/repo"}\n',
        b'{"event":"child_start","cd":"/home/me/repo",'
        b'"argv":["git","-C","/home/me/repo","--x=/home/me/repo"]}\n',
    ])
    found = re.findall(rb"<path-\w{16}>", hide(log, "paths"))
    assert len(found) == 5
    assert len(set(found)) == 1
    assert found[0] in hide(printf("/home/me/repo"), "paths,users")
    other = redact("--hide", "paths", "-", input=log).stdout
    assert len(set(re.findall(rb"<path-\w{16}>", other))) == 1
    assert found[0] not in other


def test_a_child_keeps_its_parent(hide):
    lines = printf("1", sid=SID) + printf("1", sid=SID + "/" + SID)
    parent, child = (json.loads(line)["sid"]
                     for line in hide(lines, "hosts").splitlines())
    assert child.startswith(parent + "/")
    assert parent != SID
    assert re.fullmatch(r"20260114T093042\.112358Z-H[0-9a-f]{8}-P00001f40",
                        parent)
