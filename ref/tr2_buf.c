#include "tr2_buf.h"

#include <string.h>

#include "tr2_host.h"

int tr2_buf_grow(struct tr2_buf *buf, size_t more)
{
	size_t room = buf->room ? buf->room : 1024;
	char *bytes;

	if (buf->failed)
		return -1;
	if (more <= buf->room - buf->len)
		return 0;
	while (room - buf->len < more && room <= SIZE_MAX / 4)
		room *= 2;
	bytes = buf->fixed || room - buf->len < more
			? NULL
			: tr2_host->realloc(buf->bytes, room);
	if (!bytes) {
		buf->failed = 1;
		return -1;
	}
	buf->bytes = bytes;
	buf->room = room;
	return 0;
}

void tr2_buf_add(struct tr2_buf *buf, const void *bytes, size_t len)
{
	if (!len || tr2_buf_grow(buf, len))
		return;
	memcpy(buf->bytes + buf->len, bytes, len);
	buf->len += len;
}

void tr2_buf_str(struct tr2_buf *buf, const char *text)
{
	tr2_buf_add(buf, text, strlen(text));
}

void tr2_buf_byte(struct tr2_buf *buf, char byte)
{
	tr2_buf_add(buf, &byte, 1);
}

void tr2_buf_fill(struct tr2_buf *buf, char byte, size_t count)
{
	if (!count || tr2_buf_grow(buf, count))
		return;
	memset(buf->bytes + buf->len, byte, count);
	buf->len += count;
}

void tr2_buf_uint(struct tr2_buf *buf, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	tr2_buf_add(buf, digits + at, sizeof(digits) - at);
}

void tr2_buf_int(struct tr2_buf *buf, int64_t value)
{
	if (value < 0) {
		tr2_buf_byte(buf, '-');
		tr2_buf_uint(buf, 0 - (uint64_t)value);
	} else {
		tr2_buf_uint(buf, (uint64_t)value);
	}
}

void tr2_buf_digits(struct tr2_buf *buf, unsigned value, unsigned digits)
{
	char text[10];
	unsigned at;

	for (at = digits; at; at--) {
		text[at - 1] = (char)('0' + value % 10);
		value /= 10;
	}
	tr2_buf_add(buf, text, digits);
}

void tr2_buf_seconds(struct tr2_buf *buf, uint64_t us, unsigned width)
{
	uint64_t second = us / 1000000u, rest = second;
	unsigned wide = 8; /* one digit, the point, six digits */

	while (rest >= 10) {
		rest /= 10;
		wide++;
	}
	if (wide < width)
		tr2_buf_fill(buf, ' ', width - wide);
	tr2_buf_uint(buf, second);
	tr2_buf_byte(buf, '.');
	tr2_buf_digits(buf, (unsigned)(us % 1000000u), 6);
}

void tr2_buf_reset(struct tr2_buf *buf)
{
	buf->len = 0;
	buf->failed = 0;
}

void tr2_buf_release(struct tr2_buf *buf)
{
	if (!buf->fixed)
		tr2_host->free(buf->bytes);
	*buf = (struct tr2_buf)TR2_BUF_INIT;
}
