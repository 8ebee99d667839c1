"""The broken drivers: what each of them does wrong, chapter by chapter."""

from kit.broken import DRIVERS, broken, events, in_logs, in_stderr, swapped
from kit.run import TARGETS

TEXT = ("normal", "perf")

__all__ = ["DRIVERS", "of_verbs"]


def all_of(targets, *pair):
    """The same edit in several targets."""
    return dict.fromkeys(targets, pair)


def of_verbs(*verbs):
    """Makes an edit that only these verbs of the driver's show."""

    def limit(edit):
        def apply(run):
            return edit(run) if set(verbs) & set(run.argv) else run

        return apply

    return limit


# What it is told

broken("a setting without a value is ignored in silence",
       "settings.valueless",
       "a setting without a value is warned about and ignored",
       edit=in_stderr(rb"missing value", None))
broken("a broken file is named with a wrong line",
       "config.files.broken",
       "a broken file counts up to its error",
       edit=in_stderr(rb"(bad config line \d+)", rb"\g<1>0"))
broken("the scope of a variable is not known",
       "params.env.scope",
       "asked variables follow the config values behind the name",
       event=(rb'"scope":"command","param":"([A-Z]+)"',
              rb'"scope":"unknown","param":"\1"'))
broken("a variable is asked for by the beginning of its name",
       "privacy.env-asked",
       "only variables and values that were asked for are recorded",
       event=(rb'^(.*"param":")ASKED(","value":")env-value(".*\n)',
              rb"\g<0>\1ASKED_TOO\2hush-env\3"))

# Where it writes


def unterminated(run):
    run.received = [
        entry[:-1] if entry.count(b"\n") == 1 else entry
        for entry in run.received
    ]
    return run


def glued(run):
    if all(entry.count(b"\n") == 1 for entry in run.received):
        run.received = [b"".join(run.received)]
    return run


broken("the line of a datagram is unterminated",
       "destination.socket.datagram-event",
       "a datagram is one event",
       edit=unterminated)
broken("datagrams hold several events",
       "destination.socket.datagram-event",
       "a datagram is one event",
       edit=glued)
broken("a write that failed is told to nobody",
       "destination.debug.write",
       "the first failed write is told under debug",
       edit=in_stderr(rb"unable to write", None))
broken("what was dropped is told in EVENT and PERF alone",
       "failure.drops-reported",
       "every target that lives tells what was lost",
       normal=(rb"events dropped", None))
broken("what was dropped is not told under destination debug",
       "failure.drops-debug",
       "what is lost is counted for each target",
       edit=in_stderr(rb"events dropped", None))

# Who writes

broken("a parent's SID is tidied",
       "session.parent-bytes",
       "a parent's SID is taken byte for byte",
       event=(rb'("sid":"[^"]*?)//', rb"\1/"))
broken("a thread's name is one byte too long",
       "thread.name-cut",
       "a thread name is cut between characters",
       event=(rb'("thread":"th\d\d:[^"]{19}[^"]*)"', rb'\1x"'))
broken("a forked child has no start",
       "fork.version-start",
       "a forked child has a session of its own",
       event=(rb'"event":"start".*"fork.c"', None))
broken("a program that was replaced is no parent",
       "exec.sid",
       "a program that replaces another continues its session",
       edit=of_verbs("005exec")(
           in_logs(event=(rb'"sid":"[^"]*/', rb'"sid":"'))))
broken("the hierarchy ends where a program is replaced",
       "exec.hierarchy",
       "a program that replaces another continues its session",
       edit=of_verbs("005exec")(
           in_logs(event=(rb'"hierarchy":"[^"]*/', rb'"hierarchy":"'))))


def exits(run):
    if run.exit < 0:
        run.exit = 128 - run.exit
    return run


broken("a signal ends in an exit code",
       "signal.dies",
       "a process that dies of SIGPIPE says so",
       edit=exits)
