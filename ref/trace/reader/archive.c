#include "trace/reader/archive.h"

#include "trace/engine/fxt.h"

/* A run of a buffer is at most a chunk, or a piece of the durable part. */
#define SCRATCH_WORDS \
	(sizeof(((struct tr2_archive *)0)->scratch) / sizeof(uint64_t))

static const char wrong_header[] =
	"provider.buffer.header: the header is not valid";
static const char wrong_records[] =
	"provider.buffer.records: the buffer holds something that is not a "
	"record";

static void put_words(struct tr2_archive *archive,
		      struct tr2_archive_source *source, const uint64_t *words,
		      size_t count)
{
	size_t len = count * FXT_WORD;

	if (archive->stopped)
		return;
	archive->stopped = archive->put(archive->context, words, len);
	archive->bytes += len;
	if (source)
		source->bytes += len;
}

void tr2_archive_begin(struct tr2_archive *archive)
{
	const uint64_t magic = FXT_MAGIC;

	put_words(archive, NULL, &magic, 1);
}

/* Make the source the current provider. */
static void enter_source(struct tr2_archive *archive,
			 struct tr2_archive_source *source)
{
	uint64_t words[1 + (sizeof(source->name) + FXT_WORD - 1) / FXT_WORD];
	size_t len = strlen(source->name);

	if (archive->current == source)
		return;
	archive->current = source;
	if (source->introduced) {
		words[0] = fxt_provider_section_header(source->id);
		put_words(archive, source, words, 1);
		return;
	}
	source->introduced = 1;
	words[0] = fxt_provider_info_header(source->id, len);
	fxt_put_bytes(words + 1, source->name, len);
	put_words(archive, source, words, 1 + fxt_words(len));
}

static int is_event(const struct trace_reader_record *record)
{
	return record->type == FXT_EVENT ||
	       (record->type == FXT_LARGE &&
		record->subtype == FXT_LARGE_EVENT);
}

/* May a program write this record, and is it written correctly? */
static int is_fit(const struct trace_reader_record *record)
{
	return !record->flawed && record->type != FXT_METADATA;
}

static void put_run(struct tr2_archive *archive,
		    struct tr2_archive_source *source, const uint64_t *from,
		    const uint64_t *to)
{
	if (from == to)
		return;
	enter_source(archive, source);
	put_words(archive, source, from, (size_t)(to - from));
}

/* Put the acceptable records of `words` words that can't change any more. */
static void put_fit(struct tr2_archive *archive,
		    struct tr2_archive_source *source, const uint64_t *from,
		    size_t words)
{
	const uint64_t *at = from;
	struct trace_reader_record record;

	trace_reader_feed(source->reader, from, words * FXT_WORD);
	while (trace_reader_next(source->reader, &record) > 0) {
		at = (const uint64_t *)record.bytes;
		if (!is_fit(&record)) {
			put_run(archive, source, from, at);
			from = at + record.words;
			source->flawed++;
		} else if (is_event(&record)) {
			source->events++;
		}
		at += record.words;
	}
	put_run(archive, source, from, at);
}

static int has_reader(struct tr2_archive_source *source)
{
	const struct trace_reader_options options = {
		.flags = TRACE_READER_FRAGMENT | TRACE_READER_UNBALANCED,
	};

	if (!source->reader)
		source->reader = trace_reader_new(&options);
	return source->reader != NULL;
}

/* Returns how many words of a copy are whole records. */
static size_t count_whole_words(const uint64_t *from, size_t words)
{
	size_t at = 0, size;

	while (at < words) {
		size = fxt_record_words(from[at]);
		if (!size || size > words - at)
			break;
		at += size;
	}
	return at;
}

struct collecting {
	struct tr2_archive *archive;
	struct tr2_archive_source *source;
};

/* A trace_buffer_run: the program may still be writing to `run`. */
static int collect_run(void *context, const uint64_t *run, size_t words)
{
	struct collecting *to = context;
	uint64_t *scratch = to->archive->scratch;
	size_t part, fit;

	for (; words; words -= fit, run += fit) {
		part = words < SCRATCH_WORDS ? words : SCRATCH_WORDS;
		memcpy(scratch, run, part * FXT_WORD);
		fit = count_whole_words(scratch, part);
		if (!fit || to->archive->stopped)
			return -1;
		put_fit(to->archive, to->source, scratch, fit);
	}
	return 0;
}

