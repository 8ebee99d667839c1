/*
 * libtrace-reader, fed in pieces of any size, without memory, and with
 * what is too large.
 */
#include "trace/fxt.h"
#include "trace/reader.h"

#include <stdlib.h>

#include "tap.h"
#include "tr2_host.h"

#define ROOM ((size_t)64 << 10) /* words */

static uint64_t archive[ROOM];
static size_t archive_words;

static void put_event(enum fxt_event type, uint64_t time)
{
	uint64_t *at = archive + archive_words;
	struct fxt_text name = fxt_inline("a name of some length", 21);
	size_t words = 2 + fxt_text_words(name) + 1;

	*at++ = fxt_event_header(type, words, 1, 1, 1, name.ref);
	*at++ = time;
	at = fxt_put_text(at, name);
	at = fxt_put_arg32(at, FXT_ARG_INT32, fxt_index(1), 5);
	archive_words = (size_t)(at - archive);
}

static void make_archive(void)
{
	uint64_t *at = archive;

	*at++ = FXT_MAGIC;
	*at++ = fxt_provider_info_header(7, 4);
	at = fxt_put_bytes(at, "test", 4);
	*at++ = fxt_initialization_header();
	*at++ = 1000;
	*at++ = fxt_thread_header(1);
	*at++ = 10;
	*at++ = 11;
	*at++ = fxt_string_header(1, 3);
	at = fxt_put_bytes(at, "cat", 3);
	archive_words = (size_t)(at - archive);
	put_event(FXT_DURATION_BEGIN, 1);
	archive[archive_words] = fxt_filler(3);
	memset(archive + archive_words + 1, 0xff, 2 * FXT_WORD);
	archive_words += 3;
	put_event(FXT_DURATION_END, 2);
}

struct seen {
	unsigned records, findings;
	enum trace_reader_problem last;
	uint64_t offset, time;
	size_t names;
	int dead, revived;
};

static void note(void *context, const struct trace_reader_finding *finding)
{
	struct seen *seen = context;

	seen->findings++;
	seen->last = finding->problem;
	seen->offset = finding->offset;
}

static int take_all(struct trace_reader *reader, struct seen *seen)
{
	struct trace_reader_record record;
	int got;

	while ((got = trace_reader_next(reader, &record)) > 0) {
		seen->records++;
		seen->names += record.name.len + record.category.len;
		seen->time = record.time;
	}
	return got;
}

/* Read the bytes in pieces, each in memory of its own. */
static struct seen read_pieces(const void *bytes, size_t len, size_t piece,
			       unsigned flags)
{
	struct seen seen = { 0 };
	struct trace_reader_options options = { note, &seen, flags };
	struct trace_reader *reader = trace_reader_new(&options);
	const char *at = bytes;
	char *copy;

	while (reader && len) {
		piece = piece < len ? piece : len;
		copy = memcpy(malloc(piece), at, piece);
		trace_reader_feed(reader, copy, piece);
		if (take_all(reader, &seen) < 0)
			seen.dead = 1;
		else
			seen.revived |= seen.dead;
		free(copy);
		at += piece;
		len -= piece;
	}
	if (reader)
		trace_reader_end(reader);
	else
		seen.dead = 1;
	trace_reader_free(reader);
	return seen;
}

static void pieces_of_any_size_give_the_same(void)
{
	size_t len = archive_words * FXT_WORD, piece;
	struct seen whole = read_pieces(archive, len, len, 0), cut;

	tap_int(whole.findings, 0, "a sound archive has no finding");
	tap_int(whole.records, 7, "dead space is no record");
	tap_int((intmax_t)whole.time, 2000000, "ticks become nanoseconds");
	for (piece = 1; piece < len; piece++) {
		cut = read_pieces(archive, len, piece, 0);
		if (memcmp(&cut, &whole, sizeof(cut)) != 0)
			break;
	}
	tap_int((intmax_t)piece, (intmax_t)len,
		"pieces of any size give the same records");
}

static void bytes_need_no_alignment(void)
{
	size_t len = archive_words * FXT_WORD;
	char *shifted = malloc(len + 1);
	struct seen seen;

	memcpy(shifted + 1, archive, len);
	seen = read_pieces(shifted + 1, len, len, 0);
	free(shifted);
	tap_int(seen.records, 7, "bytes need no alignment");
}

