/*
 * How far it got, on a terminal. Time passes when a test lets it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kit/tap.h"
#include "validate/progress.h"

#define WIPE "\r\033[K"
#define BEGUN 7000000 /* microseconds */

static struct timespec passed;
static bool is_terminal;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	tap_need(clock == CLOCK_MONOTONIC);
	*now = passed;
	return 0;
}

int isatty(int fd)
{
	return fd == STDERR_FILENO && is_terminal;
}

static void pass_to(uint64_t us)
{
	passed.tv_sec = (time_t)(us / 1000000);
	passed.tv_nsec = (long)(us % 1000000 * 1000);
}

/* What is printed */

static FILE *paper;
static int stderr_fd;

static void listen_to(void)
{
	fflush(stderr);
	stderr_fd = dup(STDERR_FILENO);
	rewind(paper);
	dup2(fileno(paper), STDERR_FILENO);
}

static const char *get_heard(void)
{
	static char text[4096];
	ssize_t len = pread(fileno(paper), text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	tap_need(!ftruncate(fileno(paper), 0));
	return text;
}

/* After so many files and bytes. */
static const char *step_progress(struct tr2_progress *progress, uint64_t at,
				 unsigned long files, uint64_t bytes)
{
	const struct tr2_totals totals = { .files = files, .bytes = bytes - 1 };

	pass_to(at);
	listen_to();
	tr2_progress_step(progress, &totals, 1);
	return get_heard();
}

static const char *end_progress(struct tr2_progress *progress)
{
	listen_to();
	tr2_progress_end(progress);
	return get_heard();
}

/* Of this many bytes in total. */
static struct tr2_progress begin_progress(uint64_t all)
{
	struct tr2_progress progress = { 0 };
	char *paths[] = { NULL };

	pass_to(BEGUN);
	tr2_progress_begin(&progress, paths);
	progress.all = all;
	return progress;
}

/* Drawn after two seconds. */
static const char *draw_progress(uint64_t all, uint64_t done)
{
	struct tr2_progress progress = begin_progress(all);

	return step_progress(&progress, BEGUN + 2000000, 1, done);
}

static void test_lines(void)
{
	tap_str(draw_progress(40000000, 10000000),
		WIPE "[#######                       ] "
		     "1 files, 10 MB, 5 MB/s",
		"a quarter of the work is a quarter of the bar");
	tap_str(draw_progress(300, 9),
		WIPE "[                              ] 1 files, 0 MB, 0 MB/s",
		"a bar is empty at first");
	tap_str(draw_progress(300, 300),
		WIPE "[##############################] 1 files, 0 MB, 0 MB/s",
		"a bar is full at last");
	tap_str(draw_progress(40000000, 50000000),
		WIPE "[##############################] "
		     "1 files, 50 MB, 25 MB/s",
		"a log that grew meanwhile fills the bar");
	tap_str(draw_progress(0, 50999999), WIPE "1 files, 50 MB, 25 MB/s",
		"without a size there is no bar");
	tap_str(draw_progress(0, 50000000), WIPE "1 files, 50 MB, 25 MB/s",
		"a megabyte is a million bytes");
}

static void test_times(void)
{
	struct tr2_progress progress = begin_progress(0);

	tap_str(step_progress(&progress, BEGUN + 999999, 1, 1), "",
		"nothing is shown for the first second");
	tap_str(end_progress(&progress), "", "what was not shown is not wiped");
	tap_str(step_progress(&progress, BEGUN + 1000000, 1, 1),
		WIPE "1 files, 0 MB, 0 MB/s", "then the progress is shown");
	tap_str(step_progress(&progress, BEGUN + 1099999, 1, 1), "",
		"it is not shown for the next tenth of a second");
	tap_str(step_progress(&progress, BEGUN + 1100000, 2, 1),
		WIPE "2 files, 0 MB, 0 MB/s", "then it is shown again");
	tap_str(end_progress(&progress), WIPE, "what was shown is wiped");
}

static void test_file(void)
{
	struct tr2_progress progress;

	is_terminal = false;
	progress = begin_progress(40000000);
	tap_ok(!progress.wanted, "a file wants no progress");
	tap_str(step_progress(&progress, BEGUN + 9000000, 1, 1), "",
		"a file is shown none");
	is_terminal = true;
}

int main(void)
{
	paper = tmpfile();
	is_terminal = true;
	tap_run(test_lines, test_times, test_file);
	fclose(paper);
	return tap_done();
}
