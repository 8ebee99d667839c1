/*
 * session.h - the engine of this process, and how a record begins and ends.
 *
 *	writer = tr2_trace_begin();
 *	if (!writer)
 *		return;
 *	... room, words, commit; tr2_trace_drop() if there is no room ...
 *	tr2_trace_end(writer);
 */
#ifndef TR2_TRACE_ENGINE_SESSION_H
#define TR2_TRACE_ENGINE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "trace/engine.h"
#include "trace/event_internal.h"
#include "trace/engine/space.h"
#include "trace/engine/strings.h"
#include "trace/engine/writer.h"

/*
 * engine.c writes these members while no writer is inside a record; those
 * that are marked atomic may change at any time.
 */
struct tr2_trace_session {
	struct tr2_trace_space space;
	struct tr2_trace_strings *strings;
	struct trace_handler *handler; /* atomic; NULL: not initialized */
	uint32_t generation;	 /* counts how often the tables were cleared */
	uint32_t threads;	 /* atomic: number of thread indices in use */
	uint64_t lost;		 /* atomic: drops of threads without a writer */
	uint64_t early;		 /* atomic: lost before the next session */
	uint64_t dropped_before; /* drops of earlier sessions */
	int (*awaited)(void);	 /* atomic; see tr2_trace_await() */
	int (*yield)(void);	 /* atomic; see tr2_trace_set_yield() */
	int is_waiting; /* atomic: trace points ask, but there is no engine */
	uint32_t waiting_epoch; /* the one that made them ask */
	int beginners;		/* atomic: threads that call `awaited` */
	uint32_t sites; /* atomic: number of sites that asked a first time */
};

extern struct tr2_trace_session tr2_trace;

/* NULL if a stop no longer waits for us. */
static inline struct trace_handler *tr2_trace_handler(void)
{
	return __atomic_load_n(&tr2_trace.handler, __ATOMIC_ACQUIRE);
}

/* The rest of tr2_trace_begin(); `writer` is ours if it is already busy. */
struct tr2_trace_writer *tr2_trace_begin_slowly(struct tr2_trace_writer *busy);

/*
 * Does the cache know all that is at its addresses? A new site may be that of
 * a plugin, whose literals are where those of an unloaded one were.
 */
static inline int
tr2_trace_knows_literals(const struct tr2_trace_writer *writer)
{
	return writer->sites ==
	       __atomic_load_n(&tr2_trace.sites, __ATOMIC_RELAXED);
}

/* The writer is busy. Has nothing changed, and can it use its chunk? */
static inline int tr2_trace_is_current(const struct tr2_trace_writer *writer)
{
	uint64_t place;

	if (writer->epoch !=
		    __atomic_load_n(&trace_internal_epoch, __ATOMIC_SEQ_CST) ||
	    !tr2_trace_knows_literals(writer))
		return 0;
	place = __atomic_load_n(&tr2_trace.space.place, __ATOMIC_RELAXED);
	/* FULL makes this a large number. */
	return writer->chunk.wrapped + 1 >= (place >> 32 & 0x7fffffff);
}

/*
 * Returns this thread's writer, now busy, or NULL: the engine is not started,
 * or no writer is available (then one record is dropped). If the chunk is
 * from two passes ago, the writer gives it up.
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

/*
 * From now on the first event calls `begin`, which returns 1, or 0 if it
 * could not do its work now: then the next event calls it again. It is not
 * called where the thread may be in a signal handler. Without a handler, the
 * engine is off, but trace points ask for it: `begin` may start it. NULL:
 * nothing is awaited any more. Takes no lock.
 */
void tr2_trace_await(int (*begin)(void));

/* Do now what the first event would do. */
void tr2_trace_awake(void);

/* The same for an event, of a thread that is inside no record. */
void tr2_trace_awake_for_event(void);

/* Does another thread do it now? */
int tr2_trace_is_beginning(void);

/*
 * Who has the engine gives it up to the agent by `yield`, which returns 1, or
 * 0 if it can't. NULL: it does not.
 */
