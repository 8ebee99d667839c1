/*
 * The other threads at the end of a process: what they are writing comes
 * before its atexit or its signal.
 */
#define _GNU_SOURCE /* memmem */
#include "process/process_kit.h"

#include <poll.h>
#include <signal.h>

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define SLOW "printf th01:unknown thread.c:1 t_abs:0.000000 msg:slow\n"
#define LATE "printf th01:unknown thread.c:2 t_abs:0.000000 msg:late\n"
#define DEATH END("signal", "signo:15")
#define END(event, rest) event " main main.c:1 t_abs:0.000000 " rest "\n"

static int is_writing; /* atomic */
static int held_ms;

static ssize_t write_slowly(int fd, const void *bytes, size_t len)
{
	if (memmem(bytes, len, "slow", 4)) {
		__atomic_store_n(&is_writing, 1, __ATOMIC_RELEASE);
		poll(NULL, 0, held_ms);
	}
	return write(fd, bytes, len);
}

static void *write_two(void *unused)
{
	trace2_printf_fl("thread.c", 1, "slow");
	trace2_printf_fl("thread.c", 2, "late");
	return unused;
}

static pthread_t begin_writing(int ms)
{
	pthread_t thread;

	held_ms = ms;
	kit_host.write = write_slowly;
	begin_program();
	kit_require(!pthread_create(&thread, NULL, write_two, NULL),
		    "no thread");
	while (!__atomic_load_n(&is_writing, __ATOMIC_ACQUIRE))
		;
	return thread;
}

static int exits_beside(void)
{
	pthread_t thread = begin_writing(20);

	process_exit(3);
	return pthread_join(thread, NULL);
}

static int dies_beside(void)
{
	process_setenv("GIT_TRACE2_SIGNALS", "1");
	begin_writing(20);
	raise(SIGTERM);
	return 0;
}

/* The kit's clocks do not move, and each wait costs 1 us. */
static int exits_beside_a_slow_one(void)
{
	kit_host.mono_ns = tr2_host_system.mono_ns;
	begin_writing(60000);
	process_exit(3);
	return strstr(kit_content("event"), "slow") != NULL;
}

/* What the thread writes next may come before the end. */
static char *drop_late(const char *told)
{
	static char text[4096];
	const char *late = strstr(told, LATE);
	size_t len = late ? (size_t)(late - told) : strlen(told);

	snprintf(text, sizeof(text), "%.*s%s", (int)len, told,
		 late ? late + strlen(LATE) : "");
	return text;
}

static void test_end(void)
{
	static const char end[] = END("atexit", "code:3");
	const char *told = process_told(exits_beside);
	size_t len = strlen(told);

	tap_str(drop_late(told),
		kit_text("%s%s", BEGIN SLOW END("exit", "code:3"), end),
		"an atexit comes after what others are writing");
	tap_ok(len > strlen(end) && !strcmp(told + len - strlen(end), end),
	       "and nothing comes after it");
	told = process_told_of(dies_beside, 128 + SIGTERM);
	tap_str(told,
		strstr(told, "late") ? BEGIN SLOW LATE DEATH : BEGIN SLOW DEATH,
		"a signal comes after what others are writing, and last");
	process_prepare();
	tap_int(kit_in_child(exits_beside_a_slow_one), 0,
		"a process does not wait long for others");
}

int main(void)
{
	kit_start();
	test_end();
	return kit_done();
}
