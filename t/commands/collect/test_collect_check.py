"""`trace2 collect --check` and `--redact`: lines on their way to outputs."""

import json
import subprocess

import pytest
from collect_kit import Service, connect, send_lines, until
from test_collect_config import read_metrics

SID = b'"sid":"20261123T100000.000000Z-H0123abcd-P00000001"'
REST = SID + b',"thread":"main","time":"2026-11-23T10:00:00.000000Z"'
GOOD = b'{"event":"atexit",' + REST + b',"t_abs":0.1,"code":0}\n'
BROKEN = {
    b"junk\n": "input.json",
    b'{"event":"sta\xff"}\n': "input.utf8",
    b'{"event":"start"}\n': "event.common.sid",
    b'{"event":"atexit",' + REST + b',"t_abs":0.1,"code":"x"}\n': "event.atexit.code",
    b"\n": "input.blank-line",
}


def clone(url):
    return (b'{"event":"start",' + REST + b',"t_abs":0.1,"argv":["git","clone","'
            + url + b'"]}\n')


SECRET, HIDDEN = clone(b"https://me:pa55@h/x"), clone(b"https://me:<REDACTED>@h/x")


@pytest.fixture
def collect(trace2, short_dir):
    """collect(lines, *options): the service after it has got these lines."""
    made = []

    def call(lines, *options, **more):
        made.append(Service(trace2, short_dir, ["-o", "files:logs", *options], **more))
        send_lines(made[-1].begin().path, lines)
        made[-1].end()
        return made[-1]

    yield call
    for one in made:
        one.kill()


def test_kinds_of_values_are_hidden_as_redact_does(collect, trace2, scratch):
    (scratch / "key").write_bytes(b"k" * 16)
    lines = [clone(b"https://me:pa55@host.example/team/x"), GOOD,
             b'{"event":"error",' + REST + b',"msg":"no /home/me/x","fmt":"no %s"}\n']
    ended = collect(lines, "--redact", "all", "--redact-key", str(scratch / "key"))
    assert (ended.code, ended.errors) == (0, b"")
    wanted = subprocess.run(
        [trace2, "redact", "--hide", "all", "--key", scratch / "key", "-"],
        input=b"".join(lines), stdout=subprocess.PIPE, check=True).stdout
    assert b"".join(ended.lines()) == wanted
    assert b"team" not in wanted
    metrics = read_metrics((ended.spool / "metrics.prom").read_text())
    assert metrics["trace2_collect_redacted_total"] == 3


def test_placeholders_agree_after_a_restart(collect):
    url = clone(b"https://host.example/team/x")
    first = collect([url], "--redact", "repositories,hosts")
    assert (first.spool / "redact.key").stat().st_mode & 0o777 == 0o600
    second = collect([url], "--redact", "repositories,hosts")
    one, two = second.lines()
    assert one == two
    assert b"team" not in one


def test_lines_that_nobody_can_hide_are_dropped_and_counted(collect):
    ended = collect([b"secret /home/me\n", GOOD, b"[1]\n"], "--redact", "paths",
                    "--check", "set-aside")
    assert ended.code == 1
    assert ended.lines() == [GOOD]
    assert not (ended.spool / "broken.log").exists()
    metrics = read_metrics((ended.spool / "metrics.prom").read_text())
    assert metrics["trace2_collect_unknown_total"] == 2
    assert metrics["trace2_collect_received_total"] == 3
    assert b"2 lines were dropped: they are no events" in ended.errors


def test_broken_events_are_set_aside_with_placeholders(collect):
    bad = b'{"event":"start","argv":["/home/me/git"]}\n'
    ended = collect([bad], "--redact", "all", "--check", "set-aside")
    aside = (ended.spool / "broken.log").read_bytes()
    assert aside.startswith(b'{"event":"start"')
    assert b"/home/me" not in aside


@pytest.mark.parametrize(("options", "words"), [
    (["--redact", "paths,x"], b"redact needs off, passwords, or a list"),
    (["--redact-key", "x"], b"redact-key needs a list of kinds"),
    (["--redact", "all", "--redact-key", "none"], b"No such file"),
    (["--redact", "all", "--redact-key", "short"], b"a key has 16 to 4096 bytes")])
