"""Repositories, includes and their conditions, beside the installed git."""

import os
import re

import pytest

INNER = "[inner]\nkey = 1\n"


@pytest.fixture
def git(execute, scratch):
    """Run git, which must succeed."""

    def call(*arguments, cwd=scratch):
        done = execute(["git", *arguments], cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done

    return call


@pytest.fixture
def repo(git, scratch):
    """A repository with a commit and a directory below it."""
    git("init", "-q", "repo")
    path = scratch / "repo"
    for pair in ("user.name=A", "user.email=a@b", "my.key=local"):
        git("config", *pair.split("="), cwd=path)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=path)
    (path / "sub/deep").mkdir(parents=True)
    return path


@pytest.fixture
def lists(execute, test_tool, scratch):
    """Both listings, as [(scope, key, value), ...]; they must be equal."""

    def listing(command, env, cwd):
        done = execute(command, env=env, cwd=cwd)
        assert (done.returncode, done.stderr) == (0, b"")
        words = done.stdout.decode().split("\0")
        return list(zip(words[:-1:2], words[1::2]))

    def call(cwd=scratch, env={}):
        # in a shell, which sets PWD
        here = {"PWD": str(cwd), **env}
        command = ["git", "config", "--list", "--show-scope", "-z"]
        theirs = listing(command, here, cwd)
        ours = listing([test_tool, "gitconfig", "list"], here, cwd)
        assert ours == [pair for pair in theirs if pair[0] != "worktree"]
        return ours

    return call


def finds(listing):
    """Does it hold the repository's own?"""
    return ("local", "my.key\nlocal") in listing


def test_repository_is_found_from_its_top_and_below(repo, lists):
    for cwd in (repo, repo / "sub", repo / "sub/deep", repo / ".git"):
        assert finds(lists(cwd))


def test_repository_is_found_through_a_link(repo, lists, scratch):
    (scratch / "link").symlink_to("repo/sub")
    assert finds(lists(scratch / "link"))


def test_empty_dot_git_is_passed_over(repo, lists):
    (repo / "sub/.git").mkdir()
    assert finds(lists(repo / "sub"))


def test_bare_repository_is_found(repo, git, lists, scratch):
    git("clone", "-q", "--bare", "repo", "bare.git")
    git("config", "my.key", "local", cwd=scratch / "bare.git")
    assert finds(lists(scratch / "bare.git"))
    assert finds(lists(scratch / "bare.git/refs"))


def test_gitfile_leads_to_the_repository(repo, git, lists, scratch):
    git("init", "-q", "--separate-git-dir", "elsewhere", "other")
    git("config", "my.key", "local", cwd=scratch / "other")
    assert finds(lists(scratch / "other"))
    (scratch / "other/.git").write_bytes(b"gitdir: ../elsewhere\r\n")
    assert finds(lists(scratch / "other"))


def test_linked_worktree_reads_the_shared_config(repo, git, lists, scratch):
    git("worktree", "add", "-q", "../linked", cwd=repo)
    git("config", "extensions.worktreeConfig", "true", cwd=repo)
    git("config", "--worktree", "my.other", "1", cwd=scratch / "linked")
    assert finds(lists(scratch / "linked"))


def test_head_may_be_detached_or_a_link(repo, git, lists):
    git("checkout", "-q", "--detach", cwd=repo)
    assert finds(lists(repo))
    (repo / ".git/HEAD").unlink()
    (repo / ".git/HEAD").symlink_to("refs/heads/master")
    assert finds(lists(repo))


NAMED = {
    "absolute": {"GIT_DIR": "{repo}/.git"},
    "relative": {"GIT_DIR": "repo/.git"},
    "gitfile": {"GIT_DIR": "gitfile"},
    "common": {"GIT_DIR": "repo/.git", "GIT_COMMON_DIR": "{repo}/.git"},
    "objects": {"GIT_DIR": "repo/.git", "GIT_OBJECT_DIRECTORY": "{repo}"},
}


