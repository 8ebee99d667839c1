/* What the journal does where the disk has space for one segment. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "journal_kit.h"

#define FILES 64

static struct tr2_journal journal;

static int files[FILES]; /* all that got space, also those that were removed */
static size_t count;
static off_t disk;

static off_t find_used(void)
{
	struct stat st;
	off_t used = 0;
	size_t i;

	for (i = 0; i < count; i++)
		used += fstat(files[i], &st) ? 0 : st.st_size;
	return used;
}

/* In place of the one of the C library. */
int posix_fallocate(int fd, off_t at, off_t len)
{
	if (find_used() + len > disk)
		return ENOSPC;
	files[count++ % FILES] = dup(fd);
	return ftruncate(fd, at + len) ? errno : 0;
}

static void read_and_keep(struct tr2_journal_reader *reader, size_t len)
{
	static char bytes[TR2_JOURNAL_SEGMENT];
	bool ended;
	size_t part, all = 0;

	while (all < len && (part = tr2_journal_read(
				     reader, bytes, sizeof(bytes), 50, &ended)))
		all += part;
	tap_int((intmax_t)all, (intmax_t)len, "all is read");
	tr2_journal_keep(reader, reader->at, 0);
}

/* A reader that has read all of a segment still has its file open. */
static void test_one_segment(void)
{
	struct tr2_journal_reader reader;
	int i;

	disk = TR2_JOURNAL_SEGMENT + TR2_JOURNAL_SEGMENT / 2;
	tr2_journal_open(&journal, "spool", (uint64_t)1 << 30);
	tr2_journal_join_first(&journal, &reader);
	for (i = 0; i < 3; i++) {
		tap_ok(add_long(&journal, TR2_JOURNAL_SEGMENT / 2),
		       "lines are kept again and again");
		tap_ok(add_long(&journal, TR2_JOURNAL_SEGMENT / 2 - 1),
		       "until the disk is full");
		tap_ok(!tr2_journal_room(&journal, 2),
		       "lines that were not read keep their space");
		read_and_keep(&reader, TR2_JOURNAL_SEGMENT - 1);
		tr2_clock_sleep(150);
	}
	tr2_journal_close(&journal);
}

int main(void)
{
	enter_directory();
	test_one_segment();
	remove_all("spool");
	leave_directory();
	return tap_done();
}
