/* A trace is a guest in its host. */
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"

#define AT(line) "guest.c", (line)
#define NONE TRACE2_REPO_NONE

TRACE2_TIMER(guest_timer, "guest", "timer", 1);
TRACE2_COUNTER(guest_counter, "guest", "counter", 1);

/* The host opens a file of its own with a number that a setting may name. */
static int run_595descriptor(const char **argv)
{
	int number, fd;

	if (tool_count(argv) != 2 || tool_int(&number, argv[0]) < 0)
		tool_die(AT(10), "expect <number> <path>");
	fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0 || dup2(fd, number) < 0)
		tool_die(AT(11), "cannot open %s as %d", argv[1], number);
	TRACE(printf, AT(12), "%d is the host's", number);
	return 0;
}

/* The host that the library uses below the verb's own. */
static const struct tr2_host *below;

static void replace_host(struct tr2_host *table)
{
	below = tr2_host;
	*table = *below;
	tr2_host = table;
}

static ssize_t write_and_call(int fd, const void *bytes, size_t len)
{
	tr2_host = below; /* once is enough */
	TRACE(printf, AT(20), "inside");
	return below->write(fd, bytes, len);
}

/* An event comes while another one is being written, on the same thread. */
static void run_596reentrant(void)
{
	static struct tr2_host table;

	replace_host(&table);
	table.write = write_and_call;
	TRACE(printf, AT(21), "around");
	TRACE(printf, AT(22), "after");
}

static void *no_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	errno = ENOMEM;
	return NULL;
}

/* There is no memory for an event that is longer than all before. */
static void run_597no_memory(void)
{
	static struct tr2_host table;
	static char text[1 << 16];

	memset(text, 'x', sizeof(text) - 1);
	replace_host(&table);
	table.realloc = no_memory;
	TRACE(printf, AT(30), "%s", text);
	tr2_host = below;
	TRACE(printf, AT(31), "after");
}

#define STRANGE 9999 /* an errno that no function sets */

#define KEEPS(call, ...)                                                     \
	do {                                                                 \
		fake_tick();                                                 \
		errno = STRANGE;                                             \
		trace2_##call(__VA_ARGS__);                                  \
		printf("%s\n", errno == STRANGE ? "kept" : #call " set it"); \
	} while (0)

static int run_598errno(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = argv;
	KEEPS(cmd_error_fl, AT(40), "%s", "message");
	KEEPS(cmd_name_fl, AT(41), "name");
	KEEPS(cmd_mode_fl, AT(42), "mode");
	KEEPS(def_param_fl, AT(43), "param", "value");
	KEEPS(def_repo_fl, AT(44), "/worktree");
	KEEPS(child_start_fl, AT(45), &child);
	KEEPS(child_exit_fl, AT(46), &child, 0);
	KEEPS(exec_result_fl, AT(47), 0, 2);
	KEEPS(thread_start_fl, AT(48), "main");
	KEEPS(thread_exit_fl, AT(49));
	KEEPS(region_enter_fl, AT(50), "cat", "label", NONE);
	KEEPS(data_string_fl, AT(51), "cat", NONE, "key", "value");
	KEEPS(data_json_fl, AT(52), "cat", NONE, "key", "{");
	KEEPS(region_leave_fl, AT(53), "cat", "label", NONE);
	KEEPS(printf_fl, AT(54), "%s", "message");
	KEEPS(timer_start, guest_timer);
	KEEPS(timer_stop, guest_timer);
	KEEPS(counter_add, guest_counter, 1);
	return 0;
}

const struct verb verbs_guest[] = {
	VERB(595descriptor, "<number> <path>"),
	PLAIN(596reentrant),
	PLAIN(597no_memory),
	VERB(598errno, "[<argv...>]"),
	{ .name = NULL },
};
