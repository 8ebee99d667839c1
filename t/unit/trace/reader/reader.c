/*
 * libtrace-reader, fed in pieces of any size, without memory, and with
 * what is too large.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "trace/engine/fxt.h"
#include "trace/reader.h"

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
	size_t names, providers;
	int dead, revived, wrong;
	const char *expected;
};

/* The findings since this was emptied. */
static char told[1024];

static void note_finding(void *context,
			 const struct trace_reader_finding *finding)
{
	struct seen *seen = context;
	const size_t len = strlen(told);

	snprintf(told + len, sizeof(told) - len, "%s @%d+%d %d %s; ",
		 trace_reader_id(finding->problem), (int)finding->offset,
		 (int)finding->len, (int)finding->seen, finding->message);
	seen->expected = finding->expected;
	seen->findings++;
	seen->last = finding->problem;
	seen->offset = finding->offset;
}

static int take_all(struct trace_reader *reader, struct seen *seen)
{
	struct trace_reader_record record;
	uint64_t header;
	int got;

	while ((got = trace_reader_next(reader, &record)) == 1) {
		seen->records++;
		seen->names += record.name.len + record.category.len;
		seen->time = record.time;
		seen->providers += record.provider;
		memcpy(&header, record.bytes, sizeof(header));
		seen->wrong += fxt_record_words(header) != record.words;
	}
	return got;
}

/* Read the bytes in pieces, each in memory of its own. */
static struct seen read_pieces(const void *bytes, size_t len, size_t piece,
			       unsigned flags)
{
	struct seen seen = { 0 };
	struct trace_reader_options options = { note_finding, &seen, flags };
	struct trace_reader *reader = trace_reader_new(&options);
	const char *at = bytes;
	char *copy;

	while (reader && len) {
		piece = piece < len ? piece : len;
		copy = memcpy(malloc(piece), at, piece);
		trace_reader_feed(reader, copy, piece);
		if (take_all(reader, &seen) == -1)
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

	tap_ok(!whole.findings && !whole.wrong && whole.providers == 6 * 7,
	       "a sound archive has no finding");
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

static void durations_can_be_left_alone(void)
{
	size_t len = (archive_words - 6) * FXT_WORD;
	struct seen seen = read_pieces(archive, len, len, 0);

	tap_ok(seen.findings == 1 && seen.last == TRACE_READER_OPEN,
	       "a duration that is open is told");
	seen = read_pieces(archive + 3, len - 24, len, TRACE_READER_FRAGMENT);
	tap_ok(seen.findings == 1 && seen.last == TRACE_READER_OPEN,
	       "so it is in a fragment");
	seen = read_pieces(archive, len, len, TRACE_READER_UNBALANCED);
	tap_int(seen.findings, 0, "nothing is told of durations if unwanted");
}

/* A record of 20 MiB, of which only a part is there. */
static void what_is_too_large_is_passed_over(void)
{
	const size_t words = (20u << 20) / FXT_WORD;
	struct seen seen = { 0 };
	struct trace_reader_options options = { note_finding, &seen, 0 };
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

static void memory_may_fail_at_any_time(void)
{
	const size_t len = archive_words * FXT_WORD;
	struct seen seen = { 0 };
	unsigned before = 0;
	int i, wrong = 0;

	memory_fail_on = 1;
	for (i = 0; i < 40 && seen.records < 7; i++) {
		memory_fail(i);
		seen = read_pieces(archive, len, 5, 0);
		wrong += seen.revived ||
			 seen.dead != (memory_calls >= (i ? i : 1));
	}
	tap_ok(i > 5 && seen.records == 7, "memory may fail at any time");
	tap_int(wrong, 0, "nothing is read any more where it failed");
	/* Behind the reader's own two: that of the thread, the 4th record. */
	for (i = 3; i < 40 && before < 7; i++) {
		memory_fail(i);
		seen = read_pieces(archive, len, len, 0);
		wrong += seen.records < before ||
			 seen.dead != (memory_calls >= i) ||
			 (i == 3 && seen.records != 3);
		before = seen.records;
	}
	tap_int(wrong, 0, "nor what needed it");
	memory_fail_on = 0;
	memory_fail(0);
	tap_ok(!memory_live, "all of it is given back");
}

/* What is found in so many words, read in pieces. */
static const char *find_faults(const uint64_t *words, size_t len, size_t piece)
{
	told[0] = '\0';
	read_pieces(words, len, piece, TRACE_READER_UNBALANCED);
	return told;
}

static void ends_inside_of_records_are_told(void)
{
	static uint64_t large[12];

	tap_str(find_faults(archive, 123, 123),
		"fxt.truncated @80+43 43 the archive ends inside a record; ",
		"an end inside of a record is told");
	tap_str(find_faults(archive, 123, 10),
		"fxt.truncated @80+43 43 the archive ends inside a record; ",
		"so it is in pieces");
	tap_str(find_faults(archive, 128, 10), "", "one behind it is no fault");
	memcpy(large, archive, 10 * FXT_WORD);
	large[10] = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, 3 << 20);
	tap_str(find_faults(large, sizeof(large), 30),
		"fxt.record.large @80+8 3145728 a record is too large to be "
		"read; fxt.truncated @96+0 25165808 the archive ends inside a "
		"record; ",
		"nor may it end inside of one that is not read");
	tap_str(find_faults(large + 10, 16, 16),
		"fxt.record.large @0+8 3145728 a record is too large to be "
		"read; fxt.truncated @16+0 25165808 the archive ends inside a "
		"record; ",
		"wherever that stands");
	tap_str(find_faults(archive, 0, 1),
		"fxt.magic @0+0 0 the archive is empty; ",
		"where nothing is there is no end");
	memset(large, 0, 8);
	tap_str(find_faults(large, 8, 8),
		"fxt.record.zero @0+8 0 nothing can be read after a size of "
		"0; ",
		"but nothing that can be read is something");
}

static void large_records_are_told(void)
{
	const size_t most = (size_t)2 << 20;
	uint64_t *words = calloc(most + 10, FXT_WORD);
	static const char two[] =
		"two known readers lose everything after this record; ";
	char want[128];

	memcpy(words, archive, 10 * FXT_WORD);
	words[10] = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, 4095);
	tap_ok(!strstr(find_faults(words, (10 + 4095) * FXT_WORD, 99999), two),
	       "a record of 4095 words is not large");
	words[10] = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, 4096);
	find_faults(words, (10 + 4096) * FXT_WORD, 99999);
	snprintf(want, sizeof(want), "fxt.record.large @80+8 4096 %s", two);
	tap_ok(strstr(told, want), "one of 4096 is");
	words[10] = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, most);
	find_faults(words, (10 + most) * FXT_WORD, 1 << 30);
	snprintf(want, sizeof(want), "fxt.record.large @80+8 %d %s", (int)most,
		 two);
	tap_ok(strstr(told, want), "the largest is read all the same");
	words[0] = fxt_large_blob_header(FXT_LARGE_ATTACHMENT, most + 1);
	memcpy(words + most + 1, archive + 1, 2 * FXT_WORD);
	find_faults(words, (most + 3) * FXT_WORD, 1 << 30);
	tap_ok(!strstr(told, "fxt.magic"), "who begins with more has begun");
	free(words);
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	make_archive();
	pieces_of_any_size_give_the_same();
	durations_can_be_left_alone();
	what_is_too_large_is_passed_over();
	ends_inside_of_records_are_told();
	large_records_are_told();
	memory_may_fail_at_any_time();
	return tap_done();
}
