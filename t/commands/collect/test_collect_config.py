"""`trace2 collect --config`, `--check-config`, `--status` and the metrics."""

import re
import subprocess

import pytest
from collect_kit import Service, send_lines, until


@pytest.fixture
def service(trace2, short_dir):
    made = Service(trace2, short_dir, ["--config", "c.conf"])
    yield made
    if made.process:
        made.kill()


@pytest.fixture
def check(execute, trace2, short_dir):
    """check(text): what --check-config finds in a file."""

    def call(text):
        (short_dir / "c.conf").write_bytes(text)
        return execute([trace2, "collect", "--config", "c.conf", "--check-config"],
                       cwd=short_dir)

    return call


GOOD = b"""
# a comment
listen \taf_unix:stream:/run/a
  listen af_unix:dgram:/run/b
output files:a directory with blanks\r
output stdout
spool s
spool-limit 5m
file-size 1k
files-limit 1g
compress
watch a directory
remove
check set-aside
broken-limit 1m
redact passwords
allow-others
"""


def test_a_good_file_passes_the_check(check):
    result = check(GOOD)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.parametrize("line, words", [
    (b"lisen x", b"unknown setting 'lisen'; did you mean 'listen'?"),
    (b"config x", b"unknown setting 'config'; expected listen, watch,"),
    (b"listen x", b"listen needs af_unix:stream:PATH or af_unix:dgram:PATH, not 'x'"),
    (b"listen", b"listen needs a value"),
    (b"allow-others yes", b"allow-others takes no value"),
    (b"output stdout", b"this output is named twice: stdout"),
    (b"files-limit 0", b"files-limit needs a size such as 64M, not '0'"),
    (b"check maybe", b"check needs off, pass, mark or set-aside, not 'maybe'"),
    (b"redact some", b"redact needs off, passwords, or a list of"),
])
def test_a_wrong_line_is_reported_with_its_number(check, line, words):
    result = check(GOOD + line + b"\nspool other\n")
    assert result.returncode == 2
    assert result.stderr.startswith(b"trace2 collect: c.conf:18: " + words)
    assert result.stderr.count(b"\n") == 1


def test_a_file_may_lack_what_the_command_line_has(execute, trace2, short_dir):
    (short_dir / "c.conf").write_bytes(b"spool s\nlisten af_unix:stream:a")
    command = [trace2, "collect", "--check-config", "--config", "c.conf"]
    assert execute(command, cwd=short_dir).returncode == 2
    assert execute([*command, "-o", "stdout"], cwd=short_dir).returncode == 0


def test_a_file_that_cannot_be_read_is_named(execute, trace2, short_dir):
    (short_dir / "big").write_bytes(b"#" * (2 << 20))
    for name in ("absent", ".", "big"):
        result = execute([trace2, "collect", "--config", name], cwd=short_dir)
        assert result.returncode == 2
        assert result.stderr.endswith(b": %s\n" % name.encode())
    twice = ["--config", "c.conf"] * 2
    (short_dir / "c.conf").write_bytes(b"spool s")
    result = execute([trace2, "collect", *twice], cwd=short_dir)
    assert b"there can be one file only" in result.stderr


LOOP = b"the service reads what this output writes"


@pytest.mark.parametrize("words, told", [
    (["-o", "files:dir", "-o", "files:link"], b"this output is named twice"),
    (["-o", "files:new", "-o", "files:link/../new"], b"this output is named twice"),
    (["--watch", "dir", "--watch", "link"], b"this directory is named twice"),
    (["--watch", "link", "-o", "files:dir"], LOOP),
    (["--watch", "dir", "-o", "stdout"], LOOP),
    (["--watch", "new", "-o", "files:open"], b"a link to a directory that is not"),
    (["--watch", "link", "-o", "files:new", "-o", "stdout"], LOOP),
])
def test_one_place_by_two_names_is_refused(words, told, trace2, short_dir):
    (short_dir / "dir").mkdir()
    (short_dir / "link").symlink_to("dir")
    (short_dir / "open").symlink_to("new")
    with (short_dir / "dir/out").open("wb") as out:
        done = subprocess.run([trace2, "collect", "--spool", "s", *words],
                              stdout=out, stderr=subprocess.PIPE, timeout=30,
                              cwd=short_dir, check=False)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert {path.name for path in short_dir.iterdir()} == {"dir", "link", "open"}


def read_metrics(text):
    return {name: int(value) for name, value
            in re.findall(r"^([^# ]\S*|\S+\{.*\}) (\d+)$", text, re.M)}


def test_metrics_count_events_of_the_service_and_each_output(service, short_dir):
    (short_dir / "c.conf").write_text("output files:logs\n"
                                    'output af_unix:stream:no "one"\\\n')
    service.begin()
    send_lines(service.path, [b"four\n"] * 100)
    path = service.spool / "metrics.prom"  # in its first second there is none
    assert until(path.exists)
    assert until(lambda: read_metrics(path.read_text()).get(
        'trace2_collect_output_passed_total{output="files:logs"}') == 100)
    service.end()
    metrics = read_metrics(path.read_text())
    missing = r'{output="af_unix:stream:no \"one\"\\"}'
    assert metrics["trace2_collect_events_total"] == 100
    assert metrics["trace2_collect_bytes_total"] == 500
    assert metrics["trace2_collect_dropped_total"] == 0
    assert metrics["trace2_collect_output_passed_total" + missing] == 0
    assert metrics["trace2_collect_output_missed_total" + missing] == 0
    assert metrics["trace2_collect_output_waiting" + missing] == 100
    assert metrics['trace2_collect_output_waiting{output="files:logs"}'] == 0


def test_status_shows_the_counts_and_their_age(service, short_dir, execute, trace2):
    (short_dir / "c.conf").write_text("output files:logs\n")
    command = [trace2, "collect", "--status", "--spool", service.spool]
    assert execute(command, cwd=short_dir).returncode == 3
    service.begin()
    send_lines(service.path, [b"x\n"])
    service.end()
    shown = execute(command, cwd=short_dir)
    assert shown.returncode == 0
    first, rest = shown.stdout.split(b"\n", 1)
    assert re.fullmatch(rb"# written \d+ s ago", first)
    assert rest == (service.spool / "metrics.prom").read_bytes()
