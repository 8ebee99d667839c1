/*
 * engine.h - switching the trace engine of a process on and off.
 *
 * A program that only wants to be traced includes <trace/event.h> and
 * creates a trace provider (<trace-provider/provider.h>). This header is
 * for what stands behind: the provider, and programs with a handler of
 * their own:
 *
 *	static struct trace_handler handler = { &ops };
 *
 *	trace_start_engine(&handler, TRACE_BUFFERING_MODE_CIRCULAR, buffer,
 *			   size);
 *	...
 *	trace_stop_engine(0);
 *
 * There is one engine in a process. It writes records to a buffer
 * (<trace/buffer.h>) that its caller owns: from malloc, mmap, a memfd.
 *
 *	         initialize          start
 *	(none) ---------------> stopped ------> started
 *	       <---------------         <------
 *	         terminate            stop
 *
 * The calls that move along the arrows may come from any thread; they wait
 * for each other. A handler's functions must not make them. The calls that
 * write records are for any thread at any time, signal handlers included
 * (what a handler writes while its own thread is inside one of them is
 * dropped and counted), and do nothing but while the engine is started.
 *
 * The path of a record has no lock, no system call and no allocation, but
 * for the first record of a thread: that one allocates what the thread
 * needs, once, and asks for the thread's name and number. Nothing that
 * writes a record ever waits; what finds no room is dropped and counted.
 * errno is kept. Timestamps are CLOCK_MONOTONIC in nanoseconds, read from
 * the CPU's counter where that runs evenly.
 *
 * fork: the engine is off and uninitialized in the child, whatever it was
 * in the parent, and the parent's buffer is left alone.
 */
#ifndef TRACE_ENGINE_H
#define TRACE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "event_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a start does with the records that are in the buffer. */
enum trace_start_mode {
	TRACE_START_CLEAR_ENTIRE_BUFFER,     /* forgets them */
	TRACE_START_CLEAR_NONDURABLE_BUFFER, /* keeps the durable ones */
	TRACE_START_RETAIN_BUFFER, /* keeps them all and goes on behind */
};

struct trace_handler;

/*
 * What the engine asks its handler. NULL for one that it does not need.
 * Any may be called from any thread, unless it says otherwise, and from
 * several at once; only is_category_enabled, grow and send_alert from a
 * thread that is about to write a record.
 */
struct trace_handler_ops {
	/* NULL: every category is on. Exact names; asked once per site. */
	bool (*is_category_enabled)(struct trace_handler *handler,
				    const char *category);

	/* On the thread that called trace_engine_start, records flowing. */
	void (*trace_started)(struct trace_handler *handler);

	/*
	 * On the thread that called trace_engine_stop, all records written.
	 * `disposition` is what that was given, ENOSPC where it was 0 and
	 * records were dropped, ETIMEDOUT where a thread is still inside
	 * a record: the buffer has to stay where it is then. The bytes
	 * count all three parts, header included.
	 */
	void (*trace_stopped)(struct trace_handler *handler, int disposition,
			      size_t buffer_bytes_written);

	/* The engine has let go of handler and buffer. */
	void (*trace_terminated)(struct trace_handler *handler);

	/*
	 * Streaming only, on the thread that called trace_engine_service:
	 * part `wrapped_count & 1` is full and at rest, the records that it
	 * needs are in the durable part up to durable_data_end. The next
	 * call comes after trace_engine_mark_buffer_saved.
	 */
	void (*notify_buffer_full)(struct trace_handler *handler,
				   uint32_t wrapped_count,
				   uint64_t durable_data_end);

	/* TRACE_ALERT. At most 14 bytes and a NUL. */
	void (*send_alert)(struct trace_handler *handler, const char *name);

	/*
	 * trace_engine_initialize_file only: the space of `have` bytes is
	 * used up. Returns how much there is now, the new part formatted
	 * (see trace_buffer_format); `have` if there is no more.
	 */
	size_t (*grow)(struct trace_handler *handler, size_t have);

	/*
	 * trace_engine_initialize_file with grow only: the calling thread is
	 * about to write its first record since the start.
	 */
	void (*thread_begins)(struct trace_handler *handler);
};

