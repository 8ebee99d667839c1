/*
 * Logs as they arrive: blocks of whole lines, the longest line, and what a
 * head shows.
 */
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
	const char *error;
	size_t at = 0, wrong = 0, last;

	tr2_lines_begin(&lines, source);
	while (tr2_lines_fill(&lines, &block, &error) == 1) {
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

/* A log with short lines, after one with long lines. */
static void test_room(void)
{
	int lengths[300], i, fd;
	struct tr2_source *source;
	struct tr2_block block = { 0 };
	const char *error;

	for (i = 0; i < 299; i++)
		lengths[i] = 1000;
	lengths[i] = -1;
	fd = file_of(given, fill_lines(lengths));
	source = tr2_source_open(fd);
	tr2_lines_begin(&lines, source);
	tap_ok(!tr2_lines_read(&lines, &block, &error) &&
		       tr2_lines_fill(&lines, &block, &error) == 1 &&
		       block.len + lines.rest_len == lines.bytes,
	       "the first block has what was read before");
	tr2_block_clear(&block);
	tap_ok(lines.rest_len && tr2_lines_fill(&lines, &block, &error) == 1 &&
		       block.room < lines.rest_room,
	       "a short rest needs little room");
	tr2_source_close(source);
	tr2_block_release(&block);
	close(fd);
}

static void test_errors(void)
{
	struct tr2_source *source = tr2_source_open(-1);
	struct tr2_block block = { 0 };
	const char *error = NULL;

	tr2_lines_begin(&lines, source);
	tap_ok(tr2_lines_fill(&lines, &block, &error) == -1 && error,
	       "lines that can't be read are told");
	error = NULL;
	tap_ok(tr2_lines_read(&lines, &block, &error) == -1 && error &&
		       !lines.bytes && !block.len,
	       "bytes that can't be read are told");
	tr2_source_close(source);
	tr2_block_release(&block);
}

/* Make a zstd file of so many zeros, an LF or none, and `behind`. */
static int long_file(size_t zeros, const char *behind, bool broken)
{
	size_t len = zeros + strlen(behind), size;
	char *text = calloc(1, len + 1);
	int fd;

	memcpy(text + zeros, behind, strlen(behind));
	size = ZSTD_compress(packed, sizeof(packed), text, len, 1);
	fd = file_of(packed, broken ? size - 1 : size);
	free(text);
	return fd;
}

struct long_case {
	size_t zeros;
	const char *behind;
	int broken;
	/* What comes: of the first line, and of the second, if there is one. */
	int result;
	size_t len;
	bool cut, ended;
	const char *second;
	const char *name;
};

static const struct long_case long_cases[] = {
	{ TR2_LINE_MAX, "\nnext\n", 0, 1, TR2_LINE_MAX, 0, 1, "next",
	  "the longest line is whole" },
	{ TR2_LINE_MAX, "", 0, 1, TR2_LINE_MAX, 0, 0, NULL,
	  "the longest line may be torn" },
	{ TR2_LINE_MAX + 1, "\nnext\n", 0, 1, TR2_LINE_MAX, 1, 1, "next",
	  "a line of a byte more is cut" },
	{ TR2_LINE_MAX + 1, "", 0, 1, TR2_LINE_MAX, 1, 0, NULL,
	  "a cut line may be torn" },
	{ 2 * TR2_LINE_MAX, "\nnext\n", 0, 1, TR2_LINE_MAX, 1, 1, "next",
	  "of a very long line the rest is dropped" },
	{ 2 * TR2_LINE_MAX, "", 0, 1, TR2_LINE_MAX, 1, 0, NULL,
	  "a very long line may be torn" },
	{ 2 * TR2_LINE_MAX, "\n", 1, -1, 0, 0, 0, NULL,
	  "a very long line may be unreadable" },
};

static bool is_second(struct tr2_block *block, const char *text)
{
	size_t place = 1;
	const char *error;
	struct tr2_line line;

	if (block->lines.count == 1) {
		tr2_block_clear(block);
		block->format = TR2_LOG_NORMAL;
		if (tr2_lines_fill(&lines, block, &error) != !!text)
			return false;
		tr2_block_prepare(block);
		place = 0;
	}
	if (!text)
		return block->lines.count == place;
	line = tr2_block_line(block, place);
	return line.len == strlen(text) && !memcmp(line.text, text, line.len) &&
	       line.ended && !line.cut && !lines.rest_len;
}

static void test_long_lines(void)
{
	const struct long_case *one = long_cases;
	struct tr2_block block = { 0 };
	struct tr2_source *source;
	struct tr2_line line;
	const char *error;
	size_t i;
	int fd, result;

	for (i = 0; i < sizeof(long_cases) / sizeof(*one); i++, one++) {
		fd = long_file(one->zeros, one->behind, one->broken);
		source = tr2_source_open(fd);
		tr2_lines_begin(&lines, source);
		tr2_block_clear(&block);
		block.format = TR2_LOG_NORMAL;
		result = tr2_lines_fill(&lines, &block, &error);
		memset(&line, 0, sizeof(line));
		if (result > 0) {
			tr2_block_prepare(&block);
			line = tr2_block_line(&block, 0);
		}
		tap_ok(result == one->result && line.len == one->len &&
			       line.cut == one->cut &&
			       line.ended == one->ended &&
			       (result < 0 || is_second(&block, one->second)),
		       one->name);
		tr2_source_close(source);
		close(fd);
	}
	tap_ok(lines.bytes > TR2_LINE_MAX && block.room < 3 * TR2_LINE_MAX,
	       "the memory of a line has a limit");
	tr2_block_release(&block);
}

static void test_stale_room(void)
{
	int fd = long_file(TR2_LINE_MAX + 1, "x", false);
	struct tr2_source *source = tr2_source_open(fd);
	struct tr2_block block = { 0 };
	const char *error;

	tr2_block_make_room(&block, TR2_LINE_MAX + (TR2_LINE_MAX >> 2));
	memset(block.text, '\n', block.room);
	tr2_lines_begin(&lines, source);
	tap_ok(tr2_lines_fill(&lines, &block, &error) == 1 && block.torn,
	       "an LF of another block ends no line");
	tr2_source_close(source);
	tr2_block_release(&block);
	close(fd);
}

/*
 * ---- Heads of logs
 */

#define EVENT_LINE "{\"event\":\"start\"}\n"
#define NORMAL_LINE "12:00:00.000000 git.c:460               version 2.40\n"

static void test_formats(void)
{
	static const struct {
		const char *head;
		enum tr2_log_format format;
	} heads[] = {
		{ "", TR2_LOG_UNKNOWN },
		{ "abc\n", TR2_LOG_UNKNOWN },
		{ "abc", TR2_LOG_UNKNOWN },
		{ EVENT_LINE, TR2_LOG_EVENT },
		{ "{\"event\"", TR2_LOG_EVENT },
		{ "{\"event", TR2_LOG_UNKNOWN },
		{ "\xef\xbb\xbf" EVENT_LINE, TR2_LOG_EVENT },
		{ "\xef\xbb\xbf[" EVENT_LINE, TR2_LOG_UNKNOWN },
		{ "\xef\xbb" EVENT_LINE, TR2_LOG_UNKNOWN },
		{ "abc\n\n" EVENT_LINE, TR2_LOG_EVENT },
		{ "\n" EVENT_LINE, TR2_LOG_EVENT },
		{ "{}\n\"event\"\n", TR2_LOG_EVENT },
		{ "\"event\"\n{}\n", TR2_LOG_UNKNOWN },
		{ "[\"event\"]\n", TR2_LOG_UNKNOWN },
		{ NORMAL_LINE, TR2_LOG_NORMAL },
		{ "{}\n", TR2_LOG_UNKNOWN },
	};
	size_t i, len;
	char name[64], *copy;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		snprintf(name, sizeof(name), "the format of head %zu is seen",
			 i);
		len = strlen(heads[i].head);
		copy = memcpy(malloc(len + 9), heads[i].head, len);
		memcpy(copy + len, "\"event\"\n", 9);
		tap_int(tr2_kind_of(copy, len), heads[i].format, name);
		free(copy);
	}
}

