/* Recordings of programs with trace points: the archive and its messages. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <poll.h>

#include "record/traced_kit.h"

#define HINT "; open it in https://ui.perfetto.dev\n"
#define SUMMARY_HINT "; to see where the time went, type:\ntrace2 summary "

/* All that is told about such a recording: its program, and this summary. */
static const char *tell_archive(long size, const char *end)
{
	static char text[1024];

	snprintf(text, sizeof(text),
		 "traced (pid %ld): events %d, dropped 0, bytes %ld\n"
		 "providers 1, events %d, dropped 0, bytes %ld\n%s",
		 find_number("traced (pid "), POINTS, size - 8, POINTS, size,
		 end);
	return text;
}

static void test_archive(void)
{
	tap_int(RECORD("-o", "a.fxt", "--", self, "traced"), 0,
		"a command with trace points is recorded");
	tap_ok(find_size("a.fxt") > 100, "an archive has the trace points");
	tap_str(messages,
		tell_archive(find_size("a.fxt"), "the record is in a.fxt" HINT),
		"the messages tell what is in the archive, and where it is");
	unlink("ready");
	tap_str(list_names("."), "a.fxt ", "an archive is the only file");
	tap_int(RECORD("--", self, "traced", "7"), 7,
		"the status of a program with trace points is kept");
	unlink("ready");
	tap_str(list_names("."), "a.fxt trace.fxt ",
		"an archive without a name is named for it");
	clear_work();
}

static void test_json(void)
{
	long size;

	tap_int(RECORD("-o", "a.json", "--", self, "traced"), 0,
		"an archive may be JSON");
	size = find_number("events 3, dropped 0, bytes ") + 8;
	tap_str(messages, tell_archive(size, "the record is in a.json" HINT),
		"JSON is told as an archive is");
	tap_ok(strstr(kit_text("a.json"), "\"point\"") != NULL,
	       "JSON has the trace points");
	unlink("ready");
	tap_str(list_names("."), "a.json ", "JSON is the only file");
	clear_work();
}

/* What git and other programs write beside the trace points. */
static void test_both(void)
{
	char script[8192];
	const char *seen;

	snprintf(script, sizeof(script), WRITE "'%s' traced", self);
	tap_int(RECORD("-o", "a.fxt", "--", "sh", "-c", script), 0,
		"a command may have trace points and events");
	seen = strstr(messages, "the record is in ");
	tap_str(seen ? seen : messages,
		"the record is in a.fxt" HINT
		"the record is in a.fxt.event" SUMMARY_HINT "a.fxt.event\n",
		"the messages tell both records");
	unlink("ready");
	tap_str(list_names("."), "a.fxt a.fxt.event ",
		"both records are there");
	tap_str(kit_text("a.fxt.event"), LOG,
		"the events are in the one beside the archive");
	tap_int(RECORD("--", "sh", "-c", script), 0, "so it may without names");
	unlink("ready");
	tap_str(list_names("."), "a.fxt a.fxt.event trace.event trace.fxt ",
		"both records have their names then");
	clear_work();
}

