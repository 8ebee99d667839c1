/*
 * archive.h - from the buffers of traced programs to an archive.
 *
 *	magic
 *	provider information, or a section where it wrote before
 *	its durable records, its rolling ones: older, then newer
 *	...
 *
 * What a program left in its buffer is never trusted: it is copied first,
 * chunk by chunk, and only whole records without an error get into the
 * archive; metadata records are the archive's own business and left out.
 * So what is put together here is well-formed whatever the programs did.
 *
 * Nothing here knows of sockets: the trace manager writes archives of other
 * processes' buffers with it, an agent of its own.
 */
#ifndef TR2_TRACE_READER_ARCHIVE_H
#define TR2_TRACE_READER_ARCHIVE_H

#include "trace/buffer.h"
#include "trace/reader.h"

/* A traced program's buffer, and how much of it is in the archive. */
struct tr2_source {
	/* Set by the owner. */
	uint32_t id;
	char name[256];
	const void *buffer; /* of `size` bytes; may be read only */
	uint64_t size;
	int mode;

	/* Kept here. Zero it to begin with. */
	struct trace_reader *reader;
	uint32_t wrapped; /* the count that is to be saved next */
	uint64_t durable; /* what is saved of the durable part ends there */
	int introduced;
	uint64_t events;
	uint64_t bytes;	  /* in the archive */
	uint64_t dropped; /* records that found no room, in the end */
	uint64_t flawed;  /* records that were left out */
};

struct tr2_archive {
	/* Not 0: stop. Set by the owner. */
	int (*put)(void *context, const void *bytes, size_t len);
	void *context;

	/* Kept here. */
	const struct tr2_source *current;
	uint64_t bytes;
	int stopped;
	uint64_t scratch[4096];
};

/* Put the magic. */
void tr2_archive_begin(struct tr2_archive *archive);

/*
 * Streaming: put the durable records up to durable_end and the rolling part
 * that is full. NULL, or what the program did wrong: a requirement's id, a
 * colon, and half a sentence.
 */
const char *tr2_archive_save(struct tr2_archive *archive,
			     struct tr2_source *source, uint32_t wrapped,
			     uint64_t durable_end);

/*
 * Put all that is not there yet, of a program that stopped or died, and
 * whether it dropped records. NULL, or what it did wrong.
 */
const char *tr2_archive_finish(struct tr2_archive *archive,
			       struct tr2_source *source);

/* Records straight from memory of ours, as if from the program's buffer. */
void tr2_archive_put_records(struct tr2_archive *archive,
			     struct tr2_source *source, const uint64_t *records,
			     size_t words);

/* Forget what is kept for a source. */
void tr2_source_release(struct tr2_source *source);

#endif
