/* A file of trace events that is a pipe, and those of threads at full speed. */
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "kit/trace/tracing.h"

static struct trace_tracing *begin_tracing(const char *pattern, uint64_t events)
{
	const struct trace_tracing_options options = { pattern, events, true };
	struct trace_tracing *tracing = kit_tracing("a");

	trace_tracing_configure(&options);
	trace_tracing_enable(tracing);
	return tracing;
}

static void write_events(int count)
{
	int i;

	for (i = 0; i < count; i++)
		TRACE_INSTANT("a", "one", TRACE_SCOPE_THREAD, "i", TA_INT32(i));
}

/* More than the pipe has room for. */
static void test_reader(void)
{
	const struct timespec step = { 0, 1000000 };
	struct trace_tracing *tracing;
	int status = -1, steps = 0;
	struct stat st = { 0 };
	pid_t pid;

	mkfifo("fifo", 0600);
	pid = fork();
	if (!pid) {
		execlp("sh", "sh", "-c", "exec cat fifo >read.json", NULL);
		_exit(127);
	}
	tracing = begin_tracing("fifo", 0);
	while ((stat("read.json", &st) || !st.st_size) && steps++ < 10000)
		nanosleep(&step, NULL);
	write_events(1500);
	trace_tracing_destroy(tracing);
	waitpid(pid, &status, 0);
	tap_int(kit_count("read.json", KIT_HAS("one")), 1500,
		"the reader of a pipe gets everything");
}

#define THREADS 4

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
	} thread[THREADS + 1];
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
		for (place = 0; place < THREADS; place++)
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

static void test_threads(void)
{
	struct trace_tracing *tracing =
		begin_tracing("t.${rotation}.json", (uint64_t)each * 3 / 4);
	struct sum sum = { 0, 0, 0, 0 };
	pthread_t thread[THREADS];
	char name[32];
	FILE *file;
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, trace_much, NULL);
	for (i = 0; i < THREADS; i++)
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
	tap_int(sum.events + sum.dropped, (long)THREADS * each,
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
	tap_run(test_reader, test_threads);
	kit_end();
	return tap_done();
}
