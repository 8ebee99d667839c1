/*
 * session.h - the engine of this process, and how a record begins and ends.
 *
 *	writer = tr2_trace_begin();
 *	if (!writer)
 *		return;
 *	... room, words, commit; tr2_trace_drop() if there is no room ...
 *	tr2_trace_end(writer);
 */
#ifndef TRACE_SESSION_H
#define TRACE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "event_internal.h"
#include "space.h"
#include "strings.h"
#include "writer.h"

/*
 * Written by engine.c while no writer is inside a record, but for what is
 * marked atomic.
 */
struct tr2_trace_session {
	struct tr2_trace_space space;
	struct tr2_trace_strings *strings;
	struct trace_handler *handler; /* atomic; NULL: not initialized */
	uint32_t generation;	 /* of the tables: counts their clearings */
	uint32_t threads;	 /* atomic: indices that threads have got */
	uint64_t lost;		 /* atomic: drops of threads without a writer */
	uint64_t dropped_before; /* drops of earlier sessions */
};

extern struct tr2_trace_session tr2_trace;

/* NULL if a stop did not wait for us any longer. */
static inline struct trace_handler *tr2_trace_handler(void)
{
	return __atomic_load_n(&tr2_trace.handler, __ATOMIC_ACQUIRE);
}

/* The rest of tr2_trace_begin(), with our writer if that is busy yet. */
struct tr2_trace_writer *tr2_trace_begin_slowly(struct tr2_trace_writer *busy);

/* Of a busy writer: nothing has changed, and its chunk can be used. */
static inline int tr2_trace_is_current(const struct tr2_trace_writer *writer)
{
	uint64_t place;

	if (writer->epoch !=
	    __atomic_load_n(&trace_internal_epoch, __ATOMIC_SEQ_CST))
		return 0;
	place = __atomic_load_n(&tr2_trace.space.place, __ATOMIC_RELAXED);
	/* FULL makes it a large number. */
	return writer->chunk.wrapped + 1 >= (place >> 32 & 0x7fffffff);
}

/*
 * A writer that is busy with us, or NULL: not started, or no writer to be
 * had (then one record is dropped). A chunk from two passes ago is left.
 */
static inline struct tr2_trace_writer *tr2_trace_begin(void)
{
	struct tr2_trace_writer *writer = tr2_trace_self;

	if (__builtin_expect(writer && tr2_trace_writer_try(writer,
							    writer->resting),
			     1)) {
		if (__builtin_expect(tr2_trace_is_current(writer), 1))
			return writer;
		return tr2_trace_begin_slowly(writer);
	}
	return tr2_trace_begin_slowly(NULL);
}

static inline void tr2_trace_end(struct tr2_trace_writer *writer)
{
	tr2_trace_writer_end(writer);
}

/* The record finds no room. */
void tr2_trace_drop(struct tr2_trace_writer *writer);

/*
 * The space is gone: drop all records from now on, and count those that
 * threads are inside of now, and `more`. Async-signal-safe.
 */
void tr2_trace_abandon(int more);

/* All drops of the session. */
uint64_t tr2_trace_dropped(void);

/*
 * Room for a record that is not to be overwritten: in the durable part, or
 * where there is none in the writer's own chunk. NULL if there is none.
 */
uint64_t *tr2_trace_lasting_room(struct tr2_trace_writer *writer, size_t words);
void tr2_trace_lasting_commit(struct tr2_trace_writer *writer, uint64_t *at,
			      uint64_t header, size_t words);

/*
 * How a record refers to a string. 0: its definition finds no room. By what
 * it holds; and by the address of a literal.
 */
int tr2_trace_text(struct tr2_trace_writer *writer, const char *bytes,
		   size_t len, struct fxt_text *text);
int tr2_trace_new_literal(struct tr2_trace_writer *writer, const char *literal,
			  struct fxt_text *text);

/* Of an address. The high bits are the good ones. */
static inline uint64_t tr2_trace_hash(const char *string)
{
	return (uint64_t)(uintptr_t)string * UINT64_C(0x9e3779b97f4a7c15);
}

static inline size_t tr2_trace_cache_slot(const char *literal)
{
	return (size_t)(tr2_trace_hash(literal) /
			(UINT64_MAX / TR2_TRACE_CACHE + 1));
}

static inline size_t tr2_trace_known_slot(const char *string)
{
	return (size_t)(tr2_trace_hash(string) /
			(UINT64_MAX / TR2_TRACE_KNOWN + 1));
}

/*
 * What a slot holds: 48 bits of the address, 16 of the string's index. A
 * processor with 57 bits has addresses that find no room: nothing, then.
 */
static inline uint64_t tr2_trace_cached(uint64_t address, uint16_t index)
{
	return address >> 48 ? 0 : address << 16 | index;
}

static inline int tr2_trace_literal(struct tr2_trace_writer *writer,
				    const char *literal, struct fxt_text *text)
{
	uint64_t cached = writer->cache[tr2_trace_cache_slot(literal)];

	if (__builtin_expect(cached >> 16 != (uintptr_t)literal, 0))
		return tr2_trace_new_literal(writer, literal, text);
	*text = fxt_index((uint16_t)cached);
	return 1;
}

/* At most `most` bytes, and no character cut in two. */
size_t tr2_trace_cut(const char *bytes, size_t len, size_t most);

/* Name a process or a thread: one kernel object record. 0: no room. */
int tr2_trace_name_object(struct tr2_trace_writer *writer, enum fxt_object type,
			  uint64_t koid, const char *name,
			  const struct trace_arg *args, size_t count);

/* The name that the system has for a process or thread, in `stat`. */
const char *tr2_trace_system_name(uint64_t koid, char *stat, size_t size);

#endif
