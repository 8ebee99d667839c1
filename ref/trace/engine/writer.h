/*
 * writer.h - what a thread needs to write records, and the list of all
 * writers.
 *
 * Only `state` is changed by other threads than the owner. The owner goes
 * from idle to busy by compare-and-swap, and back by a plain store. Another
 * thread may take the chunk of an idle writer, by compare-and-swap to "none".
 * So a thread that finds a writer idle can take its chunk at once, and nobody
 * writes to a chunk that was taken.
 *
 *	bits 0, 1	none (no chunk), idle, busy
 *	bit 2		busy, and about to get a chunk: the bits from 3 on
 *			hold its pass, not the chunk
 *	bits 3..34	the chunk: index << 1 | part; or the wrapped count
 *			before
 *	bits 35..63	counts up, so that no value occurs twice
 *
 * A writer is never freed. When its thread ends, the writer and the rest of
 * its chunk wait for the next thread that begins (life.c).
 */
#ifndef TR2_TRACE_ENGINE_WRITER_H
#define TR2_TRACE_ENGINE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/engine/fxt.h"
#include "trace/engine/space.h"
#include "trace/engine/ticks.h"

#define TR2_TRACE_NONE UINT64_C(0)
#define TR2_TRACE_IDLE UINT64_C(1)
#define TR2_TRACE_BUSY UINT64_C(2)
#define TR2_TRACE_STATE UINT64_C(3)
#define TR2_TRACE_TAKING UINT64_C(4)
#define TR2_TRACE_TURN_SHIFT 35

#define TR2_TRACE_CACHE 256
#define TR2_TRACE_KNOWN 64

/* A string that was looked up by its contents. */
struct tr2_trace_known {
	const char *address; /* where it was; may hold another text now */
	const char *text;    /* the table's copy */
	uint16_t ref;
};

struct tr2_trace_writer {
	uint64_t state;
	uint64_t resting; /* value of state between records */
	uint64_t *at;	  /* where the filler of our chunk is */
	size_t room;	  /* number of words from there */
	struct tr2_trace_chunk chunk;
	uint32_t epoch; /* the start for which the members below are valid */
	uint32_t generation;
	uint32_t sites; /* the number of them for which the cache is valid */
	struct tr2_trace_clock clock;
	struct fxt_thread_ref thread;
	uint64_t dropped;	       /* atomic */
	struct tr2_trace_writer *next; /* in the list; never changes */
	uint32_t in_use; /* atomic: tr2_generation() of its thread, or 0 */
	char name[16];
	/* Literals that were looked up: address << 16 | reference. */
	uint64_t cache[TR2_TRACE_CACHE];
	struct tr2_trace_known known[TR2_TRACE_KNOWN];
	/* Oneshot: the strings that our chunks define, by index. */
	uint64_t had[(FXT_STRINGS + 1) / 64];
} __attribute__((aligned(64)));

/* This thread's writer; NULL while it has none. */
extern __thread struct tr2_trace_writer *tr2_trace_self
	__attribute__((tls_model("initial-exec")));

/* The list of all writers that ever existed, by ->next. */
struct tr2_trace_writer *tr2_trace_writer_first(void);

/*
 * Give this thread a writer and return it, or NULL. Allocates if none is
 * free.
 */
struct tr2_trace_writer *tr2_trace_writer_attach(void);

/*
 * A signal's handler that has interrupted a record of its thread writes with
 * another writer, and then gives that back. NULL: there is no need, or none.
 */
struct tr2_trace_writer *tr2_trace_writer_borrow(void);
void tr2_trace_writer_return(struct tr2_trace_writer *own);

/* Call it once in a process. 0, or -1. */
int tr2_trace_writer_start(void);

/* In a forked child: the parent's writers are free, or forgotten. */
void tr2_trace_writer_forget(void);

/*
 * Take the chunks of all idle writers. Returns how many writers are busy; 0:
 * nobody is inside a record that began before this call.
 */
int tr2_trace_writer_rest_all(void);

/* The same for writers that have, or may have, a chunk of part 0 or 1. */
int tr2_trace_writer_rest_part(uint32_t part);

/* Is it inside a record? NULL is not. */
int tr2_trace_writer_is_inside(const struct tr2_trace_writer *writer);

/*
 * Leave the record that the writer is inside of, which never ends, and its
 * chunk: nobody waits for it any more. 1: there was one, which is counted as
 * dropped. Only for the calling thread's own writer.
 */
int tr2_trace_writer_leave_record(struct tr2_trace_writer *writer);

/*
 * Get a chunk with `words` free words. 0: there is none. Only while busy;
 * gives up the rest of the old chunk.
 */
int tr2_trace_writer_take(struct tr2_trace_writer *writer,
			  struct tr2_trace_space *space, size_t words);

/* The state without a chunk, and with the next count. */
static inline uint64_t tr2_trace_next_turn(uint64_t state)
{
	return ((state >> TR2_TRACE_TURN_SHIFT) + 1) << TR2_TRACE_TURN_SHIFT;
}

/*
 * Go from idle (the value of the last record) to busy; 0: the state was
 * another. This is a full barrier before the next reads: a thread that
 * changes something and then finds this writer idle knows that the writer
 * will see the change.
 */
static inline int tr2_trace_writer_try(struct tr2_trace_writer *writer,
				       uint64_t idle)
{
	return __atomic_compare_exchange_n(
		&writer->state, &idle,
		(idle & ~TR2_TRACE_STATE) | TR2_TRACE_BUSY, 0, __ATOMIC_SEQ_CST,
		__ATOMIC_RELAXED);
}

/*
 * Begin a record; 0: this thread is inside one already, and one is dropped.
 * The chunk may have been taken.
 */
int tr2_trace_writer_begin(struct tr2_trace_writer *writer);

static inline void tr2_trace_writer_end(struct tr2_trace_writer *writer)
{
	tr2_trace_store(&writer->state, writer->resting);
}

/*
 * Get `words` free words of our chunk, or NULL. Write the words after the
 * header, then commit: no reader sees a record before its header is there.
 */
static inline uint64_t *tr2_trace_writer_room(struct tr2_trace_writer *writer,
					      struct tr2_trace_space *space,
					      size_t words)
{
	if (__builtin_expect(words > writer->room, 0) &&
	    !tr2_trace_writer_take(writer, space, words))
		return NULL;
	return writer->at;
}

/* SPEC: engine.commit */
static inline void tr2_trace_writer_commit(struct tr2_trace_writer *writer,
					   uint64_t header, size_t words)
{
	uint64_t *at = writer->at;

	writer->at += words;
	writer->room -= words;
	if (writer->room)
		*writer->at = fxt_filler(writer->room);
	tr2_trace_store(at, header);
}

#endif
