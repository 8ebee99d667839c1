"""The lock of requirements: what it holds against SPEC.md."""

import pytest

import spec as reader
from req import lock

ONE = "- **`a.one`** MUST [min, full] {document}: A thing is so."
TWO = "- **`a.two`** MAY [full] {observed}: Another  thing\tis so."
NOTE = "- **`older.x`** informative: It was so."


def statements(*lines):
    return reader.Spec("\n".join(lines)).statements


LOCK = lock.blessed(statements(ONE, TWO, NOTE), {})
GONE = lock.blessed(statements(ONE), LOCK)


def findings(*lines, entries=LOCK):
    return list(lock.findings(statements(*lines), entries))


def test_a_spec_that_is_as_the_lock_says_gives_no_finding():
    assert findings(ONE, TWO, NOTE) == []
    assert findings(NOTE, "", TWO, ONE) == []
    assert findings(ONE, entries=GONE) == []


def test_white_space_and_evidence_are_no_wording():
    assert findings(ONE, TWO.replace("  ", " "), NOTE) == []
    assert findings(ONE, TWO.replace("observed", "decision"), NOTE) == []


@pytest.mark.parametrize(
    "line",
    [
        ONE.replace("so", "thus"),
        ONE.replace("A thing", "a thing"),
        ONE.replace("MUST", "SHOULD"),
        ONE.replace("min, full", "full"),
        "- **`a.one`** informative: A thing is so.",
    ],
)
def test_changed_wording_is_found_until_it_is_blessed(line):
    found = findings(line, TWO, NOTE)
    assert found == ["a.one: its wording, level or classes changed"]
    fresh = lock.blessed(statements(line, TWO, NOTE), LOCK)
    assert findings(line, TWO, NOTE, entries=fresh) == []


def test_an_id_that_came_is_found_until_it_is_blessed():
    new = ONE.replace("a.one", "b.new")
    assert findings(ONE, TWO, NOTE, new) == ["b.new: is new"]
    fresh = lock.blessed(statements(ONE, TWO, NOTE, new), LOCK)
    assert findings(ONE, TWO, NOTE, new, entries=fresh) == []


def test_an_id_that_went_is_found_and_retired_when_blessed():
    assert findings(ONE) == ["a.two: is gone", "older.x: is gone"]
    assert GONE["a.one"] == LOCK["a.one"]
    assert GONE["a.two"] == LOCK["a.two"]._replace(status="retired")
    assert lock.blessed(statements(ONE), GONE) == GONE


def test_a_retired_id_can_not_come_back():
    back = "a.two: is retired and can't come back"
    assert findings(ONE, TWO, entries=GONE) == [back]
    with pytest.raises(lock.Refused) as refused:
        lock.blessed(statements(ONE, TWO), GONE)
    assert refused.value.args == (back,)


def test_a_lock_is_read_as_it_was_written():
    text = lock.text(GONE)
    assert lock.parse(text) == GONE
    kept = [line for line in text.splitlines() if line[0] != "#"]
    assert kept == sorted(kept) and len(kept) == 3
    assert kept[0].split("\t")[:3] == ["a.one", "MUST", "active"]


@pytest.mark.parametrize(
    "text",
    [
        "a.one\tMUST\tactive\n",
        "a.one\tMUST\tlost\t0123456789ab\n",
        "a.one MUST active 0123456789ab\n",
        2 * "a.one\tMUST\tactive\t0123456789ab\n",
    ],
)
def test_a_lock_of_the_wrong_form_is_refused(text):
    with pytest.raises(ValueError, match=r"^requirements.lock:[12]: "):
        lock.parse(text)


def test_the_lock_of_this_tree_is_one_that_bless_wrote(root):
    text = (root / "t/documents/req/requirements.lock").read_text()
    assert lock.text(lock.parse(text)) == text
