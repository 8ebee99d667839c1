"""Which regions and data the setting of categories lets through."""

from kit.config import home
from kit.faults import fault
from kit.kit import scenario

LIST = "GIT_TRACE2_CATEGORIES"
SHOWN = ("region_enter", "region_leave", "data", "data_json")
CATEGORIES = ("a", "b", "c")
DATA = [word for name in CATEGORIES for word in (name, "k", "v")]


def shown(run):
    """The categories of the data in EVENT."""
    return [e["category"] for e in run.events("data")]


TITLE = "text targets show only the categories in the list"


@scenario(TITLE, verbs=("006data", "500region_nested", "511data_json"),
          ids=("settings.categories", "category.list"))
def listed(kit):
    for env, files, wanted in (
        ({}, {}, ["a", "b", "c"]),
        ({LIST: ""}, {}, ["a", "b", "c"]),
        ({LIST: "b"}, {}, ["b"]),
        ({LIST: "c,x,a"}, {}, ["a", "c"]),
        ({LIST: "B,aa,b c"}, {}, []),
        ({LIST: ","}, {}, []),
        ({}, home(categories=b"c"), ["c"]),
        ({LIST: "a"}, home(categories=b"c"), ["a"]),
    ):
        if files and not kit.configured():
            continue
        run = kit.run("006data", *DATA, env=env, files=files)
        kit.equal("settings.categories", shown(run), wanted)
        kit.equal("category.list", len(run.perf("data")), len(wanted))
    for verb in ("500region_nested", "511data_json"):
        run = kit.run(verb, env={LIST: "other"})
        names = [e["event"] for e in run.events()]
        kit.equal("category.list", sorted({*names} & {*SHOWN}), [])


fault("settings.categories", TITLE,
      event=(rb'("event":"data".*"category":)"c"', rb'\1"d"'))
fault("category.list", TITLE, perf=(rb"(.*\| b  .*)", rb"\1\n\1"))
fault("category.list", TITLE,
      event=(rb'("event":"cmd_name".*)', rb'\1\n{"event":"data_json"}'))


TITLE = "the list leaves out no event of another type"


@scenario(TITLE, verbs=("503region_open",), ids=("category.only-these",))
def only_these(kit):
    run = kit.run("503region_open", env={LIST: "other"})
    names = [e["event"] for e in run.events()]
    for name in ("version", "start", "cmd_name", "printf", "cmd_mode",
                 "def_param", "error", "child_start", "child_exit", "exit",
                 "atexit"):
        kit.contains("category.only-these", names, name)
    for verb, *words in (("101timer", "1", "0", "1"),
                         ("201counter", "1", "2", "1")):
        if kit.has(verb):
            names = [[e["event"] for e in kit.run(verb, *words, env=env).events()]
                     for env in ({}, {LIST: "other"})]
            kit.equal("category.only-these", names[1], names[0])


fault("category.only-these", TITLE, event=(rb'.*"event":"printf".*\n', b""))


TITLE = "what the list leaves out does not count"


@scenario(TITLE, verbs=("504region_bare",),
          ids=("category.none", "category.nesting"))
def nesting(kit):
    run = kit.run("504region_bare", env={LIST: "cat"})
    inner = [(e["event"], e["category"], e["nesting"])
             for e in run.events() if "nesting" in e]
    kit.equal("category.nesting", inner,
              [("region_enter", "cat", 1), ("region_leave", "cat", 1)])
    kit.equal("category.nesting", [c.dots for c in run.perf("region_enter")],
              [0])
    run = kit.run("504region_bare", env={LIST: "trace2"})
    labels = [e.get("label") for e in run.events("region_enter")]
    kit.check("category.none", len(labels) == 3,
              "with the list `trace2`, all 3 regions: one has no category, "
              "one an empty category, one the category `cat`", labels)
    payloads = [c.payload for c in run.perf("region_leave")]
    kit.check("category.none", len(payloads) == 3,
              "in PERF, too", payloads)


fault("category.nesting", TITLE,
      event=(rb'("nesting":)1(,"category":"cat")', rb"\g<1>2\2"))
fault("category.nesting", TITLE,
      perf=(rb"\| cat          \| ", rb"| cat          | .."))
fault("category.none", TITLE, event=(rb'.*"label":"label".*\n', b""))
