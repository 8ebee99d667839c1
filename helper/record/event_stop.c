/*
 * An EVENT log that is replaced by its copy: at its end before that of the
 * command, as processes that have it open go on writing to it; and when the
 * command has removed it, as `git clean` does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/whole/held.h"
#include "lib/text/text.h"
#include "record/record_part.h"

#define PIECE ((size_t)1 << 13)

/* Copy the whole lines of so many bytes; one may just be written. */
static int copy_lines(int from, int to, off_t size)
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
		end = tr2_text_find_end(bytes, (size_t)put);
		if (end)
			whole = start + at + (end - bytes);
	}
	return ftruncate(to, whole) || lseek(to, whole, SEEK_SET) < 0 ? errno
								      : 0;
}

/* Copy the log to a new file of its owner and mode. */
static int copy_log(int from, int to)
{
	struct stat st;

	if (fstat(from, &st))
		return errno;
	if (fchown(to, st.st_uid, st.st_gid) || fchmod(to, st.st_mode & 07777))
		fchmod(to, st.st_mode & 0777);
	return copy_lines(from, to, st.st_size);
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
		error = fstat(fd, &st) ? errno : copy_lines(fd, to, st.st_size);
	close(fd);
	return error;
}

static bool is_removed(const struct tr2_event_log *log)
{
	struct stat st;

	return log->file.fd >= 0 && !fstat(log->file.fd, &st) && !st.st_nlink;
}

/* The log's file becomes the copy. 0, or an errno value. */
static int replace_log(struct tr2_event_log *log, int from, const char *copy)
{
	int to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error;

	if (to < 0)
		return errno;
	tr2_held_take(to); /* as the log's file is */
	error = copy_log(from, to);
	if (!error && is_removed(log))
		error = copy_later(log->file.partial, to);
	else if (!error && !tr2_whole_file_has_name(&log->file))
		error = EEXIST;
	if (!error && (rename(copy, log->file.partial) ||
		       dup3(to, log->file.fd, O_CLOEXEC) < 0))
		error = errno;
	close(to);
	if (error)
		unlink(copy);
	return error;
}

char *tr2_event_log_name_copy(const struct tr2_event_log *log)
{
	return tr2_whole_file_name(log->file.target, ".copy.partial");
}

/* 0, or 1 after a message. */
static int copy_and_replace(struct tr2_event_log *log)
{
	char *copy = tr2_event_log_name_copy(log);
	char *own = tr2_text_print("/proc/self/fd/%d", log->file.fd);
	int from = open(own, O_RDONLY | O_CLOEXEC);
	int error = from < 0 ? errno : replace_log(log, from, copy);

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
	if (copy_and_replace(log)) {
		fputs("so the EVENT log goes on until the command ends\n",
		      stderr);
		return 1;
	}
	tr2_event_log_hide(log);
	return 0;
}

int tr2_event_log_find(struct tr2_event_log *log)
{
	if (!is_removed(log) || !copy_and_replace(log))
		return 0;
	fputs("so the EVENT log, which the command has removed, is lost\n",
	      stderr);
	return 1;
}
