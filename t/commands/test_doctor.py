"""`trace2 doctor`: which targets are on, who set them, and do they work."""

import json
import os
import shlex
import socket
import subprocess

import pytest

OFF = {"TRACE_MANAGER": None, "SUDO_USER": None}


@pytest.fixture
def doctor(execute, trace2):
    """doctor(**variables): the exit status, and the result as JSON."""

    def call(*words, **variables):
        done = execute([trace2, "doctor", "--format", "json", *words],
                       env={**OFF, **variables})  # fmt: skip
        shown = json.loads(done.stdout)
        assert done.returncode == (1 if shown["broken"] else 0)
        states = [one["state"] for one in shown["targets"]]
        assert states.count("broken") == shown["broken"]
        shown["said"] = done.stderr.decode()
        return shown

    return call


def target(shown, name="EVENT"):
    return next(one for one in shown["targets"] if one["name"] == name)


def event(doctor, value, *words, **variables):
    return target(doctor(*words, GIT_TRACE2_EVENT=str(value), **variables))


def notes(shown):
    return [one["text"] for one in shown["notes"]]


@pytest.fixture
def global_config(scratch):
    """global_config(text): the variables that name such a file."""

    def make(text):
        path = scratch / "config"
        path.write_text(text)
        return {"GIT_CONFIG_GLOBAL": str(path)}

    return make


@pytest.fixture
def other_user(short_dir):
    """Words before a command that run it as another user than root."""
    if os.getuid():
        pytest.skip("only root can be another user")
    short_dir.chmod(0o755)
    return ["setpriv", "--reuid", "65534", "--clear-groups"]


# Which targets are on


def test_without_settings_everything_is_off(doctor):
    shown = doctor()
    assert [one["name"] for one in shown["targets"]] == [
        "NORMAL", "PERF", "EVENT", "FXT", "CHROME", "MANAGER"]  # fmt: skip
    assert {one["state"] for one in shown["targets"]} == {"off"}
    assert shown["notes"] == []


def test_a_variable_is_named_where_it_sets_a_target(doctor, scratch):
    assert event(doctor, scratch / "log") == {
        "name": "EVENT", "state": "works", "value": str(scratch / "log"),
        "variable": "GIT_TRACE2_EVENT", "what": "file"}  # fmt: skip


def test_file_and_line_are_named_where_they_set_a_target(
    doctor, scratch, global_config
):
    names = global_config("[trace2]\n\tperfTarget = /nowhere\n"
                          f"\tperfTarget = {scratch}/log\n")  # fmt: skip
    shown = target(doctor(**names), "PERF")
    assert shown["file"] == str(scratch / "config")
    assert (shown["line"], shown["value"]) == (3, f"{scratch}/log")


def test_the_environment_overrides_a_file(doctor, global_config):
    names = global_config("[trace2]\n\teventTarget = /nowhere/at/all\n")
    assert target(doctor(**names))["state"] == "broken"
    assert event(doctor, 0, **names)["state"] == "off"
    assert event(doctor, "", **names)["state"] == "broken"


def test_the_text_names_value_source_and_repair(execute, trace2, scratch):
    value = str(scratch / "a b" / "log")
    done = execute([trace2, "doctor"], env={**OFF, "GIT_TRACE2": value})
    assert done.returncode == 1
    lines = done.stdout.decode().splitlines()
    assert lines[:4] == [
        f"NORMAL   BROKEN  {value}, set by GIT_TRACE2",
        "         its directory is missing",
        f"         -> mkdir -p '{scratch}/a b'",
        "PERF     off",
    ]


# Descriptors, files and directories


def test_descriptors_are_looked_at(doctor):
    assert event(doctor, 1)["what"] == "standard error"
    assert event(doctor, 9)["what"] == "descriptor 9 is not open here"


def test_a_descriptor_that_is_read_cannot_be_written(
    execute, trace2, scratch
):
    done = execute(["sh", "-c", '"$0" doctor 7</dev/null', trace2],
                   env={**OFF, "GIT_TRACE2_EVENT": "7"})  # fmt: skip
    assert done.returncode == 1
    assert b"descriptor 7 is open for reading" in done.stdout


