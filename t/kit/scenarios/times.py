"""Times: how they are written and what they count."""

import re

from kit import edits
from kit.faults import fault
from kit.kit import scenario
from kit.shows import is_number

CLOCK = re.compile(rb"\d\d:\d\d:\d\d\.\d{6}")
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

# The verb between two readings of the clock, nine hours east of Greenwich.

ZONE = "times of day are between two readings of the clock"
STAMP = "date -u +%FT%T.%NZ; date +%T.%N"
SCRIPT = f"{STAMP}; test-tool trace2 100timer 1 30; {STAMP}"


def readings(run):
    """UTC and local time before and after, cut to microseconds."""
    texts = run.stdout.decode().split()
    cut = [re.sub(r"(\.\d{6})\d{3}", r"\1", text) for text in texts]
    return (cut[0], cut[2]), (cut[1], cut[3])


def between(times, span):
    """In order from the first to the last, midnight allowed for."""
    before, after = span
    if before <= after:
        return all(before <= time <= after for time in times)
    return all(before <= time or time <= after for time in times)


def clocks(run, target):
    """The first column of each line."""
    return [line.partition(b" ")[0] for line in run.lines(target)]


@scenario(ZONE, verbs=("100timer",),
          ids=("time.utc", "time.local", "time.t_abs"))
def zone(kit):
    run = kit.command("sh", "-c", SCRIPT, env={"TZ": "XXX-9"})
    utc, local = readings(run)
    times = [(event["event"], event.get("time", "")) for event in run.events()]
    kit.check("time.utc", all(is_stamp(time, utc) for _, time in times),
              f"in UTC, within {utc}", times)
    for target in ("normal", "perf"):
        found = [(clock, line) for clock, line
                 in zip(clocks(run, target), run.lines(target))]
        kit.check("time.local", all(is_clock(clock, local)
                                    for clock, _ in found),
                  f"{target} in local time, within {local}", found)
    check_t_abs(kit, run, seconds(utc[1]) - seconds(utc[0]))


def is_stamp(time, span):
    return isinstance(time, str) and UTC.fullmatch(time) and between(
        [time], span)


def is_clock(clock, span):
    return CLOCK.fullmatch(clock) and between([clock.decode()], span)


def seconds(stamp):
    """Of the day."""
    hours, minutes, rest = stamp[11:].rstrip("Z").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def check_t_abs(kit, run, span):
    """The timer alone takes 30 ms, and all of it the time between the
    readings, but for midnight and a correction of the clock."""
    shown = [(e["event"], e["t_abs"]) for e in run.events() if "t_abs" in e]
    found = [time for _, time in shown]
    good = len(found) == 3 and all(map(is_number, found))
    span = span + 0.1 if span >= 0 else 86400
    kit.check("time.t_abs", good and found == sorted(found)
              and found[1] - found[0] >= 0.030 and found[2] <= span,
              "growing by at least 0.03 from start to exit and "
              f"below {span}", shown)


for time in ('"2026-01-14 09:30:42.112403Z"', '"2026-01-14T09:30:42Z"',
             '"2026-01-14T09:30:42.112403+00:00"', '"09:30:42.112403"',
             '"2026-01-14T09:30:42.112403Z"', "1768383042.112403"):
    fault("time.utc", ZONE, event=edits.retyped("exit", "time", time))


def east(match):
    """The local time in place of UTC, as nine hours more."""
    return match[1] + b"%02d" % ((int(match[2]) + 9) % 24)


fault("time.utc", ZONE, event=(rb'("time":"[^T]*T)(\d\d)', east))
for target in ("normal", "perf"):
    fault("time.local", ZONE, **{target: (rb"^()(\d\d)", east)})
    fault("time.local", ZONE, **{target: (rb"^(\S{8})\.\d{6}", rb"\1")})
    fault("time.local", ZONE, **{target: (rb"^(\S{12})\d{3}", rb"\1")})
for value in ("0.000000", "1768383042.112403", "30.500000", "-0.000001"):
    fault("time.t_abs", ZONE, event=edits.retyped("exit", "t_abs", value))

# The same of a driver that has no timers.

PLAIN = "the times of a process are between two readings of the clock"
PLAIN_SCRIPT = f"{STAMP}; test-tool trace2 001return 0; {STAMP}"


@scenario(PLAIN, verbs=("001return",), ids=("time.utc", "time.t_abs"))
def plain(kit):
    run = kit.command("sh", "-c", PLAIN_SCRIPT, env={"TZ": "XXX-9"})
    utc, _ = readings(run)
    times = [(event["event"], event.get("time", "")) for event in run.events()]
    kit.check("time.utc", times and all(is_stamp(t, utc) for _, t in times),
              f"in UTC, within {utc}", times)
    span = seconds(utc[1]) - seconds(utc[0])
    span = span if span >= 0 else 86400
    span += 0.01  # the resolution in which Linux tells when a process began
    found = [(e["event"], e["t_abs"]) for e in run.events() if "t_abs" in e]
    kit.check("time.t_abs", found and all(
        is_number(t) and 0 <= t <= span for _, t in found),
        f"seconds, at most {span:.6f}", found)


