"""The table of what the source documents hold: each row has its test."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT = ROOT / "t/tools/lint/documents.py"
ROW = "000,002\tHead\tcall\tcall()\treq:an.id + t/unit/a.c: a long name\n"
FILES = {
    "t/documents/headings.tsv": "documents\theading\n000,002\tHead\n",
    "t/documents/features.tsv": "documents\theading\tkind\titem\tproof\n" + ROW
    + "002\tHead\texample\tOne\tt/test_a.py::test_one[x] + t/unit/b.txt: a case + t/unit/a.c\n",
    "t/documents/examples.md": "# Page\n\n## One\n",
    "t/documents/req/requirements.lock": "# ids\nan.id\tMUST\tactive\t1\n"
    "old.id\tMUST\tretired\t1\n",
    "t/test_a.py": "def test_one(x):\n    pass\n",
    "t/unit/a.c": '\ttap_ok(1, "a long "\n\t       "name");\n',
    "t/unit/b.txt": "# Cases.\n\n= a case\nverb => yes\n",
}  # fmt: skip


def findings(root):
    done = subprocess.run(
        [sys.executable, LINT, root], stdout=subprocess.PIPE, text=True
    )
    assert done.returncode == (1 if done.stdout else 0)
    return done.stdout.splitlines()


@pytest.fixture
def tree(scratch):
    for name, text in FILES.items():
        path = scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return scratch


def test_documents_table_of_this_tree_is_whole():
    assert findings(ROOT) == []


def test_documents_table_that_is_whole_passes(tree):
    assert findings(tree) == []


def test_documents_table_may_name_an_erratum_as_the_reason(tree):
    for name, old, new in (
        ("features.tsv", "req:an.id", "erratum:why"),
        ("req/requirements.lock", "an.id\t", "erratum.why\t"),
    ):
        path = tree / "t/documents" / name
        path.write_text(path.read_text().replace(old, new, 1))
    assert findings(tree) == []


@pytest.mark.parametrize(
    "name, old, new, found",
    [
        ("features.tsv", "req:an.id + t/unit/a.c: a long name", "",
         "2: 'call()' has no test"),
        ("features.tsv", "req:an.id", "req:old.id",
         "2: req:old.id is no requirement that holds"),
        ("features.tsv", "req:an.id", "erratum:none",
         "2: there is no erratum:none"),
        ("features.tsv", "req:an.id", "req:no.id",
         "2: req:no.id is no requirement that holds"),
        ("features.tsv", "a long name", "a long",
         "2: there is no t/unit/a.c: a long"),
        ("features.tsv", "test_one[x]", "test_on",
         "3: there is no t/test_a.py::test_on"),
        ("features.tsv", "t/test_a.py::", "t/test_b.py::",
         "3: there is no t/test_b.py::test_one[x]"),
        ("features.tsv", "+ t/unit/a.c\n", "+ ../etc\n",
         "3: there is no ../etc"),
        ("features.tsv", "\tcall\t", "\tword\t",
         "2: kind 'word', expected one of call, event, example, feature, "
         "field, setting"),
        ("features.tsv", "000,002\tHead", "000,001\tHead",
         "2: 000,001 have no heading 'Head'"),
        ("features.tsv", "\tcall()\t", "\t", "2: 4 cells, expected 5"),
        ("headings.tsv", "000,002\tHead\n", "000,002\tHead\n001\tMore\n",
         "1: no row for 'More' of 001"),
        ("headings.tsv", "000,002\tHead", "000,001,002\tHead",
         "1: no row for 'Head' of 001"),
        ("examples.md", "## One\n", "## One\n\n## Two\n",
         "1: no row for the example 'Two'"),
    ],
)  # fmt: skip
def test_documents_table_reports_what_is_missing(tree, name, old, new, found):
    path = tree / "t/documents" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert f"t/documents/features.tsv:{found}" in findings(tree)
