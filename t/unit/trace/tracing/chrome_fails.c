/* Files of trace events where locks, memory and writes fail. */
#define _GNU_SOURCE /* syscall */
#include "trace/tracing/chrome_kit.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>

static int lock_error, dup_error, stat_error;
static int stat_at; /* it fails at that call; 0: never */

int fcntl(int fd, int command, ...)
{
	va_list args;
	long value;
	int error = 0;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if (command == F_SETLK || command == F_OFD_SETLK)
		error = lock_error;
	if (command == F_DUPFD_CLOEXEC)
		error = dup_error;
	if (!error)
		return (int)syscall(SYS_fcntl, fd, command, value);
	lock_error = 0;
	errno = error;
	return -1;
}

int fstat(int fd, struct stat *st)
{
	if (!stat_at || --stat_at)
		return (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
	errno = stat_error;
	return -1;
}

static int opens, open_flags, wrong_closes, closes;
static size_t path_len;

static int open_noted(const char *path, int flags, mode_t mode)
{
	int fd;

	open_flags = flags;
	path_len = strlen(path);
	fd = open(path_len > 1000 ? "long.json" : path, flags, mode);
	opens += fd >= 0;
	return fd;
}

static int close_noted(int fd)
{
	wrong_closes += close(fd) != 0;
	closes++;
	errno = EXDEV;
	return 0;
}

static int begin_counted(const char *pattern)
{
	opens = closes = wrong_closes = 0;
	errno = EAGAIN;
	return begin_file(pattern);
}

/*
 * Opening
 */

static void test_locks(void)
{
	tap_ok(!begin_counted("free.json") && !file.nested && opens == 1,
	       "a file that nobody has is one's own");
	tap_ok((open_flags & (O_NOCTTY | O_NONBLOCK)) ==
		       (O_NOCTTY | O_NONBLOCK),
	       "nobody waits for a file, nor gets a terminal");
	tr2_chrome_file_end(&file);
	lock_error = EACCES;
	tap_ok(!begin_counted("taken.json") && file.nested && opens == 2 &&
		       !access("taken-100.json", F_OK),
	       "there are two ways to say that it is another's");
	tr2_chrome_file_end(&file);
	lock_error = ENOLCK;
	tap_ok(begin_counted("taken.json") == ENOLCK && !file.nested &&
		       opens == 1 && closes == 2,
	       "a lock may fail for other reasons");
	renew_file("taken.json");
	file.nested = true;
	lock_error = EAGAIN;
	opens = 0;
	tap_ok(tr2_chrome_file_begin(&file, -1) == EAGAIN && opens == 1,
	       "who is nested already is not nested deeper");
	read_warnings();
}

static void test_opening_fails(void)
{
	stat_error = EIO;
	stat_at = 1;
	tap_ok(begin_counted("free.json") == EIO && closes == 1 &&
		       !wrong_closes,
	       "a file that can't be looked at is not used");
	stat_at = 2;
	tap_ok(begin_counted("free.json") == EIO && closes == 2 &&
		       !wrong_closes,
	       "nor one that can't be looked at twice");
	dup_error = EMFILE;
	tap_ok(begin_counted("free.json") == EMFILE && closes == 1 &&
		       !wrong_closes,
	       "nor one whose number is too low");
	dup_error = 0;
	tr2_chrome_file_end(&file);
	tap_int(wrong_closes, 0, "what is not open is not closed");
	read_warnings();
}

static void test_long_paths(void)
{
	static char pattern[4200];

	memset(pattern, 'x', 4096);
	tap_ok(begin_counted(pattern) && !opens, "a path may be too long");
	read_warnings();
	pattern[4095] = '\0';
	tap_ok(!begin_counted(pattern) && path_len == 4095,
	       "4095 bytes are not");
	tr2_chrome_file_end(&file);
	pattern[4091] = '\0';
	lock_error = EAGAIN;
	tap_ok(!begin_counted(pattern) && path_len == 4096 - 1,
	       "with the number of a process, too");
	tr2_chrome_file_end(&file);
	read_warnings();
}

/*
 * Writing
 */

static int held, not_held, empty_writes, returns_nothing;

static int is_blocked(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGPIPE);
}

static ssize_t write_little(int fd, const void *bytes, size_t len)
{
	*(is_blocked() ? &held : &not_held) += fd != 2;
	empty_writes += !len;
	if (returns_nothing && fd != 2) {
		errno = EINTR;
		return 0;
	}
	return write(fd, bytes, fd != 2 && len ? 1 : len);
}

static void test_writes(void)
{
	ssize_t (*before)(int, const void *, size_t) = host.write;

	host.write = write_little;
	begin_file("bytes.json");
	put_events(2);
	tr2_chrome_file_end(&file);
	tap_ok(has_events("bytes.json", 2, "]\n") && !empty_writes,
	       "a file may take a byte at a time");
	tap_ok(held > 100 && !not_held && !is_blocked(),
	       "a write's signals are held back, and nothing else's");
	begin_file("nothing.json");
	put_events(2);
	returns_nothing = 1;
	flush_file(0);
	tap_ok(file.fd == -1 && file.lost == 2, "one that takes nothing fails");
	returns_nothing = 0;
	host.write = before;
	read_warnings();
	tr2_chrome_file_end(&file);
	tap_ok(!*read_warnings() && !file.text.room,
	       "from then on nothing is said, nor kept");
}

static int refusals, refusal;
static ssize_t refused;

