"""`trace2 record` and its service, on programs that have a provider."""

import fcntl
import os
import re
import signal
import socket
import subprocess

import pytest
from outside_kit import ARCHIVE
from process_kit import await_listener, await_that, running

from conftest import ROOT

TRACED = ROOT / "t/library/traced"
SUMMARY = "providers {}, events {}, dropped {}, bytes {}\n"

pytestmark = pytest.mark.linked


def build(place, name, *sources, options=()):
    made = place / name
    subprocess.run(
        ["cc", "-O1", "-o", made, "-I", ROOT / "ref",
         "-I", ROOT / "ref/trace/compat", *sources, *options,
         *ARCHIVE],
        check=True,
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """A program that can be traced; its source says how."""
    place = tmp_path_factory.mktemp("traced")
    return build(place, "traced", TRACED / "traced.c")


@pytest.fixture
def record(execute, trace2, short_dir):
    """record(*arguments): `trace2 record`, its output decoded."""

    def call(*arguments, **options):
        options.setdefault("env", {"TMPDIR": str(short_dir)})
        done = execute([trace2, "record", *arguments], **options)
        done.stderr = done.stderr.decode()
        return done

    return call


@pytest.fixture
def sound(validate):
    """sound(file): how many records it has; it has no finding but infos."""

    def call(path):
        done = validate(path)
        assert done.returncode == 0, done.stdout
        count = re.search(rb" ([0-9,]+) records? in ", done.stdout)[1]
        return int(count.replace(b",", b""))

    return call


@pytest.fixture
def manager(trace2, short_dir, env):
    """A running `trace2 manager`: its socket's path, its process."""
    path = short_dir / "manager"
    with running(trace2, "manager", "--socket", path, env=env,
                 stderr=subprocess.PIPE) as process:  # fmt: skip
        await_listener(path)
        yield path, process


def is_registered(execute, trace2, path, text=b"traced"):
    shown = execute([trace2, "list-providers", "--socket", path])
    return text in shown.stdout


# Recording a command


@pytest.mark.parametrize("mode", ["oneshot", "circular", "streaming"])
def test_a_command_is_recorded_in_each_mode(
    record, traced, scratch, sound, mode
):
    done = record("--buffering-mode", mode, "--", traced, "events", "5")
    size = (scratch / "trace.fxt").stat().st_size
    assert done.returncode == 0
    lines = done.stderr.splitlines(keepends=True)
    assert lines[1] == SUMMARY.format(1, 5, 0, size)
    assert lines[2].startswith("the record is in trace.fxt; ")
    assert lines[0].startswith("traced (pid ")
    assert lines[0].endswith(f": events 5, dropped 0, bytes {size - 8}\n")
    assert sound(scratch / "trace.fxt") > 5


@pytest.mark.parametrize("how", ["0", "9"])
def test_an_alert_just_before_the_end_is_told(record, traced, how):
    told = [record("--", traced, "alert", how).stderr for _ in range(3)]
    assert all(" goodbye\n" in one for one in told)


def test_the_exit_code_is_that_of_the_command(record, traced):
    assert record("--", traced, "events", "1", "7").returncode == 7
    assert record("--", "sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_a_trace_can_go_to_standard_output(record, traced):
    done = record("--output", "-", "--", traced, "events", "1")
    assert done.stdout.startswith(b"\x10\0\4FxT\x16\0")
    assert done.stderr.endswith(SUMMARY.format(1, 1, 0, len(done.stdout)))


def test_children_of_a_command_are_recorded_too(
    record, traced, scratch, sound
):
    done = record("--", traced, "children", "3")
    assert "providers 4, events 3, dropped 0" in done.stderr
    sound(scratch / "trace.fxt")


def test_other_categories_are_not_recorded(record, traced):
    other = record("--categories", "other,x", "--", traced, "events", "3")
    assert "providers 1, events 0" in other.stderr
    named = record("--categories", "x,example", "--", traced, "events", "3")
    assert "providers 1, events 3" in named.stderr


def test_a_full_buffer_drops_and_counts(record, traced):
    done = record("--buffering-mode", "oneshot", "--buffer-size", "4K",
                  "--", traced, "events", "1000")  # fmt: skip
    summary = done.stderr.splitlines()[1].replace(",", "").split()
    assert int(summary[3]) + int(summary[5]) == 1000
    assert int(summary[5]) > 0


def test_recording_ends_with_its_duration(record, traced, scratch, sound):
    done = record("--duration", "0.5", "--", "sh", "-c",
                  '"$0" events 3; sleep 0.7; exit 4', traced)  # fmt: skip
    assert "providers 1, events 3" in done.stderr
    assert done.returncode == 4
    sound(scratch / "trace.fxt")


def test_a_killed_command_leaves_its_trace(record, traced, scratch, sound):
    done = record("--", "sh", "-c", '"$0" wait >out & while ! test -s out; '
                  "do sleep 0.01; done; kill -9 $!; wait", traced)  # fmt: skip
    assert "providers 1, events 1" in done.stderr
    sound(scratch / "trace.fxt")


def test_a_terminated_recording_ends_its_command(
    trace2, traced, scratch, env, sound
):
    out = scratch / "x.fxt"
    with running(
        trace2, "record", "--output", out, "--", traced, "wait",
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.readline()
        process.terminate()
        text = process.communicate()[1]
    assert b"providers 1, events 1" in text
    assert process.returncode == 128 + signal.SIGTERM
    sound(out)


def test_nothing_is_left_of_a_private_manager(record, traced, short_dir):
    record("--", traced, "events", "1")
    assert not list(short_dir.iterdir())


def test_a_buffer_that_is_large_enough_drops_nothing(record, traced):
    done = record("--buffer-size", "16M", "--", traced, "paced", "200000")
    assert "events 200000, dropped 0" in done.stderr


# What goes wrong


@pytest.mark.parametrize(
    "arguments",
    [
        ["--buffering-mode", "none"],
        ["--output", ""],
        ["--buffer-size", "1K"],
        ["--buffer-size", "5G"],
        ["--buffer-size", "4KB"],
        ["--buffer-size", ""],
        ["--buffer-size", "-1"],
        ["--categories", "a,,b"],
        ["--categories", "x" * 16384],
        ["--duration", "soon"],
        ["--duration", ""],
        ["--duration", "."],
        ["--duration", "-1"],
        ["--duration"],
        ["--timeout", "0"],
        ["--unknown"],
    ],
)
def test_wrong_use_of_record_is_refused(record, scratch, arguments):
    done = record(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("trace2 record: ")
    assert not list(scratch.iterdir())


@pytest.mark.parametrize(
    "command", ["manager", "list-providers", "list-categories"]
)
def test_the_other_commands_take_no_arguments(execute, trace2, command):
    assert execute([trace2, command, "x"]).returncode == 2
    assert execute([trace2, command, "--output", "x"]).returncode == 2


@pytest.mark.parametrize(
    "command",
    ["record", "trace", "manager", "list-providers", "list-categories"],
)
def test_each_command_explains_itself(execute, trace2, command):
    done = execute([trace2, command, "--help"])
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: trace2 {command}".encode())
    assert max(len(line) for line in done.stdout.split(b"\n")) <= 80


def test_a_command_that_is_not_there_is_told(record):
    done = record("--", "/nonexistent/command")
    assert done.returncode == 127
    assert "/nonexistent/command: No such file" in done.stderr


def test_a_full_disk_is_told(record, traced):
    done = record("--output", "/dev/full", "--", traced, "events", "3")
    assert done.returncode == 1
    assert "/dev/full: No space left on device" in done.stderr


def test_without_a_manager_there_is_nothing_to_ask(execute, trace2):
    nobody = {"TRACE_MANAGER": None, "XDG_RUNTIME_DIR": None}
    for command in ("record", "list-providers", "list-categories"):
        done = execute([trace2, command], env=nobody)
        assert done.returncode == 1
        assert b"no trace manager is running" in done.stderr


# The service


def test_a_manager_lists_and_records(
    execute, record, traced, trace2, manager, scratch
):
    path, _ = manager
    names = {"TRACE_MANAGER": str(path)}
    with running(traced, "wait", env={**os.environ, **names},
                 stdout=subprocess.PIPE) as waiting:  # fmt: skip
        waiting.stdout.readline()
        await_that(lambda: is_registered(execute, trace2, path))
        shown = execute([trace2, "list-providers"], env=names).stdout
        assert shown == f"1\t{waiting.pid}\ttraced\n".encode()
        shown = execute([trace2, "list-categories"], env=names).stdout
        assert shown == b"example\twhat examples do\nother\t\n"
        done = record("--duration", ".01", env=names)
        assert "providers 1, events 0, dropped 0" in done.stderr


def memfds_of(pid):
    """How each memfd is mapped, such as rw-s, and how many are open."""
    maps = open(f"/proc/{pid}/maps").read().splitlines()
    links = [os.readlink(one.path) for one in os.scandir(f"/proc/{pid}/fd")]
    return ([line.split()[1] for line in maps if "/memfd:" in line],
            sum("/memfd:" in link for link in links))  # fmt: skip


def test_a_client_never_has_a_buffer_and_the_manager_only_reads(
    trace2, traced, manager, env, scratch
):
    path, service = manager
    names = {**env, "TRACE_MANAGER": str(path)}
    with running(
        traced, "wait", env=names, stdout=subprocess.PIPE
    ) as provider, running(
        trace2, "record", "--socket", path, "--output", scratch / "a",
        env=env, stderr=subprocess.DEVNULL,
    ) as client:  # fmt: skip
        await_that(lambda: memfds_of(provider.pid)[0])
        await_that(lambda: (scratch / "a.partial").exists())
        assert memfds_of(provider.pid)[0] == ["rw-s"]
        assert memfds_of(service.pid)[0] == ["r--s"]
        assert memfds_of(client.pid) == ([], 0)


def test_one_client_traces_at_a_time(
    execute, record, trace2, manager, env, scratch
):
    path, _ = manager
    with running(
        trace2, "record", "--socket", path, "--output", scratch / "a",
        env=env, stderr=subprocess.DEVNULL,
    ) as first:  # fmt: skip
        await_that(lambda: (scratch / "a.partial").exists()
                   and (scratch / "a.partial").stat().st_size)  # fmt: skip
        done = record("--socket", path, "--output", "b")
        assert done.returncode == 1
        assert "somebody else is tracing" in done.stderr
        first.send_signal(signal.SIGINT)
        assert first.wait(60) == 0


def test_the_socket_is_its_owners_alone(manager):
    path, _ = manager
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_user_is_not_let_in(manager):
    if os.getuid():
        pytest.skip("needs root to be another user")
    path, _ = manager
    path.parent.chmod(0o755)
    path.chmod(0o666)
    code = (
        "import os, socket, sys\n"
        "os.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
        "s.connect(sys.argv[1])\n"
        "sys.exit(len(s.recv(99)))\n"
    )
    assert subprocess.run(["python3", "-c", code, path]).returncode == 0


def test_two_managers_do_not_share_a_socket(execute, trace2, manager):
    path, _ = manager
    done = execute([trace2, "manager", "--socket", path])
    assert done.returncode == 1
    assert done.stderr == b"trace2 manager: the socket is in use\n"


@pytest.mark.parametrize("make", ["touch", "mkdir", "ln -s nowhere"])
def test_a_file_in_the_place_of_a_socket_is_told(
    execute, trace2, short_dir, make
):
    subprocess.run(f"{make} mine", shell=True, check=True, cwd=short_dir)
    done = execute([trace2, "manager", "--socket", short_dir / "mine"])
    assert done.returncode == 1
    assert done.stderr == (
        b"trace2 manager: there is a file that is not a socket\n")
    assert os.path.lexists(short_dir / "mine")


def test_a_manager_that_begins_is_left_alone(execute, trace2, short_dir):
    """Its socket is there, and refuses: it does not listen yet."""
    path, lock = short_dir / "manager", short_dir / "manager.lock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as begun, \
            open(lock, "w") as held:  # fmt: skip
        fcntl.flock(held, fcntl.LOCK_EX)
        begun.bind(str(path))
        done = execute([trace2, "manager", "--socket", path])
        assert done.returncode == 1
        assert done.stderr == b"trace2 manager: the socket is in use\n"
        assert path.exists() and lock.exists()


def test_of_a_manager_that_ended_nothing_is_left(manager):
    path, process = manager
    assert sorted(os.listdir(path.parent)) == ["manager", "manager.lock"]
    process.terminate()
    assert process.wait(60) == 0
    assert os.listdir(path.parent) == []


def test_a_file_where_the_lock_would_be_stays(trace2, short_dir, execute):
    path, lock = short_dir / "manager", short_dir / "manager.lock"
    lock.write_text("mine")
    ask = [trace2, "list-providers", "--socket", path]
    with running(trace2, "manager", "--socket", path) as process:
        await_that(lambda: not execute(ask).returncode)
        process.terminate()
        assert process.wait(60) == 0
    assert lock.read_text() == "mine" and not path.exists()


def test_a_stale_socket_is_replaced(trace2, short_dir, execute):
    path = short_dir / "stale"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as old:
        old.bind(str(path))
    ask = [trace2, "list-providers", "--socket", path]
    with running(trace2, "manager", "--socket", path) as process:
        await_that(lambda: not execute(ask).returncode)
        process.terminate()
        assert process.wait(60) == 0 and not path.exists()


def test_what_is_no_socket_is_left_alone(trace2, execute, scratch):
    path = scratch / "file"
    path.write_text("mine")
    done = execute([trace2, "manager", "--socket", "file"])
    assert done.returncode == 1 and path.read_text() == "mine"


def test_a_manager_tells_whom_it_drops(manager):
    path, process = manager
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as peer:
        await_that(lambda: not peer.connect_ex(str(path)))
        peer.send(b"short")
        assert peer.recv(99) == b""
    assert b"provider.message.size: " in process.stderr.readline()


# The document's own programs


START = "  status = async_loop_start_thread(loop"
CREATED = "  if (!trace_provider) exit(1);\n"


@pytest.mark.parametrize("late, told", [
    ("", "nothing was recorded"),
    (START + ', "late", NULL);\n', "providers 1, events 1, dropped 0"),
])  # fmt: skip
def test_a_loop_that_never_starts_traces_nothing(record, scratch, late, told):
    text = (TRACED / "provider_example_c.txt").read_text()
    text = text.replace(START, "  if (0) async_loop_start_thread(loop")
    (scratch / "c.txt").write_text(text.replace(CREATED, CREATED + late))
    program = build(
        scratch, "example", TRACED / "before_destroy.c", "-x", "c",
        scratch / "c.txt", "-x", "none",
        options=["-Wl,--wrap=trace_provider_destroy"],
    )  # fmt: skip
    assert told in record("--", program).stderr


@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_documents_providers_trace_as_they_stand(
    record, scratch, sound, language
):
    name = {"c": "provider_example_c.txt", "c++": "provider_example_cpp.txt"}
    program = build(
        scratch, "example", "-x", "c", TRACED / "before_destroy.c",
        "-x", language, TRACED / name[language], "-x", "none",
        options=["-Wl,--wrap=trace_provider_destroy", "-lstdc++"],
    )  # fmt: skip
    done = record("--", program)
    assert "providers 1, events 1, dropped 0" in done.stderr
    sound(scratch / "trace.fxt")
    nobody = {"TRACE_MANAGER": None, "XDG_RUNTIME_DIR": None}
    names = {k: v for k, v in os.environ.items() if k not in nobody}
    assert subprocess.run([program], env=names).returncode == 0
