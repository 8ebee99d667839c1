"""What tracing costs a program: its one thread, its memory, and the system
calls that a sandbox must allow."""

import os
import re
import shutil
import socket
import subprocess

import pytest
from conftest import ROOT
from outside_kit import ARCHIVE, TRACED, build, place, trace  # noqa: F401

pytestmark = pytest.mark.linked


@pytest.fixture(scope="module")
def alone(place):  # noqa: F811
    return build(place, "alone", TRACED / "alone.c", *ARCHIVE)


def test_a_traced_program_has_one_thread_until_its_first_event(trace, alone):  # noqa: F811
    done = trace("--file-pattern", "t.json", "--", alone)
    assert done.stdout == b"1 2\n"


def test_a_recorded_program_has_one_thread_until_its_first_event(
    execute, trace2, short_dir, alone
):
    done = execute([trace2, "record", "--", alone],
                   env={"TMPDIR": str(short_dir)})  # fmt: skip
    assert done.stdout == b"1 2\n"


# Memory

MEASURED = """
#include <stdio.h>
#include <trace2.h>
int main(int argc, char **argv)
{
	char line[200];
	FILE *status;

	(void)argc;
	trace2_initialize();
	trace2_cmd_start(argv);
	status = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "VmData: %d", &argc) == 1)
			printf("%d\\n", argc);
	return trace2_cmd_exit(0);
}
"""


@pytest.fixture(scope="module")
def measured(place):  # noqa: F811
    source = place / "measured.c"
    source.write_text(MEASURED)
    return build(place, "measured", source, *ARCHIVE)


V1 = "memory.limit_in_bytes"
MANY = "".join(f"{n}:x{n}:/pods/{'0' * 64}\n" for n in range(12, 3, -1))


@pytest.mark.parametrize("groups, name", [
    ("1:x0:/b0::/c\n0::/a\n", "a/memory.max"), ("0::/a/b\n", "a/memory.max"),
    ("3:memory:/a\n0::/\n", f"memory/a/{V1}"), ("4:cpu,memory:/a\n", f"memory/a/{V1}"),
    (MANY * 2 + "3:memory:/a\n0::/\n", f"memory/{V1}"), ("", "memory.max"),
], ids=["own", "above", "version 1", "joined", "far behind", "unknown"])
@pytest.mark.parametrize("limit", ["40000000\n", "max\n", "FIFO"])
def test_a_container_with_little_memory_gets_a_small_buffer(
    measured, scratch, groups, name, limit
):
    """Its system ends a program that needs more."""
    (scratch / name).parent.mkdir(parents=True, exist_ok=True)
    if limit == "FIFO":
        os.mkfifo(scratch / name)  # of who made the directory; nobody waits for it
    else:
        (scratch / name).write_text(limit)
    (scratch / "groups").write_text(groups)
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c",
         'mount --bind "$1/groups" "/proc/$$/cgroup" && '
         'mount --bind "$1" /sys/fs/cgroup && exec "$2"', "sh", scratch, measured],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
             "GIT_TRACE2_CHROME": str(scratch / "a.json")},
        capture_output=True, text=True, timeout=60)  # fmt: skip
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("there can be no namespace of mounts here (unshare -m)")
    assert (int(done.stdout) > 64 << 10) == (limit != "40000000\n")


# System calls

PROGRAM = """
#include <trace2.h>
#include <trace/event.h>
int main(int argc, char **argv)
{
	(void)argc;
	trace2_initialize();
	trace2_cmd_start(argv);
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
	trace2_region_enter("app", "region", 0);
	trace2_region_leave("app", "region", 0);
	return trace2_cmd_exit(0);
}
"""

HOST = """
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>
#include <trace2.h>
static void child(void)
{
	trace2_printf("child");
	_exit(0);
}
int main(int argc, char **argv)
{
	(void)argc;
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
	trace2_def_repo("/repo");
	trace2_data_json("c", 0, "k", "[1]");
	if (!fork())
		child();
	wait(NULL);
	return trace2_cmd_exit(0);
}
"""

