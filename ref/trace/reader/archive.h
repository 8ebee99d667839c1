/*
 * archive.h - write the buffers of traced programs to an archive.
 *
 *	magic
 *	provider information, or a section if it wrote before
 *	its durable records, its rolling ones: older, then newer
 *	...
 *
 * The contents of a program's buffer are never trusted. They are copied
 * first, chunk by chunk, and only whole records without an error get into the
 * archive; metadata records are left out, because the archive writes its own.
 * So the result is well-formed, whatever the programs did.
 *
 * Nothing here knows sockets. The trace manager uses it for the buffers of
 * other processes, and an agent for its own.
 */
#ifndef TR2_TRACE_READER_ARCHIVE_H
#define TR2_TRACE_READER_ARCHIVE_H

#include "trace/buffer.h"
#include "trace/reader.h"

/* A traced program's buffer, and how much of it is in the archive. */
struct tr2_archive_source {
	/* The owner sets these. */
	uint32_t id;
	char name[256];
	const void *buffer; /* of `size` bytes; read-only */
	uint64_t size;
	int mode;

	/* The functions here keep these. Zero them at first. */
	struct trace_reader *reader;
	uint32_t wrapped; /* the count to save next */
	uint64_t durable; /* end of the saved durable records */
	int introduced;
	uint64_t events;
	uint64_t bytes;	  /* size in the archive */
	uint64_t dropped; /* records that found no room, at the end */
	uint64_t flawed;  /* records that were left out */
};

struct tr2_archive {
	/* Returns not 0 to stop. Set by the owner. */
	int (*put)(void *context, const void *bytes, size_t len);
	void *context;

	/* The functions here keep these. */
	const struct tr2_archive_source *current;
	uint64_t bytes;
	int stopped;
	uint64_t scratch[4096];
};

/* Put the magic. */
void tr2_archive_begin(struct tr2_archive *archive);

/*
 * Streaming: put the durable records up to durable_end and the part that is
 * full. NULL, or what the program did wrong: a requirement's id, a colon, and
 * half a sentence.
 */
const char *tr2_archive_save(struct tr2_archive *archive,
			     struct tr2_archive_source *source,
			     uint32_t wrapped, uint64_t durable_end);

/*
 * Put everything that is not there yet, for a program that stopped or died,
 * and whether it dropped records. NULL, or what it did wrong.
 */
const char *tr2_archive_finish(struct tr2_archive *archive,
			       struct tr2_archive_source *source);

/* Put records from our own memory as if they were in the program's buffer. */
void tr2_archive_put_records(struct tr2_archive *archive,
			     struct tr2_archive_source *source,
			     const uint64_t *records, size_t words);

/* Free what is kept for a source. */
void tr2_archive_source_release(struct tr2_archive_source *source);

#endif
