"""Asks Perfetto's trace processor what is in a trace; see perfetto-query.cjs.

    def test_it_loads(perfetto, scratch):
        rows = perfetto(scratch / "a.fxt", "select name from slice")[0]

It is started once for all tests, and they are skipped where it is missing.
"""

import pytest
from reader_kit import Reader, need

# What a reader must not have to say of a trace.
STATS = "select name, value from stats where value != 0 and severity != 'info'"


class Engine(Reader):
    def __call__(self, trace, *queries):
        """The rows of each query; the trace must load without complaint."""
        said = self.ask(trace=str(trace), queries=[STATS, *queries])
        assert said["rows"][0] == [], said["rows"][0]
        return said["rows"][1:]


@pytest.fixture(scope="session")
def perfetto():
    need("perfetto", "trace_processor.wasm")
    engine = Engine("perfetto-query.cjs", "perfetto")
    yield engine
    engine.close()
