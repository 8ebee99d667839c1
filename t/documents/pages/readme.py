#!/usr/bin/python3
"""Run the commands of a page: t/documents/pages/readme.py check|write [FILE]

Every ```console block holds commands, each behind `$ `, and what they
printed. All run in one shell at the top of the repository, in order.
`check` compares what is printed with what stands there; figures of two
digits and more may differ, and how many checks pass. `write` puts the real output there. FILE
is the page; default: README.md.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
MARK = "=-=-= end of command =-=-="
VARYING = re.compile(r"PASS \d+|\d+(?:\.\d+)+|\d[\d,]*\d")


def environment(home):
    """A user's own, without what changes git, make or our programs."""
    left_out = re.compile(r"GIT_|MAKE|MFLAGS|TEST_|TRACE2|TRACE_|XDG_")
    names = {k: v for k, v in os.environ.items() if not left_out.match(k)}
    return {**names, "HOME": home, "LC_ALL": "C", "TZ": "UTC"}


def commands(text):
    """All commands of the README, in order."""
    blocks = "".join(BLOCK.findall(text))
    return [line[2:] for line in blocks.splitlines() if line[:2] == "$ "]


def run(lines):
    """What each command printed, standard error included."""
    script = "".join(f"{line}\necho '{MARK}'\n" for line in lines)
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=ROOT,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    return done.stdout.split(f"{MARK}\n")[: len(lines)]


def with_outputs(text):
    """The README with what its commands print now."""
    lines = commands(text)
    outputs = iter(zip(lines, run(lines)))

    def block(match):
        shown = [
            f"$ {line}\n{output}"
            for old, (line, output) in zip(commands(match[0]), outputs)
        ]
        return f"```console\n{''.join(shown)}```"

    return BLOCK.sub(block, text)


def masked(text):
    return [VARYING.sub("N", line) for line in text.splitlines()]


def main(arguments):
    what, *files = arguments or [""]
    readme = Path(files[0]).resolve() if files else README
    text = readme.read_text()
    fresh = with_outputs(text)
    if what == "write":
        readme.write_text(fresh)
    elif what == "check":
        changes = list(
            difflib.unified_diff(masked(text), masked(fresh), "there", "now")
        )
        print("\n".join(changes), end="\n" if changes else "")
        return 1 if changes else 0
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
