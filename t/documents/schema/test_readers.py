"""The programs that read logs are data: schema/readers/."""

import json
import re
import subprocess
import sys

import pytest
import spec

GENERATOR = "helper/rules/consumer/gen_readers.py"

PLAIN = {
    "name": "plain", "order": 9, "what": "a program", "evidence": "none",
    "refuses": ["syntax", "blank"],
    "rules": [
        {"name": "json", "level": "error", "effect": "stops"},
        {"name": "missing", "level": "warning", "effect": "skips it"},
        {"name": "type", "level": "error", "effect": "says \"no\""},
    ],
    "needs": [
        {"key": "sid", "kinds": ["string"]},
        {"event": "child_start", "key": "hook_name", "kinds": ["string"],
         "when": {"child_class": "hook"}},
        {"event": "exit", "key": "code", "kinds": ["integer", "null"],
         "optional": True},
    ],
}  # fmt: skip


@pytest.fixture
def generate(root, scratch):
    """generate(reader): what the generator says of this one alone."""

    def call(reader):
        (scratch / "readers").mkdir(exist_ok=True)
        path = scratch / "readers/plain.json"
        path.write_text(json.dumps(reader))
        return subprocess.run(
            [sys.executable, root / GENERATOR, scratch / "readers", scratch],
            capture_output=True, text=True)

    return call


def test_a_program_without_code_is_one_file(generate, scratch, root):
    """Its tables compile as they are, and are in the list of all."""
    assert generate(PLAIN).returncode == 0
    assert "&tr2_consumer_plain," in (scratch / "readers.c").read_text()
    subprocess.run(
        ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
         f"-I{scratch}", f"-I{root}/helper", f"-I{root}/ref",
         f"-I{root}/build/gen", scratch / "readers.c"], check=True)


@pytest.mark.parametrize(("change", "said"), [
    ({"name": "other"}, "expected the name plain"),
    ({"rules": []}, "expected a rule json"),
    ({"rules": [{"name": "json", "level": "bad", "effect": "x"}]},
     "json: expected one of"),
    ({"refuses": ["nothing"]}, "unknown fault nothing"),
    ({"colour": 1}, "unknown: colour"),
    ({"needs": [{"key": "sid", "kinds": ["thing"]}]}, "sid: expected kinds"),
    ({"rules": PLAIN["rules"] + [
        {"name": "stack", "level": "error", "effect": "x"}]}, "needs code"),
])
def test_a_mistake_in_a_file_is_named(generate, scratch, change, said):
    done = generate({**PLAIN, **change})
    assert done.returncode == 1
    assert "plain.json: " in done.stderr and said in done.stderr
    assert not (scratch / "readers.h").exists()


def test_each_rule_has_a_statement(root):
    ids = {name for name in spec.read(root).ids
           if name.startswith("consumer.")}
    found = set()
    for path in (root / "schema/readers").glob("*.json"):
        reader = json.loads(path.read_text())
        found |= {f"consumer.{reader['name']}.{rule['name']}"
                  for rule in [*reader["rules"], {"name": "verdict"}]}
        code = root / "helper/rules/consumer" / (
            reader["name"].replace("-", "_") + ".c")
        assert code.exists() == bool(reader.get("code"))
    assert found == ids


def test_the_page_of_the_options_names_each_program(root):
    names = [json.loads(path.read_text())["name"]
             for path in (root / "schema/readers").glob("*.json")]
    for page in ("helper/man/trace2-validate.1", "helper/validate/validate.usage"):
        words = set(re.findall(r"[\w-]+", (root / page).read_text()))
        assert set(names) <= words, page
