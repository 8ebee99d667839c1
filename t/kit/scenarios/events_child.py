"""Children, executed programs, parameters and repositories."""

from kit import edits
from kit.faults import fault
from kit.kit import scenario
from kit.logs import microseconds
from kit.shows import ABSENT, PID, SECONDS, Mark, shows

SCRIPT = ("sh", "-c", "exit 3")
QUOTED = "sh -c 'exit 3'"

# Children

shows("child_start", "a plain child has no hook and no directory",
      ("004child", *SCRIPT),
      fields={"child_id": 0, "child_class": "?", "hook_name": ABSENT,
              "cd": ABSENT, "use_shell": False, "argv": [list(SCRIPT)]},
      normal=[f"child_start[0] {QUOTED}"],
      perf=[f"[ch0] class:? argv:[{QUOTED}]"])

shows("child_start", "a hook has its name", ("531hook", "pre-x", *SCRIPT),
      fields={"child_class": "hook", "hook_name": "pre-x", "cd": ABSENT},
      normal=[f"child_start[0] {QUOTED}"],
      perf=[f"[ch0] class:hook hook:pre-x argv:[{QUOTED}]"])

shows("child_start", "a child can run elsewhere",
      ("532child_cd", "a dir", *SCRIPT),
      fields={"child_class": "?", "cd": "a dir"},
      normal=[f"child_start[0] cd 'a dir'; {QUOTED}"],
      perf=[f"[ch0] class:? cd:'a dir' argv:[{QUOTED}]"],
      files={"a dir/file": b""})

shows("child_start", "its class is what the host says",
      ("533child_class", "a class", *SCRIPT),
      fields={"child_class": "a class", "use_shell": False},
      normal=[f"child_start[0] {QUOTED}"],
      perf=[f"[ch0] class:a class argv:[{QUOTED}]"])

shows("child_start", "a shell can be given the command",
      ("534child_shell", "exit 3", "a"),
      fields={"use_shell": True, "argv": [["exit 3", "a"]]},
      normal=["child_start[0] 'exit 3' a"],
      perf=["[ch0] class:? argv:['exit 3' a]"])

shows("child_start", "children are numbered from 0", ("536child_odd", "a"),
      fields={"child_id": [0, 1, 2], "argv": [[], ["a"], ["a"]]})

shows("child_exit", "it shows the code", ("004child", *SCRIPT),
      fields={"child_id": 0, "pid": PID, "code": 3, "t_rel": SECONDS},
      normal=["child_exit[0] pid:PID code:3 elapsed:SECONDS"],
      perf=["[ch0] pid:PID code:3"])

SPENT = "child_exit: its time is that of the child, and of nothing before"
MS = 1000
SLEEP = 30


@scenario(SPENT, verbs=("004child",), ids=("event.child_exit.t_rel",))
def spent(kit):
    for _ in range(3):  # a break behind child_exit hides what is too much
        check_spent(kit, kit.run("004child", "sleep", f"{SLEEP / 1000}",
                                 targets=("event",)))


def check_spent(kit, run):
    begin, end = (microseconds(run.event(name)["t_abs"])
                  for name in ("start", "exit"))
    time = microseconds(run.event("child_exit")["t_rel"])
    most = end - begin + 2  # microseconds, each of which may be rounded
    kit.check("event.child_exit.t_rel", SLEEP * MS <= time <= most,
              f"{SLEEP * MS} to {most} us, which is from start to exit",
              f"{time} us")


for wrong in ("0.029999", "9.000000"):
    fault("event.child_exit.t_rel", SPENT,
          event=edits.retyped("child_exit", "t_rel", wrong))

LEFT = "child_ready: its time is that since its child_start"