@pytest.mark.parametrize("value, repair", [
    ("log/x", "set it to {here}/log/x"), ("~/log", "set it to {home}/log"),
    ("yes", None), ("AF_UNIX:x", None), ("10", None),
    ("~me/log", "set it to {here}/~me/log"),
])  # fmt: skip
def test_a_value_that_is_none_is_told(doctor, scratch, env, value, repair):
    shown = event(doctor, value)
    assert shown["state"] == "broken"
    assert shown["what"].startswith("unknown value; expected 0, 1, ")
    if repair:
        repair = repair.format(here=scratch, home=env["HOME"])
    assert shown.get("repair") == repair


def test_a_fifo_is_not_opened(doctor, scratch):
    os.mkfifo(scratch / "fifo")
    shown = event(doctor, scratch / "fifo")
    assert shown["state"] == "works" and "waits until" in shown["what"]


def test_a_link_to_nowhere_is_not_repaired(doctor, scratch):
    (scratch / "link").symlink_to("nowhere")
    shown = doctor("--fix", GIT_TRACE2=f"{scratch}/link/log",
                   GIT_TRACE2_PERF=f"{scratch}/d/log")  # fmt: skip
    assert shown["said"].startswith(
        f"trace2 doctor: {scratch}/link: File exists\n")
    assert target(shown, "PERF")["state"] == "works"


def test_a_file_below_a_file_is_told(doctor, scratch):
    (scratch / "file").write_text("")
    assert event(doctor, scratch / "file" / "x")["what"] == "Not a directory"


@pytest.mark.parametrize("make, what", [
    (lambda place: place.chmod(0o555), "Permission denied"),
    (lambda place: (place / "log").touch(0o444), "Permission denied"),
])  # fmt: skip
def test_a_place_of_another_user_is_told(
    execute, trace2, short_dir, other_user, make, what
):
    place = short_dir / "place"
    place.mkdir()
    place.chmod(0o777)
    make(place)
    value = str(place / "log")
    for value in (value, str(place) if not (place / "log").exists() else value):
        done = execute([*other_user, trace2, "doctor"],
                       env={**OFF, "GIT_TRACE2_EVENT": value})  # fmt: skip
        assert done.returncode == 1
        assert what in done.stdout.decode()


@pytest.mark.parametrize("device, why", [
    ("/dev/full", "No space left on device"),
    ("/dev/tty", "No such device or address"), ("/dev/null", "file"),
])
def test_a_device_that_takes_nothing_is_told(execute, trace2, device, why):
    done = execute([trace2, "doctor"], env={**OFF, "GIT_TRACE2_EVENT": device},
                   start_new_session=True)
    assert done.returncode == (device != "/dev/null")
    assert f"GIT_TRACE2_EVENT\n         {why}\n" in done.stdout.decode()


def test_a_target_on_a_full_disk_is_told(trace2, scratch):
    script = (
        "mount -t tmpfs -o size=64k none $0 && mkdir $0/dir && : >$0/log && "
        "{ cat /dev/zero >$0/big 2>/dev/null; "
        'for at in dir log new; do GIT_TRACE2_EVENT=$0/$at "$1" doctor; done; }'
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, scratch, trace2],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("only root may mount a file system, and not everywhere")
    assert done.stdout.count("the disk is full") == 3


def test_a_value_that_is_empty_is_shown(execute, trace2, global_config):
    names = global_config("[trace2]\n\tperfTarget =\n")
    done = execute([trace2, "doctor"], env={**OFF, **names})
    assert "PERF     off  empty, set by /" in done.stdout.decode()


def test_a_directory_at_its_limit_is_told(doctor, scratch, global_config):
    place = scratch / "place"
    place.mkdir()
    for name in "ab":
        (place / name).touch()
    names = global_config("[trace2]\n\tmaxFiles = 4\n")
    assert event(doctor, place)["what"] == "directory"
    shown = event(doctor, place, **names)
    assert shown["what"].startswith("it is full: 4 names")
    assert shown["repair"].endswith("or: GIT_TRACE2_MAX_FILES=8")
    for limit, state in ("5", "works"), ("3", "broken"), ("-3", "works"):
        shown = event(doctor, place, GIT_TRACE2_MAX_FILES=limit, **names)
        assert shown["state"] == state


