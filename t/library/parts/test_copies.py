"""Several copies of the library in one process (see copies.c): each has its
whole log, whatever ends the process."""

import json
import re
import shutil
import signal
import subprocess

import pytest

from conftest import LIBRARY, ROOT, UNDER

pytestmark = pytest.mark.skipif(
    bool(UNDER), reason="a sanitizer's runtime has no copies"
)
COPIES = 3


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """The program, and three files with the same library."""
    place = tmp_path_factory.mktemp("copies")
    subprocess.run(["cc", "-O1", "-o", place / "copies", "-I", ROOT / "ref",
                    ROOT / "t/library/parts/copies.c", "-ldl", "-pthread"],
                   check=True)
    paths = [place / f"copy{i}.so" for i in range(COPIES)]
    for path in paths:
        shutil.copy(LIBRARY / "libtrace2.so", path)
    return place / "copies", paths


@pytest.fixture
def run_copies(copies, scratch, execute):
    """run_copies(how, ending): the logs and Chrome files of all copies."""

    def call(how, ending):
        done = execute(
            [copies[0], how, ending, *copies[1]],
            env={"PLACE": str(scratch), "GIT_TRACE2_SIGNALS": "1"},
        )
        codes = {"signal": -signal.SIGTERM, "last": 0}
        assert done.returncode == codes.get(ending, 7)
        assert done.stdout == b"" and done.stderr == b""
        return (
            [
                list(map(json.loads, path.read_text().splitlines()))
                for path in sorted(scratch.glob("*.event"))
            ],
            [path.read_text() for path in sorted(scratch.glob("*.json"))],
        )

    return call


@pytest.mark.parametrize("ending, code", [("exit", 7), ("last", 0)])
@pytest.mark.parametrize("how", ["beside", "apart", "mixed"])
def test_each_copy_of_the_library_tells_how_the_process_exits(
    how, ending, code, run_copies
):
    logs, files = run_copies(how, ending)
    assert [
        [event["code"] for event in log if event["event"] == "atexit"]
        for log in logs
    ] == [[code]] * COPIES
    for text in files:
        names = [event["name"] for event in json.loads(text)]
        assert names.count("printf") == 2001
        assert names.count("atexit") == 1


@pytest.mark.parametrize("how", ["beside", "apart", "mixed"])
def test_no_copy_keeps_a_process_that_ends_by_the_system_call(
        how, run_copies):
    for text in run_copies(how, "call")[1]:
        names = [event["name"] for event in json.loads(text.rstrip(",\n") + "]")]
        assert names.count("printf") == 2001


@pytest.mark.parametrize("ending, code", [("exit", 7), ("last", 0), ("call", 7)])
@pytest.mark.parametrize("target", ["EVENT", "FXT", "CHROME"])
def test_a_copy_that_audits_a_program_leaves_its_keys_alone(
        target, ending, code, copies, scratch, execute):
    """It is there before the program's C library, see rtld-audit(7)."""
    subprocess.run(["cc", "-shared", "-fPIC", "-o", scratch / "audit.so", "-I",
                    ROOT / "ref", ROOT / "t/library/parts/audit.c",
                    LIBRARY / "libtrace2.so", f"-Wl,-rpath,{LIBRARY}"], check=True)
    done = execute([copies[0], "beside", ending], env={
        "PLACE": str(scratch), "LD_AUDIT": f"{scratch}/audit.so",
        f"GIT_TRACE2_{target}": f"{scratch}/audit.log"})
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")
    assert (scratch / "audit.log").stat().st_size > 0


@pytest.mark.parametrize("how", ["beside", "apart"])
def test_each_copy_of_the_library_writes_the_signal(how, run_copies):
    logs, files = run_copies(how, "signal")
    assert [log[-1].get("signo") for log in logs] == [15] * COPIES
    for text in files:
        names = [event["name"] for event in json.loads(text.rstrip(",\n") + "]")]
        assert names.count("printf") == 2001
        assert names.count("signal") == 1


@pytest.mark.parametrize("how", ["beside", "apart"])
def test_each_copy_of_the_library_loses_nothing_in_quick_exit(how, run_copies):
    logs, files = run_copies(how, "quick")
    assert [log[-1]["event"] for log in logs] == ["printf"] * COPIES
    for text in files:
        names = [event["name"] for event in json.loads(text.rstrip(",\n") + "]")]
        assert names.count("printf") == 2001


@pytest.mark.parametrize("how", ["beside", "apart"])
def test_four_threads_that_exit_at_once_cut_no_file(how, run_copies):
    logs, files = run_copies(how, "exits")
    assert [log[-1]["event"] for log in logs] == ["atexit"] * COPIES
    for text in files:
        assert "atexit" in [event["name"] for event in json.loads(text)]


@pytest.mark.parametrize("how", ["beside", "apart"])
def test_each_copy_of_the_library_traces_a_forked_child(how, run_copies):
    logs, files = run_copies(how, "fork")
    for log in logs:
        ends = [event["sid"] for event in log if event["event"] == "atexit"]
        assert len(set(ends)) == 2
    counts = []
    for text in files:
        names = [event["name"] for event in json.loads(text)]
        counts.append(names.count("printf"))
    assert sorted(counts) == [1] * COPIES + [2001] * COPIES


@pytest.mark.parametrize("target", ["GIT_TRACE2_CHROME", "GIT_TRACE2_FXT"])
@pytest.mark.parametrize("how", ["beside", "apart"])
def test_copies_that_are_given_one_file_destroy_none(
        how, target, copies, scratch, execute, trace2):
    done = execute([copies[0], how, "fork", *copies[1]], env={
        "PLACE": str(scratch), "SHARED": f"{scratch}/all.x", "TARGET": target})
    assert (done.returncode, done.stdout, done.stderr) == (7, b"", b"")
    paths = scratch.glob("all*.x")
    if target == "GIT_TRACE2_FXT":
        texts = [execute([trace2, "dump", path]).stdout.decode() for path in paths]
    else:
        texts = [path.read_text() for path in paths]
        assert all(map(json.loads, texts))
    counts = sorted(len(re.findall('"?name"?[=:]"printf"', text)) for text in texts)
    assert counts == [1] * COPIES + [2001] * COPIES


@pytest.mark.parametrize("how", ["beside", "apart"])
def test_each_copy_has_a_file_of_its_own_where_the_environment_asks(
        how, copies, scratch, execute):
    """Their names differ by a number only, also in a forked child."""
    done = execute([copies[0], how, "fork", *copies[1]], env={
        "PLACE": str(scratch), "TRACE_EVENT_CATEGORIES": "*",
        "TRACE_EVENT_FILE_PATTERN": f"{scratch}/of-${{pid}}.trace",
        "TRACE_EVENT_EVENTS_PER_FILE": "1000"})
    assert (done.returncode, done.stdout, done.stderr) == (7, b"", b"")
    texts = [path.read_text() for path in scratch.glob("of-*.trace")]
    names = [[event["name"] for event in json.loads(text)] for text in texts]
    assert sum(some.count("printf") for some in names) == COPIES * (2001 + 1)