@scenario(LEFT, verbs=("530child_ready",), ids=("event.child_ready.t_rel",))
def left_running(kit):
    run = kit.run("530child_ready", "ready", "sleep", f"{SLEEP / 1000}")
    time = microseconds(run.event("child_ready")["t_rel"])
    most = sum(sign * microseconds(run.event(name)["t_abs"])
               for name, sign in (("exit", 1), ("start", -1))) + 2
    for one, other in zip(run.perf("child_start"), run.perf("child_ready")):
        most = microseconds(other.t_abs) - microseconds(one.t_abs) + 1
    kit.check("event.child_ready.t_rel", SLEEP * MS <= time <= most,
              f"{SLEEP * MS} to {most} us", f"{time} us")


for wrong in ("0.029999", "9.000000"):
    fault("event.child_ready.t_rel", LEFT,
          event=edits.retyped("child_ready", "t_rel", wrong))

# The host gives no pid, and who has none has this code (stream.child.pid).
FIVE = Mark("(5, or -1 without a pid)", lambda code: code in (5, -1))

shows("child_exit", "the first to begin may be the last to end",
      ("536child_odd", "a"), fields={"child_id": [1, 0], "code": [300, FIVE]})

shows("child_exit", "of a program that is not there",
      ("004child", "no-such-program-here"),
      fields={"child_id": 0, "pid": -1, "code": -1, "t_rel": SECONDS},
      normal=["child_exit[0] pid:-1 code:-1 elapsed:SECONDS"],
      perf=["[ch0] pid:-1 code:-1"])

shows("child_ready", "the child goes on", ("530child_ready", "ready", "true"),
      fields={"child_id": 0, "pid": PID, "ready": "ready", "t_rel": SECONDS},
      normal=["child_ready[0] pid:PID ready:ready elapsed:SECONDS"],
      perf=["[ch0] pid:PID ready:ready"])

shows("child_ready", "of a child that is not ready in time",
      ("530child_ready", "timeout", "true"), fields={"ready": "timeout"})

shows("child_ready", "of a child that cannot be started",
      ("530child_ready", "error", "no-such-program-here"),
      fields={"ready": "error"},
      normal=["child_ready[0] pid:-1 ready:error elapsed:SECONDS"],
      perf=["[ch0] pid:-1 ready:error"])

# Executed programs

shows("exec", "a program apart from its arguments is not quoted",
      ("302redact_exec", "an exe", "argv 0", "b"),
      fields={"exec_id": 0, "exe": "an exe", "argv": [["argv 0", "b"]]},
      normal=["exec[0] an exe 'argv 0' b"],
      perf=["id:0 argv:[an exe 'argv 0' b]"])

shows("exec", "without a program apart they are numbered",
      ("537exec_result", "2", "13"),
      fields={"exec_id": [0, 1], "exe": ABSENT,
              "argv": [["program", "argument"]] * 2},
      normal=["exec[0] program argument", "exec[1] program argument"],
      perf=["id:0 argv:[program argument]", "id:1 argv:[program argument]"])

COUNTED = "what is executed is not counted with the children"


@scenario(COUNTED, verbs=("592text",), ids=(
    "event.exec.exec_id", "event.child_start.child_id"))
def counted(kit):
    run = kit.run("592text", "utf8", targets=("event",))
    for name, key, ids in (("exec", "exec_id", [0]),
                           ("child_start", "child_id", [0, 1])):
        kit.equal(f"event.{name}.{key}",
                  [e.get(key) for e in run.events(name)], ids)


fault("event.exec.exec_id", COUNTED,
      event=edits.retyped("exec", "exec_id", "2"))
fault("event.child_start.child_id", COUNTED,
      event=(rb'"child_id":1(,"child_class":"hook")', rb'"child_id":0\1'))

ENOENT = "No such file or directory"

shows("exec_result", "a failed exec tells why", ("005exec", "version"),
      fields={"exec_id": 0, "code": 2},
      normal=[f"exec_result[0] code:2 err:{ENOENT}"],
      perf=[f"id:0 code:2 err:{ENOENT}"],
      command=("sh", "-c", 'PATH=${PATH%%:*} exec "$@"', "sh",
               "test-tool", "trace2", "005exec", "version"))

