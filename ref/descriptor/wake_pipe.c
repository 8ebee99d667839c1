#include "descriptor/wake_pipe.h"

#include <errno.h>
#include <unistd.h>

#include "host/hold.h"
#include "host/host.h"
#include "host/system.h"

int tr2_wake_pipe_open(struct tr2_wake_pipe *wake)
{
	int ends[2];

	wake->reader = wake->writer = TR2_DESCRIPTOR_NONE;
	if (tr2_host_open_pipe(ends))
		return -1;
	tr2_descriptor_know(&wake->reader, tr2_descriptor_lift(ends[0]));
	tr2_descriptor_know(&wake->writer, tr2_descriptor_lift(ends[1]));
	if (wake->reader.fd >= 0 && wake->writer.fd >= 0)
		return 0;
	tr2_wake_pipe_close(wake);
	errno = EMFILE;
	return -1;
}

void tr2_wake_pipe_close(struct tr2_wake_pipe *wake)
{
	tr2_descriptor_close(&wake->reader);
	tr2_descriptor_close(&wake->writer);
}

int tr2_wake_pipe_limit(const struct tr2_wake_pipe *wake, int wait_ms)
{
	const int longest = wake->reader.fd < 0 ? TR2_WAKE_LOST_MS
						: TR2_WAKE_LONGEST_MS;

	return wait_ms < 0 || wait_ms > longest ? longest : wait_ms;
}

void tr2_wake_pipe_put(const struct tr2_wake_pipe *wake, const void *bytes,
		       size_t len)
{
	int error = errno;

	if (tr2_descriptor_is_ours(&wake->writer))
		tr2_hold_write(wake->writer.fd, bytes, len);
	errno = error;
}

size_t tr2_wake_pipe_take(struct tr2_wake_pipe *wake, void *bytes, size_t size)
{
	ssize_t got = 0;

	if (tr2_descriptor_is_ours(&wake->reader)) {
		got = read(wake->reader.fd, bytes, size);
		if (got > 0)
			return (size_t)got;
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
	}
	tr2_descriptor_close(&wake->reader);
	return 0;
}
