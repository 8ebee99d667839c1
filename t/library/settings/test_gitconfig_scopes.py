"""Which config files we read, beside `git config --list --show-scope`.

Repositories stand in test_gitconfig_repo.py, includes in _include.py.
"""

import os
import shlex

import pytest

SYSTEM = "[sys]\nkey = system\n[both]\nkey = system\n"
XDG = "[xdg]\nkey = xdg\n[both]\nkey = xdg\n"
HOME = "[home]\nkey = home\n[both]\nkey = home\n"


@pytest.fixture
def files(scratch):
    """A file for each place that config is read from; the directory."""
    for name, text in {
        "system": SYSTEM,
        ".config/git/config": XDG,
        "xdg/git/config": "[other]\nxdg\n",
        ".gitconfig": HOME,
        "global": "[only]\nglobal\n",
    }.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text)
    return scratch


@pytest.fixture
def lists(execute, test_tool, scratch):
    """(ours, git's): scope NUL key LF value NUL, bytes."""

    def call(env={}, cwd=scratch):
        env = {"GIT_CONFIG_SYSTEM": scratch / "system", **env}
        git = ["git", "config", "--list", "--show-scope", "-z"]
        theirs = execute(git, env=env, cwd=cwd)
        ours = execute([test_tool, "gitconfig", "list"], env=env, cwd=cwd)
        assert (theirs.returncode, theirs.stderr) == (0, b"")
        assert (ours.returncode, ours.stderr) == (0, b"")
        return ours.stdout, theirs.stdout

    return call


PLACES = {
    "system, XDG and home": {},
    "GIT_CONFIG_NOSYSTEM=1": {"GIT_CONFIG_NOSYSTEM": "1"},
    "GIT_CONFIG_NOSYSTEM=yes": {"GIT_CONFIG_NOSYSTEM": "YES"},
    "GIT_CONFIG_NOSYSTEM=0": {"GIT_CONFIG_NOSYSTEM": "0"},
    "GIT_CONFIG_NOSYSTEM empty": {"GIT_CONFIG_NOSYSTEM": ""},
    "GIT_CONFIG_SYSTEM empty": {"GIT_CONFIG_SYSTEM": ""},
    "GIT_CONFIG_SYSTEM missing": {"GIT_CONFIG_SYSTEM": "/nonexistent"},
    "GIT_CONFIG_SYSTEM relative": {"GIT_CONFIG_SYSTEM": "global"},
    "GIT_CONFIG_SYSTEM unset": {"GIT_CONFIG_SYSTEM": None},
    "GIT_CONFIG_GLOBAL relative": {"GIT_CONFIG_GLOBAL": "global"},
    "GIT_CONFIG_GLOBAL empty": {"GIT_CONFIG_GLOBAL": ""},
    "GIT_CONFIG_GLOBAL missing": {"GIT_CONFIG_GLOBAL": "/nonexistent"},
    "GIT_CONFIG_GLOBAL below a file": {"GIT_CONFIG_GLOBAL": "global/x"},
    "GIT_CONFIG_GLOBAL=/dev/null": {"GIT_CONFIG_GLOBAL": "/dev/null"},
    "XDG_CONFIG_HOME empty": {"XDG_CONFIG_HOME": ""},
    "XDG_CONFIG_HOME relative": {"XDG_CONFIG_HOME": "xdg"},
    "XDG_CONFIG_HOME with a slash": {"XDG_CONFIG_HOME": "xdg/"},
    "HOME unset": {"HOME": None},
    "HOME unset and XDG_CONFIG_HOME": {"HOME": None, "XDG_CONFIG_HOME": "xdg"},
    "HOME missing": {"HOME": "/nonexistent"},
    "HOME relative": {"HOME": "."},
    "HOME empty": {"HOME": ""},
}


@pytest.mark.parametrize("names", PLACES.values(), ids=PLACES)
def test_files_are_read_from_where_git_reads_them(names, files, lists):
    ours, theirs = lists(names)
    assert ours == theirs


def counted(*pairs):
    """GIT_CONFIG_COUNT and its keys and values."""
    env = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for i, (key, value) in enumerate(pairs):
        env[f"GIT_CONFIG_KEY_{i}"] = key
        env[f"GIT_CONFIG_VALUE_{i}"] = value
    return env


