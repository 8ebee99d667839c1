"""`trace2 record -- COMMAND`: the Trace2 events of git and its children."""

import json
import os
import shlex
import shutil
import signal
import subprocess

import pytest

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b",
       "-c", "gc.auto=0", "-c", "maintenance.auto=false"]


@pytest.fixture
def record(execute, trace2, short_dir):
    """Nothing is left in TMPDIR, and no partial file."""

    def call(*words, env={}, **options):
        env = {"TMPDIR": str(short_dir), **env}
        done = execute([trace2, "record", *words], env=env, **options)
        done.stderr = done.stderr.decode()
        assert not list(short_dir.iterdir())
        return done

    return call


@pytest.fixture
def repository(scratch):
    path = scratch / "a repo"
    subprocess.run(["git", "init", "-q", path], check=True)
    for number in range(3):
        commit = [*GIT, "-C", path, "commit", "-q", "--allow-empty", "-m"]
        subprocess.run([*commit, str(number)], check=True)
    return path


def events(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def names(path):
    return [one["name"] for one in events(path) if one["event"] == "cmd_name"]


def summary(execute, trace2, *paths):
    done = execute([trace2, "summary", "--format", "json", *paths])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("words", [
    ["clone", "-q", "--no-local", "a repo", "copy"],
    ["-C", "a repo", "commit", "-q", "--allow-empty", "-m", "x"],
    ["-C", "a repo", "rebase", "-q", "--force-rebase", "HEAD~1"],
])  # fmt: skip
def test_the_record_of_git_tells_what_its_directory_tells(
    record, repository, scratch, execute, trace2, words
):
    done = record("--output", "a b.event", "--", *GIT, *words)
    assert done.returncode == 0, done.stderr
    assert "trace2 summary 'a b.event'\n" in done.stderr
    log = events(scratch / "a b.event")
    times = [one["time"] for one in log]
    assert max(times) == times[-1] and min(times) == times[0]
    # The same events, a file for each process.
    place = scratch / "place"
    place.mkdir()
    for one in log:
        name = one["sid"].replace("/", "+")
        with open(place / name, "a") as file:
            file.write(json.dumps(one) + "\n")
    assert summary(execute, trace2, "a b.event") == \
        summary(execute, trace2, place)


def test_the_command_that_is_shown_may_be_typed(execute, trace2, scratch, short_dir):
    (scratch / "a b").mkdir()
    os.symlink(trace2, scratch / "a b/trace2")
    done = execute([scratch / "a b/trace2", "record", "-o", "-c.event", "--", *GIT,
                    "version"], env={"TMPDIR": str(short_dir)})
    shown = done.stderr.decode().splitlines()[-1]
    assert shlex.split(shown) == [str(scratch / "a b/trace2"), "summary",
                                  "./-c.event"]
    assert execute(["sh", "-c", shown]).returncode == 0


def test_git_is_recorded_by_default(record, repository, scratch):
    done = record("--", "git", "-C", repository, "status")
    assert done.returncode == 0
    assert b"On branch" in done.stdout
    assert names(scratch / "trace.event") == ["status"]
    assert not (scratch / "trace.fxt").exists()


def test_the_record_has_deep_regions_and_times(record, repository, scratch):
    shallow = {"GIT_TRACE2_EVENT_NESTING": "1", "GIT_TRACE2_EVENT_BRIEF": "1"}
    record("--", "git", "-C", repository, "status", env=shallow)
    log = events(scratch / "trace.event")
    assert all("time" in one for one in log)
    assert max(one.get("nesting", 0) for one in log) > 1


@pytest.mark.parametrize(
    "name", ["t.fxt", "t.json", "x" * 251 + ".fxt", "x" * 250 + ".json"],
    ids=["fxt", "json", "longest fxt", "longest json"])
def test_the_name_of_the_output_chooses_its_format(
    record, repository, scratch, name, execute, trace2
):
    done = record("--output", name, "--", "git", "-C", repository, "status")
    assert done.returncode == 0, done.stderr
    assert f"the record is in {name}; open it" in done.stderr
    assert sorted(os.listdir(scratch)) == ["a repo", name]
    if name.endswith(".json"):
        assert "status" in (scratch / name).read_text()
        json.loads((scratch / name).read_text())
    else:
        assert b"status" in execute([trace2, "dump", name]).stdout


def test_the_exit_code_of_git_is_kept(record, repository, scratch):
    done = record("--", "git", "-C", repository, "rev-parse", "--verify", "no")
    assert done.returncode == 128
    assert events(scratch / "trace.event")[-1]["code"] == 128
    assert record("--", "sh", "-c", "git version; kill -9 $$").returncode == 137


def test_standard_input_reaches_the_command(record, repository):
    done = record("--", "git", "-C", repository, "hash-object", "--stdin",
                  input=b"x")  # fmt: skip
    assert len(done.stdout) == 41


def test_what_outlives_the_command_is_recorded(record, repository, scratch):
    script = "cd {} && (sleep 0.5; git status) >/dev/null 2>&1 & git version"
    done = record("--", "sh", "-c", script.format(shlex.quote(str(repository))))
    assert done.returncode == 0
    assert names(scratch / "trace.event") == ["version", "status"]


def test_a_process_that_never_ends_is_told(record, scratch):
    done = record("--timeout", "0.2", "--", "sh", "-c",
                  "sleep 20 >/dev/null 2>&1 & echo $!; git version")  # fmt: skip
    os.kill(int(done.stdout.split()[0]), 9)
    assert done.returncode == 0
    assert "a process of the command still runs" in done.stderr
    assert names(scratch / "trace.event") == ["version"]


def test_a_target_that_the_record_replaces_is_told(record, scratch):
    own = scratch / "own"
    done = record("--", "git", "version", env={"GIT_TRACE2_EVENT": str(own)})
    assert f"not to the EVENT target that is set: {own}\n" in done.stderr
    assert not own.exists()
    assert names(scratch / "trace.event") == ["version"]


def test_a_configured_target_is_told_too(record, scratch):
    config = scratch / "config"
    config.write_text("[trace2]\n\teventTarget = /dev/null\n")
    env = {"GIT_CONFIG_GLOBAL": str(config)}
    done = record("--", "git", "version", env=env)
    assert "target that is set: /dev/null\n" in done.stderr
    off = record("--", "git", "version", env={**env, "GIT_TRACE2_EVENT": "0"})
    assert "target that is set" not in off.stderr


def test_the_other_targets_are_left_alone(record, scratch):
    record("--", "git", "version", env={"GIT_TRACE2": str(scratch / "normal")})
    assert " start git version" in (scratch / "normal").read_text()


def test_a_recording_in_a_recording_has_the_events(record, trace2, scratch):
    done = record("--output", "outer.event", "--", "sh", "-c",
                  f"git version; '{trace2}' record -- git --exec-path")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "not to the EVENT target that is set" in done.stderr
    assert names(scratch / "outer.event") == ["version"]
    assert names(scratch / "trace.event") == ["_query_"]


def test_nothing_is_written_if_nothing_was_traced(record, scratch):
    (scratch / "t.event").write_text("old")
    for name in "t.event", "t.fxt":
        done = record("--output", name, "--", "true")
        assert done.returncode == 1
        assert "nothing was recorded: expected git 2.22" in done.stderr
        assert "sudo, ssh, containers" in done.stderr
    assert os.listdir(scratch) == ["t.event"]
    assert (scratch / "t.event").read_text() == "old"


def test_a_command_that_cannot_run_is_told(record, scratch):
    (scratch / "file").write_text("")
    assert record("--", "./no such").returncode == 127
    assert record("--", "./file").returncode == 126
    assert os.listdir(scratch) == ["file"]


@pytest.mark.parametrize("words, said", [
    (["--output", "x.event"], "an EVENT log needs a command"),
    (["--output", "x.html"], "a page needs a command"),
])  # fmt: skip
def test_an_output_that_cannot_be_is_refused(record, words, said):
    done = record(*words)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_command_is_recorded_as_a_page(record, scratch, option):
    done = record(option, "x.html", "--", "git", "version")
    assert done.returncode == 0
    assert "the record is in x.html; open it in a browser" in done.stderr
    assert os.listdir(scratch) == ["x.html"]
    page = (scratch / "x.html").read_text()
    assert page.endswith("</html>\n")
    assert '"max_us":' in page and '"name":"version"}' in page


def test_a_page_of_a_failed_command_keeps_its_exit_status(record, scratch):
    done = record("-o", "x.html", "--", "git", "nonsense")
    assert done.returncode == 1
    assert os.listdir(scratch) == ["x.html"]


def test_events_stay_where_they_are_if_a_page_cannot_be_written(
        record, scratch):
    (scratch / "x.html").mkdir()
    done = record("-o", "x.html", "--", "git", "version")
    assert done.returncode == 1
    assert "the events are in: x.html.event.partial" in done.stderr
    assert (scratch / "x.html.event.partial").stat().st_size > 0


def test_a_log_that_cannot_be_a_file_is_refused(record, scratch):
    (scratch / "x.event").symlink_to("/dev/null")
    done = record("--output", "x.event", "--", "git", "version")
    assert done.returncode == 1
    assert "something that is not a file: x.event" in done.stderr
    done = record("--output", "/dev/null/x.event", "--", "git", "version")
    assert done.returncode == 1
    assert "Not a directory" in done.stderr
    os.mkfifo(scratch / "fifo.event")  # nobody reads it
    done = record("--output", "fifo.event", "--", "git", "version", timeout=20)
    assert done.returncode == 1
    assert "something that is not a file: fifo.event" in done.stderr


def test_a_pipe_gets_no_events_and_this_is_told(record):
    done = record("--output", "-", "--", "git", "version")
    assert done.returncode == 1
    assert "git's events need a file; give --output FILE.event" in done.stderr


def test_a_log_beside_an_archive_keeps_its_own_name(
    record, scratch, test_tool, execute, trace2
):
    done = record("--output", "t.fxt", "--", "sh", "-c",
                  f"git version; '{test_tool}' trace2 001return 0")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "providers 1, " in done.stderr
    assert sorted(os.listdir(scratch)) == ["t.fxt", "t.fxt.event"]
    assert names(scratch / "t.fxt.event")[0] == "version"
    assert b"001return" in execute([trace2, "dump", "t.fxt"]).stdout


DURING = '''exec 3>>"$GIT_TRACE2_EVENT"; git version
while ls "$GIT_TRACE2_EVENT" >/dev/null 2>&1; do sleep 0.05; done
echo too-late >&3; git --exec-path; exit 5'''


@pytest.mark.parametrize("words, made", [
    (["-o", "t.event"], "t.event"),
    (["-o", "t.html"], "t.html"),
    (["-o", "t.json"], "t.json"),
    ([], "trace.event"),
])  # fmt: skip
def test_a_log_ends_in_time(record, scratch, words, made):
    """The command goes on, and writes to the log that it had opened."""
    done = record(*words, "--duration", "1.5", "--", "sh", "-c", DURING)
    assert done.returncode == 5, done.stderr
    assert os.listdir(scratch) == [made]
    text = (scratch / made).read_text()
    assert "version" in text
    assert "too-late" not in text and "_query_" not in text
    if made.endswith(".event"):
        assert names(scratch / made) == ["version"]


def test_a_log_without_events_in_time_is_told(record, scratch):
    done = record("-o", "t.event", "--duration", "0.2", "--", "sh", "-c",
                  "sleep 0.8; git version")
    assert done.returncode == 1
    assert done.stdout.startswith(b"git version")
    assert "before the time of --duration was over: sh\n" in done.stderr
    assert not os.listdir(scratch)


def test_a_command_that_ends_in_time_is_not_waited_for(record, scratch):
    done = record("-o", "t.event", "--duration", "999", "--", "git", "version",
                  timeout=60)
    assert done.returncode == 0
    assert names(scratch / "t.event") == ["version"]


@pytest.mark.parametrize("output", ["t.event", ".event", "t.html"])
@pytest.mark.parametrize("option", [
    "--buffering-mode=circular", "--buffer-size=8K", "--categories=a",
    "--kernel", "--syscalls", "--socket=/tmp/none",
])  # fmt: skip
def test_an_option_about_trace_points_is_refused_for_a_log(
    record, scratch, output, option
):
    done = record("-o", output, option, "--", "git", "version")
    assert done.returncode == 2
    name = option.partition("=")[0]
    assert done.stderr.startswith(f"trace2 record: {name} is about trace "
                                  "points, which are not recorded for this "
                                  f"output: {output}\n")
    assert not os.listdir(scratch)


@pytest.fixture
def started(trace2, scratch, env, short_dir):
    """A recording of git whose command now waits for a line."""
    script = "trap : INT; git version; read line; git --exec-path; exit 5"
    process = subprocess.Popen(
        [trace2, "record", "--output", "t.event", "--", "sh", "-c", script],
        cwd=scratch, env={**env, "TMPDIR": str(short_dir)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline().startswith(b"git version")
    yield process
    process.kill()
    process.communicate()


def test_an_interrupt_is_for_the_command(started, scratch):
    os.killpg(started.pid, signal.SIGINT)
    said = started.communicate(b"\n", timeout=30)[1].decode()
    assert started.returncode == 5, said
    assert names(scratch / "t.event") == ["version", "_query_"]


def test_a_terminated_recording_keeps_what_was_written(started, scratch):
    started.terminate()
    assert started.wait(30) == 128 + signal.SIGTERM
    assert names(scratch / "t.event") == ["version"]


def test_a_killed_recorder_leaves_whole_lines(started, scratch, short_dir):
    started.kill()
    started.wait()
    assert names(scratch / "t.event.partial") == ["version"]
    shutil.rmtree(next(short_dir.iterdir()))


SEVERAL = "for i in 1 2 3 4 5 6 7 8 9; do git version; done"


@pytest.fixture
def on_small_disk(trace2, scratch):
    """on_small_disk(output, before): what `record -o OUTPUT` of some git says
    on a disk of 128 KiB, which `before`, a line of shell, fills; and the rest
    of standard output."""

    def call(output, before, command=SEVERAL):
        script = (
            f"mount -t tmpfs -o size=128k none $0 && cd $0 || exit 9; {before}; "
            f'"$1" record -q -o {output} -- sh -c "{command}" >/dev/null; '
            f'echo $?; ls; head -c 4 {output}'
        )
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, scratch, trace2],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if done.returncode == 9 or "unshare" in done.stderr:
            pytest.skip("only root may mount a file system, and not everywhere")
        return done.stderr, done.stdout

    return call


FILL = "echo old >%s; dd if=/dev/zero of=fill bs=4k count=%s 2>/dev/null"


@pytest.mark.parametrize("output, log, blocks", [
    ("t.event", "t.event", 30), ("t.html", "t.html.event", 30),
    ("t.json", "t.json.event", 29), ("t.fxt", "t.fxt.event", 29),
])
def test_a_full_disk_leaves_the_older_record(on_small_disk, output, log, blocks):
    said, out = on_small_disk(output, FILL % (output, blocks))
    assert out == f"1\nfill\n{output}\n{log}.partial\nold\n"
    assert f"the older record stays: {output}\n" in said
    assert f"the events are in: {log}.partial\n" in said


def test_a_disk_that_is_full_after_a_whole_event_leaves_the_older_record(
    on_small_disk
):
    event = "printf '%04095d\\\\n' 1 >>\\$GIT_TRACE2_EVENT"
    said, out = on_small_disk("t.event", FILL % ("t.event", 30), event)
    assert out == "1\nfill\nt.event\nt.event.partial\nold\n", said
    assert "the disk is full, so events may be missing\n" in said


@pytest.mark.parametrize("output, log, blocks", [
    ("t.event", "t.event", 31), ("t.html", "t.html.event", 31),
    ("t.json", "t.json.event", 30), ("t.fxt", "t.fxt.event", 30),
])
def test_a_full_disk_is_told_when_it_has_no_room_for_one_event(
    on_small_disk, output, log, blocks
):
    """The file of an archive has the last block until it is dropped."""
    said, out = on_small_disk(output, FILL % (output, blocks))
    assert said == f"trace2 record: {log}: No space left on device\n"
    assert out == f"1\nfill\n{output}\nold\n"


def test_a_full_disk_is_told_at_the_end(trace2, scratch):
    script = (
        "mount -t tmpfs -o size=8k none $0 && cd $0 || exit 9; for at in "
        '1 2 3 4 5 6; do echo "git -c x.$at=$(printf %01000d $at) version"; '
        'done >/dev/shm/$$; "$1" record --output t.event -- sh /dev/shm/$$; '
        "echo $?; rm /dev/shm/$$"
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, scratch, trace2],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode == 9 or "unshare" in done.stderr:
        pytest.skip("only root may mount a file system, and not everywhere")
    assert "the last event is cut; is the disk full?" in done.stderr
    assert done.stdout.endswith("\n1\n")


def test_events_stay_if_their_conversion_fails(record, scratch):
    done = record("--output", "t.json", "--", "sh", "-c",
                  "git version; mkdir t.json")  # fmt: skip
    assert done.returncode == 1
    assert "the events are in: " in done.stderr
    assert names(scratch / "t.json.event.partial") == ["version"]
