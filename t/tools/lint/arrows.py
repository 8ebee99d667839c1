#!/usr/bin/python3
"""The rooms of ref/ and helper/, and who may include whom: arrows.py [ROOT]

Each row is a room (a folder), what it knows, and the rooms that it may
include. A room may include only rooms that stand above it in the table, so
no two rooms include each other. A file may always include those of its own
room. A name with a dot is a single file. `!` names what the room must not
include all the same, although its room is allowed.

    arrows.py --map             print the map of the rooms
    arrows.py --write FILE      write it into FILE, between its two marks
"""

import re
import sys
from pathlib import Path

ROOMS = """
ref/trace2.h       | the public API of Trace2 |
ref/trace2-json.h  | JSON values for data_json | ref/trace2.h
ref/trace2-target.h | targets of the program's own | ref/trace2.h
ref/trace2-git.h   | the API as git's programs call it | ref/trace2.h ref/trace2-json.h
ref/host           | the system: clocks, memory, descriptors, waits, signals; tests replace it |
ref/ending         | how a process ends: signals, exit functions, several copies of the library | ref/host
ref/base           | nothing of tracing: bytes, JSON, quoting, lists | ref/host
ref/descriptor     | the descriptors of the library itself, and whether they are still its own | ref/host
ref/event          | what an event is: table, payloads, redaction, text formats | ref/host ref/base ref/trace2.h !ref/host/host.h !ref/host/wait.h
ref/destination    | where bytes go: descriptor, file, directory, socket | ref/host ref/descriptor ref/base
ref/gitconfig      | git's configuration: files, includes, scopes, values | ref/host ref/base
ref/config         | the settings, and the parameters that a log shows | ref/host ref/base ref/gitconfig
ref/trace          | the public headers of the trace engine |
ref/trace/functions | calls of functions, which the compiler reports | ref/trace
ref/trace/engine   | trace points to records: buffer, writers, strings, FXT | ref/host ref/ending ref/descriptor ref/base ref/trace
ref/trace/reader   | records back out of buffers and archives | ref/host ref/base ref/trace ref/trace/engine
ref/trace/chrome   | records as Chrome's trace events: text only | ref/host ref/base ref/trace
ref/trace/agent    | run-time categories: a trace manager inside the process | ref/host ref/ending ref/descriptor ref/base ref/trace ref/trace/engine ref/trace/chrome
ref/trace/tracing  | tracing objects, and Chrome's JSON files | ref/host ref/descriptor ref/base ref/trace ref/trace/chrome ref/trace/agent
ref/trace/provider | a process that a trace manager controls | ref/host ref/descriptor ref/base ref/trace ref/trace/engine
ref/trace/controller | a client of the trace manager | ref/host ref/descriptor ref/base ref/trace ref/trace/provider
ref/trace/outside  | tracing that the environment asks for, before main | ref/host ref/base ref/gitconfig ref/trace ref/trace/engine ref/trace/agent ref/trace/tracing ref/trace/provider
ref/fxt            | the engine as FXT and Chrome use it; FXT's file and its guard | ref/host ref/descriptor ref/base ref/destination ref/trace ref/trace/engine
ref/target         | the table of targets: NORMAL, PERF, EVENT, FXT, Chrome | ref/trace2.h ref/trace2-target.h ref/host ref/descriptor ref/base ref/event ref/destination ref/config ref/fxt ref/trace ref/trace/engine ref/trace/agent ref/trace/tracing ref/trace/provider ref/trace/outside
ref/session        | who the process is, its threads, its timers and counters | ref/host ref/base ref/event ref/target
ref/process        | the life of the process: calls, regions, exit, fork, signals | ref/trace2.h ref/trace2-json.h ref/trace2-target.h ref/host ref/ending ref/base ref/event ref/config ref/target ref/session

helper/lib/common      | nothing of logs: memory, vectors, maps | ref/host ref/base
helper/lib/text        | text from outside, and its width | ref/host ref/base helper/lib/common
helper/lib/files       | the system: whose a file is, sockets, streams that wait, the clock | ref/host ref/base helper/lib/common helper/lib/text
helper/lib/listen      | many programs that write lines to sockets | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files
helper/lib/whole       | what a command makes: it appears when it is whole, or not at all | ref/base helper/lib/common helper/lib/text helper/lib/files
helper/cli         | the face that all commands share: options, exit status, words that were mistyped | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files
helper/read/json        | a line to tokens and values; what a text breaks | ref/host ref/base helper/lib/common helper/lib/text
helper/read/bytes  | files, pipes and compressed bytes to blocks of whole lines | helper/lib/common helper/lib/text helper/lib/files helper/read/json
helper/read/text   | lines of NORMAL and PERF to objects; what a carrier put around them | ref/base helper/lib/common helper/lib/text helper/read/json helper/read/bytes
helper/read/plain  | whose line of NORMAL or PERF it is: objects to events with a SID | ref/base helper/lib/common helper/lib/text helper/read/json helper/read/bytes helper/read/text
helper/read        | a line to records; what a file is, and what is wrong with a line | ref/host ref/base ref/trace helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read/text helper/read/plain
helper/rules/finding     | what a finding is, and the sink where it goes | helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read
helper/rules       | a record against the schema of its event | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read helper/rules/finding
helper/rules/stream      | a record against those before it | helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read helper/rules/finding helper/rules
helper/rules/textlog     | NORMAL and PERF lines | helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read/text helper/read helper/rules/finding helper/rules
helper/rules/consumer    | what programs that read logs say of one | helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/rules/finding helper/read helper/rules
helper/validate/report      | findings as text, JSON, SARIF, GitHub; totals | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/rules/finding helper/read helper/rules
helper/rules/check       | a line through all rules, for those who judge | helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read helper/rules/finding helper/rules helper/rules/stream helper/rules/textlog helper/rules/consumer helper/validate/report ref/trace
helper/validate    | the command `validate`: options, logs, sockets | helper/lib/common helper/lib/text helper/lib/files helper/lib/listen helper/cli helper/read/json helper/read/bytes helper/read/text helper/read helper/rules/finding helper/rules helper/rules/stream helper/rules/textlog helper/rules/consumer helper/validate/report ref/trace helper/rules/check
helper/views/symbols     | names of functions, for the addresses in an archive | ref/trace helper/lib/common helper/lib/text helper/lib/files
helper/views/dump        | the command `dump`: an archive in words | ref/trace/chrome helper/views/symbols helper/lib/common helper/lib/text helper/lib/files helper/cli helper/read/bytes helper/read
helper/model       | where each event of a process lies, and its spans: one model for all views | ref/base helper/lib/common helper/read/json helper/read helper/rules
helper/model/totals      | sums and distributions that can be added in any order | helper/lib/common
helper/redact/secret      | where secrets are in a text: tokens, names, options, headers, URLs | ref/base ref/event helper/lib/common helper/lib/text
helper/model/words       | what the words of a command line say | ref/base helper/lib/common helper/lib/text helper/read/json helper/redact/secret helper/read helper/model/totals
helper/views/archive     | EVENT logs and Chrome's JSON as records of one archive | ref/host ref/base ref/trace ref/trace/engine helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read/bytes helper/read helper/rules helper/model/totals helper/model/words helper/model
helper/model/advice      | what a log proves about settings and habits that would save time | helper/lib/common helper/lib/text helper/model/totals helper/model/words
helper/model/account     | events to the time that each owns | ref/base helper/lib/common helper/lib/text helper/read/json helper/redact/secret helper/read helper/rules helper/model/totals helper/model/words helper/model/advice helper/model
helper/views/otlp        | EVENT logs as spans of OpenTelemetry | ref/host ref/base helper/lib/common helper/lib/text helper/read/json helper/read helper/rules helper/model/totals helper/model/words helper/model
helper/views/convert     | the command `convert`: files in, another format out | ref/host ref/base ref/trace ref/trace/chrome helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/views/symbols helper/views/archive helper/model/words helper/model/account helper/views/otlp
helper/views/result      | what a summary shows, as text, JSON and CSV | ref/host ref/base helper/lib/common helper/lib/text helper/read/json helper/read/bytes helper/read helper/rules helper/model/totals helper/model/words helper/model/advice helper/model/account
helper/views/summary     | the command `summary`: where the time went | ref/host ref/base ref/trace helper/views/symbols helper/views/archive helper/lib/common helper/lib/text helper/lib/files helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/model/totals helper/model/words helper/model/account helper/views/result
helper/views/flat        | where flat rows go: NDJSON, CSV, SQLite | ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/read helper/rules
helper/views/table       | the command `table`: flat rows for SQL | ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/model helper/model/words helper/model/account helper/views/summary helper/views/flat
helper/views/expect      | the command `expect`: what logs must show | ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/model helper/model/words helper/model/account helper/views/summary
helper/views/page        | the command `report`: a page with tables and a timeline | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/validate helper/model/totals helper/model helper/model/words helper/model/account helper/views/summary helper/views/result
helper/views/diff        | the command `diff`: what became slower | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/model/words helper/model/account helper/views/summary helper/views/page
helper/views/shard       | the command `shard`: which logs to summarize together | ref/base helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/bytes helper/read helper/rules
helper/redact/redactor    | a line without what should not be shared; also for other commands | ref/base ref/event helper/lib/common helper/lib/text helper/read/json helper/read/bytes helper/read/text helper/read helper/rules helper/redact/secret
helper/redact      | the command `redact`: logs without what should not be shared | ref/base ref/event helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/read/bytes helper/read/text helper/read helper/redact/redactor
helper/collect/post        | a text to an HTTP server, by libcurl | ref/base helper/lib/common helper/lib/text helper/read/json
helper/collect/journal     | lines on disk between one writer and many readers | helper/lib/common helper/lib/text helper/lib/files
helper/collect/intake      | lines from sockets and directories into the journal | ref/host ref/base ref/event helper/lib/common helper/lib/text helper/lib/files helper/lib/listen helper/read/bytes helper/read helper/rules helper/rules/check helper/redact/redactor helper/collect/journal
helper/collect/delivery    | the journal to outputs: files, sockets, receivers | ref/host helper/lib/common helper/lib/text helper/lib/files helper/read/json helper/read helper/views/otlp helper/collect/post helper/collect/journal
helper/collect     | the command `collect`: events from programs to outputs | ref/host ref/base helper/lib/common helper/lib/text helper/lib/files helper/cli helper/redact/redactor helper/collect/post helper/collect/journal helper/collect/intake helper/collect/delivery
helper/doctor      | the command `doctor`: which targets are on, and whether they work | ref/host ref/base ref/trace ref/gitconfig ref/config ref/destination helper/lib/common helper/lib/text helper/lib/files helper/cli
helper/record/kernel      | the kernel's events of traced processes | ref/trace/engine ref/trace/reader
helper/record/manager     | the trace manager | ref/host ref/base ref/trace ref/trace/engine ref/trace/reader ref/trace/provider helper/lib/common helper/lib/text helper/lib/files helper/record/kernel
helper/record      | the commands about tracing: `record`, `trace`, `manager`, `list-*` | ref/host ref/base ref/config ref/trace ref/trace/engine ref/trace/provider ref/trace/controller helper/lib/common helper/lib/text helper/lib/files helper/lib/whole helper/cli helper/views/convert helper/views/page helper/views/summary helper/record/manager
helper/wasm/include | what WASI's C library lacks, for programs of one thread |
helper/wasm/include/sys | the same, of sys/ |
helper/wasm        | what stands in the WebAssembly module for what needs a system | ref/base ref/host helper/wasm/include helper/cli helper/collect helper/doctor helper/lib/files helper/lib/whole helper/read/bytes helper/read/json helper/record helper/validate helper/views/summary helper/views/symbols
helper/trace2.c    | the command: its table of subcommands | helper/lib/common helper/lib/text helper/lib/files helper/cli helper/collect helper/views/convert helper/views/diff helper/doctor helper/views/dump helper/views/page helper/redact helper/views/shard helper/views/summary helper/views/table helper/views/expect helper/validate helper/record
helper/tool/fake        | the host that tests replace | ref/host ref/base ref/event ref/config
helper/tool        | how test-tool traces, fails, and runs children and threads | ref/trace2.h helper/tool/fake
helper/tool/verbs       | the verbs of `test-tool trace2` | ref/trace2.h ref/host helper/tool/fake helper/tool
helper/tool/commands    | the other commands of test-tool: settings, config files, texts | ref/base ref/event ref/gitconfig ref/config ref/trace helper/tool/fake helper/tool
helper/test-tool.c | test-tool: its table of commands | helper/tool/verbs helper/tool/commands helper/tool helper/tool/fake
"""

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SEARCH = ("ref", "helper")
SUFFIXES = (".c", ".h", ".cpp")
APART = ("ref/example.c", "ref/trace/compat/")
MARKS = re.compile(r"(<!-- map: [^\n]* -->\n).*?(<!-- end of map -->)", re.S)
PAGE = "HACKING.md"