COMMAND = {
    "counted": counted(("a.b", "c"), ("A.B.c.D", "e"), ("f.g", "")),
    "count of 0": {"GIT_CONFIG_COUNT": "0"},
    "empty count": {"GIT_CONFIG_COUNT": ""},
    "count with a blank": {**counted(("a.b", "c")), "GIT_CONFIG_COUNT": " 1"},
    "keys beyond the count": {
        **counted(("a.b", "c"), ("d.e", "f")),
        "GIT_CONFIG_COUNT": "1",
    },
    "dots and blanks in a subsection": counted(("a.B c.D\t=.e-1", "f")),
    "empty parameters": {"GIT_CONFIG_PARAMETERS": ""},
    "old form": {"GIT_CONFIG_PARAMETERS": "'a.b=c d'"},
    "old form without a value": {"GIT_CONFIG_PARAMETERS": "'a.b'"},
    "old form with an empty value": {"GIT_CONFIG_PARAMETERS": "'a.b='"},
    "old form with blanks": {"GIT_CONFIG_PARAMETERS": "' a.b  = c '"},
    "old form with equal signs": {"GIT_CONFIG_PARAMETERS": "'a.b=c=d'"},
    "new form": {"GIT_CONFIG_PARAMETERS": "'a.b'='c d'"},
    "new form without a value": {"GIT_CONFIG_PARAMETERS": "'a.b'="},
    "new form with an empty value": {"GIT_CONFIG_PARAMETERS": "'a.b'=''"},
    "new form with = in the key": {"GIT_CONFIG_PARAMETERS": "'a.x=y.b'='c'"},
    "several": {"GIT_CONFIG_PARAMETERS": "'a.b'='c'  'd.e=f' 'g.h'\n'i.j'= "},
    "quotes": {"GIT_CONFIG_PARAMETERS": "'a.b'='it'\\''s'\\!' new' 'c.d=e'\\''f'"},
    "empty subsection": counted(("a..b", "c")),
    "control byte in a subsection": counted(("a.\v.b", "c")),
    "several without blanks": {"GIT_CONFIG_PARAMETERS": "'a.b'=  'c.d=e'"},
    "both kinds": {
        **counted(("a.b", "1")),
        "GIT_CONFIG_PARAMETERS": "'a.b'='2'",
    },
}


@pytest.mark.parametrize("names", COMMAND.values(), ids=COMMAND)
def test_command_scope_is_read_as_git_reads_it(names, files, lists):
    ours, theirs = lists(names)
    assert ours == theirs


def test_parameters_that_git_hands_down_are_read(execute, files, test_tool):
    words = ["-c", "a.b=it's", "-c", "c.d", "-c", "e.f=", "-c", "g.x=y.h=!i"]
    command = f"{shlex.quote(str(test_tool))} gitconfig list"
    shown = execute(["git", *words, "-c", f"alias.x=!{command}", "x"]).stdout
    mine = shown.split(b"\0")[1::2]
    assert {b"a.b\nit's", b"c.d", b"e.f\n", b"g.x\ny.h=!i"} <= set(mine)


BROKEN = {
    "count of letters": {"GIT_CONFIG_COUNT": "1x", "GIT_CONFIG_KEY_0": "a.b"},
    "negative count": {**counted(("a.b", "c")), "GIT_CONFIG_COUNT": "-1"},
    "huge count": {"GIT_CONFIG_COUNT": "99999999999999999999"},
    "key not quoted": {"GIT_CONFIG_PARAMETERS": "a.b=c"},
    "quote not closed": {"GIT_CONFIG_PARAMETERS": "'a.b=c"},
    "value not quoted": {"GIT_CONFIG_PARAMETERS": "'a.b'=c"},
    "word behind a word": {"GIT_CONFIG_PARAMETERS": "'a.b'x"},
    "backslash behind a word": {"GIT_CONFIG_PARAMETERS": "'a.b'\\x'c'"},
    "word behind a value": {"GIT_CONFIG_PARAMETERS": "'a.b'='c'd"},
    "value's quote not closed": {"GIT_CONFIG_PARAMETERS": "'a.b'='c"},
    "blank before a word": {"GIT_CONFIG_PARAMETERS": " 'a.b'"},
    "value without a key": {"GIT_CONFIG_PARAMETERS": "='c'"},
    "backslash before a quote": {"GIT_CONFIG_PARAMETERS": "'a.b'\\'c'"},
    "empty word": {"GIT_CONFIG_PARAMETERS": "'  '"},
    "empty key": counted(("", "c")),
    "key without a section": counted(("b", "c")),
    "key without a name": counted(("a.", "c")),
    "key of an empty section": counted((".b", "c")),
    "name of a digit": counted(("a.1", "c")),
    "name with a blank": counted(("a.b c", "d")),
    "section with a blank": counted(("a b.c", "d")),
    "line end in a subsection": counted(("a.\n.b", "c")),
    "line end in a section": counted(("a\n.b", "c")),
    "line end in a name": counted(("a.b\n", "c")),
    "section with an underscore": counted(("a_.b", "c")),
}


