#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "gitconfig/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "host/host.h"

enum { STEP = 4096 };

/* Join the first bytes of `head` and all of `tail`. */
static int concat_path(char out[PATH_MAX], const char *head, size_t len,
		       const char *tail)
{
	size_t more = strlen(tail) + 1;
	int fits = len + more <= PATH_MAX;

	if (fits) {
		memmove(out, head, len);
		memcpy(out + len, tail, more);
	}
	return !fits;
}

int tr2_path_take(char out[PATH_MAX], const char *text, size_t len)
{
	return concat_path(out, text, len, "");
}

int tr2_path_copy(char out[PATH_MAX], const char *path)
{
	return tr2_path_take(out, path, strlen(path));
}

int tr2_path_join(char out[PATH_MAX], const char *dir, const char *name)
{
	char tail[PATH_MAX];
	size_t len = strlen(dir);

	if (len && dir[len - 1] == '/')
		len--;
	return concat_path(tail, "/", 1, name) ||
	       concat_path(out, dir, len, tail);
}

int tr2_path_beside(char out[PATH_MAX], const char *from, const char *name)
{
	const char *slash = strrchr(from, '/');
	size_t len = slash && *name != '/' ? (size_t)(slash - from) + 1 : 0;

	return concat_path(out, from, len, name);
}

int tr2_path_real(char out[PATH_MAX], const char *path)
{
	return !realpath(path, out);
}

/* Find the home directory of a named user; the name fits in a path. */
static int user_home(char out[PATH_MAX], const char *name, size_t len)
{
	char user[PATH_MAX] = "", text[PATH_MAX];
	struct passwd entry, *found = NULL;

	memcpy(user, name, len);
	if (getpwnam_r(user, &entry, text, sizeof(text), &found) || !found)
		return 1;
	tr2_path_copy(out, found->pw_dir); /* it fitted in `text` */
	return 0;
}

static int own_home(char out[PATH_MAX], int real)
{
	const char *home = tr2_host->getenv("HOME");

	return !home ||
	       (real ? tr2_path_real(out, home) : tr2_path_copy(out, home));
}

int tr2_path_expand(char out[PATH_MAX], const char *path, size_t len, int real)
{
	char text[PATH_MAX];
	size_t user;
	int failed;

	if (tr2_path_take(text, path, len))
		return 1;
	if (*text != '~')
		return tr2_path_copy(out, text);

	user = strcspn(text + 1, "/");
	failed = user ? user_home(out, text + 1, user) : own_home(out, real);
	return failed || concat_path(out, out, strlen(out), text + 1 + user);
}

/* Read to the end of the file. 0, or an errno. */
static int read_all(int fd, struct tr2_buf *out)
{
	ssize_t got;

	do {
		if (tr2_buf_grow(out, STEP))
			return ENOMEM;
		got = read(fd, out->bytes + out->len, out->room - out->len);
		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0)
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
