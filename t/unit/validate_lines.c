/*
 * Logs as they come: plain or compressed bytes, blocks of whole lines, what
 * a head tells, and the files that there are.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include "validate_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "validate/inputs.h"
#include "validate/lines.h"
#include "validate/log.h"

/* A file of these bytes, to be read from its beginning. */
static int file_of(const void *bytes, size_t len)
{
	FILE *file = tmpfile();
	int fd = dup(fileno(file));

	fclose(file);
	if (write(fd, bytes, len) != (ssize_t)len)
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static char given[1 << 20], got[1 << 20];
static size_t got_len;

/* Read all, up to `room` bytes at once. Gives the error, or NULL. */
static const char *read_all(int fd, size_t room)
{
	struct tr2_source *source = tr2_source_open(fd);
	const char *error = NULL;
	ssize_t len;

	for (got_len = 0;; got_len += (size_t)len) {
		if (room > sizeof(got) - got_len)
			room = sizeof(got) - got_len;
		len = tr2_source_read(source, got + got_len, room, &error);
		if (len <= 0)
			break;
	}
	if (!len && tr2_source_read(source, got + got_len, 1, &error))
		error = "there is more behind the end";
	tr2_source_close(source);
	close(fd);
	return len < 0 && !error ? "an error without a word" : error;
}

static bool is_read(int fd, size_t room, size_t len)
{
	return !read_all(fd, room) && got_len == len &&
	       !memcmp(got, given, len);
}

static void test_plain(void)
{
	static const size_t rooms[] = { 1000, 1 << 16, 100000, 1 << 20 };
	size_t i, wrong = 0;
	int pipes[2];

	for (i = 0; i < 4; i++)
		wrong += !is_read(file_of(given, 300000), rooms[i], 300000);
	for (i = 0; i < 6; i++)
		wrong += !is_read(file_of(given, i), 1 + i % 2, i);
	wrong += !is_read(file_of(given, 1 << 16), 1 << 16, 1 << 16);
	tap_int((intmax_t)wrong, 0, "plain bytes are read as they are");
	tap_str(read_all(-1, 10), strerror(EBADF), "a read error has its word");
	if (pipe(pipes))
		abort();
	if (write(pipes[1], "\x1f\x8b", 2) != 2)
		abort();
	close(pipes[1]);
	tap_str(read_all(pipes[0], 10), "the compressed data end too early",
		"a head may be all that there is");
}

/* What compresses badly, and then what does so well. */
static void fill_given(void)
{
	uint32_t i, seed = 1;

	for (i = 0; i < sizeof(given); i++) {
		seed = seed * 1664525 + 1013904223;
		given[i] = i < 300000 ? (char)(seed >> 24) : 'x';
	}
	given[0] = 'x';
}

static size_t gzip(char *out, size_t room, size_t len)
{
	z_stream z = { 0 };

	deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (unsigned char *)given;
	z.avail_in = (unsigned)len;
	z.next_out = (unsigned char *)out;
	z.avail_out = (unsigned)room;
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return z.total_out;
}

static size_t zstd(char *out, size_t room, size_t len)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	len = ZSTD_compress2(context, out, room, given, len);
	ZSTD_freeCCtx(context);
	return len;
}

static const struct packer {
	const char *name;
	size_t (*pack)(char *out, size_t room, size_t len);
	size_t magic;
} packers[] = { { "gzip", gzip, 2 }, { "zstd", zstd, 4 } };

static char packed[1 << 20];