static inline void tr2_trace_set_yield(int (*yield)(void))
{
	__atomic_store_n(&tr2_trace.yield, yield, __ATOMIC_RELEASE);
}

static inline int tr2_trace_yield(void)
{
	int (*yield)(void) =
		__atomic_load_n(&tr2_trace.yield, __ATOMIC_ACQUIRE);

	return yield && yield();
}

/*
 * The process ends in a handler that may have interrupted a record of this
 * thread, which is then dropped and counted: 1 if there was one. Nobody waits
 * for it, so that the trace still ends whole. Async-signal-safe.
 */
int tr2_trace_leave_record(void);

/* The unit of its times and the name of its process. */
void tr2_trace_put_first_records(void);

/*
 * Is the engine off, and trace points only ask? Another copy of the library in
 * this process may have changed the epoch since.
 */
static inline int tr2_trace_only_waits(void)
{
	return __atomic_load_n(&tr2_trace.is_waiting, __ATOMIC_ACQUIRE);
}

static inline void tr2_trace_set_waiting(int is_waiting)
{
	__atomic_store_n(&tr2_trace.is_waiting, is_waiting, __ATOMIC_RELEASE);
}

static inline int tr2_trace_is_awaited(void)
{
	return __atomic_load_n(&tr2_trace.awaited, __ATOMIC_RELAXED) != NULL;
}

/* Begin an epoch: every site forgets what it remembered. */
void tr2_trace_begin_epoch(uint32_t started);

/* Count a record that found no room. */
void tr2_trace_drop(struct tr2_trace_writer *writer);

/*
 * The space is gone. Drop all records from now on; count those that threads
 * are writing now, and `more`. Async-signal-safe.
 */
void tr2_trace_abandon(int more);

/* Returns all drops of the session. */
uint64_t tr2_trace_dropped(void);

/*
 * Returns how many chunks of that pass over the buffer threads got so far.
 * Any thread may call it.
 */
size_t tr2_trace_count_chunks(uint32_t pass);

/*
 * Write this number to the buffer's header if tracing is on. Any thread may
 * call it. SPEC: engine.dropped.header
 */
void tr2_trace_tell_drops(void);

/*
 * Get room for a record that must not be overwritten: in the durable part, or
 * in the writer's own chunk if there is no durable part. NULL: no room.
 */
uint64_t *tr2_trace_lasting_room(struct tr2_trace_writer *writer, size_t words);
void tr2_trace_lasting_commit(struct tr2_trace_writer *writer, uint64_t *at,
			      uint64_t header, size_t words);

/*
 * Texts and names last, but a program may have them without end. What comes
 * when half of the durable part is taken is written where it is used, so that
 * there is always room for what a record can't do without. 1: it lasts.
 * SPEC: engine.durable
 */
int tr2_trace_may_last(size_t words);

/*
 * Get a record's reference to a string. 0: no room for its definition. The
 * first function compares contents; the second one looks up the address of a
 * literal.
 */
int tr2_trace_text(struct tr2_trace_writer *writer, const char *bytes,
		   size_t len, struct fxt_text *text);
int tr2_trace_new_literal(struct tr2_trace_writer *writer, const char *literal,
			  struct fxt_text *text);

/* Hash an address. The high bits of the hash are the good ones. */
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
 * A slot of the cache: 48 bits of the address, 16 of the string's index. With
 * 57-bit addresses some do not fit: their slot stays empty.
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

/* Cut to at most `most` bytes, without splitting a character. */
size_t tr2_trace_cut(const char *bytes, size_t len, size_t most);

/* Name a process or a thread by one kernel object record. 0: no room. */
int tr2_trace_name_object(struct tr2_trace_writer *writer, enum fxt_object type,
			  uint64_t koid, const char *name,
			  const struct trace_arg *args, size_t count);

/* Find the system's name of a process or thread in `stat`. */
const char *tr2_trace_system_name(uint64_t koid, char *stat, size_t size);

/*
 * Register what a forked child of this process does, now rather than with the
 * first initialization: handlers of fork(2) run in the order in which they
 * were registered.
 */
void tr2_trace_watch_forks(void);

#endif
