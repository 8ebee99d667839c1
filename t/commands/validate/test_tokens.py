"""The validator without simdjson, or with one that nobody has tried."""

import os
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long("builds the program once more"),
              pytest.mark.plain("it builds for itself")]
NAMES = {k: v for k, v in os.environ.items() if not k.startswith("MA")}


def build(root, place, *arguments):
    subprocess.run(["make", "-s", "-j2", "-C", root, f"B={place}", *arguments],
                   env=NAMES, check=True, stdout=subprocess.PIPE)


def test_the_program_finds_the_same_without_simdjson(root, trace2, scratch):
    build(root, scratch / "b", "SIMDJSON=", f"{scratch}/b/helper/trace2")
    libraries = subprocess.check_output(["ldd", scratch / "b/helper/trace2"])
    assert b"simdjson" not in libraries
    found = [
        subprocess.run([program, "validate", "--for", "all", "t/corpus"],
                       cwd=root, stdout=subprocess.PIPE).stdout
        for program in (trace2, scratch / "b/helper/trace2")
    ]
    assert found[0] == found[1] and len(found[0].splitlines()) > 1000


def test_an_unknown_simdjson_is_named_and_left_alone(root, scratch):
    done = subprocess.run(
        ["make", "-s", "-C", root, f"B={scratch}", "SIMDJSON=2.0.0",
         f"{scratch}/helper/read/json/tokens.o"],
        env=NAMES, check=True, stdout=subprocess.PIPE, text=True)
    assert re.match(r"simdjson \d+\.\d+\.\d+ is new here", done.stdout)
    symbols = subprocess.check_output(
        ["nm", scratch / "helper/read/json/tokens.o"], text=True)
    assert "simdjson" not in symbols and "tr2_tokens_find" in symbols


def test_the_simdjson_of_this_debian_is_known(root, scratch):
    path = Path("/etc/debian_version")
    version = path.read_text() if path.exists() else "none"
    if version.partition(".")[0] not in ("12", "13"):
        pytest.skip(f"this is not Debian 12 or 13: {version}")
    header = scratch / "gen/simdjson_known.h"
    build(root, scratch, header)
    assert header.read_text() == "#define TR2_SIMDJSON_KNOWN 1\n"
