/*
 * bench.c - what a call costs. One question an invocation, its answer in
 * ns as `name value` lines on standard output; t/tools/perf/bench.py asks and
 * compares. Linked once with the static library and once with the shared.
 *
 *	bench off COUNT
 *	bench event TARGET FILE RAW COUNT
 *	bench regions COUNT
 */
#include <trace2.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 2000 /* events, then as many bare writes, in turn */

static uint64_t time_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t read_clock(void)
{
	return time_of(CLOCK_MONOTONIC);
}

static void fail_with(const char *what)
{
	perror(what);
	exit(1);
}

/* A loop that the compiler may not remove, with and without the call. */
static int measure_off(long count)
{
	uint64_t start, empty, calls;
	long i;

	start = read_clock();
	for (i = 0; i < count; i++)
		__asm__ volatile("" : : "r"(i) : "memory");
	empty = read_clock() - start;
	start = read_clock();
	for (i = 0; i < count; i++) {
		__asm__ volatile("" : : "r"(i) : "memory");
		trace2_data_intmax("index", TRACE2_REPO_NONE, "count", i);
	}
	calls = read_clock() - start;
	printf("off %.3f\n", ((double)calls - (double)empty) / (double)count);
	return 0;
}

/* NORMAL shows no data. */
static void call_verb(int is_normal, long i)
{
	if (is_normal)
		trace2_cmd_mode("branch");
	else
		trace2_data_intmax("index", 1, "read/cache_nr", 2400 + i % 8);
}

/* The last line of the file: what the bare write has to match. */
static size_t last_line(const char *file, char *line, size_t size)
{
	FILE *in = fopen(file, "r");
	size_t len = 0;

	if (!in)
		fail_with(file);
	while (fgets(line, (int)size, in))
		len = strlen(line);
	fclose(in);
	return len;
}

static int measure_event(const char *target, const char *file, const char *raw,
			 long count)
{
	const int is_normal = !strcmp(target, "normal");
	uint64_t start, events = 0, writes = 0;
	char line[1024];
	long done, i;
	size_t len;
	int fd;

	trace2_def_repo("/");
	for (i = 0; i < 100; i++)
		call_verb(is_normal, i);
	len = last_line(file, line, sizeof(line));
	fd = open(raw, O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0666);
	if (fd < 0)
		fail_with(raw);
	for (done = 0; done < count; done += BLOCK) {
		start = read_clock();
		for (i = 0; i < BLOCK; i++)
			call_verb(is_normal, i);
		events += read_clock() - start;
		start = read_clock();
		for (i = 0; i < BLOCK; i++)
			if (write(fd, line, len) < 0)
				fail_with(raw);
		writes += read_clock() - start;
	}
	close(fd);
	printf("event %.1f\nwrite %.1f\nbytes %zu\n",
	       (double)events / (double)count, (double)writes / (double)count,
	       len);
	return 0;
}

/*
 * Pairs of enter and leave, to whatever targets there are; the thread's own
 * time, the kernel's for it included.
 */
static int measure_regions(long count)
{
	uint64_t start;
	long i;

	start = time_of(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < count; i++) {
		trace2_region_enter("index", "refresh", TRACE2_REPO_NONE);
		trace2_region_leave("index", "refresh", TRACE2_REPO_NONE);
	}
	printf("pair %.1f\ndropped %" PRIu64 "\n",
	       (double)(time_of(CLOCK_THREAD_CPUTIME_ID) - start) /
		       (double)count,
	       trace2_dropped());
	return 0;
}

int main(int argc, char **argv)
{
	trace2_initialize_clock();
	trace2_initialize();
	trace2_cmd_start(argv);
	if (argc == 3 && !strcmp(argv[1], "off"))
		return trace2_cmd_exit(measure_off(atol(argv[2])));
	if (argc == 6 && !strcmp(argv[1], "event"))
		return trace2_cmd_exit(measure_event(argv[2], argv[3], argv[4],
						     atol(argv[5])));
	if (argc == 3 && !strcmp(argv[1], "regions"))
		return trace2_cmd_exit(measure_regions(atol(argv[2])));
	fprintf(stderr, "usage: bench off COUNT | "
			"event TARGET FILE RAW COUNT | regions COUNT\n");
	return trace2_cmd_exit(2);
}
