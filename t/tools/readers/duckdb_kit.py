"""Asks DuckDB about rows; see duckdb-query.cjs.

    def test_it_reads(duckdb, scratch):
        rows = duckdb({"processes": scratch / "p.csv"}, "select * from processes")

It is started once for all tests, and they are skipped where it is missing.
"""

import json
import tempfile
from pathlib import Path

import pytest
from reader_kit import Reader, need


def quote(path):
    return "'" + str(path).replace("'", "''") + "'"


class Engine(Reader):
    def __call__(self, files, query):
        """The rows of a query as lists; `files` are tables as CSV or NDJSON."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "rows.json")
            tables = [f"CREATE TABLE {name} AS SELECT * FROM {quote(path)}"
                      for name, path in files.items()]
            query = query.strip().rstrip(";")
            self.ask(sql=[*tables, f"COPY ({query}) TO {quote(out)}"])
            return [list(json.loads(line).values())
                    for line in out.read_text().splitlines()]


@pytest.fixture(scope="session")
def duckdb():
    need("duckdb", "libduckdb.so")
    engine = Engine("duckdb-query.cjs", "duckdb")
    yield engine
    engine.close()
