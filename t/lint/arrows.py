#!/usr/bin/python3
"""Who may include whom in ref/ and helper/: arrows.py [ROOT]

Each row names modules and what they may include; the first row that fits
a file counts. A module is a path without its suffix, and patterns may hold
`*`. Every module may include its own header. A file that fits no row has no
place in the house yet: give it one.
"""

import fnmatch
import re
import sys
from pathlib import Path

ARROWS = """
ref/trace/chrome* ref/trace/values : ref/trace/* ref/tr2_host ref/tr2_buf ref/tr2_hold ref/tr2_json ref/tr2_descriptor
ref/trace-provider/*   : ref/trace-provider/* ref/trace/* ref/tr2_host ref/tr2_descriptor
ref/trace/* ref/trace-controller/* : ref/trace/* ref/trace-*/* ref/tr2_host ref/tr2_memory ref/tr2_descriptor

ref/tr2_host           : ref/tr2_hold ref/tr2_host_system
ref/tr2_host_*         : ref/tr2_host_system
ref/tr2_hold ref/tr2_ascii :
ref/tr2_memory ref/tr2_buf ref/tr2_wait ref/tr2_ancestry ref/tr2_descriptor : ref/tr2_host
ref/tr2_quote ref/tr2_json ref/tr2_redact : ref/tr2_buf ref/tr2_ascii
ref/tr2_json_value      : ref/tr2_json ref/tr2_buf ref/tr2_ascii

ref/tr2_event ref/*payload : ref/tr2_event ref/*payload ref/tr2_buf ref/tr2_quote
ref/tr2_target         : ref/tr2_event ref/tr2_buf
ref/tr2_text ref/tr2_normal ref/tr2_perf ref/tr2_event_json : ref/tr2_target \
    ref/tr2_event ref/tr2_payload ref/tr2_buf ref/tr2_quote ref/tr2_json ref/trace2

ref/tr2_destination*   : ref/tr2_destination* ref/tr2_host ref/tr2_buf \
    ref/tr2_descriptor ref/tr2_hold ref/tr2_wait

ref/tr2_path ref/tr2_glob : ref/tr2_host ref/tr2_buf ref/tr2_ascii
ref/tr2_git* ref/tr2_settings* ref/tr2_params* : ref/tr2_git* ref/tr2_settings* \
    ref/tr2_path ref/tr2_glob ref/tr2_host ref/tr2_memory ref/tr2_buf ref/tr2_ascii

ref/tr2_metric         : ref/tr2_host ref/tr2_memory
ref/tr2_session        : ref/tr2_host ref/tr2_memory ref/tr2_buf ref/tr2_json ref/tr2_target
ref/tr2_thread         : ref/tr2_host ref/tr2_memory ref/tr2_buf ref/tr2_json \
    ref/tr2_event ref/tr2_target ref/tr2_session
ref/tr2_timer ref/tr2_counter : ref/trace2 ref/tr2_event ref/tr2_host ref/tr2_memory \
    ref/tr2_metric ref/tr2_thread

ref/tr2_fxt_file       : ref/trace/* ref/tr2_host ref/tr2_buf ref/tr2_hold ref/tr2_descriptor
ref/tr2_fxt*           : ref/tr2_fxt* ref/trace/* ref/trace-provider/* ref/trace2 ref/tr2_destination* \
    ref/tr2_descriptor ref/tr2_event ref/tr2_host ref/tr2_buf ref/tr2_json ref/tr2_quote \
    ref/tr2_session ref/tr2_settings
ref/trace2* ref/tr2_process ref/tr2_prepare ref/tr2_exit ref/tr2_fork ref/tr2_signal : \
    ref/trace2 ref/tr2_* ref/trace/engine

helper/foreign_text    : ref/tr2_json ref/tr2_buf
helper/whole_file      : helper/foreign_text
helper/convert/*       : helper/convert/* helper/validate/* helper/foreign_text \
    helper/whole_file ref/trace/* ref/tr2_json ref/tr2_buf ref/tr2_quote
helper/socket_lock     :
helper/manager/*       : helper/manager/* helper/socket_lock helper/foreign_text \
    ref/trace/* ref/trace-*/* ref/tr2_json
helper/record/*        : helper/record/* helper/manager/* helper/foreign_text \
    helper/whole_file ref/tr2_buf ref/trace/* ref/trace-*/*
helper/trace2          : helper/convert/* helper/validate/validate helper/record/record \
    helper/foreign_text
helper/validate/log helper/validate/fxt : helper/validate/* ref/trace/reader ref/trace/fxt_numbers
helper/validate/socket : helper/validate/* helper/socket_lock
helper/validate/*      : helper/validate/* helper/foreign_text ref/tr2_json ref/tr2_buf
helper/fake_host helper/verbs/fault : helper/fake_host helper/verbs/fault ref/tr2_host
helper/verbs/guest     : helper/verbs/* ref/trace2 ref/tr2_host
helper/verbs/cmd_trace_events : helper/verbs/* ref/trace/engine ref/trace/tracing
helper/verbs/cmd_*     : helper/fake_host helper/verbs/* ref/trace2 ref/tr2_*
helper/test-tool helper/verbs/* : helper/fake_host helper/verbs/* ref/trace2
"""

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SEARCH = ("ref", "helper")
SUFFIXES = (".c", ".h", ".cpp")


def rows(text):
    """(patterns of includers, patterns of what they include), in order."""
    for row in text.replace("\\\n", " ").splitlines():
        if row.strip():
            left, right = row.split(":")
            yield left.split(), right.split()


def fits(module, patterns):
    return any(fnmatch.fnmatch(module, pattern) for pattern in patterns)


def resolve(root, includer, name):
    """The file that the compiler would take, as a path below root."""
    for place in (includer.parent, *(root / top for top in SEARCH)):
        path = place / name
        if path.exists():
            return path.resolve().relative_to(root.resolve())
    return None


def module_of(path):
    return str(path.with_suffix(""))


def file_findings(root, path, allowed):
    text = (root / path).read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        target = resolve(root, root / path, match[1])
        if not target:
            continue  # generated
        name = module_of(target)
        if name != module_of(path) and not fits(name, allowed):
            yield f"{path}:{line}: may not include {target}"


def findings(root, table):
    for top in SEARCH:
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root)
            if path.suffix not in SUFFIXES or str(path) == "ref/example.c":
                continue
            allowed = [r for l, r in table if fits(module_of(path), l)]
            if not allowed:
                yield f"{path}:1: fits no row of t/lint/arrows.py"
            else:
                yield from file_findings(root, path, allowed[0])


def main(arguments):
    root = Path(arguments[0] if arguments else ".")
    found = list(findings(root, list(rows(ARROWS))))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
