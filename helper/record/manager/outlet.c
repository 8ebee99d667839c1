#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/manager/manager_part.h"

/*
 * A put function of an archive: not 0 makes the archive stop. The unsent bytes
 * move to the front first. Their number is limited by tr2_tracing_is_full(),
 * not here.
 */
int tr2_outlet_put(void *context, const void *bytes, size_t len)
{
	struct tr2_outlet *output = context;
	struct tr2_buf *buf = &output->buf;

	if (output->fd < 0)
		return -1;
	if (output->start && buf->room - buf->len < len) {
		buf->len = tr2_outlet_waiting(output);
		memmove(buf->bytes, buf->bytes + output->start, buf->len);
		output->start = 0;
	}
	tr2_buf_add(buf, bytes, len);
	return buf->failed ? -1 : 0;
}

size_t tr2_outlet_waiting(const struct tr2_outlet *output)
{
	return output->buf.len - output->start;
}

/* MSG_NOSIGNAL: a client that has gone must not kill the manager. */
int tr2_outlet_flush(struct tr2_outlet *output)
{
	ssize_t sent;

	while (tr2_outlet_waiting(output)) {
		sent = send(output->fd, output->buf.bytes + output->start,
			    tr2_outlet_waiting(output),
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno != EAGAIN;
		output->start += (size_t)sent;
	}
	return 0;
}

void tr2_outlet_close(struct tr2_outlet *output)
{
	if (output->fd >= 0)
		close(output->fd);
	tr2_buf_release(&output->buf);
	output->start = 0;
	output->fd = -1;
}
