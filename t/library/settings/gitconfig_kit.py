"""A repository, and both readers' listings, for tests of config."""

import pytest


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
