/* The reader's side of a buffer. The reader trusts nothing in it. */
#include "trace/buffer.h"

#include "trace/engine/fxt.h"

#define HEADER_BYTES sizeof(struct trace_buffer_header)
_Static_assert(sizeof(struct trace_buffer_header) == 128, "as documented");

/* Parts begin at a cache line if the size allows this. */
#define LINE ((size_t)64)

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

int trace_buffer_divide(int mode, uint64_t size,
			struct trace_buffer_layout *layout)
{
	size_t room = (size_t)size - HEADER_BYTES;
	size_t durable = least_of(room / 16, TRACE_BUFFER_DURABLE_MAX);
	size_t chunk;

	if (size % FXT_WORD || size < TRACE_BUFFER_MIN ||
	    size > TRACE_BUFFER_MAX || mode < TRACE_BUFFERING_MODE_ONESHOT ||
	    mode > TRACE_BUFFERING_MODE_STREAMING)
		return 0;
	layout->durable_size = 0;
	layout->rolling_size = room;
	if (mode != TRACE_BUFFERING_MODE_ONESHOT) {
		layout->durable_size =
			durable / LINE / 2 * LINE * 2 + room % 16;
		layout->rolling_size = (room - layout->durable_size) / 2;
	}
	chunk = layout->rolling_size / 8 / LINE * LINE;
	if (chunk < TRACE_BUFFER_CHUNK_MIN)
		chunk = TRACE_BUFFER_CHUNK_MIN;
	layout->chunk_size = least_of(chunk, TRACE_BUFFER_CHUNK_MAX);
	return 1;
}

/*
 * Checking
 */

static const char *check_sizes(const struct trace_buffer_header *header)
{
	uint64_t durable = header->durable_buffer_size;
	uint64_t rolling = header->rolling_buffer_size;
	uint64_t room = header->total_size - HEADER_BYTES;

	if (durable % FXT_WORD || rolling % FXT_WORD)
		return "a part's size is no multiple of 8";
	if (durable > room || rolling > room)
		return "a part is larger than the buffer";
	if (header->buffering_mode == TRACE_BUFFERING_MODE_ONESHOT)
		return durable || rolling != room
			       ? "the parts do not fill the buffer"
			       : NULL;
	if (durable + 2 * rolling != room)
		return "the parts do not fill the buffer";
	return durable < rolling ? NULL : "the durable part is too large";
}

static int is_end(uint64_t end, uint64_t size)
{
	return end % FXT_WORD == 0 && end <= size;
}

static const char *check_ends(const struct trace_buffer_header *header)
{
	uint64_t chunk = header->chunk_size;
	uint64_t rolling = header->rolling_buffer_size;

	if (!is_end(header->durable_data_end, header->durable_buffer_size))
		return "the durable data do not end in their part";
	if (!is_end(header->rolling_data_end[0], rolling) ||
	    !is_end(header->rolling_data_end[1], rolling))
		return "the rolling data do not end in their part";
	if (chunk % FXT_WORD || chunk < TRACE_BUFFER_CHUNK_MIN ||
	    chunk > TRACE_BUFFER_CHUNK_MAX || chunk > rolling)
		return "no such chunk size";
	return NULL;
}

const char *trace_buffer_check(const struct trace_buffer_header *header,
			       uint64_t size)
{
	const char *wrong;

	if (size < TRACE_BUFFER_MIN || size > TRACE_BUFFER_MAX ||
	    size % FXT_WORD)
		return "no such size of a buffer";
	if (header->magic != TRACE_BUFFER_MAGIC)
		return "no magic";
	if (header->version != TRACE_BUFFER_VERSION)
		return "another version";
	if (header->buffering_mode > TRACE_BUFFERING_MODE_STREAMING)
		return "no such mode";
	if (header->total_size != size)
		return "another size than the buffer's";
	wrong = check_sizes(header);
	return wrong ? wrong : check_ends(header);
}

/*
 * Walking
 */

