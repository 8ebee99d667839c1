"""Statements of the documents that no example and no requirement shows."""

import json

import pytest

SPECIAL = ["_query_", "_run_dashed_", "_run_shell_alias_", "_run_git_alias_", "_usage_"]


@pytest.mark.parametrize("name", SPECIAL)
def test_documents_special_names_of_a_command_stand_as_they_are(
    name, execute, test_tool, scratch, validate
):
    log = scratch / "log"
    names = {f"GIT_TRACE2{target}": f"{log}{target}"
             for target in ("", "_PERF", "_EVENT")}  # fmt: skip
    execute([test_tool, "trace2", "523cmd_name", name, "child"], env=names)
    whole = f"trace2/{name}"
    assert f" cmd_name {name} ({whole})\n" in (scratch / "log").read_text()
    assert f"| {name} ({whole})\n" in (scratch / "log_PERF").read_text()
    events = [json.loads(line) for line in open(scratch / "log_EVENT")]
    found = [e for e in events if e["event"] == "cmd_name"]
    assert [(e["name"], e["hierarchy"]) for e in found] == [
        ("trace2", "trace2"), (name, whole), ("child", f"{whole}/child")]
    assert validate(scratch / "log_EVENT").returncode == 0
