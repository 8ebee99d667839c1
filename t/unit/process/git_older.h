/*
 * git_older.h - what git's older tracing prints itself, beside Trace2 and
 * without it. The lines have their own numbers, of older.c.
 */
#ifndef UNIT_PROCESS_GIT_OLDER_H
#define UNIT_PROCESS_GIT_OLDER_H

static char printed[80]; /* a file */

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

#endif
