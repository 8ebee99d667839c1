/* The archive on its way to its file, and what is told of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "record/record_part.h"

uint64_t tr2_tally_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int tr2_tally_archive(void *context, const void *bytes, size_t len)
{
	struct tr2_tally *tally = context;
	const char *at = bytes;
	ssize_t put;

	for (; len; len -= (size_t)put, at += put) {
		put = write(tally->out, at, len);
		if (put < 0 && errno == EINTR)
			put = 0;
		if (put < 0) {
			tally->error = errno;
			return -1;
		}
		tally->bytes += (uint64_t)put;
	}
	return 0;
}

void tr2_tally_alert(void *context, uint32_t provider, const char *name)
{
	tr2_tally_clear(context);
	fprintf(stderr, "alert of provider %" PRIu32 ": %s\n", provider, name);
}

void tr2_tally_result(void *context, const struct trace_provider_result *result)
{
	struct tr2_tally *tally = context;

	tr2_tally_clear(tally);
	tally->providers++;
	tally->events += result->events;
	tally->dropped += result->dropped;
	fprintf(stderr,
		"%s (pid %" PRIu32 "): events %" PRIu64 ", dropped %" PRIu64
		", bytes %" PRIu64 "%s%s\n",
		result->name, result->pid, result->events, result->dropped,
		result->bytes, *result->wrong ? "; " : "", result->wrong);
}

void tr2_tally_progress(struct tr2_tally *tally)
{
	if (!isatty(STDERR_FILENO))
		return;
	tally->shown = true;
	fprintf(stderr, "\rtracing for %.1f s, %" PRIu64 " kB\033[K",
		(double)(tr2_tally_now() - tally->start) / 1e9,
		tally->bytes / 1000);
}

void tr2_tally_clear(struct tr2_tally *tally)
{
	if (tally->shown)
		fputs("\r\033[K", stderr);
	tally->shown = false;
}

void tr2_tally_summary(const struct tr2_tally *tally)
{
	fprintf(stderr,
		"providers %" PRIu64 ", events %" PRIu64 ", dropped %" PRIu64
		", bytes %" PRIu64 "\n",
		tally->providers, tally->events, tally->dropped, tally->bytes);
}