#define END "" /* no more comes; without it, it is not known yet */

/*
 * What is seen of a head that comes in pieces, and how much was read; -1 if
 * that is more than there is.
 */
static int detect_format(const char *const *pieces, size_t *len)
{
	struct tr2_block block = { 0 };
	const char *error;
	struct tr2_source *source;
	int ends[2], result;

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends));
	for (; *pieces && **pieces; pieces++)
		if (send(ends[1], *pieces, strlen(*pieces), 0) < 0)
			abort();
	if (*pieces)
		shutdown(ends[1], SHUT_WR);
	tr2_block_make_room(&block, 1000);
	strcpy(block.text, "\n\n" EVENT_LINE EVENT_LINE EVENT_LINE);
	source = tr2_source_open(ends[0]);
	tr2_lines_begin(&lines, source);
	result = tr2_kind_detect(&lines, &block, "log", &error);
	*len = block.len;
	result = result ? -1 : (int)block.format;
	tr2_source_close(source);
	tr2_block_release(&block);
	close(ends[0]);
	close(ends[1]);
	return result;
}

static const struct {
	const char *name;
	const char *pieces[5];
	enum tr2_log_format format;
	size_t len;
} heads[] = {
	{ "a head is seen at once", { EVENT_LINE }, TR2_LOG_EVENT, 18 },
	{ "no head is seen", { END }, TR2_LOG_UNKNOWN, 0 },
	{ "a head may be of something else",
	  { "abc\n", END },
	  TR2_LOG_UNKNOWN,
	  4 },
	{ "a head may come in pieces",
	  { "{\"eve", "nt\":1" },
	  TR2_LOG_EVENT,
	  10 },
	{ "a head may be longer than that",
	  { "a\nb\n", "c\nd\n", EVENT_LINE },
	  TR2_LOG_EVENT,
	  26 },
};

