"""Includes of config files and their conditions, beside the installed git."""

import os
import pwd
import re

import pytest

from gitconfig_kit import git, lists, repo  # noqa: F401

INNER = "[inner]\nkey = 1\n"


def test_include_is_read_at_its_place(lists, scratch):
    (scratch / ".gitconfig").write_text(
        "[a]\nb = 1\n[include]\npath = inner\n[a]\nb = 2\n"
    )
    (scratch / "inner").write_text("[a]\nb = inner\n")
    assert [text for _, text in lists()] == [
        "a.b\n1",
        "include.path\ninner",
        "a.b\ninner",
        "a.b\n2",
    ]


PATHS = {
    "absolute": "{top}/dir/inner",
    "relative": "dir/inner",
    "with dots": "./dir/../dir/inner",
    "home": "~/dir/inner",
    "in quotes": '"dir/inner"',
    "missing": "gone",
    "missing directory": "gone/inner",
    "below a file": "dir/inner/x",
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_include_path_is_taken_as_git_takes_it(path, lists, scratch):
    (scratch / "dir").mkdir()
    (scratch / "dir/inner").write_text(INNER)
    path = path.format(top=scratch)
    (scratch / ".gitconfig").write_text(f"[include]\npath = {path}\n")
    lists()


def test_include_is_relative_to_the_file_it_stands_in(lists, repo, scratch):
    (scratch / "dir").mkdir()
    (scratch / "dir/first").write_text("[include]\npath = second\n")
    (scratch / "dir/second").write_text(INNER)
    (scratch / ".gitconfig").write_text("[include]\npath = dir/first\n")
    (repo / ".git/extra").write_text("[extra]\nkey\n")
    (repo / ".git/config").open("a").write("[include]\npath = extra\n")
    listing = lists(repo / "sub")
    assert ("global", "inner.key\n1") in listing
    assert ("local", "extra.key") in listing


def test_include_finds_the_home_of_a_user(lists, scratch):
    user = pwd.getpwuid(os.geteuid())
    up = "../" * user.pw_dir.count("/")
    (scratch / "inner").write_text(INNER)
    path = f"~{user.pw_name}/{up}{scratch}/inner"
    (scratch / ".gitconfig").write_text(f"[include]\npath = {path}\n")
    found = ("global", "inner.key\n1") in lists()
    assert found == os.path.isdir(user.pw_dir)


def test_include_of_the_command_scope_keeps_that_scope(lists, scratch):
    (scratch / "inner").write_text(INNER)
    names = {"GIT_CONFIG_PARAMETERS": f"'include.path={scratch}/inner'"}
    assert ("command", "inner.key\n1") in lists(scratch, names)


def chain(scratch, length):
    """Files 1 to `length`, each including the next."""
    for i in range(1, length + 1):
        (scratch / f"f{i}").write_text(
            f"[l]\nevel = {i}\n[include]\npath = f{i + 1}\n[l]\nback = {i}\n"
        )
    (scratch / ".gitconfig").write_text("[include]\npath = f1\n")


def test_ten_levels_of_includes_are_followed(lists, scratch):
    chain(scratch, 10)
    assert ("global", "l.evel\n10") in lists()


def early(execute, test_tool):
    """The values, and the warnings of this one reading."""
    done = execute([test_tool, "gitconfig", "early"])
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    return done.stdout.decode().split("\0")[1::2], lines[: len(lines) // 2]


def test_eleventh_level_is_a_warning(execute, test_tool, scratch):
    chain(scratch, 11)
    values, lines = early(execute, test_tool)
    assert "l.evel\n10" in values and "l.evel\n11" not in values
    assert values[-1] == "l.back\n1"
    assert lines == [
        f"warning: trace2: not including '{scratch}/f11': "
        "more than 10 levels deep, or 1000 files"
    ]


def test_includes_behind_a_circle_are_followed(execute, test_tool, scratch):
    (scratch / "circle").write_text("[a]\nb\n[include]\npath = circle\n")
    (scratch / "inner").write_text(INNER)
    (scratch / ".gitconfig").write_text(
        "[include]\npath = circle\npath = inner\n"
    )
    values, lines = early(execute, test_tool)
    assert values.count("a.b") == 10 and len(lines) == 1
    assert values[-1] == "inner.key\n1"


def test_wide_circle_of_includes_ends(execute, test_tool, scratch):
    text = "[a]\nb\n" + "[include]\npath = .gitconfig\n" * 20
    (scratch / ".gitconfig").write_text(text)
    values, lines = early(execute, test_tool)
    assert values.count("a.b") == 1001 and len(lines) == 1


def test_include_without_a_usable_path_is_a_warning(execute, test_tool, scratch):
    file = scratch / ".gitconfig"
    for line in ("path", "path = ~nobody-of-this-name/x"):
        file.write_text(f"[include]\n{line}\n{INNER}")
        values, lines = early(execute, test_tool)
        assert values[-1] == "inner.key\n1"
        assert lines == [
            "warning: trace2: unusable include path "
            f"in file {file} at line 2"
        ]


# Conditions, and whether they hold in the repository's directory sub.
CONDITIONS = {
    "gitdir:{repo}/.git": True,
    "gitdir:{repo}/": True,
    "gitdir:{repo}": False,
    "gitdir:{top}/": True,
    "gitdir:{top}/*/.git": True,
    "gitdir:{top}/*": False,
    "gitdir:{top}/**": True,
    "gitdir:{top}/**/.git": True,
    "gitdir:/**/repo/**": True,
    "gitdir:repo/": True,
    "gitdir:repo/.git": True,
    "gitdir:epo/": False,
    "gitdir:REPO/": False,
    "gitdir/i:REPO/": True,
    "gitdir/I:REPO/": False,
    "gitdir:r[e-f]po/.gi?": True,
    "gitdir:~/repo/": True,
    "gitdir:./repo/": True,
    "gitdir:./repo/.git": True,
    "gitdir:./other/": False,
    "gitdir/i:./REPO/": True,
    "gitdir:link/": False,
    "gitdir:": True,
    "gitdir:*": True,
    "gitdir": False,
    "gitdi:repo/": False,
    "hasconfig:remote.*.url:https://host/**": True,
    "hasconfig:remote.*.url:https://host/*": False,
    "hasconfig:remote.*.url:https://*/a/b": True,
    "hasconfig:remote.*.url:https://other/**": False,
    "hasconfig:remote.*.url:ssh://early/x": True,
    "hasconfig:remote.*.pushurl:**": False,
    "hasconfig:remote.*.url:": False,
    "unknown:x": False,
}


def conditional(names):
    """Config with an include of its own number for each condition."""
    return "".join(
        f'[includeIf "{name}"]\npath = inner{i}\n'
        for i, name in enumerate(names)
    )


def held(listing):
    """The numbers of the conditions that held."""
    found = (re.match(r"inner\d*\.n(\d+)$", text) for _, text in listing)
    return {int(match[1]) for match in found if match}


@pytest.fixture
def conditions(scratch):
    """~/.gitconfig and the files; the conditions' names."""
    names = [name.format(top=scratch, repo=scratch / "repo") for name in CONDITIONS]
    (scratch / ".gitconfig").write_text(
        '[remote "early"]\nurl = ssh://early/x\n' + conditional(names)
    )
    for i in range(len(names)):
        (scratch / f"inner{i}").write_text(f"[inner]\nn{i}\n")
    return names


def test_conditions_hold_where_git_says(conditions, repo, lists, git):
    git("remote", "add", "origin", "https://host/a/b", cwd=repo)
    assert held(lists(repo / "sub")) == {
        i for i, holds in enumerate(CONDITIONS.values()) if holds
    }


def test_early_only_hasconfig_can_hold(conditions, repo, execute, test_tool, git):
    git("remote", "add", "origin", "https://host/a/b", cwd=repo)
    done = execute([test_tool, "gitconfig", "early"], cwd=repo)
    words = done.stdout.decode().split("\0")[:-1]
    names = {conditions[i] for i in held(zip(words[::2], words[1::2]))}
    assert names == {"hasconfig:remote.*.url:ssh://early/x"}


def test_branch_and_worktree_conditions_never_hold(
    repo, execute, test_tool, scratch
):
    names = ["onbranch:**", "onbranch:master", "worktree:**"]
    (scratch / ".gitconfig").write_text(conditional(names))
    for i in range(len(names)):
        (scratch / f"inner{i}").write_text(f"[inner]\nn{i}\n")
    done = execute([test_tool, "gitconfig", "list"], cwd=repo)
    assert b"my.key\nlocal" in done.stdout and b"inner.n" not in done.stdout


def test_condition_sees_the_link_that_the_shell_shows(repo, lists, scratch):
    (scratch / "link").symlink_to("repo")
    (scratch / ".gitconfig").write_text(conditional(["gitdir:link/"]))
    (scratch / "inner0").write_text("[inner]\nn0\n")
    assert held(lists(scratch / "link")) == {0}
    assert held(lists(repo)) == set()


def test_conditional_include_may_not_add_remotes(execute, test_tool, scratch):
    (scratch / ".gitconfig").write_text(
        conditional(
            ["hasconfig:remote.*.url:a", "hasconfig:remote.*.url:b"]
        )
        + '[remote "x"]\nurl = a\n'
    )
    (scratch / "inner0").write_text('[remote "y"]\nurl = b\n[inner]\nn0\n')
    (scratch / "inner1").write_text("[inner]\nn1\n")
    values, lines = early(execute, test_tool)
    assert "inner.n0" in values and "inner.n1" not in values
    assert not lines


def test_conditions_of_all_scopes_see_all_remotes(repo, lists, scratch, git):
    git("remote", "add", "origin", "https://host/a", cwd=repo)
    names = {
        "GIT_CONFIG_SYSTEM": str(scratch / "system"),
        "GIT_CONFIG_PARAMETERS": "'remote.x.url=command'",
    }
    (scratch / "system").write_text(
        conditional(
            ["hasconfig:remote.*.url:https://host/a"]
            + ["hasconfig:remote.*.url:command"]
        )
    )
    for i in range(2):
        (scratch / f"inner{i}").write_text(f"[inner]\nn{i}\n")
    listing = lists(repo, names)
    assert held(listing) == {0, 1}
    assert ("system", "inner.n0") in listing
