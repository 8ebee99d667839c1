"""Asks the trace engine of Chrome's DevTools; see devtools-query.mjs.

    def test_it_loads(devtools, scratch):
        seen = devtools(scratch / "a.json")

It is started once for all tests, and they are skipped where it is missing.
"""

import pytest
from reader_kit import Reader, need


class Engine(Reader):
    def __call__(self, trace):
        """What it sees; the trace must load without a word."""
        seen = self.ask(trace=str(trace))
        assert (seen["said"], seen["generic"]) == ([], True)
        return seen


@pytest.fixture(scope="session")
def devtools():
    need("devtools", "models/trace/trace.js")
    engine = Engine("devtools-query.mjs", "devtools")
    yield engine
    engine.close()
