/*
 * engine.h - starts and stops the trace engine of a process.
 *
 * A program that only wants to be traced includes <trace/event.h> and
 * creates a trace provider (<trace-provider/provider.h>). This header is for
 * the provider itself and for programs with a handler of their own:
 *
 *	static struct trace_handler handler = { &ops };
 *
 *	trace_start_engine(&handler, TRACE_BUFFERING_MODE_CIRCULAR, buffer,
 *			   size);
 *	...
 *	trace_stop_engine(0);
 *
 * A process has one engine. It writes records to a buffer (<trace/buffer.h>)
 * that the caller owns: memory from malloc, mmap or a memfd.
 *
 *	         initialize          start
 *	(none) ---------------> stopped ------> started
 *	       <---------------         <------
 *	         terminate            stop
 *
 * Any thread may make the calls along the arrows; they wait for each other.
 * The functions of a handler must not make them. Any thread may write
 * records at any time, also in a signal handler. (If the handler interrupted
 * a call that writes a record, its own record is dropped and counted.) The
 * calls that write records do nothing unless the engine is started.
 *
 * Writing a record takes no lock, makes no system call and allocates
 * nothing. The first record of a thread is the exception: it allocates the
 * thread's state and asks for its name and number. No call that writes a
 * record waits; a record that finds no room is dropped and counted. errno is
 * kept. Timestamps are nanoseconds of CLOCK_MONOTONIC, computed from the
 * counter of the CPU where that runs at a constant rate.
 *
 * After a fork the engine is off and uninitialized in the child. The child
 * does not touch its parent's buffer.
 * SPEC: chapter engine.*
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

/* What a start does with the records that are already in the buffer. */
enum trace_start_mode {
	TRACE_START_CLEAR_ENTIRE_BUFFER,     /* discards all of them */
	TRACE_START_CLEAR_NONDURABLE_BUFFER, /* keeps the durable ones */
	TRACE_START_RETAIN_BUFFER,	     /* keeps all and appends to them */
};

struct trace_handler;

/*
 * The functions of a handler; NULL for those that it does not need. Unless a
 * function says otherwise, any thread may call it, and several may at once.
 * A thread that is writing a record calls is_category_enabled, grow and
 * send_alert, so these must be quick and must not write records.
 */
struct trace_handler_ops {
	/*
	 * Is the category of that exact name enabled? The engine asks once
	 * for each trace point. NULL: every category is enabled.
	 */
	bool (*is_category_enabled)(struct trace_handler *handler,
				    const char *category);

	/* Called by trace_engine_start(), when records can be written. */
	void (*trace_started)(struct trace_handler *handler);

	/*
	 * Called by trace_engine_stop(), after the last record. The
	 * disposition is the argument of that call; ENOSPC if the argument
	 * was 0 and records were dropped; ETIMEDOUT if a thread is still
	 * writing a record, and then the buffer must stay mapped. The number
	 * of bytes is that of all parts, with the header.
	 */
	void (*trace_stopped)(struct trace_handler *handler, int disposition,
			      size_t buffer_bytes_written);

	/* The engine does not use the handler and the buffer any more. */
	void (*trace_terminated)(struct trace_handler *handler);

	/*
	 * Streaming only; called by trace_engine_service(). The rolling part
	 * `wrapped_count & 1` is full and nobody writes to it. The durable
	 * records that it needs end at durable_data_end (bytes). The next
	 * call comes after trace_engine_mark_buffer_saved().
	 */
	void (*notify_buffer_full)(struct trace_handler *handler,
				   uint32_t wrapped_count,
				   uint64_t durable_data_end);

	/* For TRACE_ALERT: the name, at most 14 bytes and a NUL. */
	void (*send_alert)(struct trace_handler *handler, const char *name);

	/*
	 * trace_engine_initialize_file() only: the `have` bytes of space are
	 * used up. Returns how many bytes there are now, after formatting
	 * the new ones (see trace_buffer_format()); `have` if there are no
	 * more.
	 */
	size_t (*grow)(struct trace_handler *handler, size_t have);

	/*
	 * trace_engine_initialize_file with grow only: the calling thread is
	 * about to write its first record since the start.
	 */
	void (*thread_begins)(struct trace_handler *handler);

	/*
	 * The same: returns the address of the chunk that begins after `at`
	 * bytes, if the space is not in one piece. NULL: it is.
	 */
	void *(*place)(struct trace_handler *handler, size_t at);
};

struct trace_handler {
	const struct trace_handler_ops *ops;
};

