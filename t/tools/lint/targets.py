#!/usr/bin/python3
"""No code of ref/process and ref/session knows which targets exist:
targets.py [ROOT]

The names are those of `enum tr2_target_id` in ref/config/settings.h. No
code may have one of them in a word, and no header of ref/target but
target.h may be included. Comments may say what they like. EVENT is also
what every target gets, so only its number is looked for.
"""

import re
import sys
from pathlib import Path

SETTINGS = "ref/config/settings.h"
ROOMS = ("ref/process", "ref/session")
ENUM = re.compile(r"enum tr2_target_id \{(.*?)\};", re.S)
NUMBER = re.compile(r"\bTR2_TARGET_(\w+)")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
INCLUDE = re.compile(r'#\s*include\s+"(target/(?!target\.h").*?)"')
COMMON = {"EVENT"}


def target_names(text):
    names = NUMBER.findall(ENUM.search(text)[1])
    return [name for name in names if name != "COUNT"]


def pattern_of(names):
    words = "|".join(name for name in names if name not in COMMON)
    numbers = "|".join(names)
    return re.compile(rf"TR2_TARGET_(?:{numbers})\b|\w*(?i:{words})\w*")


def strip_comments(text):
    return COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)


def file_findings(path, text, pattern):
    for number, line in enumerate(strip_comments(text).split("\n"), 1):
        include = INCLUDE.search(line)
        if include:
            yield f"{path}:{number}: may not include {include[1]}"
        for word in pattern.findall(INCLUDE.sub("", line)):
            yield f"{path}:{number}: knows a target: {word}"


def findings(root):
    settings = (root / SETTINGS).read_text(encoding="utf-8")
    pattern = pattern_of(target_names(settings))
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.[ch]")):
            text = file.read_text(encoding="utf-8")
            yield from file_findings(file.relative_to(root), text, pattern)


def main(arguments):
    found = list(findings(Path(arguments[0] if arguments else ".")))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
