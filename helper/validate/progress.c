#include "validate/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "validate/inputs.h"

#define FIRST_US 1000000
#define EVERY_US 100000
#define WIDTH 30

uint64_t tr2_progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void add_size(void *context, const char *name, int fd)
{
	struct tr2_progress *progress = context;
	struct stat st;

	(void)name;
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		progress->all += (uint64_t)st.st_size;
}

void tr2_progress_begin(struct tr2_progress *progress, char **paths)
{
	progress->wanted = isatty(STDERR_FILENO);
	progress->next = tr2_progress_now() + FIRST_US;
	for (; progress->wanted && *paths; paths++)
		tr2_inputs_visit(*paths, add_size, progress);
}

/* Logs that are compressed or come through a pipe are longer than `all`. */
static void show(const struct tr2_progress *progress, unsigned long files,
		 uint64_t done)
{
	static const char hashes[] = "##############################";
	int filled = 0;

	if (progress->all && done <= progress->all) {
		filled = (int)(done * WIDTH / progress->all);
		fprintf(stderr, "\r[%-*.*s] ", WIDTH, filled, hashes);
	} else {
		fputs("\r\033[K", stderr);
	}
	fprintf(stderr, "%lu files, %" PRIu64 " MB", files, done / 1000000);
}

void tr2_progress_step(struct tr2_progress *progress,
		       const struct tr2_totals *totals, uint64_t more)
{
	uint64_t now;

	if (!progress->wanted)
		return;
	now = tr2_progress_now();
	if (now < progress->next)
		return;
	show(progress, totals->files, totals->bytes + more);
	progress->next = now + EVERY_US;
	progress->shown = true;
}

void tr2_progress_end(struct tr2_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
