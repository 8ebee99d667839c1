"""What the tests of `trace2 redact` share."""

import json

KEY = b"0123456789abcdef" * 2
SID = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
KINDS = ("paths", "hosts", "users", "repositories", "arguments")
PASSWORD = b'{"event":"printf","msg":"https://u:%s@h/x"}\n'
CLEAN = PASSWORD % b"<REDACTED>"


def printf(text, **more):
    """A line of one event."""
    return (json.dumps({"event": "printf", "sid": SID, "thread": "main",
                        **more, "msg": text}) + "\n").encode()