@pytest.mark.parametrize("names", BROKEN.values(), ids=BROKEN)
def test_broken_command_scope_gives_nothing(names, execute, files, test_tool):
    git = execute(["git", "config", "--list"], env=names)
    assert git.returncode == 128
    done = execute([test_tool, "gitconfig", "list"], env=names)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"command\0" not in done.stdout
    assert done.stdout.endswith(b"both.key\nhome\0")


def test_command_scope_ends_at_its_first_error(execute, test_tool):
    env = {
        **counted(("a.b", "1"), ("c", "2"), ("d.e", "3")),
        "GIT_CONFIG_PARAMETERS": "'f.g=4'",
    }
    done = execute([test_tool, "gitconfig", "list"], env=env)
    assert done.stdout == b"command\0a.b\n1\0"


def test_early_reading_leaves_local_and_command_out(
    execute, files, test_tool, scratch
):
    execute(["git", "init", "-q", "repo"])
    done = execute(
        [test_tool, "gitconfig", "early"],
        env={**counted(("a.b", "c")), "GIT_CONFIG_SYSTEM": scratch / "system"},
        cwd=scratch / "repo",
    )
    assert set(done.stdout.split(b"\0")[:-1:2]) == {b"system", b"global"}


def warnings(execute, test_tool, **env):
    """What reading early says, without what test-tool's own start said."""
    done = execute([test_tool, "gitconfig", "early"], env=env)
    lines = done.stderr.decode().splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
    return done.stdout, lines[: len(lines) // 2]


def test_directory_for_a_file_is_warned_about(execute, files, test_tool):
    (files / "global").unlink()
    (files / "global").mkdir()
    path = files / "global"
    _, lines = warnings(execute, test_tool, GIT_CONFIG_GLOBAL=path)
    assert lines == [f"warning: unable to access '{path}': Is a directory"]


def test_pipe_for_a_file_keeps_nobody_waiting(execute, files, test_tool):
    os.mkfifo(files / "pipe")
    reader = os.open(files / "pipe", os.O_RDWR)
    _, lines = warnings(execute, test_tool, GIT_CONFIG_GLOBAL=files / "pipe")
    os.close(reader)
    assert len(lines) == 1 and "unable to access" in lines[0]


def test_file_without_an_end_is_given_up(execute, test_tool):
    _, lines = warnings(execute, test_tool, GIT_CONFIG_GLOBAL="/dev/zero")
    assert lines == ["warning: unable to access '/dev/zero': File too large"]


def test_broken_file_keeps_the_others_readable(execute, files, test_tool):
    path = files / ".config/git/config"
    path.write_text("[ok]\nkey = 1\n[broken\n")
    shown, lines = warnings(execute, test_tool)
    assert lines == [f"warning: trace2: bad config line 3 in file {path}"]
    assert shown.split(b"\0")[1::2] == [
        b"ok.key\n1",
        b"home.key\nhome",
        b"both.key\nhome",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_file_that_may_not_be_read_is_warned_about(execute, files, test_tool):
    (files / ".gitconfig").chmod(0)
    _, lines = warnings(execute, test_tool)
    path = files / ".gitconfig"
    assert lines == [f"warning: unable to access '{path}': Permission denied"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may search every directory")
def test_home_that_may_not_be_searched_is_passed_over(execute, test_tool, scratch):
    home = scratch / "home"
    home.mkdir(mode=0)
    shown = warnings(execute, test_tool, HOME=home)
    home.chmod(0o700)  # so that it can be removed
    assert shown == (b"", [])