static void test_packed(const struct packer *packer)
{
	const size_t half = 1 << 19;
	size_t len = packer->pack(packed, sizeof(packed), half), more, i, end;
	size_t wrong = 0;
	char name[96];

	snprintf(name, sizeof(name), "%s is read", packer->name);
	tap_ok(is_read(file_of(packed, len), 1 << 20, half) &&
		       is_read(file_of(packed, len), 5000, half),
	       name);
	snprintf(name, sizeof(name), "%s that ends early is told",
		 packer->name);
	for (i = 0; i < 3; i++) {
		end = i == 0 ? len - 1 : i == 1 ? len / 2 : packer->magic;
		wrong += read_all(file_of(packed, end), 1 << 17) == NULL;
		wrong += strcmp(read_all(file_of(packed, end), 1 << 17),
				"the compressed data end too early") != 0;
		wrong += got_len > half || memcmp(got, given, got_len) != 0;
	}
	tap_int((intmax_t)wrong, 0, name);
	memcpy(packed + len, packed, 100);
	snprintf(name, sizeof(name), "%s with half a member is told",
		 packer->name);
	tap_str(read_all(file_of(packed, len + 100), 1 << 20),
		"the compressed data end too early", name);
	memset(packed + len, 'x', 100);
	snprintf(name, sizeof(name), "%s with other bytes is told",
		 packer->name);
	tap_str(read_all(file_of(packed, len + 100), 1 << 20),
		"the compressed data are broken", name);
	more = packer->pack(packed + len, sizeof(packed) - len, 1000);
	snprintf(name, sizeof(name), "%s may have two members", packer->name);
	tap_ok(!read_all(file_of(packed, len + more), 1 << 20) &&
		       got_len == half + 1000 && !memcmp(got, given, half) &&
		       !memcmp(got + half, given, 1000),
	       name);
	packed[len / 2] ^= 1;
	packed[len / 2 + 1] ^= 7;
	packed[12] ^= 7;
	snprintf(name, sizeof(name), "%s that is broken is told", packer->name);
	tap_str(read_all(file_of(packed, len), 1 << 20),
		"the compressed data are broken", name);
	len = packer->pack(packed, sizeof(packed), 0);
	snprintf(name, sizeof(name), "%s of nothing is empty", packer->name);
	tap_ok(is_read(file_of(packed, len), 100, 0), name);
}

/*
 * ---- Blocks of lines
 */

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
		wrong += !kit_is_whole(block.text);
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
	tap_ok(kit_is_whole(lines.rest) &&
		       kit_size(lines.rest) == lines.rest_room,
	       "the memory of the rest is kept");
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

/* So many zeros, an LF or none, and `behind`: as a zstd file. */
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
	{ 4 * TR2_LINE_MAX, "\nnext\n", 0, 1, TR2_LINE_MAX, 1, 1, "next",
	  "of a very long line the rest is dropped" },
	{ 4 * TR2_LINE_MAX, "", 0, 1, TR2_LINE_MAX, 1, 0, NULL,
	  "a very long line may be torn" },
	{ 4 * TR2_LINE_MAX, "\n", 1, -1, 0, 0, 0, NULL,
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
		tr2_block_prepare(block, false);
		place = 0;
	}
	if (!text)
		return block->lines.count == place;
	line = tr2_block_line(block, place);
	return line.len == strlen(text) && !memcmp(line.text, text, line.len) &&
	       line.ended && !line.cut;
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
			tr2_block_prepare(&block, false);
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
	tap_ok(lines.bytes > 3 * TR2_LINE_MAX && block.room < 8 * TR2_LINE_MAX,
	       "the memory of a line has a limit");
	tr2_block_release(&block);
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
		tap_int(tr2_log_format_of(copy, len), heads[i].format, name);
		free(copy);
	}
}

/* What is seen of a head that comes in two pieces, and how much was read. */
static int detect(const char *first, const char *second, size_t *len)
{
	struct tr2_block block = { 0 };
	const char *error;
	struct tr2_source *source;
	int pipes[2], result;

	if (pipe(pipes) || write(pipes[1], first, strlen(first)) < 0)
		abort();
	if (!second)
		close(pipes[1]);
	else if (fork() == 0) {
		usleep(20000);
		_exit(write(pipes[1], second, strlen(second)) < 0);
	}
	if (second)
		close(pipes[1]);
	source = tr2_source_open(pipes[0]);
	tr2_lines_begin(&lines, source);
	result = tr2_log_detect(&lines, &block, &error);
	*len = block.len;
	result = result ? -1 : (int)block.format;
	tr2_source_close(source);
	tr2_block_release(&block);
	close(pipes[0]);
	return result;
}

static void test_detect(void)
{
	struct tr2_block block = { 0 };
	struct tr2_source *source;
	const char *error = NULL;
	size_t len;
	int fd;

	tap_int(detect(EVENT_LINE, NULL, &len), TR2_LOG_EVENT,
		"a head is seen");
	tap_int(detect("", NULL, &len), TR2_LOG_UNKNOWN, "no head is seen");
	tap_int(detect("abc\n", NULL, &len), TR2_LOG_UNKNOWN,
		"a head may be of something else");
	tap_int((intmax_t)len, 4, "and was read nevertheless");
	tap_int(detect("{\"eve", "nt\":1}\n", &len), TR2_LOG_EVENT,
		"a head may come in pieces");
	memset(given, 'x', 300000);
	memcpy(given + 200000, "\n" EVENT_LINE, sizeof(EVENT_LINE));
	fd = file_of(given, 300000);
	source = tr2_source_open(fd);
	tr2_lines_begin(&lines, source);
	tap_ok(!tr2_log_detect(&lines, &block, &error) &&
		       block.format == TR2_LOG_UNKNOWN && block.len < 150000,
	       "a head has an end");
	tr2_source_close(source);
	close(fd);
	tr2_block_clear(&block);
	source = tr2_source_open(-1);
	tr2_lines_begin(&lines, source);
	tap_ok(tr2_log_detect(&lines, &block, &error) == -1 && error,
	       "a head that can't be read is told");
	tr2_source_close(source);
	tr2_block_release(&block);
}