def test_the_file_that_stops_writing_is_told(doctor, scratch):
    place = scratch / "place"
    place.mkdir()
    (place / "git-trace2-discard").touch()
    shown = event(doctor, place, GIT_TRACE2_MAX_FILES="100")
    assert "while git-trace2-discard is there" in shown["what"]
    name = shlex.quote(f"{place}/git-trace2-discard")
    assert shown["repair"].endswith(f"then: rm {name}")
    assert event(doctor, place)["state"] == "works"


# Sockets


def listen(path, kind, queue=5):
    ours = socket.socket(socket.AF_UNIX, kind)
    ours.bind(str(path))
    if kind != socket.SOCK_DGRAM:
        ours.listen(queue)
    return ours


@pytest.mark.parametrize("kind, word", [
    (socket.SOCK_STREAM, "stream"), (socket.SOCK_DGRAM, "dgram"),
])  # fmt: skip
def test_a_socket_is_alive_until_its_program_ends(
    doctor, short_dir, kind, word
):
    path = short_dir / "socket"
    other = {"stream": "dgram", "dgram": "stream"}[word]
    with listen(path, kind):
        for value in f"af_unix:{word}:{path}", f"af_unix:{path}":
            assert event(doctor, value)["state"] == "works"
        wrong = event(doctor, f"af_unix:{other}:{path}")
        assert wrong["what"] == "the socket is of another type"
        assert wrong["repair"] == "leave out stream: or dgram:"
        assert event(doctor, path)["repair"] == f"set it to af_unix:{path}"
    dead = event(doctor, f"af_unix:{path}")
    assert dead["what"].startswith("the socket is dead")
    path.unlink()
    gone = event(doctor, f"af_unix:{path}")
    assert gone["what"].startswith("there is no such socket")


def test_a_stream_socket_that_accepts_nothing_is_full(doctor, short_dir):
    path = short_dir / "socket"
    with listen(path, socket.SOCK_STREAM, 0), \
            socket.socket(socket.AF_UNIX) as first:  # fmt: skip
        first.connect(str(path))
        shown = event(doctor, f"af_unix:{path}")
    assert shown["what"].startswith("the socket is full")


def test_a_datagram_socket_that_nobody_reads_is_full(doctor, short_dir):
    path = short_dir / "socket"
    with listen(path, socket.SOCK_DGRAM) as ours, \
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as peer:
        peer.setblocking(False)
        peer.connect(str(path))
        with pytest.raises(BlockingIOError):
            while True:
                peer.send(b"x")
        shown = event(doctor, f"af_unix:dgram:{path}")
        assert shown["what"].startswith("the socket is full")
        while True:  # the doctor itself writes nothing
            try:
                assert ours.recv(9, socket.MSG_DONTWAIT) == b"x"
            except BlockingIOError:
                break


@pytest.mark.parametrize("path", ["relative", "", "/" + 107 * "x"])
def test_a_path_that_no_socket_has_is_told(doctor, path):
    shown = event(doctor, f"af_unix:stream:{path}")
    assert shown["what"].startswith("expected an absolute path")
    shown = doctor(TRACE_MANAGER=path or None, GIT_TRACE2_FXT="af_unix:" + path)
    wrong = [target(shown, "FXT"), target(shown, "MANAGER")][:1 + bool(path)]
    for one in wrong:
        assert one["what"].startswith("expected an absolute path")


def test_a_path_of_107_bytes_is_tried(doctor):
    shown = event(doctor, "af_unix:stream:/" + 106 * "x")
    assert shown["what"].startswith("there is no such socket")


def test_a_trace_manager_has_no_type(doctor):
    shown = target(doctor(GIT_TRACE2_FXT="af_unix:stream:/m"), "FXT")
    assert shown["what"].startswith("expected an absolute path")


def test_the_type_of_a_socket_that_has_none_stays(doctor, short_dir):
    path = short_dir / "manager"
    with listen(path, socket.SOCK_SEQPACKET):
        shown = event(doctor, f"af_unix:{path}")
    assert shown["what"] == "the socket is of another type"
    assert "repair" not in shown


def test_a_trace_manager_is_looked_for(doctor, short_dir):
    path = str(short_dir / "manager")
    for name, where, value in (
        ("MANAGER", "TRACE_MANAGER", path),
        ("FXT", "GIT_TRACE2_FXT", "af_unix:" + path),
    ):
        shown = target(doctor(**{where: value}), name)
        assert shown["state"] == "broken"
        assert shown["repair"] == f"trace2 manager --socket {path}"
    with listen(path, socket.SOCK_SEQPACKET):
        shown = doctor(TRACE_MANAGER=path, GIT_TRACE2_FXT="af_unix:" + path)
        assert shown["broken"] == 0


