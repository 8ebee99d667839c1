#!/usr/bin/env python3
"""Make the rules of advice for C.

    gen_advice.py rules.ini choices.tsv OUTPUT.h

The head of rules.ini tells what a rule has. The options and settings that it
names are rows of choices.tsv.
"""

import sys
from pathlib import Path

TABLES = {"region": "REGIONS", "child": "CHILDREN", "command": "COMMANDS",
          "data": "DATA", "error": "ERRORS"}
PATTERNS = "row other needs never nor".split()
TEXTS = "commands no_commands".split()
NUMBERS = "least times time saves".split()
VERSIONS = "since before".split()
CHOICES = "with without".split()
FLAGS = "monitor remote alone own even works".split()


def text(value):
    escaped = (value or "").replace("\\", r"\\").replace('"', r'\"')
    return f'"{escaped}"' if value else "NULL"


def pattern(value):
    table, names = value.split(" ", 1)
    first, second = (text("" if name == "*" else name)
                     for name in names.split(" / "))
    return f"{{ TR2_TABLE_{TABLES[table]}, {first}, {second} }}"


def choices(value, bits):
    return " | ".join(f"UINT32_C(1) << {bits[word]}" for word in value.split())


def member(key, value, bits):
    if key in PATTERNS:
        return pattern(value)
    if key in TEXTS:
        return text(value)
    if key in NUMBERS:
        return str(int(value))
    if key in VERSIONS:
        return "{0}{1:02}".format(*map(int, value.split(".")))
    if key in CHOICES:
        return choices(value, bits)
    if key in ("phase", "spent"):
        return f"TR2_PHASE_{value}"
    if key in FLAGS and value == "yes":
        return "true"
    raise ValueError(f"{key} = {value}: expected a key of a rule")


def read_bits(table):
    kinds = {"OPTIONS": "CHOSE", "SETTINGS": "SET"}
    _, *rows = (line.split("\t") for line in table.splitlines())
    return {word: f"TR2_{kinds[kind]}_{name}" for kind, name, word in rows}


def rules(lines, bits):
    """The ID of each rule, its texts, and the members of its struct."""
    texts, found = {}, []
    for line in lines:
        if line.startswith("["):
            name = line.strip("[]")
            found.append((name, texts.setdefault(name, {}), []))
        elif line and not line.startswith("#"):
            key, value = line.split(" = ", 1)
            if key in ("text", "unless"):
                found[-1][1][key] = value
            else:
                found[-1][2].append(f".{key} = {member(key, value, bits)}")
    return found


def main(table, words, output):
    bits = read_bits(Path(words).read_text())
    rows = [f"{{ .advice = {{ {text(name)}, {text(advice.get('text'))}, "
            f"{text(advice.get('unless'))} }}, {', '.join(members)} }}"
            for name, advice, members
            in rules(Path(table).read_text().splitlines(), bits)]
    Path(output).write_text(
        f"/* Made by gen_advice.py from {table}. */\n"
        "#define ADVICE_RULES \\\n\t" + ", \\\n\t".join(rows) + "\n")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (KeyError, OSError, ValueError) as error:
        sys.exit(f"gen_advice.py: {error}")
