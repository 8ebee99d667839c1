/*
 * Directories of a recording below TMPDIR: for the socket of its manager, and
 * for the link to its EVENT log. Each has a file that is locked for as long as
 * the recorder lives, also if its number is another process's then. So what
 * a recorder left that was killed is removed by the next one of its user.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/whole/held.h"
#include "lib/files/own.h"
#include "record/record_part.h"

#define PREFIX "trace2-rec."
#define TEMPLATE PREFIX "XXXXXX"
#define LOCK "recorder.lock"
#define TRIES 100

/*
 * ---- What others left
 */

/* What a recorder makes there, and nothing else. */
static void empty_place(int place)
{
	static const char *const names[] = { "event", "manager", "manager.lock",
					     LOCK };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(place, names[i], 0);
}

/*
 * Another user's directory is not entered. One that is empty is removed: its
 * recorder was killed before it made the file, or makes another directory.
 */
static void remove_dead(int tmp, const char *name)
{
	const int flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
	int place = openat(tmp, name, O_RDONLY | O_DIRECTORY | flags);
	int lock = -1;
	struct stat st;

	if (place < 0)
		return;
	if (!fstat(place, &st) && st.st_uid == geteuid()) {
		lock = openat(place, LOCK, O_RDWR | flags);
		if (lock >= 0 && !tr2_held_take(lock))
			empty_place(place);
		unlinkat(tmp, name, AT_REMOVEDIR); /* if it is empty */
	}
	if (lock >= 0)
		close(lock);
	close(place);
}

static void remove_left(const char *tmp)
{
	DIR *dir = opendir(tmp);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) &&
		    strlen(entry->d_name) == strlen(TEMPLATE))
			remove_dead(dirfd(dir), entry->d_name);
	closedir(dir);
}

/*
 * ---- A place
 */

/* Where others could replace the directory, they would get the trace. */
static int check_place(const char *path)
{
	int fd = tr2_own_enter(path, TR2_OWN_PRIVATE);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int lock_place(struct tr2_record_place *place)
{
	char name[sizeof(place->path) + sizeof("/" LOCK)];

	snprintf(name, sizeof(name), "%s/" LOCK, place->path);
	place->lock = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (place->lock < 0)
		return errno;
	/* Where files cannot be held, nobody removes it. */
	return tr2_held_take(place->lock) && errno == EWOULDBLOCK ? EAGAIN : 0;
}

/*
 * 0, or an errno value and an empty path. EAGAIN: a recorder that looks for
 * what others left has found the directory before it was locked.
 */
static int try_place(struct tr2_record_place *place)
{
	const bool made = mkdtemp(place->path);
	int error = made ? check_place(place->path) : errno;

	if (!error)
		error = lock_place(place);
	if (error)
		tr2_record_place_remove(place);
	return made && error == ENOENT ? EAGAIN : error;
}

static int make_below(struct tr2_record_place *place, const char *tmp)
{
	int try, error = EAGAIN;

	if (strlen(tmp) + sizeof("/" TEMPLATE) > sizeof(place->path))
		return EPERM;
	remove_left(tmp);
	for (try = 0; try < TRIES && error == EAGAIN; try++) {
		*place = (struct tr2_record_place){ .lock = -1 };
		snprintf(place->path, sizeof(place->path), "%s/" TEMPLATE, tmp);
		error = try_place(place);
	}
	return error;
}

/*
 * The path of a socket is short; so a long TMPDIR is not used, nor one in which
 * others could replace the directory.
 */
int tr2_record_place_make(struct tr2_record_place *place)
{
	const char *tmp = getenv("TMPDIR");
	int error = tmp && *tmp == '/' ? make_below(place, tmp) : EPERM;

	return error == EPERM ? make_below(place, "/tmp") : error;
}

void tr2_record_place_remove(struct tr2_record_place *place)
{
	char name[sizeof(place->path) + sizeof("/" LOCK)];

	if (!*place->path)
		return;
	snprintf(name, sizeof(name), "%s/" LOCK, place->path);
	if (place->lock >= 0) {
		unlink(name);
		close(place->lock);
	}
	rmdir(place->path);
	*place = (struct tr2_record_place){ .lock = -1 };
}
