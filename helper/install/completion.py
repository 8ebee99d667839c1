#!/usr/bin/env python3
"""Complete the commands and options of trace2: completion.py SHELL [TRACE2]

SHELL is bash, zsh or fish. TRACE2 is the program, which lists its commands
(--help) and the options of each (COMMAND --list-options).
"""

import re
import shlex
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

TRACE2 = Path(__file__).resolve().parents[1] / "trace2"
COMMAND = re.compile(r"^  ([a-z-]+)  +(\S.*)", re.M)
# Where a sentence or its main part ends.
END = re.compile(r"(?<=[a-z0-9)])[.;:](?: |$)| \(default")

# What a shell offers for a value: words, or `files`, or nothing.
Option = namedtuple("Option", "name has_value values purpose")
Command = namedtuple("Command", "name purpose options")


def run(trace2, *words):
    return subprocess.check_output([trace2, *words], text=True)


def option_of(line):
    """`--opt` alone is offered where the value may lack."""
    name, has_value, values, text = line.split("\t")
    purpose = END.split(text)[0]
    return Option(name, has_value == "required", values.split(),
                  purpose[:1].upper() + purpose[1:])


def commands(trace2):
    for name, purpose in COMMAND.findall(run(trace2, "--help")):
        lines = run(trace2, name, "--list-options").splitlines()
        yield Command(name, purpose, [option_of(line) for line in lines])


def bash(found):
    yield "_trace2() {"
    yield "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    yield "\tlocal options= values="
    yield "\tCOMPREPLY=()"
    yield "\tif ((COMP_CWORD == 1)); then"
    names = " ".join([*(c.name for c in found), "--help", "--version"])
    yield f"\t\tCOMPREPLY=($(compgen -W '{names}' -- \"$cur\"))"
    yield "\t\treturn"
    yield "\tfi"
    yield "\tcase ${COMP_WORDS[1]} in"
    for command in found:
        names = " ".join(f"--{o.name}" for o in command.options)
        yield f"\t{command.name}) options='{names}' ;;"
    yield "\tesac"
    yield "\tcase \"${COMP_WORDS[1]} $prev\" in"
    free = []
    for command in found:
        for option in command.options:
            if not option.values and option.has_value:
                free.append(f"'{command.name} --{option.name}'")
            elif option.values and option.values != ["files"]:
                yield (f"\t'{command.name} --{option.name}') "
                       f"values='{' '.join(option.values)}' ;;")
    yield f"\t{'|'.join(free)}) return ;;"
    yield "\tesac"
    yield "\tif [[ $values ]]; then"
    yield "\t\tCOMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))"
    yield "\telif [[ $cur == -* ]]; then"
    yield "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))"
    yield "\tfi"
    yield "}"
    yield "complete -o default -F _trace2 trace2"


def zsh_value(option):
    if option.values == ["files"]:
        return ":file:_files"
    if option.values:
        return f":{option.name}:({' '.join(option.values)})"
    return f":{option.name}: "


def zsh(found):
    yield "#compdef trace2"
    yield "local -a commands"
    yield "commands=("
    for command in found:
        yield "\t" + shlex.quote(f"{command.name}:{command.purpose}")
    yield ")"
    yield "if ((CURRENT == 2)); then"
    yield "\t_describe command commands"
    yield "\treturn"
    yield "fi"
    yield "local command=$words[2]"
    yield "shift words"
    yield "((CURRENT--))"
    yield "case $command in"
    for command in found:
        yield f"{command.name})"
        yield "\t_arguments \\"
        for option in command.options:
            purpose = re.sub(r"([\[\]:])", r"\\\1", option.purpose)
            spec = f"--{option.name}[{purpose}]"
            spec += zsh_value(option) if option.has_value else ""
            yield f"\t\t{shlex.quote(spec)} \\"
        yield "\t\t'*:file:_files' ;;"
    yield "esac"


def fish(found):
    begins = "complete -c trace2"
    names = " ".join(command.name for command in found)
    for command in found:
        yield (f"{begins} -f -n 'not __fish_seen_subcommand_from {names}'"
               f" -a {command.name} -d {shlex.quote(command.purpose)}")
    for command in found:
        seen = f"-n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            words = [begins, seen, f"-l {option.name}"]
            if option.has_value:
                words.append("-r" if option.values == ["files"] else "-x")
            if option.values and option.values != ["files"]:
                words.append(f"-a '{' '.join(option.values)}'")
            quoted = option.purpose.replace("\\", "\\\\").replace("'", "\\'")
            yield " ".join([*words, f"-d '{quoted}'"])


def main(shell, trace2=TRACE2):
    writers = {"bash": bash, "zsh": zsh, "fish": fish}
    print(*writers[shell](list(commands(trace2))), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
