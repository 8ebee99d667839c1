"""Definitions are found by name, and their parts token by token."""

import pytest
from faults import source

CODE = """
#define WIDTH 50 /* columns */
#define BOTH(a, b)     \\
	do {           \\
		a, b;  \\
	} while (0)
enum { FIRST = 1, SECOND = 2 };
static const struct row rows[] = {
	ROW(START, "start", F(sid, 0)),
	ROW(EXIT, "exit", F(sid, 0)),
};
static int declared(int x);
static int count(const char *text)
{
	/* return 1; is said nowhere */
	if (*text == ';')
		return 1;
	return count(text + 1) + 1;
}
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room/code.c").write_text(CODE)
    source.index.cache_clear()
    source.read.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("WIDTH", "50", "49"),
        ("BOTH", "a, b;", "b, a;"),
        ("SECOND", "2", "3"),
        ("rows EXIT", "F(sid, 0)", "F(sid, 1)"),
        ("count", "return 1;", "return 2;"),
        ("count", "text+1", "text + 2"),
    ],
)
def test_part_of_a_definition_is_changed(root, name, old, new):
    edit = source.change(root, name, old, new)
    assert edit.path == root / "room/code.c"
    assert new in edit.text
    assert edit.text.replace(new, "") != CODE.replace(new, "")


def test_layout_of_the_code_makes_no_difference(root):
    path = root / "room/code.c"
    path.write_text(CODE.replace("count(text + 1) + 1",
                                 "count(text\n\t\t+ /* on */ 1) + 1"))
    edit = source.change(root, "count", "count(text + 1)", "0")
    assert "return 0 + 1;" in edit.text


@pytest.mark.parametrize(
    "name, old",
    [
        ("nobody", "1"),
        ("count", "return 3;"),
        ("rows", "F(sid, 0)"),  # twice
        ("rows START", '"exit"'),
        ("count", "is said nowhere"),
    ],
)
def test_part_that_is_not_there_just_once_is_refused(root, name, old):
    with pytest.raises(source.NotFound):
        source.change(root, name, old, "")


def test_code_that_moves_to_another_file_is_found(root):
    (root / "elsewhere").mkdir()
    (root / "room/code.c").rename(root / "elsewhere/moved.c")
    edit = source.change(root, "count", "return 1;", "")
    assert edit.path == root / "elsewhere/moved.c"
