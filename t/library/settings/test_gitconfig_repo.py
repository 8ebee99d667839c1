"""Which repository's config is read, beside the installed git."""

import os

import pytest

from gitconfig_kit import git, lists, repo  # noqa: F401

pytestmark = pytest.mark.long("asks git for each case")


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
