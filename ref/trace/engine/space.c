#include "trace/engine/space.h"

#include <errno.h>
#include <string.h>

#include "host/generation.h"
#include "trace/engine/fxt.h"

/* *word = max(*word, value): a writer that is late changes nothing. */
static void raise_word64(uint64_t *word, uint64_t value)
{
	uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (old < value &&
	       !__atomic_compare_exchange_n(word, &old, value, 0,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static void raise_word32(uint32_t *word, uint32_t value)
{
	uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (old < value &&
	       !__atomic_compare_exchange_n(word, &old, value, 0,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static uint32_t chunk_count(const struct tr2_trace_space *space)
{
	return __atomic_load_n(&space->chunks, __ATOMIC_ACQUIRE);
}

static size_t chunk_bytes(const struct tr2_trace_space *space)
{
	return space->chunk_words * FXT_WORD;
}

static size_t max_chunks(const struct tr2_trace_space *space)
{
	return __atomic_load_n(&space->max_chunks, __ATOMIC_RELAXED);
}

/*
 * Oneshot: has the space grown? If it can't, nobody tries again: that would
 * cost each record that is dropped some system calls.
 */
static int grow_space(struct tr2_trace_space *space, uint32_t chunks)
{
	struct trace_handler *grower = space->grower;
	size_t bytes = chunk_bytes(space);
	size_t more;
	int error = errno;

	if (!grower || chunks >= max_chunks(space))
		return 0;
	more = grower->ops->grow(grower, chunks * bytes) / bytes;
	errno = error; /* SPEC: engine.errno */
	if (more > max_chunks(space))
		more = max_chunks(space);
	raise_word32(&space->chunks, (uint32_t)more);
	if (more <= chunks && !tr2_generation_is_guest())
		__atomic_store_n(&space->max_chunks, chunks, __ATOMIC_RELAXED);
	return more > chunks;
}

/* Returns the place after this one, or `place` itself if there is none. */
static uint64_t place_after(const struct tr2_trace_space *space, uint64_t place,
			    uint32_t chunks)
{
	uint64_t wrapped = tr2_trace_wrapped(place);

	if (place & TR2_TRACE_FULL)
		return place;
	if (tr2_trace_index(place) < chunks)
		return place + 1;
	if (space->mode == TRACE_BUFFERING_MODE_CIRCULAR)
		return (wrapped + 1) << 32 | 1;
	if (space->mode == TRACE_BUFFERING_MODE_STREAMING &&
	    !(place & TR2_TRACE_PENDING))
		return TR2_TRACE_PENDING | (wrapped + 1) << 32 | 1;
	return place;
}

/* The writer that moved on to the other part reports it. */
static void say_wrapped(struct tr2_trace_space *space, uint32_t wrapped,
			uint32_t chunks)
{
	struct trace_buffer_header *header = space->header;

	tr2_trace_store(&header->rolling_data_end[wrapped & 1], 0);
	tr2_trace_store(&header->rolling_data_end[~wrapped & 1],
			chunks * chunk_bytes(space));
	raise_word32(&header->wrapped_count, wrapped);
}

int tr2_trace_space_next(struct tr2_trace_space *space, uint64_t *place,
			 struct tr2_trace_chunk *chunk)
{
	uint32_t chunks = chunk_count(space);
	uint64_t next = place_after(space, *place, chunks);

	if (next == *place)
		return grow_space(space, chunks) ? -1 : 0;
	if (!__atomic_compare_exchange_n(&space->place, place, next, 0,
					 __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
		return -1;
	chunk->wrapped = tr2_trace_wrapped(next);
	chunk->index = tr2_trace_index(next) - 1;
	if (chunk->wrapped != tr2_trace_wrapped(*place))
		say_wrapped(space, chunk->wrapped, chunks);
	*place = next;
	return 1;
}

int tr2_trace_space_turn(struct tr2_trace_space *space)
{
	uint64_t place = tr2_trace_load(&space->place), next;

	if (space->mode != TRACE_BUFFERING_MODE_STREAMING)
		return ENODATA;
	do {
		if (place & TR2_TRACE_PENDING)
			return EAGAIN;
		if (place & TR2_TRACE_FULL || !tr2_trace_index(place))
			return ENODATA;
		next = (uint64_t)(tr2_trace_wrapped(place) + 1) << 32;
		next |= TR2_TRACE_PENDING;
	} while (!__atomic_compare_exchange_n(&space->place, &place, next, 0,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_ACQUIRE));
	say_wrapped(space, tr2_trace_wrapped(next), tr2_trace_index(place));
	return 0;
}

/*
 * The order matters: before the tag is stored, this is not a chunk of this
 * pass, and a file always contains valid fillers.
 * SPEC: engine.chunk.stale, engine.file
 */
void tr2_trace_space_tag(struct tr2_trace_space *space,
			 struct tr2_trace_chunk chunk)
{
	uint64_t *at = tr2_trace_chunk_start(space, chunk);

	tr2_trace_store(&at[2], fxt_filler(space->chunk_words - 2));
	tr2_trace_store(&at[1], (uint64_t)space->nonce << 32 | chunk.wrapped);
	tr2_trace_store(&at[0], fxt_filler(2));
}

void tr2_trace_space_end(struct tr2_trace_space *space)
{
	__atomic_fetch_or(&space->place, TR2_TRACE_FULL, __ATOMIC_SEQ_CST);
}

/*
 * A record gets its room by being the first to store a word other than 0
 * there, so there is never a gap between records.
 * SPEC: engine.durable, engine.full.durable
 */
uint64_t *tr2_trace_space_durable(struct tr2_trace_space *space, size_t words)
{
	size_t at = __atomic_load_n(&space->durable_end, __ATOMIC_RELAXED);

	while (at + words <= space->durable_words) {
		uint64_t there = 0;

		if (__atomic_compare_exchange_n(
			    &space->durable[at], &there, fxt_filler(words), 0,
			    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			__atomic_store_n(&space->durable_end, at + words,
					 __ATOMIC_RELAXED);
			raise_word64(&space->header->durable_data_end,
				     (at + words) * FXT_WORD);
			return &space->durable[at];
		}
		at += fxt_record_words(there);
	}
	tr2_trace_space_end(space);
	return NULL;
}

int64_t tr2_trace_space_durable_whole(struct tr2_trace_space *space)
{
	size_t at = 0;

	while (at < space->durable_words) {
		uint64_t there = tr2_trace_load(&space->durable[at]);

		if (!there)
			break;
		if (fxt_is_filler(there))
			return -1;
		at += fxt_record_words(there);
	}
	return (int64_t)at;
}

void tr2_trace_space_describe(struct tr2_trace_space *space, size_t total)
{
	struct trace_buffer_header *header = space->header;

	memset(header, 0, sizeof(*header));
	header->magic = TRACE_BUFFER_MAGIC;
	header->version = TRACE_BUFFER_VERSION;
	header->buffering_mode = (uint8_t)space->mode;
	header->total_size = total;
	header->durable_buffer_size = space->durable_words * FXT_WORD;
	header->rolling_buffer_size = space->rolling_size;
	header->chunk_size = (uint32_t)chunk_bytes(space);
}

void tr2_trace_space_close(struct tr2_trace_space *space)
{
	uint64_t place = tr2_trace_load(&space->place);
	uint32_t wrapped = tr2_trace_wrapped(place);
	size_t whole = chunk_count(space) * chunk_bytes(space);
	int has_other = space->mode == TRACE_BUFFERING_MODE_CIRCULAR
				? wrapped != 0
				: (place & TR2_TRACE_PENDING) != 0;
	uint64_t *ends = space->header->rolling_data_end;

	tr2_trace_store(&ends[wrapped & 1],
			tr2_trace_index(place) * chunk_bytes(space));
	tr2_trace_store(&ends[~wrapped & 1], has_other ? whole : 0);
}

size_t tr2_trace_space_count_chunks(const struct tr2_trace_space *space,
				    uint32_t wrapped)
{
	uint64_t place = tr2_trace_load(&space->place);

	if (tr2_trace_wrapped(place) < wrapped)
		return 0;
	if (tr2_trace_wrapped(place) == wrapped)
		return tr2_trace_index(place);
	return chunk_count(space);
}

size_t tr2_trace_space_used(const struct tr2_trace_space *space)
{
	const struct trace_buffer_header *header = space->header;

	return (size_t)(sizeof(*header) + header->durable_data_end +
			header->rolling_data_end[0] +
			header->rolling_data_end[1]);
}
