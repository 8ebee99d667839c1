#include "fxt/append.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/buffer.h"
#include "fxt/file.h"
#include "host/hold.h"

/* Where the chunks begin. */
static off_t start_of(const struct tr2_fxt_file *file)
{
	return file->start + (off_t)TRACE_BUFFER_PAGE;
}

void tr2_fxt_append_begin(struct tr2_fxt_file *file)
{
	struct stat st = { 0 };
	uint64_t have = 0;
	int error = errno;

	fstat(file->fd, &st);
	if (st.st_size > start_of(file))
		have = (uint64_t)(st.st_size - start_of(file));
	__atomic_store_n(&file->have, have, __ATOMIC_RELAXED);
	errno = error;
}

static int may_append(const struct tr2_fxt_file *file, size_t len)
{
	return __atomic_load_n(&file->max, __ATOMIC_RELAXED) &&
	       file->have + len <= file->limit &&
	       tr2_fxt_file_state(file) == TR2_FXT_WHOLE;
}

/* Remove what was written of the piece: another one could not follow it. */
static void end_file(struct tr2_fxt_file *file, int error)
{
	__atomic_store_n(&file->error, error, __ATOMIC_RELAXED);
	tr2_fxt_file_trim(file, file->have);
	tr2_fxt_file_give_up(file);
}

int tr2_fxt_append(struct tr2_fxt_file *file, const void *bytes, size_t len)
{
	ssize_t put;

	if (!may_append(file, len)) {
		tr2_fxt_file_give_up(file);
		return 0;
	}
	put = tr2_hold_write(file->fd, bytes, len);
	if (put != (ssize_t)len) {
		end_file(file, put < 0 ? errno : ENOSPC);
		return 0;
	}
	__atomic_fetch_add(&file->have, len, __ATOMIC_RELAXED);
	return 1;
}
