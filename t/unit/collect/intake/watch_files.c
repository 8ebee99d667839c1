/*
 * Watched files at their limits: what counts as a change or an end, what a
 * restart knows, and calls of the system that fail or are late.
 */
#include "collect/intake/watch_kit.h"

#include <stdarg.h>
#include <sys/syscall.h>

#include "host/host.h"

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

static void test_value(void)
{
	begin_removal();
	write_file("in/a", "{\"event\":\"data_json\",\"value\":"
			   "{\"event\":\"atexit\"}}\n");
	write_file("in/b", "{\"sid\":\"1\",\"event\":\"atexit\"}\n");
	look_once();
	tap_str(show_file("a"), "49", "a value is no end of a process");
	tap_str(show_file("b"), "29 ended",
		"an end may have other keys before");
	pass_time(10 * CLOCK_SECOND);
	tap_ok(stays_there("in/a"), "so its file is not removed meanwhile");
	end_watch();
}

/* A filter's memory still has the bytes of the file before. */
static void test_end_of_another(void)
{
	begin_watch();
	add_filter(TR2_FILTER_PASS, false);
	write_file("in/a", "a line that is longer than the end is\n" END);
	look_once();
	write_file("in/b", "a line that is no shorter than it\n2\n");
	look_once();
	tap_str(show_file("b"), "36", "another file's end is none");
	tr2_filter_end(&filter);
	end_watch();
}

/* What is in the journal must not be taken for a place in a file. */
static void test_small_after_large(void)
{
	char line[1001] = "";

	memset(line, 'x', sizeof(line) - 1);
	line[999] = '\n';
	begin_removal();
	write_file("in/large", line);
	look_once();
	write_file("in/a", END "half");
	look_once();
	append_file("in/a", "way\n" END);
	tap_str(look_once(), "halfway\n" END,
		"a small file after a large one is read on");
	append_file("in/a", "ha");
	pass_time(3 * CLOCK_SECOND);
	tap_ok(stays_there("in/a"), "it stays while a line is not read");
	end_watch();
}

static void test_skipped(void)
{
	begin_watch();
	write_file("in/a", "");
	if (truncate("in/a", (off_t)TR2_LINE_MAX))
		abort();
	look_once();
	tap_ok(tr2_watch_timeout(&watches) > 0,
	       "a line that is skipped is not waited for");
	append_file("in/a", "\n");
	look_once();
	tap_str(show_file("a"), "16777217", "its end may come alone");
	append_file("in/a", "2\n");
	tap_str(look_once(), "2\n", "then the next line is read");
	end_watch();
}

/*
 * ---- Changes
 */

static void test_touched(void)
{
	begin_removal();
	look_once();
	write_file("in/a", END);
	set_age("in/a", OLD);
	tap_ok(stays_there("in/a"), "a new file is not old");
	pass_time(CLOCK_SECOND);
	set_age("in/a", OLD + 1);
	tap_ok(stays_there("in/a"), "a file may be touched");
	pass_time(CLOCK_SECOND);
	tap_ok(stays_there("in/a"), "which is a change");
	pass_time(CLOCK_SECOND);
	tap_ok(!stays_there("in/a"), "as others are");
	end_watch();
}

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

static void test_future(void)
{
	begin_removal();
	write_file("in/a", "1\n");
	set_age("in/a", OLD);
	set_time(OLD - 5000);
	tap_ok(stays_there("in/a"), "a file of the future stays");
	pass_time(DAY);
	tap_ok(!stays_there("in/a"), "for a day and no longer");
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

/* An output has less than the file's lines before the restart. */
static void test_needed_again(void)
{
	struct tr2_journal_reader reader;

	begin_removal();
	tr2_journal_join(&journal, &reader, 0, 0);
	write_file("in/a", "1\n" END);
	set_age("in/a", OLD);
	set_time(OLD + 100);
	look_once();
	tr2_watch_end(&watches);
	begin_again();
	watches.remove = true;
	tr2_journal_keep(&reader, 2, 1);
	tap_ok(stays_there("in/a"),
	       "after a restart outputs need a file as before");
	tr2_journal_keep(&reader, 22, 2);
	tap_ok(!stays_there("in/a"),
	       "one that ended before it goes at once then");
	set_time(0);
	end_watch();
}

static void test_without_directories(void)
{
	begin_intake();
	watches.count = 0;
	tr2_watch_begin(&watches, &journal);
	tr2_watch_read(&watches, &intake, true);
	tap_str(kit_text("spool/watched"), "each record has a check\n",
		"without directories the list is empty");
	tr2_watch_end(&watches);
	end_intake();
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
	if (truncate("in/a", (off_t)TR2_LINE_MAX + 100))
		abort();
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

static void put_link(void)
{
	unlink("in/a");
	(void)!symlink("../outside", "in/a");
}

static void put_pipe(void)
{
	unlink("in/a");
	mkfifo("in/a", 0600);
}

/* Between the look at a file and its opening, another one has its name. */
static void test_replaced(void)
{
	begin_watch();
	write_file("outside", "secret\n");
	write_file("in/a", "1\n");
	before_open = put_link;
	tap_str(look_once(), "", "a file that becomes a link is not read");
	unlink("in/a");
	write_file("in/a", "1\n");
	before_open = put_pipe;
	alarm(60);
	tap_str(look_once(), "", "one that becomes a pipe is not waited for");
	alarm(0);
	unlink("outside");
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

/*
 * ---- Time
 */

static void take_second(void)
{
	pass_time(CLOCK_SECOND);
}

static void test_slow(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	before_open = take_second;
	look_once();
	tap_ok(tr2_watch_timeout(&watches) > 19000,
	       "after a slow look there is a long pause");
	end_watch();
}

static void test_in_time(void)
{
	begin_watch();
	look_once();
	write_file("in/a", "1\n");
	pass_time((uint64_t)tr2_watch_timeout(&watches) * 1000000);
	tr2_watch_read(&watches, &intake, false);
	tap_str(read_new(), "1\n", "after the time that it tells, it looks");
	end_watch();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_short();
	test_no_end();
	test_value();
	test_end_of_another();
	test_small_after_large();
	test_skipped();
	test_touched();
	test_later();
	test_future();
	test_known();
	test_needed_again();
	test_without_directories();
	test_failing();
	test_no_memory();
	test_replaced();
	test_users();
	test_slow();
	test_in_time();
	tap_int(count_descriptors(), before,
		"no file stays open, whatever happens to it");
	leave_directory();
	return tap_done();
}
