#!/usr/bin/env python3
"""Complete the commands and options of trace2: completion.py SHELL [HELPER]

SHELL is bash, zsh or fish. Commands are those of the table in trace2.c,
options those of the tables (struct option) beside each command's main
function; a command that shares a table names the letters of its own. What an
option does is said by the help text beside it.
"""

import re
import shlex
import sys
from collections import namedtuple
from pathlib import Path

COMMAND = re.compile(r'\{ "([a-z-]+)", (tr2_\w+_main), \d,\s*"([^"]*)" \}')
# Rows of a table, or of a list that a macro turns into two tables.
OPTION = re.compile(r'(?:\{ |ROW\()"([a-z-]+)", (no|optional|required)_argument,'
                    r"(?: NULL,)? (?:'(\w)'|\w+)(?: \}|,)")
MAIN = re.compile(r"^int tr2_\w+_main\(", re.M)
NO_TABLE = "{ \"help\", no_argument, NULL, 'h' }"
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
HELP = re.compile(r"^ +(?:-\w, )?--([a-z-]+)(?: [A-Z]\S*|\[=[A-Z]+\])? +(\S.*(?:\n {15,}.*)*)",
                  re.M)

# The values that an option takes, as its setter knows them, of any command or
# of the one that is named. Of others with a value it is the name of a file, or
# of no kind that could be completed.
VALUES = {
    "validate format": "concise full json jsonl sarif github",
    "summary format": "text json csv state",
    "table format": "ndjson csv sqlite",
    "hide": "paths hosts users repositories arguments all",
    "rows": "processes regions data errors events",
    "doctor format": "text json",
    "diff format": "text json csv",
    "diff fail-on": "regression",
    "color": "auto always never",
    "validate fail-on": "error warning info",
    "evt": "1 2 3 4",
    "class": "min full git",
    "for": "trace2receiver gitaly flamechart git-ai all document",
    "to": "fxt chrome speedscope folded otlp",
    "check": "off pass mark set-aside",
    "redact": "off passwords paths hosts users repositories arguments all",
    "summary by": "command mode repository caller version host hour",
    "shard by": "sid directory",
    "buffering-mode": "oneshot circular streaming",
}
# Where the first words of the help text are values, or there are none.
PURPOSES = {
    "help": "Print a help text",
    "validate format": "How to print findings",
    "summary format": "How to print the tables",
    "diff format": "How to print the tables",
    "table format": "The format to write",
    "hide": "What to hide besides passwords",
    "rows": "The kind of rows to write",
    "diff fail-on": "What makes the exit status 1",
    "color": "When to print in color",
    "validate fail-on": "The lowest level that makes the exit status 1",
    "collect output": "Pass events on to files, a socket, a receiver or standard output",
    "collect watch": "Read the files that programs write into this directory",
    "collect check": "What happens to broken lines",
    "collect listen": "Make a socket and collect what programs write to it",
    "listen": "Make a socket and check what programs write to it",
    "to": "The format to write",
}
FREE = {"max-findings", "max-per-rule", "jobs", "listen", "select", "ignore", "explain",
        "buffer-size", "categories", "duration", "timeout",
        "command", "since", "slower-than", "top", "shards",
        "file-size", "files-limit", "spool-limit", "broken-limit", "otlp-header", "otlp-wait"}

Option = namedtuple("Option", "name has_value values purpose")
Command = namedtuple("Command", "name purpose options")


def look_up(table, command, name):
    """What the table has for the option of this command, or of any."""
    return table.get(f"{command} {name}") or table.get(name)


def purpose_of(command, name, text):
    """The first sentence of the help, or what is before a list."""
    given = look_up(PURPOSES, command, name)
    if given:
        return given
    found = [m[2] for m in HELP.finditer(text) if m[1] == name]
    words = " ".join(found[0].split()) if found else ""
    first = re.split(r"(?<=[a-z0-9)])[.;:](?: |$)", words)[0]
    return first[:1].upper() + first[1:]


def options_of(command, folder, source, letters):
    """Those of the table in the source, or in a source of its folder that
    is not another command's."""
    others = [path.read_text() for path in sorted(folder.glob("*.c"))]
    tables = [source.read_text(), *(t for t in others if not MAIN.search(t))]
    table = next((t for t in tables if OPTION.search(t)), NO_TABLE)
    helps = [t for t in others if f'"usage: trace2 {command} ' in t]
    texts = [LITERAL.findall(t) for t in (source.read_text(), *helps, table)]
    text = "".join(sum(texts, [])).replace("\\n", "\n").replace('\\"', '"')
    for name, argument, letter in OPTION.findall(table):
        if letters and letter not in letters:
            continue
        yield Option(name, argument == "required",
                     (look_up(VALUES, command, name) or "").split(),
                     purpose_of(command, name, text))


def commands(helper):
    sources = {path: path.read_text() for path in sorted(helper.rglob("*.c"))}
    for name, main, purpose in COMMAND.findall(sources[helper / "trace2.c"]):
        source = next(path for path, text in sources.items()
                      if re.search(rf"^int {main}\(", text, re.M))
        near = "".join(p.read_text() for p in source.parent.glob("*.c"))
        usage = re.search(rf'= \{{\s*"{name}",\s*"([a-z-]+)",', near)
        letters = usage[1] + "h" if usage else None
        yield Command(name, purpose,
                      list(options_of(name, source.parent, source, letters)))


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
    seen = {}
    for command in found:
        for option in command.options:
            if option.has_value:
                seen[option.name] = option
            if option.values:
                yield (f"\t'{command.name} --{option.name}') "
                       f"values='{' '.join(option.values)}' ;;")
    free = "|".join(f"*' --{name}'" for name in seen if name in FREE)
    yield f"\t{free}) return ;;"
    yield "\tesac"
    yield "\tif [[ $values ]]; then"
    yield "\t\tCOMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))"
    yield "\telif [[ $cur == -* ]]; then"
    yield "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))"
    yield "\tfi"
    yield "}"
    yield "complete -o default -F _trace2 trace2"


def zsh_value(option):
    if option.values:
        return f":{option.name}:({' '.join(option.values)})"
    return f":{option.name}: " if option.name in FREE else ":file:_files"


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
                words.append("-r" if not option.values and
                             option.name not in FREE else "-x")
            if option.values:
                words.append(f"-a '{' '.join(option.values)}'")
            quoted = option.purpose.replace("\\", "\\\\").replace("'", "\\'")
            yield " ".join([*words, f"-d '{quoted}'"])


def main(shell, helper=Path(__file__).resolve().parents[1]):
    writers = {"bash": bash, "zsh": zsh, "fish": fish}
    print(*writers[shell](list(commands(Path(helper)))), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
