"""Globs of config keys, and the names and the order of what is listed."""

from kit.config import pairs
from kit.faults import fault
from kit.kit import scenario

# A glob, keys that it matches, and keys that no glob matches.
GLOBS = (
    ("star.*", ("star.a", "star.B.c.d"), ("starx.a",)),
    ("q?.x", ("qa.x", "q1.x"), ("qaa.x", "q.x")),
    ("s[ab-d].x", ("sa.x", "sc.x"), ("se.x", "s-.x")),
    ("n[!ab].x", ("nc.x", "n1.x"), ("na.x", "ncc.x")),
    ("c[[:digit:]].x", ("c1.x",), ("ca.x", "cd.x")),
    (r"e.\*.x", ("e.*.x",), ("e.a.x",)),
    ("whole.x", ("whole.x",), ("whole.xy", "awhole.x")),
    ("FOLD.s[u]B.X", ("fold.SUb.x",), ("fold.SUbs.x",)),
    ("*.anywhere.*", ("w.anywhere.x", "w.y.anywhere.z.x"), ("w.nowhere.x",)),
)


def assignment(key):
    """`a.B.c` with the value `a.B.c`, as a config file says it."""
    section, _, rest = key.partition(".")
    subsection, _, name = rest.rpartition(".")
    head = f'[{section} "{subsection}"]' if subsection else f"[{section}]"
    return f"{head}\n\t{name} = {key}\n".encode()


TITLE = "globs of keys match whole keys without regard to case"


@scenario(TITLE, verbs=("001return",), ids=("params.glob",))
def globs(kit):
    keys = [k for _, good, bad in GLOBS for k in good + bad]
    run = kit.run("001return", "0", targets=("event",),
                  files={".gitconfig": b"".join(map(assignment, keys))},
                  env={"GIT_TRACE2_CONFIG_PARAMS":
                       ",".join(row[0] for row in GLOBS)})
    want = [k for _, good, _ in GLOBS for k in good]
    kit.equal("params.glob", pairs(run), [(k, k) for k in want])


for key in (rb"star\.B\.c\.d", rb"fold\.SUb\.x", rb"e\.\*\.x", rb"sc\.x"):
    fault("params.glob", TITLE, event=(rb'"param":"%s"' % key, None))
fault("params.glob", TITLE, event=(rb"c1\.x", rb"cd.x"))


TITLE = "a value is listed once, under its canonical key"


@scenario(TITLE, verbs=("001return",),
          ids=("params.glob.once", "params.canonical",
               "params.glob.include-path"))
def names(kit):
    run = kit.run("001return", "0", targets=("event",), files={
        ".gitconfig": b"[ONCE]\n\tKey = 1\n"
        b'[CANON "Sub.Section ONE"]\n\tNaMe = 2\n[CanoN]\n\tOTHER = 3\n'
        b"[Include]\n\tPATH = inner\n[incLUDE]\n\tpath = missing\n",
        "inner": b"[include]\n\tother = 4\n",
    }, env={"GIT_TRACE2_CONFIG_PARAMS":
            "once.*,*.key,once.key,canon.*,*.other,include.p*"})
    found = [(k.lower(), v) for k, v in pairs(run)]
    kit.equal("params.glob.once", found.count(("once.key", "1")), 1)
    kit.equal("params.glob.once", found.count(("canon.other", "3")), 1)
    kit.equal("params.canonical", [k for k, _ in pairs(run)
                                   if k.lower().startswith("canon")],
              ["canon.Sub.Section ONE.name", "canon.other"])
    kit.equal("params.glob.include-path",
              [p for p in found if p[0].startswith("include")],
              [("include.path", "inner"), ("include.other", "4"),
               ("include.path", "missing")])


def doubled(run):
    """A value for each glob that fits."""
    lines = run.files["event"].splitlines(keepends=True)
    run.files["event"] = b"".join(
        line * 2 if b'"once.key"' in line else line for line in lines)
    return run


fault("params.glob.once", TITLE, edit=doubled)
fault("params.canonical", TITLE,
      event=(rb'(canon.Sub.Section ONE).name"', rb'\1.NaMe"'))
fault("params.canonical", TITLE,
      event=(rb'"canon.Sub.Section', rb'"canon.sub.section'))
fault("params.glob.include-path", TITLE, event=(rb'"include.path"', None))

GIVEN = "variables come in the order of the list"


@scenario(GIVEN, verbs=("001return",), ids=("params.env",))
def in_order(kit):
    run = kit.run("001return", "0", targets=("event",), env={
        "ONE": "1st", "TWO": "2nd", "THREE": "3rd",
        "GIT_TRACE2_ENV_VARS": "TWO,THREE,ONE"})
    kit.equal("params.env", pairs(run),
              [("TWO", "2nd"), ("THREE", "3rd"), ("ONE", "1st")])


fault("params.env", GIVEN, event=(rb'"param":"TWO"', b'"param":"ONE"'))
