/*
 * writer.h - write an archive with one provider. Its strings and threads
 * are in tables, and no record is larger than known readers accept.
 */
#ifndef TR2_ARCHIVE_WRITER_H
#define TR2_ARCHIVE_WRITER_H

#include <stdbool.h>

#include "base/buf.h"
#include "lib/common/memory.h"
#include "lib/common/slots.h"
#include "lib/common/vec.h"
#include "read/json/parse.h"
#include "read/read.h"
#include "trace/engine/fxt.h"

/* A longer string is cut to this size, and three dots are added. */
#define TR2_FXT_TEXT_MAX ((size_t)30000)

/* A thread as events name it. The writer gives it an index. */
struct tr2_fxt_thread {
	uint32_t process;
	uint32_t thread;
	uint8_t index; /* may belong to another thread by now */
};

struct tr2_fxt_writer {
	struct tr2_buf *out;
	struct tr2_slots strings; /* hashes, at the place before the index */
	uint32_t threads[FXT_THREADS + 1]; /* the thread that has this index */
	uint8_t last_thread;
	unsigned long cut; /* strings and arguments that were too long */

	/* The present event; its header is the first word. */
	uint64_t words[FXT_RECORD_WORDS];
	uint64_t *at;
	unsigned args;
	enum fxt_event type;
	uint16_t category, name;
	uint8_t thread;
};

void tr2_fxt_begin(struct tr2_fxt_writer *writer, struct tr2_buf *out,
		   const char *provider);
void tr2_fxt_release(struct tr2_fxt_writer *writer);

/* UTF-8 text, without a NUL. */
struct tr2_fxt_text {
	const char *bytes;
	size_t len;
};

static inline struct tr2_fxt_text tr2_fxt_text(const char *text)
{
	struct tr2_fxt_text made = { text, strlen(text) };

	return made;
}

/* The allocations of a text are checked here, once, not after each append. */
static inline struct tr2_fxt_text tr2_fxt_text_of(const struct tr2_buf *buf)
{
	struct tr2_fxt_text made = { buf->bytes, buf->len };

	tr2_must_hold(buf);
	return made;
}

/* Returns the first `max` bytes at most, without splitting a character. */
struct tr2_fxt_text tr2_fxt_shorten(struct tr2_fxt_text text, size_t max);

/* Append the text. An empty text may have no address. */
static inline void tr2_fxt_keep(struct tr2_buf *buf, struct tr2_fxt_text text)
{
	if (text.len)
		tr2_buf_add(buf, text.bytes, text.len);
}

/* Write the name of a process or a thread. */
void tr2_fxt_name_process(struct tr2_fxt_writer *writer, uint32_t process,
			  struct tr2_fxt_text name);
void tr2_fxt_name_thread(struct tr2_fxt_writer *writer,
			 const struct tr2_fxt_thread *thread,
			 struct tr2_fxt_text name);

/*
 * The time that an archive holds for one in ns: its last is in the year 2262.
 * SPEC: fxt.time.range
 */
static inline uint64_t tr2_fxt_time(uint64_t ns)
{
	const uint64_t most = INT64_MAX / 1000000000 * 1000000000 - 1;

	return ns < most ? ns : most;
}

/*
 * Write an event: begin, arguments, end. Arguments after the 15th, or those
 * that do not fit in the record, are counted as cut. `time` is in ns.
 */
void tr2_fxt_begin_event(struct tr2_fxt_writer *writer, enum fxt_event type,
			 uint64_t time, struct tr2_fxt_thread *thread,
			 struct tr2_fxt_text category,
			 struct tr2_fxt_text name);
void tr2_fxt_arg_int(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		     int64_t value);
void tr2_fxt_arg_uint(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		      uint64_t value);
/*
 * Write a JSON value that is a number (an integer may be any of int64_t or
 * uint64_t), true, false or null. False: it is another one.
 */
bool tr2_fxt_arg_literal(struct tr2_fxt_writer *writer,
			 struct tr2_fxt_text name, enum tr2_kind kind,
			 const char *text);
void tr2_fxt_arg_text(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		      struct tr2_fxt_text value);
/* `last` is the word at the end of some types, an id or a time. */
void tr2_fxt_end_event(struct tr2_fxt_writer *writer, uint64_t last);

/*
 * Chrome's trace events, of JSON files, as records of one archive:
 * those of all files in the order of their times, for rotated files are parts
 * of one trace.
 */

struct tr2_chrome_text;

/* Zero it at first. */
struct tr2_chrome_log {
	struct tr2_reader *reader;     /* which tells what is wrong */
	struct tr2_chrome_text *files; /* whose texts stay */
	struct tr2_vec events;	       /* struct chrome_event */
	unsigned long left_out;	       /* events of other phases */
	unsigned long cut;	       /* texts that were too long */
};

/* Read a file, as tr2_reader's take_trace gets it. What is wrong is told. */
void tr2_chrome_log_read(struct tr2_chrome_log *log, struct tr2_block *taken);

/* Write an archive of all files; without an event, nothing. */
void tr2_chrome_log_write(struct tr2_chrome_log *log, struct tr2_buf *out);

void tr2_chrome_log_release(struct tr2_chrome_log *log);

#endif
