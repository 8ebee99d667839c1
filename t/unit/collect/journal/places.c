/* The places of readers that are hard to get right. */
#include "collect/journal/journal_kit.h"

#include "lib/files/clock.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define LINE (SEGMENT / 2)

static struct tr2_journal journal;
static struct tr2_journal_reader reader;
static bool ended;

static void open_journal(uint64_t limit)
{
	tr2_journal_open(&journal, "spool", limit);
	tr2_journal_join(&journal, &reader, 0, 0);
}

static void close_journal(void)
{
	tr2_journal_close(&journal);
	remove_all("spool");
}

static size_t read_bytes(size_t room, int timeout_ms)
{
	static char bytes[2 * SEGMENT];
	size_t len = tr2_journal_read(&reader, bytes, room, timeout_ms, &ended);

	memcpy(got, bytes, len < sizeof(got) - 1 ? len : sizeof(got) - 1);
	got[len < sizeof(got) - 1 ? len : sizeof(got) - 1] = '\0';
	return len;
}

/* All of it was read, and nothing after it. */
static void test_read_whole(void)
{
	open_journal(1);
	add_long(&journal, LINE);
	add_long(&journal, LINE);
	while (read_bytes(2 * SEGMENT, 0))
		;
	add_long(&journal, LINE);
	add_long(&journal, LINE);
	add_long(&journal, LINE);
	tap_int((intmax_t)tr2_journal_find_marks(&journal).first, SEGMENT,
		"a segment goes that was read to its end");
	tap_int((intmax_t)read_bytes(2 * SEGMENT, 0), SEGMENT,
		"the reader goes on with the next one");
	tap_ok(!reader.missed && !reader.line && reader.ahead == 4,
	       "what it has read is not done with");
	close_journal();
}

/* The rest of the line can't be read: its file became shorter. */
static void test_cut_line(void)
{
	char path[TR2_SEGMENT_PATH];
	int i;

	open_journal(1);
	add_text(&journal, "12345\n", 1);
	add_long(&journal, SEGMENT - 6);
	read_bytes(3, 0);
	tr2_segment_name(path, "spool", 0, 0);
	for (i = 0; i < 3; i++) {
		if (i == 1 && truncate(path, 3))
			abort();
		add_long(&journal, SEGMENT);
	}
	tap_int((intmax_t)read_bytes(SEGMENT, 0), SEGMENT,
		"a line that is lost after all is passed over");
	tap_int((intmax_t)reader.missed, 2, "and counts as missed");
	close_journal();
}

/* A new segment is there before its first line. */
static void test_new_segment(void)
{
	char old[TR2_SEGMENT_PATH], new[TR2_SEGMENT_PATH];
	int before;

	open_journal(LIMIT);
	add_long(&journal, LINE);
	add_long(&journal, LINE);
	while (read_bytes(SEGMENT, 0))
		;
	before = count_descriptors();
	tr2_journal_room(&journal, 1);
	tap_int((intmax_t)read_bytes(9, 0), 0, "a new segment has no line yet");
	tap_int(count_descriptors() - before, 1, "so no reader opens it");
	tr2_journal_room(&journal, 2 * SEGMENT);
	add_text(&journal, "1\n", 1);
	tap_int((intmax_t)read_bytes(9, 0), 2, "the one in its place is read");
	tr2_segment_name(old, "spool", 0, 0);
	tr2_segment_name(new, "spool", SEGMENT, 2);
	tap_ok(has_file(old) && has_file(new), "both have their files");
	close_journal();
}

/*
 * A journal of two files, of which somebody cuts the first one. A reader that
 * has read so many bytes gets this, and misses so many lines.
 */
static const struct cut {
	const char *what;
	off_t size;
	size_t before;
	const char *wanted;
	int missed;
} cuts[] = {
	{ "a file that was cut between two lines gives those before", 4, 0,
	  "1\n2\n", 3 },
	{ "one that was cut inside of a line gives the whole ones", 5, 0,
	  "1\n2\n", 3 },
	{ "one that was emptied gives none", 0, 0, "", 5 },
	{ "a reader that was at the cut misses the rest", 4, 4, "1\n2\n", 3 },
	{ "one that was after it does, too", 2, 4, "1\n2\n", 3 },
	{ "one that was inside of a line gets an end of it", 5, 5, "1\n2\n3\n",
	  3 },
};

static void write_and_cut(const struct cut *cut, char *text)
{
	char path[TR2_SEGMENT_PATH];

	open_journal(LIMIT);
	add_text(&journal, "1\n2\n345\n4\n", 4);
	add_long(&journal, SEGMENT - 10);
	if (cut->before && read_bytes(cut->before, 0))
		strcpy(text, got);
	add_text(&journal, "6\n", 1);
	tr2_segment_name(path, "spool", 0, 0);
	tap_need(!truncate(path, cut->size));
}

