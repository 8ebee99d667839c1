/*
 * private.h - what the files of the trace reader share.
 *
 *	reader.c	bytes to whole records
 *	record.c	records of each type except events
 *	event.c		events, their arguments, and large blobs
 *	field.c		texts, threads and times in a record
 *	table.c		the strings, threads and providers that are defined
 *	balance.c	durations, thread by thread
 *	pairs.c		asynchronous spans and flows
 *	problem.c	findings
 */
#ifndef TR2_TRACE_READER_PRIVATE_H
#define TR2_TRACE_READER_PRIVATE_H

#include "trace/engine/fxt.h"
#include "trace/reader.h"

/* An open-addressing table; an entry begins with its key, which is never 0. */
struct fxt_table {
	void *entries;
	size_t size; /* size of an entry */
	size_t used;
	size_t room; /* a power of two */
	/* May this entry be dropped when the table has to grow? May be NULL. */
	bool (*is_spent)(const void *entry);
};

/* A string or a thread of a provider. */
struct fxt_entry {
	uint64_t key;
	char *bytes; /* of a string; NULL for a thread */
	struct trace_reader_thread thread;
	size_t len;
	size_t bytes_room;
};

struct fxt_provider {
	uint64_t key;	/* the provider's id, and 1 << 32 */
	uint64_t scope; /* part of the keys of its strings and threads */
	uint64_t ticks; /* in a second; 0: unknown */
	bool told_ticks_first;
};

/* An open duration. */
struct fxt_open {
	uint64_t offset;
	uint64_t category, name; /* hashes */
};

struct fxt_stack {
	uint64_t key; /* hash of the thread's ids */
	uint64_t time;
	struct fxt_open *open;
	size_t count, room;
};

/* A span or a flow: all begins and ends with this key. */
struct fxt_pair {
	uint64_t key;
	int64_t open;	     /* begins minus ends */
	uint64_t begin, end; /* offsets of the last ones */
	int is_flow;
};

struct trace_reader {
	struct trace_reader_options options;
	const uint8_t *fed;
	size_t fed_len;
	uint64_t offset; /* offset of the next byte */
	uint64_t skip;	 /* bytes of a large record that are to be skipped */

	/* The beginning of a record whose end has not arrived yet. */
	uint8_t *held;
	size_t held_len, held_room;
	bool release_held; /* it was returned whole: free it */

	bool begun;
	bool dead;
	bool told_first; /* report fxt.provider.first only once */

	struct fxt_table entries, providers, stacks, pairs;
	uint64_t scopes;
	/* Kept by value, because the table moves when it grows. */
	uint32_t provider;
	bool has_provider;
};

/* Reads a record word by word. */
struct fxt_cursor {
	struct trace_reader *reader;
	struct trace_reader_record *record;
	const uint8_t *bytes;
	size_t words;
	size_t at;
	bool lacks; /* a word was asked for that is not there */
};

/* field.c */
uint64_t fxt_take_word(struct fxt_cursor *in);
struct trace_reader_text fxt_take_bytes(struct fxt_cursor *in, uint64_t bytes);
/* Read a string by its reference, whose header is at word `header`. */
struct trace_reader_text fxt_take_text(struct fxt_cursor *in, uint64_t ref,
				       size_t header);
struct trace_reader_thread fxt_take_thread(struct fxt_cursor *in, uint64_t ref);
void fxt_take_time(struct fxt_cursor *in);
uint64_t fxt_to_ns(struct fxt_cursor *in, uint64_t ticks);
void fxt_check_ids(struct fxt_cursor *in, struct trace_reader_thread thread,
		   size_t word);
void fxt_check_utf8(struct fxt_cursor *in, struct trace_reader_text text,
		    size_t word);
/* Check the bits without a meaning: those that are not in `known`. */
void fxt_check_reserved(struct fxt_cursor *in, size_t word, uint64_t header,
			uint64_t known);

/* record.c: reads everything after the header. */
void fxt_read_record(struct fxt_cursor *in, uint64_t header);

/* event.c */
void fxt_read_event(struct fxt_cursor *in, uint64_t header);
void fxt_read_large(struct fxt_cursor *in, uint64_t header);
void fxt_read_args(struct fxt_cursor *in, uint64_t count);

/* table.c */
void *fxt_table_find(const struct fxt_table *table, uint64_t key);
/* Returns the entry with this key, which may be new; NULL without memory. */
void *fxt_table_add(struct fxt_table *table, uint64_t key);
struct fxt_provider *fxt_current(const struct trace_reader *reader);
bool fxt_begin_provider(struct trace_reader *reader, uint32_t id);
bool fxt_switch_provider(struct trace_reader *reader, uint32_t id);
bool fxt_define_string(struct trace_reader *reader, uint64_t index,
		       struct trace_reader_text text);
bool fxt_define_thread(struct trace_reader *reader, uint64_t index,
		       struct trace_reader_thread thread);
const struct fxt_entry *fxt_find_string(const struct trace_reader *reader,
					uint64_t index);
const struct fxt_entry *fxt_find_thread(const struct trace_reader *reader,
					uint64_t index);
void fxt_tables_release(struct trace_reader *reader);

/* balance.c */
void fxt_balance(struct fxt_cursor *in);
void fxt_balance_end(struct trace_reader *reader);
void fxt_balance_release(struct trace_reader *reader);
uint64_t fxt_mix(uint64_t hash);
uint64_t fxt_hash_text(struct trace_reader_text text);

/* pairs.c */
void fxt_pair(struct fxt_cursor *in);
bool fxt_pair_is_spent(const void *entry);
void fxt_pairs_end(struct trace_reader *reader);
void fxt_pairs_release(struct trace_reader *reader);

/* problem.c: the wrong bytes are `words` words from word `word` on. */
void fxt_find(struct fxt_cursor *in, enum trace_reader_problem problem,
	      size_t word, size_t words, const char *message, uint64_t seen);
void fxt_tell(struct trace_reader *reader,
	      const struct trace_reader_finding *finding);

static inline uint64_t fxt_mask(unsigned low, unsigned high)
{
	return (~UINT64_C(0) >> (63 - high)) & ~UINT64_C(0) << low;
}

static inline uint64_t fxt_mask_to(unsigned high)
{
	return fxt_mask(0, high);
}

#endif
