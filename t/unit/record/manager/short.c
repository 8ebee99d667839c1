/*
 * A manager whose memory ends: whichever of its calls for memory fails, the
 * others go on, each failure has an answer, and the next tracing is as usual.
 */
#define _GNU_SOURCE
#include <malloc.h>

#include "kit/trace/manager.h"

/* ---- Memory, in the place of the C library's */

static int calls, fails_at; /* since it is counted; 0: none fails */

static int is_failing(void)
{
	if (!fails_at || ++calls != fails_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

/* Not malloc(3) itself, which sanitizers need before there is a program. */
static void *get_memory(size_t size)
{
	return is_failing() ? NULL : malloc(size);
}

void *calloc(size_t count, size_t size)
{
	void *memory = get_memory(count * size);

	return memory ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *old, size_t size)
{
	const size_t kept = old ? malloc_usable_size(old) : 0;
	void *memory = get_memory(size);

	if (!memory)
		return NULL;
	if (old)
		memcpy(memory, old, kept < size ? kept : size);
	free(old);
	return memory;
}

static struct kit kit;
static struct kit_provider one, two;

/* ---- A tracing, in which a call may fail */

/* Returns 0, or the error of a connection that the manager refused. */
static int connect_program(struct kit_provider *provider, const char *name)
{
	int ends[2], error;

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
	memset(provider, 0, sizeof(*provider));
	error = tr2_manager_adopt(kit.manager, ends[1]);
	if (error)
		close(ends[1]);
	provider->fd = ends[0];
	kit_say(provider->fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, name,
		strlen(name), -1);
	kit_run(&kit);
	kit_arrive(provider);
	return error;
}

static int initialized; /* what the client was answered */

static void trace_both(void)
{
	initialized = kit_initialize(&kit, TRACE_BUFFERING_MODE_ONESHOT,
				     KIT_SIZE, "cat", 4);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	if (one.at)
		kit_event(&one, "a");
	if (two.at)
		kit_event(&two, "b");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
}

static void leave_both(void)
{
	kit_leave(&one);
	kit_leave(&two);
	kit_run(&kit);
}

/* Is the result of a tracing right, though this call has failed? */
static int is_right(int refused)
{
	const char *events = kit_events(&kit);

	if (kit_was_hung_up(kit.client)) /* an answer had no memory */
		return 1;
	if (refused)
		return refused == ENOMEM && strcmp(events, "a b") != 0;
	if (initialized)
		return initialized == ENOMEM;
	if (!kit.len) /* its first bytes had no memory */
		return kit.done == EPIPE;
	return !strcmp(events, "a b") || !strcmp(events, "a") ||
	       !strcmp(events, "b");
}

static int is_usual(void)
{
	fails_at = 0;
	kit.len = 0;
	kit.count = 0;
	close(kit.client); /* it may have been dropped */
	kit_run(&kit);
	kit.client = kit_connect(&kit);
	if (connect_program(&one, "one") || connect_program(&two, "two"))
		return 0;
	trace_both();
	leave_both();
	return !initialized && !kit.done && kit.count == 2 &&
	       !strcmp(kit_events(&kit), "a b");
}

static void test_calls(void)
{
	int refused, wrong = 0, unusual = 0, failures = 0;

	for (int call = 1; call <= 40; call++) {
		kit_open(&kit, 60000, 0);
		calls = 0;
		fails_at = call;
		refused = connect_program(&one, "one");
		refused |= connect_program(&two, "two");
		trace_both();
		failures += calls >= call;
		wrong += calls >= call && !is_right(refused);
		leave_both();
		unusual += !is_usual();
		kit_close(&kit);
	}
	tap_int(wrong, 0, "what fails has an answer, and the rest is traced");
	tap_int(unusual, 0, "afterwards all is as usual");
	tap_ok(failures >= 6, "each connection and each buffer needs memory");
}

int main(void)
{
	/* valgrind has memory of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_calls();
	return tap_done();
}
