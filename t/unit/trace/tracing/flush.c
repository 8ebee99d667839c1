/* trace_tracing_flush() while other threads trace, and the files of these. */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "trace/agent/agent.h"
#include "kit/directory.h"
#include "kit/trace/tracing.h"

static int received; /* atomic */

static void count_event(struct tr2_agent_client *client,
			const struct trace_reader_record *record)
{
	(void)client;
	(void)record;
	__atomic_fetch_add(&received, 1, __ATOMIC_RELEASE);
}

static void take_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	(void)client;
	(void)record;
	(void)place;
}

static void take_flush(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
}

/* The thread does it, some time soon. */
static void test_no_wait(void)
{
	static struct tr2_agent_client client = { .categories = "a",
						  .event = count_event,
						  .name = take_name,
						  .flush = take_flush };
	const struct timespec step = { 0, 1000000 };
	int tries;

	tr2_agent_add(&client);
	trace_tracing_flush(true);
	trace_tracing_flush(false);
	TRACE_INSTANT("a", "n", TRACE_SCOPE_THREAD);
	trace_tracing_flush(false);
	for (tries = 0; tries < 400; tries++) {
		if (__atomic_load_n(&received, __ATOMIC_ACQUIRE))
			break;
		nanosleep(&step, NULL);
	}
	tap_ok(tries < 400, "a flush that does not block wakes the agent");
	tr2_agent_remove(&client);
	tap_int(received, 1, "and the end passes on nothing twice");
}

/*
 * ---- Files
 */

#define WRITERS 4

/* Events of each thread; fewer where every instruction costs fifty. */
static int each = 200000;

static void *trace_much(void *number)
{
	for (int i = 0; i < each; i++)
		TRACE_INSTANT("a", "much", TRACE_SCOPE_THREAD, "i",
			      TA_INT32(i));
	return number;
}

/* All lines of the files: events, and the drops that they report. */
struct sum {
	long events;
	long dropped;
	int disorder; /* of a thread's events, by their number */
	int repeats;  /* of what names a process or a thread */
};

static void add_file(struct sum *sum, FILE *file)
{
	static struct {
		long tid, last;
	} thread[WRITERS + 1];
	char line[512];
	int names = 0, place;
	const char *at;
	long tid, number;

	while (fgets(line, sizeof(line), file)) {
		names += strstr(line, KIT_HAS("process_name")) != NULL;
		at = strstr(line, "\"count\":");
		if (at)
			sum->dropped = atol(at + 8);
		at = strstr(line, "\"i\":");
		if (!at || !strstr(line, KIT_HAS("much")))
			continue;
		number = atol(at + 4);
		at = strstr(line, "\"tid\":");
		tid = at ? atol(at + 6) : 0;
		for (place = 0; place < WRITERS; place++)
			if (!thread[place].tid || thread[place].tid == tid)
				break;
		if (thread[place].tid && number <= thread[place].last)
			sum->disorder++;
		thread[place].tid = tid;
		thread[place].last = number;
		sum->events++;
	}
	sum->repeats += names != 1;
	fclose(file);
}

static void test_files(void)
{
	const struct trace_tracing_options options = {
		.pattern = "t.${rotation}.json",
		.events = (uint64_t)each * 3 / 4,
	};
	struct trace_tracing *tracing = kit_tracing("a");
	struct sum sum = { 0, 0, 0, 0 };
	pthread_t thread[WRITERS];
	char name[32];
	FILE *file;
	int i;

	trace_tracing_configure(&options);
	trace_tracing_enable(tracing);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&thread[i], NULL, trace_much, NULL);
	for (i = 0; i < 50; i++)
		trace_tracing_flush(i % 4 != 0);
	for (i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	trace_tracing_destroy(tracing);
	for (i = 1;; i++) {
		snprintf(name, sizeof(name), "t.%d.json", i);
		file = fopen(name, "r");
		if (!file)
			break;
		add_file(&sum, file);
	}
	printf("# %ld events, %ld dropped, %d files\n", sum.events, sum.dropped,
	       i - 1);
	tap_int(sum.events + sum.dropped, (long)WRITERS * each,
		"what is not in the files is counted there");
	tap_int(sum.disorder, 0, "the events of a thread are in their order");
	tap_int(sum.repeats, 0, "no file names its process twice");
	tap_ok(sum.events > 0, "threads at full speed are recorded");
}

/* Then each event is worth its time. */
static int is_mutated(void)
{
	const char *under = getenv("TEST_UNDER");

	return under && !strcmp(under, "mutation");
}

int main(void)
{
	if (getenv("TEST_UNDER_VALGRIND") || is_mutated())
		each = 20000;
	enter_directory();
	tap_run(test_no_wait, test_files);
	leave_directory();
	return tap_done();
}
