/*
 * watch_calls.h - the calls by which files are read: they fail, or tell
 * something else than what is there.
 */
#ifndef UNIT_INTAKE_WATCH_CALLS_H
#define UNIT_INTAKE_WATCH_CALLS_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kit/clock.h"

static struct {
	int open_error, read_error;
	bool mounted; /* each file is the only one of a device */
	bool slow;    /* a read takes three seconds */
} fake;

static int mount_file(struct stat *st, int failed)
{
	if (!failed && fake.mounted && S_ISREG(st->st_mode)) {
		st->st_dev += st->st_ino;
		st->st_ino = 2;
	}
	return failed;
}

int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return mount_file(st,
			  (int)syscall(SYS_newfstatat, dir, path, st, flags));
}

int lstat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *st)
{
	return mount_file(st, (int)syscall(SYS_fstat, fd, st));
}

int kit_openat(int dir, const char *path, int flags, ...) __asm__("openat");

int kit_openat(int dir, const char *path, int flags, ...)
{
	if (!fake.open_error)
		return (int)syscall(SYS_openat, dir, path, flags, 0);
	errno = fake.open_error;
	return -1;
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (fake.slow)
		pass_time(3 * CLOCK_SECOND);
	if (!fake.read_error)
		return syscall(SYS_pread64, fd, bytes, len, at);
	errno = fake.read_error;
	return -1;
}

#endif
