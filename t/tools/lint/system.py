#!/usr/bin/python3
"""What only Linux has stands in one file: system.py [ROOT]

ref/ reaches it through host/system.h, whose other form does without.
Of helper/, the trace manager and its commands need Linux; the others that
are named below have another way where a call or a file is not there.
"""

import re
import sys
from pathlib import Path

LINUX = re.compile(
    r"\b(_GNU_SOURCE|__linux__|getauxval|AT_SECURE|pipe2|accept4|dup3|prctl"
    r"|syscall|gettid|memfd_create|F_(?:ADD|GET)_SEALS|MFD_\w+|SO_PEER\w+"
    r"|struct ucred|SOCK_(?:CLOEXEC|NONBLOCK)|MSG_CMSG_CLOEXEC|O_TMPFILE"
    r"|O_PATH|renameat2|eventfd\w*|epoll_\w+|signalfd|timerfd_\w+|inotify_\w+"
    r"|splice|getrandom|sched_get(?:affinity|cpu)|pthread_setname_np"
    r"|program_invocation_\w+)\b|\"/(?:proc|sys)/"
)
COMMENT = re.compile(r"/\*.*?\*/", re.S)

# Each with the reason.
ALLOWED = {
    "ref/host/linux.c": "the one file of ref/",
    "ref/host/host.c": "glibc's tm_gmtoff, where it is defined",
    "ref/host/object.c": "glibc's on_exit and dladdr1, where __GLIBC__ is set",
    "ref/trace/functions/": "a library of its own, for programs of glibc",
    "helper/record/manager/": "a service of Linux",
    "helper/record/kernel/": "the kernel is Linux",
    "helper/record/": "the commands of that service",
    "helper/lib/files/own.c": "O_PATH, where it is defined",
    "helper/lib/files/own_group.c": "has an empty form where __linux__ is not set",
    "helper/lib/files/linux.c": "has empty forms where F_SETLEASE and statx are not there",
    "helper/lib/files/ready.c": "glibc's fopencookie, where __GLIBC__ is set",
    "helper/lib/whole/whole_file.c": "tries /dev/fd first",
    "helper/rules/rules.c": "looks in the installed place too",
}


def is_allowed(name):
    return any(
        name.startswith(place) if place.endswith("/") else name == place
        for place in ALLOWED
    )


def findings(root):
    for path in sorted(root.glob("ref/**/*")) + sorted(root.glob("helper/**/*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".c", ".h", ".cpp") or is_allowed(name):
            continue
        text = COMMENT.sub(lambda m: "\n" * m[0].count("\n"), path.read_text())
        for number, line in enumerate(text.split("\n"), 1):
            for found in LINUX.finditer(line):
                yield (
                    f"{name}:{number}: {found[0]} is of Linux alone; "
                    "see ref/host/system.h"
                )


def main(root="."):
    found = list(findings(Path(root)))
    for finding in found:
        print(finding)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
