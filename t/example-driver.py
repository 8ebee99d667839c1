#!/usr/bin/python3
"""A driver to start from: it writes EVENT, and has four of the verbs."""
import json, os, subprocess, sys, time

def now():
    second, micro = divmod(time.time_ns() // 1000, 1000000)
    return time.strftime("%FT%T", time.gmtime(second)) + f".{micro:06}Z"

def since(begin):
    return round(time.monotonic() - begin, 6)

BEGIN, PARENT = time.monotonic(), os.environ.get("GIT_TRACE2_PARENT_SID", "")
SID = (PARENT and PARENT + "/") + f"{now()}-P{os.getpid():08x}"

def event(name, **own):  # one line, in one write
    line = {"event": name, "sid": SID, "thread": "main", "time": now(), **own}
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
    data = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    where = os.environ.get("GIT_TRACE2_EVENT", "")
    if where.startswith("/"):
        log = os.open(where, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(log, data.encode())
    elif where in ("1", "true"):
        os.write(2, data.encode())

def error(words):
    for word in words:
        event("error", msg=word, fmt="%s")

def child(argv):
    event("child_start", child_id=0, child_class="?", use_shell=False,
          argv=argv)
    begin, env = time.monotonic(), {**os.environ, "GIT_TRACE2_PARENT_SID": SID}
    made = subprocess.Popen(argv, env=env)
    event("child_exit", child_id=0, code=made.wait() & 255, pid=made.pid,
          t_rel=since(begin))
    return made.returncode

VERBS = {"001return": lambda words: int(words[0]), "003error": error,
         "002exit": lambda words: int(words[0]), "004child": child}
if sys.argv[1:2] != ["trace2"] or sys.argv[2:3] not in [[v] for v in VERBS]:
    sys.exit("usage:" + "".join(f"\n\ttrace2 {verb}" for verb in VERBS))
event("version", evt="4", exe="example-1.0")
event("start", t_abs=since(BEGIN), argv=sys.argv)
code = (VERBS[sys.argv[2]](sys.argv[3:]) or 0) & 255
event("exit", t_abs=since(BEGIN), code=code)
sys.exit(code)