/* Copy the header and check that it can be used. */
static int take_header(const struct tr2_archive_source *source,
		       struct trace_buffer_header *header)
{
	memcpy(header, source->buffer, sizeof(*header));
	return !trace_buffer_check(header, source->size) &&
	       header->buffering_mode == source->mode;
}

static const char *check_save(const struct tr2_archive_source *source,
			      const struct trace_buffer_header *header,
			      uint32_t wrapped, uint64_t durable_end)
{
	if (wrapped != source->wrapped)
		return "provider.save.order: this is not the next part";
	if (durable_end % FXT_WORD || durable_end < 2 * FXT_WORD ||
	    durable_end < source->durable ||
	    durable_end > header->durable_buffer_size)
		return "provider.save.durable: the durable part can't end "
		       "there";
	return NULL;
}

const char *tr2_archive_save(struct tr2_archive *archive,
			     struct tr2_archive_source *source,
			     uint32_t wrapped, uint64_t durable_end)
{
	struct collecting to = { archive, source };
	struct trace_buffer_header header;
	const char *wrong;
	int64_t end;

	if (!take_header(source, &header))
		return wrong_header;
	wrong = check_save(source, &header, wrapped, durable_end);
	if (wrong)
		return wrong;
	if (!has_reader(source))
		return "out of memory";
	end = trace_buffer_read_durable(&header, source->buffer,
					source->durable, durable_end,
					collect_run, &to);
	if (end < 0 ||
	    trace_buffer_read_rolling(&header, source->buffer, wrapped & 1,
				      wrapped, collect_run, &to) < 0)
		return archive->stopped ? NULL : wrong_records;
	source->durable = durable_end;
	source->wrapped = wrapped + 1;
	return NULL;
}

static void put_dropped(struct tr2_archive *archive,
			struct tr2_archive_source *source)
{
	uint64_t word =
		fxt_provider_event_header(source->id, FXT_BUFFER_FILLED_UP);

	if (!source->dropped)
		return;
	enter_source(archive, source);
	put_words(archive, source, &word, 1);
}

/* Was the buffer never written to? */
static int is_blank(const struct tr2_archive_source *source)
{
	const struct trace_buffer_header *header = source->buffer;

	return !header->magic;
}

/* In the order of an archive; does not read again what is already saved. */
static int collect_rest(const struct trace_buffer_header *header,
			struct collecting *to)
{
	struct tr2_archive_source *source = to->source;
	const void *buffer = source->buffer;
	int older = trace_buffer_older(header, buffer);

	return trace_buffer_read_durable(header, buffer, source->durable,
					 UINT64_MAX, collect_run, to) < 0 ||
	       trace_buffer_read_rolling(header, buffer, older, source->wrapped,
					 collect_run, to) < 0 ||
	       trace_buffer_read_rolling(header, buffer, !older,
					 source->wrapped, collect_run, to) < 0;
}

const char *tr2_archive_finish(struct tr2_archive *archive,
			       struct tr2_archive_source *source)
{
	struct collecting to = { archive, source };
	struct trace_buffer_header header;

	if (is_blank(source))
		return NULL;
	if (!take_header(source, &header))
		return wrong_header;
	if (!has_reader(source))
		return "out of memory";
	source->dropped = header.num_records_dropped;
	put_dropped(archive, source);
	if (collect_rest(&header, &to))
		return archive->stopped ? NULL : wrong_records;
	return NULL;
}

void tr2_archive_put_records(struct tr2_archive *archive,
			     struct tr2_archive_source *source,
			     const uint64_t *records, size_t words)
{
	if (has_reader(source))
		put_fit(archive, source, records, words);
}

void tr2_archive_source_release(struct tr2_archive_source *source)
{
	trace_reader_free(source->reader);
	source->reader = NULL;
}
