"""The seeded faults are faults of the reference as it is.

That each is caught takes a minute: `make check-faults`.
"""

from faults import seeded


def test_seeded_faults_are_of_the_source_as_it_is():
    assert len(seeded.ALL) >= 100
    for one in seeded.ALL.values():
        assert seeded.edited(one)


def test_seeded_faults_break_what_the_kit_looks_at():
    looked_at = {name for case in seeded.kit.load().values()
                 for name in case.ids}
    assert {one.id for one in seeded.ALL.values()} <= looked_at
