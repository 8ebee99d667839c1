"""debian/: what it records of the library, and what it asks for."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DEBIAN = ROOT / "debian"
pytestmark = [
    pytest.mark.plain("it looks at an ordinary build"),
    pytest.mark.skipif(not DEBIAN.exists(), reason="a tarball, no debian/"),
]


@pytest.fixture(scope="module")
def abi():
    place = importlib.util.spec_from_file_location("abi", ROOT / "t/tools/lint/abi.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@pytest.fixture
def library(scratch):
    """library(*names, soname=): a library that exports these functions."""

    def call(*names, soname="libtrace2.so.0"):
        path = scratch / "lib.so"
        text = "".join(f"void {name}(void) {{}}\n" for name in names)
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", path,
             f"-Wl,-soname,{soname}"], input=text, text=True, check=True)
        return path

    return call


TEXT = """libtrace2.so.0 libtrace2-0 #MINVER#
* Build-Depends-Package: libtrace2-dev
 trace2_a@Base 0.1.0
 trace2_b@Base 0.1.0
"""


def test_the_recorded_abi_is_that_of_the_library(abi):
    library = ROOT / "build/libtrace2.so"
    if not library.exists():
        pytest.skip("not built in build/")
    text = (DEBIAN / "libtrace2-0.symbols").read_text()
    assert list(abi.findings(library, text)) == []


@pytest.mark.parametrize("names, soname, words", [
    (["trace2_a", "trace2_b"], "libtrace2.so.0", []),
    (["trace2_a"], "libtrace2.so.0", ["trace2_b is gone"]),
    (["trace2_a", "trace2_b", "trace2_c"], "libtrace2.so.0",
     ["trace2_c is new"]),
    (["trace2_a", "trace2_b"], "libtrace2.so.1",
     ["libtrace2.so.1 is recorded as libtrace2.so.0"]),
])  # fmt: skip
def test_a_change_of_the_abi_is_found(abi, library, names, soname, words):
    found = list(abi.findings(library(*names, soname=soname), TEXT))
    assert len(found) == len(words)
    assert all(map(str.startswith, found, words))


def test_symbols_of_another_library_stay_as_they_are(abi, library):
    other = "libtrace2-x.so.0 p #MINVER#\n x@Base 1\n"
    made = library("trace2_a", "trace2_b", "trace2_c", soname="libtrace2.so.0")
    assert len(list(abi.findings(made, TEXT + other))) == 1
    text = abi.recording(made, TEXT + other, "9.9")
    assert text == TEXT + " trace2_c@Base 9.9\n" + other


def test_symbols_that_are_new_are_recorded_in_their_order(abi, library):
    made = library("trace2_a", "trace2_aa", "trace2_b", soname="libtrace2.so.0")
    text = abi.recording(made, TEXT, "9.9")
    assert text == TEXT.replace(" trace2_b@", " trace2_aa@Base 9.9\n trace2_b@")
    assert list(abi.findings(made, text)) == []
    gone = library("trace2_a", soname="libtrace2.so.0")
    assert abi.recording(gone, TEXT, "9.9") == TEXT


def test_versions_of_the_package_and_the_library_agree():
    makefile = (ROOT / "Makefile").read_text()
    version = re.search(r"^VERSION := (.*)$", makefile, re.M)[1]
    soversion = re.search(r"^SOVERSION := (.*)$", makefile, re.M)[1]
    changelog = (DEBIAN / "changelog").read_text()
    assert re.match(rf"trace2 \({re.escape(version)}-\d", changelog)
    control = (DEBIAN / "control").read_text()
    assert f"\nPackage: libtrace2-{soversion}\n" in control


def test_each_installed_file_is_in_a_package():
    listed = " ".join(path.read_text() for path in DEBIAN.glob("*.install"))
    for part in ("usr/bin", "usr/include", "usr/share/man/man1",
                 "usr/share/man/man3", "usr/share/trace2", "usr/share/fish",
                 "usr/share/zsh", "usr/share/bash-completion", "pkgconfig",
                 "usr/share/doc/trace2/SPEC.*", "usr/share/doc/trace2/docs",
                 "libtrace2.a"):
        assert part in listed, part


@pytest.mark.parametrize("name", ["collect", "manager"])
def test_each_unit_runs_a_command_that_exists(name, trace2):
    unit = DEBIAN / f"trace2.trace2-{name}.user.service"
    command, *options = re.search(r"^ExecStart=/usr/bin/trace2 (.*)$",
                                  unit.read_text(), re.M)[1].split()
    assert command == name
    shown = subprocess.check_output([trace2, command, "--help"], text=True)
    assert shown.startswith(f"usage: trace2 {command}")
    for option in options[::2]:
        assert f" {option} " in shown
    rules = (DEBIAN / "rules").read_text()
    assert f"dh_installsystemduser --no-enable --name=trace2-{name}\n" in rules


@pytest.mark.skipif(not shutil.which("dpkg-parsechangelog"),
                    reason="no dpkg-parsechangelog (dpkg-dev)")
def test_the_changelog_can_be_parsed():
    done = subprocess.run(["dpkg-parsechangelog", "-l", DEBIAN / "changelog"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
