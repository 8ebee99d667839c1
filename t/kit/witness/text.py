"""Columns, clocks and quoting of NORMAL and PERF."""

import datetime
import re

from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell

CLOCK = r"\d\d:\d\d:\d\d\.\d{6}"
PREFIX = re.compile(rb"(%s) (\S+:\d+) +" % CLOCK.encode())
SECONDS = r"(?: {9}| *\d+\.\d{6})"
PERF = re.compile(
    rf"{CLOCK} (.{{28}}) \| d\d+ \| (.{{24,}}) \| (.{{12,}}) \| "
    rf"( {{3}}|r\d+ ) \| ({SECONDS}) \| ({SECONDS}) \| (.{{12}}) \| (.*)"
)


def status(kit, **env):
    return shell(kit, REPOSITORY + "git status", env={"TZ": "UTC", **env})


@scenario("git puts NORMAL's payload at column 50",
          ids=("normal.prefix", "normal.column"))
def column(kit):
    for line in status(kit).lines("normal") or [b""]:
        found = PREFIX.match(line)
        kit.check("normal.prefix", found, "clock, file and line", line)
        kit.equal("normal.column", found and found.end(), 50)
    kit.check("normal.column", True)


@scenario("git's clocks show local time in text and UTC in EVENT",
          ids=("time.local", "time.utc", "perf.column.time"))
def clocks(kit):
    run = status(kit, TZ="UTC-05:30")
    form = re.compile(r"\d{4}-\d\d-\d\dT" + CLOCK + "Z")
    for event in run.events():
        kit.matches("time.utc", form, event["time"])
    utc = run.event("version")["time"]
    local = moved(utc, minutes=330)
    for name, line in (("time.local", run.lines("normal")[0]),
                       ("perf.column.time", run.lines("perf")[0])):
        kit.check(name, near(line[:15].decode(), local), f"about {local}",
                  line[:15])


def moved(text, minutes):
    """The time of day that many minutes later."""
    when = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return when + datetime.timedelta(minutes=minutes)


def near(clock, when):
    """Within ten seconds, around midnight too."""
    other = datetime.datetime.strptime(clock, "%H:%M:%S.%f")
    apart = (when - other).total_seconds() % 86400
    return min(apart, 86400 - apart) < 10


@scenario("git's PERF has columns of their widths",
          ids=("perf.column", "perf.column.file", "perf.column.time-width",
               "perf.column.category-width", "perf.widen",
               "perf.column.thread", "perf.column.event",
               "perf.column.repo"))
def widths(kit):
    lines = [line.decode() for line in status(kit).lines("perf")]
    for line in lines or [""]:
        kit.matches("perf.column", PERF, line)
    cells = [PERF.fullmatch(line).groups() for line in lines]
    places, threads, names, repos, t_abs, t_rel, categories, _ = zip(*cells)
    for place in places:
        kit.matches("perf.column.file", re.compile(r"(?=.{28}$)\S+:\d+ *"),
                    place)
    kit.equal("perf.column.thread", set(threads), {"main" + 20 * " "})
    kit.contains("perf.column.event", names, "exit        ")
    kit.contains("perf.column.event", names, "cmd_name    ")
    kit.equal("perf.column.repo", set(repos), {"   ", "r1 "})
    for times in (t_abs, t_rel):
        kit.equal("perf.column.time-width",
                  {(len(t), t == 9 * " ") for t in times},
                  {(9, True), (9, False)})
    for name in ("perf.column.category-width", "perf.widen"):
        for category in ("unpack_trees", "index       ", "read_directo"):
            kit.contains(name, categories, category)


WORDS = (
    ("--all", "--all"), ("", "''"), ("two words", "'two words'"),
    ("it's", r"'it'\''s'"), ("a!b", r"'a'\!'b'"), ("a~b", "'a~b'"),
    ("é", "'é'"), ("a=b:c,d/e@f^g+h_i-j.k", "a=b:c,d/e@f^g+h_i-j.k"),
    ("\t", "'\t'"), ("%", "'%'"), ('"', "'\"'"), ("[", "'['"),
)


@scenario("git quotes arguments as a shell would read them",
          ids=("quote.argument", "quote.escape", "quote.join", "quote.where"))
def quoting(kit):
    words, quoted = zip(*WORDS)
    run = kit.command("git", "-c", "alias.a=!true", "a", *words)
    program = run.event("start")["argv"][0]
    start = f"start {program} -c 'alias.a='\\!'true' a "
    line = run.payloads(b"start")[0].decode()
    for name in ("quote.argument", "quote.escape", "quote.join",
                 "quote.where"):
        kit.equal(name, line, start + " ".join(quoted))
    payload = run.perf("start")[0].payload
    kit.equal("quote.where", payload, line[len("start "):])
    alias = [p.decode() for p in run.payloads(b"alias")]
    kit.equal("quote.where", alias, ["alias a -> true " + " ".join(quoted)])


COLUMNS = "git's PERF has columns of their widths"
fault("perf.column", COLUMNS, perf=(rb"(\| index) ", rb"\1"))
fault("perf.column.category-width", COLUMNS,
      perf=(rb"read_directo ", b"read_directory "))
fault("normal.column", "git puts NORMAL's payload at column 50",
      normal=(rb"  (?=version)", b" "))
