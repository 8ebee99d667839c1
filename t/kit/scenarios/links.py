"""Names that others can guess: no link that lies there is followed."""

from kit.faults import fault
from kit.kit import scenario
from kit.logs import is_whole
from kit.scenarios import chrome_target, fxt_target

RETURN = ("001return",)
VICTIM = "victim"
# A link is planted under a name that holds the driver's pid.
PLANT = 'ln -s "$PWD"/victim "$1"$$"$2"; shift 2; exec "$@"'


def planted(kit, before, behind, env, files=None):
    return kit.command("sh", "-c", PLANT, "sh", before, behind, "test-tool",
                       "trace2", "001return", "7", env=env, files=files)


LINKED_SENTINEL = f'mkdir dir; ln -s "$PWD"/{VICTIM} dir/git-trace2-discard'


SENTINEL = "a link in the sentinel's place is not followed"


@scenario(SENTINEL, verbs=RETURN, ids=("destination.dir.link",))
def sentinel(kit):
    run = kit.run("001return", "7", targets=("normal",),
                  setup=LINKED_SENTINEL,
                  env={"GIT_TRACE2_EVENT": "{}/dir",
                       "GIT_TRACE2_MAX_FILES": "1"})
    kit.equal("destination.dir.link", (sorted(run.files), run.exit),
              (["normal"], 7))
    kit.check("destination.dir.link",
              is_whole("normal", run.files.get("normal", b"")),
              "that the other target goes on", run.files.get("normal"))


fault("destination.dir.link", SENTINEL, files={VICTIM: b'{"event":"version"}'})

ARCHIVE = "an archive is not written through a planted link"


@scenario(ARCHIVE, verbs=RETURN, ids=("fxt.target.file.link",))
def archive(kit):
    """A file that the user names may be a link, as any may."""
    env = {**fxt_target.ON, "GIT_TRACE2_PARENT_SID": "parent"}
    run = planted(kit, "fxt-", "", env, files={VICTIM: b""})
    kit.equal("fxt.target.file.link", (run.files.get(VICTIM), run.exit),
              (b"", 7))
    run = kit.run("001return", "7", setup=": >to; ln -s to fxt", env=fxt_target.ON)
    codes = [r.args["code"] for r in fxt_target.shown(run, "to")
             if r.name == "exit"]
    kit.equal("fxt.target.file.link", codes, [7])


fault("fxt.target.file.link", ARCHIVE, files={VICTIM: b"\x10\x00\x04FxT\x16\x00"})

LINK_TO_TRACE = f": >to; ln -s to {chrome_target.FILE}"
TRACE = "trace events are not written through a planted link"


@scenario(TRACE, verbs=RETURN, ids=("chrome.link",))
def trace(kit):
    env = {**chrome_target.ON, "GIT_TRACE2_PARENT_SID": "parent"}
    run = planted(kit, "chrome-", ".json", env, files={VICTIM: b"[\n1\n]\n"})
    kit.equal("chrome.link", (run.files.get(VICTIM), run.exit),
              (b"[\n1\n]\n", 7))
    run = kit.run("001return", "7", setup=LINK_TO_TRACE,
                  env=chrome_target.ON)
    codes = [e["args"]["code"] for e in chrome_target.shown(run, "to")
             if e["name"] == "exit"]
    kit.equal("chrome.link", codes, [7])


fault("chrome.link", TRACE, files={VICTIM: b"[\n"})
