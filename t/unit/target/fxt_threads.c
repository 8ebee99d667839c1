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

#include "kit/tap.h"
#include "trace/reader.h"
#include "trace2.h"

#define THREADS 4

static char path[64];

/* For each thread; fewer if every instruction costs fifty. */
static uint64_t pairs = 30000;

/* In memory that the test shares with its child. */
struct shared {
	uint64_t done[THREADS]; /* atomic: pairs whose calls returned */
	uint64_t dropped;
	uint64_t open, held; /* bytes of the mapping, of the file */
};
static struct shared *shared;

static void *work_alone(void *number)
{
	uint64_t *done = &shared->done[(size_t)(uintptr_t)number];

	trace2_thread_start("worker");
	for (uint64_t i = 0; i < pairs; i++) {
		trace2_region_enter("unit", "work", TRACE2_REPO_NONE);
		trace2_region_leave("unit", "work", TRACE2_REPO_NONE);
		__atomic_fetch_add(done, 1, __ATOMIC_RELEASE);
	}
	trace2_thread_exit();
	return NULL;
}

/* Returns how much of the process's mapping of the file can be read. */
static uint64_t open_bytes(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512], mode;
	uint64_t sum = 0;

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, path) &&
		    sscanf(line, "%lx-%lx %c", &from, &to, &mode) == 3 &&
		    mode == 'r')
			sum += to - from;
	if (maps)
		fclose(maps);
	return sum;
}

static void look_at_mapping(void)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct stat st = { .st_size = 0 };

	stat(path, &st);
	shared->held = ((uint64_t)st.st_size + page - 1) / page * page;
	shared->open = open_bytes();
}

/* One that is to be killed does not end before. */
static void run_child(int endless)
{
	static const char *const argv[] = { "unit", NULL };
	pthread_t thread[THREADS];

	setenv("GIT_TRACE2_FXT", path, 1);
	trace2_initialize();
	trace2_cmd_start(argv);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work_alone,
			       (void *)(uintptr_t)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	shared->dropped = trace2_dropped();
	look_at_mapping();
	while (endless)
		pause();
	exit(trace2_cmd_exit(0));
}

static uint64_t count_total(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < THREADS; i++)
		sum += __atomic_load_n(&shared->done[i], __ATOMIC_ACQUIRE);
	return sum;
}

/* Run the child, and kill it at this point. Returns its status. */
static int run_threads(uint64_t kill_at)
{
	int status = -1;
	pid_t pid;

	unlink(path);
	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid)
		run_child(kill_at != 0);
	while (kill_at && count_total() < kill_at)
		if (waitpid(pid, &status, WNOHANG))
			return status;
	if (kill_at)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}

struct count {
	uint64_t begins, ends, findings;
};

static void count_finding(void *context,
			  const struct trace_reader_finding *finding)
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
static struct count look_at_file(unsigned flags)
{
	struct count count = { 0, 0, 0 };
	struct trace_reader_options options = { count_finding, &count, flags };
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

	tap_ok(run_threads(0) == 0, "threads at full speed end well");
	count = look_at_file(0);
	tap_ok(!shared->dropped, "a growing file drops nothing");
	tap_ok(count.begins == THREADS * pairs && count.ends == count.begins,
	       "every region of every thread is in the file");
	tap_ok(!count.findings, "the file is without findings");
	tap_int((intmax_t)shared->open, (intmax_t)shared->held,
		"what the file does not hold is closed to access");
}

static void test_killed(void)
{
	struct count count;
	uint64_t returned;
	int status, good = 1;

	for (uint64_t i = 1; i <= 8; i++) {
		status = run_threads(i * i * pairs / 75);
		returned = count_total();
		count = look_at_file(TRACE_READER_UNBALANCED);
		good = good && WIFSIGNALED(status) && !count.findings &&
		       count.ends >= returned &&
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
	if (getenv("TEST_UNDER_VALGRIND"))
		pairs = 3000;
	test_nothing_is_lost();
	test_killed();
	unlink(path);
	return tap_done();
}
