"""Another time for a driver: clock.c, loaded before it.

    clock.run(kit, day, speed, "100timer", "1", "50")

is a run that finds itself `day` seconds after 1970, and whose clocks are
`speed` times as quick. It skips the scenario where that can't be: without a
compiler, or for a driver that asks the kernel itself.
"""

import calendar
import time
from pathlib import Path

from kit.kit import Skip

SOURCE = Path(__file__).with_name("clock.c")
SETUP = (f"cc -shared -fPIC -O1 -o clock.so '{SOURCE}' -ldl 2>why || "
         ": >no-compiler")
ANOTHER = 86400  # seconds: what the machine's own clock has moved by at most


def run(kit, day, speed, *words, env=None, **options):
    made = kit.command(
        "timeout", "-s", "KILL", "5", "test-tool", "trace2", *words,
        setup=SETUP, env={
            "LD_PRELOAD": "{}/clock.so", "CLOCK_DAY": str(day),
            "CLOCK_SPEED": str(speed), **(env or {})}, **options)
    if "no-compiler" in made.files:
        raise Skip("no C compiler (cc)")
    if speed > 1 and made.exit in (137, -9):
        raise Skip("the driver waits in a way of its own")
    if made.log("event") and abs(day_of(made) - time.time()) < ANOTHER:
        raise Skip("the driver asks the kernel for the time")
    return made


def day_of(made):
    """The first time of a log, in seconds since 1970, or 0."""
    stamp = str(made.event("version").get("time", ""))[:19]
    try:
        return calendar.timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%S"))
    except ValueError:
        return 0