shows("exec_result", "only a code above 0 has a text",
      ("537exec_result", "0", "-1", "13"),
      fields={"exec_id": [0, 1, 2], "code": [0, -1, 13]},
      normal=["exec_result[0] code:0", "exec_result[1] code:-1",
              "exec_result[2] code:13 err:Permission denied"],
      perf=["id:0 code:0", "id:1 code:-1",
            "id:2 code:13 err:Permission denied"])

# Parameters and repositories

shows("def_param", "it has scope, name and value",
      ("303redact_def_param", "a.key", "a value"),
      fields={"scope": "unknown", "param": "a.key", "value": "a value"},
      normal=["def_param scope:unknown a.key=a value"],
      perf=["a.key:a value"])

shows("def_param", "a key without a value has none", ("001return", "0"),
      fields={"scope": "global", "param": "a.key", "value": ABSENT},
      normal=["def_param scope:global a.key"], perf=["a.key"],
      env={"GIT_TRACE2_CONFIG_PARAMS": "a.*"},
      files={".gitconfig": b"[a]\n\tkey\n"})

shows("def_repo", "a repository may be opened again",
      ("527def_repo", "/a", "/b", "/a"),
      fields={"repo": [1, 2, 3], "worktree": ["/a", "/b", "/a"]})

shows("def_repo", "repositories are numbered from 1",
      ("527def_repo", "/a", "/two words"),
      fields={"repo": [1, 2], "worktree": ["/a", "/two words"]},
      normal=["worktree /a", "worktree '/two words'"],
      perf=["worktree:/a", "worktree:'/two words'"])

# What takes more than a table.

PIDS = "the pid and the code are the child's own"


@scenario(PIDS, verbs=("004child",),
          ids=("event.child_exit.pid", "event.child_exit.code-other",
               "event.child_exit.code", "event.child_start.child_id-zero"))
def own_pid(kit):
    run = kit.run("004child", "sh", "-c", "echo $$; exit 77")
    end = run.event("child_exit")
    kit.equal("event.child_exit.pid", b"%d\n" % end["pid"], run.stdout)
    kit.equal("event.child_exit.code", end["code"], 77)
    kit.equal("event.child_start.child_id-zero",
              run.event("child_start")["child_id"], 0)
    run = kit.run("004child", "sh", "-c", "kill -9 $$")
    kit.equal("event.child_exit.code-other",
              [run.event("child_exit")["code"], run.exit], [137, 137])
    run = kit.run("004child", "no-such-program-here")
    end = run.event("child_exit")
    kit.equal("event.child_exit.code-other", end["code"], -1)
    kit.equal("event.child_exit.pid", end["pid"], -1)


fault("event.child_exit.pid", PIDS,
      event=edits.retyped("child_exit", "pid", "4711"))
fault("event.child_exit.code", PIDS, event=(rb'"code":77', rb'"code":0'))
for wrong in (rb"9", rb"-9", rb"255"):
    fault("event.child_exit.code-other", PIDS,
          event=(rb'"code":137', rb'"code":' + wrong))
fault("event.child_exit.code-other", PIDS,
      event=(rb'"code":-1', rb'"code":127'))
fault("event.child_start.child_id-zero", PIDS,
      event=(rb'"child_id":0', rb'"child_id":1'))

BEFORE = "a child is announced before it exists"


@scenario(BEFORE, verbs=("004child",), ids=("event.child_start",))
def before(kit):
    run = kit.run("004child", "test-tool", "trace2", "001return", "0")
    names = [e["event"] for e in run.events()
             if e["event"] in ("version", "child_start", "child_exit")]
    kit.equal("event.child_start", names,
              ["version", "child_start", "version", "child_exit"])


def late(run):
    """The child's whole log in front of its child_start."""
    lines = run.log("event").splitlines(keepends=True)
    at = [b'"child_start"' in line for line in lines].index(True)
    lines.insert(-3, lines.pop(at))
    run.files["event"] = b"".join(lines)
    return run


fault("event.child_start", BEFORE, edit=late)

READY = "a child in the background is ready and does not exit"


@scenario(READY, verbs=("530child_ready",),
          ids=("event.child_ready", "event.child_ready.pid"))
