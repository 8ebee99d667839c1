#include "convert/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "validate/memory.h"

#define MUCH ((size_t)256 << 10)

static void fail(struct tr2_output *output)
{
	if (!output->failed)
		fprintf(stderr, "trace2 convert: %s: %s\n", output->name,
			strerror(errno));
	output->failed = true;
}

int tr2_output_open(struct tr2_output *output, const char *name)
{
	*output = (struct tr2_output){ .fd = STDOUT_FILENO, .name = name };
	if (!strcmp(name, "-"))
		return 0;
	output->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0)
		fail(output);
	return output->fd < 0 ? -1 : 0;
}

static void flush(struct tr2_output *output)
{
	const char *at = output->buf.bytes;
	size_t left = output->buf.len;
	ssize_t put;

	if (output->buf.failed)
		tr2_memory_out();
	while (left && !output->failed) {
		put = write(output->fd, at, left);
		if (put >= 0) {
			at += put;
			left -= (size_t)put;
		} else if (errno != EINTR) {
			fail(output);
		}
	}
	tr2_buf_reset(&output->buf);
}

void tr2_output_step(struct tr2_output *output)
{
	if (output->buf.len >= MUCH || output->buf.failed)
		flush(output);
}

int tr2_output_close(struct tr2_output *output)
{
	flush(output);
	if (output->fd != STDOUT_FILENO && close(output->fd))
		fail(output);
	tr2_buf_release(&output->buf);
	return output->failed ? -1 : 0;
}
