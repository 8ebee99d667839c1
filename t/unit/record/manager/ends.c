/* What is left after a tracing, and tracings whose client goes early. */
#define _GNU_SOURCE
#include "kit/directory.h"
#include "kit/trace/manager.h"

#include <signal.h>
#include <sys/resource.h>

static struct kit kit;
static struct kit_provider one, two;

/* Returns how many buffers of tracings are mapped in this process. */
static int count_buffers(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, "memfd:trace-buffer") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

static void begin_tracing(unsigned mode)
{
	kit_register(&kit, &one, "one");
	kit_register(&kit, &two, "two");
	kit_initialize(&kit, mode, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
}

static void end_tracing(void)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
}

static void leave_tracing(void)
{
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

static void test_left(void)
{
	int buffers = count_buffers(), before, running;

	kit_open(&kit, 60000, 0);
	before = count_descriptors();
	begin_tracing(TRACE_BUFFERING_MODE_ONESHOT);
	running = count_descriptors();
	tap_int(count_buffers() - buffers, 4,
		"the manager and each provider map a buffer");
	kit_event(&one, "a");
	end_tracing();
	tap_int(count_buffers() - buffers, 2,
		"the manager keeps none of them after the end");
	tap_int(running - count_descriptors(), 1,
		"and has closed the way to the client");
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	kit_leave(&one);
	kit_leave(&two);
	kit_run(&kit);
	close(kit.archive);
	kit.archive = -1;
	tap_int(count_descriptors(), before,
		"when all have gone it has nothing of them");
	kit_close(&kit);
	tap_int(count_buffers(), buffers, "in the end no buffer is mapped");
}

/* Also if the client goes in the middle of the tracing. */
static void test_abandoned(void)
{
	int buffers = count_buffers(), before;

	kit_open(&kit, 60000, 0);
	before = count_descriptors();
	begin_tracing(TRACE_BUFFERING_MODE_STREAMING);
	close(kit.client);
	kit.client = -1;
	kit_run(&kit);
	tap_int(count_buffers() - buffers, 2,
		"a tracing without a client keeps no buffer");
	kit_leave(&one);
	kit_leave(&two);
	close(kit.archive);
	kit.archive = -1;
	kit_run(&kit);
	tap_int(count_descriptors(), before - 2, "and no descriptor of it");
	kit_close(&kit);
}

/* It still hears how the tracing ended. */
static void test_closed_archive(void)
{
	kit_open(&kit, 60000, 0);
	begin_tracing(TRACE_BUFFERING_MODE_ONESHOT);
	kit_event(&one, "a");
	close(kit.archive);
	kit.archive = -1;
	end_tracing();
	tap_int(kit.done, EPIPE, "an archive that nobody reads is an error");
	tap_int(kit.count, 2, "and each provider has its result");
	tap_int(kit_hear(one.fd), TRACE_TERMINATE, "providers are let go");
	leave_tracing();
}

static void test_no_descriptor(void)
{
	struct rlimit old, limit;
	int ends[2], next;

	kit_open(&kit, 60000, 0);
	tap_need(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	next = dup(1);
	close(next);
	getrlimit(RLIMIT_NOFILE, &old);
	limit = old;
	limit.rlim_cur = (rlim_t)next;
	setrlimit(RLIMIT_NOFILE, &limit);
	kit.done = -1;
	kit_say(kit.client, TRACE_INITIALIZE_TRACING, 0, 0, KIT_SIZE, NULL, 0,
		ends[0]);
	kit_run(&kit);
	setrlimit(RLIMIT_NOFILE, &old);
	tap_int(kit.done, EMFILE,
		"a client hears that there was no descriptor for its archive");
	close(ends[0]);
	close(ends[1]);
	tap_int(kit_initialize(&kit, 0, KIT_SIZE, NULL, 0), 0,
		"and may ask again");
	kit_close(&kit);
}

/* One of two has saved a part that is not what it should be. */
static void test_broken_part(void)
{
	kit_open(&kit, 60000, 0);
	begin_tracing(TRACE_BUFFERING_MODE_STREAMING);
	kit_event(&one, "a");
	kit_save(&kit, &one, 0);
	kit_event(&one, "b");
	kit_event(&two, "c");
	*one.at = 1 << 16;
	kit_wrap(&one, 2);
	kit_say(one.fd, TRACE_PROVIDER_SAVE_BUFFER, 0, 1, 16, NULL, 0, -1);
	close(one.fd);
	one.fd = -1;
	kit_run(&kit);
	kit_run(&kit);
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &two);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	tap_int(kit.count, 2, "a provider with a broken part has a result");
	tap_ok(strstr(kit.results[0].wrong, "provider.buffer.records") ==
		       kit.results[0].wrong,
	       "with what is wrong with the part");
	tap_ok(strncmp(kit_events(&kit), "a", 1) == 0 &&
		       strstr(kit_events(&kit), "c"),
	       "earlier parts and those of others are there");
	leave_tracing();
}

int main(void)
{
	tap_run(test_left, test_abandoned, test_closed_archive,
		test_broken_part);
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_no_descriptor();
	return tap_done();
}
