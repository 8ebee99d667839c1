#include "collect/delivery/delivery.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "lib/files/ready.h"

#define ROOM ((unsigned)8 << 10) /* a thread may have a small stack */

const char *const tr2_compress_names[] = { "off", "gzip", "zstd", NULL };
const char *const tr2_compress_suffixes[] = { "", ".gz", ".zst" };

static int find_error(void)
{
	return errno ? errno : EIO;
}

/* Takes the next bytes; none: there are no more. 0, or an errno value. */
typedef int pack_fn(void *context, int fd, const char *bytes, size_t len);

static int pack_file(int in, int fd, pack_fn *pack, void *context)
{
	char bytes[ROOM];
	ssize_t len;
	int error;

	do {
		len = read(in, bytes, sizeof(bytes));
		error = len < 0 ? find_error()
				: pack(context, fd, bytes, (size_t)len);
	} while (len && !error);
	return error;
}

static int pack_gzip(void *out, int fd, const char *bytes, size_t len)
{
	(void)fd;
	return gzwrite(out, bytes, (unsigned)len) == (int)len ? 0
							      : find_error();
}

/* zlib closes a descriptor of its own, so that this one can be synced. */
static int write_gzip(int in, int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), error;
	gzFile out = copy < 0 ? NULL : gzdopen(copy, "w");

	if (!out) {
		error = find_error();
		if (copy >= 0)
			close(copy);
		return error;
	}
	error = pack_file(in, fd, pack_gzip, out);
	if (gzclose(out) != Z_OK && !error)
		error = find_error();
	return error;
}

/*
 * ---- Zstandard
 */

static int pack_zstd(void *context, int fd, const char *bytes, size_t len)
{
	ZSTD_EndDirective how = len ? ZSTD_e_continue : ZSTD_e_end;
	ZSTD_inBuffer in = { bytes, len, 0 };
	char packed[ROOM];
	ZSTD_outBuffer out;
	size_t left;

	do {
		out = (ZSTD_outBuffer){ packed, sizeof(packed), 0 };
		left = ZSTD_compressStream2(context, &out, &in, how);
		if (ZSTD_isError(left))
			return EIO;
		if (tr2_ready_write(fd, packed, out.pos) < out.pos)
			return find_error();
	} while (len ? in.pos < in.size : left > 0);
	return 0;
}

static int write_zstd(int in, int fd)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	int error = ENOMEM;

	if (context) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
		error = pack_file(in, fd, pack_zstd, context);
	}
	ZSTD_freeCCtx(context);
	return error;
}

/* A process that was killed has left a part; what is not a file stays. */
static int create_file(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = open(path, flags, 0666);
	struct stat st;

	if (fd >= 0 || errno != EEXIST)
		return fd;
	if (lstat(path, &st) || !S_ISREG(st.st_mode)) {
		errno = EEXIST;
		return -1;
	}
	return unlink(path) ? -1 : open(path, flags, 0666);
}

int tr2_collect_compress(const char *from, const char *to,
			 enum tr2_compress format)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), fd, error;

	if (in < 0)
		return errno;
	fd = create_file(to);
	if (fd < 0) {
		error = errno;
		close(in);
		return error;
	}
	errno = 0;
	error = format == TR2_COMPRESS_ZSTD ? write_zstd(in, fd)
					    : write_gzip(in, fd);
	if (!error && fsync(fd))
		error = errno;
	close(in);
	close(fd);
	if (error)
		unlink(to);
	return error;
}
