"""`trace2 convert` and `report` without memory: no output is incomplete."""

import pytest
from faults_kit import PLAIN, faults  # noqa: F401
from test_convert import event, process
from validate_kit import log


@PLAIN
@pytest.mark.parametrize("words, code, calls", [
    *((f"convert --to {form} log out", 0, 120)
      for form in ("folded", "speedscope", "chrome", "fxt", "otlp", "perfetto")),
    ("convert --to chrome log.fxt out", 0, 120), ("report -o out odd", 1, 200),
])  # fmt: skip
def test_an_output_is_whole_or_not_there_whichever_call_has_no_memory(
    execute, trace2, faults, scratch, words, code, calls
):
    (scratch / "log").write_bytes(log(*process(
        event("data", 15, category="c", key="k", value="7"))))
    (scratch / "odd").write_bytes((scratch / "log").read_bytes() + b"{odd\n")
    assert execute([trace2, "convert", "log", "log.fxt"]).returncode == 0
    out, command = scratch / "out", [trace2, *words.split()]
    assert execute(command).returncode == code
    whole, ended = out.read_bytes(), 0
    for call in range(1, calls):
        out.unlink(missing_ok=True)
        done = execute(command, env=faults(FAIL_REALLOC=call))
        ended += done.returncode == 3
        if done.returncode == 3:
            assert b"out of memory" in done.stderr and not out.exists()
        else:
            assert (done.returncode, out.read_bytes()) == (code, whole)
    assert ended and done.returncode == code  # there are fewer calls than these
