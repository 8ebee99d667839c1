"""What tests of tracing from outside share: programs that only have trace
points, built in each way, and what they leave."""

import json
import subprocess

import pytest

from conftest import LIBRARY, LINKED, ROOT

TRACED = ROOT / "t/library/traced"


def build(place, name, *words):
    made = place / name
    subprocess.run(["cc", "-O1", "-o", made, "-I", ROOT / "ref", "-I",
                    ROOT / "ref/trace/compat", *words], check=True)
    return made


def link_shared(place, name, *words):
    return build(place, name, *words, "-L", LIBRARY, "-ltrace2",
                 f"-Wl,-rpath,{LIBRARY}", "-pthread")


ARCHIVE = [LIBRARY / "libtrace2.a", *LINKED, "-lmd", "-pthread"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="module")
def points(place):
    return build(place, "points", TRACED / "points.c", *ARCHIVE)


@pytest.fixture
def trace(execute, trace2):
    """trace(*words): what `trace2 trace` did in the scratch directory."""

    def call(*words, **options):
        done = execute([trace2, "trace", *words], **options)
        done.stderr = done.stderr.decode()
        return done

    return call


def events_of(path):
    """The events of a complete file, without metadata."""
    return [e for e in json.loads(path.read_text()) if e["ph"] != "M"]


def texts_of(path):
    """What the points of a program wrote."""
    return [e["args"]["text"] for e in events_of(path) if e["name"] == "point"]


def traced_texts(folder):
    """The texts in all files of a folder, file by file."""
    return sorted(texts_of(path) for path in folder.glob("*.json"))


def dumped(execute, trace2, path):
    done = execute([trace2, "dump", path])
    assert done.returncode == 0, done.stdout
    return done.stdout.decode()
