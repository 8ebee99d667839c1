/*
 * A file that the command has removed, as `git clean` does, and that is made
 * again: an EVENT log or an archive.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/ready.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "record/record_part.h"

#define PIECE ((size_t)1 << 13)

/* Append all that the file of this name has. 0, or an errno value. */
static int append_file(int to, const char *name)
{
	const int from = open(name, O_RDONLY | O_CLOEXEC);
	char bytes[PIECE];
	ssize_t got = from < 0 ? -1 : 1;
	int error;

	while (got > 0) {
		got = read(from, bytes, sizeof(bytes));
		if (got > 0 &&
		    tr2_ready_write(to, bytes, (size_t)got) < (size_t)got)
			got = -1;
	}
	error = got < 0 ? errno : 0;
	if (from >= 0)
		close(from);
	return error;
}

void tr2_record_tell_moved(const struct tr2_whole_file *file)
{
	if (file->moved)
		tr2_foreign_complain("record",
				     "what an earlier recording left is now in",
				     file->moved);
}

/*
 * Make it under its old name, which may be another file's by now: of a log, the
 * processes that started later have made that one.
 */
static int make_again(struct tr2_whole_file *file, bool is_log)
{
	char *own = tr2_text_print("/proc/self/fd/%d", file->fd);
	struct tr2_whole_file again;
	int error = tr2_whole_file_open(&again, file->target, true);

	if (!error)
		error = append_file(again.fd, own);
	if (!error && is_log && again.moved) {
		error = append_file(again.fd, again.moved);
		if (!error)
			unlink(again.moved);
	} else if (!error) {
		tr2_record_tell_moved(&again);
	}
	free(own);
	if (error) {
		tr2_whole_file_complain(&again, "record", file->target, error);
		tr2_whole_file_drop(&again);
		return error;
	}
	tr2_whole_file_leave(file);
	*file = again;
	return 0;
}

int tr2_record_find_file(struct tr2_whole_file *file, bool is_log)
{
	struct stat st;

	if (!file->partial || fstat(file->fd, &st) || st.st_nlink ||
	    !make_again(file, is_log))
		return 0;
	fprintf(stderr, "so the %s, which the command has removed, is lost\n",
		is_log ? "EVENT log" : "archive");
	return 1;
}
