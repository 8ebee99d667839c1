/*
 * reader.h - the trace reader: reads archives of the Fuchsia trace format
 * (FXT), record by record. Fuchsia calls this library libtrace-reader.
 *
 *	struct trace_reader *reader = trace_reader_new(&options);
 *
 *	while ((len = read(fd, bytes, sizeof(bytes))) > 0) {
 *		trace_reader_feed(reader, bytes, len);
 *		while (trace_reader_next(reader, &record) > 0)
 *			use(&record);
 *	}
 *	trace_reader_end(reader);
 *	trace_reader_free(reader);
 *
 * The reader is strict, but it does not stop. It reports everything that
 * TRACING.md's chapter "The FXT format" forbids as a finding and then reads on.
 * It skips records of unknown types by their size. It skips fillers without
 * a finding (see fxt_filler() in fxt.h).
 *
 * The reader does not copy records. Its memory grows with the strings,
 * threads and providers that an archive defines and with the durations that
 * are open, not with the length of the archive.
 *
 * Threads: one thread at a time may use a reader; several threads may use a
 * reader each. No function prints, blocks or changes errno on purpose.
 * SPEC: chapter fxt.*
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fxt_numbers.h"

#if defined(__GNUC__)
#define TRACE_READER_API __attribute__((visibility("default")))
#else
#define TRACE_READER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct trace_reader;

/*
 * The problems, with the id of the statement in TRACING.md and its level.
 * trace_reader_id() and trace_reader_level() return both.
 */
enum trace_reader_problem {
	/*
	 * fxt.magic (error):
	 * The archive does not begin with the magic number record.
	 */
	TRACE_READER_MAGIC,
	/*
	 * fxt.truncated (error):
	 * The archive ends inside a record.
	 */
	TRACE_READER_TRUNCATED,
	/*
	 * fxt.record.zero (error):
	 * A record has the size 0, so reading stops there.
	 */
	TRACE_READER_SIZE_ZERO,
	/*
	 * fxt.record.short (error):
	 * The fields of a record need more words than its size says.
	 */
	TRACE_READER_SHORT,
	/*
	 * fxt.record.long (error):
	 * A record has words after its last field.
	 */
	TRACE_READER_LONG,
	/*
	 * fxt.record.reserved (error):
	 * Reserved bits are not 0.
	 */
	TRACE_READER_RESERVED,
	/*
	 * fxt.record.large (warning):
	 * A record is larger than known readers accept, or than this one does.
	 */
	TRACE_READER_LARGE,
	/*
	 * fxt.padding (error):
	 * The padding after a string or blob is not 0.
	 */
	TRACE_READER_PADDING,
	/*
	 * fxt.unknown (info):
	 * A type, subtype or value that the format does not define.
	 */
	TRACE_READER_UNKNOWN,
	/*
	 * fxt.string.index (error):
	 * A string record defines index 0.
	 */
	TRACE_READER_STRING_INDEX,
	/*
	 * fxt.string.unknown (error):
	 * A record refers to a string that no record before it defined.
	 */
	TRACE_READER_STRING_UNKNOWN,
	/*
	 * fxt.string.length (error):
	 * A string is longer than 32,000 bytes.
	 */
	TRACE_READER_STRING_LENGTH,
	/*
	 * fxt.string.utf8 (error):
	 * A string is not UTF-8.
	 */
	TRACE_READER_STRING_UTF8,
	/*
	 * fxt.thread.index (error):
	 * A thread record defines index 0.
	 */
	TRACE_READER_THREAD_INDEX,
	/*
	 * fxt.thread.unknown (error):
	 * A record refers to a thread that no record before it defined.
	 */
	TRACE_READER_THREAD_UNKNOWN,
	/*
	 * fxt.thread.id (warning):
	 * A process or thread id needs more than 32 bits.
	 */
	TRACE_READER_THREAD_ID,
	/*
	 * fxt.provider.first (warning):
	 * A record stands before the first provider information.
	 */
	TRACE_READER_PROVIDER_FIRST,
	/*
	 * fxt.provider.unknown (error):
	 * A section or event names a provider that was not announced.
	 */
	TRACE_READER_PROVIDER_UNKNOWN,
	/*
	 * fxt.provider.dropped (info):
	 * A provider reports that it dropped records.
	 */
	TRACE_READER_PROVIDER_DROPPED,
	/*
	 * fxt.initialization.ticks (error):
	 * An initialization record says that a second has 0 ticks.
	 */
	TRACE_READER_TICKS,
	/*
	 * fxt.initialization.first (warning):
	 * A time stands before its provider's initialization record.
	 */
	TRACE_READER_TICKS_FIRST,
	/*
	 * fxt.time.range (error):
	 * A time is 2^63 ns or more.
	 */
	TRACE_READER_TIME_RANGE,
	/*
	 * fxt.time.order (warning):
	 * A time is earlier than the one before it on the same thread.
	 */
	TRACE_READER_TIME_ORDER,
	/*
	 * fxt.duration.backward (error):
	 * A complete duration ends before it begins.
	 */
	TRACE_READER_BACKWARD,
	/*
	 * fxt.arg.size (error):
	 * The size of an argument does not fit its name and value.
	 */
	TRACE_READER_ARG_SIZE,
	/*
	 * fxt.event.scope (warning):
	 * An instant has a word after its arguments that is not 1 or 2: its
	 * scope, if that is more than its thread.
	 */
	TRACE_READER_SCOPE,
	/*
	 * fxt.counter.series (error):
	 * A counter has no argument, or one that is not a number.
	 */
	TRACE_READER_SERIES,
	/*
	 * fxt.duration.unmatched (warning):
	 * A duration ends that did not begin.
	 */
	TRACE_READER_UNMATCHED,
	/*
	 * fxt.duration.match (warning):
	 * A duration ends under another category or name than it began.
	 */
	TRACE_READER_MATCH,
	/*
	 * fxt.duration.open (info):
	 * A duration never ends.
	 */
	TRACE_READER_OPEN,
	/*
	 * fxt.async.unmatched (warning):
	 * An async step or end has no begin.
	 */
	TRACE_READER_ASYNC_UNMATCHED,
	/*
	 * fxt.async.open (info):
	 * An async span never ends.
	 */
	TRACE_READER_ASYNC_OPEN,
	/*
	 * fxt.flow.unmatched (warning):
	 * A flow step or end has no begin.
	 */
	TRACE_READER_FLOW_UNMATCHED,
	/*
	 * fxt.flow.open (info):
	 * A flow never ends.
	 */
	TRACE_READER_FLOW_OPEN,
	/*
	 * fxt.object.inline-thread (warning):
	 * A kernel object record refers to its process as an inline thread.
	 */
	TRACE_READER_INLINE_THREAD,

