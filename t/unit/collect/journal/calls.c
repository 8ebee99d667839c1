/* A journal while calls of the system fail or return little. */
#define _GNU_SOURCE /* syscall() */
#include "kit/limits.h"
#include "collect/journal/journal_kit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "lib/files/clock.h"

#define SEGMENT TR2_JOURNAL_SEGMENT

static struct tr2_journal journal;
static struct tr2_journal_reader reader;

static size_t most_read;   /* bytes; 0: as many as there are */
static int read_error;	   /* 0: none */
static int keeps_reserved; /* files do not become shorter */

ssize_t pread(int fd, void *bytes, size_t room, off_t at)
{
	errno = read_error ? read_error : errno;
	if (read_error || lseek(fd, at, SEEK_SET) < 0)
		return -1;
	return read(fd, bytes,
		    most_read && most_read < room ? most_read : room);
}

int ftruncate(int fd, off_t size)
{
	errno = EIO;
	return keeps_reserved || size < 0
		       ? -1
		       : (int)syscall(SYS_ftruncate, fd, size);
}

static void close_journal(void)
{
	tr2_journal_close(&journal);
	remove_all("spool");
}

static void open_journal(void)
{
	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
}

static const char *read_all(size_t room)
{
	static char bytes[64];
	bool ended;
	size_t len = tr2_journal_read(&reader, bytes, room, 0, &ended);

	bytes[len] = '\0';
	return bytes;
}

/* Lines that are not shown yet, and then a new segment. */
static void test_not_shown(void)
{
	open_journal();
	add_text(&journal, "1\n", 1);
	memcpy(tr2_journal_room(&journal, 2), "2\n", 2);
	tr2_journal_commit(&journal, 2, 1);
	tr2_journal_room(&journal, SEGMENT);
	tap_str(read_all(50), "1\n", "a line that is not shown is not read");
	tap_str(read_all(50), "", "also if a segment begins after it");
	show_lines(&journal);
	tap_str(read_all(50), "2\n", "once it is shown it is read");
	close_journal();
}

/* Returns what is wrong; the journal has been closed again. */
static const char *recover_journal(void)
{
	const char *why = tr2_journal_open(&journal, "spool", LIMIT);

	if (!why)
		tr2_journal_close(&journal);
	return why;
}

static void test_recover(void)
{
	int before, lowest;

	open_journal();
	add_text(&journal, "1\n2\n", 2);
	tr2_journal_close(&journal);
	before = count_descriptors();
	most_read = 3;
	tap_str(recover_journal(), "a file became shorter",
		"a segment that ends early is told");
	most_read = 0;
	read_error = EIO;
	tap_str(recover_journal(), strerror(EIO),
		"so is a segment that can't be read");
	read_error = 0;
	keeps_reserved = 1;
	tap_str(recover_journal(), strerror(EIO),
		"and one whose end can't be cut");
	keeps_reserved = 0;
	lowest = dup(0);
	close(lowest);
	limit_files((rlim_t)lowest + 1); /* one for the lock */
	tap_str(recover_journal(), strerror(EMFILE),
		"a directory is opened, or it is told why not");
	limit_files(0);
	tap_int(count_descriptors(), before,
		"a journal that is not opened leaves no descriptor open");
	tap_str(recover_journal(), NULL, "it may be opened later");
	remove_all("spool");
}

/* Neither the segment nor its file is left of one without lines. */
static void test_no_segment(void)
{
	char path[TR2_SEGMENT_PATH];

	open_journal();
	tr2_journal_room(&journal, 1);
	limit_files(3);
	tap_ok(!tr2_journal_room(&journal, SEGMENT + 1),
	       "without a descriptor there is no room");
	limit_files(0);
	tr2_segment_name(path, "spool", 0, 0);
	if (getenv("TEST_UNDER_VALGRIND"))
		tap_skip("a segment without lines is removed before",
			 "valgrind opens a file before it refuses it");
	else
		tap_ok(!has_file(path),
		       "a segment without lines is removed before");
	tap_ok(add_text(&journal, "1\n", 1), "less room may still be had");
	tap_str(read_all(50), "1\n", "and its line is read");
	close_journal();
	open_journal();
	add_text(&journal, "1\n", 1);
	limit_files(3);
	tap_ok(!tr2_journal_room(&journal, SEGMENT),
	       "a line may be too long for what is left");
	limit_files(0);
	tap_ok(add_text(&journal, "2\n", 1), "a shorter line is kept then");
	tap_str(read_all(50), "1\n", "the line before it stays");
	tap_str(read_all(50), "2\n", "and it follows");
	close_journal();
}

/* A service that was begun without its standard input. */
static void test_lowest(void)
{
	int before = dup(0), i;

	open_journal();
	close(0);
	add_text(&journal, "1\n", 1);
	tap_int(fcntl(0, F_GETFD), FD_CLOEXEC,
		"no other program gets a segment");
	dup2(before, 0);
	close_journal();
	tr2_journal_open(&journal, "spool", 1);
	tr2_journal_join(&journal, &reader, 0, 0);
	add_text(&journal, "123\n4\n", 2);
	close(0);
	read_all(1);
	tap_ok(!reader.fd && fcntl(0, F_GETFD) == FD_CLOEXEC,
	       "nor does it get that of a reader");
	for (i = 0; i < 3; i++)
		add_long(&journal, SEGMENT);
	tap_str(read_all(9), "23\n", "a line is finished by any descriptor");
	tr2_journal_rewind(&reader);
	tap_int(fcntl(0, F_GETFD), -1, "which is closed then");
	dup2(before, 0);
	close(before);
	close_journal();
}

static void test_unmapped(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char resident;
	char *map;

	open_journal();
	map = tr2_journal_room(&journal, 1);
	tap_int(mincore(map, page, &resident), 0, "the last segment is mapped");
	close_journal();
	tap_ok(mincore(map, page, &resident) == -1 && errno == ENOMEM,
	       "until the journal is closed");
}

int main(void)
{
	enter_directory();
	tap_run(test_not_shown, test_recover, test_no_segment, test_lowest,
		test_unmapped);
	leave_directory();
	return tap_done();
}