static uint64_t load_word(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/*
 * Pass on the records of [at, end), one run between two fillers at a time.
 * Returns where the walk ended (at a 0 or at `end`), or NULL.
 */
static const uint64_t *walk_records(const uint64_t *at, const uint64_t *end,
				    trace_buffer_run *run, void *context)
{
	const uint64_t *begin = at;

	for (;;) {
		uint64_t word = at < end ? load_word(at) : 0;
		size_t words = fxt_record_words(word);
		int is_over = !word;
		int is_broken = word && (!words || words > (size_t)(end - at));

		if (is_over || is_broken || fxt_is_filler(word)) {
			if (at > begin &&
			    run(context, begin, (size_t)(at - begin)))
				return NULL;
			begin = at + words;
		}
		if (is_broken)
			return NULL;
		if (is_over)
			return at;
		at += words;
	}
}

static const uint64_t *durable_part(const void *buffer)
{
	return (const uint64_t *)buffer + HEADER_BYTES / FXT_WORD;
}

int64_t trace_buffer_read_durable(const struct trace_buffer_header *checked,
				  const void *buffer, uint64_t from,
				  uint64_t to, trace_buffer_run *run,
				  void *context)
{
	const uint64_t *part = durable_part(buffer);
	const uint64_t *end;

	if (to > checked->durable_buffer_size)
		to = checked->durable_buffer_size;
	if (from > to || from % FXT_WORD)
		return -1;
	end = walk_records(part + from / FXT_WORD, part + to / FXT_WORD, run,
			   context);
	return end ? (int64_t)((end - part) * (ptrdiff_t)FXT_WORD) : -1;
}

/* Returns the chunk's wrapped count, or -1 if this session did not write it. */
static int64_t pass_of(const struct trace_buffer_header *checked,
		       const uint64_t *chunk, int part)
{
	uint64_t tag;

	if (load_word(chunk) != fxt_filler(2))
		return -1;
	tag = load_word(chunk + 1);
	if (tag >> 32 != checked->nonce || !checked->nonce ||
	    (int)(tag & 1) != part)
		return -1;
	return (int64_t)(tag & UINT32_MAX);
}

struct part {
	const uint64_t *start;
	size_t chunk_words;
	size_t chunks;
	int number;
};

static struct part rolling_part(const struct trace_buffer_header *checked,
				const void *buffer, int number)
{
	size_t words = (size_t)checked->rolling_buffer_size / FXT_WORD;
	struct part part = {
		.start = durable_part(buffer),
		.chunk_words = checked->chunk_size / FXT_WORD,
		.number = number,
	};

	if (number && checked->buffering_mode == TRACE_BUFFERING_MODE_ONESHOT)
		return part;
	part.chunks = words / part.chunk_words;
	part.start += checked->durable_buffer_size / FXT_WORD;
	if (number)
		part.start += words;
	return part;
}

static int64_t newest_pass(const struct trace_buffer_header *checked,
			   struct part part)
{
	int64_t newest = -1;

	for (size_t i = 0; i < part.chunks; i++) {
		int64_t pass = pass_of(checked,
				       part.start + i * part.chunk_words,
				       part.number);

		if (pass > newest)
			newest = pass;
	}
	return newest;
}

int64_t trace_buffer_read_rolling(const struct trace_buffer_header *checked,
				  const void *buffer, int number,
				  uint32_t oldest, trace_buffer_run *run,
				  void *context)
{
	struct part part = rolling_part(checked, buffer, number);
	int64_t newest = newest_pass(checked, part);
	int64_t count = 0;

	if (newest < (int64_t)oldest)
		return 0;
	for (size_t i = 0; i < part.chunks; i++) {
		const uint64_t *chunk = part.start + i * part.chunk_words;

		if (pass_of(checked, chunk, number) != newest)
			continue;
		count++;
		if (!walk_records(chunk + 2, chunk + part.chunk_words, run,
				  context))
			return -1;
	}
	return count;
}

int trace_buffer_older(const struct trace_buffer_header *checked,
		       const void *buffer)
{
	return newest_pass(checked, rolling_part(checked, buffer, 1)) <
	       newest_pass(checked, rolling_part(checked, buffer, 0));
}

int trace_buffer_read(const struct trace_buffer_header *checked,
		      const void *buffer, uint32_t oldest,
		      trace_buffer_run *run, void *context)
{
	int older = trace_buffer_older(checked, buffer);

	if (trace_buffer_read_durable(checked, buffer, 0, UINT64_MAX, run,
				      context) < 0 ||
	    trace_buffer_read_rolling(checked, buffer, older, oldest, run,
				      context) < 0 ||
	    trace_buffer_read_rolling(checked, buffer, !older, oldest, run,
				      context) < 0)
		return -1;
	return 0;
}

void trace_buffer_format(void *space, size_t bytes)
{
	const size_t words = TRACE_BUFFER_PAGE / FXT_WORD;
	uint64_t *at = space;

	for (size_t page = 0; page < bytes / TRACE_BUFFER_PAGE; page++)
		at[page * words] = fxt_filler(words);
}
