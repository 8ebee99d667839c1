/* What a look does about long lines, a full disk, a filter, and time. */
#include "collect/intake/watch_kit.h"

#define LONG ((off_t)TR2_LINE_MAX)

/* A file of so many bytes without an LF, and then this text. */
static void write_long(const char *path, off_t len, const char *text)
{
	write_file(path, "");
	tap_need(!truncate(path, len));
	append_file(path, text);
}

/* Returns how many bytes are new in the journal, and nothing of them. */
static intmax_t look_for_bytes(void)
{
	uint64_t before = journal.end;

	tr2_watch_read(&watches, &intake, true);
	read_before = journal.end;
	return (intmax_t)(journal.end - before);
}

static void test_large_files(void)
{
	begin_watch();
	write_long("in/a", 300 << 10, "1\nhalf");
	tap_int(look_for_bytes(), (300 << 10) + 2,
		"a line may be longer than a read");
	tap_int((intmax_t)intake.counts.lines, 1, "and is counted as one");
	append_file("in/a", "\n");
	tap_str(look_once(), "half\n", "the next one is read, too");
	write_long("in/b", 64 << 10, "\n2\n");
	tap_int(look_for_bytes(), (64 << 10) + 3, "so is one of a read");
	tap_int((intmax_t)intake.counts.dropped, 0, "nothing is dropped");
	end_watch();
}

static void test_too_long(void)
{
	begin_watch();
	write_long("in/a", LONG + 100, "\n2\n");
	tap_str(look_once(), "2\n", "a line that is too long is dropped");
	tap_int((intmax_t)intake.counts.dropped, 1, "and counted once");
	tap_int((intmax_t)intake.counts.lines, 1, "the next one is kept");
	tap_int((intmax_t)intake.counts.torn, 0, "nothing is torn");
	end_watch();
}

static void test_too_long_in_parts(void)
{
	begin_watch();
	write_long("in/a", LONG, "");
	tap_str(look_once(), "", "a line that is too long may have no end yet");
	tap_str(show_file("a"), "16777216 skips", "then its rest is skipped");
	append_file("in/a", "rest");
	look_once();
	tap_str(show_file("a"), "16777220 skips", "up to its end");
	tr2_watch_end(&watches);
	begin_again();
	append_file("in/a", " of it\n2\n");
	tap_str(look_once(), "2\n", "also after a restart");
	tap_int((intmax_t)intake.counts.dropped, 1, "it is counted once");
	end_watch();
}

static void test_just_not_too_long(void)
{
	begin_watch();
	write_long("in/a", LONG - 1, "");
	tap_int(look_for_bytes(), 0, "the longest line needs an end");
	append_file("in/a", "\n");
	tap_int(look_for_bytes(), (intmax_t)LONG, "with it, it is kept");
	tap_int((intmax_t)intake.counts.dropped, 0, "and not dropped");
	end_watch();
}

/*
 * ---- No space
 */

static void test_full_disk(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	write_file("in/b", "half");
	look_once();
	write_file("in/c", "3\n");
	append_file("in/a", END);
	tr2_journal_close(&journal);
	remove_all("spool");
	tr2_journal_open(&journal, "spool", LIMIT);
	read_before = 0;
	fill_disk(true);
	tap_str(look_once(), "", "a full disk takes no lines");
	tap_str(show_file("c"), "0", "which are not read then");
	tap_str(show_file("a"), "2", "nor is what is new");
	tap_int((intmax_t)intake.counts.dropped, 0,
		"nothing is dropped of either");
	pass_time(60 * CLOCK_SECOND);
	look_once();
	tap_str(show_file("b"), "0", "a line without an end stays, too");
	tap_int((intmax_t)intake.counts.torn, 0, "and does not count as torn");
	fill_disk(false);
	tap_ok(strstr(look_once(), "3\n") != NULL,
	       "all comes when there is space");
	tap_str(show_file("a"), "21 ended", "file by file");
	tap_int((intmax_t)intake.counts.lines, 4, "each line once");
	end_watch();
}

