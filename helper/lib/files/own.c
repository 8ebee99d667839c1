#define _GNU_SOURCE /* O_PATH is Linux's own */
#include "lib/files/own.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

/* A directory that can be searched need not be readable. */
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define ENTER (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define LINKS_MOST 40
#define WORDS 1024
#define NAME_SHOWN 700
#define ROOM ((size_t)2 * PATH_MAX) /* for a path and a link in it */

/* Why the last call of this thread was refused. */
static _Thread_local char reason[WORDS];

/*
 * ---- What is found
 */

/* "'PATH' WHAT; ADVICE". Sets errno, and returns -1. */
static int refuse_path(const char *path, const char *what, const char *advice)
{
	char room[ROOM];
	struct tr2_buf name = TR2_BUF_FIXED(room);

	tr2_foreign_line(&name, path, strlen(path));
	snprintf(reason, sizeof(reason), "'%.*s' %s; %s",
		 (int)(name.len < NAME_SHOWN ? name.len : NAME_SHOWN), room,
		 what, advice);
	errno = EPERM;
	return -1;
}

/*
 * In a namespace of users, root of the machine can have another number. Who
 * owns / can replace everything, so that he is no danger that can be avoided.
 */
static bool is_trusted(uid_t uid)
{
	struct stat root;

	return uid == geteuid() || !uid ||
	       (!lstat("/", &root) && uid == root.st_uid);
}

static int check_owner(const char *path, const struct stat *st)
{
	char what[160];

	if (is_trusted(st->st_uid))
		return 0;
	snprintf(what, sizeof(what),
		 "belongs to user %lu (mode %04o), expected %s",
		 (unsigned long)st->st_uid, (unsigned)st->st_mode & 07777,
		 geteuid() ? "root or the user of this process" : "root");
	return refuse_path(path, what,
			   "name another place, or change its owner");
}

static bool others_can_write(const char *path, const struct stat *st)
{
	return st->st_mode & S_IWOTH ||
	       (st->st_mode & S_IWGRP && !tr2_own_has_group(path, st->st_gid));
}

static int check_mode(const char *path, const struct stat *st)
{
	char what[160];

	if (!others_can_write(path, st))
		return 0;
	snprintf(what, sizeof(what),
		 "can be changed by other users (owner %lu, mode %04o), "
		 "expected write permission for its owner only",
		 (unsigned long)st->st_uid, (unsigned)st->st_mode & 07777);
	return refuse_path(path, what,
			   "name another place, or run `chmod go-w` on it");
}

static int check_directory(const char *path, int fd, enum tr2_own_place place)
{
	struct stat st;

	if (fstat(fd, &st) || check_owner(path, &st))
		return -1;
	if (place == TR2_OWN_SHARED && st.st_mode & S_ISVTX)
		return 0;
	return check_mode(path, &st);
}

static int check_file(const char *path, const struct stat *st,
		      enum tr2_own_place place)
{
	if (check_owner(path, st))
		return -1;
	if (S_ISLNK(st->st_mode))
		return refuse_path(path, "is a symbolic link, expected a file",
				   "remove it");
	if (!S_ISREG(st->st_mode))
		return refuse_path(path, "is not a regular file", "remove it");
	if (st->st_nlink > 1)
		return refuse_path(path,
				   "has another name (a hard link), expected "
				   "a file of its own",
				   "remove one of them");
	return place == TR2_OWN_SHARED ? 0 : check_mode(path, st);
}

/*
 * ---- The way there
 */

/* It is longer than a small stack has room for. */
struct walk {
	char path[ROOM]; /* from the root on; what is entered has no links */
	char next[ROOM];
	int links;
};

static int refuse_long(void)
{
	errno = ENAMETOOLONG;
	return -1;
}

static int begin_walk(struct walk *walk, const char *path)
{
	char here[PATH_MAX] = "";
	int len;

	walk->links = 0;
	if (*path != '/' && !getcwd(here, sizeof(here)))
		return -1;
	len = snprintf(walk->path, ROOM, "%s%s%s", here,
		       *path == '/' ? "" : "/", path);
	return len < (int)ROOM ? 0 : refuse_long();
}

/*
 * The path ends in a part that is no directory. If it is a link, its target
 * takes the place of the part. 0: begin again at the root.
 */
static int follow_link(struct walk *walk, int dir, const char *name,
		       const char *rest)
{
	char text[PATH_MAX];
	ssize_t got = readlinkat(dir, name, text, sizeof(text) - 1);
	struct stat st;
	int len;

	if (got < 0 || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW)) {
		errno = errno == EINVAL ? ENOTDIR : errno;
		return -1;
	}
	text[got] = '\0';
	if (check_owner(walk->path, &st))
		return -1;
	if (++walk->links > LINKS_MOST) {
		errno = ELOOP;
		return -1;
	}
	len = snprintf(walk->next, ROOM, "%.*s%s/%s",
		       *text == '/' ? 0 : (int)(name - walk->path), walk->path,
		       text, rest);
	memcpy(walk->path, walk->next, ROOM);
	return len < (int)ROOM ? 0 : refuse_long();
}

