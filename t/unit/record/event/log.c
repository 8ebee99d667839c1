/* The EVENT log of a recorded command: the messages about it. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/record_part.h"

#define HINT "; to see where the time went, type:\ntrace2 summary "

static struct tr2_event_log event_log;

static long read_size(const char *path)
{
	struct stat st = { 0 };

	return stat(path, &st) ? -1 : (long)st.st_size;
}

static void begin_log(const char *output)
{
	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	tap_int(tr2_event_log_open(&event_log, output), 0, "a log is begun");
}

/* Returns the message about an EVENT target with this value. */
static const char *announce_log(const char *set)
{
	setenv("GIT_TRACE2_EVENT", set, 1);
	begin_log("a.event");
	kit_divert(2);
	tr2_event_log_announce(&event_log);
	kit_restore(2);
	return kit_said[2];
}

static void test_replaced(void)
{
	static const char *const off[] = { "", "0", "false", "FALSE", "False" };
	size_t i;

	for (i = 0; i < sizeof(off) / sizeof(*off); i++) {
		tap_str(announce_log(off[i]), "",
			"a target that is off is not missed");
		tr2_event_log_release(&event_log);
	}
	tap_str(announce_log("/tmp/log"),
		"trace2 record: this command's events go to the record and "
		"not to the EVENT target that is set: /tmp/log\n",
		"a target that is on is reported");
	tap_str(getenv("GIT_TRACE2_EVENT"), event_log.link,
		"the command has the record's");
	tap_str(getenv("GIT_TRACE2_EVENT_NESTING"), "100", "with deep regions");
	tap_str(getenv("GIT_TRACE2_EVENT_BRIEF"), "0", "and times");
	tr2_event_log_release(&event_log);
	tap_str(list_names("."), "", "what is empty leaves nothing");
}

/* Returns the message about a log with this name and this text. */
static int commit_log(const char *output, const char *text)
{
	int code;

	begin_log(output);
	tap_int(tr2_event_log_is_empty(&event_log), true, "a new log is empty");
	append_file(event_log.link, text);
	tap_int(tr2_event_log_is_empty(&event_log), false,
		"until a process has written");
	kit_divert(2);
	code = tr2_event_log_commit(&event_log);
	kit_restore(2);
	tr2_event_log_release(&event_log);
	return code;
}

static void test_commit(void)
{
	tap_int(commit_log("a.event", "{}\n"), 0, "a log is put in place");
	tap_str(kit_said[2], "the record is in a.event" HINT "a.event\n",
		"with a command that reads it");
	commit_log("a b.event", "{}\n");
	tap_str(kit_said[2], "the record is in a b.event" HINT "'a b.event'\n",
		"which a shell understands");
	commit_log("-x.event", "{}\n");
	tap_str(kit_said[2], "the record is in -x.event" HINT "./-x.event\n",
		"and takes for no option");
	commit_log("x.fxt", "{}\n");
	tap_str(kit_said[2],
		"the record is in x.fxt.event" HINT "x.fxt.event\n",
		"an archive has its log beside it");
	tap_int(commit_log("cut.event", "{}\n{"), 1,
		"a log whose last line is cut is a failure");
	tap_ok(strstr(kit_said[2], "trace2 record: the last event is cut; is "
				   "the disk full?\n") != NULL,
	       "which the user hears");
	tap_str(list_names("."),
		"-x.event a b.event a.event cut.event x.fxt.event ",
		"and nothing else is left");
}

static void test_older(void)
{
	write_file("a.event", "older\n");
	tap_int(commit_log("a.event", "{}\n{"), 1,
		"a log that is cut does not replace a record");
	tap_str(kit_text("a.event"), "older\n", "the record stays");
	tap_str(kit_text("a.event.partial"), "{}\n{",
		"the cut one has another name");
	tap_str(kit_said[2],
		"trace2 record: the last event is cut; is the disk full?\n"
		"trace2 record: the older record stays: a.event\n"
		"trace2 record: the events are in: a.event.partial\n",
		"both are told by their names");
	unlink("a.event.partial");
}

static void test_long_stop(void)
{
	static char line[100001];

	memset(line, 'x', sizeof(line) - 1);
	begin_log("long.event");
	tap_int(tr2_event_log_stop(&event_log), 0, "an empty log is stopped");
	tap_int(tr2_event_log_is_empty(&event_log), true, "and stays empty");
	append_file("long.event.partial", line);
	append_file("long.event.partial", "\n");
	tap_int(tr2_event_log_stop(&event_log), 0, "so is a long line");
	tap_int(read_size("long.event.partial"), sizeof(line),
		"which stays whole");
	append_file("long.event.partial", line);
	tap_int(tr2_event_log_stop(&event_log), 0,
		"a long line that has no end is left out");
	tap_int(read_size("long.event.partial"), sizeof(line),
		"but not the one before");
	tr2_event_log_release(&event_log);
}

static void test_refusal(void)
{
	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	tap_int(tr2_event_log_is_empty(&event_log), true,
		"no log is an empty one");
	kit_divert(2);
	tap_int(tr2_event_log_refuse(&event_log, "ls", false), 1,
		"to record nothing is a failure");
	kit_restore(2);
	tap_str(kit_said[2],
		"trace2 record: nothing was recorded: expected git 2.22 or "
		"later, or a program that links libtrace2: ls\n"
		"git's events need a file; give --output FILE.event\n",
		"a log that could not be is recommended");
	kit_divert(2);
	tap_int(tr2_event_log_refuse(&event_log, "ls", true), 1,
		"so is to record nothing in time");
	kit_restore(2);
	tap_str(kit_said[2],
		"trace2 record: nothing was recorded before the time of "
		"--duration was over: ls\n",
		"which may be why");
	kit_divert(2);
	event_log.file.fd = -1;
	tap_int(tr2_event_log_open(&event_log, "none/a.event"), 1,
		"a directory has to exist");
	kit_restore(2);
	tap_ok(strstr(kit_said[2], "No such file or directory") != NULL,
	       "or the log is refused");
	tr2_event_log_release(&event_log);
}

int main(void)
{
	enter_directory();
	unsetenv("GIT_CONFIG_PARAMETERS");
	tap_run(test_replaced, test_long_stop, test_commit, test_older,
		test_refusal);
	leave_directory();
	return tap_done();
}
