/*
 * buffer.h - the memory that a traced program and its reader share.
 *
 *	header | durable part | rolling part 0 | rolling part 1
 *
 * The program only writes, the reader only reads. A reader must expect that
 * the program was killed at any instruction, or that it is malicious.
 *
 * A rolling part is a row of chunks of chunk_size bytes (the bytes after the
 * last whole chunk are not used). A chunk belongs to one thread at a time.
 * From the moment it is tagged it is full of records:
 *
 *	filler of 2 words, the second of them the chunk's tag
 *	records, in the order in which their thread wrote them
 *	one filler over what is free
 *
 * The tag is `nonce << 32 | wrapped count`. A chunk with another nonce was
 * not written in this session; one with a smaller count is left over from an
 * earlier pass over its part. A thread writes a record and the next filler
 * first and then commits the record by storing its header over the old
 * filler. So a reader finds whole records at every instant.
 *
 * The durable part holds initialization, string, thread and kernel object
 * records, one after the other, and ends at the first word that is 0. A
 * filler in it is a record that is not written yet.
 *
 * Modes: in oneshot mode there is one rolling part and no durable part, and
 * each thread writes the strings that it uses into its own chunks, before
 * their first use. Circular and streaming mode use the two rolling parts in
 * turn; the part in use is `wrapped_count & 1`.
 * SPEC: chapter engine.*
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
 * The unused space of a file consists of fillers of this many bytes, so that
 * a write that was cut at a page leaves whole records.
 */
#define TRACE_BUFFER_PAGE ((size_t)4096)

enum trace_buffering_mode {
	TRACE_BUFFERING_MODE_ONESHOT = 0,   /* full: recording ends */
	TRACE_BUFFERING_MODE_CIRCULAR = 1,  /* full: drops the older half */
	TRACE_BUFFERING_MODE_STREAMING = 2, /* full: a reader saves it */
};

/* 128 bytes at the start of the buffer. */
struct trace_buffer_header {
	uint64_t magic;
	uint16_t version;
	uint8_t buffering_mode;
	uint8_t reserved1;	/* 0 */
	uint32_t wrapped_count; /* how often writing changed parts */
	uint64_t total_size;	/* bytes, with this header */
	uint64_t durable_buffer_size;
	uint64_t rolling_buffer_size; /* of each part */
	uint64_t durable_data_end;    /* from the start of the part */
	/*
	 * Where the used chunks end, from the start of the part. 0 while the
	 * part is being written: then only the tags tell.
	 */
	uint64_t rolling_data_end[2];
	uint64_t num_records_dropped; /* may lag while threads run */
	uint32_t chunk_size;
	uint32_t nonce;	      /* of the session, never 0 */
	uint64_t reserved[6]; /* 0 */
};

/* The sizes of the parts of a buffer, in bytes. */
struct trace_buffer_layout {
	size_t durable_size;
	size_t rolling_size;
	size_t chunk_size;
};

/*
 * Compute how a buffer of `size` bytes is divided in that mode. All results
 * are multiples of 8. Returns 1, or 0 if the size is not a multiple of 8,
 * too small or too large, or the mode is unknown.
 */
TRACE_API int trace_buffer_divide(int mode, uint64_t size,
				  struct trace_buffer_layout *layout);

/*
 * Check the header of a buffer of `size` bytes. Returns NULL if it is valid,
 * otherwise what is wrong with it, in a few words of English. If another
 * process can write the header, copy it first and use only the copy.
 *
 * A valid header has our magic and version, a known mode and `size` as its
 * total_size. The parts add up to that (oneshot: rolling only), and the
 * durable part is smaller than a rolling one. Sizes and data ends are
 * multiples of 8, and data ends lie within their part. The chunk size is
 * TRACE_BUFFER_CHUNK_MIN to _MAX and not larger than a part.
 */
TRACE_API const char *
trace_buffer_check(const struct trace_buffer_header *header, uint64_t size);

/*
 * Receives a run of whole records of `words` words. Returns 0 to go on,
 * anything else to stop. If the writer still runs, the words may change:
 * copy them first and use only the copy.
 */
typedef int trace_buffer_run(void *context, const uint64_t *records,
			     size_t words);

/*
 * Pass the durable records in [from, to) to `run`, without those that are
 * not written yet. Both are byte offsets into the part, as in a SAVE_BUFFER
 * packet; `to` UINT64_MAX means the last record. A record must begin at
 * `from`, as at every end that was returned before. Returns the end of what
 * was read, or -1 if a record does not fit or `run` stopped.
 */
TRACE_API int64_t trace_buffer_read_durable(
	const struct trace_buffer_header *checked, const void *buffer,
	uint64_t from, uint64_t to, trace_buffer_run *run, void *context);

/*
 * Pass the records of rolling part 0 or 1 to `run`, chunk by chunk, without
 * fillers, from the newest pass over that part. A pass with a count below
 * `oldest` is skipped: a reader that has saved pass n asks for n + 1.
 * Returns the number of chunks, or -1 if a record does not fit its chunk or
 * `run` stopped. Of a damaged chunk, the records before the damage are
 * passed on.
 */
TRACE_API int64_t trace_buffer_read_rolling(
	const struct trace_buffer_header *checked, const void *buffer, int part,
	uint32_t oldest, trace_buffer_run *run, void *context);

/*
 * Which rolling part, 0 or 1, has the older records? The answer comes from
 * the chunks, since the thread that was about to store the header's count
 * may have been killed.
 */
TRACE_API int trace_buffer_older(const struct trace_buffer_header *checked,
				 const void *buffer);

/*
 * Pass everything to `run` in the order of an archive: durable records, the
 * older rolling part, the newer one, of passes from `oldest` on. This works
 * also if the writer was killed. Returns 0, or -1 as above.
 */
TRACE_API int trace_buffer_read(const struct trace_buffer_header *checked,
				const void *buffer, uint32_t oldest,
				trace_buffer_run *run, void *context);

/* Fill `bytes`, a multiple of TRACE_BUFFER_PAGE, with fillers of that size. */
TRACE_API void trace_buffer_format(void *space, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
