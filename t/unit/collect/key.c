/*
 * The key of placeholders: from a file, or made once; where the disk fails no
 * half key is made or read.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "collect/options_kit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "collect/options.h"
#include "kit/limits.h"

#define KEY "spool/redact.key"

static char key[TR2_COLLECT_KEY_MOST + 1];

/* What the disk refuses, once. */
static struct {
	int sync_error, rename_error, read_error;
	bool writes_half;
	int inherited; /* descriptors that other programs would get */
} disk;

static bool fails_once(int *error)
{
	errno = *error;
	*error = 0;
	return errno;
}

static void look_at(int fd)
{
	disk.inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

int fsync(int fd)
{
	look_at(fd);
	return fails_once(&disk.sync_error) ? -1 : 0;
}

int rename(const char *from, const char *to)
{
	if (fails_once(&disk.rename_error))
		return -1;
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	look_at(fd);
	if (lseek(fd, 0, SEEK_CUR) > 0 && fails_once(&disk.read_error))
		return -1;
	return syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (disk.writes_half)
		len /= 2;
	disk.writes_half = false;
	return syscall(SYS_write, fd, bytes, len);
}

/* Returns the length of the key in this file, or 0 after a message. */
static int read_key(const char *file)
{
	size_t len;

	catch_errors();
	len = tr2_collect_read_key(file, "spool", key);
	show_errors();
	return (int)len;
}

/*
 * ---- Keys
 */

static char again[TR2_COLLECT_KEY_MOST + 1];

static void write_key(int len)
{
	FILE *out = fopen("key", "w");
	int i;

	for (i = 0; i < len; i++)
		putc('a' + i % 26, out);
	fclose(out);
}

static int read_length(int len)
{
	write_key(len);
	return read_key("key");
}

static void test_lengths(void)
{
	static const char wrong[] =
		"trace2 collect: a key has 16 to 4096 bytes, expected another "
		"one: key\n";

	tap_int(read_length(16), 16, "a key has 16 bytes or more");
	tap_ok(!memcmp(key, "abcdefghijklmnop", 16), "which are those of it");
	tap_int(read_length(4096), 4096, "and 4096 at most");
	tap_str(kit_text("errors"), "", "nothing is said about a good key");
	tap_int(read_length(15), 0, "a shorter one is refused");
	tap_str(kit_text("errors"), wrong, "with what is expected");
	tap_int(read_length(4097), 0, "so is a longer one");
	tap_str(kit_text("errors"), wrong, "with the same words");
	tap_int(read_length(0), 0, "and an empty one");
	tap_str(kit_text("errors"), wrong, "with them, too");
}

static void test_no_key(void)
{
	tap_int(read_key("missing"), 0, "a file that is missing has no key");
	tap_str(kit_text("errors"),
		"trace2 collect: No such file or directory: missing\n",
		"which is told by its name");
	tap_int(read_key("."), 0, "nor has a directory");
	tap_str(kit_text("errors"), "trace2 collect: Is a directory: .\n",
		"which is told in the same way");
	tap_int(read_key(NULL), 0, "no key is made in no directory");
	tap_str(kit_text("errors"),
		"trace2 collect: No such file or directory: spool/redact.key\n",
		"and the place is told");
}

static void test_made(void)
{
	struct stat st;
	mode_t old = umask(0);

	mkdir("spool", 0700);
	write_file("spool/redact.partial", "left behind");
	tap_int(read_key(NULL), 32, "a key is made");
	umask(old);
	stat("spool/redact.key", &st);
	tap_int(st.st_mode & 0777, 0600, "for its owner only");
	tap_str(list_names("spool"), "redact.key ", "it is the only file");
	memcpy(again, key, 32);
	tap_int(read_key(NULL), 32, "it is read again");
	tap_ok(!memcmp(again, key, 32), "and stays the same");
	unlink("spool/redact.key");
	read_key(NULL);
	tap_ok(memcmp(again, key, 32) != 0, "another one would be random");
	tap_int(read_key("key"), 0, "a key that is named is not made");
	tap_int(read_length(20), 20, "it counts, and not the other one");
	write_file("spool/redact.key", "short");
	tap_int(read_key(NULL), 0, "a key of the spool may be damaged");
	tap_ok(strstr(kit_text("errors"), ": spool/redact.key\n") != NULL,
	       "then it is named");
	tap_str(kit_text("spool/redact.key"), "short", "and is not replaced");
}

/* As a full disk does, a limit refuses the second half. */
static void test_full_disk(void)
{
	struct rlimit limit;

	unlink("spool/redact.key");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	catch_errors();
	limit.rlim_cur = 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_int((intmax_t)tr2_collect_read_key(NULL, "spool", key), 0,
		"a full disk has no space for a key");
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	show_errors();
	tap_str(list_names("spool"), "", "and no half one stays");
	mkdir("spool/redact.partial", 0700);
	tap_int(read_key(NULL), 0, "a file may not be made");
	tap_str(kit_text("errors"),
		"trace2 collect: Is a directory: spool/redact.partial\n",
		"the reason is told");
	rmdir("spool/redact.partial");
}

/* Another program writes the key bit by bit. */
static void *write_slowly(void *context)
{
	int fd = open("pipe", O_WRONLY), i;
	struct timespec nap = { .tv_nsec = 2000000 };

	for (i = 0; i < 4; i++) {
		(void)!write(fd, "0123456789", 10);
		nanosleep(&nap, NULL);
	}
	close(fd);
	return context;
}

static void test_pipe(void)
{
	pthread_t writer;

	signal(SIGPIPE, SIG_IGN);
	mkfifo("pipe", 0600);
	pthread_create(&writer, NULL, write_slowly, NULL);
	tap_int(read_key("pipe"), 40, "a key may come bit by bit");
	pthread_join(writer, NULL);
	tap_ok(!memcmp(key, "0123456789012345678901234567890123456789", 40),
	       "all of it is the key");
}

/*
 * ---- Failures
 */

static void begin_spool(void)
{
	remove_all("spool");
	mkdir("spool", 0700);
}

static void test_not_made(void)
{
	disk.sync_error = EIO;
	tap_int(read_key(NULL), 0, "a key that may not be on the disk is none");
	tap_str(kit_text("errors"),
		"trace2 collect: Input/output error: " KEY "\n",
		"the reason for no key is the disk's own");
	tap_str(list_names("spool"), "", "and nothing of it stays");
	disk.writes_half = true;
	tap_int(read_key(NULL), 0, "half a key is none");
	tap_str(kit_text("errors"),
		"trace2 collect: No space left on device: " KEY "\n",
		"a disk that took a half is full");
	tap_str(list_names("spool"), "", "and the half is removed");
	disk.rename_error = EROFS;
	tap_int(read_key(NULL), 0, "a key without its name is none");
	tap_str(kit_text("errors"),
		"trace2 collect: Read-only file system: " KEY "\n",
		"the reason is that of the name");
	tap_str(list_names("spool"), "", "and no other name of it stays");
}

static void test_read(void)
{
	write_file("key", "0123456789abcdef");
	disk.read_error = EIO;
	tap_int(read_key("key"), 0, "a key that can be read in part is none");
	tap_str(kit_text("errors"), "trace2 collect: Input/output error: key\n",
		"which is told with its file");
	disk.inherited = 0;
	tap_int(read_key("key"), 16, "a whole one is");
	unlink(KEY);
	tap_int(read_key(NULL), 32, "and one that is made");
	tap_int(disk.inherited, 0, "no other program gets a key");
}

/* Standard input is closed, so that files get its descriptor. */
static void test_standard_input(void)
{
	int before = dup(0), made, len;

	unlink(KEY);
	catch_errors();
	close(0);
	made = (int)tr2_collect_read_key(NULL, "spool", key);
	len = (int)tr2_collect_read_key("key", "spool", key);
	tap_ok(fcntl(0, F_GETFD) < 0,
	       "the descriptor of standard input stays free");
	dup2(before, 0);
	close(before);
	show_errors();
	tap_int(made, 32, "a key is made without standard input");
	tap_int(len, 16, "and one that is named is read");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_lengths, test_no_key, test_made, test_full_disk, test_pipe,
		begin_spool, test_not_made, test_read, test_standard_input);
	tap_int(count_descriptors(), before, "no key stays open");
	leave_directory();
	return tap_done();
}
