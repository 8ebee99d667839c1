"""Slips of NORMAL and PERF: t/kit/drivers/driver.py with one thing wrong in a
source of its emitter. See kit/slips.py.

Git Credential Manager, for instance, cuts the columns of PERF one byte
early, shows regions in NORMAL, puts a blank before the number of a child,
and writes JSON to a pipe that is the destination of NORMAL or PERF.
"""

from kit.slips import Slip

SLIPS = []


def slip(source, name, id, old, new, *more):
    pairs = ((old, new), *zip(more[::2], more[1::2]))
    SLIPS.append(Slip(name, id, pairs, f"t/kit/drivers/{source}.py"))


def lines(*words):
    slip("lines", *words)


# The columns of PERF

lines("PERF cuts file:line at 23 bytes", "perf.column.file-width",
      "> 28:", "> 23:", "[-25:]", "[-20:]")
lines("PERF cuts file:line without dots", "perf.column.file-width",
      '"..." + os.fsdecode(os.fsencode(place)[-25:])',
      "os.fsdecode(os.fsencode(place)[-28:])")
lines("PERF keeps the head of a long file:line", "perf.column.file-width",
      '"..." + os.fsdecode(os.fsencode(place)[-25:])',
      'place[:25] + "..."')
lines("PERF cuts the category at 11 bytes", "perf.column.category-width",
      "pad(category, 12, True)", "pad(category, 11, True)")
lines("PERF never cuts the category", "perf.column.category-width",
      "pad(category, 12, True)", "pad(category, 12)")
lines("PERF pads by characters", "perf.column.category-width",
      "    text = os.fsencode(text)\n"
      "    return os.fsdecode((text[:width] if cut else text).ljust(width))",
      "    return (text[:width] if cut else text).ljust(width)")
lines("PERF pads file:line by characters", "perf.column.file",
      "pad(place, 28)", "place.ljust(28)")
lines("PERF pads threads by characters", "perf.column.thread",
      'pad(event["thread"], 24)', 'event["thread"].ljust(24)')
lines("PERF has bars without blanks", "perf.column",
      '" | ".join(columns)', '"|".join(columns)')
lines("PERF has tabs between columns", "perf.column",
      '" | ".join(columns)', '"\\t".join(columns)')
lines("the first process of PERF has depth 1", "perf.column.depth",
      'event["sid"].count("/"))', 'event["sid"].count("/") + 1)')
lines("the threads of PERF are 20 wide", "perf.column.thread",
      'pad(event["thread"], 24)', 'pad(event["thread"], 20)')
lines("PERF cuts the names of threads", "perf.column.thread",
      'pad(event["thread"], 24)', 'pad(event["thread"], 12, True)')
lines("the events of PERF are 10 wide", "perf.column.event",
      "pad(name, 12)", "pad(name, 10)")
lines("PERF has repo 0 for none", "perf.column.repo",
      '"" if event["repo"] is None', '"r0 " if event["repo"] is None')
lines("PERF has a t_abs on each event", "perf.column.t_abs",
      'if WITH_T_ABS.fullmatch(name) else ""', "")
lines("PERF has a t_abs on no data", "perf.column.t_abs",
      "data.*|printf", "printf")
lines("PERF has no t_rel", "perf.column.t_rel",
      'own.get("t_rel", "").rjust(9)', '" " * 9')
lines("PERF has times on the left", "perf.column.time-width",
      "t_abs.rjust(9)", "t_abs.ljust(9)")
lines("PERF has times in milliseconds", "perf.column.time-width",
      "t_abs.rjust(9)", "t_abs[:-3].rjust(9)")
lines("PERF has no scope", "perf.column.category-scope",
      'category = "scope:" + own["scope"]', 'category = ""')
lines("PERF has the label as the category", "perf.column.category",
      'own.get("category", "")', 'own.get("label", own.get("category", ""))')
lines("NORMAL and PERF have UTC", "perf.column.time",
      "time.localtime(second)", "time.gmtime(second)")
lines("PERF has milliseconds of the day", "perf.column.time",
      'f".{micro:06}"\n\n#', 'f".{micro // 1000:03}"\n\n#')
lines("the brief form of PERF keeps file:line", "brief.perf",
      "    if not brief:\n        columns.insert",
      "    if True:\n        columns.insert")

# The payloads of PERF

lines("PERF has no dots", "perf.dots",
      '"." * 2 * event["dots"] + payload', "payload")
lines("PERF has a dot for each region", "perf.dots",
      '"." * 2 * event["dots"]', '"." * event["dots"]')
slip("emitter", "a region counts itself", "perf.region-dots",
     '"dots": max(len(HERE.stack) - 1, 0)',
     '"dots": max(len(HERE.stack) - 1, 0) + (name == "region_enter")')
lines("PERF has no blank at the end", "perf.trailing-blank",
      '" | ".join(columns)', '" | ".join(columns).rstrip()')
lines("PERF escapes line breaks", "perf.raw",
      "payload(event, 1)]", 'payload(event, 1).replace("\\n", "\\\\n")]')
