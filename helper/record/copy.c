/*
 * A file that is replaced by its copy: an EVENT log at its end before that of
 * the command, as processes that have it open go on writing to it; and a log or
 * an archive that the command has removed, as `git clean` does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/whole/held.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "record/record_part.h"

#define PIECE ((size_t)1 << 13)

/* Copy so many bytes; of a log the whole lines, as one may just be written. */
static int copy_bytes(int from, int to, off_t size, bool is_log)
{
	char bytes[PIECE];
	const char *end;
	ssize_t got, put;
	size_t want;
	off_t at, whole = lseek(to, 0, SEEK_CUR), start = whole;

	for (at = 0; at < size; at += put) {
		want = size - at < (off_t)sizeof(bytes) ? (size_t)(size - at)
							: sizeof(bytes);
		got = pread(from, bytes, want, at);
		put = got > 0 ? write(to, bytes, (size_t)got) : got;
		if (put <= 0)
			return put ? errno : EIO;
		end = is_log ? tr2_text_find_end(bytes, (size_t)put)
			     : bytes + put;
		if (end)
			whole = start + at + (end - bytes);
	}
	return ftruncate(to, whole) || lseek(to, whole, SEEK_SET) < 0 ? errno
								      : 0;
}

/* Copy it to a new file of its owner and mode. */
static int copy_file(int from, int to, bool is_log)
{
	struct stat st;

	if (fstat(from, &st))
		return errno;
	if (fchown(to, st.st_uid, st.st_gid) || fchmod(to, st.st_mode & 07777))
		fchmod(to, st.st_mode & 0777);
	return copy_bytes(from, to, st.st_size, is_log);
}

/*
 * Processes that start after the log was removed find no file, and make one.
 * It may also be another recording's.
 */
static int copy_later(const char *partial, int to)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = open(partial, flags), error;
	struct stat st;

	if (fd < 0)
		return errno == ENOENT ? 0 : errno;
	if (tr2_held_take(fd) && errno == EWOULDBLOCK)
		error = EEXIST;
	else
		error = fstat(fd, &st) ? errno
				       : copy_bytes(fd, to, st.st_size, true);
	close(fd);
	return error;
}

static bool is_removed(const struct tr2_whole_file *file)
{
	struct stat st;

	return file->partial && !fstat(file->fd, &st) && !st.st_nlink;
}

/* What the processes of the command write may have gone elsewhere meanwhile. */
static int join_later(const struct tr2_whole_file *file, int to)
{
	if (is_removed(file))
		return copy_later(file->partial, to);
	return tr2_whole_file_has_name(file) ? 0 : EEXIST;
}

/*
 * A file that took the log's name is in the copy. What took an archive's is the
 * command's, so the archive keeps the copy's name.
 */
static int put_copy(struct tr2_whole_file *file, const char *copy, bool is_log)
{
	if (is_log)
		return rename(copy, file->partial);
	free(file->partial);
	file->partial = tr2_must_copy(copy);
	return 0;
}

/* The file becomes the copy. 0, or an errno value. */
static int replace_file(struct tr2_whole_file *file, int from, const char *copy,
			bool is_log)
{
	int to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error;

	if (to < 0)
		return errno;
	tr2_held_take(to); /* as the file is */
	error = copy_file(from, to, is_log);
	if (!error && is_log)
		error = join_later(file, to);
	if (!error &&
	    (put_copy(file, copy, is_log) || dup3(to, file->fd, O_CLOEXEC) < 0))
		error = errno;
	close(to);
	if (error)
		unlink(copy);
	return error;
}

static char *name_copy(const struct tr2_whole_file *file)
{
	return tr2_whole_file_name(file->target, ".copy.partial");
}

static void tell_moved(const char *moved)
{
	if (moved)
		tr2_foreign_complain("record",
				     "what an earlier recording left is now in",
				     moved);
}

/* If a recorder was killed while it made a copy, nothing else may be left. */
void tr2_record_tell_moved(const struct tr2_whole_file *file)
{
	char *copy = file->partial ? name_copy(file) : NULL;
	char *moved = copy ? tr2_held_move_away(copy) : NULL;

	tell_moved(file->moved);
	tell_moved(moved);
	free(moved);
	free(copy);
}

/* 0, or 1 after a message. */
static int copy_and_replace(struct tr2_whole_file *file, bool is_log)
{
	char *copy = name_copy(file);
	char *own = tr2_text_print("/proc/self/fd/%d", file->fd);
	int from = open(own, O_RDONLY | O_CLOEXEC);
	int error = from < 0 ? errno : replace_file(file, from, copy, is_log);

	if (from >= 0)
		close(from);
	if (error)
		tr2_record_fail("record", copy, error);
	free(own);
	free(copy);
	return error != 0;
}

int tr2_event_log_stop(struct tr2_event_log *log)
{
	if (log->file.fd < 0)
		return 0;
	if (copy_and_replace(&log->file, true)) {
		fputs("so the EVENT log goes on until the command ends\n",
		      stderr);
		return 1;
	}
	tr2_event_log_hide(log);
	return 0;
}

int tr2_record_find_file(struct tr2_whole_file *file, bool is_log)
{
	if (!is_removed(file) || !copy_and_replace(file, is_log))
		return 0;
	fprintf(stderr, "so the %s, which the command has removed, is lost\n",
		is_log ? "EVENT log" : "archive");
	return 1;
}