def ready(kit):
    run = kit.run("530child_ready", "ready", "sh", "-c", "echo $$")
    kit.equal("event.child_ready",
              [len(run.events("child_ready")), run.events("child_exit")],
              [1, []])
    pids = [b"%d\n" % e["pid"] for e in run.events("child_ready")]
    kit.check("event.child_ready.pid", pids in ([], [run.stdout]),
              run.stdout, pids)


fault("event.child_ready", READY,
      event=(rb'"event":"child_ready"', rb'"event":"child_exit"'))
fault("event.child_ready.pid", READY,
      event=edits.retyped("child_ready", "pid", "4711"))

AGAIN = "a child has one end, however often it is reported"


@scenario(AGAIN, verbs=("ends_again",),
          ids=("event.child_ready", "event.child_exit"))
def again(kit):
    run = kit.run("ends_again")
    found = [(e["event"], e["child_id"]) for e in run.events()
             if e["event"] in ("child_ready", "child_exit")]
    kit.equal("event.child_ready", [e for e in found if e[1] == 0],
              [("child_ready", 0)])
    kit.equal("event.child_exit", [e for e in found if e[1] == 1],
              [("child_exit", 1)])


fault("event.child_ready", AGAIN, event=(
    rb'^(\{"event":"child_)ready(".*\n)', rb"\g<0>\1exit\2"))
fault("event.child_exit", AGAIN, event=edits.twice("child_exit"))

RESULT = "a failed exec is told of and the program goes on"


@scenario(RESULT, verbs=("005exec",),
          ids=("event.exec", "event.exec.exe", "event.exec.exec_id-zero",
               "event.exec_result"))
def result(kit):
    run = kit.command("sh", "-c", 'PATH=${PATH%%:*} exec "$@"', "sh",
                      "test-tool", "trace2", "005exec", "version")
    names = [e["event"] for e in run.events()]
    kit.equal("event.exec", names.count("exec"), 1)
    kit.equal("event.exec_result", names[-3:],
              ["exec_result", "exit", "atexit"])
    found = run.events("exec")
    kit.check("event.exec.exe", all(e.get("exe") == "git" for e in found),
              "git", found)
    kit.check("event.exec.exec_id-zero",
              all(e.get("exec_id") == 0 for e in found), 0, found)


fault("event.exec", RESULT, event=edits.gone("exec"))
fault("event.exec_result", RESULT, event=edits.gone("exec_result"))
fault("event.exec_result", RESULT, event=edits.gone("exit"))
fault("event.exec.exe", RESULT, event=edits.dropped("exec", "exe"))
fault("event.exec.exec_id-zero", RESULT,
      event=edits.retyped("exec", "exec_id", "1"))

EMPTY = "an empty value is written as one"


@scenario(EMPTY, verbs=("303redact_def_param",),
          ids=("event.def_param.value-empty",))
def empty_value(kit):
    run = kit.run("303redact_def_param", "key", "")
    name = "event.def_param.value-empty"
    kit.equal(name, run.event("def_param").get("value"), "")
    kit.equal(name, run.payloads(b"def_param"),
              [b"def_param scope:unknown key="])
    kit.equal(name, [c.payload for c in run.perf("def_param")], ["key:"])


fault("event.def_param.value-empty", EMPTY,
      event=edits.dropped("def_param", "value"))
fault("event.def_param.value-empty", EMPTY, normal=(rb"key=", rb"key"))
fault("event.def_param.value-empty", EMPTY, perf=(rb"key:", rb"key"))

BARE = "a repository without a worktree is not announced"


@scenario(BARE, verbs=("527def_repo",), ids=("event.def_repo.bare",))
def bare(kit):
    run = kit.run("527def_repo", "/a", "", targets=("event",))
    kit.equal("event.def_repo.bare",
              [e.get("worktree") for e in run.events("def_repo")], ["/a"])


fault("event.def_repo.bare", BARE,
      event=(rb'^(.*"repo":1,)"worktree":"/a"}\n',
             rb'\g<0>\1"worktree":""}\n'))
