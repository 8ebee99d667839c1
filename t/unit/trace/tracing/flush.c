/* trace_tracing_flush() while other threads trace, and the files of these. */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "trace/agent/agent.h"
#include "kit/trace/tracing.h"

#define THREADS 3
#define FLUSHES 50
#define MANY 5000

/* More than fit between two flushes; without a drop. */
#define EVENTS 300000

static int stop; /* atomic */

/* A client that checks that the numbers of each thread count up. */
static struct {
	struct tr2_agent_client client; /* the first member */
	int64_t next[THREADS];
	int wrong;
} checker;

static void check_flush(struct tr2_agent_client *client,
			const struct trace_reader_record *record)
{
	int64_t thread = record->args[0].value.integer;

	(void)client;
	if (record->args[1].value.integer !=
	    __atomic_fetch_add(&checker.next[thread], 1, __ATOMIC_RELEASE))
		checker.wrong++;
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

static void trace_event(int thread, int i)
{
	TRACE_INSTANT("a", "n", TRACE_SCOPE_THREAD, "thread", TA_INT32(thread),
		      "i", TA_INT32(i));
}

/* Returns how many, in *number. */
static void *trace_many(void *number)
{
	int thread = *(int *)number, i;

	for (i = 0; i < EVENTS; i++) {
		trace_event(thread, i);
		if (i % 64 == 0)
			sched_yield();
		if (__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
			break;
	}
	*(int *)number = i < EVENTS ? i + 1 : i;
	return NULL;
}

static int has_many(int thread)
{
	return __atomic_load_n(&checker.next[thread], __ATOMIC_ACQUIRE) >= MANY;
}

/* Do both threads write, and not just one of them? */
static int have_begun(void)
{
	return has_many(1) && has_many(2);
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS], i;

	tr2_agent_add(&checker.client);
	for (i = 1; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, trace_many, &numbers[i]);
	}
	for (i = 0; i < FLUSHES || !have_begun(); i++)
		trace_tracing_flush(i % 4 != 0);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	for (i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	trace_tracing_flush(true);
	tap_ok(checker.next[1] == numbers[1] && checker.next[2] == numbers[2],
	       "a flush that blocks passes on all that was traced");
	tap_int(checker.wrong, 0, "each event once, and in its order");
	printf("# %d and %d events\n", numbers[1], numbers[2]);
	for (i = 0; i < 1000 && !checker.wrong; i++) {
		trace_event(0, i);
		trace_tracing_flush(true);
		if (checker.next[0] != i + 1)
			break;
	}
	tap_int(i, 1000, "each flush passes on what was traced before");
	tr2_agent_remove(&checker.client);
	tap_int(checker.wrong, 0, "and the end passes on nothing twice");
}

/* The thread does it, some time soon. */
static void test_no_wait(void)
{
	const struct timespec step = { 0, 1000000 };
	int tries;

	trace_tracing_flush(true);
	trace_tracing_flush(false);
	memset(checker.next, 0, sizeof(checker.next));
	tr2_agent_add(&checker.client);
	trace_event(0, 0);
	trace_tracing_flush(false);
	for (tries = 0; tries < 400; tries++) {
		if (__atomic_load_n(&checker.next[0], __ATOMIC_ACQUIRE))
			break;
		nanosleep(&step, NULL);
	}
	tap_ok(tries < 400, "a flush that does not block wakes the agent");
	tr2_agent_remove(&checker.client);
}

/*
 * ---- Files
 */

#define WRITERS 4

/* Events of each thread; fewer where every instruction costs fifty. */
static int each = 200000;

static void *trace_much(void *number)
{
	int i;

	for (i = 0; i < each; i++)
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
	kit_begin();
	checker.client = (struct tr2_agent_client){ .categories = "a",
						    .event = check_flush,
						    .name = take_name,
						    .flush = take_flush };
	tap_run(test_threads, test_no_wait, test_files);
	kit_end();
	return tap_done();
}
