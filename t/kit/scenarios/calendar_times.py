"""Times of day in all hours, zones and years, and intervals that are long."""

import calendar
import datetime
import re
import time
import zoneinfo

from kit import clock
from kit.edits import retyped
from kit.faults import fault
from kit.kit import Skip, scenario

DAYS = "a log has the right date at midnight, at noon and on leap days"
STAMPS = ("2028-02-28T23:59:59", "2028-02-29T00:00:00", "2026-12-31T23:59:59",
          "2027-01-01T00:00:00", "2027-07-09T12:00:00", "2027-07-09T13:05:09")
ZONES = ("UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham",
         "Pacific/Pago_Pago", "Asia/Tokyo")
FRACTION = 0.456  # of a second, at the start: a driver may take no time
ROOM = 20  # seconds from the start of the driver's to its last event
FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
CLOCK = re.compile(rb"(\d\d):(\d\d):(\d\d)\.\d{6} ")
COMPONENT = re.compile(r"(\d{8}T\d{6})\.(\d{6})Z-H[^/]*")


def moment(stamp, fraction, form="%Y-%m-%dT%H:%M:%S"):
    return since_1970(stamp, form) + int(fraction) / 1000000


def since_1970(stamp, form="%Y-%m-%dT%H:%M:%S"):
    return calendar.timegm(time.strptime(stamp, form))


@scenario(DAYS, verbs=("001return",),
          ids=("time.utc", "time.local", "session.component.time"))
def days(kit):
    for stamp, zone in zip(STAMPS, ZONES):
        day = since_1970(stamp)
        run = clock.run(kit, day, 10, "001return", "0", env={
            "TZ": zone, "CLOCK_US": f"{FRACTION * 1000000:.0f}"})
        times = [str(e.get("time")) for e in run.events()]
        kit.check("time.utc", times and all(
            FORM.fullmatch(t) and is_soon(moment(t[:19], t[20:26]), day)
            for t in times), f"in the {ROOM} s after {stamp} UTC", times)
        made = COMPONENT.search(run.event("version")["sid"])
        kit.check("session.component.time", made and is_soon(
            moment(made[1], made[2], "%Y%m%dT%H%M%S"), day),
                  f"a component just after {stamp}", run.event("version"))
        check_local(kit, run, day - offset(zone, day), stamp + " " + zone)


def is_soon(time, day):
    return 0 <= round(time - day - FRACTION, 6) < ROOM


def offset(zone, day):
    """Seconds west of Greenwich."""
    try:
        there = datetime.datetime.fromtimestamp(day, zoneinfo.ZoneInfo(zone))
    except zoneinfo.ZoneInfoNotFoundError:
        raise Skip(f"no zone {zone} here (tzdata)") from None
    return -int(there.utcoffset().total_seconds())


def check_local(kit, run, day, what):
    for target in ("normal", "perf"):
        for line in run.lines(target):
            match = CLOCK.match(line)
            now = match and sum(int(x) * y for x, y in zip(
                match.groups(), (3600, 60, 1)))
            kit.check("time.local", match and (now - day) % 86400 < ROOM,
                      f"local time just after {what}", line)


fault("time.utc", DAYS, event=(rb'"time":"2028-02-29T', b'"time":"2028-03-01T'))
fault("time.utc", DAYS, event=(rb'(T)13(:05:\d\d\.\d+Z")', rb"\g<1>01\2"))
fault("session.component.time", DAYS, event=(
    rb'"sid":"20280229', b'"sid":"20280228'))
fault("session.component.time", DAYS, event=(
    rb'("sid":"\d+T\d+\.)(\d{3})\d{3}', rb"\g<1>000\2"))
fault("time.local", DAYS, normal=(rb"^(\d\d:)[345]\d", rb"\g<1>00"))
fault("time.local", DAYS, perf=(rb"^2([0-3]):", rb"1\1:"))

# A time of day that is set back

BACK = "a time of day that is set back does not change t_abs"


@scenario(BACK, verbs=("004child",), ids=("time.t_abs", "order.monotonic"))
def back(kit):
    """It goes backwards from the beginning on."""
    run = clock.run(kit, since_1970(STAMPS[-1]), 1, "004child", "sleep",
                    "0.02", env={"CLOCK_BACK": "1"})
    found = [e["t_abs"] for e in run.events() if "t_abs" in e]
    kit.check("order.monotonic", found == sorted(found), "times that grow",
              found)
    kit.check("time.t_abs", found[0] >= 0 and found[-1] - found[0] >= 0.02,
              "20 ms more at the exit than at the start", found)


fault("order.monotonic", BACK, event=retyped("exit", "t_abs", "9.000000"))
fault("time.t_abs", BACK, event=retyped("start", "t_abs", "-0.000001"))

# Long intervals, of a clock that is quick

LONG = "an interval above 2^32 nanoseconds has its whole length"
SPEED = 200
MS = 40  # so many times SPEED are eight seconds


@scenario(LONG, verbs=("100timer",), ids=("timer.values",))
def long(kit):
    run = clock.run(kit, since_1970(STAMPS[-1]), SPEED, "100timer", "2",
                    str(MS))
    made = run.event("timer")
    least = made["t_min"]
    if least < 0.001 * MS * 2:
        raise Skip("the driver asks the kernel for the time")
    # A machine may set its clock a little faster or slower meanwhile.
    kit.check("timer.values", least >= 0.95 * MS * SPEED / 1000
              and 2 * least <= made["t_total"] + 0.00001
              and least <= made["t_max"] <= made["t_total"],
              f"intervals of about {MS * SPEED / 1000} s", made)


for key in ("t_min", "t_max", "t_total"):
    fault("timer.values", LONG, event=(
        rb'("%s":)[\d.]+' % key.encode(), rb"\g<1>3.705033"))
