/*
 * repository_system.h - a system whose root is a directory of the test's own,
 * and where owners, disks and what can be seen are the test's, too.
 */
#ifndef UNIT_GITCONFIG_REPOSITORY_SYSTEM_H
#define UNIT_GITCONFIG_REPOSITORY_SYSTEM_H

#include <pwd.h>
#include <sys/syscall.h>

#include "kit/destination.h"

static ino_t theirs, other_disk; /* what is not ours, not on our disk */
static char hidden[64];		 /* what can't be looked at */
static char copied[64];		 /* `.`, copied bit by bit to another disk */
static char environment[12][2][PATH_MAX];
static const char *told_cwd; /* instead of the working directory */
static int no_cwd, no_real, open_error;
static int interrupted; /* so many reads are */
static int at_most;	/* bytes a read; 0: all */

/* Shorter by repeated slashes: both must have room in a path. */
static const char *real_path(const char *path)
{
	static char texts[2][PATH_MAX * 2];
	static unsigned turn;
	char *text = texts[turn++ % 2];
	size_t len;

	if (*path != '/')
		return path;
	len = (size_t)snprintf(text, sizeof(texts[0]), "%s/root", kit_dir);
	for (; *path; path++)
		if (*path != '/' || path[1] != '/')
			text[len++] = *path;
	text[len] = '\0';
	return text;
}

/* In the place of the C library's. */

static int look_at(const char *path, struct stat *st, int flags)
{
	int failed = fstatat(AT_FDCWD, real_path(path), st, flags);

	st->st_uid += st->st_ino == theirs;
	st->st_dev += st->st_ino == other_disk;
	return failed;
}

int stat(const char *path, struct stat *st)
{
	int failed;

	if (!strcmp(path, hidden) || (no_cwd && !strcmp(path, ".")))
		return -1;
	failed = look_at(strcmp(path, copied) ? path : ".", st, 0);
	st->st_dev += !strcmp(path, copied);
	return failed;
}

int lstat(const char *path, struct stat *st)
{
	return look_at(path, st, AT_SYMLINK_NOFOLLOW);
}

/* By the owner's bits alone: root may do everything. */
int access(const char *path, int mode)
{
	struct stat st;

	if (stat(path, &st))
		return -1;
	return ((int)(st.st_mode >> 6) & mode) == mode ? 0 : -1;
}

ssize_t readlink(const char *path, char *text, size_t size)
{
	return readlinkat(AT_FDCWD, real_path(path), text, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	errno = EINTR;
	if (interrupted && interrupted--)
		return -1;
	return syscall(SYS_read, fd, bytes,
		       at_most && size > (size_t)at_most ? (size_t)at_most
							 : size);
}

int getpwnam_r(const char *name, struct passwd *entry, char *text, size_t size,
	       struct passwd **found)
{
	static char directory[] = "/home/me";

	*entry = (struct passwd){ .pw_dir = directory };
	*found = strcmp(name, "me") && strcmp(name, "ill") ? NULL : entry;
	(void)text;
	return size >= 4096 && strcmp(name, "ill") ? 0 : EIO;
}

/* The part of a path of ours that the world knows. */
static char *shown_path(char *text)
{
	const char *shown = text + strlen(kit_dir) + strlen("/root");

	kit_require(strlen(text) >= (size_t)(shown - text), "out of the world");
	memmove(text, *shown ? shown : "/", strlen(*shown ? shown : "/") + 1);
	return text;
}

static char *path_of(int fd, char *out)
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlinkat(AT_FDCWD, link, out, PATH_MAX - 1);
	if (fd >= 0)
		close(fd);
	if (len < 0)
		return NULL;
	out[len] = '\0';
	return shown_path(out);
}

char *realpath(const char *path, char *out)
{
	return no_real || !path ? NULL
				: path_of(open(real_path(path), O_RDONLY), out);
}

char *getcwd(char *out, size_t size)
{
	kit_require(size == PATH_MAX, "no room for a path");
	if (no_cwd)
		return NULL;
	if (told_cwd)
		return *told_cwd ? strcpy(out, told_cwd) : NULL;
	return path_of(open(".", O_RDONLY), out);
}

static int world_open(const char *path, int flags, mode_t mode)
{
	errno = open_error;
	return open_error ? -1
			  : tr2_host_system.open(real_path(path), flags, mode);
}

static const char *world_getenv(const char *name)
{
	for (size_t i = 0; i < 12; i++)
		if (!strcmp(name, environment[i][0]))
			return environment[i][1];
	return NULL;
}

#endif