def test_a_wrong_key_is_refused_before_a_line_is_read(options, words, trace2, short_dir):
    (short_dir / "short").write_bytes(b"x" * 15)
    done = Service(trace2, short_dir, []).run(
        "-l", "af_unix:stream:s", "-o", "stdout", *options)
    assert done.returncode in (2, 3)
    assert words in done.stderr


def broken_of(service):
    metrics = read_metrics((service.spool / "metrics.prom").read_text())
    head = 'trace2_collect_broken_total{rule="'
    return {name[len(head):-2]: count for name, count in metrics.items()
            if name.startswith(head)}


def mix():
    """Broken lines between good ones."""
    return [GOOD, *(line for one in BROKEN for line in (one, GOOD))]


def test_broken_lines_pass_and_are_counted_by_rule(collect):
    ended = collect(mix() + mix(), "--check", "pass")
    assert (ended.code, ended.errors) == (0, b"")
    assert ended.lines() == mix() + mix()
    assert broken_of(ended) == dict.fromkeys(BROKEN.values(), 2)


def test_without_a_check_nothing_is_counted(collect):
    ended = collect(mix(), "--check", "off")
    assert ended.lines() == mix()
    assert broken_of(ended) == {}


def test_a_marked_line_has_its_rule_and_its_text(collect):
    ended = collect(mix(), "--check", "mark")
    got = ended.lines()
    assert got[::2] == [GOOD] * (len(BROKEN) + 1)
    for line, (text, rule) in zip(got[1::2], BROKEN.items(), strict=True):
        text = text[:-1].decode(errors="replace")
        assert json.loads(line) == {"broken": rule, "line": text}


def test_a_line_that_is_set_aside_is_in_no_output(collect):
    ended = collect(mix(), "--check", "set-aside")
    assert ended.code == 0
    assert ended.lines() == [GOOD] * (len(BROKEN) + 1)
    assert (ended.spool / "broken.log").read_bytes() == b"".join(BROKEN)
    assert b": 5 broken events were set aside\n" in ended.errors
    assert broken_of(ended) == dict.fromkeys(BROKEN.values(), 1)


def test_lines_beyond_the_limit_are_not_set_aside_and_counted(collect):
    ended = collect([b"12345\n"] * 10 + [GOOD], "--check", "set-aside",
                    "--broken-limit", "18")
    assert ended.lines() == [GOOD]
    assert (ended.spool / "broken.log").read_bytes() == b"12345\n" * 3
    assert ended.code == 1
    assert (b"7 broken events were dropped: there was no space to set them aside"
            in ended.errors)


def test_no_link_is_followed_to_set_a_line_aside(collect, short_dir):
    (short_dir / "spool").mkdir()
    (short_dir / "mine").write_bytes(b"")
    (short_dir / "spool/broken.log").symlink_to("../mine")
    ended = collect([b"junk\n"], "--check", "set-aside")
    assert (short_dir / "mine").read_bytes() == b""
    assert ended.code == 1


def test_a_file_of_broken_lines_may_be_removed(trace2, short_dir):
    running = Service(trace2, short_dir, ["-o", "stdout", "--check", "set-aside"])
    broken = running.begin().spool / "broken.log"
    for line in (b"one\n", b"two\n"):
        send_lines(running.path, [line])
        assert until(lambda wanted=line: broken.exists()
                     and broken.read_bytes() == wanted)
        broken.unlink()
    assert running.end()[0] == 0


# What one event shows.
ALONE = "event,input,stream.place,stream.error.fmt,stream.repo.place"


def test_a_check_judges_as_validate_does(collect, trace2, root, short_dir):
    log = short_dir / "all.event"
    log.write_bytes(b"".join(
        path.read_bytes() for folder in ("pass/event", "fail")
        for path in sorted((root / "t/corpus" / folder).rglob("*.event"))
        if path.is_file() and not path.parent.name.startswith("input.")))
    result = subprocess.run([trace2, "validate", "--select", ALONE,
                             "--format", "jsonl", log],
                            capture_output=True, check=False)
    wanted = {}
    for finding in map(json.loads, result.stdout.splitlines()):
        if finding.get("level") == "error":
            wanted.setdefault(finding["line"], set()).add(finding["id"])
    ended = collect([log.read_bytes()], "--check", "mark")
    got = {number: json.loads(line)["broken"]
           for number, line in enumerate(ended.lines(), 1)
           if line.startswith(b'{"broken":')}
    assert len(got) > 100
    assert [n for n, rule in got.items() if rule not in wanted.get(n, ())] == []
    assert sorted(got) == sorted(wanted)


