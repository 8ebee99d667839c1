/* The EVENT log of a recorded command, when something is in its way. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"
#include "record/event/event_kit.h"
#include "record/log_kit.h"

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
	tap_str(kit_text("a.event.partial"), "mine", "and that one stays");
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
	tap_str(kit_text("a.event.2.partial"), "mine", "it is as it was");
	tap_str(kit_text("a.event.1.partial"), "older",
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
		"which is told of a device");
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
	tap_str(kit_text("a.event.partial"), LOG, "and it is whole");
	tr2_event_log_release(&event_log);
	tap_int(count_descriptors(), before,
		"the log leaves no descriptor open");
	tap_str(list_names("."), "", "and no file");
}

int main(void)
{
	enter_directory();
	unsetenv("TMPDIR");
	tap_run(test_partial, test_left, test_no_file, test_no_place,
		test_full);
	leave_directory();
	return tap_done();
}
