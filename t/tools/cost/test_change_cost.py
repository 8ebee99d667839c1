"""make change-cost: where changes are made, and that HACKING.md says so."""

import re
from fnmatch import fnmatch

import pytest

from cost import changes, measure
from cost.tree import Lost, Tree

A_C = """\
#define ROWS(ROW) \\
	ROW(ONE, 1) \\
	ROW(TWO, 2)
struct thing {
	int a;
};
static int count(void);
static int count(void)
{
	return 1;
}
static const struct thing table[] = {
	{ 1 },
	{ 2 },
};
"""


@pytest.fixture
def tree(scratch):
    (scratch / "ref/room").mkdir(parents=True)
    (scratch / "ref/room/a.c").write_text(A_C)
    (scratch / "page.md").write_text("# Page\n\n| a | 1 |\n| b | 2 |\n")
    return Tree(scratch)


def text(tree, name="ref/room/a.c"):
    return (tree.root / name).read_text()


def test_a_function_comes_after_the_one_that_has_a_body(tree):
    tree.after("count", "\nint more;\n")
    assert "	return 1;\n}\n\nint more;\nstatic const" in text(tree)
    assert tree.hand == {"ref/room/a.c"}


def test_a_function_comes_before_another_definition(tree):
    tree.before("table", "int more;\n")
    assert "}\nint more;\nstatic const struct thing table" in text(tree)


@pytest.mark.parametrize(
    ("name", "row", "new", "found"),
    [("ROWS", "ONE", " \\\n\tROW(NEW, 3)", "ROW(NEW, 3) \\\n\tROW(TWO"),
     ("table", "1", "\n\t{ 9 },", "{ 1 },\n\t{ 9 },\n\t{ 2 },")],
)  # fmt: skip
def test_a_row_comes_after_another_one(tree, name, row, new, found):
    tree.after_row(name, row, new)
    assert found in text(tree)


def test_a_part_of_a_definition_is_replaced(tree):
    tree.replace("thing", "int   a;", "int a, b;")
    assert "	int a, b;\n};" in text(tree)


def test_texts_are_changed_where_they_are_named(tree):
    tree.append("page.md", "| a |", "| a2 |\n")
    tree.insert("page.md", "| b |", "| a3 |\n")
    tree.replace_text("page.md", "| 2 |", "| 3 |")
    tree.extend("page.md", "end\n")
    assert text(tree, "page.md") == (
        "# Page\n\n| a | 1 |\n| a2 |\n| a3 |\n| b | 3 |\nend\n"
    )


def test_a_new_file_counts_as_written_by_hand(tree):
    tree.write("new/file", "text\n")
    assert text(tree, "new/file") == "text\n"
    assert tree.hand == {"new/file"}


@pytest.mark.parametrize(
    "act",
    [lambda t: t.after("nobody", ""),
     lambda t: t.after_row("table", "7", ""),
     lambda t: t.after_row("nobody", "1", ""),
     lambda t: t.replace("count", "return 2;", ""),
     lambda t: t.insert("page.md", "| ", ""),
     lambda t: t.append("page.md", "| c", ""),
     lambda t: t.replace_text("page.md", "nothing", ""),
     lambda t: t.write("page.md", "")],
)  # fmt: skip
def test_a_place_that_is_not_there_just_once_is_an_error(tree, act):
    with pytest.raises(Lost):
        act(tree)
    assert tree.hand == set()


APPLIED = pytest.mark.long("applies each change, as make change-cost does")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(change, its files) of each, in a copy of the tree."""
    folder = measure.copy(tmp_path_factory.mktemp("cost") / "tree", built=())
    return list(measure.apply_all(folder)), folder


@APPLIED
def test_no_change_takes_more_files_than_it_may(made):
    assert [c.limit for c, _ in made[0]] == [10, 6, 5, 2, 8, 6]
    for change, hand in made[0]:
        assert len(hand) <= change.limit, change.name


@APPLIED
def test_what_changed_is_what_was_written(made):
    changed, folder = made
    hand = {name for _, names in changed for name in names}
    assert measure.changed(folder) == hand


def listed(page, recipe):
    """The files of a recipe; a word in capitals stands for any name."""
    section = page.partition(f"\n### {recipe}\n")[2].partition("\n##")[0]
    found = re.findall(r"`([\w.-]+[./][\w./-]+)`[,:]", section)
    return [re.sub(r"\b[A-Z]+\b(?!\.(?:md|tsv))", "*", n) for n in found]


@APPLIED
def test_the_recipes_are_the_changes_that_are_measured(made, root):
    page = (root / "HACKING.md").read_text()
    recipes = re.findall(r"^### (.*)$", page.partition("## Recipes")[2]
                         .partition("\n## ")[0], re.M)  # fmt: skip
    assert recipes == [change.recipe for change, _ in made[0]]
    for change, hand in made[0]:
        names = listed(page, change.recipe)
        assert [n for n in hand if not any(fnmatch(n, p) for p in names)] == []
        assert [p for p in names if not any(fnmatch(n, p) for n in hand)] == []
        assert len(names) == len(hand), change.recipe


def test_a_golden_file_that_changed_is_reported(tree, root, capsys):
    name = "golden/event/001return.txt"
    measure.git(tree.root, "init", "-q")
    tree.write(name, (root / name).read_text())
    measure.git(tree.root, "add", "-A")
    (tree.root / name).write_text("another\n")
    assert measure.report(tree.root, []) == 1
    assert f"{name} changed, and nobody wrote it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("hand", "limit", "printed"),
    [(["a"], 1, None), (["a"], 0, "event: too many files"),
     ([], 1, "a changed, and nobody wrote it")],
)  # fmt: skip
def test_too_many_files_and_strange_ones_are_reported(
    tree, hand, limit, printed, capsys
):
    measure.git(tree.root, "init", "-q")
    tree.write("a", "1\n")
    measure.git(tree.root, "add", "-A")
    (tree.root / "a").write_text("2\n")
    (tree.root / "golden/event").mkdir(parents=True)
    (tree.root / "golden/event/new.txt").write_text("made\n")
    change = changes.Change("event", "", limit, None, (), ())
    code = measure.report(tree.root, [(change, hand)])
    assert code == (1 if printed else 0)
    assert (printed or "made by make: 1 files") in capsys.readouterr().out
