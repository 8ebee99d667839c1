/*
 * Watched files at their limits: what counts as a change or an end, what a
 * restart knows, and calls of the system that fail or are late. A disk that is
 * full, and has space again: what is told, and when.
 */
#include <stdarg.h>
#include <sys/syscall.h>

#include "collect/intake/watch_kit.h"
#include "host/host.h"
#include "collect/intake/intake.h"

/*
 * ---- Watch files
 */

#define OLD ((time_t)1000000)

static void (*before_open)(void); /* once, before a file is opened */
static int open_error;		  /* opening fails with this errno, */
static int read_error;		  /* or reading */
static uid_t user;		  /* 0: the real one */

int kit_openat(int dir, const char *path, int flags, ...) __asm__("openat");

int kit_openat(int dir, const char *path, int flags, ...)
{
	void (*then)(void) = before_open;

	before_open = NULL;
	if (then)
		then();
	if (!open_error)
		return (int)syscall(SYS_openat, dir, path, flags, 0);
	errno = open_error;
	return -1;
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (!read_error)
		return syscall(SYS_pread64, fd, bytes, len, at);
	errno = read_error;
	return -1;
}

uid_t geteuid(void)
{
	return user ? user : (uid_t)syscall(SYS_geteuid);
}

static void set_age(const char *path, time_t seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds },
				     { .tv_sec = seconds } };

	utimensat(AT_FDCWD, path, times, 0);
}

static void begin_removal(void)
{
	begin_watch();
	watches.remove = true;
}

/* A look that reads a file does not remove it yet. */
static bool stays_there(const char *name)
{
	look_once();
	look_once();
	return has_file(name);
}

/*
 * ---- Lines and ends
 */

static void test_short(void)
{
	begin_watch();
	write_file("in/a", "\n");
	tap_str(look_once(), "\n", "a file may be one empty line");
	write_file("in/b", END "\n");
	look_once();
	tap_str(show_file("b"), "20", "an empty line is no end of a process");
	end_watch();
}

static void test_no_end(void)
{
	begin_watch();
	write_file("in/a", "1\n{\"event\":\"atexi\"}");
	look_once();
	pass_time(60 * CLOCK_SECOND);
	look_once();
	tap_str(show_file("a"), "19", "the last line may be another event");
	end_watch();
}

/*
 * ---- Changes
 */

static void test_later(void)
{
	begin_removal();
	set_time(OLD + 48 * 60 * 60);
	look_once();
	write_file("in/a", "1\n");
	set_age("in/a", OLD);
	tap_ok(stays_there("in/a"), "a file that comes later counts from then");
	pass_time(2 * DAY);
	write_file("in/b", "");
	set_age("in/b", 0);
	tap_ok(stays_there("in/b"), "also an empty one of the year 1970");
	set_time(0);
	end_watch();
}

/*
 * ---- A restart
 */

static void test_known(void)
{
	begin_watch();
	tap_str(kit_text("spool/watched"), "each record has a check\n",
		"a list begins empty");
	tap_ok(has_file("spool/watched"), "and is there at once");
	write_file("in/a", "1\n");
	look_once();
	append_file("in/a", "2\n");
	look_once();
	tap_ok(strstr(kit_text("spool/watched"), " 2 0 in/a\n") &&
		       strstr(kit_text("spool/watched"), " 4 0 in/a\n"),
	       "each read is added to it");
	tr2_watch_end(&watches);
	begin_again();
	tap_ok(strstr(kit_text("spool/watched"), " 4 0 in/a\n") != NULL,
	       "after a restart it still has the last one");
	tap_ok(!strstr(kit_text("spool/watched"), " 2 0 in/a\n"),
	       "and no earlier one");
	end_watch();
}

/*
 * ---- Calls that fail
 */

