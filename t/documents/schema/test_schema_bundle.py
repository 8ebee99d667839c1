"""A bundle is one file that says the same as the files it is made of."""

import json
import subprocess
import sys

import pytest

import schema_cases
import schema_oracle

pytestmark = pytest.mark.long("holds a bundle against its parts")


@pytest.fixture(scope="module", params=["evt4", "evt4.closed"])
def pair(request):
    """The validators of a root and of the bundle made of it."""
    command = [
        sys.executable,
        schema_oracle.ROOT / "schema" / "bundle.py",
        schema_oracle.FOLDER / f"{request.param}.schema.json",
    ]
    bundle = json.loads(subprocess.check_output(command))
    schema_oracle.library().check_schema(bundle)
    alone = schema_oracle.compile_alone(bundle)
    return schema_oracle.validator(request.param), alone


def test_a_bundle_and_its_root_refuse_the_same_events(pair):
    # All of them go through the root in test_schema_negatives.
    for event in schema_oracle.events():
        some = list(schema_cases.negatives(event))[::5]
        for name, path, broken in some:
            assert verdicts(pair, broken) == [False, False], (name, path)


def test_a_bundle_and_its_root_accept_the_same_events(pair):
    for event in schema_oracle.events():
        for value in list(schema_cases.positives(event))[::3]:
            assert verdicts(pair, value) == [True, True], value


@pytest.mark.parametrize("logs", ["pass/real/*", "deviating/repo"])
def test_a_bundle_and_its_root_agree_on_logs(pair, logs):
    values = schema_cases.lines(schema_cases.corpus(logs))
    for where, value in schema_cases.samples(values):
        root, bundle = verdicts(pair, value)
        assert root == bundle, where


def verdicts(pair, value):
    return [checker.is_valid(value) for checker in pair]


def test_a_bundle_refers_to_nothing_outside_itself(pair):
    text = json.dumps(pair[1].schema)
    assert text.count('"$ref": ') == text.count('"$ref": "#/$defs/') > 30
