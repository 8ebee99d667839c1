"""Safety: a host that is odd itself, and a machine that is slow."""

from pathlib import Path

from kit import listen_odd
from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import is_whole, under_shell
from kit.run import VARIABLES
from kit.scenarios.failures import HOST, PATIENT, triples

EVENT = "GIT_TRACE2_EVENT"
UNHARMED = ("failure.host-unharmed",)

# Who has no standard output or error gets the first file as one of them.

BARE = "a host without descriptors 0 to 2 writes nothing into its trace"


@scenario(BARE, verbs=("003error",), ids=UNHARMED)
def bare(kit):
    for closed in ("<&- >&- 2>&-", ">&- 2>&-", "2>&-"):
        run = under_shell(kit, f'exec "$@" {closed}', "003error", "words")
        kit.equal("failure.host-unharmed", run.exit, 0)
        for target in VARIABLES:
            lines = [x for x in run.lines(target) if x[:7] == b"error: "]
            kit.check("failure.host-unharmed",
                      is_whole(target, run.log(target)) and not lines,
                      f"a whole {target} trace and no output of the host's",
                      run.log(target))


fault("failure.host-unharmed", BARE,
      event=(rb'(\{"event":"error".*\n)', rb"\1error: words\n"))
fault("failure.host-unharmed", BARE,
      normal=(rb"(.* error words\n)", rb"\1error: words\n"))
fault("failure.host-unharmed", BARE, exit=1)

LATE = "what the host writes after its trace has ended arrives"


@scenario(LATE, verbs=("error_late",), ids=UNHARMED)
def late(kit):
    """Standard error is the host's, though the trace went there, too."""
    for value in ("0", "1", "2"):
        run = kit.run("error_late", "still here", targets=(),
                      env={EVENT: value})
        kit.equal("failure.host-unharmed",
                  (run.exit, run.stderr.splitlines()[-1:], run.stdout),
                  (0, [b"error: still here"], b"still here\n"))


fault("failure.host-unharmed", LATE, stderr=(rb"^error: .*\n", b""))
fault("failure.host-unharmed", LATE, stdout=(rb"still.*\n", b""))

# Limits of time

SLOW = "three slow destinations share one limit"
PIPES = listen_odd.full_pipes(5, 6, 7)
NOTED = Path(listen_odd.__file__).with_name("waits.c")
LOADED = (f"cc -shared -fPIC -O1 -o waits.so '{NOTED}' -ldl 2>why || "
          ": >no-compiler")
MOST = 150000  # us: three limits are 300000


@scenario(SLOW, verbs=("006data",), ids=("failure.wait-limit",))
def slow(kit):
    """How long it wants to wait is counted, not how long the machine takes.
    A driver that waits in a way of its own has the two seconds."""
    env = dict(zip(VARIABLES.values(), "567"),
               LD_PRELOAD="{}/waits.so", WAITS="{}/waits")
    run = under_shell(kit, PATIENT, "006data", *triples(30), env=env,
                      setup=LOADED, listen=PIPES)
    if "no-compiler" in run.files:
        raise Skip("no C compiler (cc)")
    waited = sum(map(int, run.log("waits").split()))
    kit.equal("failure.wait-limit", run.exit, 0)
    kit.check("failure.wait-limit", waited < MOST,
              f"less than {MOST} us in all waits for three full pipes",
              f"{waited} us")


fault("failure.wait-limit", SLOW, files={"waits": 30 * b"10000\n"})
fault("failure.wait-limit", SLOW, exit=-9)


LOCK = "a lock that another process holds on the file delays nobody"


@scenario(LOCK, verbs=("001return",), ids=("failure.wait-limit",))
def lock(kit):
    run = under_shell(kit, PATIENT, "001return", "7", targets=("event",),
                      listen=listen_odd.locked("event"))
    kit.equal("failure.wait-limit", run.exit, 7)
    kit.check("failure.wait-limit", is_whole("event", run.log("event")),
              "a whole trace", run.log("event"))


fault("failure.wait-limit", LOCK, exit=-9)
fault("failure.wait-limit", LOCK, files={"event": b""})

# Privileges

RAISED = "the environment of a process with privileges of its file is not used"
COPY = """tool=$(readlink -f "$(command -v test-tool)")
test "$(head -c 2 "$tool")" != '#!' || { echo script >why; exit 0; }
cp "$tool" tool; cp "$(command -v id)" who; chmod 755 tool who
./tool trace2 001return 7 2>plain || test $? = 7
if test "$(id -u)" = 0; then chown 65534 tool who; chmod u+s tool who
else for group in $(id -G); do test $group = $(id -g) || break; done
chgrp $group tool who; chmod g+s tool who; fi
test "$(./who -u; ./who -g)" != "$(./who -ru; ./who -rg)" ||
{ echo mount >why; exit 0; }
./tool trace2 001return 7 2>raised || echo $? >code"""
REASONS = {b"script\n": "a script has no privileges of its file",
           b"mount\n": "files have no privileges here"}


@scenario(RAISED, verbs=("001return",), ids=("settings.privileged",))
def privileged(kit):
    run = kit.command("sh", "-ec", COPY, targets=(), env={EVENT: "1"})
    if not is_whole("event", run.log("plain")) or run.log("why"):
        raise Skip(REASONS.get(run.log("why"), "no copy of the driver runs"))
    kit.equal("settings.privileged", (run.log("raised"), run.log("code")),
              (b"", b"7\n"))


fault("settings.privileged", RAISED, files={"raised": b'{"event":"x"}\n'})
