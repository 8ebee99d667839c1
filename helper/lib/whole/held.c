#define _DEFAULT_SOURCE /* flock() */
#include "lib/whole/held.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/linux.h"
#include "lib/files/own.h"
#include "lib/text/text.h"
#include "lib/whole/whole_file.h"

#define PARTIAL ".partial"
#define TRIES 1000
#define OPEN (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

int tr2_held_take(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st))
		return -1;
	if (st.st_nlink)
		return 0;
	errno = EWOULDBLOCK;
	return -1;
}

/* Is it a file of this kind that is ours, and whose process is dead? */
static bool is_left(int fd, mode_t kind)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == kind &&
	       st.st_uid == geteuid() && !tr2_held_take(fd);
}

static char *move_to_free_name(const char *partial)
{
	const size_t len = strlen(partial) - strlen(PARTIAL);
	char *stem = tr2_text_print("%.*s", (int)len, partial), *name = NULL;
	char ending[32];

	for (int number = 1; !name && number < TRIES; number++) {
		snprintf(ending, sizeof(ending), ".%d" PARTIAL, number);
		name = tr2_whole_file_name(stem, ending);
		if (!tr2_move_file(partial, name))
			break;
		if (errno != EEXIST)
			number = TRIES;
		free(name);
		name = NULL;
	}
	free(stem);
	return name;
}

char *tr2_held_move_away(const char *partial)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	const int fd = open(partial, flags);
	char *name = NULL;

	if (fd < 0)
		return NULL;
	if (is_left(fd, S_IFREG))
		name = move_to_free_name(partial);
	close(fd);
	return name;
}

/*
 * ---- What was to get another name
 */

/* Returns where `.PID-N.partial` begins, or NULL. */
static const char *find_ending(const char *name)
{
	static const char digits[] = "0123456789";
	const char *dash, *end;

	for (; (name = strchr(name, '.')); name++) {
		dash = name + 1 + strspn(name + 1, digits);
		if (dash == name + 1 || *dash != '-')
			continue;
		end = dash + 1 + strspn(dash + 1, digits);
		if (end > dash + 1 && !strcmp(end, PARTIAL))
			return name;
	}
	return NULL;
}

static bool is_partial(const char *name, const char *target)
{
	const char *ending = find_ending(name);
	char *made = ending ? tr2_whole_file_name(target, ending) : NULL;
	const bool same = made && !strcmp(name, made);

	free(made);
	return same;
}

static void remove_entry(int dir, const char *name);

static void empty_directory(int fd)
{
	const int own = openat(fd, ".", OPEN | O_DIRECTORY);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_entry(own, entry->d_name);
	if (dir)
		closedir(dir);
	else if (own >= 0)
		close(own);
}

static void remove_directory(int dir, const char *name, int fd)
{
	empty_directory(fd);
	unlinkat(dir, name, AT_REMOVEDIR);
}

static void remove_entry(int dir, const char *name)
{
	int fd;

	if (!unlinkat(dir, name, 0))
		return;
	fd = openat(dir, name, OPEN | O_DIRECTORY);
	if (fd < 0)
		return;
	remove_directory(dir, name, fd);
	close(fd);
}

/* Where others can give a directory of ours this name, all directories stay. */
static void remove_left(int dir, const char *name, bool shared)
{
	const int fd = openat(dir, name, OPEN);

	if (fd < 0)
		return;
	if (is_left(fd, S_IFREG))
		unlinkat(dir, name, 0);
	else if (!shared && is_left(fd, S_IFDIR))
		remove_directory(dir, name, fd);
	close(fd);
}

void tr2_held_sweep(const char *target)
{
	const char *slash = strrchr(target, '/');
	const char *base = slash ? slash + 1 : target;
	char *path = tr2_text_print("%.*s.", (int)(base - target), target);
	const int own = tr2_own_enter(path, TR2_OWN_SHARED);
	DIR *dir = opendir(path);
	struct dirent *entry;

	free(path);
	while (dir && (entry = readdir(dir)))
		if (is_partial(entry->d_name, base))
			remove_left(dirfd(dir), entry->d_name, own < 0);
	if (dir)
		closedir(dir);
	if (own >= 0)
		close(own);
}
