"""Each seeded fault is caught under the requirement that it breaks.

    make check-faults
"""

import pytest
from faults import seeded


@pytest.fixture(scope="session")
def whole():
    return seeded.digest()


@pytest.mark.parametrize("name", seeded.ALL)
def test_seeded_fault_is_caught(name, scratch, whole):
    assert seeded.catch(seeded.ALL[name], scratch / "tree", whole)
