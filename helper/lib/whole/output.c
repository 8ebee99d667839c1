#include "lib/whole/output.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/common/memory.h"
#include "lib/files/ready.h"
#include "lib/files/written.h"

#define MUCH ((size_t)256 << 10)

/* Reports only the first failure; after it nothing more is written. */
static void fail_output(struct tr2_output *output, int error)
{
	if (!output->failed)
		tr2_whole_file_complain(&output->file, output->command,
					output->name, error);
	output->failed = true;
}

void tr2_output_begin(struct tr2_output *output, const char *command,
		      const char *name)
{
	*output = (struct tr2_output){ .file = TR2_WHOLE_FILE_INIT,
				       .command = command,
				       .name = name };
}

bool tr2_output_would_replace(const char *name, const struct stat *input)
{
	struct stat old;

	return strcmp(name, "-") != 0 && !stat(name, &old) &&
	       (S_ISREG(old.st_mode) || S_ISFIFO(old.st_mode)) &&
	       old.st_dev == input->st_dev && old.st_ino == input->st_ino;
}

bool tr2_output_would_replace_fd(const char *name, int fd)
{
	struct stat st;

	return name && fd >= 0 && !fstat(fd, &st) &&
	       tr2_output_would_replace(name, &st);
}

bool tr2_output_would_replace_file(const char *name, const char *file)
{
	struct stat st;

	return name && file && !stat(file, &st) &&
	       tr2_output_would_replace(name, &st);
}

void tr2_output_open(struct tr2_output *output)
{
	int error;

	if (output->file.fd >= 0 || output->failed)
		return;
	error = tr2_whole_file_open(&output->file, output->name, false);
	if (error)
		fail_output(output, error);
	else
		tr2_written_note(output->file.fd);
}

/* After a failure the bytes are dropped: the file will not be put in place. */
static void flush_output(struct tr2_output *output)
{
	struct tr2_buf *buf = &output->buf;

	tr2_must_hold(buf);
	if (!output->failed &&
	    tr2_ready_write(output->file.fd, buf->bytes, buf->len) < buf->len)
		fail_output(output, errno);
	tr2_buf_reset(buf);
}

void tr2_output_step(struct tr2_output *output)
{
	bool open = output->file.fd >= 0 || output->failed;

	if (open && (output->buf.len >= MUCH || output->buf.failed))
		flush_output(output);
}

int tr2_output_close(struct tr2_output *output)
{
	int error;

	flush_output(output);
	error = output->failed ? 0 : tr2_whole_file_commit(&output->file);
	if (error)
		fail_output(output, error);
	tr2_output_drop(output);
	return output->failed ? -1 : 0;
}

int tr2_output_close_new(struct tr2_output *output)
{
	int error = tr2_whole_file_commit_new(&output->file);

	if (error == EEXIST)
		return 1;
	if (error)
		fail_output(output, error);
	tr2_output_drop(output);
	return output->failed ? -1 : 0;
}

void tr2_output_drop(struct tr2_output *output)
{
	tr2_written_note(-1); /* another file may get its number */
	tr2_whole_file_drop(&output->file);
	tr2_buf_release(&output->buf);
}
