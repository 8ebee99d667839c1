"""t/example-driver.py and t/README.md, which bring a stranger here."""

import json
import subprocess

import pytest

pytestmark = pytest.mark.long("runs what t/README.md runs, once more")

EXAMPLE = "t/example-driver.py"


@pytest.fixture(scope="module")
def results(root, tmp_path_factory):
    """What the kit finds about the example's events."""
    file = tmp_path_factory.mktemp("example") / "report"
    done = subprocess.run(
        [root / "t/conformance", "--driver", root / EXAMPLE,
         "--class", "min", "--only", "event.*", "--only", "session.child",
         "--json", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(file.read_text())["results"]


def test_example_passes_what_it_implements_and_nothing_fails(results):
    found = {result["verdict"] for result in results}
    assert found == {"PASS", "UNIMPLEMENTED"}


@pytest.mark.parametrize("verb", ["001return", "002exit", "003error",
                                  "004child"])
def test_verb_of_the_example_is_judged(results, verb):
    lacking = {r["note"] for r in results if r["verdict"] == "UNIMPLEMENTED"}
    assert not any(verb in note.split() for note in lacking)
    ids = {r["id"] for r in results if r["verdict"] == "PASS"}
    assert {"event.start.argv", "event.exit.code", "event.error.msg",
            "event.child_exit.code", "session.child"} <= ids