static void a_fragment_needs_no_beginning(void)
{
	size_t skipped = 3; /* magic and provider */
	struct seen seen = read_pieces(archive + skipped,
				       (archive_words - skipped) * FXT_WORD, 64,
				       TRACE_READER_FRAGMENT);

	tap_int(seen.findings, 0, "a fragment needs no magic and no provider");
	seen = read_pieces(archive + skipped,
			   (archive_words - skipped) * FXT_WORD, 64, 0);
	tap_int(seen.findings, 2, "anything else needs both");
}

static void durations_can_be_left_alone(void)
{
	size_t len = (archive_words - 6) * FXT_WORD;
	struct seen seen = read_pieces(archive, len, len, 0);

	tap_ok(seen.findings == 1 && seen.last == TRACE_READER_OPEN,
	       "a duration that is open is told");
	seen = read_pieces(archive, len, len, TRACE_READER_UNBALANCED);
	tap_int(seen.findings, 0, "nothing is told of durations if unwanted");
}

/* A record of 20 MiB, of which only a part is there. */
static void what_is_too_large_is_passed_over(void)
{
	const size_t words = (20u << 20) / FXT_WORD;
	struct seen seen = { 0 };
	struct trace_reader_options options = { note, &seen, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	uint64_t header = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, words);
	char *rest = calloc(1, words * FXT_WORD);

	trace_reader_feed(reader, archive, 10 * FXT_WORD);
	take_all(reader, &seen);
	trace_reader_feed(reader, &header, 4);
	take_all(reader, &seen);
	trace_reader_feed(reader, (char *)&header + 4, 4);
	take_all(reader, &seen);
	trace_reader_feed(reader, rest, (words - 1) * FXT_WORD);
	take_all(reader, &seen);
	trace_reader_feed(reader, archive + 10,
			  (archive_words - 10) * FXT_WORD);
	take_all(reader, &seen);
	tap_ok(seen.records == 7 && seen.findings == 1 &&
		       seen.last == TRACE_READER_LARGE,
	       "what is too large is passed over and told");
	tap_int((intmax_t)trace_reader_offset(reader),
		(intmax_t)((words + archive_words) * FXT_WORD),
		"the reader knows where it is");
	trace_reader_free(reader);
	free(rest);
}

static void a_size_of_zero_ends_it(void)
{
	struct seen seen = { 0 };
	struct trace_reader_options options = { note, &seen, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	uint64_t words[] = { FXT_MAGIC, 0, FXT_MAGIC };

	trace_reader_feed(reader, words, sizeof(words));
	tap_int(take_all(reader, &seen), -1, "nothing is behind a size of 0");
	trace_reader_feed(reader, words, sizeof(words));
	tap_int(take_all(reader, &seen), -1, "nor ever again");
	trace_reader_end(reader);
	tap_ok(seen.findings == 1 && seen.offset == 8,
	       "a size of 0 is told once");
	trace_reader_free(reader);
}

static void an_empty_archive_has_no_magic(void)
{
	struct seen seen = read_pieces(archive, 0, 1, 0);

	tap_ok(seen.findings == 1 && seen.last == TRACE_READER_MAGIC,
	       "an empty archive has no magic");
}

static int allocations_left;

static void *scarce_realloc(void *old, size_t size)
{
	return allocations_left-- > 0 ? tr2_host_system.realloc(old, size)
				      : NULL;
}

static void memory_may_fail_at_any_time(void)
{
	struct tr2_host scarce = tr2_host_system;
	struct seen seen = { 0 };
	int i, wrong = 0;

	scarce.realloc = scarce_realloc;
	tr2_host = &scarce;
	for (i = 0; i < 40 && seen.records < 7; i++) {
		allocations_left = i;
		seen = read_pieces(archive, archive_words * FXT_WORD, 5, 0);
		wrong += seen.revived || seen.dead != (allocations_left < 0);
	}
	tr2_host = &tr2_host_system;
	tap_ok(i > 5 && seen.records == 7, "memory may fail at any time");
	tap_int(wrong, 0, "nothing is read any more where it failed");
}

int main(void)
{
	make_archive();
	pieces_of_any_size_give_the_same();
	bytes_need_no_alignment();
	a_fragment_needs_no_beginning();
	durations_can_be_left_alone();
	what_is_too_large_is_passed_over();
	a_size_of_zero_ends_it();
	an_empty_archive_has_no_magic();
	memory_may_fail_at_any_time();
	return tap_done();
}
