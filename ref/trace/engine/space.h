/*
 * space.h - the buffer as the writers of this process see it: who gets
 * which chunk, and the durable records.
 *
 * All of it is atomics; nothing here waits. The layout is fixed while the
 * engine is started, and changed only when no writer is inside a record.
 */
#ifndef TR2_TRACE_ENGINE_SPACE_H
#define TR2_TRACE_ENGINE_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/buffer.h"
#include "trace/engine.h"

/* Words at the start of a chunk: a filler of two, the second the tag. */
#define TR2_TRACE_CHUNK_HEAD ((size_t)2)

struct tr2_trace_space {
	struct trace_buffer_header *header;
	uint64_t *durable;
	uint64_t *rolling[2];
	size_t durable_words;
	size_t chunk_words;
	size_t rolling_size;	      /* bytes */
	struct trace_handler *grower; /* NULL: the space is what it is */
	size_t max_chunks;
	enum trace_buffering_mode mode;
	uint32_t nonce;
	/* Atomic from here. */
	uint32_t chunks;    /* of a part; a file's only grows */
	size_t durable_end; /* words; where to look for room, at least */

	/*
	 * Which chunk is next: PENDING | FULL | wrapped count << 32 | index.
	 * Apart, since it is what threads share.
	 */
	uint64_t place __attribute__((aligned(64)));
	uint64_t notified; /* the place when a full part was told; or 0 */
};

/* Streaming: the part that is not written to is not saved yet. */
#define TR2_TRACE_PENDING (UINT64_C(1) << 63)

/* The durable part is full: nothing is written any more. */
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

/* A chunk of one thread, from one pass over the buffer. */
struct tr2_trace_chunk {
	uint32_t wrapped;
	uint32_t index;
};

static inline uint64_t *tr2_trace_chunk_start(const struct tr2_trace_space *in,
					      struct tr2_trace_chunk chunk)
{
	return in->rolling[chunk.wrapped & 1] + chunk.index * in->chunk_words;
}

/*
 * The next chunk after `place`, in *place, or 0: there is none now. One
 * try: -1 says that somebody else was first, and *place what it is since.
 */
int tr2_trace_space_next(struct tr2_trace_space *space, uint64_t *place,
			 struct tr2_trace_chunk *chunk);

/* Make it ours: an empty chunk of this pass from the last store on. */
void tr2_trace_space_tag(struct tr2_trace_space *space,
			 struct tr2_trace_chunk chunk);

/*
 * Streaming: leave the part that is written to for the other one. 0, EAGAIN
 * or ENODATA as trace_engine_turn() says.
 */
int tr2_trace_space_turn(struct tr2_trace_space *space);

/*
 * Room for a durable record of so many words, held by a filler until its
 * header is stored over that (tr2_trace_store); NULL: full, for good.
 */
uint64_t *tr2_trace_space_durable(struct tr2_trace_space *space, size_t words);

/* All durable records are whole: the end of them in words, or -1. */
int64_t tr2_trace_space_durable_whole(struct tr2_trace_space *space);

/* Write all of the header, as of a buffer of so many bytes. */
void tr2_trace_space_describe(struct tr2_trace_space *space, size_t total);

/* Write the ends of what is used into the header, with no writer left. */
void tr2_trace_space_close(struct tr2_trace_space *space);

/* Bytes that a reader would have to look at. */
size_t tr2_trace_space_used(const struct tr2_trace_space *space);

#endif
