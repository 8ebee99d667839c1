#define _GNU_SOURCE
/* The EVENT log of a recorded command: its file and link, and what is in its way. */
#include "kit/tap.h"
#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/short.h"
#include "record/record_part.h"
#include <signal.h>
#include "kit/limits.h"
#include "record/log_kit.h"

static struct tr2_event_log event_log;

static int open_log(const char *output)
{
	int code;

	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	kit_divert(2);
	code = tr2_event_log_open(&event_log, output);
	kit_restore(2);
	return code;
}

static int commit_log(void)
{
	int code;

	kit_divert(2);
	code = tr2_event_log_commit(&event_log);
	kit_restore(2);
	return code;
}

static int stop_log(void)
{
	int code;

	kit_divert(2);
	code = tr2_event_log_stop(&event_log);
	kit_restore(2);
	return code;
}

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
	tap_int(find_mode(event_log.place.partial), 0700,
		"nobody else finds it in its directory");
	snprintf(place, sizeof(place), "%s", event_log.place.partial);
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
	snprintf(place, sizeof(place), "%s", event_log.place.partial);
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
	tap_str(file_text("a.event.partial"), "a\n", "after its last line");
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

static void run_place(void)
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
}

/*
 * ---- Fails
 */

static void test_partial(void)
{
	struct tr2_event_log other;

	tap_need(!open_log("a.event"));
	other = event_log;
	append_file(other.link, "mine");
	tap_int(open_log("a.event"), 1,
		"a log is not begun where another recording writes one");
	tap_ok(strstr(kit_said[2], "trace2 record: a.event.partial exists") ==
		       kit_said[2],
	       "which is reported by its name");
	tr2_event_log_release(&event_log);
	tap_str(file_text("a.event.partial"), "mine", "and that one stays");
	tr2_event_log_release(&other);
}

/* Of a recording that was killed, or of a full disk. */
static void test_left(void)
{
	write_file("a.event.partial", "mine");
	write_file("a.event.1.partial", "older");
	tap_int(open_log("a.event"), 0,
		"a log is begun where an earlier recording left a part");
	tap_str(kit_said[2],
		"trace2 record: what an earlier recording left is now in: "
		"a.event.2.partial\n",
		"the part is moved away, which is told");
	tap_str(file_text("a.event.2.partial"), "mine", "it is as it was");
	tap_str(file_text("a.event.1.partial"), "older",
		"and so is an older one");
	tr2_event_log_release(&event_log);
	unlink("a.event.1.partial");
	unlink("a.event.2.partial");
	write_file("other", "mine");
	symlink("other", "a.event.partial");
	tap_int(open_log("a.event"), 1, "a link is no such part");
	tr2_event_log_release(&event_log);
	unlink("a.event.partial");
	unlink("other");
}

static void test_no_file(void)
{
	mkfifo("pipe.event", 0600);
	tap_int(open_log("none/a.event"), 1, "a log needs its directory");
	tr2_event_log_release(&event_log);
	symlink("/dev/null", "null.event");
	tap_int(open_log("null.event"), 1, "a device is no place for a log");
	tap_str(kit_said[2],
		"trace2 record: cannot write an EVENT log to something that is "
		"not a file: null.event\n",
		"a device is refused, with a message");
	tr2_event_log_release(&event_log);
	unlink("null.event");
	unlink("pipe.event");
}

static void test_no_place(void)
{
	char *none = NULL, none_path[80];

	snprintf(none_path, sizeof(none_path), "%s/none", directory_path);
	setenv("TMPDIR", none_path, 1);
	tap_int(open_log("a.event"), 1, "the log's link needs a directory");
	if (asprintf(&none,
		     "trace2 record: cannot make a directory for the EVENT "
		     "log in TMPDIR '%s': %s\n",
		     none_path, strerror(ENOENT)) < 0)
		abort();
	tap_str(kit_said[2], none, "without it the command is not run");
	free(none);
	tr2_event_log_release(&event_log);
	unsetenv("TMPDIR");
	tap_str(list_names("."), "", "and nothing is left");
}

/* The limit on files stands for a full disk. */
static void test_full(void)
{
	int before;

	before = count_descriptors();
	open_log("a.event");
	append_file(event_log.link, LOG);
	limit_disk(300); /* more than the message, less than the log */
	tap_int(stop_log(), 1,
		"a log is not stopped when its copy has no room");
	free_disk();
	tap_ok(strstr(kit_said[2], "trace2 record: a.event.copy.partial: ") ==
		       kit_said[2],
	       "which is told,");
	tap_ok(strstr(kit_said[2],
		      "so the EVENT log goes on until the command ends\n"),
	       "with what follows from it");
	tap_ok(has_file(event_log.link) && !has_file("a.event.copy.partial"),
	       "the command goes on writing to it");
	write_file("a.event.copy.partial", "mine");
	tap_int(stop_log(), 1, "nor when a file is in the place of its copy");
	unlink("a.event.copy.partial");
	tap_int(stop_log(), 0, "later it may be stopped");
	tap_int(has_file(event_log.link), 0, "then nobody finds it any more");
	tap_str(file_text("a.event.partial"), LOG, "and it is whole");
	tr2_event_log_release(&event_log);
	tap_int(count_descriptors(), before,
		"the log leaves no descriptor open");
	tap_str(list_names("."), "", "and no file");
}

static void run_fails(void)
{
	enter_directory();
	unsetenv("TMPDIR");
	tap_run(test_partial, test_left, test_no_file, test_no_place,
		test_full);
	leave_directory();
}

int main(void)
{
	tap_run(run_place, run_fails);
	return tap_done();
}
