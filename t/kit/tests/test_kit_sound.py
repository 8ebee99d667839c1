"""kit.sound knows what is sound, as the corpora do."""

import pytest

from kit import sound

# A consumer's rules, about more than a text.
OTHER = {"input.between", "input.carried", "input.empty", "input.other-format",
         "input.unreadable", "input.utf16"}


def logs(root, pattern):
    return sorted((root / "t/corpus").glob(pattern))


def expected_rules(path):
    """The rules about texts that an .expect file names."""
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split("\t")[0] for line in lines]
    return [name for name in names if name.startswith("input.")]


def test_the_rule_of_each_log_that_must_fail_is_named(root):
    paths = [p for p in logs(root, "fail/input.*/*.event")
             if p.parent.name not in OTHER]
    assert len(paths) > 60
    for path in paths:
        assert path.parent.name in sound.broken(path.read_bytes()), path


def test_no_rule_is_named_for_logs_that_are_sound(root):
    paths = logs(root, "pass/real/evt*/*.event")
    paths += logs(root, "pass/input/*.event")
    assert len(paths) > 100
    for path in paths:
        names = set(expected_rules(path.with_suffix(".expect")))
        assert set(sound.broken(path.read_bytes())) == names, path


@pytest.mark.parametrize("length, names", [
    (sound.MIB, set()),
    (sound.MIB + 1, {"input.long-line"}),
    (16 * sound.MIB + 1, {"input.long-line", "input.huge-line"}),
])
def test_a_line_is_too_long_at_its_limit(length, names):
    text = b'{"x":"' + (length - 8) * b"x" + b'"}\n'
    assert len(text) == length + 1
    assert set(sound.broken(text)) == names


def test_lists_are_too_deep_at_their_limit():
    for lists, names in ((511, set()), (512, {"input.depth"})):
        text = b'{"x":' + lists * b"[" + lists * b"]" + b"}\n"
        assert set(sound.broken(text)) == names
