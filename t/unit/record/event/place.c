/* The place of an EVENT log: its file, its link, and how they are known. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/short.h"
#include "record/event/event_kit.h"

/* ---- What programs are told */

static void test_environment(void)
{
	int reaps = 0;

	setenv("GIT_TRACE2_EVENT", "", 1);
	setenv("GIT_TRACE2_EVENT_NESTING", "2", 1);
	setenv("GIT_TRACE2_EVENT_BRIEF", "1", 1);
	open_log("a.event");
	tap_int(tr2_event_log_announce(&event_log), 0,
		"programs get the place of the log");
	tap_str(getenv("GIT_TRACE2_EVENT"), event_log.link,
		"where they are to write");
	tap_str(getenv("GIT_TRACE2_EVENT_NESTING"), "100",
		"that all regions are wanted, whatever was set");
	tap_str(getenv("GIT_TRACE2_EVENT_BRIEF"), "0", "and so are the times");
	prctl(PR_GET_CHILD_SUBREAPER, &reaps, 0, 0, 0);
	tap_int(reaps, 1, "what outlives its parent becomes our child");
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	tr2_event_log_release(&event_log);
}

/* A program may change its directory. */
static void test_link(void)
{
	char target[256] = "", want[256], place[64];

	mkdir("sub", 0700);
	symlink("sub", "way");
	open_log("way/a.event");
	tap_need(readlink(event_log.link, target, sizeof(target) - 1) >= 0);
	snprintf(want, sizeof(want), "%s/sub/a.event.partial", directory_path);
	tap_str(target, want, "the link has the whole path of the log");
	tap_int(find_mode(event_log.place.path), 0700,
		"nobody else finds it in its directory");
	snprintf(place, sizeof(place), "%s", event_log.place.path);
	tr2_event_log_release(&event_log);
	tap_int(has_file(place), 0, "which is removed at the end");
	tap_str(list_names("sub"), "", "with the log");
	unlink("way");
	rmdir("sub");
}

/* ---- Hiding */

static void test_release(void)
{
	char place[64];

	open_log("a.event");
	snprintf(place, sizeof(place), "%s", event_log.place.path);
	tr2_event_log_release(&event_log);
	tap_int(has_file(place), 0, "a log that ends is hidden, too");
	tr2_event_log_release(&event_log);
	tap_ok(!event_log.name, "its end may come twice");
}

/* ---- Commits */

static void test_commit(void)
{
	int before;

	open_log("a.event");
	before = count_descriptors();
	tap_int(commit_log(), 0, "an empty log is not cut");
	tap_int(count_descriptors(), before - 1,
		"a log that is put in place is closed");
	tr2_event_log_release(&event_log);
	unlink("a.event");
	open_log("a.event");
	append_file(event_log.link, "a\n");
	mkdir("a.event", 0700);
	tap_int(commit_log(), 1, "a log may find its place taken");
	tap_ok(!strncmp(kit_said[2], "trace2 record: a.event: ", 24) &&
		       strstr(kit_said[2], strerror(EISDIR)),
	       "a place that is taken is told by its name");
	tap_int(strstr(kit_said[2], "the record is in") != NULL, 0,
		"and no record is");
	tr2_event_log_release(&event_log);
	rmdir("a.event");
	if (has_file("a.event.partial"))
		unlink("a.event.partial");
	open_log("a.event");
	unlink("a.event.partial");
	tap_int(commit_log(), 1, "a log may have been removed");
	tap_ok(strstr(kit_said[2], strerror(ENOENT)) != NULL,
	       "the message says that it is gone");
	tr2_event_log_release(&event_log);
}

/* Some programs are started without standard input. */
static void test_first_descriptor(void)
{
	int input = dup(0);

	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	close(0);
	tr2_event_log_open(&event_log, "a.event");
	tap_int(event_log.file.fd, 0, "a log may be the first descriptor");
	tap_int(tr2_event_log_is_empty(&event_log), 1, "then it is empty");
	append_file(event_log.link, "a\nb");
	tap_int(tr2_event_log_is_empty(&event_log), 0, "until it is not");
	tap_int(tr2_event_log_stop(&event_log), 0, "and may be stopped");
	tap_str(kit_text("a.event.partial"), "a\n", "after its last line");
	tr2_event_log_release(&event_log);
	dup2(input, 0);
	close(input);
}

/* Returns the status of a child whose next call for memory fails. */
static int run_short(void (*part)(void))
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(2);
		fail_from(1);
		part();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void begin_short(void)
{
	open_log("b.event");
}

static void stop_short(void)
{
	tr2_event_log_stop(&event_log);
}

static void test_memory(void)
{
	tap_int(run_short(begin_short), 3, "a log's name needs memory");
	open_log("a.event");
	tap_int(run_short(stop_short), 3,
		"the name of a log's copy needs memory");
	tr2_event_log_release(&event_log);
	tap_str(list_names("."), "", "without it there is no log");
}

int main(void)
{
	short_install();
	enter_directory();
	unsetenv("TMPDIR");
	unsetenv("GIT_CONFIG_PARAMETERS");
	kit_divert(2); /* so that the kit has its descriptors */
	kit_restore(2);
	tap_run(test_environment, test_link, test_release, test_commit,
		test_first_descriptor, test_memory);
	leave_directory();
	return tap_done();
}