/*
 * ---- Files
 */

static char visited[512];

static void visit(void *context, const char *name, int fd)
{
	char byte = '?';
	size_t cut = strlen(context);

	if (strncmp(name, context, cut))
		cut = 0;
	if (fd >= 0 && read(fd, &byte, 1) != 1)
		byte = '-';
	snprintf(visited + strlen(visited), sizeof(visited) - strlen(visited),
		 "%s=%c%s ", name + cut, byte, fd < 0 ? strerror(errno) : "");
}

static const char *visits(const char *dir, const char *path)
{
	char whole[128];

	visited[0] = '\0';
	snprintf(whole, sizeof(whole), "%s%s", dir, path);
	errno = 0;
	tr2_inputs_visit(*path == '-' ? path : whole, visit, (void *)dir);
	return visited;
}

static void put_file(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void test_inputs(void)
{
	char dir[] = "/tmp/validate-lines-XXXXXX", path[128];
	int i;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	mkdir("d", 0700), mkdir("d/c", 0700), mkdir("d/e", 0700);
	mkdir("empty", 0700);
	put_file(dir, "d/b", "B");
	put_file(dir, "d/a", "A");
	put_file(dir, "d/.f", "F");
	put_file(dir, "d/...", "E");
	put_file(dir, "d/c/x", "X");
	put_file(dir, "one", "1");
	if (symlink("../one", "d/g") || symlink("../d", "d/h") ||
	    symlink("nowhere", "d/i") || symlink("d", "link") ||
	    mkfifo("d/fifo", 0600))
		abort();
	tap_str(visits(dir, "/d"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"regular files are visited in their order");
	tap_str(visits(dir, "/d/"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"a path may end with a slash");
	tap_str(visits(dir, "/d//"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"or with more of them");
	tap_str(visits(dir, "/link"),
		"/link/...=E /link/.f=F /link/a=A "
		"/link/b=B /link/c/x=X /link/g=1 ",
		"a link that is asked for is followed");
	tap_str(visits(dir, "/one"), "/one=1 ", "a file is visited");
	tap_str(visits(dir, "/empty"), "", "a directory may be empty");
	snprintf(path, sizeof(path), "/two=?%s ", strerror(ENOENT));
	tap_str(visits(dir, "/two"), path, "a file that isn't there is told");
	if (freopen("one", "r", stdin))
		tap_str(visits(dir, "-"), "-=1 ", "standard input is visited");
	tap_ok(read(STDIN_FILENO, path, 1) == 0, "and stays open");
	i = open("/dev/null", O_RDONLY);
	close(i);
	visits(dir, "/d");
	tap_int(open("/dev/null", O_RDONLY), i, "files are closed");
	chdir("/tmp");
	snprintf(path, sizeof(path), "rm -r %s", dir);
	tap_int(system(path), 0, "nothing else is in the directory");
}

static void use_all(void)
{
	struct tr2_lines some = TR2_LINES_INIT;
	struct tr2_block block = { 0 };
	int i, fd;
	struct tr2_source *source;
	const char *error;

	for (i = 0; i < 3; i++) {
		size_t len = i ? packers[i - 1].pack(packed, 1 << 20, 300000)
			       : 300000;

		fd = file_of(i ? packed : given, len);
		source = tr2_source_open(fd);
		tr2_lines_begin(&some, source);
		while (tr2_lines_fill(&some, &block, &error) == 1)
			tr2_block_clear(&block);
		tr2_source_close(source);
		close(fd);
	}
	tr2_block_release(&block);
	tr2_lines_release(&some);
	visits("/usr/share/zoneinfo", "/Arctic");
}

int main(void)
{
	static const int few[] = { 1000, 1000, 5, -1 };

	fill_given();
	test_plain();
	test_packed(&packers[0]);
	test_packed(&packers[1]);
	test_blocks();
	test_errors();
	test_long_lines();
	test_formats();
	test_detect();
	test_inputs();
	fill_lines(few);
	tap_ok(!kit_leaks(use_all), "logs that are read leave no memory");
	tr2_lines_release(&lines);
	tap_int(kit_broken, 0, "nothing is written behind what is read");
	return tap_done();
}
