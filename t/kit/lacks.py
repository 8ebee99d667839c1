"""What a scenario looked for in vain, told to the author of a driver."""

import linecache
import re
import traceback

from kit import logs, show
from kit.run import Absent

NAMES = 12  # events of a log that are named
EVENTS = re.compile(rb'\{"event":')

# What Python says, and what that means of an output.
MEANINGS = (
    (r"too many values to unpack \(expected (\d+)\)",
     r"there are more than \1"),
    (r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
     r"expected \1, found \2"),
    (r"(?:list|tuple|string) index out of range", "there are too few"),
    (r"(.*) is not in (?:list|tuple)", r"there is no \1"),
    (r"subsection not found|substring not found", "it is not in the text"),
    (r"'NoneType' object .*", "there is none"),
    (r"could not convert string to float: (.*)", r"\1 is not a number"),
    (r"invalid literal for int\(\) with base \d+: (.*)",
     r"\1 is not an integer"),
)


def meaning(problem):
    """The problem in words that need no knowledge of Python."""
    text = str(problem)
    if isinstance(problem, Absent):
        return text
    if isinstance(problem, KeyError):
        return f"there is no {text}"
    for pattern, words in MEANINGS:
        match = re.fullmatch(pattern, text)
        if match:
            return match.expand(words)
    return f"{text} ({type(problem).__name__})"


def sought(problem):
    """The expression of the scenario that could not be worked out."""
    frames = [f for f in traceback.extract_tb(problem.__traceback__)
              if re.search(r"/kit/(?!kit\.py)", f.filename)]
    if not frames:
        return ""
    own = [f for f in frames if re.search(r"/(scenarios|witness|consumer)/",
                                          f.filename)]
    frame = (own or frames)[-1]
    line = linecache.getline(frame.filename, frame.lineno).strip()
    return f"`{line}` (t/kit{frame.filename.rpartition('/kit')[2]})"


def written(run):
    """What a run left behind, a line for each log."""
    logs_of = [*run.files.items(),
               *((f"received {n}", entry)
                 for n, entry in enumerate(run.received))]
    return [f"{name}: {described(text)}" for name, text in logs_of] or [
        "no files"]


def described(text):
    if not EVENTS.match(text):
        return f"{len(text.splitlines())} lines"
    names = [str(name) for name in logs.event_names(text)]
    more = [f"… {len(names) - NAMES} more"] * (len(names) > NAMES)
    return " ".join(names[:NAMES] + more)


def explain(problem, runs):
    """What was looked for, and what there is instead: two texts."""
    place = sought(problem)
    expected = "an output in which this can be looked up"
    expected += f": {place}" * bool(place)
    found = [meaning(problem)]
    if runs:
        found += [f"  the last run wrote {show.cut(line)}"
                  for line in written(runs[-1])]
    return expected, "\n".join(found)
