"""The normaliser: what differs between two runs, two machines or two
implementations becomes a word, so that the rest can be compared as it is.

| what | where | becomes |
|---|---|---|
| a component of a SID | `sid` | SID, so that a child has SID/SID |
| the time | `time`; the first column | TIME |
| seconds with six decimals | `t_abs`, ...; after `elapsed:`, `total:`, | |
| | `min:` and `max:`; columns | SECONDS |
| a process id above 0 | `pid`; after `pid:` | PID |
| file and line | `file` and `line`; the prefix | left out |
| the program's version | `exe` of `version`; its payload | VERSION |
| names of ancestors | `ancestry`; its payload | ANCESTRY |
| the path of the program | the first word of a command line | left out |

Whatever has not the form that it must have stays as it is, and so differs
from what is expected.
"""

import re

COMPONENT = rb"\d{8}T\d{6}\.\d{6}Z-(?:H[0-9a-f]{8}|Localhost)-P[0-9a-f]{8}"
CLOCK = rb"\d\d:\d\d:\d\d\.\d{6}"
STRING = rb'"(?:[^"\\]|\\.)*"'


def rules(*pairs):
    return [(re.compile(pattern, re.DOTALL), text) for pattern, text in pairs]


EVENT = rules(
    (rb'(?<="sid":")' + COMPONENT + rb'(?=["/])', b"SID"),
    (rb"(?<=SID/)" + COMPONENT + rb'(?=["/])', b"SID"),
    (rb'(?<="time":")\d{4}-\d\d-\d\dT' + CLOCK + rb'Z(?=")', b"TIME"),
    (rb',"file":' + STRING + rb',"line":-?\d+(?=[,}])', b""),
    (rb'(?:(?<="t_abs":)|(?<="t_rel":)|(?<="t_total":)|(?<="t_min":)'
     rb'|(?<="t_max":))\d+\.\d{6}(?=[,}])', b"SECONDS"),
    (rb'(?<="pid":)[1-9]\d*(?=[,}])', b"PID"),
    (rb'(?<="exe":)' + STRING + rb"(?=}$)", b"VERSION"),
    (rb'(?<="ancestry":)\[(?:' + STRING + rb",?)+\]", b"ANCESTRY"),
    (rb'(?<="argv":\[")/[^"]*/(?=test-tool")', b""),
)

TEXT = rules(
    (rb"(?<=elapsed:)\d+\.\d{6}(?= |$)", b"SECONDS"),
    (rb"(?<=total:)\d+\.\d{6}(?= min:)", b"SECONDS"),
    (rb"(?<=min:)\d+\.\d{6}(?= max:)", b"SECONDS"),
    (rb"(?<=max:)\d+\.\d{6}$", b"SECONDS"),
    (rb"(?<=pid:)[1-9]\d*(?= )", b"PID"),
    (rb"(?:(?<=start )|(?<=argv:\[)|(?<=\] )|^)/[^ ]*/(?=test-tool )", b""),
)

NORMAL = rules(
    (rb"^version .+", b"version VERSION"),
    (rb"^cmd_ancestry .+", b"cmd_ancestry ANCESTRY"),
)


def replace(table, text):
    for pattern, word in table:
        text = pattern.sub(word, text)
    return text


def event(line):
    """A line of EVENT."""
    return replace(EVENT, line)


def payload(text):
    """What a line of NORMAL says behind its prefix."""
    return replace(TEXT, replace(NORMAL, text))


def normal(line):
    """A line of NORMAL, in full or brief form."""
    prefix = rb"^" + CLOCK + rb" (?:\S+:\d+ +| {34})"
    return payload(re.sub(prefix, b"", line))


def perf_payload(name, text):
    """The payload of a PERF line whose event column is `name`."""
    if name == "version" and text:
        return b"VERSION"
    if name == "cmd_ancestry" and re.fullmatch(rb"ancestry:\[.+\]", text):
        return b"ancestry:[ANCESTRY]"
    return replace(TEXT, text)


def perf(line):
    """A line of PERF, in full or brief form."""
    parts = re.sub(rb"^" + CLOCK + rb" .{28} \| ", b"", line).split(b" | ", 7)
    if len(parts) == 8:
        parts[4:6] = [
            re.sub(rb"^ *\d+\.\d{6}$", b"SECONDS", x) for x in parts[4:6]
        ]
        name = parts[2].decode("latin-1").rstrip()
        parts[7] = perf_payload(name, parts[7])
    return b" | ".join(parts)
