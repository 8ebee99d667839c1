"""What is a secret in a text or in JSON, as `test-tool redact` shows it."""

import re

import pytest


def bytes_of(text):
    return re.sub(rb"<([0-9a-f]{2})>", lambda m: bytes.fromhex(m[1].decode()),
                  text.encode())


def rows(root, form):
    """[(text, shown)] of secrets.tsv, as text or as JSON."""
    lines = (root / "t/library/targets/secrets.tsv").read_text().splitlines()
    cells = [line.split("\t") for line in lines if line[0] != "#"]
    return [(bytes_of(text), bytes_of(rest[0] if rest and rest[0] else text))
            for forms, text, *rest in cells if forms in (form, "both")]


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_found_and_nothing_else(form, execute, test_tool, root):
    wanted = rows(root, form)
    options = ["-z", "--json"][: 1 + (form == "json")]
    done = execute([test_tool, "redact", *options, *(text for text, _ in wanted)])
    shown = done.stdout.replace(b"<REDACTED>", b"*").split(b"\0")[:-1]
    assert list(zip((text for text, _ in wanted), shown)) == wanted
