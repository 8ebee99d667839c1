"""Slips: t/example-driver.py with one thing wrong in its source.

    slip("the exit code is a text", "event.exit.code",
         "code=code)", "code=str(code))")

replaces a text of the driver by another. These are things that writers of
Trace2 have got wrong, or could: unlike a fault, which is an edit of what a
driver wrote, such a driver really runs, opens files and starts children.
t/kit/conform/test_slips.py sees that the kit finds each under its requirement.
The example driver writes EVENT alone; kit/slips_text.py has slips of a driver
that writes NORMAL and PERF.
"""

import dataclasses

SLIPS = []


@dataclasses.dataclass(frozen=True)
class Slip:
    name: str
    id: str
    pairs: tuple
    source: str = "t/example-driver.py"

    def applied(self, source):
        """The source with the slip in it."""
        for old, new in self.pairs:
            if source.count(old) != 1:
                raise ValueError(f"{self.name}: {old!r} is there "
                                 f"{source.count(old)} times")
            source = source.replace(old, new)
        return source


def slip(name, id, old, new, *more):
    pairs = ((old, new), *zip(more[::2], more[1::2]))
    SLIPS.append(Slip(name, id, pairs))


# How a line is written

slip("a line has blanks", "json.compact.min",
     'separators=(",", ":")', 'separators=(", ", ": ")')
slip("a line has several lines", "json.line",
     'separators=(",", ":")', "indent=1")
slip("the name of the event is not the first", "json.event-first",
     '{"event": name, "sid": SID,', '{"sid": SID, "event": name,')
slip("lines end in CR LF", "json.line",
     '+ "\\n"\n', '+ "\\r\\n"\n')
slip("lines have no end", "json.line",
     '+ "\\n"\n', "\n")
slip("a blank line follows each event", "json.line",
     '+ "\\n"\n', '+ "\\n\\n"\n')
slip("each event is a list", "json.line",
     "json.dumps(line,", "json.dumps([line],")
slip("a comma follows each event", "json.line",
     '+ "\\n"\n', '+ ",\\n"\n')
slip("bytes that are not UTF-8 are written as they are", "json.invalid-utf8",
     '.decode("utf-8", "replace")', '',
     "data.encode())\n    elif", "data)\n    elif",
     "os.write(2, data.encode())", "os.write(2, data)")
slip("bytes that are not UTF-8 become question marks", "json.invalid-utf8",
     'text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")',
     'text.encode("utf-8", "replace").decode("utf-8")')
slip("bytes that are not UTF-8 are left out", "json.invalid-utf8",
     '.decode("utf-8", "replace")', '.decode("utf-8", "ignore")')
slip("texts are escaped twice", "json.escape",
     "event(\"error\", msg=word,", "event(\"error\", msg=json.dumps(word),")
slip("quotes are not escaped", "json.escape",
     '+ "\\n"\n', '.replace(\'\\\\"\', \'"\') + "\\n"\n')

# Where it is written

slip("a file is written anew by each event", "destination.append",
     "os.O_APPEND", "os.O_TRUNC")
slip("a file is written from its beginning", "destination.append",
     "os.O_WRONLY | os.O_APPEND", "os.O_WRONLY")
slip("a line is two writes", "destination.write",
     "os.write(log, data.encode())",
     "os.write(log, data[:-1].encode()); os.write(log, b'\\n')")
slip("a line is written byte by byte", "destination.write",
     "os.write(log, data.encode())",
     "[os.write(log, bytes([b])) for b in data.encode()]")
slip("each line is written twice", "destination.write",
     "os.write(log, data.encode())",
     "[os.write(log, data.encode()) for _ in (1, 2)]")
slip("a file must exist", "destination.file",
     " | os.O_CREAT", "", "log = os.open(",
     "log = os.path.exists(where) and os.open(",
     "os.write(log, data.encode())", "log and os.write(log, data.encode())")
slip("true is no destination", "destination.stderr",
     '("1", "true")', '("1",)')
slip("1 is standard output", "destination.stderr",
     "os.write(2,", "os.write(1,")
slip("0 is standard error", "destination.off",
     '("1", "true")', '("1", "true", "0")')
slip("an empty value is standard error", "destination.off",
     '("1", "true")', '("1", "true", "")')
slip("false is standard error", "destination.off",
     '("1", "true")', '("1", "true", "false")')
slip("the destination of NORMAL is taken for that of EVENT",
     "settings.event-target",
     '"GIT_TRACE2_EVENT"', '"GIT_TRACE2"')

# Who writes

slip("every process has the same SID", "session.id",
     'f"{now()}-P{os.getpid():08x}"', '"sid"')
slip("a SID has only the hour of the day", "session.id",
     'f"{now()}-P{os.getpid():08x}"', 'now()[11:13]')
slip("each event has a SID of its own", "session.id",
     '"sid": SID,', '"sid": SID + now(),')
slip("a child has the SID of its parent", "session.child",
     '(PARENT and PARENT + "/") + f', "PARENT or f")
slip("a child does not know its parent", "session.child",
     '"GIT_TRACE2_PARENT_SID": SID}', "}")
slip("a child's SID does not begin with its parent's", "session.child",
     '(PARENT and PARENT + "/") +', "")
slip("a point stands between two SIDs", "session.child",
     'PARENT + "/"', 'PARENT + "."')
slip("the SID of an empty parent counts", "settings.parent-sid",
     '(PARENT and PARENT + "/")', '(PARENT + "/")')