class Room:
    def __init__(self, row):
        self.name, self.knows, allowed = (p.strip() for p in row.split("|"))
        self.may = [w for w in allowed.split() if w[0] != "!"]
        self.never = [w[1:] for w in allowed.split() if w[0] == "!"]

    def has(self, path):
        return path == self.name or str(Path(path).parent) == self.name

    def floor(self, rooms):
        """1 for a room that includes no other."""
        below = [r for r in rooms if r.name in self.may]
        return 1 + max((r.floor(rooms) for r in below), default=0)


def read_table(text):
    return [Room(row) for row in text.splitlines() if row.strip()]


def table_findings(rooms):
    """A room may include only those above it in the table."""
    for at, room in enumerate(rooms):
        for name in room.may:
            if name not in [r.name for r in rooms[:at]]:
                yield f"t/tools/lint/arrows.py:1: {room.name} may not include {name}"


def room_of(rooms, path):
    return next((room for room in rooms if room.has(path)), None)


def resolve(root, includer, name):
    """The file that the compiler would take, as a path below root."""
    for place in (includer.parent, *(root / top for top in SEARCH)):
        path = place / name
        if path.exists():
            return str(path.resolve().relative_to(root.resolve()))
    return None


def is_allowed(rooms, room, target):
    home = room_of(rooms, target)
    if home is room:
        return True
    return home and home.name in room.may and target not in room.never


