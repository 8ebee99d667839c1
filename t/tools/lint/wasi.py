#!/usr/bin/python3
"""The rooms of the WebAssembly module need files and memory: wasi.py [ROOT]

helper/wasm/rooms names the rooms, and the files of them that the module leaves
out. The others call nothing that WASI lacks, and have no #if for a system (for
a processor they may); that is for helper/lib, and for ref/, which programs of
every system link.
"""

import re
import sys
from pathlib import Path

LACKS = re.compile(
    r"#\s*include <(?:sys/(?:socket|un|wait|mman|file|resource|xattr)|netdb"
    r"|arpa/\w+|netinet/\w+|spawn|dlfcn|pwd|grp|elf|link|ucontext|termios"
    r"|threads)\.h>"
    r"|\b(?:fork|vfork|exec[lv]p?e?|posix_spawnp?|waitpid|kill|popen|system"
    r"|socket|bind|listen|accept|connect|recv|send|mmap|dlopen|dlsym|mkfifo"
    r"|alarm|sigaction|sigprocmask|pthread_(?!once\b|once_t\b)\w+|chown|flock"
    r"|dup2?|mkstemp|getpw\w+)\("
)
CONDITION = re.compile(
    r"^[ \t]*#\s*(?:el)?if.*\b(?:__linux__|__unix__|__GLIBC__|__APPLE__|_WIN32"
    r"|__(?:Free|Net|Open)BSD__|__wasi__|__wasm\w*)", re.M)
FREE = ("helper/lib/", "helper/wasm/", "ref/")
# It runs in both, and signals never come in the module.
ALLOWED = {"helper/trace2.c": {"sigaction("}}
# Which stand-ins they have for rooms that are left out is theirs to know.
AROUND = ("helper/trace2.c", "helper/wasm/")
INCLUDE = re.compile(r'^[ \t]*#\s*include "([^"]+)/[^"/]+"', re.M)
COMMENT = re.compile(r"/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)


def read_rooms(root):
    """The sources of the module."""
    lines = [line for line in (root / "helper/wasm/rooms").read_text()
             .splitlines() if line and not line.startswith("#")]
    left_out = {line.split()[1] for line in lines if line.startswith("without ")}
    for line in lines:
        path = root / line
        if line.startswith("without "):
            if not (root / line.split()[1]).exists():
                yield line, None
        elif path.is_dir():
            for file in sorted(path.glob("*.[ch]")):
                name = file.relative_to(root).as_posix()
                if not {name, name[:-1] + "c"} & left_out:
                    yield name, file
        else:
            yield line, path if path.exists() else None


def find_in(name, text):
    text = COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    if name.startswith(FREE):
        return
    for found in LACKS.finditer(text):
        if found[0] not in ALLOWED.get(name, ()):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: WASI has no {found[0].rstrip('(')}"
    for found in CONDITION.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield f"{name}:{line}: a condition about systems belongs in helper/lib"


def find_lacking(root, sources):
    """Rooms whose headers these include, and which the list does not have."""
    rooms = {name.rpartition("/")[0] for name, _ in sources}
    for name, path in sources:
        if not path or name.startswith(AROUND):
            continue
        for folder in INCLUDE.findall(path.read_text()):
            if (f"helper/{folder}" not in rooms
                    and (root / "helper" / folder).is_dir()):
                yield (f"helper/wasm/rooms: lacks helper/{folder}, which "
                       f"{name} includes")


def main(root="."):
    sources = list(read_rooms(Path(root)))
    found = list(find_lacking(Path(root), sources))
    for name, path in sources:
        if path is None:
            found.append(f"helper/wasm/rooms: there is no {name}")
        else:
            found += find_in(name, path.read_text())
    for finding in found:
        print(finding)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
