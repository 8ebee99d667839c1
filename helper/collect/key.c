#include "collect/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "journal/recover.h"
#include "text/foreign.h"

#define RANDOM_KEY 32

/*
 * Returns the length, or 0 and errno. A pipe may give less than it has yet to
 * give, and half a key would make other placeholders.
 */
static size_t read_bytes(const char *path, char *key, size_t most)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	size_t len = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	errno = 0;
	do {
		got = read(fd, key + len, most - len);
		len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	error = errno;
	close(fd);
	errno = error;
	return got < 0 ? 0 : len;
}

/*
 * The file appears with all its bytes: a kill in between must not leave a key
 * that is short. False: errno.
 */
static bool make_key(const char *path, const char *spool)
{
	char partial[TR2_SEGMENT_PATH], bytes[RANDOM_KEY];
	bool written;
	int fd, error;

	snprintf(partial, sizeof(partial), "%s/redact.partial", spool);
	if (read_bytes("/dev/urandom", bytes, RANDOM_KEY) != RANDOM_KEY)
		return false;
	unlink(partial);
	fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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

size_t tr2_collect_read_key(const char *file, const char *spool,
			    char key[TR2_COLLECT_KEY_MOST + 1])
{
	char path[TR2_SEGMENT_PATH];
	size_t len;

	snprintf(path, sizeof(path), "%s/redact.key", spool);
	if (!file && access(path, F_OK) && !make_key(path, spool)) {
		tr2_foreign_complain("collect", strerror(errno), path);
		return 0;
	}
	if (!file)
		file = path;
	len = read_bytes(file, key, TR2_COLLECT_KEY_MOST + 1);
	if (len >= TR2_COLLECT_KEY_LEAST && len <= TR2_COLLECT_KEY_MOST)
		return len;
	tr2_foreign_complain("collect",
			     errno ? strerror(errno)
				   : "a key has 16 to 4096 bytes, expected "
				     "another one",
			     file);
	return 0;
}