struct trace_handler {
	const struct trace_handler_ops *ops;
};

/*
 * Give the engine a buffer: 8-aligned, writable, of 4 KiB to 4 GiB, to stay
 * until the handler has heard trace_terminated. 0, or EINVAL (buffer, size
 * or mode), EBUSY (there is one, or a thread still writes to the last one),
 * ENOMEM.
 */
TRACE_API int trace_engine_initialize(struct trace_handler *handler,
				      enum trace_buffering_mode mode,
				      void *buffer, size_t size);

/*
 * The same for a file in the making: oneshot, the header anywhere, and
 * chunks of TRACE_BUFFER_CHUNK_MAX bytes straight from `space` on. `have`
 * bytes are there and formatted; the handler's `grow` may add to them up to
 * `max`, in place. Sizes are multiples of a chunk. All that is in
 * [space, space + have) is walkable at every instant, and a file that has
 * a magic and a provider information record ahead of it is a trace.
 */
TRACE_API int trace_engine_initialize_file(struct trace_handler *handler,
					   struct trace_buffer_header *header,
					   void *space, size_t have,
					   size_t max);

/*
 * 0, or EINVAL (nothing initialized), EBUSY (started already). A first
 * start clears the buffer whatever its mode.
 */
TRACE_API int trace_engine_start(enum trace_start_mode mode);

/*
 * Records that are being written are completed; a thread that does not get
 * on for a second is left behind (see trace_stopped). Without an effect
 * while stopped.
 */
TRACE_API void trace_engine_stop(int disposition);

/* Stops first if it has to. */
TRACE_API void trace_engine_terminate(void);

/* initialize and start (clear all) in one; stop and terminate in one. */
TRACE_API int trace_start_engine(struct trace_handler *handler,
				 enum trace_buffering_mode mode, void *buffer,
				 size_t size);
TRACE_API void trace_stop_engine(int disposition);

/*
 * Streaming needs a thread that calls this, again and again, as long as the
 * engine is started: a part that is full is brought to rest here (a chunk
 * whose owner sleeps is taken from it) and notify_buffer_full called.
 * Returns within how many milliseconds to call it next; never waits.
 * In the other modes it only brings num_records_dropped up to date.
 */
TRACE_API int trace_engine_service(void);

/*
 * Streaming: what notify_buffer_full named is saved, and its part free
 * again. 0, or EINVAL if it is not the one outstanding.
 */
TRACE_API int trace_engine_mark_buffer_saved(uint32_t wrapped_count,
					     uint64_t durable_data_end);

/*
 * Streaming: go on to the other part though this one has room, so that what
 * is written gets to its reader. 0; EAGAIN while the other part is not
 * saved; ENODATA where nothing was written.
 */
TRACE_API int trace_engine_turn(void);

/* The handler says something else of categories now: ask it again. */
TRACE_API void trace_engine_renew_categories(void);

/* Records dropped since the engine was started with the buffer cleared. */
TRACE_API uint64_t trace_engine_dropped(void);

/* Is the engine started, and is this category on? By content. */
TRACE_API bool trace_engine_category_enabled(const char *category);

/* Timestamps: now, and how many make a second. */
TRACE_API uint64_t trace_ticks_now(void);
#define TRACE_TICKS_PER_SECOND UINT64_C(1000000000)

/*
 * ---- Records without macros -------------------------------------------
 *
 * For other languages, and for names that are not literals: strings go to
 * the string table by what they hold, not by where they are.
 */

struct trace_event {
	enum fxt_event type;
	uint64_t time; /* ticks; 0: now */
	/* Counter, async and flow: the id. Duration complete: its end. */
	uint64_t id;
	const char *category; /* NUL-terminated, like name */
	const char *name;
	const struct trace_arg *args; /* their names too by content */
	size_t arg_count;	      /* at most TRACE_MAX_ARGS */
};

/* Write one event on the calling thread. Categories are not looked at. */
TRACE_API void trace_event_write(const struct trace_event *event);

/* Name this process, or the calling thread, in the trace. */
TRACE_API void trace_name_process(const char *name);
TRACE_API void trace_name_thread(const char *name);

#ifdef __cplusplus
}
#endif

#endif
