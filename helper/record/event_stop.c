/*
 * The end of an EVENT log before that of the command. Processes that have it
 * open go on writing to it; so what there is now is copied, and the copy takes
 * its place.
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
#include "lib/files/held.h"
#include "lib/text/text.h"
#include "record/record_part.h"

#define PIECE ((size_t)1 << 13)

/*
 * Returns how much of the file is whole lines, as one may just be written. -1
 * and errno: it can't be read.
 */
static off_t measure_lines(int fd, off_t size)
{
	char bytes[PIECE], *end;
	ssize_t got;
	off_t at;

	for (; size > 0; size = at) {
		at = size > (off_t)sizeof(bytes) ? size - (off_t)sizeof(bytes)
						 : 0;
		got = pread(fd, bytes, (size_t)(size - at), at);
		if (got < 0)
			return -1;
		end = memrchr(bytes, '\n', (size_t)got);
		if (end)
			return at + (end - bytes) + 1;
	}
	return 0;
}

static int copy_bytes(int from, int to, off_t size)
{
	char bytes[PIECE];
	ssize_t got, put;
	size_t want;
	off_t at;

	for (at = 0; at < size; at += put) {
		want = size - at < (off_t)sizeof(bytes) ? (size_t)(size - at)
							: sizeof(bytes);
		got = pread(from, bytes, want, at);
		put = got > 0 ? write(to, bytes, (size_t)got) : got;
		if (put <= 0)
			return put ? errno : EIO;
	}
	return 0;
}

/* Copy the log to a new file of its owner and mode. */
static int copy_log(int from, int to)
{
	struct stat st;
	off_t size;

	if (fstat(from, &st))
		return errno;
	if (fchown(to, st.st_uid, st.st_gid) || fchmod(to, st.st_mode & 07777))
		fchmod(to, st.st_mode & 0777);
	size = measure_lines(from, st.st_size);
	return size < 0 ? errno : copy_bytes(from, to, size);
}

/* The log's file becomes the copy. 0, or an errno value. */
static int replace_log(struct tr2_event_log *log, int from, const char *copy)
{
	int to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error;

	if (to < 0)
		return errno;
	error = copy_log(from, to);
	tr2_held_take(to); /* as the log's file is */
	if (!error && (rename(copy, log->file.partial) ||
		       dup3(to, log->file.fd, O_CLOEXEC) < 0))
		error = errno;
	close(to);
	if (error)
		unlink(copy);
	return error;
}

int tr2_event_log_stop(struct tr2_event_log *log)
{
	char *copy;
	int from, error;

	if (log->file.fd < 0)
		return 0;
	copy = tr2_text_print("%s.copy", log->file.partial);
	from = open(log->file.partial, O_RDONLY | O_CLOEXEC);
	error = from < 0 ? errno : replace_log(log, from, copy);
	if (from >= 0)
		close(from);
	if (!error) {
		tr2_event_log_hide(log);
	} else {
		tr2_record_fail("record", copy, error);
		fputs("so the EVENT log goes on until the command ends\n",
		      stderr);
	}
	free(copy);
	return error != 0;
}
