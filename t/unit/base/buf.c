/* A growing run of bytes, at the sizes at which the code takes another path. */
#include "base/buf.h"

#include <stdlib.h>

#include "host/host.h"

#include "kit/tap.h"

enum { FIRST_ROOM = 1024 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst";

/* Bytes are moved that many at a time; those around them stay. */
static int wrong_moves(void)
{
	char bytes[64];
	size_t len;
	int wrong = 0;

	for (len = 0; len <= 40; len++) {
		struct tr2_buf buf = TR2_BUF_FIXED(bytes);

		memset(bytes, '.', sizeof(bytes));
		tr2_buf_move(&buf, "<", 1);
		tr2_buf_move(&buf, letters, len);
		wrong += buf.len != len + 1 || bytes[0] != '<' ||
			 memcmp(bytes + 1, letters, len) != 0 ||
			 bytes[len + 1] != '.';
	}
	return wrong;
}

static int wrong_fills(void)
{
	char bytes[128], want[64];
	size_t len;
	int wrong = 0;

	memset(want, ' ', sizeof(want));
	for (len = 0; len <= 40; len++) {
		struct tr2_buf buf = TR2_BUF_FIXED(bytes);

		tr2_buf_byte(&buf, '<');
		tr2_buf_blanks(&buf, len);
		tr2_buf_byte(&buf, '>');
		wrong += buf.len != len + 2 ||
			 memcmp(bytes + 1, want, len) != 0 ||
			 bytes[len + 1] != '>';
	}
	return wrong;
}

static void test_room(void)
{
	char bytes[8];
	struct tr2_buf buf = TR2_BUF_FIXED(bytes);

	tr2_buf_move(&buf, letters, 8);
	tap_int(buf.failed, 0, "a fixed buffer is filled to the end");
	tr2_buf_move(&buf, "", 0);
	tr2_buf_fill(&buf, ' ', 0);
	tap_int(buf.failed, 0, "nothing needs no room");
	tr2_buf_move(&buf, "x", 1);
	tap_int(buf.failed, 1, "a fixed buffer does not grow");
	tr2_buf_fill(&buf, 'x', 1);
	tr2_buf_digits(&buf, 1, 1);
	tap_bytes(bytes, buf.len, "abcdefgh", 8, "what failed left no trace");
	buf.len = 0;
	tap_int(tr2_buf_grow(&buf, 1), -1, "what has failed goes on failing");
	tr2_buf_reset(&buf);
	tr2_buf_move(&buf, letters, 9);
	tap_int(buf.len == 0 && buf.failed, 1, "too much is not cut");
	tr2_buf_reset(&buf);
	tap_int(tr2_buf_grow(&buf, 8), 0, "there may be just enough room");
}

static void test_growth(void)
{
	struct tr2_buf buf = TR2_BUF_INIT;

	tr2_buf_byte(&buf, 'a');
	tap_int((intmax_t)buf.room, FIRST_ROOM, "the first room is 1024 bytes");
	tr2_buf_fill(&buf, 'b', FIRST_ROOM - 1);
	tap_int((intmax_t)buf.room, FIRST_ROOM, "room is used up first");
	tr2_buf_byte(&buf, 'c');
	tap_int((intmax_t)buf.room, 2 * FIRST_ROOM, "room is doubled");
	tr2_buf_fill(&buf, 'd', 5 * FIRST_ROOM);
	tap_int((intmax_t)buf.room, 8 * FIRST_ROOM, "room is doubled twice");
	tap_int(buf.bytes[0] == 'a' && buf.bytes[1] == 'b' &&
			buf.bytes[FIRST_ROOM] == 'c' &&
			buf.bytes[6 * FIRST_ROOM] == 'd',
		1, "growth keeps the bytes");
	tap_int(tr2_buf_grow(&buf, SIZE_MAX / 2), -1,
		"there is an end to growth");
	tr2_buf_reset(&buf);
	tap_int(tr2_buf_grow(&buf, 3 * FIRST_ROOM), 0, "what is there is used");
	tap_int((intmax_t)buf.room, 8 * FIRST_ROOM, "room is kept");
	buf.len = buf.room;
	tap_int(tr2_buf_grow(&buf, 1), 0, "a full buffer grows");
	tap_int((intmax_t)buf.room, 16 * FIRST_ROOM, "room is doubled again");
	buf.len = 0;
	tap_int(tr2_buf_grow(&buf, 17 * FIRST_ROOM), 0,
		"an empty buffer grows");
	tap_int((intmax_t)buf.room, 32 * FIRST_ROOM,
		"it grows no more than so");
	tap_int(tr2_buf_grow(&buf, SIZE_MAX - buf.len), -1,
		"there is an end to all growth");
	tap_int(buf.failed, 1, "the end of growth is a failure");
	tr2_buf_release(&buf);
	tap_int(!buf.bytes && !buf.len && !buf.room && !buf.failed, 1,
		"released, it is new");
}

static size_t asked;

static void *note_size(void *old, size_t size)
{
	asked = size;
	return size > (size_t)1 << 40 ? NULL : realloc(old, size);
}

/* The system may refuse it; more is not asked for. */
static void test_largest(void)
{
	const size_t largest = SIZE_MAX / 4;
	struct tr2_host host = tr2_host_system;
	struct tr2_buf buf = TR2_BUF_INIT;

	host.realloc = note_size;
	tr2_host = &host;
	tr2_buf_byte(&buf, 'x');
	tap_int(tr2_buf_grow(&buf, largest - 1), -1, "there is no such memory");
	tap_ok(asked == largest + 1, "a quarter of all is asked for");
	tr2_buf_reset(&buf);
	tr2_buf_byte(&buf, 'x');
	asked = 0;
	tap_ok(tr2_buf_grow(&buf, largest) == -1 && !asked,
	       "more than that is not");
	tr2_buf_release(&buf);
	tr2_host = &tr2_host_system;
}

static void *freed;

static void note_free(void *memory)
{
	freed = memory;
	free(memory);
}

static void test_release(void)
{
	struct tr2_host host = tr2_host_system;
	struct tr2_buf buf = TR2_BUF_INIT;
	char bytes[8], *kept;
	struct tr2_buf fixed = TR2_BUF_FIXED(bytes);

	host.free = note_free;
	tr2_host = &host;
	tap_int(tr2_buf_grow(&buf, FIRST_ROOM), 0, "the first room is granted");
	tap_int((intmax_t)buf.room, FIRST_ROOM, "the first room may be all");
	kept = buf.bytes;
	tr2_buf_release(&buf);
	tap_ok(freed == kept, "released memory is freed");
	freed = NULL;
	tr2_buf_release(&fixed);
	tap_ok(!freed && !fixed.bytes, "memory of the owner's is not freed");
	tr2_host = &tr2_host_system;
}

/* NULL where something did not fit. */
static const char *text_of(struct tr2_buf *buf)
{
	tr2_buf_byte(buf, '\0');
	return buf->failed ? NULL : buf->bytes;
}

static void test_numbers(void)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 9, "9" },
		{ 10, "10" },
		{ 99, "99" },
		{ 100, "100" },
		{ 101, "101" },
		{ 1234, "1234" },
		{ 12345, "12345" },
		{ -1, "-1" },
		{ -10, "-10" },
		{ -100, "-100" },
		{ INT64_MAX, "9223372036854775807" },
		{ INT64_MIN, "-9223372036854775808" },
	};
	char bytes[64], name[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tr2_buf buf = TR2_BUF_FIXED(bytes);

		tr2_buf_int(&buf, cases[i].value);
		snprintf(name, sizeof(name), "%s is written", cases[i].text);
		tap_str(text_of(&buf), cases[i].text, name);
	}
}

