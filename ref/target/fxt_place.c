#include "target/fxt_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "host/host.h"
#include "host/memory.h"
#include "descriptor/trace_file.h"
#include "config/settings.h"
#include "destination/private.h"
#include "destination/value.h"
#include "fxt/file.h"
#include "target/table.h"
#include "target/target.h"

#define EXTENSION ".fxt"
#define PATH_SIZE ((size_t)4096)

/* So many copies of the library in a process have files of their own. */
#define COPIES_MOST 100

/*
 * If the process has a traced parent, or another one writes this file
 * already, the file's name gets the pid before the extension, and a number
 * where another copy of the library has that one. 0: the name is too long.
 * SPEC: fxt.target.file.nested
 */
static int name_file(char *path, const char *value, int number)
{
	const long pid = tr2_host->getpid();
	const char *slash = strrchr(value, '/');
	const char *dot = strrchr(slash, '.');
	const int stem = (int)(dot && dot > slash + 1 ? (size_t)(dot - value)
						      : strlen(value));
	const int len = number > 1 ? snprintf(path, PATH_SIZE, "%.*s-%ld.%d%s",
					      stem, value, pid, number,
					      value + stem)
				   : snprintf(path, PATH_SIZE, "%.*s-%ld%s",
					      stem, value, pid, value + stem);

	return (size_t)len < PATH_SIZE;
}

static int open_file(const char *path, int is_made)
{
	return tr2_destination_lift(
		tr2_trace_file_open(path, O_APPEND, is_made));
}

/* 1, or 0 with errno. */
static int begin_file(struct tr2_fxt_file *file, int fd,
		      const struct tr2_target_options *options)
{
	int error;

	if (fd < 0)
		return 0;
	if (tr2_fxt_file_begin(file, fd, tr2_host->getpid(),
			       (uint64_t)options->settings->fxt_max,
			       options->depth > 0))
		return 1;
	error = errno;
	tr2_fxt_file_forget(file);
	errno = error;
	return 0;
}

/* 1, or 0 with errno. A small stack has no room for the path. */
static int begin_named(struct tr2_fxt_file *file,
		       const struct tr2_target_options *options,
		       const char *value)
{
	char *path = tr2_memory_realloc(NULL, PATH_SIZE);
	int begun, error, number = 1;

	if (!path) {
		errno = ENOMEM;
		return 0;
	}
	do
		begun = name_file(path, value, number) &&
			begin_file(file, open_file(path, 1), options);
	while (!begun && errno == EAGAIN && ++number <= COPIES_MOST);
	error = errno;
	tr2_host->free(path);
	errno = error;
	return begun;
}

/* By the same name or by another one, such as that of a link. */
static int is_same_file(const char *path, const char *other)
{
	struct stat st, its;

	return !strcmp(path, other) ||
	       (!stat(path, &st) && !stat(other, &its) &&
		st.st_dev == its.st_dev && st.st_ino == its.st_ino);
}

/* The target would cut off the lines that a text target appends to its file. */
static int is_of_text(const struct tr2_target_options *options,
		      const char *value)
{
	const char *other;

	for (int id = TR2_TARGET_NORMAL; id <= TR2_TARGET_EVENT; id++) {
		other = tr2_target_destination(options, (enum tr2_target_id)id)
				.value;
		if (other && is_same_file(other, value))
			return 1;
	}
	return 0;
}

static int open_path(struct tr2_fxt_file *file,
		     const struct tr2_target_options *options,
		     const struct tr2_destination_options *destination)
{
	const char *value = destination->value;

	if (is_of_text(options, value)) {
		errno = EBUSY;
		tr2_destination_warn_open(destination, "open", value);
		return 0;
	}
	/* SPEC: fxt.target.file.link */
	if (!options->depth && begin_file(file, open_file(value, 0), options))
		return 1;
	if ((options->depth || errno == EAGAIN) &&
	    begin_named(file, options, value))
		return 1;
	tr2_destination_warn_open(destination, "open", value);
	return 0;
}

static int open_directory(struct tr2_fxt_file *file,
			  const struct tr2_target_options *options,
			  const struct tr2_destination_options *destination,
			  int *too_many_files)
{
	struct tr2_destination_options named = *destination;
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s" EXTENSION, options->component);
	named.file_name = name;
	named.read_back = 1;
	fd = tr2_destination_open_dir(&named, too_many_files);
	if (fd < 0)
		return 0; /* and warned */
	if (begin_file(file, fd, options))
		return 1;
	tr2_destination_warn_open(destination, "write", destination->value);
	return 0;
}

int tr2_fxt_place_open(struct tr2_fxt_file *file,
		       const struct tr2_target_options *options,
		       const struct tr2_destination_options *destination,
		       int *too_many_files)
{
	if (tr2_destination_is_directory(destination->value))
		return open_directory(file, options, destination,
				      too_many_files);
	return open_path(file, options, destination);
}