slip("the first thread is MainThread", "thread.main",
     '"thread": "main"', '"thread": "MainThread"')
slip("a thread has no name", "event.common.thread",
     '"thread": "main"', '"thread": ""')
slip("a thread is a number", "event.common.thread",
     '"thread": "main"', '"thread": 1')

# Times

slip("times have an offset", "time.utc",
     '{micro:06}Z"', '{micro:06}+00:00"')
slip("times have no zone", "time.utc",
     '{micro:06}Z"', '{micro:06}"')
slip("times have a blank in place of the T", "time.utc",
     '"%FT%T"', '"%F %T"')
slip("times are seconds since 1970", "event.common.time",
     '"time": now(), **own', '"time": time.time(), **own')
slip("events have no time", "event.common.time",
     '"time": now(), **own', "**own")
slip("the clock goes backwards", "order.monotonic.time",
     "divmod(time.time_ns() // 1000, 1000000)",
     "divmod(3 * 10**15 - time.time_ns() // 1000, 1000000)")
slip("t_abs is in milliseconds", "time.t_abs",
     "round(time.monotonic() - begin, 6)",
     "round(1000 * (time.monotonic() - begin), 3)")
slip("t_abs is a text", "event.start.t_abs",
     "return round(", "return str(round(", "- begin, 6)", "- begin, 6))")
slip("t_abs goes backwards", "order.monotonic",
     "round(time.monotonic() - begin, 6)",
     "round(9e9 - time.monotonic() + begin, 6)")
slip("t_abs is below 0", "event.start.t_abs",
     "round(time.monotonic() - begin, 6)",
     "round(begin - time.monotonic() - 1, 6)")

slip("t_abs follows the time of day", "time.t_abs",
     "round(time.monotonic() - begin, 6)", "round(time.time() - begin, 6)",
     "BEGIN, PARENT = time.monotonic()", "BEGIN, PARENT = time.time()",
     "begin, env = time.monotonic()", "begin, env = time.time()")

# The events

slip("the version is a number", "event.version.evt", 'evt="4"', "evt=4")
slip("the version is unknown", "version.evt", 'evt="4"', 'evt="5"')
slip("the version has no exe", "event.version.exe",
     'evt="4", exe="example-1.0"', 'evt="4"')
slip("there is no version", "order.version-first",
     'event("version", evt="4", exe="example-1.0")\n', "")
slip("the version comes second", "order.version-first",
     'event("version", evt="4", exe="example-1.0")\n', "",
     "argv=sys.argv)\n",
     'argv=sys.argv)\nevent("version", evt="4", exe="example-1.0")\n')
slip("there is no start", "order.start-second",
     'event("start", t_abs=since(BEGIN), argv=sys.argv)\n', "")
slip("the command line is one text", "event.start.argv",
     "argv=sys.argv)", 'argv=" ".join(sys.argv))')
slip("the command line lacks the program", "event.start.argv",
     "argv=sys.argv)", "argv=sys.argv[1:])")
slip("there is no exit", "event.exit",
     'event("exit", t_abs=since(BEGIN), code=code)\n', "")
slip("the exit code is a text", "event.exit.code",
     "code=code)\nsys", "code=str(code))\nsys")
slip("the exit code is always 0", "event.exit.code",
     "code=code)\nsys", "code=0)\nsys")
slip("an exit code is a signed byte", "event.exit.code",
     "code=code)\nsys", "code=(code ^ 128) - 128)\nsys")
slip("a message is trimmed", "event.error.msg",
     "msg=word,", "msg=word.strip(),")
slip("an error has no msg", "event.error.msg",
     'msg=word, fmt="%s"', 'fmt="%s"')
slip("an error is one event for all messages", "event.error",
     "for word in words:\n        event", "for word in [' '.join(words)]:\n        event")
slip("a child has no id", "event.child_start.child_id",
     'event("child_start", child_id=0, child_class',
     'event("child_start", child_class')
slip("a child has no class", "event.child_start.child_class",
     'child_class="?", ', "")
slip("use_shell is a number", "event.child_start.use_shell",
     "use_shell=False", "use_shell=0")
slip("a child's command line is one text", "event.child_start.argv",
     "          argv=argv)", '          argv=" ".join(argv))')
slip("the end of a child comes before its start", "order.child",
     'event("child_start", child_id=0,', 'event("child_exit", child_id=0,'
     ' code=0, pid=1, t_rel=0); event("child_start", child_id=0,')
slip("the end of a child has another id", "event.child_exit.child_id",
     'event("child_exit", child_id=0,', 'event("child_exit", child_id=1,')
slip("the pid of a child is that of its parent", "event.child_exit.pid",
     "pid=made.pid", "pid=os.getpid()")
slip("children do not trace", "session.export.others",
     '"GIT_TRACE2_PARENT_SID": SID}',
     '"GIT_TRACE2_PARENT_SID": SID, "GIT_TRACE2_EVENT": "0"}')
slip("the time of a child counts from the start of its parent",
     "event.child_exit.t_rel", "t_rel=since(begin))", "t_rel=since(BEGIN))")
slip("the time of a child is missing", "event.child_exit.t_rel",
     "pid=made.pid,\n          t_rel=since(begin))", "pid=made.pid)")
slip("an event of our own has the name of no event", "version.unknown-event",
     'event("exit", t_abs', 'event("telemetry", x=1)\nevent("exit", t_abs')
slip("exit comes before the verb is run", "order.exit",
     "code = (VERBS", 'event("exit", t_abs=since(BEGIN), code=0)\ncode = (VERBS')
