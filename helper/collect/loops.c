/*
 * What would come back for ever, or twice: an output that the service itself
 * reads, and a place that is named in two ways.
 */
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/options.h"
#include "collect/post/post.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

#define FILES "files:"
#define STREAM "af_unix:stream:"

static bool is_same_file(const struct stat *st, const struct stat *there)
{
	return st->st_dev == there->st_dev && st->st_ino == there->st_ino;
}

static bool is_same_path(const char *one, const char *other)
{
	struct stat st, there;

	return !stat(one, &st) && !stat(other, &there) &&
	       is_same_file(&st, &there);
}

/* What is not there yet is known by its directory and its name. */
bool tr2_collect_is_same_place(const char *one, const char *other)
{
	char *first = tr2_must_copy(one), *second = tr2_must_copy(other);
	const bool same = !strcmp(one, other) || is_same_path(one, other) ||
			  (!strcmp(basename(first), basename(second)) &&
			   is_same_path(dirname(first), dirname(second)));

	free(first);
	free(second);
	return same;
}

/* Returns the path that the output names, or NULL. */
static const char *find_path(const char *target)
{
	const size_t len = strlen(target);

	if (tr2_text_starts(target, len, FILES))
		return target + strlen(FILES);
	return tr2_text_starts(target, len, STREAM) ? target + strlen(STREAM)
						    : NULL;
}

bool tr2_collect_is_same_output(const char *one, const char *other)
{
	const char *path = find_path(one), *there = find_path(other);
	const char *url = tr2_otlp_find_url(one);
	const char *second = tr2_otlp_find_url(other);

	if (path && there)
		return tr2_collect_is_same_place(path, there);
	if (url && second)
		return tr2_post_measure_url(url) ==
			       tr2_post_measure_url(second) &&
		       !memcmp(url, second, tr2_post_measure_url(url));
	return !strcmp(one, other);
}

/* Does the service read there? */
static bool reads_place(const struct tr2_collect_options *options,
			const char *path)
{
	for (uint32_t i = 0; i < options->watch_count; i++)
		if (tr2_collect_is_same_place(options->watches[i].path, path))
			return true;
	for (uint32_t i = 0; i < options->socket_count; i++)
		if (tr2_collect_is_same_place(
			    options->sockets[i].address.sun_path, path))
			return true;
	return false;
}

/* Is the file in a directory that the service reads? */
static bool watches_file(const struct tr2_collect_options *options, int fd)
{
	const struct dirent *entry;
	struct stat st, there;
	bool found = false;
	DIR *dir;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	for (uint32_t i = 0; i < options->watch_count && !found; i++) {
		dir = opendir(options->watches[i].path);
		while (dir && !found && (entry = readdir(dir)))
			found = *entry->d_name != '.' &&
				!fstatat(dirfd(dir), entry->d_name, &there,
					 AT_SYMLINK_NOFOLLOW) &&
				is_same_file(&st, &there);
		if (dir)
			closedir(dir);
	}
	return found;
}

/* Does what is written there come in again? */
static bool comes_back(const struct tr2_collect_options *options,
		       const struct tr2_delivery *output)
{
	const char *path = find_path(output->target);

	if (output->kind == &tr2_kind_stdout)
		return watches_file(options, STDOUT_FILENO);
	return path && reads_place(options, path);
}

/* Nobody knows which place it will be. */
static bool is_open_link(const struct tr2_delivery *output)
{
	const char *path = find_path(output->target);
	struct stat st;

	return output->kind == &tr2_kind_files && stat(path, &st) &&
	       !lstat(path, &st);
}

const char *tr2_collect_find_loop(const struct tr2_collect_options *options,
				  const char **place)
{
	for (uint32_t i = 0; i < options->output_count; i++) {
		*place = options->outputs[i].target;
		if (comes_back(options, &options->outputs[i]))
			return "the service reads what this output writes, so "
			       "events would come for ever";
		if (is_open_link(&options->outputs[i]))
			return "this is a link to a directory that is not "
			       "there; make it first";
	}
	for (uint32_t i = 0; i < options->watch_count; i++) {
		*place = options->watches[i].path;
		if (tr2_collect_is_same_place(*place, options->spool))
			return "this directory is the spool";
	}
	return NULL;
}
