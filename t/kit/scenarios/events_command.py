"""What a process says about itself, from its version to its end."""

from kit import listen
from kit.faults import fault
from kit.kit import scenario
from kit.run import parse_event
from kit.shows import ABSENT, PROGRAM, SECONDS, TEXT, Mark, shows

EVT = Mark("(1 to 4)", lambda value: value in ("1", "2", "3", "4"))
WORDS = [PROGRAM, "trace2", "003error", "two words", "it's", ""]

shows("version", "it comes with each process", ("001return", "0"),
      fields={"evt": EVT, "exe": TEXT},
      normal=["version VERSION"], perf=["VERSION"])

shows("start", "it shows the command line", WORDS[2:],
      fields={"t_abs": SECONDS, "argv": [WORDS]},
      normal=[r"start test-tool trace2 003error 'two words' 'it'\''s' ''"],
      perf=[r"test-tool trace2 003error 'two words' 'it'\''s' ''"])

shows("exit", "it shows the code", ("001return", "3"),
      fields={"t_abs": SECONDS, "code": 3},
      normal=["exit elapsed:SECONDS code:3"], perf=["code:3"])

shows("exit", "a code above 127 is not below 0", ("001return", "200"),
      fields={"code": 200})

shows("atexit", "it repeats the code", ("002exit", "3"),
      fields={"t_abs": SECONDS, "code": 3},
      normal=["atexit elapsed:SECONDS code:3"], perf=["code:3"])

# The message goes to a pipe that nobody reads.
shows("signal", "a broken pipe ends the process", ("003error", "message"),
      fields={"t_abs": SECONDS, "signo": 13},
      normal=["signal elapsed:SECONDS code:13"], perf=["signo:13"],
      listen=listen.dead_pipe(2))

shows("error", "each message is shown", ("003error", "two words", "it's %d"),
      fields={"msg": ["two words", "it's %d"], "fmt": ["%s", "%s"]},
      normal=["error two words", "error it's %d"],
      perf=["two words", "it's %d"])

shows("error", "a format may be its own message", ("503region_open",),
      fields={"msg": "an error", "fmt": "an error"})

FORMAT = "a format is escaped as its message is"


@scenario(FORMAT, verbs=("error_formatted",),
          ids=("json.escape", "json.valid", "json.invalid-utf8"))
def escaped_format(kit):
    run = kit.run("error_formatted")
    line, = (x for x in run.lines("event") if b'"event":"error"' in x)
    event = parse_event(line)
    kit.check("json.valid", event, "JSON in UTF-8", line)
    texts = [event["msg"], event["fmt"]]
    wanted = ['"a" \\ it\'s\t1 € \ufffd', '"%s" \\ it\'s\t%d € \ufffd']
    kit.equal("json.escape", [t[:-1] for t in texts], [t[:-1] for t in wanted])
    kit.equal("json.invalid-utf8", [t[-1:] for t in texts], ["\ufffd"] * 2)


fault("json.escape", FORMAT, event=(rb'(fmt":".*)\\t', rb"\1 "))
fault("json.valid", FORMAT, event=(rb'(fmt":".*)\\\\', rb"\1\\"))
fault("json.invalid-utf8", FORMAT, event=("\ufffd(?=\"})".encode(), b"?"))

WHOLE = "a format is kept whole, with its line breaks"
LONG = "x" * 5000

shows("error", WHOLE, ("error_whole",),
      fields={"msg": ["one\ntwo\r\n3", LONG],
              "fmt": ["one\ntwo\r\n%d", LONG]})

fault("event.error.fmt", f"error: {WHOLE}", event=(rb'(fmt":"x{4096})x+', rb"\1"))
fault("event.error.fmt", f"error: {WHOLE}", event=(rb'(fmt":"one)\\n', rb"\1 "))
fault("event.error.fmt", f"error: {WHOLE}", event=(rb'(fmt":"one)\\n[^"]*', rb"\1"))

shows("error", "without a format it has no text", ("525cmd_error",),
      fields={"msg": ["formatted 1", "", ABSENT],
              "fmt": ["%s %d", "%s", ABSENT]},
      normal=["error formatted 1", "error ", "error"],
      perf=["formatted 1", "", ""])

shows("cmd_path", "the path is shown as it is",
      ("522cmd_path", "/a path/git", "/usr/bin/git"),
      fields={"path": ["/a path/git", "/usr/bin/git"]},
      normal=["cmd_path /a path/git", "cmd_path /usr/bin/git"],
      perf=["/a path/git", "/usr/bin/git"])

shows("cmd_name", "without a parent it is its own hierarchy",
      ("001return", "0"), fields={"name": "trace2", "hierarchy": "trace2"},
      normal=["cmd_name trace2 (trace2)"], perf=["trace2 (trace2)"])

shows("cmd_name", "below a parent its name comes first",
      ("001return", "0"),
      fields={"name": "trace2", "hierarchy": "a b/c//trace2"},
      normal=["cmd_name trace2 (a b/c//trace2)"],
      perf=["trace2 (a b/c//trace2)"],
      env={"GIT_TRACE2_PARENT_NAME": "a b/c/"})

ABOVE = 1000 * "a word\n " + "z"

shows("cmd_name", "below a long parent its name comes first",
      ("001return", "0"),
      fields={"name": "trace2", "hierarchy": f"{ABOVE}/trace2"},
      env={"GIT_TRACE2_PARENT_NAME": ABOVE})

shows("cmd_mode", "the mode is shown as it is",
      ("520cmd_mode", "branch", "a mode"),
      fields={"name": ["branch", "a mode"]},
      normal=["cmd_mode branch", "cmd_mode a mode"],
      perf=["branch", "a mode"])

shows("alias", "what it expands to is quoted", ("521alias", "my co", "a b"),
      fields={"alias": "my co", "argv": [["a b"]]},
      normal=["alias my co -> 'a b'"], perf=["alias:my co argv:['a b']"])