/*
 * Give the engine a buffer: writable, aligned to 8 bytes, 4 KiB to 4 GiB
 * long. The buffer and the handler must stay valid until the engine calls
 * trace_terminated. Returns 0, EINVAL (buffer, size or mode), EBUSY (the
 * engine has a buffer, or a thread still writes to the last one) or ENOMEM.
 */
TRACE_API int trace_engine_initialize(struct trace_handler *handler,
				      enum trace_buffering_mode mode,
				      void *buffer, size_t size);

/*
 * The same for a mapped file that becomes a trace while the program runs, in
 * oneshot mode. The header may be anywhere. The chunks begin at `space`. They
 * have TRACE_BUFFER_CHUNK_MAX bytes, or a page if `max` is less. The first `have` bytes
 * exist and are formatted; the handler's `grow` may extend them in place, up
 * to `max` bytes. All sizes are multiples of a chunk. A reader can walk
 * [space, space + have) at every instant, so a file that has a magic number
 * and a provider information record before it is a valid trace.
 */
TRACE_API int trace_engine_initialize_file(struct trace_handler *handler,
					   struct trace_buffer_header *header,
					   void *space, size_t have,
					   size_t max);

/*
 * Start writing records. The first start always clears the buffer. Returns
 * 0, EINVAL (not initialized) or EBUSY (already started).
 */
TRACE_API int trace_engine_start(enum trace_start_mode mode);

/*
 * Stop. Waits until the records that are being written are complete, but for
 * a thread that makes no progress about a tenth of a second (see
 * trace_stopped).
 * Does nothing if the engine is stopped.
 */
TRACE_API void trace_engine_stop(int disposition);

/* Stop if necessary, and give handler and buffer back. */
TRACE_API void trace_engine_terminate(void);

/*
 * Initialize and start, clearing the whole buffer, in one call; stop and
 * terminate in one call.
 */
TRACE_API int trace_start_engine(struct trace_handler *handler,
				 enum trace_buffering_mode mode, void *buffer,
				 size_t size);
TRACE_API void trace_stop_engine(int disposition);

/*
 * In streaming mode a thread must call this repeatedly while the engine is
 * started. It closes a part that is full (it takes chunks from threads that
 * sleep) and calls notify_buffer_full. It never waits. Returns the number of
 * milliseconds until the next call is due. In the other modes it only
 * updates num_records_dropped.
 */
TRACE_API int trace_engine_service(void);

/*
 * Streaming: the part that notify_buffer_full named has been saved and can
 * be written again. Returns 0, or EINVAL if this is not the outstanding one.
 */
TRACE_API int trace_engine_mark_buffer_saved(uint32_t wrapped_count,
					     uint64_t durable_data_end);

/*
 * Streaming: switch to the other part although this one has room, so that
 * its records reach the reader. Returns 0, EAGAIN if the other part has not
 * been saved yet, or ENODATA if nothing was written.
 */
TRACE_API int trace_engine_turn(void);

/* Ask the handler about every category again. */
TRACE_API void trace_engine_renew_categories(void);

/* Records dropped since the engine was started with the buffer cleared. */
TRACE_API uint64_t trace_engine_dropped(void);

/*
 * The category of events that describe the process. It is enabled while the
 * engine is started, whatever the handler enables.
 */
#define TRACE_METADATA_CATEGORY "__metadata"

/* Is the engine started and this category enabled? Compares the text. */
TRACE_API bool trace_engine_category_enabled(const char *category);

/* The time now, in ticks, and the number of ticks in a second. */
TRACE_API uint64_t trace_ticks_now(void);
#define TRACE_TICKS_PER_SECOND UINT64_C(1000000000)

/*
 * ---- Records without macros -------------------------------------------
 *
 * For other languages, and for names that are not literals: the engine
 * compares the text of the strings, not their addresses.
 */

struct trace_event {
	enum fxt_event type;
	uint64_t time; /* ticks; 0: now */
	/*
	 * Counter, async and flow: the id. Complete duration: its end, in
	 * ticks; one before `time` is dropped. Instant: its scope, 0 to 2.
	 */
	uint64_t id;
	const char *category; /* NUL-terminated, like name */
	const char *name;
	const struct trace_arg *args;
	size_t arg_count; /* at most TRACE_MAX_ARGS */
};

/* Write one event of the calling thread, whether its category is on or not. */
TRACE_API void trace_event_write(const struct trace_event *event);

/*
 * Set the name of this process, or of the calling thread, in the trace and in
 * later ones of this process.
 */
TRACE_API void trace_name_process(const char *name);
TRACE_API void trace_name_thread(const char *name);

#ifdef __cplusplus
}
#endif

#endif
