#include "tr2_buf.h"

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

void tr2_buf_move(struct tr2_buf *buf, const void *bytes, size_t len)
{
	const char *from = bytes;
	char *to;

	if (!len || (len > buf->room - buf->len && tr2_buf_grow(buf, len)))
		return;
	to = buf->bytes + buf->len;
	buf->len += len;
	if (len > 16) {
		memcpy(to, from, len);
	} else if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else if (len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + len - 4, from + len - 4, 4);
	} else {
		while (len--)
			*to++ = *from++;
	}
}

void tr2_buf_fill(struct tr2_buf *buf, char byte, size_t count)
{
	if (!count || tr2_buf_grow(buf, count))
		return;
	memset(buf->bytes + buf->len, byte, count);
	buf->len += count;
}

static const char pairs[] = "00010203040506070809"
			    "10111213141516171819"
			    "20212223242526272829"
			    "30313233343536373839"
			    "40414243444546474849"
			    "50515253545556575859"
			    "60616263646566676869"
			    "70717273747576777879"
			    "80818283848586878889"
			    "90919293949596979899";

/*
 * Digits are made two at a time from the last one backwards, up to `end`.
 * Each function gives the place of the first.
 */
static char *put_uint(char *end, uint64_t value)
{
	for (; value >= 100; value /= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * value, 2);
	} else {
		*--end = (char)('0' + value);
	}
	return end;
}

static char *put_digits(char *end, unsigned value, unsigned digits)
{
	for (; digits >= 2; digits -= 2) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (digits)
		*--end = (char)('0' + value % 10);
	return end;
}

void tr2_buf_uint(struct tr2_buf *buf, uint64_t value)
{
	char text[20], *end = text + sizeof(text);
	char *start = put_uint(end, value);

	tr2_buf_add(buf, start, (size_t)(end - start));
}

void tr2_buf_int(struct tr2_buf *buf, int64_t value)
{
	char text[21], *end = text + sizeof(text);
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char *start = put_uint(end, size);

	if (value < 0)
		*--start = '-';
	tr2_buf_add(buf, start, (size_t)(end - start));
}

void tr2_buf_digits(struct tr2_buf *buf, unsigned value, unsigned digits)
{
	char text[20], *end = text + sizeof(text);

	tr2_buf_add(buf, put_digits(end, value, digits), digits);
}

void tr2_buf_seconds(struct tr2_buf *buf, uint64_t us, unsigned width)
{
	char text[40], *end = text + sizeof(text);
	char *start = put_digits(end, (unsigned)(us % 1000000u), 6);
	size_t used;

	*--start = '.';
	if (us < 10 * 1000000u)
		*--start = (char)('0' + us / 1000000u);
	else
		start = put_uint(start, us / 1000000u);
	used = (size_t)(end - start);
	if (used < width)
		tr2_buf_blanks(buf, width - used);
	tr2_buf_add(buf, start, used);
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
