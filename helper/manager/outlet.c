#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "manager/manager_part.h"

#define ROOM_FIRST ((size_t)1 << 16)

/*
 * Moves the unsent bytes to the front first, and grows only if that is not
 * enough. The size is limited by tr2_tracing_is_full(), not here.
 */
static int make_room(struct tr2_outlet *output, size_t len)
{
	size_t used = output->end - output->start;
	size_t room = output->room ? output->room : ROOM_FIRST;
	char *bytes;

	if (output->room - output->end >= len)
		return 0;
	if (output->start) {
		memmove(output->bytes, output->bytes + output->start, used);
		output->start = 0;
		output->end = used;
	}
	while (room - used < len)
		room *= 2;
	if (room == output->room)
		return 0;
	bytes = realloc(output->bytes, room);
	if (!bytes)
		return -1;
	output->bytes = bytes;
	output->room = room;
	return 0;
}

/* A put function of an archive: not 0 makes the archive stop. */
int tr2_outlet_put(void *context, const void *bytes, size_t len)
{
	struct tr2_outlet *output = context;

	if (output->fd < 0 || make_room(output, len))
		return -1;
	memcpy(output->bytes + output->end, bytes, len);
	output->end += len;
	return 0;
}

size_t tr2_outlet_waiting(const struct tr2_outlet *output)
{
	return output->end - output->start;
}

/* MSG_NOSIGNAL: a client that has gone must not kill the manager. */
int tr2_outlet_flush(struct tr2_outlet *output)
{
	ssize_t sent;

	while (output->start < output->end) {
		sent = send(output->fd, output->bytes + output->start,
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
	free(output->bytes);
	memset(output, 0, sizeof(*output));
	output->fd = -1;
}
