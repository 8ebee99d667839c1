#include "validate/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "read/bytes/inputs.h"
#include "read/bytes/source.h"

#define FIRST_NS UINT64_C(1000000000)
#define EVERY_NS (FIRST_NS / 10)
#define WIDTH 30

/* A compressed log has more bytes than its file. */
static bool is_compressed(int fd)
{
	unsigned char head[TR2_PACKING_HEAD];

	return pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       tr2_source_packing(head) != TR2_PACKING_NONE;
}

static void add_size(void *context, const char *name, int fd)
{
	struct tr2_progress *progress = context;
	struct stat st;

	(void)name;
	if (fstat(fd, &st)) /* also if there is no descriptor */
		return;
	if (S_ISREG(st.st_mode) && !is_compressed(fd))
		progress->all += (uint64_t)st.st_size;
	else
		progress->unknown = true;
}

/* A process that opens a FIFO and closes it again breaks it for its writer. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

void tr2_progress_begin(struct tr2_progress *progress, char **paths)
{
	progress->wanted = isatty(STDERR_FILENO);
	progress->begun = tr2_clock_now();
	progress->next = progress->begun + FIRST_NS;
	for (; progress->wanted && *paths; paths++)
		if (is_pipe(*paths))
			progress->unknown = true;
		else
			tr2_inputs_visit(*paths, add_size, progress);
}

/*
 * Show the done part, if it is known. A log that grew meanwhile may exceed
 * the total; the bar does not.
 */
static void show_part(const struct tr2_progress *progress, uint64_t done)
{
	static const char hashes[] = "##############################";

	fprintf(stderr, "[%-*.*s] ", WIDTH, (int)(done * WIDTH / progress->all),
		hashes);
}

static void show_progress(const struct tr2_progress *progress,
			  unsigned long files, uint64_t done, uint64_t now)
{
	fputs("\r\033[K", stderr);
	if (!progress->unknown && progress->all)
		show_part(progress, done);
	fprintf(stderr, "%lu files, %" PRIu64 " MB, %" PRIu64 " MB/s", files,
		done / 1000000, done / ((now - progress->begun) / 1000));
}

void tr2_progress_step(struct tr2_progress *progress,
		       const struct tr2_totals *totals, uint64_t more)
{
	uint64_t now;

	if (!progress->wanted)
		return;
	now = tr2_clock_now();
	if (now < progress->next)
		return;
	show_progress(progress, totals->files, totals->bytes + more, now);
	progress->next = now + EVERY_NS;
	progress->shown = true;
}

void tr2_progress_end(struct tr2_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
