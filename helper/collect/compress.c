#include "collect/compress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>
#include <zlib.h>

#define ROOM ((unsigned)64 << 10)

static int find_error(void)
{
	return errno ? errno : EIO;
}

/* 0, or an errno value. */
static int copy_bytes(gzFile out, int in)
{
	char bytes[ROOM];
	ssize_t got;

	while ((got = read(in, bytes, sizeof(bytes))) > 0)
		if (gzwrite(out, bytes, (unsigned)got) != got)
			return find_error();
	return got < 0 ? find_error() : 0;
}

/* zlib closes a descriptor of its own, so that this one can be synced. */
static int write_stream(int in, int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), error;
	gzFile out = copy < 0 ? NULL : gzdopen(copy, "w");

	if (!out) {
		error = find_error();
		if (copy >= 0)
			close(copy);
		return error;
	}
	error = copy_bytes(out, in);
	if (gzclose(out) != Z_OK && !error)
		error = find_error();
	return error;
}

int tr2_collect_compress(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), fd, error;

	if (in < 0)
		return errno;
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		  0666);
	if (fd < 0) {
		error = errno;
		close(in);
		return error;
	}
	errno = 0;
	error = write_stream(in, fd);
	if (!error && fsync(fd))
		error = errno;
	close(in);
	close(fd);
	if (error)
		unlink(to);
	return error;
}