/* Is the directory safe whose name ends here? */
static int check_part(struct walk *walk, char *end, int fd,
		      enum tr2_own_place place)
{
	const char byte = *end;
	int rc;

	*end = '\0';
	rc = check_directory(walk->path, fd, place);
	*end = byte;
	return rc;
}

/* Returns the next directory, or -1; with errno 0 the path has changed. */
static int enter_part(struct walk *walk, int dir, char *name, char *end)
{
	const char byte = *end;
	int fd;

	*end = '\0';
	fd = openat(dir, name, ENTER);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP)) {
		if (!follow_link(walk, dir, name, byte ? end + 1 : end))
			errno = 0;
		return -1;
	}
	*end = byte;
	return fd;
}

int tr2_own_close_failed(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return -1;
}

/* The same; all before the last directory may be shared. */
static int walk_once(struct walk *walk, enum tr2_own_place place)
{
	int dir = open("/", ENTER), fd = dir;
	char *end = walk->path + 1, *name = walk->path;

	while (fd >= 0) {
		dir = fd;
		name += strspn(name, "/");
		if (check_part(walk, end, dir, *name ? TR2_OWN_SHARED : place))
			return tr2_own_close_failed(dir);
		if (!*name)
			return dir;
		end = name + strcspn(name, "/");
		fd = enter_part(walk, dir, name, end);
		tr2_own_close_failed(dir);
		name = end;
	}
	return -1;
}

/*
 * Nothing here asks for more memory: the service of a machine that has none
 * left still writes what it has.
 */
static int enter_path(const char *path, enum tr2_own_place place)
{
	struct walk *walk = tr2_try_grow(NULL, sizeof(*walk));
	int fd, error;

	if (!walk)
		return -1;
	fd = begin_walk(walk, path);
	if (!fd)
		do
			fd = walk_once(walk, place);
		while (fd < 0 && !errno);
	error = errno;
	free(walk);
	errno = error;
	return fd;
}

int tr2_own_enter(const char *path, enum tr2_own_place place)
{
	*reason = '\0';
	return enter_path(path, place);
}

/*
 * ---- What is in there
 */

/* Enter the directory of a name; `name` gets what comes after it. */
static int enter_parent(const char *path, enum tr2_own_place place,
			const char **name)
{
	char dir[ROOM];
	size_t len = strlen(path);

	*reason = '\0';
	while (len && path[len - 1] == '/') /* of a directory */
		len--;
	while (len && path[len - 1] != '/')
		len--;
	*name = path + len;
	if (len >= ROOM)
		return refuse_long();
	snprintf(dir, sizeof(dir), "%.*s", len ? (int)len : 1,
		 len ? path : ".");
	return enter_path(dir, place);
}

int tr2_own_make(const char *path)
{
	const char *name;
	int dir = enter_parent(path, TR2_OWN_SHARED, &name), fd;

	if (dir < 0)
		return -1;
	if (*name && mkdirat(dir, name, 0700) && errno != EEXIST)
		return tr2_own_close_failed(dir);
	close(dir);
	fd = enter_path(path, TR2_OWN_PRIVATE);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

/* What is there may tell more than an errno value. */
static int explain_failure(int dir, const char *name, const char *path,
			   enum tr2_own_place place)
{
	int error = errno;
	struct stat st;

	if (error != ENOENT && error != EEXIST &&
	    !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    check_file(path, &st, place))
		return -1;
	errno = error;
	return -1;
}

int tr2_own_open(const char *path, int flags, mode_t mode,
		 enum tr2_own_place place)
{
	const int more = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	const char *name;
	int dir = enter_parent(path, place, &name), fd;
	struct stat st;

	if (dir < 0)
		return -1;
	fd = openat(dir, name, (flags & ~O_TRUNC) | more, mode);
	if (fd < 0)
		explain_failure(dir, name, path, place);
	tr2_own_close_failed(dir);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || check_file(path, &st, place) ||
	    (flags & O_TRUNC && ftruncate(fd, 0)))
		return tr2_own_close_failed(fd);
	return fd;
}

int tr2_own_create(const char *path, mode_t mode)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	const char *name;
	int dir = enter_parent(path, TR2_OWN_PRIVATE, &name), fd;

	if (dir < 0)
		return -1;
	fd = openat(dir, name, flags, mode);
	if (fd < 0 && errno == EEXIST && !unlinkat(dir, name, 0))
		fd = openat(dir, name, flags, mode);
	tr2_own_close_failed(dir);
	return fd;
}

FILE *tr2_own_read(const char *path)
{
	int fd = tr2_own_open(path, O_RDONLY, 0, TR2_OWN_PRIVATE);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		tr2_own_close_failed(fd);
	return file;
}

bool tr2_own_has_name(int fd, const char *path)
{
	struct stat own, named;

	return !fstat(fd, &own) && !lstat(path, &named) &&
	       own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

int tr2_own_check(int fd, const char *path)
{
	struct stat st;

	*reason = '\0';
	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode))
		return 0; /* a pipe, which the caller has made */
	return check_owner(path, &st) ? -1 : check_mode(path, &st);
}

const char *tr2_own_explain(int error)
{
	return error == EPERM && *reason ? reason : strerror(error);
}