	TRACE_READER_PROBLEMS /* how many there are */
};

enum trace_reader_level {
	TRACE_READER_ERROR,
	TRACE_READER_WARNING,
	TRACE_READER_INFO
};

/* One finding. It is valid during the call that reports it. */
struct trace_reader_finding {
	enum trace_reader_problem problem;
	uint64_t offset;      /* bytes from the start of the archive */
	size_t len;	      /* bytes at fault */
	const char *message;  /* what was found; static */
	const char *expected; /* what was expected, or NULL; static */
	uint64_t seen;	      /* the value that was found */
};

/* Receives each finding, on the thread that called the reader. */
typedef void trace_reader_fn(void *context,
			     const struct trace_reader_finding *);

enum trace_reader_flags {
	/* The bytes of one provider: expect no magic, no provider info. */
	TRACE_READER_FRAGMENT = 1,
	/* Do not report durations, spans and flows without begin or end. */
	TRACE_READER_UNBALANCED = 2
};

struct trace_reader_options {
	trace_reader_fn *finding; /* NULL: findings are not reported */
	void *context;		  /* passed to `finding` */
	unsigned flags;		  /* of enum trace_reader_flags */
};

/* Text of a record, without a NUL. It is valid until the next record. */
struct trace_reader_text {
	const char *bytes;
	size_t len;
};

struct trace_reader_thread {
	uint64_t process;
	uint64_t thread;
};

struct trace_reader_arg {
	enum fxt_arg type;
	struct trace_reader_text name;
	struct trace_reader_text text; /* of a string or blob */
	union {
		int64_t integer; /* of both signed types */
		uint64_t word;	 /* unsigned, pointer, id, bool: 0 or 1 */
		double number;
	} value;
};

/*
 * A record. Fields that its type does not have are zero. Times in ns are
 * computed from the ticks of its provider.
 */
struct trace_reader_record {
	enum fxt_record type;
	unsigned subtype;     /* of metadata, events, objects, ... */
	bool unknown;	      /* the reader does not know its type */
	bool flawed;	      /* an error was found: fields may be wrong */
	uint64_t offset;      /* in the archive */
	const uint8_t *bytes; /* the whole record */
	size_t words;	      /* its length in words of 8 bytes */
	uint32_t provider;    /* the current one, or the one it defines */
	uint32_t index;	      /* of a string, thread, module */
	struct trace_reader_thread thread;
	struct trace_reader_thread other; /* of a context switch: the next */
	uint64_t ticks;			  /* its time as it was written */
	uint64_t time;			  /* in ns */
	uint64_t end;			  /* of a complete duration, in ns */
	/*
	 * Of a counter, span, flow or object; of an instant: its scope, enum
	 * fxt_scope; of an initialization: the ticks a second.
	 */
	uint64_t id;
	unsigned cpu;
	unsigned state; /* enum fxt_thread_state */
	struct trace_reader_text category;
	struct trace_reader_text name;
	struct trace_reader_text payload; /* message, blob, build id */
	unsigned args_count;
	struct trace_reader_arg args[FXT_ARGS];
};

/* Make a reader. Returns NULL if there is no memory. */
TRACE_READER_API struct trace_reader *
trace_reader_new(const struct trace_reader_options *options);
/* Free the reader. NULL is allowed. */
TRACE_READER_API void trace_reader_free(struct trace_reader *reader);

/*
 * Hand over the next bytes of the archive, as many as you like. Do not free
 * or change them until trace_reader_next() returns 0.
 */
TRACE_READER_API void trace_reader_feed(struct trace_reader *reader,
					const void *bytes, size_t len);

/*
 * Read the next record. Returns 1 with a record, 0 if more bytes are needed,
 * and -1 if reading cannot go on: after a record of size 0, or without
 * memory.
 */
TRACE_READER_API int trace_reader_next(struct trace_reader *reader,
				       struct trace_reader_record *record);

/* Call this after the last bytes: it reports what is missing. */
TRACE_READER_API void trace_reader_end(struct trace_reader *reader);

/* The offset of the first byte after the records that were read so far. */
TRACE_READER_API uint64_t
trace_reader_offset(const struct trace_reader *reader);

/* The id of the problem in TRACING.md, and its level. */
TRACE_READER_API const char *trace_reader_id(enum trace_reader_problem problem);
TRACE_READER_API enum trace_reader_level
trace_reader_level(enum trace_reader_problem problem);

#ifdef __cplusplus
}
#endif

#endif
