#!/usr/bin/env python3
"""A document as a page of HTML: spec_html.py FILE.md >FILE.html

cmark-gfm (Debian's cmark-gfm) reads it; here its headings get the ids that
links to them use, as GitHub makes them.
"""

import re
import subprocess
import sys
from collections import Counter

HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.S)
# Between the documents of the specification, which are installed together.
LINK = re.compile(r'href="([./a-z]*(?:SPEC|TRACING|practice|index))\.md')
STYLE = """
body { max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.5;
  font-family: sans-serif; }
code { font-size: 90%; } pre { overflow-x: auto; padding: .5em 1em; }
pre, th { background: #8881; } table { border-collapse: collapse; }
td, th { border: 1px solid #8886; padding: .2em .6em; }
"""


def anchors():
    """anchor(text): the id of a heading; of equal ones the next has -1."""
    seen = Counter()

    def anchor(text):
        plain = re.sub(r"<[^>]*>|&\w+;", "", text).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen[name] += 1
        return name if seen[name] == 1 else f"{name}-{seen[name] - 1}"

    return anchor


def page(body):
    anchor = anchors()
    body = LINK.sub(r'href="\1.html', body)
    title = re.sub(r"<[^>]*>", "", HEADING.search(body)[2])
    body = HEADING.sub(
        lambda m: f'<h{m[1]} id="{anchor(m[2])}">{m[2]}</h{m[1]}>', body)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n'
            f'<meta charset="utf-8">\n<title>{title}</title>\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n")


if __name__ == "__main__":
    command = ["cmark-gfm", "--unsafe", "--extension", "table", *sys.argv[1:]]
    sys.stdout.write(page(subprocess.check_output(command, text=True)))
