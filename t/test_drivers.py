"""The drivers of t/drivers: each keeps the verdicts of its file, and is short
enough to be read."""

import subprocess
from pathlib import Path

import pytest

import spec as reader
from kit import expect

FOLDER = Path(__file__).resolve().parent / "drivers"
DRIVERS = ("driver.py",)
LINES = 300


def judge(driver, expected):
    """The kit's verdict on a driver whose verdicts these were."""
    return subprocess.run(
        [FOLDER.parent / "conformance", "--driver", driver,
         "--expect", expected], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def differences(text):
    """What the kit says of verdicts that are not the expected ones."""
    parts = text.split("\nnot ok ")
    return [part for part in parts if "(--expect)" in part]


@pytest.mark.long("runs the kit")
@pytest.mark.parametrize("name", ["driver.py"])
def test_driver_has_the_verdicts_of_its_file(name):
    done = judge(FOLDER / name, FOLDER / f"{name}.tsv")
    assert differences(done.stdout) == []
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", DRIVERS)
def test_driver_passes_the_class_min(name, root):
    verdicts = expect.read(FOLDER / f"{name}.tsv")
    bound = {one.id for one in reader.read(root).statements
             if "min" in one.classes and one.id in verdicts}
    assert len(bound) > 130
    assert {n for n in bound if verdicts[n] != "PASS"} == set()


def test_sources_of_drivers_are_short():
    sources = [p for p in FOLDER.iterdir() if p.suffix in (".py", ".c", ".js")]
    assert len(sources) >= len(DRIVERS)
    assert [p.name for p in sources
            if len(p.read_text().splitlines()) >= LINES] == []
