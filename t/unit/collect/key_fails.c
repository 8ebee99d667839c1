/* A key of placeholders whose disk fails: no half key is made or read. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "collect/options_kit.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>

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
	mkdir("spool", 0700);
	tap_run(test_not_made, test_read, test_standard_input);
	tap_int(count_descriptors(), before,
		"no key stays open after a failure");
	leave_directory();
	return tap_done();
}
