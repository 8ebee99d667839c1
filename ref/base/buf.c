#include "base/buf.h"

#include "host/host.h"
#include "host/memory.h"

#define LARGEST (SIZE_MAX / 4)

/* Get memory for `more` bytes that do not fit. */
static int make_room(struct tr2_buf *buf, size_t more)
{
	char *bytes = NULL;
	size_t room = 1024;

	if (!buf->fixed && more <= LARGEST - buf->len) {
		while (room < buf->len + more)
			room *= 2;
		bytes = tr2_memory_realloc(buf->bytes, room);
	}
	if (!bytes) {
		buf->failed = 1;
		return -1;
	}
	buf->bytes = bytes;
	buf->room = room;
	return 0;
}

int tr2_buf_grow(struct tr2_buf *buf, size_t more)
{
	if (buf->failed)
		return -1;
	return more > buf->room - buf->len ? make_room(buf, more) : 0;
}

void tr2_buf_move(struct tr2_buf *buf, const void *bytes, size_t len)
{
	if (!len || (len > buf->room - buf->len && make_room(buf, len)))
		return;
	memcpy(buf->bytes + buf->len, bytes, len);
	buf->len += len;
}

void tr2_buf_fill(struct tr2_buf *buf, char byte, size_t count)
{
	if (tr2_buf_grow(buf, count))
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
 * Write the digits in pairs, from the last one backwards; they end at `end`.
 * put_uint() returns the place of the first digit.
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

void tr2_put_digits(char *end, unsigned value, unsigned digits)
{
	for (; digits >= 2; digits -= 2) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (digits)
		*--end = (char)('0' + value % 10);
}

void tr2_buf_uint(struct tr2_buf *buf, uint64_t value)
{
	char text[20], *end = text + sizeof(text);
	char *start;

	if (value < 10) {
		tr2_buf_byte(buf, (char)('0' + value));
		return;
	}
	start = put_uint(end, value);
	tr2_buf_add(buf, start, (size_t)(end - start));
}

void tr2_buf_int(struct tr2_buf *buf, int64_t value)
{
	uint64_t size = (uint64_t)value;

	if (value < 0) {
		tr2_buf_byte(buf, '-');
		size = 0 - size;
	}
	tr2_buf_uint(buf, size);
}

void tr2_buf_digits(struct tr2_buf *buf, unsigned value, unsigned digits)
{
	if (tr2_buf_grow(buf, digits))
		return;
	buf->len += digits;
	tr2_put_digits(buf->bytes + buf->len, value, digits);
}

void tr2_buf_seconds(struct tr2_buf *buf, uint64_t us)
{
	char text[21], *end = text + sizeof(text);
	char *start = end - 7;

	tr2_put_digits(end, (unsigned)(us % 1000000u), 6);
	*start = '.';
	start = put_uint(start, us / 1000000u);
	tr2_buf_add(buf, start, (size_t)(end - start));
}

void tr2_buf_release(struct tr2_buf *buf)
{
	if (!buf->fixed)
		tr2_host->free(buf->bytes);
	*buf = (struct tr2_buf)TR2_BUF_INIT;
}
