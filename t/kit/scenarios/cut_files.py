"""Files that somebody cuts while a program writes them."""

from kit.faults import fault
from kit.kit import scenario
from kit.scenarios import chrome_target, fxt_target

CHILD = ("004child",)
DROPS = b"events dropped: "


def check_cut(kit, name, file, env):
    """The program goes on, leaves the file alone, and reports its losses."""
    for act, left in ((": >", b""), ("echo other >", b"other\n")):
        run = kit.run("004child", "sh", "-c", act + file, env=env,
                      targets=("event",))
        kit.equal(name, (run.exit, run.files.get(file)), (0, left))
        kit.check(name, DROPS in run.files.get("event", b""),
                  "an error event with the drops", run.files.get("event"))


ARCHIVE = "a program outlives that its archive is cut"


@scenario(ARCHIVE, verbs=CHILD, ids=("fxt.target.file.cut",))
def archive(kit):
    check_cut(kit, "fxt.target.file.cut", "fxt", fxt_target.ON)


fault("fxt.target.file.cut", ARCHIVE, exit=135)

TRACE = "a program outlives that its trace events are cut"


@scenario(TRACE, verbs=CHILD, ids=("chrome.failure.cut",))
def trace(kit):
    check_cut(kit, "chrome.failure.cut", chrome_target.FILE, chrome_target.ON)


fault("chrome.failure.cut", TRACE, files={chrome_target.FILE: b"\0\0\n"})
