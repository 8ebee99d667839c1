"""The drivers of t/kit/drivers: each keeps the verdicts of its file, and is short
enough to be read."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import spec as reader
from kit import expect

FOLDER = Path(__file__).resolve().parents[1] / "drivers"
DRIVERS = ("driver.py", "driver.js", "driver.c")
LINES = 300


def judge(driver, expected):
    """The kit's verdict on a driver whose verdicts these were."""
    return subprocess.run(
        [FOLDER.parents[1] / "conformance", "--driver", driver,
         "--expect", expected], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def differences(done):
    """What the kit says of verdicts that are not the expected ones."""
    assert done.stderr == ""
    parts = done.stdout.split("\n# FAIL ")
    return {part.split()[0]: part for part in parts if "(--expect)" in part}


@pytest.fixture(scope="module")
def driver_in_c(root):
    """The driver in C, made with an installed library, as its head says. It
    also runs as another user, who may not look into pytest's folders."""
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}
    with tempfile.TemporaryDirectory(prefix="t2-prefix-") as top:
        os.chmod(top, 0o755)
        subprocess.run(["make", "-s", "-C", root, "install", f"PREFIX={top}"],
                       env=names, check=True, stdout=subprocess.DEVNULL)
        write_odd(Path(top) / "odd.tsv")
        subprocess.run(["sh", "-ec", f"""
            for name in driver odd; do
                contract={root}/t/kit/contract.tsv
                test $name = driver || contract={top}/odd.tsv
                cc -Wall -Wextra -Werror "-DCONTRACT=\\"$contract\\"" \\
                    -o {top}/$name {FOLDER}/*.c \\
                    $(pkg-config --cflags --libs libtrace2) \\
                    -Wl,-rpath,{top}/lib
            done
        """], env={**names, "PKG_CONFIG_PATH": f"{top}/lib/pkgconfig"},
                       check=True)
        yield Path(top) / "driver"


def check_verdicts(driver, name):
    """A verdict on times may differ once on a machine that is busy."""
    first = judge(driver, FOLDER / f"{name}.tsv")
    found = differences(first)
    assert (first.returncode == 0) == (not found)
    if found:
        again = differences(judge(driver, FOLDER / f"{name}.tsv"))
        found = {name: again[name] for name in found.keys() & again.keys()}
    assert found == {}


@pytest.mark.long("runs the kit")
def test_driver_in_python_has_the_verdicts_of_its_file():
    check_verdicts(FOLDER / "driver.py", "driver.py")


def has_node():
    """Whether there is a node that knows what the driver needs."""
    if not shutil.which("node"):
        return False
    found = subprocess.run(["node", "--version"], stdout=subprocess.PIPE)
    return int(re.match(rb"v(\d+)|", found.stdout)[1] or 0) >= 20


needs_node = pytest.mark.skipif(not has_node(),
                                reason="no node 20 or later (nodejs)")


@pytest.mark.long("runs the kit")
@needs_node
def test_driver_in_javascript_has_the_verdicts_of_its_file():
    check_verdicts(FOLDER / "driver.js", "driver.js")


@pytest.mark.long("runs the kit")
@pytest.mark.plain("it builds for itself")
@pytest.mark.xdist_group("install")
def test_driver_in_c_has_the_verdicts_of_its_file(driver_in_c):
    check_verdicts(driver_in_c, "driver.c")


def test_installed_library_passes_all_that_the_kit_checks():
    verdicts = expect.read(FOLDER / "driver.c.tsv")
    assert len(verdicts) > 580
    assert {n for n, v in verdicts.items() if v != "PASS"} == set()


@pytest.mark.parametrize("name", DRIVERS)
def test_driver_passes_the_class_min(name, root):
    verdicts = expect.read(FOLDER / f"{name}.tsv")
    bound = {one.id for one in reader.read(root).statements
             if "min" in one.classes and one.id in verdicts}
    assert len(bound) > 130
    assert {n for n in bound if verdicts[n] != "PASS"} == set()


def write_odd(path):
    """A contract of one verb, whose text has each kind of escape."""
    text = r'"\u20ac\xff \\x41 \u00e9\ud83c\udf89 \x41\u0022"'
    path.write_text(f"900odd\t-\t-\t-\tprint text={text}\t-\t-\n")


def check_odd(driver):
    shown = subprocess.run([driver, "trace2", "900odd"],
                           stdout=subprocess.PIPE, check=True).stdout
    assert shown == "€".encode() + b"\xff \\x41 " + "é🎉 A\"".encode()


@pytest.mark.parametrize("name", [
    "driver.py", pytest.param("driver.js", marks=needs_node)])
def test_driver_reads_characters_and_bytes_in_one_text(name, scratch):
    shutil.copytree(FOLDER, scratch / "drivers")
    write_odd(scratch / "contract.tsv")
    check_odd(scratch / "drivers" / name)


@pytest.mark.long("installs the library")
@pytest.mark.plain("it builds for itself")
@pytest.mark.xdist_group("install")
def test_driver_in_c_reads_characters_and_bytes_in_one_text(driver_in_c):
    check_odd(driver_in_c.with_name("odd"))


@pytest.mark.parametrize(("page", "place"), [
    ("SPEC.md", "t/kit/drivers/"), ("t/README.md", "kit/drivers/"),
    ("t/kit/drivers/README.md", "")])
def test_way_in_names_each_driver(page, place, root):
    text = (root / page).read_text()
    assert [n for n in DRIVERS if f"]({place}{n})" not in text] == []


def test_sources_of_drivers_are_short():
    sources = [p for p in FOLDER.iterdir() if p.suffix in (".py", ".c", ".js")]
    assert len(sources) >= len(DRIVERS)
    assert [p.name for p in sources
            if len(p.read_text().splitlines()) >= LINES] == []


@pytest.mark.parametrize("name", DRIVERS)
def test_page_has_the_numbers_of_each_driver(name):
    verdicts = expect.read(FOLDER / f"{name}.tsv").values()
    passed = list(verdicts).count("PASS")
    row, = (line for line in (FOLDER / "README.md").read_text().splitlines()
            if line.startswith(f"| [{name}]"))
    assert row.endswith(f" {passed} of {len(verdicts)} |")
