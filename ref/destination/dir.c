/*
 * A directory, in which each process has a file of its own. All files are
 * created exclusively, so that nobody can plant a link for us to follow.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "destination/private.h"
#include "host/host.h"

#define SENTINEL "git-trace2-discard"
#define ATTEMPTS 10

/*
 * Append a file's path and a NUL to an empty buffer; `dir` begins with a
 * slash, and if `number` is 0, the name has no number. A path on the stack
 * would be too large for small ones. 1, or 0 with errno.
 */
static int set_path(struct tr2_buf *path, const char *dir, const char *name,
		    unsigned number)
{
	tr2_buf_reset(path);
	tr2_buf_str(path, dir);
	if (!path->failed && path->bytes[path->len - 1] != '/')
		tr2_buf_byte(path, '/');
	tr2_buf_str(path, name);
	if (number) {
		tr2_buf_byte(path, '.');
		tr2_buf_uint(path, number);
	}
	tr2_buf_byte(path, '\0');
	if (path->failed)
		errno = ENOMEM;
	else if (path->len > PATH_MAX)
		errno = ENAMETOOLONG;
	return !path->failed && path->len <= PATH_MAX;
}

/* Leaves no empty file if there is no number for its descriptor. */
static int create_file(const char *path, int read_back)
{
	const int access = read_back ? O_RDWR : O_WRONLY;
	const int flags = access | O_APPEND | O_CREAT | O_EXCL;

	int fd = tr2_host->open(path, flags, 0666), error;

	if (fd < 0)
		return fd;
	fd = tr2_destination_lift(fd);
	if (fd < 0) {
		error = errno;
		unlink(path);
		errno = error;
	}
	return fd;
}

/*
 * Try the next name, whatever the reason of the failure.
 * SPEC: destination.dir.collision
 */
static int create_numbered(const struct tr2_destination_options *options,
			   struct tr2_buf *path)
{
	int fd = -1;

	for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
		if (!set_path(path, options->value, options->file_name, i))
			break;
		fd = create_file(path->bytes, options->read_back);
	}
	return fd;
}

/*
 * Count the entries, `.` and `..` included. A directory that can't be listed
 * is not full.
 * SPEC: destination.dir.limit
 */
static int has_files(const char *path, int max_files)
{
	DIR *dir = opendir(path);

	if (!dir)
		return 0;
	while (max_files && readdir(dir))
		max_files--;
	closedir(dir);
	return !max_files;
}

/* Name the file that was wanted first, not the one that failed last. */
static void warn_unopened(const struct tr2_destination_options *options,
			  struct tr2_buf *path)
{
	const char *dir = options->value;
	int error = errno;
	int known = set_path(path, dir, options->file_name, 0);

	errno = error;
	tr2_destination_warn_open(options, "open", known ? path->bytes : dir);
}

/* Is the sentinel there? `path` is its path. */
static int is_closed(const struct tr2_destination_options *options,
		     const char *path)
{
	struct stat st;

	if (options->max_files <= 0 || stat(path, &st))
		return 0;
	if (options->debug)
		tr2_host_warn("trace2: not opening %s trace file due "
			      "to too many files in target directory "
			      "%s",
			      options->variable, options->value);
	return 1;
}

/* `path` is the sentinel's. SPEC: destination.dir.sentinel */
static int create_either(const struct tr2_destination_options *options,
			 struct tr2_buf *path, int *is_full)
{
	int full = options->max_files > 0 &&
		   has_files(options->value, options->max_files);
	int fd = full ? create_file(path->bytes, options->read_back)
		      : create_numbered(options, path);

	if (fd >= 0)
		*is_full = full;
	return fd;
}

int tr2_destination_open_dir(const struct tr2_destination_options *options,
			     int *is_full)
{
	struct tr2_buf path = TR2_BUF_INIT;
	int has_path = set_path(&path, options->value, SENTINEL, 0);
	int fd = -1;

	if (has_path && is_closed(options, path.bytes)) {
		*is_full = 1;
	} else {
		if (has_path)
			fd = create_either(options, &path, is_full);
		if (fd < 0)
			warn_unopened(options, &path);
	}
	tr2_buf_release(&path);
	return fd;
}
