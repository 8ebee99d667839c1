#include "lib/whole/whole_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/text.h"
#include "lib/whole/whole_file.h"

static void release_dir(struct tr2_whole_dir *dir)
{
	while (tr2_doomed_forget(dir->target, false))
		;
	free(dir->partial);
	free(dir->target);
	*dir = (struct tr2_whole_dir){ NULL, NULL };
}

static int make_dir(void *made, mode_t mode)
{
	const struct tr2_whole_dir *dir = made;

	return mkdir(dir->partial, mode) ? errno : 0;
}

int tr2_whole_dir_open(struct tr2_whole_dir *dir, const char *name, mode_t mode)
{
	size_t len = strlen(name);
	struct stat st;
	int error;

	while (len > 1 && name[len - 1] == '/')
		len--;
	dir->target = tr2_text_print("%.*s", (int)len, name);
	error = lstat(dir->target, &st)
			? tr2_doomed_make(dir->target, &dir->partial, make_dir,
					  dir, mode)
			: EEXIST;
	if (error)
		release_dir(dir);
	return error;
}

/* Before it is made: nobody else makes anything in a directory that is ours. */
static void make_below(const struct tr2_whole_dir *dir, const char *path)
{
	tr2_doomed_add(path, dir->target);
	if (mkdir(path, 0777))
		tr2_doomed_forget(dir->target, false);
}

/* Make the directories of the path, from byte `from` on. */
static void make_parents(const struct tr2_whole_dir *dir, const char *path,
			 size_t from)
{
	const char *slash = path + from;
	char *parent;

	while ((slash = strchr(slash, '/'))) {
		parent = tr2_text_print("%.*s", (int)(slash++ - path), path);
		make_below(dir, parent);
		free(parent);
	}
}

int tr2_whole_dir_make(struct tr2_whole_dir *dir, const char *name, char **path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	char *made = tr2_text_print("%s/%s", dir->partial, name);
	int fd, error;

	*path = tr2_text_print("%s/%s", dir->target, name);
	make_parents(dir, made, strlen(dir->partial) + 1);
	tr2_doomed_add(made, dir->target);
	fd = open(made, flags, 0666);
	error = errno;
	if (fd < 0)
		tr2_doomed_forget(dir->target, false);
	free(made);
	errno = error;
	return fd;
}

void tr2_whole_dir_unmake(struct tr2_whole_dir *dir)
{
	tr2_doomed_forget(dir->target, true);
}

/* An empty directory that somebody has made meanwhile is not ours, either. */
int tr2_whole_dir_commit(struct tr2_whole_dir *dir)
{
	struct stat st;
	int error = 0;

	if (!lstat(dir->target, &st))
		error = EEXIST;
	else if (rename(dir->partial, dir->target))
		error = errno == ENOTEMPTY ? EEXIST : errno;
	if (error)
		tr2_whole_dir_drop(dir);
	else
		release_dir(dir);
	return error;
}

/* What was made last is removed first. */
void tr2_whole_dir_drop(struct tr2_whole_dir *dir)
{
	while (tr2_doomed_forget(dir->target, true))
		;
	release_dir(dir);
}
