/* Logs as they arrive: blocks of whole lines, and those that cannot be read. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SOCK_NONBLOCK */
#endif
#include "kit/validate.h"

#include <sys/socket.h>
#include <zstd.h>

#include "kit/log.h"
#include "read/bytes/lines.h"
#include "read/kind.h"

/* Lines of the given lengths, without their LFs, up to a negative one. */
static size_t fill_lines(const int *lengths)
{
	size_t len = 0;

	for (; *lengths >= 0; lengths++) {
		memset(given + len, 'a' + *lengths % 26, (size_t)*lengths);
		len += (size_t)*lengths;
		given[len++] = '\n';
	}
	return len;
}

static struct tr2_lines lines = TR2_LINES_INIT;

/* Are all the bytes in blocks of whole lines? */
static bool is_in_blocks(size_t len, bool torn)
{
	int fd = file_of(given, len);
	struct tr2_source *source = tr2_source_open(fd);
	struct tr2_block block = { 0 };
	size_t at = 0, wrong = 0, last;

	tr2_lines_begin(&lines, source);
	while (tr2_lines_fill(&lines, &block) == 1) {
		wrong += memcmp(block.text, given + at, block.len) != 0;
		at += block.len;
		last = at == len && torn;
		wrong += (block.text[block.len - 1] == '\n') == last;
		wrong += block.torn != last || block.cut;
		block.len = 0;
		block.torn = false;
	}
	wrong += at != len || lines.bytes != len || block.len || block.torn;
	tr2_source_close(source);
	tr2_block_release(&block);
	close(fd);
	return !wrong;
}

static void test_blocks(void)
{
	static const int few[] = { 0, 3, 0, -1 };
	static const int long_one[] = { 10, 300000, 10, 500, -1 };
	static const int first_long[] = { 200000, 5, 200000, -1 };
	static const int exact[] = { 65535, 65535, 131071, 5, -1 };
	static const int behind[] = { 65536, 131072, 65534, 5, -1 };
	static const int *const all[] = { few, long_one, first_long, exact,
					  behind };
	int many[500], i;
	size_t len, wrong = 0;

	for (i = 0; i < 5; i++) {
		len = fill_lines(all[i]);
		wrong += !is_in_blocks(len, false);
		wrong += !is_in_blocks(len - 1, given[len - 2] != '\n');
	}
	for (i = 0; i < 499; i++)
		many[i] = i * 7 % 2000;
	many[i] = -1;
	len = fill_lines(many);
	wrong += !is_in_blocks(len, false);
	wrong += !is_in_blocks(len - 5, true);
	wrong += !is_in_blocks(0, false);
	tap_int((intmax_t)wrong, 0, "blocks hold whole lines");
	given[0] = '\n';
	tap_ok(is_in_blocks(1, false), "a block may be an empty line");
	given[0] = 'x';
	tap_ok(is_in_blocks(1, true), "a block may be a byte");
	tap_ok(lines.rest && lines.rest_room, "the memory of the rest is kept");
}

static void test_errors(void)
{
	struct tr2_source *source = tr2_source_open(-1);
	struct tr2_block block = { 0 };

	tr2_lines_begin(&lines, source);
	tap_ok(tr2_lines_fill(&lines, &block) == -1 && lines.failed,
	       "lines that can't be read are told");
	tr2_lines_begin(&lines, source);
	tap_ok(tr2_lines_read(&lines, &block) == -1 && lines.failed &&
		       !lines.bytes && !block.len,
	       "bytes that can't be read are told");
	tr2_source_close(source);
	tr2_block_release(&block);
}

/* A program says something, and later a logger has a value. */
static void test_late_values(void)
{
	static const char said[] = "hello\n";
	static const char value[] = "{\"log\":\"10:00:00.000000 a\\n\"}\n";
	struct tr2_block block = { 0 };
	struct tr2_source *source;
	int ends[2], wrong = pipe(ends);

	source = tr2_source_open(ends[0]);
	tr2_lines_begin(&lines, source);
	wrong |= write(ends[1], said, strlen(said)) < 0;
	wrong |= tr2_lines_read(&lines, &block);
	wrong |= write(ends[1], value, strlen(value)) < 0;
	close(ends[1]);
	tr2_lines_read_ahead(&lines, &block, 100);
	block.text[block.len] = '\0';
	tap_ok(!wrong && !strcmp(block.text, "hello\n10:00:00.000000 a\n"),
	       "values are read that come after other text in a pipe");
	tr2_source_close(source);
	tr2_block_release(&block);
	close(ends[0]);
}

int main(void)
{
	static const int few[] = { 1000, 1000, 5, -1 };

	tap_run(test_blocks, test_errors, test_late_values);
	fill_lines(few);
	tr2_lines_release(&lines);
	return tap_done();
}
