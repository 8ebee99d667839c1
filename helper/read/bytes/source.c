#include "read/bytes/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "lib/files/ready.h"
#include "read/bytes/follow.h"
#include "lib/common/memory.h"

#define INPUT_ROOM 65536

struct tr2_source {
	int fd;
	const char *followed; /* path of the followed file, or NULL */
	/* Turns input into bytes; returns how many, or -1 if it is broken. */
	ssize_t (*decode)(struct tr2_source *source, char *bytes, size_t room);
	char *input;	/* INPUT_ROOM bytes; NULL: nothing was read yet */
	size_t at, len; /* the part of it that is not used yet */
	bool whole;	/* the input so far may be complete */
	bool between;	/* members of gzip, or after the last one */
	z_stream gzip;
	ZSTD_DStream *zstd;
};

/* As tr2_ready_read(), but it also waits for a followed file to grow. */
static ssize_t read_fd(const struct tr2_source *source, void *bytes,
		       size_t room, const char **error)
{
	ssize_t got;

	do
		got = tr2_ready_read(source->fd, bytes, room);
	while (!got && source->followed &&
	       tr2_follow_wait(source->followed, source->fd));
	if (got < 0)
		*error = strerror(errno);
	return got;
}

static ssize_t decode_plain(struct tr2_source *source, char *bytes, size_t room)
{
	size_t left = source->len - source->at;

	left = left < room ? left : room;
	memcpy(bytes, source->input + source->at, left);
	source->at += left;
	return (ssize_t)left;
}

/* Bytes of zero may fill up a block after the last member, as gzip(1) knows. */
static bool is_filling(struct tr2_source *source)
{
	while (source->between && source->at < source->len &&
	       !source->input[source->at])
		source->at++;
	if (source->between && source->at == source->len)
		source->whole = true;
	else
		source->between = false;
	return source->between;
}

static ssize_t decode_gzip(struct tr2_source *source, char *bytes, size_t room)
{
	z_stream *gzip = &source->gzip;
	int result;

	if (is_filling(source))
		return 0;
	gzip->next_out = (unsigned char *)bytes;
	gzip->avail_out = (unsigned)room;
	gzip->next_in = (unsigned char *)source->input + source->at;
	gzip->avail_in = (unsigned)(source->len - source->at);
	result = inflate(gzip, Z_NO_FLUSH);
	source->at = source->len - gzip->avail_in;
	if (result == Z_STREAM_END) {
		source->whole = !gzip->avail_in;
		source->between = true;
		inflateReset(gzip); /* another member may follow */
	} else if (result != Z_OK && result != Z_BUF_ERROR) {
		return -1;
	}
	return (ssize_t)(room - gzip->avail_out);
}

static ssize_t decode_zstd(struct tr2_source *source, char *bytes, size_t room)
{
	ZSTD_outBuffer out = { bytes, room, 0 };
	ZSTD_inBuffer in = { source->input, source->len, source->at };
	size_t result = ZSTD_decompressStream(source->zstd, &out, &in);

	if (ZSTD_isError(result))
		return -1;
	if (!result)
		source->whole = in.pos == in.size;
	source->at = in.pos;
	return (ssize_t)out.pos;
}

/* A file that is shorter than this is followed by zeros. */
#define HEAD 4

static void choose_decoder(struct tr2_source *source)
{
	source->decode = decode_plain;
	if (!memcmp(source->input, "\x1f\x8b", 2)) {
		source->decode = decode_gzip;
		if (inflateInit2(&source->gzip, 15 + 16) != Z_OK)
			tr2_memory_out();
	} else if (!memcmp(source->input, "\x28\xb5\x2f\xfd", HEAD)) {
		source->decode = decode_zstd;
		source->zstd = ZSTD_createDStream();
		if (!source->zstd)
			tr2_memory_out();
	}
}

/* Read enough to recognise the compression. */
static bool read_head(struct tr2_source *source, const char **error)
{
	ssize_t got;

	if (!source->input) /* it may be tried again */
		source->input = tr2_must_zeros(INPUT_ROOM);
	do {
		got = read_fd(source, source->input + source->len,
			      INPUT_ROOM - source->len, error);
		if (got < 0)
			return false;
		source->len += (size_t)got;
	} while (got && source->len < HEAD);
	choose_decoder(source);
	return true;
}

struct tr2_source *tr2_source_open(int fd)
{
	struct tr2_source *source = tr2_must_zeros(sizeof(*source));

	source->fd = fd;
	return source;
}

void tr2_source_follow(struct tr2_source *source, const char *path)
{
	source->followed = path;
}

bool tr2_source_follows(const struct tr2_source *source)
{
	return source->followed;
}

/* Read compressed bytes; returns how many. */
static ssize_t read_input(struct tr2_source *source, const char **error)
{
	ssize_t got = read_fd(source, source->input, INPUT_ROOM, error);

	if (got > 0) {
		source->at = 0;
		source->len = (size_t)got;
		source->whole = false;
	} else if (!got && !source->whole) {
		*error = "the compressed data end too early";
		return -1;
	}
	return got;
}

ssize_t tr2_source_read(struct tr2_source *source, char *bytes, size_t room,
			const char **error)
{
	ssize_t got;

	if (!source->decode && !read_head(source, error))
		return -1;
	do {
		got = source->decode(source, bytes, room);
		if (got < 0)
			*error = "the compressed data are broken";
		if (got)
			return got;
		if (source->decode == decode_plain)
			return read_fd(source, bytes, room, error);
		/* The rest may follow a frame without bytes. */
	} while (source->at < source->len ||
		 (got = read_input(source, error)) > 0);
	return got;
}

void tr2_source_close(struct tr2_source *source)
{
	inflateEnd(&source->gzip); /* returns an error if it was not begun */
	ZSTD_freeDStream(source->zstd);
	free(source->input);
	free(source);
}
