#define _GNU_SOURCE
/*
 * The bytes by which a text is taken apart, and the lines that come of it:
 * what is found many bytes at a time is what a look at each byte finds. UTF-16
 * becomes UTF-8, whatever pieces of it are read at once. The bytes of a log that
 * comes in packets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kit/tap.h"
#include "read/bytes/block.h"
#include "read/bytes/utf16.h"
#include "read/bytes/source.h"

static unsigned seed = 1;

static unsigned draw_number(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

/*
 * ---- Lines
 */

/* Is the line from there to the LF, or to the end, as it was found? */
static bool is_found(const struct tr2_block *block, size_t place,
		     const char *start)
{
	const struct tr2_block_line *lines = block->lines.items;
	const struct tr2_block_line *line = &lines[place];
	size_t len = strcspn(start, "\n");

	return line->at == (size_t)(start - block->text) && line->len == len &&
	       tr2_block_line(block, place).ended == (start[len] == '\n') &&
	       line->escapes == (memchr(start, '\\', len) != NULL) &&
	       tr2_block_line(block, place).escapes == line->escapes;
}

static bool has_its_lines(const struct tr2_block *block)
{
	const char *start = block->text, *end = start + block->len;
	size_t place = 0;

	for (; start < end; start += strcspn(start, "\n") + 1)
		if (place == block->lines.count ||
		    !is_found(block, place++, start))
			return false;
	return place == block->lines.count;
}

/* Some thousand bytes: many marks, or few. */
static void fill_block(struct tr2_block *block)
{
	static const char bytes[] = "{\n\\ :,[\"\tabcdefghijklmnopqrstuvwxyz";
	unsigned from = draw_number(2) * draw_number(3),
		 below = 4 + draw_number(30);

	tr2_block_clear(block);
	tr2_block_make_room(block, 20000);
	block->len = draw_number(20000);
	block->format = TR2_LOG_EVENT;
	for (size_t i = 0; i < block->len; i++)
		block->text[i] = bytes[from + draw_number(below)];
	block->torn = block->len && block->text[block->len - 1] != '\n';
}

static void test_lines(void)
{
	struct tr2_block block = { 0 };
	int wrong = 0;

	for (int i = 0; i < 300; i++) {
		fill_block(&block);
		tr2_block_prepare(&block);
		wrong += !has_its_lines(&block);
	}
	tap_int(wrong, 0, "lines are found with what there is in them");
	tr2_block_release(&block);
}

/*
 * ---- Utf16
 */

/* a, e acute, euro, a face outside of the first plane, two lone halves */
static const unsigned char text[] = {
	0xff, 0xfe, 0x61, 0x00, 0xe9, 0x00, 0xac, 0x20, 0x3d, 0xd8,
	0x00, 0xde, 0x3d, 0xd8, 0x62, 0x00, 0x00, 0xde, 0x0a, 0x00,
};
#define WANTED                                              \
	"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd" \
	"b\xef\xbf\xbd\n"

static void swap_bytes(const unsigned char *from, char *to, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = (char)from[i ^ 1];
}

/* Read it in pieces; the first one has the mark. */
static const char *read_pieces(const char *bytes, size_t len, size_t piece)
{
	static char out[TR2_UTF16_ROOM(sizeof(text)) + 1];
	struct tr2_utf16 utf16;
	size_t at = 2, done = 0, some;

	if (!tr2_utf16_begins(&utf16, bytes, len))
		return "no mark";
	for (; at < len; at += some) {
		some = len - at < piece ? len - at : piece;
		done += tr2_utf16_read(&utf16, bytes + at, some, out + done);
	}
	done += tr2_utf16_read(&utf16, bytes, 0, out + done);
	out[done] = '\0';
	return out;
}

static void run_tests_of_utf16(void)
{
	struct tr2_utf16 utf16;
	char big[sizeof(text)];
	size_t wrong = 0;

	for (size_t piece = 1; piece <= sizeof(text); piece++)
		wrong += strcmp(read_pieces((const char *)text, sizeof(text),
					    piece),
				WANTED) != 0;
	tap_int((intmax_t)wrong, 0, "a text is the same in pieces of any size");
	swap_bytes(text, big, sizeof(text));
	tap_str(read_pieces(big, sizeof(big), 3), WANTED,
		"the mark tells the order of bytes");
	tap_str(read_pieces((const char *)text, sizeof(text) - 1, 5),
		"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd"
		"b\xef\xbf\xbd\xef\xbf\xbd",
		"half of a unit at the end is no character");
	tap_ok(!tr2_utf16_begins(&utf16, "\xff", 1) &&
		       !tr2_utf16_begins(&utf16, "\xef\xbb\xbf", 3),
	       "other texts have no mark");
}

/*
 * ---- Source packets
 */

static char got[1 << 17];

/* A packet at a time: the first one is too short to tell the compression. */
static void test_room(void)
{
	const size_t room = 65536;
	const char *error = NULL;
	struct tr2_source *source;
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) &&
		 write(ends[1], "ab", 2) + write(ends[1], got, room) >= 3);
	source = tr2_source_open(ends[0]);
	tap_int(tr2_source_read(source, got, room, &error), (int)room,
		"no more is read than there is room for");
	tr2_source_close(source);
}

int main(void)
{
	tap_run(test_lines, run_tests_of_utf16, test_room);
	return tap_done();
}
