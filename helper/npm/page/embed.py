#!/usr/bin/python3
"""build/trace2.html: embed.py PAGE_FOLDER LIB_FOLDER trace2.wasm OUT

One file with everything: the page, its style and script, the worker, which is
the package's own WASI and files, and the module, compressed.
"""

import base64
import gzip
import re
import sys
from pathlib import Path

LINKS = re.compile(r"^import .*?;\n|^export (?=class|async|function|const)", re.M)


def read_script(path):
    """A module as a part of one script, without what links modules."""
    return LINKS.sub("", path.read_text())


def main(page, lib, module, out):
    page, lib = Path(page), Path(lib)
    parts = {
        "css": (page / "page.css").read_text(),
        "script": (page / "page.js").read_text(),
        "worker": "".join(map(read_script, (lib / "wasi.js",
                                            lib / "memory-files.js",
                                            page / "worker.js"))),
        "module": base64.b64encode(gzip.compress(
            Path(module).read_bytes(), 9, mtime=0)).decode(),
    }
    text = (page / "page.html").read_text()
    for name, part in parts.items():
        if "</script" in part:
            sys.exit(f"embed.py: {name} would end its script")
        text = text.replace("{{" + name + "}}", part)
    Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
