"""The mutator of `make mutation`: what it finds, leaves alone and runs."""

import collections
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="no python3-clang")

import jail  # noqa: E402
import judge  # noqa: E402
import mutants  # noqa: E402
import report  # noqa: E402
import sample  # noqa: E402
import same_code  # noqa: E402
import schemata  # noqa: E402
import tests  # noqa: E402

HERE = Path(__file__).resolve().parent
HEAD = """#define LIMIT 9
#define TWICE(x) ((x) * 2)
enum { WIDTH = 4 };
struct pair { int a, b; const char *text; };
int use(int, int);
void say(const char *);
"""
FIRST = HEAD.count("\n") + 1

# What a function with this body may become.
FOUND = {
    "return a + b;": {"a - b", "0"},
    "return a < b;": {"a <= b", "0", "1"},
    "return a << 3;": {"a >> 3", "2", "4", "0"},
    "if (a == b) say(\"x\");": {"0", "1", "", '""'},
    "if (a) return;": {"0", "1", ""},
    "while (a) a--;": {"0", "!(a)", ""},
    "for (a = 0; a < b; a++) continue;": {"0", "a <= b", "1", ""},
    "return a && b;": {"a || b", "0", "1", "!(a)", "!(b)"},
    "return a ? b : a;": {"0", "1"},
    "a += b;": {"a -= b", ""},
    "a |= b & 1;": {"a &= b & 1", "", "b | 1", "0", "2"},
    "use(a, b);": {"use(b, a)", ""},
    "return use(a++, b);": {"use(b, a++)", "a--", "0"},
    "return p->a;": {"p->b", "0"},
    "p->a = b;": {""},
    "return -a;": {"(a)", "0"},
    "return !a;": {"0", "1"},
    "return WIDTH;": {"(WIDTH + 1)", "0"},
    "use(b, LIMIT);": {"(LIMIT + 1)", "use(LIMIT, b)", ""},
    "return 'x';": {"('x' + 1)", "0"},
    "return sizeof(*p);": {"(sizeof(*p) - 1)", "0"},
    "switch (a) { case 1: say(\"\"); break; default: break; }":
        {"", '"?"'},
}  # fmt: skip
# Constants that the compiler needs, and what macros bring.
LEFT_ALONE = (
    "(void)__LINE__;",
    "static int x = 3; (void)x;",
    "char x[WIDTH + 1]; (void)x;",
    "switch (a) { case 2: default: break; }",
    "enum { HERE = 1 + 2 };",
    "_Static_assert(WIDTH == 4, \"wide\");",
    "(void)TWICE(a + 1);",
    "char x[] = \"abc\"; (void)x;",
)  # fmt: skip


@pytest.fixture
def read(scratch):
    """read(body): the Source of a file with such a function."""

    def call(body, result="int", before=""):
        path = scratch / "one.c"
        path.write_text(f"{HEAD}{before}{result} f(int a, int b, struct pair *p)\n"
                        f"{{\n\t{body}\n}}\n")
        return mutants.read(path, ["-std=c11"])

    return call


@pytest.mark.parametrize("body", FOUND)
def test_mutator_finds_what_an_expression_may_become(read, body):
    source = read(body)
    assert {t for s in source.sites for _, t in s.edits} == FOUND[body]
    assert {s.line for s in source.sites} == {FIRST + 2}


@pytest.mark.parametrize("body", LEFT_ALONE)
def test_mutator_leaves_alone_what_is_not_evaluated(read, body):
    assert not [s.edits for s in read(body).sites if s.edits]


@pytest.fixture
def compiled(read, scratch):
    """compiled(body, main): the numbers of the mutants in a program."""

    def call(body, more="", result="int"):
        source = read(body, result)
        source.text += more
        objects = [scratch / "one.o", scratch / "start.o"]
        text = scratch / "one.mutants.c"
        dropped = schemata.compile_all(
            source, 1, ["gcc", "-w", "-c", "-o", objects[0], text], text)
        start = schemata.HERE / "schemata.c"
        subprocess.run(["gcc", "-c", "-o", objects[1], start], check=True)
        subprocess.run(["gcc", "-o", scratch / "one", *objects], check=True)
        numbers = schemata.number(source.sites, 1)
        return {text: number for site in source.sites
                for (_, text), number in zip(
                    site.edits, numbers[site.start, site.end])
                if number not in dropped}

    return call


MAIN = """
int use(int a, int b) { return a - b; }
void say(const char *text) { (void)text; }
int main(void) { struct pair p = { 1, 2, "" }; return f(7, 3, &p); }
"""


