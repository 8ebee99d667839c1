"""What `trace2 record` makes for its command: a private manager and its place
below TMPDIR, the words and the environment. And what `trace2 trace` refuses."""

import os
import shutil
import subprocess

import pytest
from process_kit import await_listener, running
from test_record import manager, record  # noqa: F401

SHOW = ('echo "$TRACE_MANAGER"; stat -c %a "${TRACE_MANAGER%/*}"; '
        'echo "$GIT_TRACE2_FXT|$TRACE_EVENT_CATEGORIES"')
NEEDS_ROOT = pytest.mark.skipif(os.getuid(), reason="needs root to be another user")


def shown(record, *words, **options):
    """The socket, the mode of its directory, and other variables."""
    done = record("-o", "t.fxt", *words, "--", "sh", "-c", SHOW, **options)
    return done.stdout.decode().splitlines()


# Places


@pytest.mark.parametrize("name, is_used", [
    (None, False), (".", False), ("", False), (64, True), (65, False)])
def test_a_place_is_below_a_tmpdir_that_is_short_and_absolute(
    record, short_dir, name, is_used
):
    if isinstance(name, int):
        name = f"{short_dir}/{'d' * (name - len(str(short_dir)) - 1)}"
        os.mkdir(name)
    path, mode, _ = shown(record, env={"TMPDIR": name})
    place = os.path.dirname(path)
    assert os.path.dirname(place) == (name if is_used else "/tmp")
    assert mode == "700" and not os.path.exists(place)


def test_a_manager_may_have_the_first_descriptor_and_the_command_does_not(
    execute, trace2, short_dir
):
    done = execute(["sh", "-c", 'exec "$@" <&-', "sh", trace2, "record", "-o", "t.fxt",
                    "--", "sh", "-c", "exec ls /proc/self/fd"],
                   env={"TMPDIR": str(short_dir)})
    assert len(done.stdout.split()) == 3  # one is the directory
    assert not list(short_dir.iterdir())


# The command


@pytest.mark.parametrize("len_, is_whole", [(107, True), (108, False)])
def test_the_path_of_a_socket_is_completed_if_it_has_room(
    record, trace2, env, short_dir, len_, is_whole
):
    """The command may go to another directory."""
    name = "n" * (len_ - len(str(short_dir)) - 1)
    with running(trace2, "manager", "--socket", short_dir / "m", env=env):
        await_listener(short_dir / "m")  # the other case has an m, too
        os.rename(short_dir / "m", short_dir / name)
        path, _, fxt = shown(record, "--socket", name, cwd=short_dir, env={
            "TRACE_EVENT_CATEGORIES": "a", "TRACE_MANAGER": "other"})
    assert path == (f"{short_dir}/{name}" if is_whole else name)
    assert fxt == f"af_unix:{path}|"  # it does not trace for itself


def test_the_path_of_a_link_and_a_target_of_the_users_own_stay(
    record, manager, short_dir
):
    path, _ = manager
    (short_dir / "link").symlink_to(path)
    told, _, fxt = shown(record, "--socket", short_dir / "link",
                         env={"GIT_TRACE2_FXT": "mine"})
    assert (told, fxt) == (f"{short_dir}/link", "mine|")


def test_a_script_without_a_first_line_gets_all_its_words(record, scratch):
    (scratch / "script").write_text('printf "%s|" "$@"\n')
    (scratch / "script").chmod(0o755)
    done = record("--", "./script", "two words", "", "end")
    assert done.stdout == b"two words||end|"


def test_the_end_of_a_job_of_the_shell_is_not_that_of_the_command(
    trace2, scratch, env
):
    done = subprocess.run(
        ["sh", "-c", '(sleep 0.2; exit 3) & exec "$@"', "sh", trace2, "record", "-q",
         "-o", "t.event", "--", "sh", "-c", "git version; sleep 0.6 & exit 5"],
        cwd=scratch, env=env, stdout=subprocess.DEVNULL)
    assert done.returncode == 5


# `trace2 trace`


@NEEDS_ROOT
def test_files_of_a_trace_need_a_directory_where_they_can_be_made(
    execute, trace2, short_dir, scratch
):
    short_dir.chmod(0o755)
    program = shutil.copy(trace2, short_dir)
    other = {"user": 65534, "group": 65534, "extra_groups": [], "cwd": short_dir}
    done = execute([program, "trace", "--", "true"], **other)
    assert done.returncode == 1
    assert done.stderr.decode() == f"trace2 trace: {short_dir}/: Permission denied\n"
    done = execute([program, "trace", "--file-pattern", "${pid}/x", "--", "true"],
                   **other)
    assert done.returncode == 0  # which directory it is is not known yet


def test_a_trace_names_a_directory_that_has_gone(execute, trace2, scratch):
    script = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"'
    trace = ["sh", "-c", script, "sh", trace2, "trace"]
    done = execute([*trace, "--", "true"])
    assert done.returncode == 1
    assert done.stderr == b"trace2 trace: .: No such file or directory\n"
    assert not execute([*trace, "--file-pattern", scratch / "x", "--", "true"]).returncode


THEIRS = """\
import os, socket, sys, time
os.setuid(65534)
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.bind(sys.argv[1])
s.listen()
time.sleep(60)
"""


@NEEDS_ROOT
@pytest.mark.parametrize("command, said", [
    ("manager", "trace2 manager: the socket is another user's\n"),
    ("list-providers", "trace2 list-providers: the trace manager is another "
                       "user's; expected your own or root's\n")])
def test_a_manager_of_another_user_is_told_as_such(
    execute, trace2, short_dir, command, said
):
    short_dir.chmod(0o1777)
    with running("python3", "-c", THEIRS, short_dir / "theirs"):
        await_listener(short_dir / "theirs")
        done = execute([trace2, command, "--socket", short_dir / "theirs"])
    assert (done.returncode, done.stderr.decode()) == (1, said)
