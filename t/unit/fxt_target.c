/*
 * Threads that trace at full speed into one growing file: every record is
 * in it, the file is an archive, and so it is when they are killed.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pthread.h>

#include "tap.h"
#include "trace/reader.h"
#include "trace2.h"

#define THREADS 4
#define PAIRS 30000

static char path[64];

/* In memory that the test shares with its child. */
struct shared {
	uint64_t done[THREADS]; /* atomic: pairs whose calls returned */
	uint64_t dropped;
};
static struct shared *shared;

static void *work(void *number)
{
	uint64_t *done = &shared->done[(size_t)(uintptr_t)number];
	int i;

	trace2_thread_start("worker");
	for (i = 0; i < PAIRS; i++) {
		trace2_region_enter("unit", "work", TRACE2_REPO_NONE);
		trace2_region_leave("unit", "work", TRACE2_REPO_NONE);
		__atomic_fetch_add(done, 1, __ATOMIC_RELEASE);
	}
	trace2_thread_exit();
	return NULL;
}

static void run_child(void)
{
	static const char *const argv[] = { "unit", NULL };
	pthread_t thread[THREADS];
	size_t i;

	setenv("GIT_TRACE2_FXT", path, 1);
	trace2_initialize();
	trace2_cmd_start(argv);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)(uintptr_t)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	shared->dropped = trace2_dropped();
	exit(trace2_cmd_exit(0));
}

static uint64_t total(void)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < THREADS; i++)
		sum += __atomic_load_n(&shared->done[i], __ATOMIC_ACQUIRE);
	return sum;
}

/* The child, killed when it has come so far. Gives its status. */
static int run(uint64_t kill_at)
{
	int status = -1;
	pid_t pid;

	unlink(path);
	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid)
		run_child();
	while (kill_at && total() < kill_at)
		;
	if (kill_at)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}

struct count {
	uint64_t begins, ends, findings;
};

static void found(void *context, const struct trace_reader_finding *finding)
{
	struct count *count = context;

	count->findings++;
	printf("# %s at %llu: %s\n", trace_reader_id(finding->problem),
	       (unsigned long long)finding->offset, finding->message);
}

static int read_all(struct trace_reader *reader, struct count *count)
{
	struct trace_reader_record record;
	int more;

	while ((more = trace_reader_next(reader, &record)) > 0) {
		if (record.type != FXT_EVENT)
			continue;
		count->begins += record.subtype == FXT_DURATION_BEGIN;
		count->ends += record.subtype == FXT_DURATION_END;
	}
	trace_reader_end(reader);
	return more;
}

/* What a strict reader finds in the file. */
static struct count look(unsigned flags)
{
	struct count count = { 0, 0, 0 };
	struct trace_reader_options options = { found, &count, flags };
	struct trace_reader *reader = trace_reader_new(&options);
	int fd = open(path, O_RDONLY);
	struct stat st;
	void *map;

	fstat(fd, &st);
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	trace_reader_feed(reader, map, (size_t)st.st_size);
	if (read_all(reader, &count))
		count.findings++;
	trace_reader_free(reader);
	munmap(map, (size_t)st.st_size);
	close(fd);
	return count;
}

static void test_nothing_is_lost(void)
{
	struct count count;

	tap_ok(run(0) == 0, "threads at full speed end well");
	count = look(0);
	tap_ok(!shared->dropped, "a growing file drops nothing");
	tap_ok(count.begins == THREADS * PAIRS && count.ends == count.begins,
	       "every region of every thread is in the file");
	tap_ok(!count.findings, "the file is without findings");
}

static void test_killed(void)
{
	struct count count;
	uint64_t returned;
	int good = 1;
	uint64_t i;

	for (i = 1; i <= 8; i++) {
		run(i * i * 400);
		returned = total();
		count = look(TRACE_READER_UNBALANCED);
		good = good && !count.findings && count.ends >= returned &&
		       count.begins <= returned + THREADS &&
		       count.ends <= count.begins;
	}
	tap_ok(good, "a killed program leaves all that was written, and whole");
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/t2-unit-%ld.fxt", (long)getpid());
	unsetenv("GIT_TRACE2_PARENT_SID");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("files of the FXT target", "hangs under valgrind");
		return tap_done();
	}
	test_nothing_is_lost();
	test_killed();
	unlink(path);
	return tap_done();
}