static void test_failing(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	open_error = EMFILE;
	tap_str(look_once(), "", "a file that cannot be opened is not read");
	open_error = 0;
	read_error = EIO;
	look_once();
	tap_str(show_file("a"), "0", "nor one that cannot be read");
	read_error = 0;
	tap_str(look_once(), "1\n", "until it can be");
	tap_need(!truncate("in/a", (off_t)TR2_LINE_MAX + 100));
	look_once();
	append_file("in/a", "more");
	read_error = EIO;
	look_once();
	tap_str(show_file("a"), "16777316 skips",
		"a line is skipped only as far as it can be read");
	read_error = 0;
	end_watch();
}

static struct tr2_host short_host;

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

static void test_no_memory(void)
{
	const struct tr2_host *usual = tr2_host;

	begin_watch();
	add_filter(TR2_FILTER_OFF, false);
	write_file("in/a", "1\n");
	short_host = *usual;
	short_host.realloc = refuse_memory;
	tr2_host = &short_host;
	look_once();
	tap_str(show_file("a"), "0", "without memory nothing is read");
	tr2_host = usual;
	tap_str(look_once(), "1\n", "it is read as soon as there is some");
	tap_int((intmax_t)intake.counts.dropped, 0, "no line is dropped");
	tr2_filter_end(&filter);
	end_watch();
}

static void test_users(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	user = 12345;
	if (chown("in/a", user, (gid_t)-1)) {
		tap_skip("files of the same user and of root are read",
			 "needs root");
	} else {
		tap_str(look_once(), "1\n", "files of the same user are read");
		write_file("in/b", "2\n");
		tap_str(look_once(), "2\n", "and those of root");
	}
	user = 0;
	end_watch();
}

static void run_tests_of_watch_files(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_short, test_no_end, test_later, test_known, test_failing,
		test_no_memory, test_users);
	tap_int(count_descriptors(), before,
		"no file stays open, whatever happens to it");
	leave_directory();
}

/*
 * ---- Space
 */

static const char *watch_once(void)
{
	divert_errors();
	tr2_space_watch(&intake);
	return show_errors();
}

static void test_full(void)
{
	begin_intake();
	tap_str(watch_once(), "", "a disk with space is not mentioned");
	tap_int(tr2_space_shorten(&intake, -1), -1, "nor looked at");
	fill_disk(true);
	tr2_journal_room(&journal, 1);
	intake.counts.drops[TR2_DROP_SPACE] += 2;
	tap_str(watch_once(),
		"trace2 collect: spool: no event can be kept: File too large\n",
		"a full disk is told at once, with the reason");
	tap_str(watch_once(), "", "it is told once");
	tap_int(tr2_space_shorten(&intake, -1), 500,
		"then it is looked at twice a second");
	tap_int(tr2_space_shorten(&intake, 20), 20, "or more often");
	intake.counts.drops[TR2_DROP_SPACE] += 3;
	fill_disk(false);
	tap_str(watch_once(), "", "space must stay for a second");
	pass_time(CLOCK_SECOND);
	tap_str(watch_once(),
		"trace2 collect: spool: events can be kept again; 5 were "
		"dropped\n",
		"then it is told, although no event came");
	tap_str(watch_once(), "", "and not told twice");
	fill_disk(true);
	tr2_journal_room(&journal, 2 * TR2_JOURNAL_SEGMENT);
	tap_ok(*watch_once(), "another time is told again");
	fill_disk(false);
	end_intake();
}

static void test_age(void)
{
	begin_intake();
	journal.age = 3600;
	tap_int(tr2_space_shorten(&intake, -1), 10000,
		"events that may be too old are looked at");
	tap_int(tr2_space_shorten(&intake, 20), 20,
		"or sooner, when something else is due");
	end_intake();
}

static void run_tests_of_space(void)
{
	enter_directory();
	test_full();
	test_age();
	leave_directory();
}

int main(void)
{
	tap_run(run_tests_of_watch_files, run_tests_of_space);
	return tap_done();
}