def file_findings(root, rooms, room, path):
    text = (root / path).read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        target = resolve(root, root / path, match[1])
        # None: it is generated.
        if target and not is_allowed(rooms, room, target):
            yield f"{path}:{line}: may not include {target}"


def findings(root, rooms):
    for top in SEARCH:
        for file in sorted((root / top).rglob("*")):
            path = str(file.relative_to(root))
            if file.suffix not in SUFFIXES or path.startswith(APART):
                continue
            room = room_of(rooms, path)
            if room:
                yield from file_findings(root, rooms, room, path)
            else:
                yield f"{path}:1: is in no room of t/tools/lint/arrows.py"


def draw_map(rooms):
    """The rooms, highest floor first, each with what it includes."""
    for top in SEARCH:
        mine = [room for room in rooms if room.name.startswith(top + "/")]
        for room in sorted(mine, key=lambda r: -r.floor(rooms)):
            yield f"{room.floor(rooms):2}  {room.name:23} {room.knows}"
        yield ""


def show_map(rooms, text):
    """The text of a page, with the map between its marks."""
    drawn = "\n".join(draw_map(rooms)).rstrip()
    return MARKS.sub(rf"\g<1>```\n{drawn}\n```\n\g<2>", text)


def page_findings(root, rooms):
    page = root / PAGE
    if page.exists():
        text = page.read_text(encoding="utf-8")
        if show_map(rooms, text) != text:
            yield f"{PAGE}:1: shows another map: make map"


def main(arguments):
    rooms = read_table(ROOMS)
    if arguments == ["--map"]:
        print("\n".join(draw_map(rooms)).rstrip())
        return 0
    if arguments[:1] == ["--write"]:
        page = Path(arguments[1])
        page.write_text(show_map(rooms, page.read_text(encoding="utf-8")),
                        encoding="utf-8")
        return 0
    root = Path(arguments[0] if arguments else ".")
    found = [*table_findings(rooms), *findings(root, rooms),
             *page_findings(root, rooms)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
