/*
 * buf.h - a growing run of bytes.
 *
 * If an append can't get memory (or, in a fixed buffer, has no room), it sets
 * `failed` and leaves the bytes as they were. The owner tests `failed` once,
 * when the text is complete. The bytes are not NUL-terminated.
 */
#ifndef TR2_BASE_BUF_H
#define TR2_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tr2_buf {
	char *bytes;
	size_t len;
	size_t room;
	int fixed; /* never grows: the owner provides the memory */
	int failed;
};

#define TR2_BUF_INIT             \
	{                        \
		NULL, 0, 0, 0, 0 \
	}
#define TR2_BUF_FIXED(array)                    \
	{                                       \
		(array), 0, sizeof(array), 1, 0 \
	}

/* Make room for `more` bytes after len. 0, or -1 (and `failed` is set). */
int tr2_buf_grow(struct tr2_buf *buf, size_t more);

/*
 * An append of constant length is inlined as a compare and a move; all other
 * appends share one function. A line consists of some forty appends. After
 * each write(2) their code has left the near caches, so it has to be small.
 */
void tr2_buf_move(struct tr2_buf *buf, const void *bytes, size_t len);

static inline void tr2_buf_add(struct tr2_buf *buf, const void *bytes,
			       size_t len)
{
	if (!__builtin_constant_p(len)) {
		tr2_buf_move(buf, bytes, len);
		return;
	}
	if (len > buf->room - buf->len && tr2_buf_grow(buf, len))
		return;
	memcpy(buf->bytes + buf->len, bytes, len);
	buf->len += len;
}

/* Append `len` bytes, which the caller then writes. NULL: there is no room. */
static inline char *tr2_buf_take(struct tr2_buf *buf, size_t len)
{
	char *at;

	if (len > buf->room - buf->len && tr2_buf_grow(buf, len))
		return NULL;
	at = buf->bytes + buf->len;
	buf->len += len;
	return at;
}

static inline void tr2_buf_str(struct tr2_buf *buf, const char *text)
{
	tr2_buf_add(buf, text, strlen(text));
}

static inline void tr2_buf_byte(struct tr2_buf *buf, char byte)
{
	tr2_buf_add(buf, &byte, 1);
}

void tr2_buf_fill(struct tr2_buf *buf, char byte, size_t count);

/* Append `count` blanks; up to 32 of them are one move. */
static inline void tr2_buf_blanks(struct tr2_buf *buf, size_t count)
{
	static const char blanks[] = "                                ";
	const size_t many = sizeof(blanks) - 1;

	if (count > many || buf->room - buf->len < many) {
		tr2_buf_fill(buf, ' ', count);
		return;
	}
	memcpy(buf->bytes + buf->len, blanks, many);
	buf->len += count;
}

/* Append blanks until it has `len` bytes. */
static inline void tr2_buf_pad(struct tr2_buf *buf, size_t len)
{
	if (buf->len < len)
		tr2_buf_blanks(buf, len - buf->len);
}

/* Append a decimal number. */
void tr2_buf_int(struct tr2_buf *buf, int64_t value);
void tr2_buf_uint(struct tr2_buf *buf, uint64_t value);
/* Append microseconds as seconds, with six decimals. */
void tr2_buf_seconds(struct tr2_buf *buf, uint64_t us);
/* Append exactly `digits` digits, with leading zeros. */
void tr2_buf_digits(struct tr2_buf *buf, unsigned value, unsigned digits);

/* The same without a buffer, into the bytes before `end`. */
void tr2_put_digits(char *end, unsigned value, unsigned digits);

/* Forget the text, keep the memory, clear `failed`. */
static inline void tr2_buf_reset(struct tr2_buf *buf)
{
	buf->len = 0;
	buf->failed = 0;
}

void tr2_buf_release(struct tr2_buf *buf);

#endif
