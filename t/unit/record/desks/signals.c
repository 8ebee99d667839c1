/* Signals that end a recording, and what the trace manager does then. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <stdarg.h>
#include <sys/ioctl.h>

#include "record/desks/desk_kit.h"

#define TRACING(output) \
	BEGIN_RECORD("--socket", "m", "-o", output, "--timeout", "0.05")
#define GAVE_UP \
	"trace2 record: ended by a signal before the trace manager answered\n"

static const uint64_t filler = (uint64_t)1 << 4;

static void test_no_answer(void)
{
	pid_t pid = TRACING("a.fxt");

	await_client();
	await_request();
	kill(pid, SIGTERM);
	tap_int(end_command(pid), 128 + SIGTERM,
		"a signal ends a recording that has not begun");
	tap_str(messages, GAVE_UP, "the message tells that no answer came");
	tap_str(list_names("."), "m ", "what has not begun leaves no file");
	hang_up();
}

/* The first signal ends it in order, and others change nothing. */
static void test_order(void)
{
	pid_t pid = BEGIN_RECORD("--socket", "m", "-o", "a.fxt");

	grant_tracing();
	put_words("a.fxt.partial", 2);
	kill(pid, SIGTERM);
	tap_int(await_request(), TRACE_STOP_TRACING, "a signal stops tracing");
	kill(pid, SIGINT);
	answer_client(0);
	await_request();
	put_archive(&filler, sizeof(filler));
	end_archive();
	answer_client(0);
	tap_int(end_command(pid), 0,
		"a recording that a signal has ended is a good one");
	tap_ok(strstr(messages,
		      "providers 0, events 0, dropped 0, bytes 24\n") ==
		       messages,
	       "it has what came after the signal, too");
	tap_int(find_size("a.fxt"), 24, "which is in its archive");
	hang_up();
	unlink("a.fxt");
}

static void test_no_end(int signo)
{
	pid_t pid = TRACING("a.fxt");
	char name[80];

	grant_tracing();
	put_words("a.fxt.partial", 2);
	kill(pid, signo);
	await_request();
	snprintf(name, sizeof(name),
		 "signal %d ends a recording whose end has no answer", signo);
	tap_int(end_command(pid), 128 + signo, name);
	snprintf(name, sizeof(name),
		 "signal %d leaves what came, and a message", signo);
	tap_str(messages,
		GAVE_UP "trace2 record: what came until then is in: "
			"a.fxt.partial\n"
			"providers 0, events 0, dropped 0, bytes 16\n",
		name);
	hang_up();
	unlink("a.fxt.partial");
}

/* A terminal that goes does not end it. */
static void test_nohup(void)
{
	pid_t pid;

	signal(SIGHUP, SIG_IGN);
	pid = TRACING("a.fxt");
	signal(SIGHUP, SIG_DFL);
	grant_tracing();
	put_words("a.fxt.partial", 2);
	kill(pid, SIGHUP);
	kill(pid, SIGTERM);
	await_request();
	tap_int(end_command(pid), 128 + SIGTERM,
		"a hangup ends nothing where it is ignored");
	hang_up();
	unlink("a.fxt.partial");
}

/* ---- A reader of the output */

static int find_waiting(int fd)
{
	int bytes = 0;

	ioctl(fd, FIONREAD, &bytes);
	return bytes;
}

/* Returns more than a pipe takes, of which its reader has seen a part. */
static long fill_archive(int reader)
{
	static uint64_t words[1 << 14];
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		words[i] = filler;
	for (i = 0; i < 2; i++) {
		put_archive(words + i, sizeof(*words));
		while (find_waiting(reader) < (int)((i + 1) * sizeof(*words)))
			take_nap();
	}
	put_archive(words + i, sizeof(words) - i * sizeof(*words));
	return (long)sizeof(words);
}

static void test_fifo(void)
{
	char want[256];
	long sent, lost;
	int reader;
	pid_t pid;

	mkfifo("f.fxt", 0600);
	reader = open("f.fxt", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	pid = TRACING("f.fxt");
	grant_tracing();
	sent = fill_archive(reader);
	kill(pid, SIGTERM);
	tap_int(end_command(pid), 128 + SIGTERM,
		"a signal ends a recording whose output nobody reads");
	lost = find_number("at least ");
	snprintf(want, sizeof(want),
		 "trace2 record: ended by a signal while nobody read the "
		 "output: f.fxt\nat least %ld bytes of the archive are lost\n",
		 lost);
	tap_ok(strstr(messages, want) == messages && lost > 0 &&
		       lost + find_number(", bytes ") <= sent,
	       "the message tells how much is lost at least");
	hang_up();
	close(reader);
	unlink("f.fxt");
}

/* In the place of the C library's. A note tells that a FIFO is opened. */
int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	if (!strcmp(path, "f.fxt"))
		close(creat("opens", 0600));
	return openat(AT_FDCWD, path, flags, mode);
}

static void test_no_reader(void)
{
	pid_t pid;

	mkfifo("f.fxt", 0600);
	pid = TRACING("f.fxt");
	await_file("opens");
	kill(pid, SIGTERM);
	tap_int(end_command(pid), 128 + SIGTERM,
		"a signal ends a recording that waits for a reader");
	tap_str(messages, "",
		"a recording without a reader ends without a message");
	unlink("opens");
	tap_str(list_names("."), "f.fxt m ", "and it makes no file");
	unlink("f.fxt");
}

int main(void)
{
	begin_work();
	open_desk();
	test_no_answer();
	test_order();
	test_no_end(SIGTERM);
	test_no_end(SIGINT);
	test_no_end(SIGHUP);
	tap_run(test_nohup, test_fifo, test_no_reader);
	close_desk();
	leave_directory();
	return tap_done();
}