static void test_detect(void)
{
	struct tr2_block block = { 0 };
	struct tr2_source *source;
	const char *error = NULL;
	size_t len, i;
	int fd, wrong = 0;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		tap_int(detect_format(heads[i].pieces, &len), heads[i].format,
			heads[i].name);
		wrong += len != heads[i].len;
	}
	tap_int(wrong, 0, "what was read of a head is in the block");
	memset(given, 'x', 300000);
	memcpy(given + 200000, "\n" EVENT_LINE, sizeof(EVENT_LINE));
	fd = file_of(given, 300000);
	source = tr2_source_open(fd);
	tr2_lines_begin(&lines, source);
	tap_ok(!tr2_kind_detect(&lines, &block, "log", &error) &&
		       block.format == TR2_LOG_EVENT,
	       "a log may begin after much output of a program");
	tr2_source_close(source);
	close(fd);
	tr2_block_clear(&block);
	given[60000] = '\0';
	fd = file_of(given, 300000);
	source = tr2_source_open(fd);
	tr2_lines_begin(&lines, source);
	tap_ok(!tr2_kind_detect(&lines, &block, "log", &error) &&
		       block.format == TR2_LOG_UNKNOWN && block.len < 150000,
	       "a head that is no text has an end");
	tr2_source_close(source);
	close(fd);
	tr2_block_clear(&block);
	source = tr2_source_open(-1);
	tr2_lines_begin(&lines, source);
	tap_ok(tr2_kind_detect(&lines, &block, "log", &error) == -1 && error,
	       "a head that can't be read is told");
	tr2_source_close(source);
	tr2_block_release(&block);
}

int main(void)
{
	static const int few[] = { 1000, 1000, 5, -1 };

	tap_run(test_blocks, test_room, test_errors, test_long_lines,
		test_stale_room, test_formats, test_detect);
	fill_lines(few);
	tr2_lines_release(&lines);
	return tap_done();
}
