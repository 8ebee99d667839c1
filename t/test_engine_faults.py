"""Each fault of engine_faults.py is noticed by the program that it names.

It takes a minute, so `make check-engine` runs it and the suite does not.
"""

import os

import engine_faults
import pytest

CHOSEN = engine_faults.FAULTS if os.environ.get("ENGINE_FAULTS") else ()


@pytest.mark.parametrize("broken", CHOSEN, ids=lambda broken: broken.name)
def test_engine_fault_is_noticed(broken, scratch):
    engine_faults.seed(broken, scratch)
    program = engine_faults.build(broken, scratch)
    assert engine_faults.fails(program, scratch)


def test_engine_faults_are_of_the_source_as_it_is():
    for broken in engine_faults.FAULTS:
        source = engine_faults.ROOT / "ref/trace" / broken.file
        assert broken.old in source.read_text(), broken.name
