/* The messages on a trace manager's socket, and how to connect to it. */
#include "trace/provider/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "descriptor/descriptor.h"
#include "host/host.h"
#include "host/system.h"

/*
 * A message has one descriptor at most; further ones are received and closed.
 */
#define FDS_MAX 8

int tr2_message_send(int socket, const trace_provider_packet_t *packet,
		     const void *payload, size_t len, int fd)
{
	struct iovec parts[] = {
		{ (void *)(uintptr_t)packet, sizeof(*packet) },
		{ (void *)(uintptr_t)payload, len },
	};
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(fd))];
	} control = {
		.header.cmsg_level = SOL_SOCKET,
		.header.cmsg_type = SCM_RIGHTS,
		.header.cmsg_len = CMSG_LEN(sizeof(fd)),
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = control.header.cmsg_len;
	}
	return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1
									  : 0;
}

/* Keep the first descriptor of the message, close the others. */
static void take_descriptors(struct msghdr *from, struct tr2_message *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(from);
	size_t count;
	int fd;

	for (; header; header = CMSG_NXTHDR(from, header)) {
		if (header->cmsg_type != SCM_RIGHTS)
			continue;
		count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(header) + i * sizeof(fd),
			       sizeof(fd));
			if (message->fd_count++)
				close(fd);
			else
				message->fd = fd;
		}
	}
}

static void close_descriptor(struct tr2_message *message)
{
	if (message->fd >= 0)
		close(message->fd);
	message->fd = -1;
}

static int refuse_message(struct tr2_message *message)
{
	close_descriptor(message);
	errno = EBADMSG;
	return -1;
}

/*
 * The other side went without reading all that it was sent: Linux says so
 * once, and only then has its last messages.
 */
static ssize_t receive_any(int socket, struct msghdr *from)
{
	ssize_t got = tr2_host_receive(socket, from);

	return got < 0 && errno == ECONNRESET ? tr2_host_receive(socket, from)
					      : got;
}

int tr2_message_receive(int socket, struct tr2_message *message)
{
	struct iovec parts[] = {
		{ &message->packet, sizeof(message->packet) },
		{ message->payload, TRACE_PAYLOAD_MAX },
	};
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control;
	struct msghdr from = {
		.msg_iov = parts,
		.msg_iovlen = 2,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t got;

	got = receive_any(socket, &from);
	if (got < 0)
		return errno != ECONNRESET ? -1 : 0;
	message->fd = -1;
	message->fd_count = 0;
	take_descriptors(&from, message);
	message->fd_lost = !message->fd_count && from.msg_flags & MSG_CTRUNC;
	if (!got) { /* the end, or no bytes: they can have descriptors */
		close_descriptor(message);
		return 0;
	}
	if ((size_t)got < sizeof(message->packet) || from.msg_flags & MSG_TRUNC)
		return refuse_message(message);
	message->len = (size_t)got - sizeof(message->packet);
	message->payload[message->len] = '\0';
	return 1;
}

int tr2_message_connect(const char *path)
{
	return tr2_descriptor_lift(tr2_host->connect(SOCK_SEQPACKET, path));
}

int tr2_message_default_path(char *path, size_t size)
{
	const char *place;

	place = tr2_host->getenv("TRACE_MANAGER");
	if (place && *place)
		return strlen(place) < size ? (strcpy(path, place), 2) : 0;
	place = tr2_host->getenv("XDG_RUNTIME_DIR");
	if (!place || *place != '/')
		return 0;
	return (size_t)snprintf(path, size, "%s/trace-manager", place) < size;
}

int tr2_message_peer(int socket, pid_t *pid)
{
	uid_t uid;

	if (tr2_host_find_peer(socket, pid, &uid))
		return 0;
	return !uid || uid == geteuid();
}

int tr2_message_has_category(const char *list, size_t len, const char *name)
{
	const char *end = list + len;

	if (!len)
		return 1;
	for (; list < end; list += strlen(list) + 1)
		if (!strcmp(list, name))
			return 1;
	return 0;
}
