/*
 * What an earlier process left: many segments, long ones, odd names. The place
 * of an output, on disk: also if somebody has changed its file.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/journal/journal_kit.h"
#include "kit/tap.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "collect/journal/journal.h"

/*
 * ---- Recover
 */

#define CHUNK ((size_t)64 << 10) /* a file is read in parts of so many bytes */

static struct tr2_journal journal;

static void write_segment(uint64_t begin, uint64_t line, const char *text)
{
	char path[TR2_SEGMENT_PATH];

	tr2_segment_name(path, "spool", begin, line);
	write_file(path, text);
}

/* Returns what is wrong; the journal has been closed again. */
static const char *recover_journal(void)
{
	const char *why = tr2_journal_open(&journal, "spool", LIMIT);

	if (!why)
		tr2_journal_close(&journal);
	return why;
}

/* Whatever the order in which the directory has them. */
static void test_order(void)
{
	static const int order[] = { 5, 2, 7, 0, 3, 6, 1, 4, 8, 9, 11, 10 };
	const int count = sizeof(order) / sizeof(*order);
	struct tr2_journal_reader reader;
	char line[8], text[100] = "";
	int i;

	mkdir("spool", 0700);
	for (i = 0; i < count; i++) {
		snprintf(line, sizeof(line), "%x\n", (unsigned)order[i]);
		write_segment(2 * (uint64_t)order[i], (uint64_t)order[i], line);
	}
	tap_str(tr2_journal_open(&journal, "spool", LIMIT), NULL,
		"a journal of many segments is opened");
	tr2_journal_join(&journal, &reader, 0, 0);
	for (i = 0; i < count; i++)
		strcat(text, read_text(&reader));
	tap_str(text, "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\na\nb\n",
		"its segments are read in the order of their bytes");
	tap_int((intmax_t)reader.missed, 0,
		"and none of their lines is missed");
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* A segment of lines of `len` bytes, in all of `size` bytes. */
static void write_lines(size_t size, size_t len)
{
	char *text = malloc(size + 1);
	size_t i;

	tap_need(text);
	for (i = 0; i < size; i++)
		text[i] = (i + 1) % len ? 'x' : '\n';
	text[size] = '\0';
	write_segment(0, 0, text);
	free(text);
}

static void test_long(void)
{
	mkdir("spool", 0700);
	write_lines(30000 * 7, 7);
	tap_str(recover_journal(), NULL, "a segment may have many lines");
	tap_int((intmax_t)journal.lines, 30000,
		"each of its lines is counted once");
	write_lines(CHUNK + 1, CHUNK + 1);
	tap_str(recover_journal(), NULL,
		"a line may be longer than a part of the file");
	tap_int((intmax_t)journal.lines, 1, "and counts as one");
	write_segment(0, 0, "\n\n1\n");
	recover_journal();
	tap_int((intmax_t)journal.lines, 3, "an empty line counts as well");
	write_lines(3 * CHUNK, 2 * CHUNK);
	recover_journal();
	tap_int((intmax_t)journal.end, 2 * CHUNK,
		"the rest of a line that is longer than a part is removed");
	remove_all("spool");
}

/* Names of which one digit is none: nothing is opened in their place. */
static void test_names(void)
{
	static const char *const names[] = {
		"spool/g000000000000001-0000000000000000",
		"spool/000000000000001g-0000000000000000",
		"spool/0000000000000010-g000000000000001",
		"spool/0000000000000010-000000000000001g",
		"spool/0000000000000010-000000000000001A",
	};
	const size_t count = sizeof(names) / sizeof(*names);
	size_t i;

	for (i = 0; i < count; i++) {
		mkdir("spool", 0700);
		write_file(names[i], "foreign\n");
		tap_str(recover_journal(), NULL,
			i < 2 ? "a name without a number of bytes is foreign"
			      : "so is one without a number of lines");
		tap_int((intmax_t)journal.end, 0, "its bytes do not count");
		remove_all("spool");
	}
}

/* What a reader at the begin gets of a journal with two lines, and this file. */
static const char *read_beside(uint64_t begin, uint64_t line)
{
	static char text[64];
	struct tr2_journal_reader reader;
	int i;

	mkdir("spool", 0700);
	write_segment(0, 0, "1\n2\n");
	write_segment(4, 2, "3\n");
	write_segment(begin, line, "odd\n");
	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	add_text(&journal, "new\n", 1);
	*text = '\0';
	for (i = 0; i < 8; i++)
		strcat(text, read_text(&reader));
	snprintf(text + strlen(text), 24, "%d", (int)reader.missed);
	tr2_journal_close(&journal);
	remove_all("spool");
	return text;
}

/* Names that no journal can have, and some that only a gap explains. */
static void test_impossible(void)
{
	static const struct {
		uint64_t begin, line;
		const char *wanted;
	} files[] = {
		{ UINT64_MAX, UINT64_MAX, "1\n2\n3\nnew\n0" },
		{ UINT64_MAX - 3, 3, "1\n2\n3\nnew\n0" },
		{ UINT64_MAX / 2, 0, "1\n2\n3\nnew\n0" },
		{ 2, 5, "1\n2\n3\nnew\n0" },
		{ 4, 3, "1\n2\n3\nnew\n0" },
		{ 0x1000, 1, "1\n2\n3\nnew\n0" },
		{ 0x1000, 0x1001, "1\n2\n3\nnew\n0" },
		{ 0x1000, 3, "1\n2\n3\nodd\nnew\n0" },
		{ 0x1000, 9, "1\n2\n3\nodd\nnew\n6" },
	};
	const int count = sizeof(files) / sizeof(*files);
	int i, good = 0;

	for (i = 0; i < count; i++)
		good += !strcmp(read_beside(files[i].begin, files[i].line),
				files[i].wanted);
	tap_int(good, count,
		"no file with an odd name stops a reader of the others");
}

static void test_unreadable(void)
{
	char path[TR2_SEGMENT_PATH];
	int before = count_descriptors();

	mkdir("spool", 0700);
	write_segment(0, 0, "1\n");
	tr2_segment_name(path, "spool", 2, 1);
	mkfifo(path, 0600);
	tap_ok(strstr(recover_journal(), "is not a regular file"),
	       "a pipe in the place of the last segment is refused");
	tap_int(count_descriptors(), before, "and nothing of it stays open");
	unlink(path);
	tap_str(recover_journal(), NULL, "without it the journal is opened");
	remove_all("spool");
}

/* One of many segments is a link, wherever the directory has it. */
static void test_link(void)
{
	char path[TR2_SEGMENT_PATH];
	uint64_t i;

	mkdir("spool", 0700);
	write_file("elsewhere", "9\n");
	for (i = 0; i < 9; i++)
		write_segment(2 * i, i, "1\n");
	tr2_segment_name(path, "spool", 18, 9);
	tap_need(!symlink("../elsewhere", path));
	tap_ok(strstr(recover_journal(), "is a symbolic link"),
	       "a link among the segments is not followed");
	remove_all("spool");
	unlink("elsewhere");
}

/* Standard input is closed in many services: 0 is a descriptor like others. */
static void test_descriptor_zero(void)
{
	struct tr2_journal_reader reader;
	int before = count_descriptors();
	int input = dup(0);

	close(0);
	tap_str(tr2_journal_open(&journal, "spool", LIMIT), NULL,
		"the lock may be descriptor 0");
	tr2_journal_close(&journal);
	dup2(input, 0);
	tr2_journal_open(&journal, "spool", LIMIT);
	close(0);
	tap_ok(add_text(&journal, "1\n", 1), "so may a segment");
	tr2_journal_close(&journal);
	tap_int(fcntl(0, F_GETFD), -1, "which is closed");
	tap_str(recover_journal(), NULL, "and may be opened again");
	dup2(input, 0);
	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	close(0);
	tap_str(read_text(&reader), "1\n", "it may be that of a reader");
	tr2_journal_rewind(&reader);
	tap_int(fcntl(0, F_GETFD), -1, "who rewinds,");
	tap_str(read_text(&reader), "1\n", "reads it again");
	tr2_journal_close(&journal);
	tap_int(fcntl(0, F_GETFD), -1, "and leaves it");
	dup2(input, 0);
	close(input);
	tap_int(count_descriptors(), before,
		"the journal leaves no descriptor open");
	remove_all("spool");
}

static void run_tests_of_recover(void)
{
	enter_directory();
	tap_run(test_order, test_long, test_names, test_impossible,
		test_unreadable, test_link, test_descriptor_zero);
	leave_directory();
}

/*
 * ---- Position
 */

#define FILE_NAME "./name.position"
/* A place as an earlier version wrote it, without its file. */
#define OLD                                          \
	"00000000000000000001 00000000000000000002 " \
	"00000000000000000003 00000000000000000004 "

static void write_text(const char *text)
{
	FILE *out = fopen(FILE_NAME, "w");

	fputs(text, out);
	fclose(out);
}

static void test_written(void)
{
	struct tr2_position position, again;
	int fd = tr2_position_open(&position, ".", "name");

	tap_ok(fd >= 0, "the file is made");
	tap_int(find_mode(FILE_NAME), 0600, "only its user may read it");
	tap_ok(position.at == UINT64_MAX, "a new one has no place");
	position = (struct tr2_position){ UINT64_MAX - 1, 2, 3,	   4,
					  "a long b",	  5, false };
	tap_int(tr2_position_write(fd, &position), 0, "a place is written");
	position.at = 5;
	strcpy(position.file, "c");
	tr2_position_write(fd, &position);
	close(fd);
	close(tr2_position_open(&again, ".", "name"));
	tap_int((intmax_t)again.at, 5, "it is read again: bytes,");
	tap_int((intmax_t)again.line, 2, "lines,");
	tap_int((intmax_t)again.missed, 3, "those that were missed,");
	tap_int((intmax_t)again.size, 4, "the size of the file,");
	tap_str(again.file, "c", "and its name, not the rest of an older one");
}

/* Write a place, and let somebody change the file. Was it lost? */
static bool is_lost_after(void (*change)(int at), int at)
{
	struct tr2_position position = { 5, 2,	  3, 4, "20261128-000001.log",
					 9, false };
	int fd = tr2_position_open(&(struct tr2_position){ 0 }, ".", "name");

	tr2_position_write(fd, &position);
	close(fd);
	change(at);
	close(tr2_position_open(&position, ".", "name"));
	unlink(FILE_NAME);
	return position.lost;
}

static void keep_file(int at)
{
	(void)at;
}

static void remove_file(int at)
{
	(void)at;
	unlink(FILE_NAME);
}

static void cut_file(int at)
{
	tap_need(!truncate(FILE_NAME, at));
}

static void flip_byte(int at)
{
	FILE *file = fopen(FILE_NAME, "r+");

	fseek(file, at, SEEK_SET);
	putc('7', file);
	fclose(file);
}

/* The first 84 bytes are the numbers, and a name of 19 follows. */
static void test_lost(void)
{
	int at, flips = 0, cuts = 0;

	tap_ok(!is_lost_after(keep_file, 0), "a place that stays is not lost");
	tap_ok(is_lost_after(remove_file, 0), "one that is removed is lost");
	for (at = 0; at < 103; at++)
		flips += is_lost_after(flip_byte, at);
	tap_int(flips, 103, "so is one of which any byte was changed");
	for (at = 0; at < 103; at++)
		cuts += is_lost_after(cut_file, at);
	tap_int(cuts, 103, "and one that was cut anywhere in its first line");
	unlink("name.output");
	tap_ok(!is_lost_after(keep_file, 0), "a new output has lost none");
}

/* A service that was begun without its standard input. */
static void test_lowest(void)
{
	struct tr2_position position;
	int before = dup(0);

	write_text(OLD "\n");
	close(0);
	tap_int(tr2_position_open(&position, ".", "name"), 0,
		"a place may have the lowest descriptor");
	tap_int((intmax_t)position.at, 1, "and is read");
	dup2(before, 0);
	close(before);
}

static void test_failures(void)
{
	struct tr2_position position = { 1, 2, 3, 4, "", 5, false };
	struct rlimit limit, old;
	int fd;

	tap_int(tr2_position_open(&position, "no", "name"), -1,
		"a directory that is missing");
	tap_int(errno, ENOENT, "is told by errno");
	(void)!symlink("name.position", "link.position");
	tap_int(tr2_position_open(&position, ".", "link"), -1,
		"a link is not followed");
	tap_int(errno, EPERM, "which errno tells");
	unlink("link.position");
	write_text(OLD "\n");
	fd = tr2_position_open(&position, ".", "name");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_int(tr2_position_write(fd, &position), EFBIG,
		"a full disk refuses a place");
	tap_str(kit_text(FILE_NAME), OLD "\n", "the old place stays");
	limit.rlim_cur = 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	errno = EAGAIN;
	tap_int(tr2_position_write(fd, &position), ENOSPC,
		"one that takes only a part is full, too");
	setrlimit(RLIMIT_FSIZE, &old);
	close(fd);
	tap_ok(!strncmp(kit_text(FILE_NAME), "0000000000", 10),
	       "what could be written stands in the file");
}

static void run_tests_of_position(void)
{
	enter_directory();
	tap_run(test_written, test_lost, test_lowest, test_failures);
	unlink(FILE_NAME);
	leave_directory();
}

int main(void)
{
	tap_run(run_tests_of_recover, run_tests_of_position);
	return tap_done();
}
