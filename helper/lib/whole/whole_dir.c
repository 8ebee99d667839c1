#include "lib/whole/whole_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/text.h"
#include "lib/whole/held.h"
#include "lib/whole/whole_file.h"

#define TRIES 100

/*
 * ---- What is made
 */

/* Before it is made: nobody else makes anything in a directory that is ours. */
static void note_made(struct tr2_whole_dir *dir, char *path)
{
	char **made = tr2_vec_add(&dir->made, sizeof(*made));

	*made = path;
	tr2_doomed_add(path);
}

static const char *find_last(const struct tr2_whole_dir *dir)
{
	return ((char **)dir->made.items)[dir->made.count - 1];
}

static void forget_last(struct tr2_whole_dir *dir)
{
	char *last = ((char **)dir->made.items)[--dir->made.count];

	tr2_doomed_forget(last);
	free(last);
}

static void release_dir(struct tr2_whole_dir *dir)
{
	while (dir->made.count)
		forget_last(dir);
	tr2_vec_release(&dir->made);
	if (dir->partial)
		tr2_doomed_forget(dir->partial);
	if (dir->partial && dir->held >= 0)
		close(dir->held);
	free(dir->partial);
	free(dir->target);
	*dir = (struct tr2_whole_dir){ NULL, NULL, { NULL, 0, 0 }, -1 };
}

/*
 * ---- The directory
 */

/* Whoever sweeps may have taken it for a killed process's. */
static int make_held(struct tr2_whole_dir *dir, mode_t mode)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int error;

	if (mkdir(dir->partial, mode))
		return errno;
	dir->held = open(dir->partial, flags);
	error = dir->held < 0 ? errno : 0;
	if (error == ENOENT)
		return EEXIST;
	if (error == EACCES) /* nobody can, who has no better rights */
		return 0;
	if (error) {
		rmdir(dir->partial);
		return error;
	}
	if (!tr2_held_take(dir->held) || errno != EWOULDBLOCK)
		return 0;
	close(dir->held);
	return EEXIST;
}

/* The name may be taken: numbers of processes come again. */
static int try_names(struct tr2_whole_dir *dir, mode_t mode)
{
	int try, error = EEXIST;

	for (try = 0; try < TRIES && error == EEXIST; try++) {
		free(dir->partial);
		dir->partial = tr2_whole_file_name_partial(dir->target, try);
		error = make_held(dir, mode);
	}
	if (error)
		free(dir->partial);
	if (error)
		dir->partial = NULL;
	return error;
}

/* No signal comes before it is known that the directory has to be removed. */
static int make_partial(struct tr2_whole_dir *dir, mode_t mode)
{
	sigset_t all, before;
	int error;

	tr2_held_sweep(dir->target);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = try_names(dir, mode);
	if (!error)
		tr2_doomed_add(dir->partial);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

int tr2_whole_dir_open(struct tr2_whole_dir *dir, const char *name, mode_t mode)
{
	size_t len = strlen(name);
	struct stat st;
	int error;

	while (len > 1 && name[len - 1] == '/')
		len--;
	dir->target = tr2_text_print("%.*s", (int)len, name);
	error = lstat(dir->target, &st) ? make_partial(dir, mode) : EEXIST;
	if (error)
		release_dir(dir);
	return error;
}

/* Make the directories of the path, from byte `from` on. */
static void make_parents(struct tr2_whole_dir *dir, const char *path,
			 size_t from)
{
	const char *slash = path + from;
	char *parent;

	while ((slash = strchr(slash, '/'))) {
		parent = tr2_text_print("%.*s", (int)(slash++ - path), path);
		note_made(dir, parent);
		if (mkdir(parent, 0777))
			forget_last(dir);
	}
}

int tr2_whole_dir_make(struct tr2_whole_dir *dir, const char *name, char **path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	char *made = tr2_text_print("%s/%s", dir->partial, name);
	int fd, error;

	*path = tr2_text_print("%s/%s", dir->target, name);
	make_parents(dir, made, strlen(dir->partial) + 1);
	note_made(dir, made);
	fd = open(made, flags, 0666);
	error = errno;
	if (fd < 0)
		forget_last(dir);
	errno = error;
	return fd;
}

void tr2_whole_dir_unmake(struct tr2_whole_dir *dir)
{
	unlink(find_last(dir));
	forget_last(dir);
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
	while (dir->made.count) {
		remove(find_last(dir));
		forget_last(dir);
	}
	if (dir->partial)
		rmdir(dir->partial);
	release_dir(dir);
}
