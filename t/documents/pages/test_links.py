"""Links of our pages lead to files, headings and anchors that exist."""

import posixpath
import re
import subprocess

import pytest

LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")


def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def prose(text):
    """The text without blocks and words of code."""
    return re.sub(r"``[^`].*?``|`[^`\n]*`", "code", without_blocks(text))


def anchors(text):
    """What a link to this page may name."""
    heads = re.findall(r"^#+ (.*)$", without_blocks(text), re.M)
    made = [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-")
            for one in heads]  # fmt: skip
    return {*made, *re.findall(r'<a id="([^"]*)">', text)}


def broken(root, name, text):
    """The links of the page that lead nowhere."""
    for file, anchor in LINK.findall(prose(text)):
        target = posixpath.normpath(
            posixpath.join(posixpath.dirname(name), file)) if file else name
        path = root / target
        if file and not path.exists():
            yield file
        elif anchor and target.endswith(".md"):
            page = text if target == name else path.read_text()
            if anchor not in anchors(page):
                yield f"{file}#{anchor}"


def pages(root):
    if not (root / ".git").exists():
        pytest.skip("not a clone")
    shown = subprocess.run(["git", "-C", root, "ls-files", "*.md"], check=True,
                           stdout=subprocess.PIPE, text=True)  # fmt: skip
    return shown.stdout.splitlines()


def test_each_link_of_a_page_leads_somewhere(root):
    found = {name: list(broken(root, name, (root / name).read_text()))
             for name in pages(root)}
    assert len(found) > 10 and "docs/index.md" in found
    assert {name: links for name, links in found.items() if links} == {}


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](../README.md) [b](#here) [c](https://x)\n# Here\n", []),
        ("[a](README.md)", ["README.md"]),
        ("[a](#there)\n# Here\n", ["#there"]),
        ("[a](../SPEC.md#gitaly) [b](../SPEC.md#no-such)\n",
         ["../SPEC.md#no-such"]),
        ("`[a](none)`\n```\n[b](none)\n# There\n```\n", []),
    ],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_found(root, text, links):
    assert list(broken(root, "docs/page.md", text)) == links
