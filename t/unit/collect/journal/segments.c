/* The files of a journal: which there are, how large, and who may read them. */
#include "collect/journal/journal_kit.h"

#include <dirent.h>
#include <fcntl.h>

#include "lib/files/clock.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define HALF (SEGMENT / 2)

static struct tr2_journal journal;

/* The bytes of all segments; the number of segments in `count`. */
static size_t measure_files(int *count)
{
	DIR *dir = opendir("spool");
	struct dirent *entry;
	char path[300];
	size_t bytes = 0;
	struct stat st;

	*count = 0;
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "spool/%s", entry->d_name);
		if (strlen(entry->d_name) != 33 || stat(path, &st))
			continue;
		bytes += (size_t)st.st_size;
		++*count;
	}
	if (dir)
		closedir(dir);
	return bytes;
}

static int count_files(void)
{
	int count;

	measure_files(&count);
	return count;
}

static bool is_file(uint64_t begin, uint64_t line, size_t size)
{
	char path[TR2_SEGMENT_PATH];
	struct stat st;

	tr2_segment_name(path, "spool", begin, line);
	return !stat(path, &st) && (size_t)st.st_size == size;
}

static void fill_segments(int count)
{
	int i;

	for (i = 0; i < 2 * count; i++)
		if (!add_long(&journal, HALF))
			tap_ok(0, "a line is kept");
}

/* What any reader needs stays, and goes when none needs it. */
static void test_needed(void)
{
	struct tr2_journal_reader slow, fast;

	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &slow, 0, 0);
	tr2_journal_join(&journal, &fast, 0, 0);
	fill_segments(3);
	tr2_journal_keep(&fast, journal.end, journal.lines);
	tap_int((intmax_t)tr2_journal_find_marks(&journal).needed, 0,
		"the slowest reader counts");
	fill_segments(1);
	tap_int(count_files(), 4, "what a reader needs stays");
	tr2_journal_keep(&slow, SEGMENT - 1, 1);
	fill_segments(1);
	tap_int(count_files(), 5, "down to its last byte");
	tr2_journal_keep(&slow, SEGMENT, 2);
	fill_segments(1);
	tap_int(count_files(), 5, "then its segment goes");
	tr2_journal_keep(&slow, journal.end, journal.lines);
	tr2_journal_close(&journal);
	tap_int(count_files(), 3, "at the end the other reader's stay");
	remove_all("spool");
}

/* All files together never have more bytes than the limit. */
static void test_limit(void)
{
	struct tr2_journal_reader reader;
	size_t bytes, most = 0;
	int i, count;

	tr2_journal_open(&journal, "spool", 3 * SEGMENT);
	tr2_journal_join(&journal, &reader, 0, 0);
	for (i = 0; i < 8; i++) {
		fill_segments(1);
		bytes = measure_files(&count);
		most = bytes > most ? bytes : most;
	}
	tap_int((intmax_t)most, 3 * SEGMENT, "the limit is used, and kept");
	tr2_journal_close(&journal);
	tap_int(count_files(), 3, "a reader that stood finds as much later");
	remove_all("spool");
	tr2_journal_open(&journal, "spool", 1);
	tr2_journal_join(&journal, &reader, 0, 0);
	fill_segments(3);
	tap_int(count_files(), 2, "below any limit two segments stay");
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* One line that is read by nobody, and a segment without lines. */
static void test_no_limit(void)
{
	struct tr2_journal_reader reader;

	tr2_journal_open(&journal, "spool", 0);
	tr2_journal_join(&journal, &reader, 0, 0);
	add_text(&journal, "\n", 1);
	tr2_journal_room(&journal, SEGMENT);
	tr2_journal_close(&journal);
	tap_ok(count_files() == 1 && is_file(1, 1, 0),
	       "below a limit of 0 at the end not one byte stays");
	remove_all("spool");
}

static void test_refused(void)
{
	char name[TR2_SEGMENT_DIR + 2];
	struct tr2_journal other;
	FILE *plain = fopen("plain", "w");

	fclose(plain);
	tap_str(tr2_journal_open(&journal, "plain", LIMIT), strerror(ENOTDIR),
		"a file is no directory, which is told");
	unlink("plain");
	tr2_journal_open(&journal, "spool", LIMIT);
	tap_str(tr2_journal_open(&other, "spool", LIMIT),
		"another service uses this directory",
		"so is that there is another service");
	tr2_journal_close(&journal);
	tap_str(tr2_journal_open(&other, "spool", LIMIT), NULL,
		"which may have ended");
	tr2_journal_close(&other);
	remove_all("spool");
	memset(name, '/', sizeof(name));
	memcpy(name, "./spool", 7);
	name[TR2_SEGMENT_DIR + 1] = '\0';
	tap_str(tr2_journal_open(&other, name, LIMIT), "the name is too long",
		"a name has a limit");
	tap_ok(!has_file("spool"),
	       "a name that is too long makes no directory");
	name[TR2_SEGMENT_DIR] = '\0';
	tap_str(tr2_journal_open(&other, name, LIMIT), NULL,
		"a name may be as long as that");
	tap_ok(add_text(&other, "1\n", 1) && is_file(0, 0, SEGMENT),
	       "and segments are there");
	tr2_journal_close(&other);
	remove_all("spool");
}

/* The limit on files stands for a full disk. */
static void test_full(void)
{
	const struct rlimit little = { SEGMENT, RLIM_INFINITY };
	const struct rlimit much = { RLIM_INFINITY, RLIM_INFINITY };
	int before;

	signal(SIGXFSZ, SIG_IGN);
	tr2_journal_open(&journal, "spool", LIMIT);
	add_text(&journal, "1\n", 1);
	before = count_descriptors();
	setrlimit(RLIMIT_FSIZE, &little);
	tap_ok(!tr2_journal_room(&journal, SEGMENT), "the disk is full");
	setrlimit(RLIMIT_FSIZE, &much);
	tap_ok(count_files() == 1 && is_file(0, 0, 2),
	       "a segment that could not be made leaves no file");
	tap_int(count_descriptors(), before, "and no descriptor");
	tap_ok(!tr2_journal_room(&journal, SEGMENT),
	       "the disk is not asked again at once");
	tr2_clock_sleep(150);
	tap_ok(add_long(&journal, SEGMENT) && is_file(2, 1, 2 * SEGMENT),
	       "but soon");
	tr2_journal_close(&journal);
	remove_all("spool");
}

int main(void)
{
	enter_directory();
	tap_run(test_needed, test_limit, test_no_limit, test_refused,
		test_full);
	leave_directory();
	return tap_done();
}