/* As the file system of a server may, whatever poll(2) tells. */
static ssize_t refuse_write(int fd, const void *bytes, size_t len)
{
	if (fd == 2)
		return write(fd, bytes, len);
	refusals++;
	errno = refusal;
	return refused;
}

/* Returns how often it is asked until the file is let go. */
static int ask_refused(ssize_t answer, int error)
{
	ssize_t (*before)(int, const void *, size_t) = host.write;

	refused = answer;
	refusal = error;
	refusals = 0;
	begin_file("refused.json");
	put_events(2);
	file.waited_ns = 0;
	host.write = refuse_write;
	flush_file(0);
	host.write = before;
	tap_int(file.fd, -1, "a system that refuses has no file in the end");
	read_warnings();
	tr2_chrome_file_end(&file);
	return refusals;
}

static void test_refused_writes(void)
{
	int often = ask_refused(-1, EAGAIN);

	tap_ok(often > 50 && often < 110,
	       "one that may take it later is asked again, not for ever");
	tap_int(ask_refused(-1, EIO), 1, "one that fails is asked once");
	tap_int(ask_refused(0, EAGAIN), 1, "so is one that takes nothing");
}

static void test_partial_lines(void)
{
	begin_file("partial.json");
	put_events(1);
	flush_file(0);
	put_events(2);
	file.text.bytes[file.text.len] = '\n';
	writable = 5;
	flush_file(0);
	writable = -1;
	tap_ok(has_events("partial.json", 1, "") && file.lost == 2,
	       "of a line nothing stays, and of others all");
	read_warnings();
	file.client.name(&file.client, &event, 3);
	put_events(1);
	flush_file(9);
	tap_ok(!file.text.len && file.lost == 3 && !*read_warnings(),
	       "without a file nothing is kept");
	tr2_chrome_file_end(&file);
	tap_str(read_warnings(), "", "nor said in the end");
}

/* The host has a file of its own under our number, or closes that. */
static void test_numbers_of_the_host(void)
{
	struct stat st;
	int theirs, number;

	begin_file("ours.json");
	put_events(2);
	number = file.fd;
	theirs = open("theirs", O_RDWR | O_CREAT, 0600);
	if (ftruncate(theirs, 5000000))
		exit(2);
	dup2(theirs, number);
	read_warnings();
	flush_file(0);
	tap_ok(file.fd == -1 && file.lost == 2 &&
		       strstr(read_warnings(), "could not write"),
	       "a number that is the host's is left to it, and losses counted");
	tap_ok(!fstat(number, &st) && st.st_size == 5000000 &&
		       !lseek(number, 0, SEEK_CUR),
	       "nothing is written to the host's file, nor is it cut");
	tr2_chrome_file_end(&file);
	close(number);
	close(theirs);
	begin_file("ours.json");
	put_events(2);
	close(file.fd);
	flush_file(0);
	tap_ok(file.fd == -1 && file.lost == 2, "one may just be closed");
	tr2_chrome_file_end(&file);
	read_warnings();
}

/*
 * Memory
 */

/* An event, room for part of another one, and no more. */
static void fill_disk(const char *path)
{
	begin_file(path);
	put_events(1);
	file.text.room = file.text.len + 20;
	refuses = 1;
}

static void test_memory(void)
{
	struct trace_reader_record name = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = FXT_OBJECT_THREAD,
		.id = 7,
		.name = { "a name that is longer than others, and finds less "
			  "room than any of those",
			  72 },
	};

	renew_file("none.json");
	refuses = 1;
	opens = wrong_closes = 0;
	tap_ok(tr2_chrome_file_begin(&file, -1) == ENOMEM && !opens &&
		       !wrong_closes,
	       "there is no file without memory for it");
	refuses = 0;
	tap_ok(!tr2_chrome_file_begin(&file, -1) &&
		       has_events("none.2.json", 0, ""),
	       "but when there is some again");
	tr2_chrome_file_end(&file);
	read_warnings();
	fill_disk("memory.json");
	put_events(2);
	refuses = 0;
	put_events(1);
	tr2_chrome_file_end(&file);
	tap_ok(has_events("memory.json", 2, "]\n") && file.lost == 2,
	       "a line that finds no memory leaves no part of it");
	fill_disk("memory.json");
	file.client.name(&file.client, &name, 3);
	tap_int((intmax_t)file.lost, 1, "so does a name with its place");
	flush_file(3);
	refuses = 0;
	put_events(1);
	tr2_chrome_file_end(&file);
	tap_ok(has_events("memory.json", 2, "]\n") && file.lost == 2,
	       "and the number of drops");
}

static void test_failed_rotation(void)
{
	renew_file("r/${rotation}.json");
	file.events = 1;
	mkdir("r", 0777);
	tr2_chrome_file_begin(&file, -1);
	put_events(1);
	rename("r", "s");
	put_events(3);
	tap_ok(file.rotation == 2 && file.lost == 3 && !file.text.len,
	       "another file is looked for once");
	tr2_chrome_file_end(&file);
}

int main(void)
{
	tap_ok(kit_begin(), "there is a first file");
	tr2_chrome_file_end(&file);
	host.open = open_noted;
	host.close = close_noted;
	tap_run(test_locks, test_opening_fails, test_long_paths, test_writes,
		test_refused_writes, test_partial_lines,
		test_numbers_of_the_host, test_memory, test_failed_rotation);
	return kit_end();
}
