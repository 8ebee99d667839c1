/* The archive's way to its file, and the summary. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "lib/text/foreign.h"
#include "record/record_part.h"
#include "trace/engine/fxt.h"

#define PAGE ((size_t)4096)
/* A pipe or a socket that poll(2) calls writable takes so many at once. */
#define BYTES_AT_ONCE ((size_t)4096)

/*
 * Another process may write to the same pipe, and a terminal may be stopped.
 * Then a write(2) can block after poll(2) has promised the opposite. So such
 * an output is opened once more, for us alone, in a mode that never blocks;
 * the mode of the caller's own descriptor must not change.
 */
static void reopen_output(int out)
{
	char path[48];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	dup3(fd, out, O_CLOEXEC);
	close(fd);
}

void tr2_tally_write_to(struct tr2_tally *tally, int out,
			struct tr2_ending *ending)
{
	struct stat status;

	tally->out = out;
	tally->ending = ending;
	if (fstat(out, &status) || S_ISREG(status.st_mode))
		return;
	tally->waits = true;
	if (S_ISFIFO(status.st_mode) || isatty(out))
		reopen_output(out);
}

/* Wait until the output takes something. */
static int await_reader(struct tr2_tally *tally)
{
	struct pollfd polls[] = {
		{ .fd = tally->out, .events = POLLOUT },
		{ .fd = tally->ending->fd, .events = POLLIN },
	};

	while (poll(polls, 2, -1) < 0 || !polls[0].revents)
		if (polls[1].revents && tr2_ending_look(tally->ending)) {
			tally->error = EINTR;
			return -1;
		}
	return 0;
}

static ssize_t put_some(struct tr2_tally *tally, const char *at, size_t len)
{
	ssize_t put;

	if (tally->waits && await_reader(tally))
		return -1;
	if (tally->waits && len > BYTES_AT_ONCE)
		len = BYTES_AT_ONCE;
	put = write(tally->out, at, len);
	if (put >= 0)
		return put;
	if (errno == EINTR || errno == EAGAIN)
		return 0;
	tally->error = errno;
	return -1;
}

static int put_bytes(struct tr2_tally *tally, const char *at, size_t len)
{
	ssize_t put;

	for (; len; len -= (size_t)put, at += put) {
		put = put_some(tally, at, len);
		if (put < 0)
			return -1;
		tally->bytes += (uint64_t)put;
		if (tally->ending)
			tr2_ending_prolong(tally->ending);
	}
	return 0;
}

/*
 * Returns the size of the record in bytes; a record of size 0 counts as a
 * word.
 */
static size_t measure_record(const char *bytes)
{
	uint64_t header;
	size_t words;

	memcpy(&header, bytes, sizeof(header));
	words = fxt_record_words(header);
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

/* A part of this piece was written: some of its records may be whole. */
static void keep_records(struct tr2_tally *tally, const char *piece)
{
	const size_t put = (size_t)(tally->bytes - tally->whole);

	tally->whole += measure_records(piece, put);
}

static int put_records(struct tr2_tally *tally, const char *at, size_t len)
{
	size_t piece;

	for (; len; at += piece, len -= piece) {
		piece = measure_piece(at, len, tally->bytes);
		if (put_bytes(tally, at, piece)) {
			keep_records(tally, at);
			return -1;
		}
		tally->whole = tally->bytes;
	}
	return 0;
}

int tr2_tally_archive(void *context, const void *bytes, size_t len)
{
	struct tr2_tally *tally = context;
	struct tr2_buf *held = &tally->held;
	size_t whole;

	tr2_buf_add(held, bytes, len);
	if (held->failed) {
		tally->error = ENOMEM;
		return -1;
	}
	tally->received += len;
	whole = measure_records(held->bytes, held->len);
	if (put_records(tally, held->bytes, whole))
		return -1;
	held->len -= whole;
	memmove(held->bytes, held->bytes + whole, held->len);
	return 0;
}

void tr2_tally_release(struct tr2_tally *tally)
{
	tr2_buf_release(&tally->held);
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
	flockfile(stderr);
	tr2_foreign_print(stderr, result->name);
	fprintf(stderr,
		" (pid %" PRIu32 "): events %" PRIu64 ", dropped %" PRIu64
		", bytes %" PRIu64 "%s",
		result->pid, result->events, result->dropped, result->bytes,
		*result->wrong ? "; " : "");
	tr2_foreign_print(stderr, result->wrong);
	fputc('\n', stderr);
	funlockfile(stderr);
}

void tr2_tally_progress(struct tr2_tally *tally)
{
	tally->shown = true;
	fprintf(stderr, "\rtracing for %.1f s, %" PRIu64 " kB\033[K",
		(double)(tr2_clock_now() - tally->start) / 1e9,
		tally->bytes / 1000);
}

void tr2_tally_clear(struct tr2_tally *tally)
{
	if (tally->shown)
		fputs("\r\033[K", stderr);
	tally->shown = false;
}

int tr2_tally_fail_ended(struct tr2_tally *tally, const char *output)
{
	tr2_tally_clear(tally);
	if (tally->error != EINTR)
		return tr2_record_fail("record",
				       "ended by a signal before the trace "
				       "manager answered",
				       0);
	tr2_foreign_complain("record",
			     "ended by a signal while nobody read the output",
			     output);
	fprintf(stderr, "at least %" PRIu64 " bytes of the archive are lost\n",
		tally->received - tally->bytes);
	return 1;
}

bool tr2_tally_is_useless(const struct tr2_tally *tally)
{
	return tally->refused && !tally->events;
}

void tr2_tally_summary(const struct tr2_tally *tally)
{
	fprintf(stderr,
		"providers %" PRIu64 ", events %" PRIu64 ", dropped %" PRIu64
		", bytes %" PRIu64 "\n",
		tally->providers, tally->events, tally->dropped, tally->bytes);
}

/* An archive that is to be JSON is converted at its end. */
int tr2_record_check_json(const struct tr2_whole_file *file, const char *output)
{
	if (file->partial || !tr2_record_is_json(output))
		return 0;
	tr2_foreign_complain(
		"record", "cannot write JSON to something that is not a file",
		output);
	return 1;
}
