#!/usr/bin/env python3
"""Make C of the page: embed.py FOLDER OUT.c

page.html has {{policy}}, {{css}}, {{data}} and {{js}}, which is all of script/
in order. The policy allows only this style and this script, by their digests.
"""

import base64
import hashlib
import sys
from pathlib import Path


def digest(text):
    found = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(found).decode()}'"


def array(name, text):
    data = text.encode()
    yield f"const char {name}[] = {{"
    for at in range(0, len(data), 16):
        yield "\t" + ", ".join(str(b if b < 128 else b - 256)
                               for b in data[at:at + 16]) + ","
    yield "};"
    yield f"const size_t {name}_len = sizeof({name});"


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    html, css = ((folder / f"page.{kind}").read_text()
                 for kind in ("html", "css"))
    js = "\n".join(part.read_text()
                   for part in sorted((folder / "script").glob("*.js")))
    policy = (f"default-src 'none'; script-src {digest(js)}; "
              f"style-src {digest(css)}; base-uri 'none'; form-action 'none'")
    page = (html.replace("{{policy}}", policy).replace("{{css}}", css)
            .replace("{{js}}", js))
    head, tail = page.split("{{data}}")
    out.write_text("\n".join([
        "/* Made by helper/views/page/embed.py. */", '#include "views/page/page.h"', "",
        *array("tr2_page_head", head), *array("tr2_page_tail", tail), ""]))


if __name__ == "__main__":
    main()
