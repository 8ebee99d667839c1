/* What git's older tracing prints itself, beside Trace2 and without it. */
#include "trace2-git.h"

#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/tap.h"

static struct trace_key trace_packet = TRACE_KEY_INIT(PACKET);
static struct trace_key trace_other = TRACE_KEY_INIT(OTHER);
static struct trace_key trace_zero = TRACE_KEY_INIT(ZERO);

static char printed[] = "/tmp/git-calls-XXXXXX";

static void print_alone(void)
{
	setenv("GIT_TRACE", "true", 1);
	setenv("GIT_TRACE_PACKET", "7", 1);
	setenv("GIT_TRACE_OTHER", printed, 1);
	dup2(STDERR_FILENO, 7);
#line 12 "older.c"
	trace_printf("plain %d\n", 1);
	trace_printf_key(&trace_packet, "packet");
	trace_printf_key(&trace_other, "other %s", "file");
	trace_printf_key(&trace_other, "again");
	trace_printf_key(&trace_zero, "never");
	if (trace_want(&trace_other) && !trace_want(&trace_zero))
		trace_printf("wanted");
	trace_performance_enter();
	trace_performance_leave("never");
}

#line 42 "older.c"
static void print_beside(void)
{
	setenv("GIT_TRACE2", "1", 1);
	setenv("GIT_TRACE", "1", 1);
	trace2_initialize();
	trace_printf("both");
}

/* Standard error of a process. */
static const char *run_printer(void (*print)(void))
{
	static char text[4096];
	size_t len = 0;
	ssize_t got;
	int ends[2];

	tap_need(!pipe(ends));
	if (!fork()) {
		dup2(ends[1], STDERR_FILENO);
		print();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(ends[0]);
	wait(NULL);
	text[len] = '\0';
	return text;
}

/*
 * Does the text begin with a line of a time, a place, blanks up to the column,
 * and the message? The text is what follows.
 */
static int has_line(const char **text, int column, const char *message)
{
	const char *at = *text, *end = strchr(at, '\n');
	const size_t len = strlen(message);

	if (!end || end - at != column + (ptrdiff_t)len || at[2] != ':' ||
	    at[5] != ':' || at[8] != '.' || strncmp(at + 16, "older.c:", 8) ||
	    at[column - 1] != ' ' || strncmp(at + column, message, len))
		return 0;
	*text = end + 1;
	return 1;
}

static void test_printed(void)
{
	const char *at;
	char text[256];
	ssize_t len;
	int fd = mkstemp(printed);

	at = run_printer(print_alone);
	tap_ok(has_line(&at, 40, "plain 1") && has_line(&at, 40, "packet") &&
		       has_line(&at, 40, "wanted") && !*at,
	       "git's older tracing prints without Trace2");
	len = read(fd, text, sizeof(text) - 1);
	text[len < 0 ? 0 : len] = '\0';
	at = text;
	tap_ok(has_line(&at, 40, "other file") && has_line(&at, 40, "again") &&
		       !*at,
	       "a key prints to the file that its variable names");
	at = strchr(run_printer(print_beside), '\n') + 1;
	tap_ok(has_line(&at, 40, "both") && has_line(&at, 50, "both"),
	       "older tracing and Trace2 work in parallel");
	close(fd);
	unlink(printed);
}

/* A host whose write traces, as a preloaded object may. */
static ssize_t trace_and_write(int fd, const void *bytes, size_t len)
{
	trace_printf("inside");
	return write(fd, bytes, len);
}

static void print_inside(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.write = trace_and_write;
	tr2_host = &host;
	setenv("GIT_TRACE", "1", 1);
#line 12 "older.c"
	trace_printf("outside");
}

/* Nobody reads it. Without a limit the alarm ends the process. */
static void print_too_much(void)
{
	static char text[1 << 20];
	int ends[2];

	tap_need(!pipe(ends) && dup2(ends[1], 7) >= 0);
	memset(text, 'x', sizeof(text) - 1);
	setenv("GIT_TRACE", "7", 1);
	alarm(5);
	trace_printf("%s", text);
	dprintf(STDERR_FILENO, "went on");
}

static void test_host(void)
{
	const char *at = run_printer(print_inside);

	tap_ok(has_line(&at, 40, "outside") && !*at,
	       "what the host's write prints inside of a message is dropped");
	tap_str(run_printer(print_too_much), "went on",
		"a pipe that nobody reads does not keep the host waiting");
}

int main(void)
{
	test_printed();
	test_host();
	return tap_done();
}
