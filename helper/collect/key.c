#define _DEFAULT_SOURCE /* getentropy() is not of this POSIX */
#include "collect/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "collect/journal/journal.h"
#include "lib/text/foreign.h"

#define RANDOM_KEY 32

/*
 * Returns the length, or 0 and errno. A pipe may give less than it has yet to
 * give, and half a key would make other placeholders.
 */
static size_t read_bytes(int fd, char *key, size_t most)
{
	size_t len = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	errno = 0;
	do {
		got = read(fd, key + len, most - len);
		len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	tr2_own_close_failed(fd);
	return got < 0 ? 0 : len;
}

/* In a root of its own a service may have no /dev, and in a sandbox no call. */
static bool make_random(char bytes[RANDOM_KEY])
{
	return !getentropy(bytes, RANDOM_KEY) ||
	       read_bytes(open("/dev/urandom", O_RDONLY | O_CLOEXEC), bytes,
			  RANDOM_KEY) == RANDOM_KEY;
}

/*
 * The file appears with all its bytes: a kill in between must not leave a key
 * that is short. False: errno.
 */
static bool make_key(const char *path, const char *partial)
{
	char bytes[RANDOM_KEY];
	bool written;
	int fd, error;

	if (!make_random(bytes))
		return false;
	fd = tr2_own_create(partial, 0600);
	if (fd < 0)
		return false;
	errno = 0; /* a part may be written without an error */
	written = write(fd, bytes, RANDOM_KEY) == RANDOM_KEY && !fsync(fd);
	error = errno;
	close(fd);
	if (written && !rename(partial, path))
		return true;
	error = written ? errno : error;
	unlink(partial);
	errno = error ? error : ENOSPC;
	return false;
}

/* Returns a descriptor, or -1: errno. */
static int open_named(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 || !tr2_own_check(fd, file) ? fd
						  : tr2_own_close_failed(fd);
}

/* `failed` is the file that failed. */
static int open_key(const char *path, const char *partial, const char **failed)
{
	int fd = tr2_own_open(path, O_RDONLY, 0, TR2_OWN_PRIVATE);

	*failed = path;
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (make_key(path, partial))
		return tr2_own_open(path, O_RDONLY, 0, TR2_OWN_PRIVATE);
	if (errno == EISDIR) /* one is in the way */
		*failed = partial;
	return -1;
}

size_t tr2_collect_read_key(const char *file, const char *spool,
			    char key[TR2_COLLECT_KEY_MOST + 1])
{
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];
	const char *failed = file;
	size_t len = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/redact.key", spool);
	snprintf(partial, sizeof(partial), "%s/redact.partial", spool);
	fd = file ? open_named(file) : open_key(path, partial, &failed);
	if (fd >= 0)
		len = read_bytes(fd, key, TR2_COLLECT_KEY_MOST + 1);
	if (len >= TR2_COLLECT_KEY_LEAST && len <= TR2_COLLECT_KEY_MOST)
		return len;
	tr2_foreign_complain("collect",
			     fd < 0 || errno ? tr2_own_explain(errno)
					     : "a key has 16 to 4096 bytes, "
					       "expected another one",
			     failed);
	return 0;
}