# The value of the variable, and the items of the manual that allow its calls.
TARGETS = [
    ("GIT_TRACE2", "{}/normal", "text"),
    ("GIT_TRACE2_PERF", "{}/perf", "text"),
    ("GIT_TRACE2_EVENT", "{}/event", "text"),
    ("GIT_TRACE2_EVENT", "{}", "text"),
    ("GIT_TRACE2_EVENT", "2", "text"),
    ("GIT_TRACE2_FXT", "{}/a.fxt", "fxt"),
    ("GIT_TRACE2_CHROME", "{}/a.json", "chrome"),
    ("TRACE_EVENT_CATEGORIES", "*", "chrome"),
]


def allowed():
    """The calls of each item of the manual's section. A program's start has
    brk, too, but its sandbox may begin after that.
    """
    manual = (ROOT / "ref/libtrace2.3").read_text()
    section = manual.partition(".Sh SYSTEM CALLS\n")[2].partition(".Sh ")[0]
    items = re.findall(r"^\.It Cm (\w+)\n([^.]*)", section, re.MULTILINE)
    return {name: set(re.findall(r"\w+", words)) for name, words in items}


@pytest.fixture(scope="module")
def sandboxed(place):  # noqa: F811
    source = place / "sandboxed.c"
    source.write_text(PROGRAM)
    return build(place, "sandboxed", source, *ARCHIVE)


def calls_of(program, scratch, env):
    log = scratch / "strace.log"
    done = subprocess.run(["strace", "-f", "-o", log, program], env=env,
                          cwd=scratch, capture_output=True)  # fmt: skip
    if done.returncode:
        pytest.skip(f"strace can't trace here: {done.stderr.decode()}")
    return set(re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE))


@pytest.fixture(scope="module")
def forking(place):  # noqa: F811
    source = place / "forking.c"
    source.write_text(HOST)
    return build(place, "forking", source, *ARCHIVE)


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace (strace)")
@pytest.mark.parametrize(("name", "value", "item"), [
    *TARGETS,
    ("GIT_TRACE2_EVENT", "af_unix:stream:{}/socket", "text"),
    ("GIT_TRACE2_EVENT", "af_unix:dgram:{}/socket", "text"),
    ("GIT_TRACE2_FXT", "{}", "fxt"),
    ("GIT_TRACE2_CHROME", "{}", "chrome"),
])
def test_the_manual_lists_the_system_calls_of_a_host_with_settings(
    forking, short_dir, name, value, item
):
    kind = socket.SOCK_DGRAM if "dgram" in value else socket.SOCK_STREAM
    with socket.socket(socket.AF_UNIX, kind) as peer:
        peer.bind(str(short_dir / "socket"))
        if kind == socket.SOCK_STREAM:
            peer.listen()
        env = {
            "HOME": str(short_dir), "GIT_TRACE2_CONFIG_PARAMS": "core.*",
            "GIT_TRACE2_ENV_VARS": "HOME", "GIT_TRACE2_MAX_FILES": "100",
        }
        (short_dir / ".gitconfig").write_text("[include]\n\tpath = ~/more\n")
        (short_dir / "more").write_text("[core]\n\tx = 1\n")
        plain = calls_of(forking, short_dir, env)
        env[name] = value.format(short_dir)
        calls = calls_of(forking, short_dir, env) | \
            calls_of(forking, short_dir, env)  # its file is there now
    known = allowed()
    assert calls - (plain - {"brk"}) - known["all"] - known[item] == set()


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace (strace)")
@pytest.mark.parametrize(("name", "value", "item"), TARGETS)
def test_the_manual_lists_the_system_calls_of_a_target(
    sandboxed, scratch, name, value, item
):
    plain = calls_of(sandboxed, scratch, {})
    calls = calls_of(sandboxed, scratch, {name: value.format(scratch)})
    known = allowed()
    assert calls - (plain - {"brk"}) - known["all"] - known[item] == set()
    assert calls - plain, "the target is on"
