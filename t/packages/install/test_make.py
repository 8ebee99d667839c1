"""What the Makefile says about itself."""

import os
import re
import shutil
import subprocess
import tarfile

import pytest


@pytest.fixture(scope="module")
def make(root):
    """make(*arguments): its output, called as a user calls it."""
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}

    def call(*arguments, stderr=subprocess.DEVNULL):
        done = subprocess.run(
            ["make", "-s", "-C", root, *arguments],
            env=names,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        return done.stdout

    return call


def test_help_lists_every_target_in_one_short_line(make):
    first, rest = map(str.splitlines, make("help").split("\n\n"))
    lines = first + rest
    listed = [line.split()[0] for line in rest]
    listed = sorted(listed + [line.split()[0] for line in first])
    database = make("-p", "-q", "no-such-target")
    phony = re.search(r"^\.PHONY:(.*)$", database, re.M)[1].split()
    assert listed == sorted(set(phony))
    assert [line for line in lines if len(line) > 79] == []


def test_help_begins_with_the_five_targets_that_people_need_first(make):
    first, rest = make("help").split("\n\n")
    names = [line.split()[0] for line in first.splitlines()]
    assert names == ["validate", "test", "conformance", "all", "install"]
    listed = [line.split()[0] for line in rest.splitlines()]
    assert listed == sorted(listed)


def test_pages_and_ci_name_only_targets_that_exist(make, root):
    listed = set(re.findall(r"^\S+", make("help"), re.M))
    for name in ("README.md", "docs/tour.md", "docs/measured.md", "HACKING.md",
                 ".ci/run"):
        named = re.findall(r"\bmake ([a-z][a-z-]*)", (root / name).read_text())
        assert named and set(named) <= listed, name


LACKING = {
    "python3 no-c++": ["PYTHON=/no/python3", "CXX=no-c++"],
    "no_such.h": ["NEEDS=stdio.h no_such.h"],
}


@pytest.mark.parametrize("packages", LACKING)
def test_a_build_that_lacks_something_names_it_on_one_line(make, packages,
                                                             short_dir):
    # Elsewhere: other flags would make this tree's build out of date, and the
    # path of a clone may have a blank, which that of a build may not.
    said = make("all", f"B={short_dir}/b", *LACKING[packages],
                stderr=subprocess.STDOUT)
    (line,) = said.splitlines()
    assert f"to build, install {packages} (" in line
    assert "make deps-build" in line


@pytest.mark.long("builds the library once more")
def test_a_library_needs_less_than_the_command(make, short_dir):
    lacking = ["PYTHON=/no/python3", "CXX=no-c++", f"B={short_dir}/b"]
    said = make(f"{short_dir}/b/libtrace2.a", *lacking,
                stderr=subprocess.STDOUT)
    assert said == ""


@pytest.fixture
def build_object(root, short_dir):
    """build_object(*arguments): one object, in a build of the test's own;
    when it was made."""
    names = {k: v for k, v in os.environ.items()
             if not k.startswith("MA") and k != "WERROR"}

    def call(*arguments, name="ref/gitconfig/glob.o"):
        path = short_dir / "b" / name
        subprocess.run(["make", "-s", "-C", root, f"B={short_dir}/b", path,
                        *arguments], env=names, check=True)
        return path.stat().st_mtime_ns

    return call


@pytest.mark.long("compiles again")
def test_an_object_is_made_anew_when_flags_change(build_object):
    first = build_object("CFLAGS=-DQUOTED='\"a b\"'")
    assert build_object("CFLAGS=-DQUOTED='\"a b\"'") == first
    second = build_object("CFLAGS=-DOTHER")
    assert second > first
    assert build_object("CFLAGS=-DOTHER", "OPT=-O1") > second


@pytest.mark.parametrize("file", ["Makefile", *(
    pytest.param(file, marks=pytest.mark.long("like the Makefile"))
    for file in ("t/documents/req/req.mk", "schema/schema.mk"))])
def test_an_object_is_made_anew_when_a_rule_changes(build_object, file):
    first = build_object()
    assert build_object("-W", file) > first


@pytest.mark.long("compiles again")
def test_warnings_are_no_errors_for_a_user(build_object):
    wrong = "CFLAGS=-Wmissing-include-dirs -I/nonexistent"
    build_object(wrong)
    with pytest.raises(subprocess.CalledProcessError):
        build_object(wrong, "WERROR=-Werror")


# glibc's checked functions abort for `%n` in a text that can be written, and
# for `%2$s` without `%1$s`. Debian's flags ask for them.
@pytest.mark.parametrize("name", [
    pytest.param("process/prepare", marks=pytest.mark.long("compiles again")),
    "target/older"])
def test_a_hardened_library_ends_no_host_for_its_format(build_object, name,
                                                        short_dir):
    build_object("CPPFLAGS=-D_FORTIFY_SOURCE=2", "OPT=-O2",
                 name=f"ref/{name}.o")
    symbols = subprocess.run(["nm", "-u", short_dir / f"b/ref/{name}.o"],
                             stdout=subprocess.PIPE, text=True, check=True)
    assert re.findall(r"\w*vsnprintf\w*", symbols.stdout) == ["vsnprintf"]


@pytest.fixture
def rules(make):
    """{target: (what it needs, its recipe)}, as the Makefile has them."""
    text = make("-p", "-q", "no-such-target")
    found = re.findall(r"^([\w./-]+):(?!=)(.*)\n((?:#.*\n|\t.*\n)*)", text, re.M)
    return {name: (needs.split(), recipe) for name, needs, recipe in found}


def recipes_of(rules, target):
    """Those of the target and of all that it needs."""
    needs, recipe = rules.get(target, ([], ""))
    return recipe + "".join(recipes_of(rules, name) for name in needs)


def test_only_targets_that_say_so_install(rules):
    named = {name for name, (needs, recipe) in rules.items()
             if not re.search("^[.]|/", name) and (needs or recipe)}
    installing = {name for name in named if re.search(
        r"helper/deps\.sh (?!missing)|helper/\w+\.sh.* build/(perf|dev|chr)",
        recipes_of(rules, name))}
    assert installing == {
        "test", "validate", "deps", "deps-build", "deps-test", "deps-check",
        "deps-mutation", "deps-tracing", "deps-wasm", "check-wasm",
        "check-wasm-page", "check-node",
        "fleet", "perfetto", "devtools", "chromium"}
    assert {"all", "suite", "conformance", "check", "release"} <= named


def test_make_works_from_another_directory(root, short_dir):
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}
    subprocess.run(["make", "-s", "-f", root / "Makefile",
                    f"{short_dir}/build/ref/gitconfig/glob.o"],
                   cwd=short_dir, env=names, check=True)
    assert (short_dir / "build/ref/gitconfig/glob.o").exists()


def test_another_python_can_be_named(make):
    shown = make("-n", "-B", "all", "PYTHON=/other/python", "NEEDS=")
    assert "/other/python helper/rules/gen_tables.py" in shown
    assert "/usr/bin/python3" not in shown


@pytest.mark.long("makes a tarball")
@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_dist_holds_what_is_committed(root, make, short_dir):
    if not (root / ".git").exists():
        pytest.skip("not a clone")
    make("dist", f"B={short_dir}")
    (path,) = short_dir.glob("trace2-*.tar.gz")
    with tarfile.open(path) as tar:
        found = {m.name.partition("/")[2] for m in tar if m.isfile()}
    shown = subprocess.run(
        ["git", "-C", root, "ls-tree", "-r", "-z", "--name-only", "HEAD"],
        check=True, stdout=subprocess.PIPE).stdout.decode()
    committed = {name for name in shown.split("\0") if name}
    assert {"Makefile", "SPEC.md", "ref/trace2.h"} <= found
    assert found == {n for n in committed if not n.startswith("debian/")}
