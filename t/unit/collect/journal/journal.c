/* Lines on disk: what readers get, and what a process leaves behind. */
#include "collect/journal/journal_kit.h"

#define BIG ((size_t)3 << 20) /* a segment has two of them */

static void name_segment(char path[TR2_SEGMENT_PATH], uint64_t begin,
			 uint64_t line)
{
	tr2_segment_name(path, "spool", begin, line);
}

/* Open what these segments leave, and read all. */
static const char *recover_text(struct tr2_journal *journal)
{
	struct tr2_journal_reader reader;
	const char *why = tr2_journal_open(journal, "spool", LIMIT);

	if (why)
		return why;
	tr2_journal_join(journal, &reader, 0, 0);
	read_text(&reader);
	tr2_journal_close(journal);
	return got;
}

/*
 * ---- Readers
 */

static void test_uncommitted(void)
{
	struct tr2_journal_reader reader;
	struct tr2_journal journal;
	char *room;

	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	room = tr2_journal_room(&journal, 4);
	memcpy(room, "1\n2\n", 4);
	tap_str(read_text(&reader), "", "what is not committed is not read");
	tr2_journal_commit(&journal, 2, 1);
	tap_str(read_text(&reader), "", "nor what was not shown");
	show_lines(&journal);
	tap_str(read_text(&reader), "1\n", "but then it is");
	tr2_journal_close(&journal);
	tap_str(recover_text(&journal), "1\n",
		"and after a restart nothing else is there");
	remove_all("spool");
}