static void test_unsigned(void)
{
	char bytes[64];
	struct tr2_buf buf = TR2_BUF_FIXED(bytes);

	tr2_buf_uint(&buf, UINT64_MAX);
	tap_str(text_of(&buf), "18446744073709551615",
		"the largest number is written");
	tr2_buf_reset(&buf);
	tr2_buf_digits(&buf, 7, 3);
	tr2_buf_digits(&buf, 1234, 2);
	tr2_buf_digits(&buf, 9, 1);
	tr2_buf_digits(&buf, 89, 1);
	tr2_buf_digits(&buf, 123456, 6);
	tap_str(text_of(&buf), "0073499123456",
		"digits are as many as are asked for");
}

static void test_seconds(void)
{
	static const struct {
		uint64_t us;
		const char *text;
	} cases[] = {
		{ 0, "0.000000" },
		{ 999999, "0.999999" },
		{ 1000000, "1.000000" },
		{ 9999999, "9.999999" },
		{ 10000000, "10.000000" },
		{ 10000001, "10.000001" },
		{ 123456789, "123.456789" },
		{ UINT64_MAX, "18446744073709.551615" },
	};
	char bytes[128], name[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tr2_buf buf = TR2_BUF_FIXED(bytes);

		tr2_buf_seconds(&buf, cases[i].us);
		snprintf(name, sizeof(name), "%s are seconds", cases[i].text);
		tap_str(text_of(&buf), cases[i].text, name);
	}
}

int main(void)
{
	tap_int(wrong_moves(), 0, "a move is of as many bytes as it should be");
	tap_int(wrong_fills(), 0, "blanks are as many as they should be");
	tap_run(test_room, test_growth, test_largest, test_release,
		test_numbers, test_unsigned, test_seconds);
	return tap_done();
}
