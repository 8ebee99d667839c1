#include "trace/reader/private.h"

#include "host/host.h"

/* A larger record is skipped. */
#define KEPT_MAX ((size_t)2 << 20) /* words */

struct trace_reader *
trace_reader_new(const struct trace_reader_options *options)
{
	struct trace_reader *reader = tr2_host->realloc(NULL, sizeof(*reader));

	if (!reader)
		return NULL;
	*reader = (struct trace_reader){
		.options = *options,
		.entries.size = sizeof(struct fxt_entry),
		.providers.size = sizeof(struct fxt_provider),
		.stacks.size = sizeof(struct fxt_stack),
		.pairs.size = sizeof(struct fxt_pair),
		.pairs.is_spent = fxt_pair_is_spent,
		.begun = options->flags & TRACE_READER_FRAGMENT,
	};
	/* Records that belong to no provider get an unnamed one. */
	if (!fxt_begin_provider(reader, 0)) {
		tr2_host->free(reader);
		return NULL;
	}
	reader->has_provider = reader->begun;
	return reader;
}

void trace_reader_free(struct trace_reader *reader)
{
	if (!reader)
		return;
	fxt_balance_release(reader);
	fxt_tables_release(reader);
	tr2_host->free(reader->held);
	tr2_host->free(reader);
}

void trace_reader_feed(struct trace_reader *reader, const void *bytes,
		       size_t len)
{
	reader->fed = bytes;
	reader->fed_len = len;
}

uint64_t trace_reader_offset(const struct trace_reader *reader)
{
	return reader->offset;
}

static void use_fed(struct trace_reader *reader, size_t len)
{
	reader->fed += len;
	reader->fed_len -= len;
}

/* Hold `wanted` bytes, or as many as are there. */
static bool hold_bytes(struct trace_reader *reader, size_t wanted)
{
	size_t more = wanted - reader->held_len;
	uint8_t *held;

	if (wanted > reader->held_room) {
		held = tr2_host->realloc(reader->held, wanted);
		if (!held) {
			reader->dead = true;
			return false;
		}
		reader->held = held;
		reader->held_room = wanted;
	}
	if (more > reader->fed_len)
		more = reader->fed_len;
	if (more)
		memcpy(reader->held + reader->held_len, reader->fed, more);
	reader->held_len += more;
	use_fed(reader, more);
	return reader->held_len == wanted;
}

/*
 * Returns `wanted` bytes in one piece: in place if no earlier bytes are held,
 * else in the held copy. NULL: they have not arrived yet.
 */
static const uint8_t *whole_bytes(struct trace_reader *reader, size_t wanted)
{
	if (!reader->held_len && reader->fed_len >= wanted)
		return reader->fed;
	if (reader->held_len < wanted && !hold_bytes(reader, wanted))
		return NULL;
	return reader->held;
}

static void tell_problem(struct trace_reader *reader,
			 enum trace_reader_problem problem, const char *message,
			 size_t len, uint64_t seen)
{
	struct trace_reader_finding finding = {
		.problem = problem,
		.offset = reader->offset,
		.len = len,
		.message = message,
		.seen = seen,
	};

	fxt_tell(reader, &finding);
}

/* Skip the bytes of a large record that have arrived. */
static void skip_fed(struct trace_reader *reader)
{
	size_t len = reader->fed_len;

	if (len > reader->skip)
		len = (size_t)reader->skip;
	use_fed(reader, len);
	reader->skip -= len;
	reader->offset += len;
}

static void begin_skip(struct trace_reader *reader, size_t words)
{
	tell_problem(reader, TRACE_READER_LARGE,
		     "a record is too large to be read", FXT_WORD, words);
	reader->skip = words * FXT_WORD - reader->held_len;
	reader->offset += reader->held_len;
	reader->held_len = 0;
	reader->begun = true;
}

/* Returns a whole record, or NULL. Its bytes are valid until the next call. */
static const uint8_t *next_record(struct trace_reader *reader, size_t *words)
{
	const uint8_t *bytes;
	uint64_t header;

	if (reader->release_held)
		reader->held_len = 0;
	reader->release_held = false;
	for (;;) {
		skip_fed(reader);
		bytes = whole_bytes(reader, FXT_WORD);
		if (!bytes)
			return NULL;
		memcpy(&header, bytes, FXT_WORD);
		*words = fxt_record_words(header);
		if (!*words) { /* SPEC: fxt.record.zero */
			tell_problem(reader, TRACE_READER_SIZE_ZERO,
				     "nothing can be read after a size of 0",
				     FXT_WORD, header);
			reader->dead = true;
			return NULL;
		}
		if (*words <= KEPT_MAX)
			return whole_bytes(reader, *words * FXT_WORD);
		begin_skip(reader, *words);
	}
}

/* SPEC: fxt.magic */
static void check_magic(struct fxt_cursor *in, uint64_t header)
{
	if (!in->reader->begun && header != FXT_MAGIC)
		fxt_find(in, TRACE_READER_MAGIC, 0, 1,
			 "the file does not begin as an archive", header);
	in->reader->begun = true;
}

static void read_record(struct trace_reader *reader, struct fxt_cursor *in)
{
	uint64_t header = fxt_take_word(in);
	enum fxt_record type = fxt_record_type(header);

	in->record->type = type;
	in->record->provider = reader->provider;
	check_magic(in, header);
	if (in->words > FXT_RECORD_WORDS) /* SPEC: fxt.record.large */
		fxt_find(in, TRACE_READER_LARGE, 0, 1,
			 "two known readers lose everything after this record",
			 in->words);
	/* SPEC: fxt.provider.first */
	if (type != FXT_METADATA && !reader->has_provider &&
	    !reader->told_first) {
		reader->told_first = true;
		fxt_find(in, TRACE_READER_PROVIDER_FIRST, 0, 1,
			 "a record without a provider", header);
	}
	fxt_read_record(in, header);
	fxt_balance(in);
}

static bool is_dead_space(const uint8_t *bytes)
{
	uint64_t header;

	memcpy(&header, bytes, FXT_WORD);
	return fxt_is_filler(header);
}

/* The record is done: the next one follows it. */
static void pass_record(struct trace_reader *reader, size_t words)
{
	reader->offset += words * FXT_WORD;
	if (reader->held_len)
		reader->release_held = true;
	else
		use_fed(reader, words * FXT_WORD);
}

int trace_reader_next(struct trace_reader *reader,
		      struct trace_reader_record *record)
{
	struct fxt_cursor in = { .reader = reader, .record = record };

	do {
		if (reader->dead)
			return -1;
		in.bytes = next_record(reader, &in.words);
		if (!in.bytes)
			return reader->dead ? -1 : 0;
		memset(record, 0, offsetof(struct trace_reader_record, args));
		record->offset = reader->offset;
		pass_record(reader, in.words);
	} while (is_dead_space(in.bytes));
	record->bytes = in.bytes;
	record->words = in.words;
	read_record(reader, &in);
	return reader->dead ? -1 : 1;
}

void trace_reader_end(struct trace_reader *reader)
{
	size_t len = reader->release_held ? 0 : reader->held_len;

	/* SPEC: fxt.truncated, fxt.magic */
	if (reader->skip || len)
		tell_problem(reader, TRACE_READER_TRUNCATED,
			     "the archive ends inside a record", len,
			     reader->skip ? reader->skip : len);
	else if (!reader->begun && !reader->dead)
		tell_problem(reader, TRACE_READER_MAGIC, "the archive is empty",
			     0, 0);
	fxt_balance_end(reader);
}