static void try_cut(const struct cut *cut, bool again)
{
	char text[64] = "", name[128], wanted[64];
	int i;

	write_and_cut(cut, text);
	if (again) {
		tr2_journal_close(&journal);
		tr2_journal_open(&journal, "spool", LIMIT);
		tr2_journal_join(&journal, &reader, 0, 0);
	}
	snprintf(wanted, sizeof(wanted), "1%s6\n", cut->wanted);
	snprintf(name, sizeof(name), "%s%s", cut->what,
		 again ? ", after a restart" : "");
	i = tr2_journal_is_cut(&journal);
	memmove(text + 1, text, strlen(text) + 1);
	*text = i ? '1' : '0';
	for (i = 0; i < 9; i++)
		if (read_bytes(SEGMENT, 0))
			strcat(text, got);
	if (reader.at != journal.end || (int)reader.missed != cut->missed ||
	    reader.line + reader.ahead != journal.lines)
		strcat(text, "but it is not at the end");
	tap_str(text, wanted, name);
	close_journal();
}

static void test_cuts(void)
{
	const size_t count = sizeof(cuts) / sizeof(*cuts);
	size_t i;

	for (i = 0; i < count; i++) {
		try_cut(&cuts[i], false);
		if (!cuts[i].before)
			try_cut(&cuts[i], true);
	}
}

/* Somebody cuts the file that is mapped, before lines are put there. */
static void test_cut_memory(void)
{
	char path[TR2_SEGMENT_PATH], *room;

	open_journal(LIMIT);
	add_text(&journal, "1\n", 1);
	room = tr2_journal_room(&journal, 4);
	tr2_segment_name(path, "spool", 0, 0);
	tap_need(!truncate(path, 2));
	memcpy(room + 8192, "far", 4);
	tap_str(room + 8192, "far", "memory that lost its file can be used");
	tap_ok(!journal.harmed, "which is known when the file is left");
	add_text(&journal, "2\n", 1);
	tap_ok(journal.harmed, "that is with the next line");
	read_bytes(9, 0);
	tap_str(got, "1\n", "what the file has is read");
	read_bytes(9, 0);
	tap_str(got, "2\n", "and so is what comes after the cut");
	close_journal();
}

/* Somebody cuts the file that is written, and nothing follows. */
static void test_cut_last(void)
{
	char path[TR2_SEGMENT_PATH];

	open_journal(LIMIT);
	add_text(&journal, "1\n2\n", 2);
	tr2_segment_name(path, "spool", 0, 0);
	tap_need(!truncate(path, 0));
	tap_int((intmax_t)read_bytes(9, 30), 0,
		"lines that cannot be read are not read");
	tap_int((intmax_t)reader.missed, 2, "they are missed instead");
	tap_ok(reader.at == 4 && reader.kept == 4 && reader.line == 2,
	       "and not waited for");
	add_text(&journal, "3\n", 1);
	tap_int((intmax_t)read_bytes(9, 0), 2, "what is written next is read");
	tap_str(got, "3\n", "with each of its bytes");
	close_journal();
}

/* At the end of what is shown, a reader has the lines that are shown. */
static void test_join_end(void)
{
	struct tr2_journal_reader after;

	tr2_journal_open(&journal, "spool", LIMIT);
	add_text(&journal, "1\n2\n", 2);
	tr2_journal_join(&journal, &reader, 4, 9);
	tap_int((intmax_t)reader.line, 9,
		"who joins at the end knows its line");
	tr2_journal_join(&journal, &after, 5, 9);
	tap_int((intmax_t)after.line, 2, "who joins after it does not");
	close_journal();
	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 9);
	add_text(&journal, "1\n", 1);
	tr2_journal_rewind(&reader);
	tap_ok(!reader.at && reader.line == 9,
	       "who joins at the first byte knows its line, too");
	close_journal();
	tap_int((intmax_t)tr2_journal_find_marks(
			&(struct tr2_journal){
				.mutex = PTHREAD_MUTEX_INITIALIZER })
			.first,
		0, "a journal without segments has lost nothing");
	tr2_journal_open(&journal, "spool", LIMIT);
	add_text(&journal, "1\n2\n", 2);
	tr2_journal_close(&journal);
	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, UINT64_MAX, 0);
	tap_ok(reader.at == 4 && reader.line == 2,
	       "also if all lines are of an earlier process");
	close_journal();
}

/* As if its lines had been counted wrong. */
static void test_wrong_line(void)
{
	struct tr2_journal_reader other;
	int i;

	tr2_journal_open(&journal, "spool", 1);
	tr2_journal_join(&journal, &reader, 0, 9);
	tr2_journal_join(&journal, &other, 0, 0);
	for (i = 0; i < 3; i++) {
		add_long(&journal, LINE);
		add_long(&journal, LINE);
	}
	tr2_journal_rewind(&other);
	tap_int((intmax_t)other.missed, 2, "what is removed is missed");
	tr2_journal_rewind(&reader);
	tap_ok(reader.line == 2 && !reader.missed,
	       "a reader that claims more lines has missed none");
	close_journal();
}

int main(void)
{
	enter_directory();
	tap_run(test_read_whole, test_cut_line, test_new_segment, test_cut_last,
		test_cuts, test_cut_memory, test_join_end, test_wrong_line);
	leave_directory();
	return tap_done();
}