lines("PERF says label: of a region without one", "perf.payload.region_enter",
      "region_enter||?label:{label}??", "region_enter||label:{label}?")
lines("PERF has the number of a child alone", "perf.payload.child_start",
      "|[ch{child_id}] class", "|[{child_id}] class")
lines("PERF has a blank in an empty argv", "perf.empty-argv",
      '" ".join(map(quote, own.get(key, [])))',
      '(" ".join(map(quote, own.get(key, []))) or " ")')

# The lines of NORMAL

lines("NORMAL has its payload at 49", "normal.column", "(50 -", "(49 -")
lines("NORMAL counts characters up to its payload", "normal.column",
      "(50 - len(os.fsencode(prefix)))", "(50 - len(prefix))")
lines("NORMAL cuts a long file:line", "normal.uncut",
      "    prefix += ", "    prefix = prefix[:49] + ' '; prefix += ")
lines("NORMAL has no blanks without a file", "normal.column-no-file",
      "    prefix += ", '    prefix += "" if not place else ')
lines("the brief form of NORMAL keeps the time", "brief.normal",
      '("" if brief else prefix)', "prefix")
lines("NORMAL has seconds without zeros", "normal.seconds",
      "else own[m[1]]), part)",
      'else str(own[m[1]]).rstrip("0") if m[1][:2] == "t_" '
      "else own[m[1]]), part)")
lines("NORMAL escapes line breaks", "normal.raw",
      "+ payload(event, 0)", '+ payload(event, 0).replace("\\n", "\\\\n")')
lines("NORMAL has no blank at the end", "normal.trailing-blank",
      "+ payload(event, 0)", "+ payload(event, 0).rstrip(' ')")
lines("NORMAL shows regions", "normal.payload.region_enter",
      "region_enter||", "region_enter|region_enter {label}|")
lines("NORMAL shows data", "normal.payload.data",
      "\ndata||", "\ndata|data {key}:{value}|")
lines("NORMAL has a blank before the number of a child",
      "normal.payload.child_start", "child_start|child_start[",
      "child_start|child_start [")
lines("NORMAL has a colon after error", "normal.payload.error",
      "error|error? {msg}?", "error|error:? {msg}?")
lines("NORMAL has the name of printf", "normal.payload.printf",
      "printf|{msg}", "printf|printf {msg}")
lines("NORMAL has the name of def_repo", "normal.payload.def_repo",
      "def_repo|worktree", "def_repo|def_repo worktree")
lines("NORMAL has signo: for the code of a signal", "normal.payload.signal",
      "elapsed:{t_abs} code:{signo}", "elapsed:{t_abs} signo:{signo}")
lines("NORMAL has commas between ancestors", "normal.payload.cmd_ancestry",
      '" <- ".join', '", ".join')
lines("NORMAL has no reason for a failed exec", "normal.payload.exec_result",
      'os.strerror(own["code"]) if own.get("code", 0) > 0 else None', "None")
lines("NORMAL has a dot in the name of a timer", "normal.payload.timer",
      "\ntimer|timer {category}/{name}", "\ntimer|timer {category}.{name}")
lines("NORMAL has counters without category", "normal.payload.counter",
      "\ncounter|counter {category}/{name}", "\ncounter|counter {name}")

# Quotes

lines("no argument is quoted", "quote.argument",
      '" ".join(map(quote, own.get(key, [])))',
      '" ".join(own.get(key, []))')
lines("each argument is quoted", "quote.argument",
      're.fullmatch(r"[\\w+,./:=@^-]+", word, re.A)', "False")
lines("arguments are in double quotes", "quote.argument",
      """return "'" + re.sub("[!']", r"'\\\\\\g<0>'", word) + "'\"""",
      "return json.dumps(word)")
lines("exclamation marks are as they are", "quote.escape",
      """"[!']\"""", """"[']\"""")
lines("an empty argument is not quoted", "quote.argument",
      "[\\w+,./:=@^-]+", "[\\w+,./:=@^-]*")
lines("directories are not quoted", "quote.where",
      'quote(own[key]) if key in own', "own[key] if key in own")

# Which target, and who

slip("emitter", "NORMAL is JSON", "normal.payload",
     '("GIT_TRACE2", normal_line)', '("GIT_TRACE2", event_line)')
slip("emitter", "PERF is JSON", "perf.column",
     '("GIT_TRACE2_PERF", perf_line)', '("GIT_TRACE2_PERF", event_line)')
slip("emitter", "NORMAL and PERF are one another", "perf.column",
     '("GIT_TRACE2", normal_line)', '("GIT_TRACE2", perf_line)',
     '("GIT_TRACE2_PERF", perf_line)', '("GIT_TRACE2_PERF", normal_line)')
slip("process", "the SID has local time", "session.component.time",
     '"%Y%m%dT%H%M%S", time.gmtime', '"%Y%m%dT%H%M%S", time.localtime')
slip("destination", "files of a directory are private",
     "destination.file.mode", 'if at else ""), NEW, 0o666)',
     'if at else ""), NEW, 0o600)')
