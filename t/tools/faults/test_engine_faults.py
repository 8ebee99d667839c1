"""The faults of engine_faults.py are faults of the engine as it is.

That each is noticed takes a minute: `make check-engine` runs
engine_faults_noticed.py.
"""

import engine_faults


def test_engine_faults_are_of_the_source_as_it_is():
    for broken in engine_faults.FAULTS:
        assert engine_faults.edited(broken).text