@pytest.mark.parametrize("line, wanted", [
    (SECRET, HIDDEN),
    (GOOD, GOOD),
    (b"GET https://me:pa55@h/ 200\n", b"GET https://me:<REDACTED>@h/ 200\n"),
    (b"https://me:pa\x0055@h/\n", b"https://me:<REDACTED>@h/\n"),
    (b'{"a":"https://h/?token=pa55&b"}\n', b'{"a":"https://h/?token=<REDACTED>&b"}\n'),
])
def test_passwords_are_hidden_on_the_way(collect, line, wanted):
    ended = collect([line], "--redact", "passwords")
    assert ended.lines() == [wanted]
    metrics = read_metrics((ended.spool / "metrics.prom").read_text())
    assert metrics["trace2_collect_redacted_total"] == (line != wanted)


def test_passwords_stay_if_nobody_asks(collect):
    assert collect([SECRET], "--redact", "off").lines() == [SECRET]


@pytest.mark.parametrize("how", ["mark", "set-aside"])
def test_passwords_of_broken_lines_are_hidden_too(collect, how):
    torn = SECRET[:-5] + b"\n"
    ended = collect([torn], "--redact", "passwords", "--check", how)
    files = [ended.spool / "broken.log"] if how == "set-aside" else ended.logs()
    text = files[0].read_bytes()
    assert b"clone" in text and b"pa55" not in text


def test_no_password_reaches_the_disk(trace2, short_dir):
    """Not even the half of a line that waits for its other half."""
    running = Service(trace2, short_dir, ["-o", "af_unix:stream:none",
                                          "--redact", "passwords"]).begin()
    writer = connect(running.path)
    writer.sendall(SECRET + SECRET[:-9])
    assert until(lambda: any(b"REDACTED" in f.read_bytes()
                             for f in running.spool.glob("*-*")))
    running.kill()
    left = [f for f in running.spool.iterdir() if f.stat().st_size]
    assert left  # the lock is empty, and nobody may read it
    assert not [f for f in left if b"pa55" in f.read_bytes()]


def test_checked_datagrams_and_pieces_are_whole(collect, trace2, short_dir):
    running = Service(trace2, short_dir, ["-o", "files:logs", "--check", "mark"]).begin()
    writer = connect(running.path)
    long = b'{"event":"error",' + REST + b',"t_abs":0.1,"msg":"' + b"x" * (1 << 19)
    writer.sendall(long)
    writer.sendall(b'","fmt":"y"}\n' + GOOD[:20])
    writer.sendall(GOOD[20:] + b"torn")
    writer.close()
    running.end()
    assert running.lines() == [long + b'","fmt":"y"}\n', GOOD,
                               b'{"broken":"input.json","line":"torn"}\n']


def test_attributes_are_in_each_start_and_only_once(collect):
    begin = b'{"event":"start",' + REST + b',"t_abs":0.1,"argv":["git","gc"]'
    said = b',"attributes":{"host.name":"b7","team":"a \\"b\\""}}\n'
    other = b',"attributes":{"team":"other"}}\n'
    options = ("--attribute", "host.name=b7", "--attribute", 'team=a "b"')
    done = collect([begin + b"}\n", begin + b" }\n", begin + other, GOOD, b"start junk\n",
                    b'"start"}\n'], *options)
    assert done.code == 0, done.errors
    assert done.lines() == [begin + said, begin + b" " + said, begin + other,
                            GOOD, b"start junk\n", b'"start"}\n']


def test_attributes_are_not_redacted_and_secrets_are(collect):
    done = collect([SECRET], "--attribute", "team=https://me:pa55@h/",
                   "--redact", "passwords")
    start, = done.lines()
    assert b"<REDACTED>@h/x" in start
    assert json.loads(start)["attributes"] == {"team": "https://me:pa55@h/"}
