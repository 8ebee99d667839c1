/*
 * writer.h - what a thread needs to write records, and the list of all.
 *
 * `state` is the one word that others than the owner touch. The owner goes
 * from idle to busy by compare-and-swap and back by a plain store; others
 * may take the chunk of an idle writer, by compare-and-swap to "none". So
 * who finds a writer idle can take its chunk there and then, and nobody
 * writes to a chunk that was taken.
 *
 *	bits 0, 1	none (no chunk), idle, busy
 *	bit 2		busy, and about to get a chunk: of which pass, not
 *			which one, is in the bits behind
 *	bits 3..34	the chunk: index << 1 | part; or the wrapped count
 *			before
 *	bits 35..63	counts up, so that no value comes twice
 *
 * A writer is never freed. When its thread ends it waits, with what is left
 * of its chunk, for a thread that begins.
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

#define TR2_TRACE_CACHE 256
#define TR2_TRACE_KNOWN 64

/* A string that was looked up by what it holds. */
struct tr2_trace_known {
	const char *address; /* where it was; something else may be there now */
	const char *text;    /* the table's copy */
	uint16_t ref;
};

struct tr2_trace_writer {
	uint64_t state;
	uint64_t resting; /* what state is between records */
	uint64_t *at;	  /* where the filler of our chunk is */
	size_t room;	  /* words from there */
	struct tr2_trace_chunk chunk;
	uint32_t epoch; /* of the start that what is below was for */
	uint32_t generation;
	struct tr2_trace_clock clock;
	struct fxt_thread_ref thread;
	uint64_t dropped;	       /* atomic */
	struct tr2_trace_writer *next; /* in the list of all; never changes */
	int in_use;		       /* atomic */
	char name[16];
	/* Literals that were looked up: address << 16 | reference. */
	uint64_t cache[TR2_TRACE_CACHE];
	struct tr2_trace_known known[TR2_TRACE_KNOWN];
	/* Oneshot: the strings that our chunks have had, by index. */
	uint64_t had[(FXT_STRINGS + 1) / 64];
} __attribute__((aligned(64)));

/* This thread's; NULL while it has none. */
extern __thread struct tr2_trace_writer *tr2_trace_self
	__attribute__((tls_model("initial-exec")));

/* All that there ever were, by ->next. */
struct tr2_trace_writer *tr2_trace_writer_first(void);

/* Give this thread one, or NULL. Allocates if none is free. */
struct tr2_trace_writer *tr2_trace_writer_attach(void);

/* Once in a process. 0, or -1. */
int tr2_trace_writer_start(void);

/* In a forked child: the parent's are not ours. */
void tr2_trace_writer_forget(void);

/*
 * Take the chunks of all idle writers. Returns how many are busy; 0: nobody
 * is inside a record that began before.
 */
int tr2_trace_writer_rest_all(void);

/* The same for those that have a chunk of part 0 or 1, or may have. */
int tr2_trace_writer_rest_part(uint32_t part);

/*
 * Get a chunk with `words` free. 0: there is none. Only while busy; the
 * old chunk is given up, whatever is left of it.
 */
int tr2_trace_writer_take(struct tr2_trace_writer *writer,
			  struct tr2_trace_space *space, size_t words);

/*
 * From idle, as it was left, to busy; 0: it was not. A full barrier stands
 * between this and what is read next: whoever changes something and then
 * finds this writer idle knows that it sees the change.
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
 * `words` free words of our chunk, or NULL. Write what comes behind the
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