/* There is space for lines, but not for those that are set aside. */
static void test_no_space_aside(void)
{
	begin_watch();
	add_filter(TR2_FILTER_ASIDE, false);
	write_file("in/a", "junk\n");
	mkdir("spool/broken.log", 0700);
	tap_str(look_once(), "", "no broken line is passed on");
	tap_str(show_file("a"), "0", "it is read again until it can be kept");
	tap_int((intmax_t)filter.counts.unkept, 0, "and not counted before");
	rmdir("spool/broken.log");
	look_once();
	tap_str(show_file("a"), "5", "as soon as there is space");
	tap_str(kit_text("spool/broken.log"), "junk\n", "it is set aside");
	tap_int((intmax_t)filter.counts.aside, 1, "and counted there");
	tr2_filter_end(&filter);
	end_watch();
}

/*
 * ---- Time
 */

static void look_in_time(void)
{
	tr2_watch_read(&watches, &intake, false);
}

static void test_timeout(void)
{
	begin_watch();
	tap_int(tr2_watch_timeout(&watches), 0, "the first look is at once");
	look_in_time();
	tap_ok(tr2_watch_timeout(&watches) > 400, "the next one half a second");
	tap_ok(tr2_watch_timeout(&watches) <= 60000, "or a bit more after it");
	write_file("in/a", "1\n");
	look_in_time();
	tap_str(read_new(), "", "there is no look before");
	pass_time(60 * CLOCK_SECOND);
	tap_int(tr2_watch_timeout(&watches), 0, "its time comes");
	look_in_time();
	tap_str(read_new(), "1\n", "and it finds what is new");
	watches.count = 0;
	tap_int(tr2_watch_timeout(&watches), -1,
		"without directories nothing is waited for");
	watches.count = 1;
	end_watch();
}

/* Sockets have their turn after so many reads. */
static void test_budget(void)
{
	char name[16];
	int i, read = 0;

	begin_watch();
	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "in/f%d", i);
		write_file(name, "1\n");
	}
	look_in_time();
	tap_int((intmax_t)intake.counts.lines, 256,
		"a look reads 256 times at most");
	tap_int(tr2_watch_timeout(&watches), 0, "then the next one is due");
	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		read += tr2_watched_find(&watched[0].table, name) != NULL;
	}
	tap_int(read, 300, "all files are known");
	look_in_time();
	tap_int((intmax_t)intake.counts.lines, 300, "it reads the others");
	tap_ok(tr2_watch_timeout(&watches) > 0, "and the one after it waits");
	end_watch();
}

/*
 * Without space for the whole list, the old one is the better one. The list is
 * longer than what a full disk still takes.
 */
static void test_positions_and_full_disk(void)
{
	static char before[1000];
	char name[40];
	int i;

	begin_watch();
	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "in/a-file-with-a-long-name-%d",
			 i);
		write_file(name, "1\n");
	}
	look_once();
	snprintf(before, sizeof(before), "%s", kit_text("spool/watched"));
	watches.log.size = UINT64_C(3) << 20;
	fill_disk(true);
	look_once();
	append_file(name, "2\n");
	fill_disk(false);
	tap_str(kit_text("spool/watched"), before,
		"a list of positions that cannot be written leaves the old");
	tap_ok(!has_file("spool/watched.partial"), "and nothing beside it");
	tap_str(look_once(), "2\n", "files are read meanwhile");
	tr2_watch_end(&watches);
	begin_again();
	tap_str(look_once(), "", "and a restart reads none of them again");
	end_watch();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_large_files, test_too_long, test_too_long_in_parts,
		test_just_not_too_long, test_full_disk, test_no_space_aside,
		test_timeout, test_budget, test_positions_and_full_disk);
	tap_int(count_descriptors(), before, "no long file stays open");
	leave_directory();
	return tap_done();
}