@pytest.mark.parametrize("names", NAMED.values(), ids=NAMED)
def test_variables_name_the_repository(names, repo, lists, scratch):
    (scratch / "gitfile").write_text(f"gitdir: {repo}/.git\n")
    names = {key: value.format(repo=repo) for key, value in names.items()}
    assert finds(lists(scratch, names))


# Each with the directory to start in and whether the repository is found.
CEILINGS = {
    "above the repository": ("{top}", "repo/sub/deep", True),
    "the repository": ("{repo}", "repo/sub/deep", False),
    "the repository, from there": ("{repo}", "repo", True),
    "between": ("{repo}/sub", "repo/sub/deep", False),
    "the directory itself": ("{repo}/sub/deep", "repo/sub/deep", True),
    "slash at the end": ("{repo}/", "repo/sub", False),
    "second of two": ("/nonexistent:{repo}", "repo/sub", False),
    "longest of two": ("{top}:{repo}", "repo/sub", False),
    "relative": ("repo", "repo/sub", True),
    "link": ("{top}/link", "repo/sub", False),
    "link behind an empty entry": (":{top}/link", "repo/sub", True),
    "prefix of a name": ("{top}/re", "repo/sub", True),
    "root": ("/", "repo/sub", True),
    "empty": ("", "repo/sub", True),
}


@pytest.mark.parametrize("ceiling, start, found", CEILINGS.values(), ids=CEILINGS)
def test_search_stops_at_a_ceiling(ceiling, start, found, repo, lists, scratch):
    (scratch / "link").symlink_to("repo")
    names = {"GIT_CEILING_DIRECTORIES": ceiling.format(top=scratch, repo=repo)}
    assert finds(lists(scratch / start, names)) == found


BROKEN = {
    "no HEAD": lambda git: (git / "HEAD").unlink(),
    "HEAD of something else": lambda git: (git / "HEAD").write_text("x\n"),
    "HEAD outside refs": lambda git: (git / "HEAD").write_text("ref: x\n"),
    "no objects": lambda git: (git / "objects").rename(git / "gone"),
    "no refs": lambda git: (git / "refs").rename(git / "gone"),
    "commondir missing": lambda git: (git / "commondir").write_text("gone\n"),
}


@pytest.mark.parametrize("harm", BROKEN.values(), ids=BROKEN)
def test_broken_repository_is_none(harm, repo, lists):
    harm(repo / ".git")
    assert not finds(lists(repo))


GITFILES = {
    "empty": "",
    "no prefix": "{repo}/.git\n",
    "no path": "gitdir: \n",
    "path of nothing": "gitdir: /nonexistent\n",
    "path of no repository": "gitdir: ..\n",
}


@pytest.mark.parametrize("text", GITFILES.values(), ids=GITFILES)
def test_broken_gitfile_ends_the_search(text, repo, execute, test_tool):
    (repo / "sub/.git").write_text(text.format(repo=repo))
    done = execute([test_tool, "gitconfig", "list"], cwd=repo / "sub")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("given", ["", ".git", "gitfile"])
def test_repository_of_another_user_is_none(
    given, repo, execute, test_tool, scratch
):
    (repo / "gitfile").write_text(f"gitdir: {repo}/.git\n")
    os.chown(repo / given, 12345, 12345)
    for names in ({}, {"GIT_DIR": repo / "gitfile"}):
        start = scratch if names and given == "" else repo
        done = execute(
            [test_tool, "gitconfig", "list"], env=names, cwd=start
        )
        owned = given == "gitfile" and not names or start == scratch
        assert (b"my.key\nlocal" in done.stdout) == owned


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


def test_include_finds_the_home_of_a_user(execute, lists, scratch):
    home = os.path.expanduser("~root")
    up = "/".join([".."] * (home.count("/") + 1)).removesuffix("/..")
    path = f"~root/{up}{scratch}/inner"
    (scratch / "inner").write_text(INNER)
    (scratch / ".gitconfig").write_text(f"[include]\npath = {path}\n")
    listing = lists()
    if os.access(home, os.X_OK):
        assert ("global", "inner.key\n1") in listing


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