static void test_stdout(void)
{
	int out = open("out", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	next_stdout = out;
	tap_int(RECORD("-o", "-", "--", self, "traced"), 0,
		"an archive may go to standard output");
	tap_str(messages, tell_archive(find_size("out"), ""),
		"it is told without a place");
	next_stdout = out;
	tap_int(RECORD("-o", "-", "--", "sh", "-c", ":"), 1,
		"a command without trace points has no archive for a pipe");
	tap_ok(has_message("git's events need a file; give --output "
			   "FILE.event\n"),
	       "the message tells that events need a file");
	next_stdout = out;
	RECORD("-o", "-", "--", "sh", "-c",
	       "echo ${GIT_TRACE2_EVENT-none} >env");
	tap_str(kit_text("env"), "none\n",
		"a command gets no place for events that nobody keeps");
	close(out);
	unlink("ready");
	unlink("env");
	tap_str(list_names("."), "out ", "standard output has no other file");
	clear_work();
}

/* The reader goes, or there is no room. */
static void test_lost_output(void)
{
	int ends[2];

	tap_need(!pipe(ends));
	close(ends[0]);
	next_stdout = ends[1];
	tap_int(RECORD("-o", "-", "--", self, "traced"), 1,
		"an archive that nobody reads is a failure");
	tap_ok(has_message("trace2 record: -: Broken pipe\n"),
	       "the message tells that the reader has gone");
	close(ends[1]);
	symlink("/dev/full", "full.fxt");
	tap_int(RECORD("-o", "full.fxt", "--", self, "traced"), 1,
		"an archive that has no room is a failure");
	tap_ok(has_message("trace2 record: full.fxt: No space left on "
			   "device\n"),
	       "the message tells that there is no room");
	unlink("ready");
	tap_str(list_names("."), "full.fxt ", "neither leaves a file");
	symlink("/dev/null", "null.json");
	tap_int(RECORD("-o", "null.json", "--", "touch", "it-ran"), 1,
		"JSON can't go to a device");
	tap_str(list_names("."), "full.fxt null.json ",
		"which is found before the command runs");
	clear_work();
}

/* What the manager is asked for. */
static void test_options(void)
{
	tap_int(RECORD("-o", "a.fxt", "--categories", "other", "--", self,
		       "traced"),
		0, "categories may be chosen");
	tap_ok(has_message("traced (pid ") && find_number("): events ") == 0,
	       "others are not recorded");
	tap_int(RECORD("-o", "a.fxt", "--categories", "other,app", "--", self,
		       "traced"),
		0, "several categories may be chosen");
	tap_int(find_number("): events "), POINTS, "each of them is recorded");
	clear_work();
}

/* It takes no part in the protocol. */
static void test_mute(void)
{
	write_file("a.fxt", "old");
	tap_int(RECORD("-o", "a.fxt", "--timeout", "0.05", "--", self, "mute"),
		1, "a program that does not answer is a failure");
	tap_ok(has_message("mute (pid ") && has_message("; provider."),
	       "the message tells which rule it breaks");
	tap_ok(has_message("providers 1, events 0, dropped 0, bytes 0\n"),
	       "the summary has it, and no bytes");
	tap_str(kit_text("a.fxt"), "old",
		"an older archive stays if there is nothing else");
	tap_int(has_message("the record is in"), 0, "and no record is told");
	tap_str(list_names("."), "a.fxt ", "the new one is dropped");
	clear_work();
}

static void test_no_manager(void)
{
	setenv("TMPDIR", "/no/such", 1);
	tap_int(RECORD("-o", "a.fxt", "--", self, "traced"), 1,
		"a private manager needs a place");
	tap_str(messages,
		"trace2 record: cannot start a trace manager in TMPDIR "
		"'/no/such': No such file or directory\n",
		"the message tells why it can't start");
	unsetenv("TMPDIR");
	tap_int(RECORD("-o", "a.fxt", "--duration", "0"), 1,
		"a recording of all programs needs a manager");
	tap_str(messages,
		"trace2 record: no trace manager is running; start one with "
		"`trace2 manager`\n",
		"the message tells how to start one");
	tap_int(RECORD("-o", "a.fxt", "--socket", "m", "--", self, "traced"), 1,
		"a manager that is named has to be there");
	tap_str(messages,
		"trace2 record: cannot reach the trace manager: No such file "
		"or directory\n",
		"the message tells that it is not");
	tap_str(list_names("."), "",
		"without a manager the command does not run");
}

/* Programs of a manager that is there for all. */
static void test_service(void)
{
	pid_t manager = BEGIN_MANAGER("--socket", "m"), program, recorder;

	await_manager("m");
	program = begin_program();
	await_file("ready");
	recorder = BEGIN_RECORD("--socket", "m", "-o", "a.fxt", "--", "sh",
				"-c", "touch go; " WAIT("done"));
	waitpid(program, NULL, 0);
	write_file("done", "");
	tap_int(end_command(recorder), 0,
		"a command may be recorded with all other programs");
	tap_str(messages,
		tell_archive(find_size("a.fxt"), "the record is in a.fxt" HINT),
		"a program that was there before is told");
	kill(manager, SIGTERM);
	end_command(manager);
	clear_work();
}

/* ---- A terminal */

static char shown[4096];
static size_t shown_len;

/* Read what a terminal shows until it has this; half a minute at most. */
static int await_shown(int terminal, const char *part)
{
	struct pollfd polls = { .fd = terminal, .events = POLLIN };
	ssize_t got;

	while (!strstr(shown, part)) {
		if (poll(&polls, 1, 30000) != 1)
			return 0;
		got = read(terminal, shown + shown_len,
			   sizeof(shown) - 1 - shown_len);
		if (got <= 0)
			return 0;
		shown_len += (size_t)got;
		shown[shown_len] = '\0';
	}
	return 1;
}

/* Progress is shown while nothing comes, and is gone in the end. */
static void test_terminal(void)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY), theirs;
	pid_t pid;

	tap_need(ours >= 0 && !grantpt(ours) && !unlockpt(ours));
	theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
	next_stderr = theirs;
	pid = BEGIN_RECORD("-o", "a.fxt", "--", "sh", "-c", WAIT("done"));
	tap_ok(await_shown(ours, "\rtracing for ") && await_shown(ours, " kB"),
	       "a terminal shows how a recording goes on");
	write_file("done", "");
	tap_int(end_command(pid), 1, "a recording may have nothing in the end");
	tap_ok(await_shown(ours, "\r\033[Ktrace2 record: nothing was "
				 "recorded"),
	       "a message takes the place of the progress");
	close(theirs);
	close(ours);
	clear_work();
}

int main(int argc, char **argv)
{
	begin_traced(argc, argv);
	tap_run(test_archive, test_json, test_both, test_stdout,
		test_lost_output, test_options, test_mute, test_no_manager,
		test_service, test_terminal);
	leave_directory();
	return tap_done();
}
