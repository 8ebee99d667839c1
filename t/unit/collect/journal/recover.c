/* What an earlier process left: many segments, long ones, odd names. */
#include "collect/journal/journal_kit.h"

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

int main(void)
{
	enter_directory();
	tap_run(test_order, test_long, test_names, test_impossible,
		test_unreadable, test_link, test_descriptor_zero);
	leave_directory();
	return tap_done();
}
