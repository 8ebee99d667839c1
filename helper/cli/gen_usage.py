#!/usr/bin/env python3
"""Make strings for C of the help of a command.

    gen_usage.py COMMAND.usage OUTPUT.h

The text is as `trace2 COMMAND --help` shows it, with the line `[options]` where
those stand: what is before it becomes COMMAND_ABOUT, and what is after it, if
anything is, COMMAND_NOTES.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "rules"))
from gen_rules import quote  # noqa: E402


def main(usage, output):
    about, _, notes = Path(usage).read_text().partition("\n[options]\n")
    name = Path(usage).stem.upper()
    Path(output).write_text(
        f"/* Made by gen_usage.py from {usage}. */\n" + "".join(
            f"#define {name}_{part}" + "".join(
                f" \\\n\t{quote(line.encode())}"
                for line in text.splitlines(keepends=True)) + "\n"
            for part, text in (("ABOUT", about), ("NOTES", notes.lstrip("\n")))
            if text))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_usage.py: {error}")
