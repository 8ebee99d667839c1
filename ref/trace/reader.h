/*
 * reader.h - libtrace-reader: reads archives of the Fuchsia trace format.
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
 * It is strict and goes on: everything that SPEC.md's chapter "The FXT
 * format" forbids is a finding, and what follows is read all the same.
 * What it does not know it passes over by its size; dead space (see
 * fxt_filler() in fxt.h) it passes over in silence.
 *
 * Records are read where they lie. Memory grows with the strings, threads
 * and providers that an archive defines and with the durations that are
 * open, not with its length. One reader belongs to one thread at a time.
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

/* What is wrong, or worth to be told. trace_reader_id() has the ids. */
enum trace_reader_problem {
	TRACE_READER_MAGIC,
	TRACE_READER_TRUNCATED,
	TRACE_READER_SIZE_ZERO,
	TRACE_READER_SHORT,
	TRACE_READER_LONG,
	TRACE_READER_RESERVED,
	TRACE_READER_LARGE,
	TRACE_READER_PADDING,
	TRACE_READER_UNKNOWN,
	TRACE_READER_STRING_INDEX,
	TRACE_READER_STRING_UNKNOWN,
	TRACE_READER_STRING_LENGTH,
	TRACE_READER_STRING_UTF8,
	TRACE_READER_THREAD_INDEX,
	TRACE_READER_THREAD_UNKNOWN,
	TRACE_READER_THREAD_ID,
	TRACE_READER_PROVIDER_FIRST,
	TRACE_READER_PROVIDER_UNKNOWN,
	TRACE_READER_PROVIDER_DROPPED,
	TRACE_READER_TICKS,
	TRACE_READER_TICKS_FIRST,
	TRACE_READER_TIME_RANGE,
	TRACE_READER_TIME_ORDER,
	TRACE_READER_BACKWARD,
	TRACE_READER_ARG_SIZE,
	TRACE_READER_SCOPE,
	TRACE_READER_SERIES,
	TRACE_READER_UNMATCHED,
	TRACE_READER_MATCH,
	TRACE_READER_OPEN,
	TRACE_READER_ASYNC_UNMATCHED,
	TRACE_READER_ASYNC_OPEN,
	TRACE_READER_FLOW_UNMATCHED,
	TRACE_READER_FLOW_OPEN,
	TRACE_READER_INLINE_THREAD,
	TRACE_READER_PROBLEMS
};

enum trace_reader_level {
	TRACE_READER_ERROR,
	TRACE_READER_WARNING,
	TRACE_READER_INFO
};

struct trace_reader_finding {
	enum trace_reader_problem problem;
	uint64_t offset;      /* of the bytes at fault, in the archive */
	size_t len;	      /* how many */
	const char *message;  /* half a sentence */
	const char *expected; /* what should be there, or NULL */
	uint64_t seen;	      /* the value that is there */
};

typedef void trace_reader_fn(void *context,
			     const struct trace_reader_finding *);

enum trace_reader_flags {
	/* Bytes of one provider: no magic, no provider info is missed. */
	TRACE_READER_FRAGMENT = 1,
	/* Say nothing of what durations, spans and flows lack. */
	TRACE_READER_UNBALANCED = 2
};

struct trace_reader_options {
	trace_reader_fn *finding; /* NULL: nobody wants to know */
	void *context;
	unsigned flags;
};

/* Bytes in the archive or in the reader, valid until the next record. */
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
 * A record. What its type does not have is zero. Nanoseconds are those of
 * its provider's ticks.
 */
struct trace_reader_record {
	enum fxt_record type;
	unsigned subtype;     /* of metadata, events, objects, ... */
	bool unknown;	      /* a type that this reader does not know */
	bool flawed;	      /* an error was found in it: take care */
	uint64_t offset;      /* in the archive */
	const uint8_t *bytes; /* all of it, `words` * 8 */
	size_t words;
	uint32_t provider; /* the current one, or the one it is about */
	uint32_t index;	   /* of a string, thread, module */
	struct trace_reader_thread thread;
	struct trace_reader_thread other; /* that is switched to */
	uint64_t ticks;			  /* its time as written */
	uint64_t time;			  /* in ns */
	uint64_t end;			  /* of a complete duration, in ns */
	uint64_t id; /* last word of an event; id of an object;
				  ticks of a second */
	unsigned cpu;
	unsigned state; /* enum fxt_thread_state */
	struct trace_reader_text category;
	struct trace_reader_text name;
	struct trace_reader_text payload; /* message, blob, build id */
	unsigned args_count;
	struct trace_reader_arg args[FXT_ARGS];
};

/* NULL where memory fails. */
TRACE_READER_API struct trace_reader *
trace_reader_new(const struct trace_reader_options *options);
TRACE_READER_API void trace_reader_free(struct trace_reader *reader);

/*
 * Give the next bytes of the archive, any number of them. They stay where
 * they are and as they are until trace_reader_next() wants more.
 */
TRACE_READER_API void trace_reader_feed(struct trace_reader *reader,
					const void *bytes, size_t len);

/*
 * The next record: 1; 0 when more bytes are needed; -1 when nothing more
 * can be read, because of a record of size 0 or for want of memory.
 */
TRACE_READER_API int trace_reader_next(struct trace_reader *reader,
				       struct trace_reader_record *record);

/* No more bytes come: say what is missing. */
TRACE_READER_API void trace_reader_end(struct trace_reader *reader);

/* The first byte that is in no record that was given or passed over. */
TRACE_READER_API uint64_t
trace_reader_offset(const struct trace_reader *reader);

/* The id of a problem in SPEC.md, and how bad it is. */
TRACE_READER_API const char *trace_reader_id(enum trace_reader_problem problem);
TRACE_READER_API enum trace_reader_level
trace_reader_level(enum trace_reader_problem problem);

#ifdef __cplusplus
}
#endif

#endif
