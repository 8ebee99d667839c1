/* Files of trace events: rotation, names, failures, sudden ends. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

static void test_rotation(void)
{
	struct trace_tracing *tracing = begin_tracing("r.${rotation}.json", 10);

	write_events(25);
	trace_tracing_destroy(tracing);
	tap_ok(kit_count("r.1.json", KIT_HAS("one")) == 10 &&
		       kit_count("r.2.json", KIT_HAS("one")) == 10 &&
		       kit_count("r.3.json", KIT_HAS("one")) == 5,
	       "a file has as many events as it may, and the rest the next");
	tap_ok(access("r.4.json", F_OK) != 0, "no file is begun for nothing");
	tap_ok(kit_count("r.3.json", KIT_HAS("process_name")) == 1 &&
		       kit_count("r.3.json", KIT_HAS("thread_name")) == 1 &&
		       kit_count("r.2.json", KIT_HAS("version")) == 1,
	       "each file says once who is in it");
	tap_int(kit_count("r.1.json", "\n]\n"), 1, "a full file is closed");
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

static void test_names(void)
{
	char name[64];

	trace_tracing_destroy(
		begin_tracing("${x}${rotation}-${pid}${pid}.j", 0));
	snprintf(name, sizeof(name), "${x}1-%d%d.j", getpid(), getpid());
	tap_ok(access(name, F_OK) == 0,
	       "numbers are put into the pattern wherever it asks for them");
	{
		struct trace_tracing *tracing = begin_tracing("plain.json", 2);

		write_events(3);
		trace_tracing_destroy(tracing);
	}
	tap_ok(kit_count("plain.json", KIT_HAS("one")) == 2 &&
		       kit_count("plain.2.json", KIT_HAS("one")) == 1,
	       "a pattern without a rotation gets one from the second file on");
}

static void test_escapes(void)
{
	struct trace_tracing *tracing;
	static const char *const quoted[] = { "q\"\\\n" };
	const struct trace_arg arg = { "k\"", TA_STRING("\xf0\x9f\x8e\x89") };
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.category = "q\"\\\n",
		.name = "n\"\\\t",
		.args = &arg,
		.arg_count = 1,
	};

	unlink("plain.json");
	trace_tracing_destroy(begin_tracing("plain.json", 0));
	tracing = trace_tracing_create(quoted, 1);
	trace_tracing_enable(tracing);
	trace_event_write(&event);
	trace_tracing_destroy(tracing);
	tap_int(kit_count("plain.2.json",
			  "\"cat\":\"q\\\"\\\\\\n\",\"name\":\"n\\\"\\\\\\t\","
			  "\"s\":\"t\",\"args\":{\"k\\\"\":"
			  "\"\xf0\x9f\x8e\x89\"}"),
		1, "names and categories are escaped, and text is UTF-8");
}

static void sleep_ms(int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* Until it is there, but no longer than ten seconds. */
static int is_there(const char *path, const char *part)
{
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (kit_count(path, part))
			return 1;
		sleep_ms(10);
	}
	return 0;
}

static void test_flush(void)
{
	struct trace_tracing *tracing = begin_tracing("f.json", 0);

	write_events(1);
	tap_ok(is_there("f.json", KIT_HAS("one")),
	       "what is traced gets into the file by itself");
	trace_tracing_destroy(tracing);
	unlink("d.json");
	tracing = begin_tracing("d.json", 0);
	write_events(1);
	trace_tracing_disable(tracing);
	tap_int(kit_count("d.json", KIT_HAS("one")), 1,
		"what is traced is in the file after a disable");
	trace_tracing_destroy(tracing);
}

/* A child that traces to k.json until it dies of `signo`, or exits. */
static void run_child(int signo)
{
	pid_t pid;
	int status;

	unlink("k.json");
	pid = fork();
	if (!pid) {
		begin_tracing("k.json", 0);
		write_events(7);
		if (signo)
			is_there("k.json", "\"i\":6");
		write_events(1);
		if (signo)
			raise(signo);
		exit(0);
	}
	waitpid(pid, &status, 0);
}

static void test_ends(void)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP };
	const char *text;
	size_t i, len;

	run_child(0);
	tap_int(kit_count("k.json", KIT_HAS("one")), 8,
		"all is in the file of a process that exits");
	tap_int(kit_count("k.json", "\n]\n"), 1,
		"the file of a process that exits is closed");
	for (i = 0; i < 4; i++) {
		run_child(signals[i]);
		text = file_text("k.json");
		len = strlen(text);
		if (!len || text[len - 1] != '\n' ||
		    kit_count("k.json", KIT_HAS("one")) < 7)
			break;
	}
	tap_int((intmax_t)i, 4,
		"what was written before a signal is there, in whole lines");
}

static void open_nowhere(void)
{
	struct trace_tracing *tracing = begin_tracing("none/at.json", 0);

	write_events(10);
	trace_tracing_destroy(tracing);
}

static void fill_disk(void)
{
	const struct rlimit limit = { 5000, 5000 };
	struct trace_tracing *tracing;

	setrlimit(RLIMIT_FSIZE, &limit);
	tracing = begin_tracing("full.json", 0);
	write_events(100);
	trace_tracing_disable(tracing);
	trace_tracing_enable(tracing);
	write_events(100);
	trace_tracing_destroy(tracing);
}

static void write_to_device(void)
{
	struct trace_tracing *tracing = begin_tracing("/dev/full", 0);

	write_events(10);
	trace_tracing_destroy(tracing);
}

static void write_over(void)
{
	trace_tracing_destroy(begin_tracing("letter.txt", 0));
}

static void test_failures(void)
{
	const char *text;
	FILE *file = fopen("letter.txt", "w");

	tap_int(kit_said(open_nowhere), 1,
		"a file that can't be opened is told of once, and no more");
	tap_int(kit_said(fill_disk), 1, "a full disk is told of once");
	text = file_text("full.json");
	tap_ok(strlen(text) > 1000 && text[strlen(text) - 1] == '\n',
	       "a full disk leaves whole lines");
	tap_int(kit_said(write_to_device), 1, "a full device is told of once");
	if (file) {
		fputs("dear reader\n", file);
		fclose(file);
	}
	tap_int(kit_said(write_over), 1, "what is no trace is told of");
	tap_str(file_text("letter.txt"), "dear reader\n",
		"what is no trace is not written over");
}

#define THREADS 4

/* Events of each thread; fewer where every instruction costs fifty. */
static int each = 200000;

/* Records that no buffer has room for. */
static void test_drops(void)
{
	static char bytes[TRACE_MAX_BLOB_SIZE + 1];
	struct trace_tracing *tracing = begin_tracing("b.json", 0);

	TRACE_BLOB_EVENT("a", "big", bytes, sizeof(bytes));
	TRACE_BLOB_EVENT("a", "big", bytes, sizeof(bytes));
	write_events(1);
	trace_tracing_destroy(tracing);
	tap_int(kit_count("b.json", "\"count\":2}"), 1,
		"the file says how many events were dropped");
}

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
	/* In children, each the first of its line that opens a file. */
	tap_run(test_ends, test_failures, test_rotation, test_reader,
		test_names, test_escapes, test_flush, test_drops, test_threads);
	kit_end();
	return tap_done();
}
