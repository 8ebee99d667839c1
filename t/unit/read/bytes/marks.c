/*
 * The bytes by which a text is taken apart, and the lines that come of it:
 * what is found many bytes at a time is what a look at each byte finds.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "read/bytes/block.h"
#include "read/bytes/marks.h"

static unsigned seed = 1;

static unsigned draw_number(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

static bool is_marked(char byte)
{
	return byte == '\n' || byte == '\\';
}

/* How many marks of the text are wrong. */
static int count_wrong(const char *text, size_t words, const uint64_t *marks)
{
	size_t i;
	int wrong = 0;

	for (i = 0; i < words * TR2_MARKS_WORD; i++)
		wrong += (marks[i / 64] >> i % 64 & 1) != is_marked(text[i]);
	return wrong;
}

/* All bytes in all places, then texts of any length, at any address. */
static int try_all(tr2_marks_fn *find)
{
	char *end, *text;
	uint64_t marks[9];
	size_t i, words;
	int wrong = 0;

	memory_page(&end);
	for (i = 0; i < 256; i++) {
		text = end - 256 - i % 64;
		for (words = 0; words < 256; words++)
			text[words] = (char)(words * 3 + i);
		find(text, 4, marks);
		wrong += count_wrong(text, 4, marks);
	}
	for (i = 0; i < 1000; i++) {
		words = draw_number(9);
		text = end - words * TR2_MARKS_WORD -
		       draw_number(2) * draw_number(64);
		for (size_t at = 0; at < words * TR2_MARKS_WORD; at++)
			text[at] = "abcd\n{\\}"[draw_number(4 + draw_number(2) *
									4)];
		marks[words] = 77;
		find(text, words, marks);
		wrong += count_wrong(text, words, marks) + (marks[words] != 77);
	}
	return wrong;
}

static void test_marks(void)
{
	tap_int(try_all(tr2_marks_find), 0, "each byte that counts is marked");
	tap_int(try_all(tr2_marks_choose(false)), 0,
		"on other processors it is, too");
#if defined(__x86_64__) && defined(__GLIBC__)
	tap_ok(tr2_marks_choose(true) != tr2_marks_choose(false),
	       "some have a faster way");
#endif
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
}

static void test_lines(void)
{
	struct tr2_block block = { 0 };
	int i, wrong = 0;

	for (i = 0; i < 300; i++) {
		fill_block(&block);
		tr2_block_prepare(&block);
		wrong += !has_its_lines(&block);
	}
	tap_int(wrong, 0, "lines are found with what there is in them");
	tr2_block_release(&block);
}

int main(void)
{
	test_marks();
	test_lines();
	return tap_done();
}
