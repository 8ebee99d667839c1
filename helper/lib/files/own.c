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

/*
 * Where we are in a path. Nothing here asks for memory: the service of a
 * machine that has none left still writes what it has.
 */
struct walk {
	int fd;		     /* a directory; -1: none */
	struct tr2_buf at;   /* its name */
	struct tr2_buf rest; /* what is still to be entered */
	int links;
	char at_room[ROOM], rest_room[ROOM];
};

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

/* The text has to be whole. */
static int end_text(struct tr2_buf *text)
{
	tr2_buf_byte(text, '\0');
	text->len -= !text->failed;
	errno = text->failed ? ENAMETOOLONG : errno;
	return text->failed ? -1 : 0;
}

static void move_to(struct walk *walk, int fd)
{
	if (walk->fd >= 0)
		close(walk->fd);
	walk->fd = fd;
}

static int begin_at_root(struct walk *walk)
{
	tr2_buf_reset(&walk->at);
	tr2_buf_byte(&walk->at, '/');
	move_to(walk, open("/", ENTER));
	return walk->fd < 0 ? -1 : end_text(&walk->at);
}

/* The text comes before what is still to be entered. */
static int prepend_rest(struct walk *walk, const char *text)
{
	struct tr2_buf *rest = &walk->rest;
	const size_t len = strlen(text) + 1;

	if (rest->len + len >= ROOM) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memmove(rest->bytes + len, rest->bytes, rest->len);
	memcpy(rest->bytes, text, len - 1);
	rest->bytes[len - 1] = '/';
	rest->len += len;
	return 0;
}

static int follow_link(struct walk *walk, const char *name)
{
	char text[PATH_MAX];
	size_t len = walk->at.len;
	struct stat st;
	ssize_t got = readlinkat(walk->fd, name, text, sizeof(text) - 1);

	if (got < 0 || fstatat(walk->fd, name, &st, AT_SYMLINK_NOFOLLOW)) {
		errno = errno == EINVAL ? ENOTDIR : errno;
		return -1;
	}
	text[got] = '\0';
	tr2_buf_byte(&walk->at, '/');
	tr2_buf_str(&walk->at, name);
	if (end_text(&walk->at) || check_owner(walk->at.bytes, &st))
		return -1;
	walk->at.len = len;
	if (++walk->links > LINKS_MOST) {
		errno = ELOOP;
		return -1;
	}
	if (prepend_rest(walk, text))
		return -1;
	return *text == '/' ? begin_at_root(walk) : end_text(&walk->at);
}

static int enter_part(struct walk *walk, const char *name)
{
	int fd = openat(walk->fd, name, ENTER);

	if (fd < 0)
		return errno == ENOTDIR || errno == ELOOP
			       ? follow_link(walk, name)
			       : -1;
	move_to(walk, fd);
	if (walk->at.len > 1)
		tr2_buf_byte(&walk->at, '/');
	tr2_buf_str(&walk->at, name);
	return end_text(&walk->at);
}

/*
 * Take the first part of what is to be entered. It is empty if there is
 * nothing left. A name that is cut is still too long.
 */
static void take_part(struct walk *walk, char name[NAME_MAX + 2])
{
	struct tr2_buf *rest = &walk->rest;
	size_t start = 0, end;

	while (start < rest->len && rest->bytes[start] == '/')
		start++;
	for (end = start; end < rest->len && rest->bytes[end] != '/'; end++)
		;
	snprintf(name, NAME_MAX + 2, "%.*s", (int)(end - start),
		 rest->bytes + start);
	memmove(rest->bytes, rest->bytes + end, rest->len - end);
	rest->len -= end;
}

static int walk_path(struct walk *walk, enum tr2_own_place place)
{
	char name[NAME_MAX + 2];
	int rc = begin_at_root(walk);

	while (!rc) {
		take_part(walk, name);
		rc = check_directory(walk->at.bytes, walk->fd,
				     *name ? TR2_OWN_SHARED : place);
		if (!rc && !*name)
			return 0;
		rc = rc ? rc : enter_part(walk, name);
	}
	return -1;
}

static int begin_walk(struct walk *walk, const char *path)
{
	char here[PATH_MAX];

	walk->fd = -1;
	walk->links = 0;
	walk->at = (struct tr2_buf)TR2_BUF_FIXED(walk->at_room);
	walk->rest = (struct tr2_buf)TR2_BUF_FIXED(walk->rest_room);
	tr2_buf_str(&walk->rest, path);
	if (end_text(&walk->rest) || *path == '/')
		return walk->rest.failed ? -1 : 0;
	return getcwd(here, sizeof(here)) ? prepend_rest(walk, here) : -1;
}

/* It is longer than a small stack has room for. */
static int enter_path(const char *path, enum tr2_own_place place)
{
	struct walk *walk = tr2_try_grow(NULL, sizeof(*walk));
	int fd, error;

	if (!walk)
		return -1;
	if (begin_walk(walk, path) || walk_path(walk, place)) {
		error = errno;
		move_to(walk, -1);
		errno = error;
	}
	fd = walk->fd;
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
	char room[ROOM];
	struct tr2_buf dir = TR2_BUF_FIXED(room);
	size_t len = strlen(path);

	*reason = '\0';
	while (len && path[len - 1] == '/') /* of a directory */
		len--;
	while (len && path[len - 1] != '/')
		len--;
	*name = path + len;
	tr2_buf_add(&dir, path, len);
	if (!len)
		tr2_buf_byte(&dir, '.');
	return end_text(&dir) ? -1 : enter_path(room, place);
}

int tr2_own_close_failed(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return -1;
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