broken("atexit follows a signal",
       "signal.no-atexit",
       "a process that dies of SIGPIPE says so",
       event=(rb'^(.*"event":")signal(".*\n)', rb"\g<0>\1atexit\2"))

# What it tells, and in which order

broken("the time of a region is not its own",
       "region.t_rel",
       "times of regions and data count from what is open",
       event=(rb'("event":"region_leave".*"t_rel":)\d+', rb"\g<1>9"))
broken("a region_leave too many is not told",
       "region.leave-too-many.again",
       "a further region_leave that closes nothing is an error",
       **all_of(TARGETS, rb"region_leave without region_enter", None))
broken("the nesting limit hides modes inside regions",
       "nesting.only-these",
       "the limit leaves out no event of another type",
       edit=events(lambda lines: [
           line for at, line in enumerate(lines)
           if b'"event":"cmd_mode"' not in line
           or not any(b"region_enter" in x for x in lines[:at])]))

broken("regions that a list of categories leaves out count",
       "category.nesting",
       "what the list leaves out does not count",
       event=(rb'("nesting":)1(,"category":"cat"\}\n)', rb"\g<1>2\2"))


def reversed_events(name):
    def change(lines):
        mark = b'"event":"%s"' % name
        places = [at for at, line in enumerate(lines) if mark in line]
        for at, line in zip(places, [lines[at] for at in places[::-1]]):
            lines[at] = line
        return lines

    return events(change)


broken("timers come last one first",
       "timer.order",
       "timers are told in the order of first use",
       edit=reversed_events(b"timer"))
broken("counters come last one first",
       "counter.order",
       "counters are told in the order of first use",
       edit=reversed_events(b"counter"))
broken("too_many_files comes behind start",
       "order.too-many-files",
       "too_many_files follows the version",
       edit=swapped(b"too_many_files", b"start"))
broken("a child is ready before it starts",
       "order.child",
       "child_ready follows its child_start",
       edit=swapped(b"child_start", b"child_ready"))
broken("an exit that the host does not report is not written",
       "order.no-cmd-exit",
       "an exit that is not reported is written all the same",
       edit=of_verbs("528exit_unreported")(
           in_logs(event=(rb'"event":"exit"', None))))

# EVENT

broken("a signal's number has the name of the event",
       "event.signal.signo",
       "signal: a broken pipe ends the process",
       event=(rb'"signo":', rb'"signal":'))
broken("every child has the name of a hook",
       "event.child_start.hook_name",
       "child_start: a plain child has no hook and no directory",
       event=(rb'("child_class":"\?")', rb'\1,"hook_name":""'))
broken("a child that was killed has the code of one that never was",
       "event.child_exit.code-other",
       "the pid and the code are the child's own",
       event=(rb'("event":"child_exit".*"code":)1(?:2[89]|[3-9]\d)',
              rb"\g<1>-1"))
broken("an exit code is not cut to a byte",
       "event.exit.code-byte",
       "exit codes are cut to a byte",
       event=(rb'("event":"a?t?exit".*"code":)44\b', rb"\g<1>300"))
broken("a second name has no hierarchy of its own",
       "event.cmd_name.again",
       "a second name is appended to the first",
       event=(rb'("name":"second","hierarchy":")[^"]*/', rb"\1"))
broken("a blank follows the first colon",
       "json.compact",
       "git's verbs write one JSON object on each line",
       event=(rb'^\{"event":"', rb'{"event": "'))
broken("the thread comes before the SID",
       "json.key-order",
       "git's verbs write one JSON object on each line",
       event=(rb'("sid":"[^"]*"),("thread":"[^"]*")', rb"\2,\1"))
broken("bytes that are not UTF-8 become question marks",
       "json.invalid-utf8",
       "bytes that are not UTF-8 become U+FFFD",
       event=("\ufffd".encode(), b"?"))
