#include "trace/agent/live.h"

#include <string.h>

#include "trace/engine/fxt.h"

/* More than a part of the agent's buffer has. */
#define CHUNKS ((size_t)1024)

/* The filler with the tag of the chunk. */
#define HEAD_WORDS ((size_t)2)

/* Of each chunk of a part, in words: what was taken, and what is there. */
struct progress {
	uint16_t taken[CHUNKS];
	uint16_t end[CHUNKS];
	size_t count; /* so many may have something */
};

static struct {
	const struct trace_buffer_header *buffer;
	struct progress parts[2];
} live;

static size_t chunk_words(void)
{
	return live.buffer->chunk_size / FXT_WORD;
}

static size_t count_chunks(void)
{
	const size_t bytes = (size_t)live.buffer->rolling_buffer_size;

	return live.buffer->chunk_size ? bytes / live.buffer->chunk_size : 0;
}

static uint64_t load_word(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static const uint64_t *find_chunk(uint32_t pass, size_t index)
{
	const uint64_t *at = (const uint64_t *)live.buffer;

	at += (sizeof(*live.buffer) + live.buffer->durable_buffer_size) /
	      FXT_WORD;
	if (pass & 1)
		at += live.buffer->rolling_buffer_size / FXT_WORD;
	return at + index * chunk_words();
}

/* Did this session use the chunk in that pass? */
static int is_of_pass(const uint64_t *chunk, uint32_t pass)
{
	return load_word(chunk) == fxt_filler(HEAD_WORDS) &&
	       load_word(chunk + 1) ==
		       ((uint64_t)live.buffer->nonce << 32 | pass);
}

/*
 * Returns the end of the last record. Fillers may follow it. `end` is what it
 * returned for this pass before, or 0.
 */
static uint16_t find_end(const uint64_t *chunk, size_t end)
{
	const size_t words = chunk_words();
	size_t size;
	uint64_t header;

	if (!end)
		end = HEAD_WORDS;
	for (size_t at = end; at < words; at += size) {
		header = load_word(chunk + at);
		size = fxt_record_words(header);
		if (!size || size > words - at)
			break;
		if (!fxt_is_filler(header))
			end = at + size;
	}
	return (uint16_t)end;
}

uint64_t tr2_live_find_durable_end(uint64_t from)
{
	const uint64_t *part =
		(const uint64_t *)live.buffer + sizeof(*live.buffer) / FXT_WORD;
	const size_t words =
		(size_t)live.buffer->durable_buffer_size / FXT_WORD;
	size_t at = (size_t)from / FXT_WORD, size;
	uint64_t header;

	for (; at < words; at += size) {
		header = load_word(part + at);
		size = fxt_record_words(header);
		if (!size || size > words - at || fxt_is_filler(header))
			break;
	}
	return at * FXT_WORD;
}

void tr2_live_begin(const struct trace_buffer_header *buffer)
{
	live.buffer = buffer;
	tr2_live_forget(0);
	tr2_live_forget(1);
}

void tr2_live_measure(uint32_t pass, size_t count)
{
	struct progress *part = &live.parts[pass & 1];
	size_t i = count_chunks();

	if (i > count)
		i = count;
	part->count = i;
	while (i--) {
		const uint64_t *chunk = find_chunk(pass, i);

		part->end[i] = is_of_pass(chunk, pass)
				       ? find_end(chunk, part->end[i])
				       : 0;
	}
}

void tr2_live_read(uint32_t pass, tr2_live_take *take)
{
	struct progress *part = &live.parts[pass & 1];
	size_t from;

	for (size_t i = 0; i < part->count; i++) {
		from = part->taken[i] ? part->taken[i] : HEAD_WORDS;
		if (part->end[i] <= from)
			continue;
		from += take(find_chunk(pass, i) + from, part->end[i] - from);
		part->taken[i] = (uint16_t)from;
	}
}

void tr2_live_forget(uint32_t pass)
{
	memset(&live.parts[pass & 1], 0, sizeof(live.parts[0]));
}
