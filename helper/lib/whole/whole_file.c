#define _XOPEN_SOURCE 700 /* S_ISVTX */
#include "lib/whole/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "lib/whole/held.h"
#include "lib/text/foreign.h"

#define LINKS 40      /* more links in a row are a loop */
#define LONG_MOST 190 /* bytes of a name that is cut: room for two endings */

/* Returns the descriptor that the name stands for, or -1. */
static int find_descriptor(const char *name)
{
	static const char *const places[] = { "/dev/fd/", "/proc/self/fd/" };
	const char *digits;
	size_t len;
	char *end;
	long fd;

	if (!strcmp(name, "-") || !strcmp(name, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(name, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		len = strlen(places[i]);
		digits = name + len;
		if (strncmp(name, places[i], len) || *digits < '0' ||
		    *digits > '9')
			continue;
		fd = strtol(digits, &end, 10);
		if (!*end && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

static int dir_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) + 1 : 0;
}

/*
 * Returns the target of the link, resolved from the link's directory; NULL
 * with errno: it is not a link.
 */
static char *follow_link(const char *path)
{
	char text[PATH_MAX];
	ssize_t len = readlink(path, text, sizeof(text) - 1);

	if (len < 0)
		return NULL;
	text[len] = '\0';
	if (*text == '/')
		return tr2_must_copy(text);
	if (!dir_length(path)) /* a file `-` is not a descriptor */
		return tr2_text_print("./%s", text);
	return tr2_text_print("%.*s%s", dir_length(path), path, text);
}

/*
 * Has another user made this link in a directory that everybody shares, such as
 * /tmp? Its target would be overwritten for them. Some systems follow no such
 * link, either, but the target is opened here by its own name.
 */
static bool is_foreign_link(const char *path)
{
	const mode_t shared = S_ISVTX | S_IWOTH;
	char *dir = tr2_text_print("%.*s.", dir_length(path), path);
	struct stat link, st;
	const bool known = !lstat(path, &link) && !stat(dir, &st);

	free(dir);
	return known && S_ISLNK(link.st_mode) &&
	       (st.st_mode & shared) == shared && link.st_uid != geteuid() &&
	       link.st_uid != st.st_uid;
}

/* Follow links to a name that is not a link, or that means a descriptor. */
static int find_target(struct tr2_whole_file *file, const char *name)
{
	char *next = tr2_must_copy(name);
	int links = 0;

	while (next) {
		free(file->target);
		file->target = next;
		if (find_descriptor(next) >= 0)
			return 0;
		if (is_foreign_link(next))
			return EACCES;
		next = follow_link(next);
		if (next && ++links > LINKS) {
			free(next);
			return ELOOP;
		}
	}
	return 0; /* what cannot be looked up fails at stat(), too */
}

static int fail_open(struct tr2_whole_file *file, int error)
{
	tr2_whole_file_drop(file);
	return error;
}

static int open_as_is(struct tr2_whole_file *file, int fd)
{
	file->fd =
		fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3)
			: open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return file->fd < 0 ? fail_open(file, errno) : 0;
}

char *tr2_whole_file_name(const char *name, const char *ending)
{
	const int dir = dir_length(name);
	const char *base = name + dir;
	const size_t len = strlen(base);

	if (len + strlen(ending) <= NAME_MAX)
		return tr2_text_print("%s%s", name, ending);
	return tr2_text_print("%.*s~%08x%s",
			      dir + (int)tr2_text_cut(base, len, LONG_MOST),
			      name, (unsigned)tr2_hash(base, len).a, ending);
}

void tr2_whole_file_complain(const struct tr2_whole_file *file,
			     const char *command, const char *name, int error)
{
	const bool taken = file->beside && error == EEXIST;
	char *partial = tr2_whole_file_name(name, ".partial");

	fprintf(stderr, "trace2 %s: ", command);
	tr2_foreign_print(stderr, taken ? partial : name);
	if (taken)
		fputs(" exists, and another recording may be writing it; wait "
		      "for its end, or move it away\n",
		      stderr);
	else
		fprintf(stderr, ": %s%s\n",
			file->beside && error != ENOENT
				? "cannot create a file beside it: "
				: "",
			strerror(error));
	free(partial);
}

bool tr2_whole_file_has_name(const struct tr2_whole_file *file)
{
	struct stat own, named;

	return !fstat(file->fd, &own) && !stat(file->partial, &named) &&
	       own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

static int create_once(void *made, mode_t mode)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	struct tr2_whole_file *file = made;

	file->fd = open(file->partial, flags, mode);
	return file->fd < 0 ? errno : 0;
}

/* One that a killed process left is moved away once. */
static int create_kept(struct tr2_whole_file *file, mode_t mode)
{
	int error;

	file->partial = tr2_whole_file_name(file->target, ".partial");
	error = create_once(file, mode);
	if (error == EEXIST)
		file->moved = tr2_held_move_away(file->partial);
	if (file->moved)
		error = create_once(file, mode);
	/* Whoever moves such files away may have taken it for one. */
	if (!error && ((tr2_held_take(file->fd) && errno == EWOULDBLOCK) ||
		       !tr2_whole_file_has_name(file)))
		error = EEXIST;
	return error;
}

static int begin_partial(struct tr2_whole_file *file, const struct stat *old)
{
	mode_t mode = old ? old->st_mode & 07777 : 0666;
	int error;

	if (old && access(file->target, W_OK))
		return fail_open(file, errno);
	error = file->keep ? create_kept(file, mode & 0777)
			   : tr2_doomed_make(file->target, &file->partial,
					     create_once, file, mode & 0777);
	if (error) {
		free(file->partial); /* it belongs to another process */
		file->partial = NULL;
		fail_open(file, error);
		file->beside = true;
		return error;
	}
	/* A file of another user keeps its owner, if this is permitted. */
	if (old && (fchown(file->fd, old->st_uid, old->st_gid) ||
		    fchmod(file->fd, mode)))
		fchmod(file->fd, mode & 0777);
	return 0;
}

int tr2_whole_file_open(struct tr2_whole_file *file, const char *name,
			bool keep)
{
	struct stat old;
	int error, fd;

	*file = (struct tr2_whole_file)TR2_WHOLE_FILE_INIT;
	file->keep = keep;
	error = *name ? find_target(file, name) : ENOENT;
	if (error)
		return fail_open(file, error);
	fd = find_descriptor(file->target);
	if (fd >= 0)
		return open_as_is(file, fd);
	if (stat(file->target, &old))
		return errno == ENOENT ? begin_partial(file, NULL)
				       : fail_open(file, errno);
	if (S_ISDIR(old.st_mode))
		return fail_open(file, EISDIR);
	return S_ISREG(old.st_mode) ? begin_partial(file, &old)
				    : open_as_is(file, -1);
}

void tr2_whole_file_leave(struct tr2_whole_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	tr2_doomed_forget(file->target, false);
	free(file->target);
	free(file->partial);
	free(file->moved);
	*file = (struct tr2_whole_file)TR2_WHOLE_FILE_INIT;
}

/* 0, or an errno value. Some file systems report a failed write only now. */
static int close_synced(struct tr2_whole_file *file)
{
	int error = 0;

	/* Not every file system can sync. */
	if (file->partial && fsync(file->fd) && errno != EINVAL &&
	    errno != ENOTSUP)
		error = errno;
	if (close(file->fd) && !error)
		error = errno;
	file->fd = -1;
	return error;
}

/* 0, or an errno value. */
static int put_in_place(struct tr2_whole_file *file)
{
	int error;

	if (file->partial && file->keep && !tr2_whole_file_has_name(file))
		return ENOENT;
	error = close_synced(file);
	if (!error && file->partial && rename(file->partial, file->target))
		error = errno;
	return error;
}

int tr2_whole_file_commit(struct tr2_whole_file *file)
{
	int error = put_in_place(file);

	if (error)
		return file->keep ? error : fail_open(file, error);
	tr2_whole_file_leave(file);
	return 0;
}

/* A link replaces nothing. Where there can be no links, a look has to do. */
static int put_if_new(struct tr2_whole_file *file)
{
	if (!link(file->partial, file->target)) {
		tr2_whole_file_drop(file);
		return 0;
	}
	if (errno == EEXIST || !access(file->target, F_OK))
		return EEXIST;
	if (rename(file->partial, file->target))
		return fail_open(file, errno);
	tr2_whole_file_leave(file);
	return 0;
}

int tr2_whole_file_commit_new(struct tr2_whole_file *file)
{
	const int error = close_synced(file);

	return error ? fail_open(file, error) : put_if_new(file);
}

void tr2_whole_file_drop(struct tr2_whole_file *file)
{
	if (file->partial && (!file->keep || tr2_whole_file_has_name(file)))
		unlink(file->partial);
	tr2_whole_file_leave(file);
}
