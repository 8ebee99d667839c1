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

struct path {
	char text[PATH_MAX];
};

/*
 * `dir` begins with a slash; if `number` is 0, the name has no number. 1, or
 * 0 with errno if the path is too long.
 */
static int set_path(struct path *path, const char *dir, const char *name,
		    unsigned number)
{
	struct tr2_buf text = TR2_BUF_FIXED(path->text);

	tr2_buf_str(&text, dir);
	if (path->text[text.len - 1] != '/')
		tr2_buf_byte(&text, '/');
	tr2_buf_str(&text, name);
	if (number) {
		tr2_buf_byte(&text, '.');
		tr2_buf_uint(&text, number);
	}
	tr2_buf_byte(&text, '\0');
	if (text.failed)
		errno = ENAMETOOLONG;
	return !text.failed;
}

/* Leaves no empty file if there is no number for its descriptor. */
static int create_file(const struct path *path, int read_back)
{
	const int access = read_back ? O_RDWR : O_WRONLY;
	const int flags = access | O_APPEND | O_CREAT | O_EXCL;

	int fd = tr2_host->open(path->text, flags, 0666), error;

	if (fd < 0)
		return fd;
	fd = tr2_destination_lift(fd);
	if (fd < 0) {
		error = errno;
		unlink(path->text);
		errno = error;
	}
	return fd;
}

/*
 * Try the next name, whatever the reason of the failure.
 * SPEC: destination.dir.collision
 */
static int create_numbered(const struct tr2_destination_options *options)
{
	struct path path;
	int fd = -1;

	for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
		if (!set_path(&path, options->value, options->file_name, i))
			break;
		fd = create_file(&path, options->read_back);
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
static int warn_unopened(const struct tr2_destination_options *options)
{
	const char *dir = options->value;
	struct path path;
	int known = set_path(&path, dir, options->file_name, 0);

	tr2_destination_warn_open(options, "open", known ? path.text : dir);
	return -1;
}

int tr2_destination_open_dir(const struct tr2_destination_options *options,
			     int *is_full)
{
	const char *dir = options->value;
	struct path sentinel;
	struct stat st;
	int fd, full;

	if (!set_path(&sentinel, dir, SENTINEL, 0))
		return warn_unopened(options);
	if (options->max_files > 0 && !stat(sentinel.text, &st)) {
		if (options->debug)
			tr2_host_warn("trace2: not opening %s trace file due "
				      "to too many files in target directory "
				      "%s",
				      options->variable, dir);
		return -1;
	}
	full = options->max_files > 0 && has_files(dir, options->max_files);
	/* SPEC: destination.dir.sentinel */
	fd = full ? create_file(&sentinel, options->read_back)
		  : create_numbered(options);
	if (fd < 0)
		return warn_unopened(options);
	*is_full = full;
	return fd;
}
