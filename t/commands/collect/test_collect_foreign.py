"""A spool, or a place for sockets and records, that another user has made or
can change: nothing of it is used, and nothing in it is overwritten."""

import os
import re
import subprocess

import pytest
from collect_kit import Service, send_lines, until

NOBODY = 65534

pytestmark = pytest.mark.skipif(os.geteuid() != 0,
                                reason="only root can be another user")


@pytest.fixture
def place(short_dir):
    """A directory of everybody's, as /tmp is, and a file that is precious."""
    short_dir.chmod(0o1777)
    (short_dir / "private").mkdir(mode=0o700)
    (short_dir / "private/precious").write_text("precious\n")
    yield short_dir
    assert (short_dir / "private/precious").read_text() == "precious\n"


def make_spool(place, mode=0o755, owner=NOBODY):
    spool = place / "spool"
    spool.mkdir()
    spool.chmod(mode)
    os.chown(spool, owner, owner)
    return spool


def put_file(path, owner=NOBODY, mode=0o644, text="0123456789abcdef"):
    path.write_text(text)
    path.chmod(mode)
    os.chown(path, owner, owner)


def prepare_foreign_spool(place):
    put_file(make_spool(place) / "redact.key")
    return "belongs to user 65534 (mode 0755), expected root"


def prepare_link_to_own_directory(place):
    (place / "own").mkdir(mode=0o700)
    (place / "spool").symlink_to(place / "own")
    os.lchown(place / "spool", NOBODY, NOBODY)
    return "belongs to user 65534"


def prepare_open_spool(place):
    make_spool(place, 0o777, 0)
    return "(owner 0, mode 0777)"


def prepare_sticky_spool(place):
    make_spool(place, 0o1777, 0)
    return "(owner 0, mode 1777)"


def prepare_spool_of_a_group(place):
    os.chown(make_spool(place, 0o775, 0), 0, NOBODY)
    return "(owner 0, mode 0775)"


def prepare_open_parent(place):
    place.chmod(0o777)
    return "mode 0777"


def prepare_linked_segment(place):
    name = "0000000000000000-0000000000000000"
    (make_spool(place, 0o755, 0) / name).symlink_to(place / "private/precious")
    return "is a symbolic link"


def prepare_twin_segment(place):
    name = "0000000000000000-0000000000000000"
    (make_spool(place, 0o755, 0) / name).hardlink_to(place / "private/precious")
    return "has another name"


def prepare_foreign_segment(place):
    put_file(make_spool(place, 0o755, 0) / "0000000000000000-0000000000000000")
    return "belongs to user 65534 (mode 0644)"


def prepare_foreign_key(place):
    put_file(make_spool(place, 0o755, 0) / "redact.key")
    return "redact.key' belongs to user 65534"


def prepare_open_key(place):
    put_file(make_spool(place, 0o755, 0) / "redact.key", 0, 0o666)
    return "redact.key' can be changed by other users"


def prepare_linked_key(place):
    (make_spool(place, 0o755, 0) / "redact.key").symlink_to("../private/precious")
    return "redact.key' is a symbolic link"


def prepare_foreign_lock(place):
    put_file(make_spool(place, 0o755, 0) / "spool.lock")
    return "spool.lock' belongs to user 65534"


@pytest.mark.parametrize("prepare", [
    prepare_foreign_spool, prepare_link_to_own_directory, prepare_open_spool,
    prepare_sticky_spool, prepare_spool_of_a_group, prepare_open_parent,
    prepare_linked_segment, prepare_twin_segment, prepare_foreign_segment,
    prepare_foreign_key, prepare_open_key, prepare_linked_key,
    prepare_foreign_lock,
])
def test_a_service_does_not_start_with_what_others_can_change(trace2, place, prepare):
    expected = prepare(place)
    service = Service(trace2, place, ["-o", "files:logs", "--redact", "all"])
    service.begin(reached=False)
    code, _, errors = service.wait()
    assert code == 3
    assert expected in errors.decode()
    assert "; " in errors.decode()  # what to do


def serve_lines(trace2, place, options=(), under=()):
    """A whole life of a service; it gets one line."""
    service = Service(trace2, place, ["-o", "files:logs", *options])
    plain = service.arguments
    service.arguments = lambda options, spool: [*under, *plain(options, spool)]
    service.begin()
    send_lines(service.path, [b'{"event":"data"}\n'])
    assert until(lambda: len(service.lines(".log*")) == 1)
    return service, service.end()


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o711, 0o750])
def test_a_directory_of_its_own_below_one_of_everybodys_is_good(trace2, place, mode):
    make_spool(place, mode, 0)
    _, result = serve_lines(trace2, place, ["--redact", "passwords"])
    assert result == (0, b"", b"")


def test_another_user_has_his_own_service_there(trace2, place):
    (place / "home").mkdir()
    os.chown(place / "home", NOBODY, NOBODY)
    os.chmod(place / "home", 0o755)
    _, result = serve_lines(
        trace2, place / "home",
        under=["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
    assert result == (0, b"", b"")


def prepare_metrics(spool, precious):
    (spool / "metrics.partial").symlink_to(precious)


def prepare_broken(spool, precious):
    (spool / "broken.log").hardlink_to(precious)


def prepare_list(spool, precious):
    (spool / "watched.partial").symlink_to(precious)


@pytest.mark.parametrize("prepare", [prepare_metrics, prepare_broken, prepare_list])
def test_what_a_link_in_the_spool_leads_to_is_not_overwritten(trace2, place, prepare):
    prepare(make_spool(place, 0o755, 0), place / "private/precious")
    (place / "in").mkdir()
    service = Service(trace2, place, ["-o", "files:logs", "--check", "set-aside",
                                      "--watch", "in"]).begin()
    send_lines(service.path, [b"broken\n"])
    assert until(lambda: (service.spool / "metrics.prom").exists())
    service.end()  # and the fixture looks at the file


def test_the_socket_of_a_manager_is_where_others_cannot_replace_it(trace2, place):
    place.chmod(0o777)
    command = [trace2, "manager", "--socket", place / "manager"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert b"can be changed by other users" in done.stderr
    place.chmod(0o1777)
    put_file(place / "manager.lock", mode=0o666)
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert b"manager.lock' belongs to user 65534" in done.stderr


def test_a_recording_does_not_use_a_directory_that_others_can_replace(trace2, place):
    used = []
    for mode in 0o777, 0o700:
        place.chmod(mode)
        done = subprocess.run([trace2, "record", "-o", "/dev/null", "--", "env"],
                              env={**os.environ, "TMPDIR": str(place)},
                              capture_output=True, timeout=60, check=False)
        manager, = re.findall(rb"^TRACE_MANAGER=(.*)$", done.stdout, re.M)
        used.append(manager.startswith(bytes(place)))
        assert sorted(path.name for path in place.iterdir()) == ["private"]
    assert used == [False, True]