for time in ('"2026-01-14T09:30:42Z"', '"2026-01-14T09:30:42.112403+00:00"',
             '"2026-01-14T09:30:42.112403Z"', "1768383042.112403"):
    fault("time.utc", PLAIN, event=edits.retyped("exit", "time", time))
fault("time.utc", PLAIN, event=(rb'("time":"[^T]*T)(\d\d)', east))
for value in ("1768383042.112403", "3.500000", "-0.000001", '"0.000001"'):
    fault("time.t_abs", PLAIN, event=edits.retyped("exit", "t_abs", value))

# Microseconds: what is between two stamps is what t_rel says.

MICRO = "t_rel is the difference of two t_abs, to the microsecond"


def micro(text):
    """Microseconds of a column; nothing where it has another form."""
    match = re.fullmatch(r"(\d+)\.(\d{6})", text)
    return int(match[1] + match[2]) if match else None


LATE = "times count from the start of the process"
LATE_MS = 60


@scenario(LATE, verbs=("late_start",), ids=("time.t_abs",))
def late(kit):
    """The process is older than its tracing."""
    run = kit.run("late_start", str(LATE_MS))
    found = [(e["event"], e["t_abs"]) for e in run.events() if "t_abs" in e]
    kit.check("time.t_abs", found and all(
        is_number(time) and time >= LATE_MS / 1000 for _, time in found),
        f"at least {LATE_MS / 1000} s, for which the process had waited "
        "before it initialised Trace2", found)


fault("time.t_abs", LATE, event=edits.retyped("start", "t_abs", "0.000071"))
fault("time.t_abs", LATE, event=edits.retyped("exit", "t_abs", "0.000471"))


REGIONS = "t_rel of a region is the difference of two t_abs"


@scenario(REGIONS, verbs=("regions_deep",), ids=("time.micro",))
def region_micros(kit):
    """A region_leave that reads the clock twice has two times."""
    run = kit.run("regions_deep", "9", targets=("perf",))
    open_since, found = [], []
    for line in run.perf():
        if line.event == "region_enter":
            open_since.append(micro(line.t_abs))
        elif line.event == "region_leave":
            found.append((micro(line.t_rel),
                          micro(line.t_abs) - open_since.pop()))
        elif line.event == "data":
            found.append((micro(line.t_rel),
                          micro(line.t_abs) - open_since[-1]))
    check_pairs(kit, "regions and data", found)


FINE = "times are not those of a clock of milliseconds"


@scenario(FINE, verbs=("regions_deep",), ids=("time.micro",))
def fine(kit):
    """Of dozens of times not all end in three zeros by chance."""
    run = kit.run("regions_deep", "12", targets=("event",),
                  env={"GIT_TRACE2_EVENT_NESTING": "99"})
    for key in ("time", "t_rel"):
        ends = {re.sub(r"\d*[.]\d{3}", "", str(f"{e[key]:.6f}" if key != "time"
                                                else e[key][19:26]))
                for e in run.events() if key in e}
        kit.check("time.micro", ends - {"000"}, f"{key} in microseconds", ends)


fault("time.micro", FINE, event=(rb'("time":"[^"]*)\d{3}Z', rb"\g<1>000Z"))
fault("time.micro", FINE, event=(rb'("t_rel":\d+\.\d{3})\d{3}', rb"\g<1>000"))


@scenario(MICRO, verbs=("004child", "201counter"), ids=("time.micro",))
def micros(kit):
    # Two readings are in one microsecond more often than not.
    for _ in range(5):
        run = kit.run("201counter", "1", "2", "32", targets=("perf",))
        check_micro(kit, run, "thread_start", "thread_exit")
    run = kit.run("004child", "test-tool", "trace2", "004child", "true",
                  targets=("perf",))
    check_micro(kit, run, "child_start", "child_exit")


def check_micro(kit, run, first, last):
    """Each thread, and each process at its depth, has one of both."""
    began = {(c.depth, c.thread): micro(c.t_abs) for c in run.perf(first)}
    found = [(micro(c.t_rel), micro(c.t_abs) - began[c.depth, c.thread])
             for c in run.perf(last)]
    check_pairs(kit, last, found)


def check_pairs(kit, what, found):
    wrong = [pair for pair in found if pair[0] != pair[1]]
    kit.check("time.micro", found and not wrong,
              f"{what}: t_rel is the difference of the two t_abs that PERF "
              "shows, so both events are written from one reading of the "
              "clock each, cut to microseconds",
              [f"t_rel {a} us, the t_abs differ by {b} us"
               for a, b in wrong or found])


def one_more(match):
    number = int(match[2] + match[3]) + 1
    return match[1] + b"%d.%06d" % divmod(number, 10**6)