broken("EVENT and PERF disagree about the time of start",
       "time.same-t_abs",
       "all targets give an event the same times",
       perf=(rb"(\| start .*\|  0\.\d{5})\d \|", rb"\g<1>0 |"))
broken("brief events say where they come from",
       "brief.event",
       "brief events lack file, line and most times, and no more",
       event=(rb'("event":"(?:start|exit)","sid":"[^"]*","thread":"[^"]*",)'
              rb'("t_abs")', rb'\1"file":"x.c","line":1,\2'))

broken("a log says that it is of version 3",
       "version.evt",
       "git's verbs write what the version of the log has",
       event=(rb'"evt":"4"', rb'"evt":"3"'))
broken("a mode comes with a field that nobody knows",
       "version.unknown-key",
       "the other verbs write what the version of the log has",
       event=(rb'("event":"cmd_mode".*)\}', rb'\1,"mode":1}'))

# NORMAL and PERF

broken("the column of NORMAL is a byte short",
       "normal.column",
       "each line of git's verbs has its form",
       normal=(rb"^(\d\d:\d\d:.{40}) ", rb"\1"))
broken("NORMAL has no blanks at the end of a line",
       "normal.trailing-blank",
       "the blanks before an empty argument list stay",
       normal=(rb"(start|->|\[\d+\](?: cd [^;]+;| \S+)?) \n$", rb"\1\n"))
broken("NORMAL has the name of def_repo",
       "normal.payload.def_repo",
       "def_repo: repositories are numbered from 1",
       normal=(rb"^(\S+ (?:\S+:\d+)? +|)worktree ", rb"\1def_repo "))
broken("a region's label alone has no blank behind it",
       "perf.label-blank",
       "an empty message leaves a blank behind the label",
       perf=(rb"(\| \.*label:\S+) \n", rb"\1\n"))
broken("brief events have their time",
       "brief.event-time",
       "brief events lack file, line and most times, and no more",
       event=(rb'("thread":"(?:[^"\\]|\\.)*")(?!,"time")',
              rb'\1,"time":"2026-01-14T09:30:42.112403Z"'))
broken("calls on main start no thread",
       "thread.on-main",
       "a thread that starts on main is a region there",
       event=(rb'"msg":"thread-proc on main', None),
       perf=(rb"thread-proc on main", None))
broken("an exclamation mark is not escaped",
       "quote.escape",
       "arguments are quoted as a shell would read them back",
       **all_of(TEXT, rb"'\\!'", rb"!"))
broken("a tilde needs no quotes",
       "quote.argument",
       "arguments are quoted as a shell would read them back",
       **all_of(TEXT, rb"'(\w*~\w*)'", rb"\1"))
broken("the category column is a byte short",
       "perf.column.category-width",
       "each line of git's verbs has its form",
       perf=(rb"(\| .{11}). \| (?=\.*[^|]*$)", rb"\1 | "))
broken("a long place is cut at its end",
       "perf.column.file-width",
       "a long place loses its front, and none is blank",
       perf=(rb"^(.{15} )\.\.\.(.{25}) \|", rb"\1\2... |"))
broken("a region_leave has the dots of what is around",
       "perf.region-dots",
       "two dots stand for each open region",
       perf=(rb"(region_leave .*\| .{12} \| )\.\.", rb"\1"))
broken("the number of a signal is called a code in PERF",
       "perf.payload.signal",
       "signal: a broken pipe ends the process",
       perf=(rb"signo:(\d+)", rb"code:\1"))

# Secrets

broken("only command lines are redacted",
       "redact.everywhere",
       "passwords are replaced in every text of the host's",
       event=(rb'("event":"(?:alias|error|printf|data)".*)<REDACTED>',
              rb"\1secret"))
broken("only the first URL of a text is redacted",
       "redact.again",
       "passwords of URLs are replaced and nothing else",
       event=(rb"(<REDACTED>.*)<REDACTED>", rb"\1secret"))
