"""NORMAL and PERF have to know each kind of event that the schemas have."""

import shlex

import pytest

FILES = ("normal.c", "perf.c")


@pytest.fixture
def compiles(execute, root, scratch):
    """compiles(file): what the compiler says, with the header in scratch."""
    helper = root / "helper"
    made = execute(["/usr/bin/python3", helper / "rules/gen_tables.py",
                    root / "schema", helper / "read/json/match.h", "schema_tables.h",
                    "schema_tables.c"])  # fmt: skip
    assert made.returncode == 0
    for name in ("normal", "perf"):
        made = execute(["/usr/bin/python3", "-B", helper / "rules/gen_rows.py",
                        helper / f"rules/textlog/{name}.tsv", f"{name}_rows.h"])
        assert made.returncode == 0

    def call(name):
        return execute([*shlex.split("cc -std=c11 -D_POSIX_C_SOURCE=200809L "
                                     "-fsyntax-only -I."),
                        f"-I{root}/ref", f"-I{root}/ref/trace/compat",
                        f"-I{root}/helper", helper / "rules/textlog" / name])  # fmt: skip

    return call


@pytest.mark.parametrize("name", FILES)
def test_a_kind_of_event_without_a_row_does_not_build(name, compiles, scratch):
    assert compiles(name).returncode == 0
    header = scratch / "schema_tables.h"
    text = header.read_text()
    header.write_text(text.replace("TR2_IS_OTHER", "TR2_IS_NEW, TR2_IS_OTHER"))
    result = compiles(name)
    assert result.returncode != 0
    assert b"no row among the payloads" in result.stderr