/* A reader that stands must not stop the writer. */
static void test_limit(void)
{
	struct tr2_journal_reader slow, fast;
	struct tr2_journal journal;
	bool kept = true;
	int i;

	tr2_journal_open(&journal, "spool", 3 * BIG);
	tr2_journal_join(&journal, &slow, 0, 0);
	tr2_journal_join(&journal, &fast, 0, 0);
	for (i = 0; i < 8; i++) {
		kept = kept && add_long(&journal, BIG);
		tr2_journal_keep(&fast, journal.end, journal.lines);
	}
	tap_ok(kept, "a full journal accepts lines");
	read_text(&slow);
	tap_ok(slow.missed > 3 && slow.missed < 8,
	       "the oldest lines go, and are missed by who stands");
	tap_int((intmax_t)(slow.missed * BIG), (intmax_t)slow.kept,
		"each of them is counted once");
	tr2_journal_rewind(&fast);
	tap_int((intmax_t)fast.missed, 0, "who was in time misses none");
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* The segment of a line that is half read may be removed meanwhile. */
static void test_half_read(void)
{
	struct tr2_journal_reader reader;
	struct tr2_journal journal;
	uint64_t rest = BIG;
	bool ended;
	size_t len;
	int i;

	tr2_journal_open(&journal, "spool", BIG);
	tr2_journal_join(&journal, &reader, 0, 0);
	add_long(&journal, BIG);
	rest -= tr2_journal_read(&reader, got, sizeof(got), 0, &ended);
	for (i = 0; i < 4; i++)
		add_long(&journal, BIG);
	while (rest > 0 &&
	       (len = tr2_journal_read(&reader, got, sizeof(got), 0, &ended)))
		rest -= len;
	tap_int((intmax_t)rest, 0, "a line that was begun is read to its end");
	tap_ok(got[len - 1] == '\n', "which is its LF");
	tap_int((intmax_t)reader.missed, 0, "so it is not missed");
	tr2_journal_keep(&reader, BIG, 1);
	read_text(&reader);
	tap_int((intmax_t)reader.missed, 1,
		"but the other line of its segment is");
	tr2_journal_close(&journal);
	remove_all("spool");
}

/*
 * ---- What an earlier process left
 */

static void test_restart(void)
{
	struct tr2_journal_reader reader;
	struct tr2_journal journal, other;

	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	add_text(&journal, "1\n2\n", 2);
	tap_str(tr2_journal_open(&other, "spool", LIMIT),
		"another service uses this directory",
		"a second process is refused");
	tr2_journal_close(&journal);
	tap_str(tr2_journal_open(&journal, "spool", LIMIT), NULL,
		"after its end the next one is not");
	tap_int((intmax_t)journal.end, 4, "the bytes are counted on");
	tap_int((intmax_t)journal.lines, 2, "and the lines");
	tr2_journal_join(&journal, &reader, 2, 1);
	tap_str(read_text(&reader), "2\n", "a reader goes on at its place");
	add_text(&journal, "3\n", 1);
	tap_str(read_text(&reader), "3\n", "and gets what is new");
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* Names that only look like a segment's, and a directory of a later one. */
static void test_foreign(void)
{
	static const char *const names[] = {
		"spool/notes",
		"spool/0000000000000000-000000000000000G",
		"spool/0000000000000000+0000000000000000",
		"spool/0000000000000000-00000000000000001",
		"spool/00000000000000-0000000000000000",
	};
	const size_t count = sizeof(names) / sizeof(*names);
	char path[TR2_SEGMENT_PATH];
	struct tr2_journal journal;
	bool stay = true;
	size_t i;

	mkdir("spool", 0700);
	for (i = 0; i < count; i++)
		write_file(names[i], "foreign\n");
	name_segment(path, 0, 0);
	write_file(path, "own\n");
	tap_str(recover_text(&journal), "own\n", "foreign files are not read");
	for (i = 0; i < count; i++)
		stay = stay && !access(names[i], F_OK);
	tap_ok(stay, "and stay");
	(void)!symlink("notes", "spool/00000000000000ff-0000000000000001");
	tap_ok(strstr(recover_text(&journal), "is a symbolic link"),
	       "a link in a segment's place is refused");
	remove_all("spool");
	mkdir("spool", 0700);
	mkdir(path, 0700);
	tap_ok(strstr(recover_text(&journal), "is not a regular file"),
	       "so is a directory in a segment's place");
	remove_all("spool");
}

static void test_refused(void)
{
	static char name[TR2_SEGMENT_DIR + 2];
	struct tr2_journal journal;

	memset(name, 'x', sizeof(name) - 1);
	tap_str(tr2_journal_open(&journal, name, LIMIT), "the name is too long",
		"a directory's name has a limit");
	tap_str(tr2_journal_open(&journal, "no/such", LIMIT), strerror(ENOENT),
		"a directory that cannot be made is refused");
	write_file("plain", "");
	tap_ok(tr2_journal_open(&journal, "plain", LIMIT) != NULL,
	       "a file is no directory for a journal");
	unlink("plain");
	if (!geteuid()) {
		tap_skip("a directory that cannot be written", "root may");
		return;
	}
	mkdir("spool", 0500);
	tap_str(tr2_journal_open(&journal, "spool", LIMIT), strerror(EACCES),
		"a directory that cannot be written is refused");
	remove_all("spool");
}

/* The service goes on, and so does its count of bytes. */
static void test_vanished(void)
{
	struct tr2_journal_reader reader;
	struct tr2_journal journal;

	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	remove_all("spool");
	tap_ok(add_text(&journal, "1\n", 1), "a lost directory is made again");
	tap_str(read_text(&reader), "1\n", "and its lines are read");
	tr2_journal_close(&journal);
	tap_str(recover_text(&journal), "1\n", "also by the next process");
	remove_all("spool");
}

/* The limit on files stands for a disk with little space. */
static void test_little_space(void)
{
	const struct rlimit little = { 2 * TR2_JOURNAL_SEGMENT, RLIM_INFINITY };
	const struct rlimit much = { RLIM_INFINITY, RLIM_INFINITY };
	struct tr2_journal journal;

	signal(SIGXFSZ, SIG_IGN);
	tr2_journal_open(&journal, "spool", LIMIT);
	setrlimit(RLIMIT_FSIZE, &little);
	tap_ok(!tr2_journal_room(&journal, 2 * TR2_JOURNAL_SEGMENT),
	       "a line without space is refused");
	tap_ok(add_text(&journal, "1\n", 1),
	       "and a short one after it is kept");
	tap_ok(!tr2_journal_room(&journal, 2 * TR2_JOURNAL_SEGMENT) &&
		       add_text(&journal, "2\n", 1),
	       "also after another one");
	setrlimit(RLIMIT_FSIZE, &much);
	tr2_journal_close(&journal);
	tap_str(recover_text(&journal), "1\n2\n", "all of them are there");
	remove_all("spool");
}

int main(void)
{
	enter_directory();
	tap_run(test_uncommitted, test_limit, test_half_read, test_restart,
		test_foreign, test_refused, test_vanished, test_little_space);
	leave_directory();
	return tap_done();
}