def test_the_environment_chooses_the_mutant(compiled, scratch):
    numbers = compiled("return use(a + 1, b * 2);", MAIN)

    def ends(number):
        names = {**os.environ, "TR2_MUTANT": str(number)}
        return subprocess.run([scratch / "one"], env=names).returncode

    assert ends(0) == 2
    assert ends(numbers["a - 1"]) == 0
    assert ends(numbers["b / 2"]) == 7
    assert ends(numbers["use(b * 2, a + 1)"]) == 256 - 2


def test_what_is_reached_is_noted(compiled, scratch):
    numbers = compiled("if (a < b) return 55; return a * b + 3;", MAIN)
    reached = scratch / "reach"
    reached.write_bytes(bytes(64))
    subprocess.run([scratch / "one"],
                   env={**os.environ, "TR2_REACH": str(reached)})
    seen = set(judge.ones(reached.read_bytes()))
    assert numbers["a / b"] in seen
    assert numbers["54"] not in seen


def test_mutants_that_do_not_compile_are_dropped(compiled):
    """Two pointers have no sum."""
    numbers = compiled("return (int)(p->text + a - p->text);", MAIN)
    assert "p->text - a" in numbers
    both = compiled("const char *q = a + p->text; return *q;", MAIN)
    assert "a - p->text" not in both and "0" in both


def test_assignments_in_expressions_have_mutants(compiled):
    numbers = compiled("for (; b > 0; b -= 2) a++; return a;", MAIN)
    assert {"b >= 0", "b += 2"} <= set(numbers)


class Command:
    files = ()

    def __init__(self, name, call):
        self.name, self.run = name, call


def finish(held):
    while True:
        if time.monotonic() > held.deadline:
            return held.finish(hung=True)
        if not os.waitid(os.P_PIDFD, held.pidfd,
                         os.WEXITED | os.WNOHANG | os.WNOWAIT):
            time.sleep(0.01)
            continue
        return held.finish()


def test_jail_ends_with_the_first_test_that_differs():
    held = jail.Jail()
    tests = [Command(name, lambda name=name: name * 2) for name in "abc"]
    held.start({}, tests, {"a": ("aa", 1), "b": ("b", 1), "c": ("cc", 1)})
    assert [row[:2] for row in finish(held)] == [["a", "aa"], ["b", "bb"]]


