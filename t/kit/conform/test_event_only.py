"""The class `min` asks for EVENT and for nothing besides."""

import concurrent.futures
import re

import pytest

import spec as reader
from kit import kit, run

CASES = kit.load()
OWN_NAME = re.compile(rb'^\{"event":"cmd_name".*"name":"trace2".*\n', re.M)


class EventOnly(run.Driver):
    """Our driver without the other targets, and without the `cmd_name` that
    it writes for the class `full`."""

    def environment(self, scratch, extra):
        made = super().environment(scratch, extra)
        for name in ("GIT_TRACE2", "GIT_TRACE2_PERF"):
            made.pop(name, None)
        return made

    def run(self, *words, **options):
        one = super().run(*words, **options)
        for name, text in one.files.items():
            one.files[name] = OWN_NAME.sub(b"", text)
        return one


@pytest.mark.long("runs all that the kit asks of the class min")
def test_emitter_of_events_alone_is_of_the_class_min(root, test_tool):
    least = {one.id for one in reader.read(root).statements
             if "min" in one.classes}
    driver = EventOnly(test_tool)
    cases = [case for case in CASES.values() if least & set(case.ids)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        judged = pool.map(lambda case: kit.conduct(case, driver)[0], cases)
        found = [one for results in judged for one in results
                 if one.id in least]
    assert len(found) > 300
    assert [one for one in found if one.verdict in (kit.FAIL, kit.ERROR)] == []
