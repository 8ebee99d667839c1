#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "gitconfig/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "host/hold.h"
#include "host/host.h"
#include "host/memory.h"

enum { STEP = 4096 };

/* Join the first bytes of `head` and all of `tail`. */
static char *concat_path(const char *head, size_t len, const char *tail)
{
	size_t more = strlen(tail) + 1;
	char *path = NULL;

	if (len < PATH_MAX && more <= PATH_MAX - len)
		path = tr2_memory_realloc(NULL, len + more);
	if (path) {
		memcpy(path, head, len);
		memcpy(path + len, tail, more);
	}
	return path;
}

char *tr2_path_take(const char *text, size_t len)
{
	return concat_path(text, len, "");
}

char *tr2_path_copy(const char *path)
{
	return tr2_path_take(path, strlen(path));
}

char *tr2_path_join(const char *dir, const char *name)
{
	char *tail = concat_path("/", 1, name), *path = NULL;
	size_t len = strlen(dir);

	if (len && dir[len - 1] == '/')
		len--;
	if (tail)
		path = concat_path(dir, len, tail);
	tr2_host->free(tail);
	return path;
}

char *tr2_path_beside(const char *from, const char *name)
{
	const char *slash = strrchr(from, '/');
	size_t len = slash && *name != '/' ? (size_t)(slash - from) + 1 : 0;

	return concat_path(from, len, name);
}

/* Returns `path`, or frees it and returns NULL. */
static char *keep_if(int is_good, char *path)
{
	if (is_good)
		return path;
	tr2_host->free(path);
	return NULL;
}

char *tr2_path_real(const char *path)
{
	char *real = tr2_memory_realloc(NULL, PATH_MAX);

	return keep_if(real && realpath(path, real), real);
}

char *tr2_path_here(void)
{
	char *dir = tr2_memory_realloc(NULL, PATH_MAX);

	return keep_if(dir && getcwd(dir, PATH_MAX), dir);
}

/* Find the home directory of a named user. */
static char *user_home(const char *name, size_t len)
{
	char *user = tr2_path_take(name, len), *home = NULL;
	char *text = tr2_memory_realloc(NULL, PATH_MAX);
	struct passwd entry, *found = NULL;

	if (user && text && !getpwnam_r(user, &entry, text, PATH_MAX, &found) &&
	    found)
		home = tr2_path_copy(found->pw_dir);
	tr2_host->free(user);
	tr2_host->free(text);
	return home;
}

static char *own_home(int real)
{
	const char *home = tr2_host->getenv("HOME");

	if (!home)
		return NULL;
	return real ? tr2_path_real(home) : tr2_path_copy(home);
}

/* Replace the `~` and the user's name at the front of `text`. */
static char *expand_home(const char *text, int real)
{
	size_t user = strcspn(text + 1, "/");
	char *home = user ? user_home(text + 1, user) : own_home(real);
	char *path = NULL;

	if (home)
		path = concat_path(home, strlen(home), text + 1 + user);
	tr2_host->free(home);
	return path;
}

char *tr2_path_expand(const char *path, size_t len, int real)
{
	char *text = tr2_path_take(path, len), *expanded;

	if (!text || *text != '~')
		return text;
	expanded = expand_home(text, real);
	tr2_host->free(text);
	return expanded;
}

#define READ_TRIES 100 /* if a file system ends each call with EINTR */

/* One of a server's may let a signal end the call: they are held then. */
static ssize_t read_some(int fd, void *bytes, size_t size)
{
	ssize_t got = read(fd, bytes, size);
	int tries = READ_TRIES;
	struct tr2_hold hold;

	if (got >= 0 || errno != EINTR)
		return got;
	tr2_hold_begin_all(&hold);
	while (got < 0 && errno == EINTR && --tries)
		got = read(fd, bytes, size);
	tr2_hold_end(&hold, 0, 0);
	return got;
}

/* Read to the end of the file. 0, or an errno. */
static int read_all(int fd, struct tr2_buf *out)
{
	ssize_t got;

	do {
		if (tr2_buf_grow(out, STEP))
			return ENOMEM;
		got = read_some(fd, out->bytes + out->len,
				out->room - out->len);
		if (got < 0)
			return errno;
		out->len += (size_t)got;
		if (out->len > TR2_PATH_FILE_MAX)
			return EFBIG;
	} while (got);
	return 0;
}

int tr2_path_read(const char *path, struct tr2_buf *out)
{
	int fd = tr2_host->open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	int error;

	if (fd == -1)
		return errno;
	error = read_all(fd, out);
	tr2_host->close(fd);
	return error;
}