def test_no_trace_manager_takes_the_place_of_another_program(
        doctor, short_dir):
    path = str(short_dir / "manager")
    with listen(path, socket.SOCK_STREAM):
        shown = target(doctor(TRACE_MANAGER=path), "MANAGER")
    assert shown["what"] == "the socket is of another type"
    assert "repair" not in shown


@pytest.mark.parametrize("name, value", [
    ("FXT", "2"), ("CHROME", "2"), ("CHROME", "af_unix:/x"),
])  # fmt: skip
def test_a_target_of_records_needs_a_file(doctor, name, value):
    shown = target(doctor(**{f"GIT_TRACE2_{name}": value}), name)
    assert shown["what"].startswith("this target needs a file")


@pytest.mark.parametrize("name, begin", [
    ("FXT", b"\x10\0\x04\x46\x78\x54\x16\0"), ("CHROME", b"[\n")])
def test_a_target_of_records_leaves_other_files_alone(doctor, scratch, name, begin):
    def look(path):
        return target(doctor(**{f"GIT_TRACE2_{name}": str(path)}), name).get("what")

    path = scratch / "t"
    path.write_bytes(begin)
    assert look(path) == "file"
    path.write_bytes(b"a log\n..")
    assert look(path) == "the file has no trace of this target in it"
    path.write_bytes(b"")
    assert look(path) == "file"
    if not os.getuid():
        os.chown(path, 65534, 65534)
        assert look(path) == "it belongs to another user"
    needs = "this target needs a file"
    assert look("/dev/null") == (needs if name == "FXT" else "file")


# Repairs


def test_nothing_changes_without_fix(doctor, scratch):
    assert event(doctor, scratch / "a" / "b" / "log")["state"] == "broken"
    assert os.listdir(scratch) == []


def test_fix_makes_missing_directories(doctor, scratch):
    shown = doctor("--fix", GIT_TRACE2_EVENT=str(scratch / "a" / "b" / "log"))
    assert target(shown)["state"] == "works"
    assert shown["said"] == (
        f"trace2 doctor: made the directory: {scratch}/a/b\n")
    assert (scratch / "a" / "b").is_dir()
    shown = doctor("--fix", GIT_TRACE2=f"{scratch}/c/")
    assert target(shown, "NORMAL")["what"] == "directory"
    shown = doctor("--fix", GIT_TRACE2=f"{scratch}/d/normal",
                   GIT_TRACE2_PERF=f"{scratch}/d/perf")  # fmt: skip
    assert shown["said"].count("made the directory") == 1
    assert os.listdir(scratch / "d") == []


def test_a_repair_that_fails_is_told(doctor, scratch):
    shown = doctor("--fix", GIT_TRACE2_EVENT="/proc/none/log")
    assert target(shown)["state"] == "broken"
    assert "trace2 doctor: /proc/none: No such file" in shown["said"]
    shown = doctor("--fix", GIT_TRACE2_EVENT="/proc/a/b/log")
    assert "trace2 doctor: /proc/a" in shown["said"]


@pytest.mark.parametrize("words", [
    ["--format", "xml"], ["--format"], ["--fx"], ["x"],
])  # fmt: skip
def test_wrong_use_is_refused(execute, trace2, words):
    done = execute([trace2, "doctor", *words])
    assert done.returncode == 2
    assert done.stderr.startswith(b"trace2 doctor: ")


def test_help_is_printed(execute, trace2):
    done = execute([trace2, "doctor", "--help"])
    assert done.returncode == 0
    assert done.stdout.startswith(b"usage: trace2 doctor ")
    assert max(map(len, done.stdout.splitlines())) <= 79


def test_hostile_values_stay_text(execute, trace2):
    done = execute([trace2, "doctor"],
                   env={**OFF, "GIT_TRACE2": "/\x1b[31m/\nx"})  # fmt: skip
    assert b"\x1b" not in done.stdout
    assert done.stdout.startswith(b"NORMAL   BROKEN  /?[31m/ x, ")
