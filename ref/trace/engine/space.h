/*
 * space.h - the buffer as the writers of this process see it: which writer
 * gets which chunk, and the durable records.
 *
 * All members are atomics; nothing here waits. The layout does not change
 * while the engine is started. It changes only while no writer is inside a
 * record.
 */
#ifndef TR2_TRACE_ENGINE_SPACE_H
#define TR2_TRACE_ENGINE_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/buffer.h"
#include "trace/engine.h"

/*
 * Words at the start of a chunk: a filler of two words; the second is the
 * tag.
 */
#define TR2_TRACE_CHUNK_HEAD ((size_t)2)

struct tr2_trace_space {
	struct trace_buffer_header *header;
	uint64_t *durable;
	uint64_t *rolling[2];
	size_t durable_words;
	size_t chunk_words;
	size_t rolling_size;	      /* bytes */
	struct trace_handler *grower; /* NULL: the space can't grow */
	size_t max_chunks; /* atomic; what there is once it can't grow */
	enum trace_buffering_mode mode;
	uint32_t nonce;
	/* Atomic from here on. */
	uint32_t chunks;    /* of a part; a file's only grows */
	size_t durable_end; /* words; no room before this place */

	/*
	 * The next chunk: PENDING | FULL | wrapped count << 32 | index. In a
	 * cache line of its own, because all threads share it.
	 */
	uint64_t place __attribute__((aligned(64)));
	uint64_t notified; /* place at the last report of a full part; or 0 */
};

/* Streaming: the part that is not being written is not saved yet. */
#define TR2_TRACE_PENDING (UINT64_C(1) << 63)

/* The space or its durable part is full: all further records are dropped. */
#define TR2_TRACE_FULL (UINT64_C(1) << 62)

static inline uint32_t tr2_trace_wrapped(uint64_t place)
{
	return (uint32_t)(place >> 32) & 0x3fffffff;
}

static inline uint32_t tr2_trace_index(uint64_t place)
{
	return (uint32_t)place;
}

static inline uint64_t tr2_trace_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void tr2_trace_store(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* A chunk that belongs to one thread, in one pass over the buffer. */
struct tr2_trace_chunk {
	uint32_t wrapped;
	uint32_t index;
};

/* This is asked once for a chunk. */
static inline uint64_t *tr2_trace_chunk_start(const struct tr2_trace_space *in,
					      struct tr2_trace_chunk chunk)
{
	const size_t at = chunk.index * in->chunk_words;

	if (in->grower && in->grower->ops->place)
		return in->grower->ops->place(in->grower,
					      at * sizeof(uint64_t));
	return in->rolling[chunk.wrapped & 1] + at;
}

/*
 * Store the next chunk after `place` in *place; 0: there is none now. Tries
 * once: -1 means that another thread was first, and *place is its value.
 */
int tr2_trace_space_next(struct tr2_trace_space *space, uint64_t *place,
			 struct tr2_trace_chunk *chunk);

/* Make it ours: with the last store it is an empty chunk of this pass. */
void tr2_trace_space_tag(struct tr2_trace_space *space,
			 struct tr2_trace_chunk chunk);

/*
 * Streaming: switch from the part that is being written to the other one. 0,
 * EAGAIN or ENODATA, as for trace_engine_turn().
 */
int tr2_trace_space_turn(struct tr2_trace_space *space);

/* Drop all records that begin from now on. Async-signal-safe. */
void tr2_trace_space_end(struct tr2_trace_space *space);

/*
 * Get room for a durable record of so many words. A filler holds the room
 * until the record's header replaces it (tr2_trace_store). NULL: full for
 * good.
 */
uint64_t *tr2_trace_space_durable(struct tr2_trace_space *space, size_t words);

/* If all durable records are complete: their end in words; else -1. */
int64_t tr2_trace_space_durable_whole(struct tr2_trace_space *space);

/* Write the whole header, for a buffer of so many bytes. */
void tr2_trace_space_describe(struct tr2_trace_space *space, size_t total);

/* Write the ends of the used space into the header; no writer may be active. */
void tr2_trace_space_close(struct tr2_trace_space *space);

/*
 * Returns how many chunks of that pass threads got so far. A thread that got
 * one may not have tagged it yet.
 */
size_t tr2_trace_space_count_chunks(const struct tr2_trace_space *space,
				    uint32_t wrapped);

/* Returns the bytes of a chunk of a file that can't be larger than `max`. */
static inline size_t tr2_trace_space_file_chunk(size_t max)
{
	return max < TRACE_BUFFER_CHUNK_MAX ? TRACE_BUFFER_PAGE
					    : TRACE_BUFFER_CHUNK_MAX;
}

/* Bytes that a reader would have to read. */
size_t tr2_trace_space_used(const struct tr2_trace_space *space);

#endif
