/*
 * buffer.h - the memory that a traced program and its reader share.
 *
 *	header | durable part | rolling part 0 | rolling part 1
 *
 * The program only writes, the reader only reads; what it finds may come
 * from a program that was killed at any instruction, or that lies.
 *
 * A rolling part is a row of chunks of chunk_size bytes (what is left over
 * behind the last is not used). A chunk belongs to one thread at a time and
 * is, from the moment it is tagged, full of records:
 *
 *	filler of 2 words, the second of them the chunk's tag
 *	records, in the order in which their thread wrote them
 *	one filler over what is free
 *
 * The tag is `nonce << 32 | wrapped count`: a chunk with another nonce was
 * never written in this session, one with an older count is left over from
 * an earlier pass over its part. A record is committed by one store of its
 * header over the filler, with the next filler already behind it, so what
 * a reader walks is whole at every instant.
 *
 * The durable part holds initialization, string, thread and kernel object
 * records, one behind the other, and ends at the first word that is 0. A
 * filler in it is a record that is not written yet.
 *
 * Modes: oneshot has one rolling part and no durable one; there each thread
 * writes the strings that it uses into its own chunks, ahead of their use.
 * Circular and streaming use the two rolling parts in turn; the part in use
 * is `wrapped_count & 1`.
 */
#ifndef TRACE_BUFFER_H
#define TRACE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TRACE_API
#if defined(TRACE2_BUILDING) && defined(__GNUC__)
#define TRACE_API __attribute__((visibility("default")))
#else
#define TRACE_API
#endif
#endif

#define TRACE_BUFFER_MAGIC UINT64_C(0x627566ee68656164)
#define TRACE_BUFFER_VERSION 0

#define TRACE_BUFFER_MIN ((size_t)4096)
/* Four times less where so much is all that can be addressed. */
#define TRACE_BUFFER_MAX ((uint64_t)(sizeof(void *) > 4 ? 4 : 1) << 30)
#define TRACE_BUFFER_DURABLE_MAX ((size_t)1 << 20)
#define TRACE_BUFFER_CHUNK_MIN ((size_t)512)
#define TRACE_BUFFER_CHUNK_MAX ((size_t)32768)

/*
 * Space of a file that no chunk has taken yet is a row of fillers of this
 * many bytes, so that a write that was cut at a page leaves whole records.
 */
#define TRACE_BUFFER_PAGE ((size_t)4096)

enum trace_buffering_mode {
	TRACE_BUFFERING_MODE_ONESHOT = 0,   /* full: drops from then on */
	TRACE_BUFFERING_MODE_CIRCULAR = 1,  /* full: the older half goes */
	TRACE_BUFFERING_MODE_STREAMING = 2, /* full: the reader saves it */
};

/* 128 bytes at the start of the buffer. */
struct trace_buffer_header {
	uint64_t magic;
	uint16_t version;
	uint8_t buffering_mode;
	uint8_t reserved1;	/* 0 */
	uint32_t wrapped_count; /* how often writing went to the other part */
	uint64_t total_size;	/* of everything, this header too */
	uint64_t durable_buffer_size;
	uint64_t rolling_buffer_size; /* of each part */
	uint64_t durable_data_end;    /* from the start of the part */
	/*
	 * Where the chunks in use end, from the start of the part. 0 while
	 * the part is being written: only the tags tell then.
	 */
	uint64_t rolling_data_end[2];
	uint64_t num_records_dropped; /* nearly, while threads still drop */
	uint32_t chunk_size;
	uint32_t nonce;	      /* of the session, never 0 */
	uint64_t reserved[6]; /* 0 */
};

/* Sizes of the parts of a buffer. */
struct trace_buffer_layout {
	size_t durable_size;
	size_t rolling_size;
	size_t chunk_size;
};

/*
 * How a buffer of `size` bytes is divided in that mode: all multiples of 8.
 * 0 if it cannot be: not a multiple of 8, too small, too large, no mode.
 */
TRACE_API int trace_buffer_divide(int mode, uint64_t size,
				  struct trace_buffer_layout *layout);

/*
 * NULL if the header of a buffer of `size` bytes can be worked with, else
 * what is wrong with it, in a few words of English. Take a copy of a
 * header that somebody else can write, and work with the copy:
 *
 * magic and version are ours; the mode is known; total_size is `size`;
 * the parts add up to it (oneshot: rolling only), durable smaller than
 * rolling; sizes and data ends are multiples of 8, data ends within their
 * part; the chunk size is TRACE_BUFFER_CHUNK_MIN..MAX and within a part.
 */
TRACE_API const char *
trace_buffer_check(const struct trace_buffer_header *header, uint64_t size);

/*
 * A run of whole records, `words` long, as trace_buffer_read_*() finds it.
 * Return 0 to go on, anything else to stop. The words may still be changing
 * if their writer lives; then copy first and look at the copy only.
 */
typedef int trace_buffer_run(void *context, const uint64_t *records,
			     size_t words);

/*
 * Hand on the durable records in [from, to) of the buffer, without those
 * that are not written yet. Both are offsets into the part, as in a
 * SAVE_BUFFER packet; `to` UINT64_MAX: as far as there are records. The
 * first word of `from` must be that of a record (as every earlier end is).
 * Returns the end of what was read, or -1 if a record does not fit or
 * `run` stopped.
 */
TRACE_API int64_t trace_buffer_read_durable(
	const struct trace_buffer_header *checked, const void *buffer,
	uint64_t from, uint64_t to, trace_buffer_run *run, void *context);

/*
 * Hand on the records of rolling part 0 or 1, chunk by chunk, from the
 * newest pass over that part; no fillers. A pass with a count below
 * `oldest` is not read at all: that is how a reader that has saved pass n
 * asks for what came after (n + 1). Returns how many chunks it handed on,
 * or -1 if a record does not fit its chunk or `run` stopped; a chunk that
 * does not walk is handed on up to there.
 */
TRACE_API int64_t trace_buffer_read_rolling(
	const struct trace_buffer_header *checked, const void *buffer, int part,
	uint32_t oldest, trace_buffer_run *run, void *context);

/*
 * Which of the rolling parts has the older records: as the chunks have it,
 * since whoever was to store the header's count may have been killed.
 */
TRACE_API int trace_buffer_older(const struct trace_buffer_header *checked,
				 const void *buffer);

/*
 * All that a reader wants at the end, in the order of an archive: durable
 * records, the older rolling part, the newer, of passes from `oldest` on.
 * Also of a buffer whose writer was killed. 0, or -1 as above.
 */
TRACE_API int trace_buffer_read(const struct trace_buffer_header *checked,
				const void *buffer, uint32_t oldest,
				trace_buffer_run *run, void *context);

/* Fill `bytes`, a multiple of TRACE_BUFFER_PAGE, with fillers of a page. */
TRACE_API void trace_buffer_format(void *space, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
