"""How values of settings are read: booleans, numbers, directories' limits."""

import itertools

from kit.config import BRIEF, brief, home
from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS, VARIABLES

TRUE = ("true", "TRUE", "yes", "Yes", "on", "oN", "1", "-1", "42")
FALSE = ("false", "False", "no", "NO", "off", "oFF", "0", "00", "")
INTEGERS = ("0x1f", "010", " 7", "\t0x1", "+3", "-3",
            "1k", "2M", "1g", "5K", "2147483647", "-2147483647")
NO_INTEGERS = ("7 ", "1x", "1kk", "1 k", "0x", "08",
               "1.0", "--1", "2147483648", "2g", "99999999999999999999", "k")
NO_BOOLEANS = ("bogus", "t", "truee", "yes ", "2x", "enabled")


def threes(texts):
    return zip(*[iter(texts)] * 3)


def misread(kit, texts, truth):
    """The texts of brief flags that don't give the form that they should.
    By config, where an empty text is a value, and by the environment."""
    found = []
    for three in threes(texts):
        keys = {f"{t}Brief": f'"{x}"'.encode() for t, x in zip(TARGETS, three)}
        if kit.configured():
            run = kit.run("001return", "0", files=home(**keys))
            found += zip(three, brief(run))
        if "" not in three:
            env = dict(zip(BRIEF.values(), three))
            run = kit.run("001return", "0", env=env)
            found += zip(three, brief(run))
    return [text for text, is_brief in found if is_brief is not truth]


TITLE = "booleans are words in any case and integers"


@scenario(TITLE, verbs=("001return",), ids=("settings.boolean",))
def booleans(kit):
    kit.equal("settings.boolean", misread(kit, TRUE, True), [])
    kit.equal("settings.boolean", misread(kit, FALSE, False), [])


def brief_again(run):
    """A program to which everything is true."""
    run.files["normal"] = b"version 1\nstart a\n"
    return run


def never_brief(run):
    """A program that knows no flag of EVENT."""
    run.files["event"] = b"".join(
        line.replace(b'"thread":"main"', b'"thread":"main","time":"x","file":"x"')
        for line in run.files["event"].splitlines(keepends=True)
    )
    return run


fault("settings.boolean", TITLE, edit=brief_again)
fault("settings.boolean", TITLE, edit=never_brief)

SECRET = "https://u:secret@host/"


TITLE = "integers of booleans are C's, with a unit"


@scenario(TITLE, verbs=("001return", "300redact_start"),
          ids=("settings.boolean.integer",))
def boolean_integers(kit):
    name = "settings.boolean.integer"
    kit.equal(name, misread(kit, INTEGERS, True), [])
    kit.equal(name, misread(kit, NO_INTEGERS, False), [])
    for text in ("0x0", "-0", "0k", "00"):
        run = kit.run("300redact_start", SECRET,
                      env={"GIT_TRACE2_REDACT": text})
        kit.equal(name, run.event("start", -1)["argv"], [SECRET])


fault("settings.boolean.integer", TITLE, edit=brief_again)
fault("settings.boolean.integer", TITLE,
      event=(rb":secret@", rb":<REDACTED>@"))


TITLE = "a brief flag that is no boolean is false"


@scenario(TITLE, verbs=("001return",), ids=("settings.boolean.invalid",))
def no_booleans(kit):
    kit.equal("settings.boolean.invalid", misread(kit, NO_BOOLEANS, False),
              [])


fault("settings.boolean.invalid", TITLE, edit=brief_again)


# Directories with a trace each: how many entries they have, `.` and `..`
# included, decides what a limit does.

SENTINEL = "git-trace2-discard"


def directories(entries):
    return "; ".join(
        f"mkdir dir{count}"
        + "".join(f"; : >dir{count}/old{n}" for n in range(count - 2))
        for count in entries)


def held_back(kit, entries, limit=None, **options):
    """In which of three directories is there a sentinel, or no trace?"""
    env = {v: "{}/dir" + str(n) for v, n in zip(VARIABLES.values(), entries)}
    if limit is not None:
        env["GIT_TRACE2_MAX_FILES"] = limit
    run = kit.run("001return", "0", targets=(), env=env,
                  setup=directories(entries), **options)
    return [n for n in entries if trace_in(run, n) != 1]