for event, name in (("child_exit", MICRO), ("thread_exit", MICRO),
                    ("region_leave", REGIONS), ("data", REGIONS)):
    fault("time.micro", name, perf=(
        rb"(%s +\|     \| +[\d.]+ \| +)(\d+)\.(\d{6})" % event.encode(),
        one_more))

# Nanoseconds: of two intervals the rounded sum is now and then, one time in
# eight each, a microsecond more or less than the sum of the rounded ones.
# Were they kept in microseconds it never would be; were they cut when they
# are written, it would never be less.

NANO = "times of timers are summed in nanoseconds and then rounded"


@scenario(NANO, verbs=("101timer",), ids=("time.nano",))
def nano(kit):
    runs = [kit.run("101timer", "2", "1", "50", targets=("event",))
            for _ in range(6)]
    found = {
        round(1e6 * (event["t_total"] - event["t_min"] - event["t_max"]))
        for run in runs for event in run.events("th_timer")
    }
    kit.equal("time.nano", sorted(found), [-1, 0, 1])


def totals(change):
    """Each total from the microseconds of itself and of the two others."""

    def edit(run):
        pattern = rb'("t_total":)(\S+?)(,"t_min":)(\S+?)(,"t_max":)(\S+?)\}'
        run.files["event"] = re.sub(pattern, replace, run.log("event"))
        return run

    def replace(match):
        total, low, high = (micro(match[i].decode()) for i in (2, 4, 6))
        changed = b"%d.%06d" % divmod(change(total, low, high), 10**6)
        return (match[1] + changed + match[3] + match[4] + match[5]
                + match[6] + b"}")

    return edit


fault("time.nano", NANO, edit=totals(lambda total, low, high: low + high))
fault("time.nano", NANO,
      edit=totals(lambda total, low, high: max(total, low + high)))
fault("time.nano", NANO, edit=totals(lambda total, low, high: 1000 * total))

# All targets

SAME = "all targets give an event the same times"


@scenario(SAME, verbs=("004child", "006data", "201counter"),
          ids=("time.same-t_abs",))
def same(kit):
    for words in (("004child", "true"), ("006data", "c", "k", "v"),
                  ("201counter", "1", "2", "1")):
        run = kit.run(*words)
        events = [(e["event"], of_event(e)) for e in run.events()]
        perf = [(c.event, [c.t_abs, c.t_rel]) for c in run.perf()]
        kit.equal("time.same-t_abs", [name for name, _ in events],
                  [name for name, _ in perf])
        for (event, times), (name, others) in zip(events, perf):
            there = [both for both in zip(times, others) if all(both)]
            kit.check("time.same-t_abs", name == event
                      and all(time == other for time, other in there),
                      f"the times of {event}: {times}", others)
        kit.equal("time.same-t_abs", in_normal(run), in_event(run))


def of_event(event):
    return [f"{event[key]:.6f}" if key in event else ""
            for key in ("t_abs", "t_rel")]


ELAPSED = {"exit": "t_abs", "atexit": "t_abs", "child_exit": "t_rel"}


def in_event(run):
    return [f"{e[ELAPSED[e['event']]]:.6f}" for e in run.events()
            if e["event"] in ELAPSED]


def in_normal(run):
    return [match[1].decode() for match in
            re.finditer(rb"\belapsed:(\S+)", run.log("normal"))]


for event in ("start", "exit", "atexit", "data"):
    fault("time.same-t_abs", SAME,
          event=edits.retyped(event, "t_abs", "0.000001"))
for event in ("child_exit", "data", "thread_exit"):
    fault("time.same-t_abs", SAME,
          event=edits.retyped(event, "t_rel", "9.000001"))
for event in ELAPSED:
    fault("time.same-t_abs", SAME, normal=(
        rb"( %s\b[^\n]*elapsed:)[\d.]+" % event.encode(), rb"\g<1>9.000001"))
for event in ("start", "atexit", "data"):
    fault("time.same-t_abs", SAME, perf=(
        rb"( %s +\|[^|]*\|) +[\d.]+ " % event.encode(), rb"\1  9.000001 "))

# The decimal sign

POINT = "the decimal sign is a point in every locale"


@scenario(POINT, verbs=("100timer",), ids=("time.point",))
def point(kit):
    run = kit.run("100timer", "2", "1",
                  env={"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8",
                       "LC_NUMERIC": "de_DE.UTF-8"})
    good = re.compile(rb'(?:elapsed:|total:|"t_[a-z]+":|\| +)\d+\.\d')
    bad = re.compile(rb"\d,\d{2}")
    for target, count in (("normal", 3), ("perf", 3), ("event", 6)):
        log = run.log(target)
        kit.check("time.point", len(good.findall(log)) >= count
                  and not bad.search(log), "points, no commas", log)


for target in ("normal", "perf", "event"):
    fault("time.point", POINT, **{target: (rb"(\d)\.(\d{6})", rb"\1,\2")})
