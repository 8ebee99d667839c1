/* The archive's way to its file, and the summary. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/foreign_text.h"
#include "record/record_part.h"
#include "trace/engine/fxt.h"

#define PAGE ((size_t)4096)

uint64_t tr2_tally_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int put_bytes(struct tr2_tally *tally, const char *at, size_t len)
{
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

/* Make room for so many more bytes after the held ones. */
static int make_room(struct tr2_tally *tally, size_t len)
{
	size_t room = 2 * (tally->held_len + len);
	char *held;

	if (tally->held_room - tally->held_len >= len)
		return 0;
	held = realloc(tally->held, room);
	if (!held) {
		tally->error = ENOMEM;
		return -1;
	}
	tally->held = held;
	tally->held_room = room;
	return 0;
}

/*
 * Returns the size of the record in bytes; a record of size 0 counts as a
 * word.
 */
static size_t measure_record(const char *bytes)
{
	uint64_t header, words;

	memcpy(&header, bytes, sizeof(header));
	words = header >> 4 &
		((header & 0xf) == FXT_LARGE ? UINT32_MAX : FXT_RECORD_WORDS);
	return FXT_WORD * (words ? words : 1);
}

/* Returns how many of the bytes are whole records. */
static size_t measure_records(const char *bytes, size_t len)
{
	size_t at = 0, record;

	while (len - at >= FXT_WORD) {
		record = measure_record(bytes + at);
		if (record > len - at)
			break;
		at += record;
	}
	return at;
}

/*
 * Returns the size of the records for one write. If the kernel kills a
 * process during its write(2), the write may end at a page. So one write has
 * either all records that fit in the file's current page, or the single
 * record that does not.
 */
static size_t measure_piece(const char *bytes, size_t len, uint64_t offset)
{
	size_t room = PAGE - (size_t)(offset % PAGE);
	size_t fits = measure_records(bytes, len < room ? len : room);

	return fits ? fits : measure_record(bytes);
}

static int put_records(struct tr2_tally *tally, const char *at, size_t len)
{
	size_t piece;

	for (; len; at += piece, len -= piece) {
		piece = measure_piece(at, len, tally->bytes);
		if (put_bytes(tally, at, piece))
			return -1;
		tally->whole = tally->bytes;
	}
	return 0;
}

int tr2_tally_archive(void *context, const void *bytes, size_t len)
{
	struct tr2_tally *tally = context;
	size_t whole;

	if (make_room(tally, len))
		return -1;
	memcpy(tally->held + tally->held_len, bytes, len);
	tally->held_len += len;
	whole = measure_records(tally->held, tally->held_len);
	if (put_records(tally, tally->held, whole))
		return -1;
	tally->held_len -= whole;
	memmove(tally->held, tally->held + whole, tally->held_len);
	return 0;
}

void tr2_tally_release(struct tr2_tally *tally)
{
	free(tally->held);
	tally->held = NULL;
}

void tr2_tally_alert(void *context, uint32_t provider, const char *name)
{
	tr2_tally_clear(context);
	fprintf(stderr, "alert of provider %" PRIu32 ": ", provider);
	tr2_foreign_print(stderr, name);
	fputc('\n', stderr);
}

void tr2_tally_result(void *context, const struct trace_provider_result *result)
{
	struct tr2_tally *tally = context;

	tr2_tally_clear(tally);
	tally->providers++;
	tally->events += result->events;
	tally->dropped += result->dropped;
	/*
	 * A kernel that refuses (it has no pid) does not make the recording
	 * fail.
	 */
	if (*result->wrong && result->pid)
		tally->refused = true;
	tr2_foreign_print(stderr, result->name);
	fprintf(stderr,
		" (pid %" PRIu32 "): events %" PRIu64 ", dropped %" PRIu64
		", bytes %" PRIu64 "%s",
		result->pid, result->events, result->dropped, result->bytes,
		*result->wrong ? "; " : "");
	tr2_foreign_print(stderr, result->wrong);
	fputc('\n', stderr);
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