def trace_in(run, count):
    """The number of traces in a directory that are no sentinel."""
    names = [p.split("/")[1] for p in run.files
             if p.startswith(f"dir{count}/")]
    return sum(n != SENTINEL and n[:3] != "old" for n in names)


def limited(run):
    """Traces go into a sentinel."""
    return renamed(run, lambda n: n if n[:3] == "old" else SENTINEL)


def unlimited(run):
    """The sentinel is an ordinary trace."""
    return renamed(run, lambda n: "20260102T" if n == SENTINEL else n)


def renamed(run, rename):
    files = {}
    for path, text in run.files.items():
        folder, _, name = path.rpartition("/")
        files[f"{folder}/{rename(name)}" if folder else path] = text
    run.files = files
    return run


TITLE = "maxFiles limits the files of a directory"


@scenario(TITLE, verbs=("001return",), ids=("settings.max-files",))
def max_files(kit):
    name, entries = "settings.max-files", (4, 7, 12)
    config = home(maxFiles=b"5")
    kit.equal(name, held_back(kit, entries, "5"), [7, 12])
    if kit.configured():
        kit.equal(name, held_back(kit, entries, files=config), [7, 12])
        kit.equal(name, held_back(kit, entries, "9", files=config), [12])


fault("settings.max-files", TITLE, edit=unlimited)


TITLE = "a maxFiles that is no number above 0 is no limit"


@scenario(TITLE, verbs=("001return",), ids=("settings.max-files.invalid",))
def max_files_invalid(kit):
    name, entries = "settings.max-files.invalid", (2, 5, 12)
    for text in ("0", "-1", "abc", "-99999999999999999999"):
        kit.equal(name, held_back(kit, entries, text), [])
        kit.equal(name, held_back(kit, entries,
                                  files=home(maxFiles=text.encode())), [])


fault("settings.max-files.invalid", TITLE, edit=limited)


# A number, what it is read as, and directories that show it.
NUMBERS = (
    ("3abc", 3, (2, 3, 4)),
    (" 4", 4, (3, 4, 5)),
    ("+5", 5, (4, 5, 6)),
    ("1e3", 1, (2, 3, 4)),
    ("3.9", 3, (2, 3, 4)),
    ("0x10", 0, (2, 16, 17)),
    ("2k", 2, (2, 3, 4)),
    ("abc", 0, (2, 10, 15)),
)


TITLE = "numbers are read in decimal from the front"


@scenario(TITLE, verbs=("001return",), ids=("settings.number.prefix",))
def numbers(kit):
    name = "settings.number.prefix"
    for text, value, entries in NUMBERS:
        want = [n for n in entries if value and n >= value]
        quoted = home(maxFiles=f'"{text}"'.encode())
        kit.equal(name, held_back(kit, entries, text), want)
        kit.equal(name, held_back(kit, entries, files=quoted), want)


fault("settings.number.prefix", TITLE, edit=unlimited)
fault("settings.number.prefix", TITLE, edit=limited)


TITLE = "a number that begins with zeros is decimal"


@scenario(TITLE, verbs=("001return",), ids=("settings.number",))
def decimal(kit):
    """In octal it would be 8."""
    for entries in ((9, 10, 12), (8, 11, 13)):
        kit.equal("settings.number", held_back(kit, entries, "10"),
                  held_back(kit, entries, "010"))


SECOND = itertools.cycle((False, True))
fault("settings.number", TITLE,
      edit=lambda run: limited(run) if next(SECOND) else run)


TITLE = "a number of more than 32 bits counts as the nearest that fits"


@scenario(TITLE, verbs=("001return",), ids=("settings.number.range",))
def number_range(kit):
    """2^32 + 2, cut to 32 bits, would be a limit of 2."""
    for text in ("4294967298", "-4294967294", 30 * "9"):
        kit.equal("settings.number.range", held_back(kit, (2, 5, 12), text),
                  [])


fault("settings.number.range", TITLE, edit=limited)