def test_jail_ends_what_hangs_and_its_children(monkeypatch, scratch):
    monkeypatch.setattr(jail, "SLACK", 0.2)

    def hang():
        subprocess.Popen(["sh", "-c", "sleep 100 & echo $! >pid; wait"],
                         cwd=scratch, start_new_session=True).wait()

    held = jail.Jail()
    held.start({}, [Command("hangs", hang)], {"hangs": ("", 0)})
    assert [row[:2] for row in finish(held)] == [["hangs", jail.HUNG]]
    pid = int((scratch / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_jail_keeps_a_signal_to_the_group_of_a_test():
    held = jail.Jail()
    held.start({}, [Command("kills", lambda: os.kill(0, signal.SIGTERM))],
               {"kills": (None, 1)})
    assert [row[:2] for row in finish(held)] == [["?", "signal 15"]]


@pytest.fixture
def mutants_of(read, scratch):
    """mutants_of(body, alike): those of such a file, as a build leaves them;
    the one with the number `alike` is equal by C."""

    def call(body, alike=0):
        source = read(body)
        numbers = schemata.number(source.sites, 1)
        rows = [
            {"number": n, "site": n, "line": s.line, "function": s.function,
             "kind": kind, "start": s.start, "end": s.end,
             "original": s.original, "mutation": text, "alike": n == alike}
            for s in source.sites
            for n, (kind, text) in zip(numbers[s.start, s.end], s.edits)
        ]  # fmt: skip
        (scratch / "one.mutants.json").write_text(
            json.dumps({"flags": ["-std=c11"], "rows": rows}))
        return report.read_mutants(scratch, scratch, "one.c")

    return call


def test_mutants_are_known_by_place_and_not_by_line(mutants_of, scratch):
    found = mutants_of("return a + 1 + 1;", alike=2)
    keys = [m.key for m in found]
    assert len(set(keys)) == len(keys)
    assert 2 not in [m.number for m in found]
    assert "one.c\tf\t1 #2\t2" in keys
    listed = scratch / "equivalent.tsv"
    listed.write_text("# why\none.c\tf\t1 #2\t2\tno one looks\n"
                      f"one.c\tf\t1 #2\t0\t{same_code.CLAIM}\n"
                      "one.c\tf\tgone\t0\tno such text\n")
    known = report.Equivalents(listed)
    assert list(known.of(found).values()) == ["no one looks"]
    assert [m.key for m in known.claimed(found)] == ["one.c\tf\t1 #2\t0"]
    assert known.stale(found) == ["one.c\tf\tgone\t0"]


def test_mutants_that_compile_to_the_same_code_are_told(
        mutants_of, scratch, monkeypatch):
    monkeypatch.chdir(scratch)
    found = mutants_of("a = b - 1; return 1 | 2;")
    same = same_code.SameCode(scratch / "same-code")
    assert [(m.original, m.mutation) for m in same.of(found, 2)] == [
        ("a = b - 1;", ""), ("b - 1", "b + 1"), ("1", "0"), ("1", "2"),
        ("2", "3")]


def test_what_a_compiler_refuses_is_not_the_same_code(
        mutants_of, scratch, monkeypatch):
    monkeypatch.chdir(scratch)
    found = mutants_of("return a + nothing;")
    assert same_code.SameCode(scratch / "same-code").of(found, 1) == []


def test_code_is_compared_anew_when_its_source_changes(
        mutants_of, scratch, monkeypatch):
    monkeypatch.chdir(scratch)
    for body, expected in (("a = 1; return 3;", 2), ("a = 1; return a;", 0)):
        same = same_code.SameCode(scratch / "same-code")
        found = [m for m in mutants_of(body) if m.original == "1"]
        assert len(same.of(found, 1)) == expected
        monkeypatch.setattr(same_code, "compiled", None)
        known = same_code.SameCode(scratch / "same-code")
        assert len(known.of(found, 1)) == expected
        monkeypatch.undo()
        monkeypatch.chdir(scratch)


def test_what_is_left_out_does_not_count(mutants_of):
    found = mutants_of("return a + 1;")
    killed = {m.key: {"verdict": judge.KILLED} for m in found[1:]}
    made = report.Report(found, {}, type("Results", (), {
        "of": lambda self, m: killed.get(m.key)})(), [])
    assert made.percent() < 100
    made.leave_out(made.survivors())
    assert made.percent() == 100
    assert made.short().endswith("makes the same code of them: 1")


# What static functions are called for, and which of their numbers for
# another makes no difference then.
CALLED = {
    "if (!g()) say(\"\");": {("1", "2"), ("-1", "(1)"), ("1 #2", "2")},
    "while (g() && a) a--;": {("1", "2"), ("-1", "(1)"), ("1 #2", "2")},
    "if (g() < 0) say(\"\");": {("1", "2"), ("1 #2", "2")},
    "a = b ? !g() : b;": {("1", "2"), ("-1", "(1)"), ("1 #2", "2")},
    "g();": {("1", "2"), ("-1", "(1)"), ("1 #2", "2")},
    "return g();": set(),
    "a = g();": set(),
    "if (g() > 1) say(\"\");": set(),
    "use(g(), !g());": set(),
    "int (*h)(int) = (int (*)(int))g; if (!g()) h(0);": set(),
    "": {("1", "2"), ("-1", "(1)"), ("1 #2", "2")},
}


@pytest.mark.parametrize("body", CALLED)
def test_numbers_that_nobody_tells_apart_are_no_mutants(read, body):
    before = "static int g(void) { if (LIMIT) return -1; return 1; }\n"
    source = read(body, before=before)
    seen = collections.Counter()
    found = set()
    for site in source.sites:
        seen[site.original] += 1
        name = site.original
        if seen[name] > 1:
            name += f" #{seen[name]}"
        found |= {(name, text) for kind, text in site.edits
                  if source.alike.is_same(site, kind, text)}
    assert found == CALLED[body]


@pytest.mark.parametrize("asked, is_same", [
    ("if (strcmp(t, \"x\")) say(\"\");", True),
    ("a = !memcmp(t, \"x\", 1);", True),
    ("a = strcmp(t, \"x\");", False),
    ("a = strcmp(t, \"x\") < 0;", False),
])  # fmt: skip
def test_texts_that_change_places_may_be_the_same(read, asked, is_same):
    source = read(f"const char *t = p->text; {asked}",
                  before="#include <string.h>\n")
    assert [source.alike.is_same(site, kind, text) for site in source.sites
            for kind, text in site.edits if kind == "arguments"] == [is_same]


class Place:
    def __init__(self, key, number):
        self.key, self.number = key, number


def by_number(number):
    """A test that notices that mutant."""
    return "failed" if os.environ.get("TR2_MUTANT") == number else "passed"


SAMPLED = [
    ("a.c\tf\t1\t2", "notices 4"),
    ("a.c\tf\t1 #2\t2", "notices 4"),
    ("a.c\tg\t0\t1", "notices 4"),
]


def test_unit_programs_are_linked_to_notice_leaks_where_that_is_possible(
        scratch):
    (scratch / "Makefile").write_text("%:\n\t@echo '$(FLAGS)'\n")
    programs = ["unit/lib/files/own", "unit/trace/engine/parts/x"]
    done = subprocess.run(["make", "-s", f"FLAGS={tests.LINKED}", *programs],
                          cwd=scratch, stdout=subprocess.PIPE, text=True)
    assert done.stdout.split("\n")[:2] == ["-fsanitize=leak", ""]


def test_a_sample_tells_what_is_not_noticed_any_more():
    mutants = [Place("a.c\tf\t1\t2", 4), Place("a.c\tf\t1 #2\t2", 5)]
    taken = sample.Sample(SAMPLED, mutants,
                          [Command("notices 4", lambda: by_number("4"))])
    unnoticed, bad = taken.run(2)
    assert [mutant.number for mutant, _ in unnoticed] == [5]
    assert not bad
    assert taken.sure(1) == SAMPLED[:1]
    assert taken.gone == ["a.c\tg\t0\t1\tnotices 4"]
    assert taken.is_worn()


def test_a_sampled_test_that_fails_anyway_is_named():
    taken = sample.Sample(SAMPLED[:1], [Place("a.c\tf\t1\t2", 4)],
                          [Command("notices 4", lambda: "failed")])
    assert taken.run(1) == ([], ["notices 4"])


def test_a_sample_is_chosen_of_what_was_killed_quickly(scratch):
    rows = {key: {"verdict": verdict, "by": by} for key, verdict, by in (
        ("k\t1", judge.KILLED, "quick"), ("k\t2", judge.KILLED, "slow"),
        ("k\t3", judge.SURVIVED, ""), ("k\t4", judge.KILLED, "quick"))}
    mutants = [Place(key, 1) for key in rows] + [Place("k\t5", 1)]

    class Results:
        def of(self, mutant):
            return rows.get(mutant.key)

    chosen = sample.choose(mutants, Results(), {"quick": 0.1, "slow": 9}, 9)
    sample.write(scratch / "sample.tsv", chosen)
    assert sample.read(scratch / "sample.tsv") == [("k\t1", "quick"),
                                                   ("k\t4", "quick")]


def test_a_draw_is_the_same_for_one_seed_and_keeps_the_order():
    everyone = list(range(1000))
    drawn = sample.draw(everyone, 100, 1)
    assert len(set(drawn)) == 100
    assert drawn == sorted(drawn) == sample.draw(everyone, 100, 1)
    assert drawn != sample.draw(everyone, 100, 2)
    assert sample.draw(everyone, 1000, 1) == everyone
    assert sample.draw(everyone, None, 1) == everyone


@pytest.mark.parametrize("killed, shown", [
    (900, "90.0 % are noticed; of all mutants, 88.0 to 91.7 %"),
    (1000, "100.0 % are noticed; of all mutants, 99.6 to 100.0 %"),
    (0, "0.0 % are noticed; of all mutants, 0.0 to 0.4 %")])
def test_a_draw_tells_how_sure_its_share_is(killed, shown):
    mutants = [Place(f"k\t{number}", number) for number in range(1000)]
    verdicts = [judge.KILLED] * killed + [judge.SURVIVED] * (1000 - killed)
    rows = {mutant.key: {"verdict": verdict}
            for mutant, verdict in zip(mutants, verdicts)}
    made = report.Report(mutants, {}, type("Results", (), {
        "of": lambda self, mutant: rows[mutant.key]})(), [])
    assert f"1000 of 50000 mutants, of which {shown}" in made.estimate(50000)


def test_a_source_that_a_test_includes_has_its_mutants(scratch):
    for name, text in (("ref/part.c", "static int f(int a) { return a; }\n"),
                       ("t/unit/whole.c", '#include "part.c"\n'
                        "int g(void) { return f(2); }\n")):
        (scratch / name).parent.mkdir(parents=True)
        (scratch / name).write_text(text)
    (scratch / "bases").write_text('{"ref/part.c": 100}')
    subprocess.run([HERE / "cc", "-Iref", "-c", "-o", "whole.o",
                    "t/unit/whole.c"], check=True, cwd=scratch,
                   env={**os.environ, "TR2_BASES": "bases"})  # fmt: skip
    made = (scratch / "whole.included/part.c").read_text()
    assert "tr2_mutant == 100 ? (0) :" in made
    symbols = subprocess.check_output(["nm", scratch / "whole.o"], text=True)
    assert "U tr2_mutant" in symbols
