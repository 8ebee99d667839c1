/*
 * world.c - sockets and buffers in plain memory, in place of the system's:
 * the linker gives each of the calls below to us (--wrap). A step of the
 * trace manager costs no system call then.
 *
 * Descriptors count from FIRST; what is not ours goes to the system.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sanitizer/asan_interface.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST = 1000, MOST = 256, MESSAGES = 64, BYTES = 65536 };

struct message {
	struct message *next;
	struct thing *passed; /* or NULL */
	size_t len;
	char bytes[];
};

/* One end of a socket, or the descriptor of a buffer. */
struct thing {
	int refs; /* descriptors, messages under way, mappings */
	int open; /* descriptors */
	int type; /* of a socket; 0: a buffer */
	struct thing *peer;
	struct message *head, **tail;
	size_t count, waiting; /* messages, and bytes in them */
	struct buffer *buffer;
};

/*
 * Its pages, mapped for who reads it and for who writes. What its reader
 * unmapped is poisoned, so that to look at it is a crash. Used again.
 */
struct buffer {
	char *read;
	char *write;
	size_t size;
	struct thing *thing; /* whose it is; NULL: free */
};

static struct thing *things[MOST];
static struct buffer buffers[MOST];
static unsigned long moves; /* messages, descriptors, mappings */

unsigned long kit_moves(void);

unsigned long kit_moves(void)
{
	return moves;
}

#define WRAP(type, name, ...)            \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

static struct thing *thing_of(int fd)
{
	if (fd < FIRST || fd >= FIRST + MOST)
		return NULL;
	return things[fd - FIRST];
}

static int give_thing(struct thing *thing)
{
	int i;

	for (i = 0; i < MOST && things[i]; i++)
		;
	if (i == MOST) {
		errno = EMFILE;
		return -1;
	}
	moves++;
	things[i] = thing;
	thing->refs++;
	thing->open++;
	return FIRST + i;
}

static struct thing *make_thing(int type)
{
	struct thing *thing = calloc(1, sizeof(*thing));

	thing->type = type;
	thing->tail = &thing->head;
	return thing;
}

static void drop_thing(struct thing *thing);

static struct message *pop_message(struct thing *thing)
{
	struct message *message = thing->head;

	moves++;
	thing->head = message->next;
	if (!thing->head)
		thing->tail = &thing->head;
	thing->count--;
	thing->waiting -= message->len;
	return message;
}

static void drop_thing(struct thing *thing)
{
	struct message *message;

	if (--thing->refs)
		return;
	while (thing->head) {
		message = pop_message(thing);
		if (message->passed)
			drop_thing(message->passed);
		free(message);
	}
	if (thing->peer)
		thing->peer->peer = NULL;
	if (thing->buffer)
		thing->buffer->thing = NULL;
	free(thing);
}

static int refuse_call(int error)
{
	errno = error;
	return -1;
}

WRAP(int, socketpair, int domain, int type, int protocol, int ends[2])
{
	struct thing *one = make_thing(type & 15), *two = make_thing(type & 15);

	(void)domain;
	(void)protocol;
	one->peer = two;
	two->peer = one;
	ends[0] = give_thing(one);
	ends[1] = give_thing(two);
	return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

WRAP(int, close, int fd)
{
	struct thing *thing = thing_of(fd);

	if (!thing)
		return __real_close(fd);
	moves++;
	things[fd - FIRST] = NULL;
	thing->open--;
	drop_thing(thing);
	return 0;
}

WRAP(ssize_t, sendmsg, int fd, const struct msghdr *from, int flags)
{
	struct thing *thing = thing_of(fd), *peer;
	struct cmsghdr *header = CMSG_FIRSTHDR(from);
	struct message *message;
	size_t len = 0, i;
	int passed;

	if (!thing)
		return __real_sendmsg(fd, from, flags);
	peer = thing->peer;
	for (i = 0; i < from->msg_iovlen; i++)
		len += from->msg_iov[i].iov_len;
	if (!peer || !peer->open)
		return refuse_call(EPIPE);
	if (peer->count == MESSAGES || peer->waiting + len > BYTES)
		return refuse_call(EAGAIN);
	message = calloc(1, sizeof(*message) + len);
	for (i = 0; i < from->msg_iovlen; i++) {
		if (from->msg_iov[i].iov_len)
			memcpy(message->bytes + message->len,
			       from->msg_iov[i].iov_base,
			       from->msg_iov[i].iov_len);
		message->len += from->msg_iov[i].iov_len;
	}
	if (header) {
		memcpy(&passed, CMSG_DATA(header), sizeof(passed));
		message->passed = thing_of(passed);
		message->passed->refs++;
	}
	moves++;
	*peer->tail = message;
	peer->tail = &message->next;
	peer->count++;
	peer->waiting += len;
	return (ssize_t)len;
}

WRAP(ssize_t, send, int fd, const void *bytes, size_t len, int flags)
{
	struct iovec part = { (void *)(uintptr_t)bytes, len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (!thing_of(fd))
		return __real_send(fd, bytes, len, flags);
	if (len > BYTES / 4)
		part.iov_len = BYTES / 4;
	return __wrap_sendmsg(fd, &message, flags);
}

/* Nothing there: 1, and what the call gives is in *result. */
static int is_empty(const struct thing *thing, ssize_t *result)
{
	if (thing->head)
		return 0;
	*result = thing->peer && thing->peer->open ? refuse_call(EAGAIN) : 0;
	return 1;
}

static size_t scatter_message(const struct message *message,
			      const struct msghdr *into)
{
	size_t at = 0, i, len;

	for (i = 0; i < into->msg_iovlen && at < message->len; i++) {
		len = message->len - at;
		if (len > into->msg_iov[i].iov_len)
			len = into->msg_iov[i].iov_len;
		memcpy(into->msg_iov[i].iov_base, message->bytes + at, len);
		at += len;
	}
	return at;
}

static void pass_thing(struct thing *passed, struct msghdr *into)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(into);
	int fd = give_thing(passed);

	drop_thing(passed);
	if (fd < 0) {
		into->msg_controllen = 0;
		return;
	}
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	into->msg_controllen = CMSG_SPACE(sizeof(fd));
}

WRAP(ssize_t, recvmsg, int fd, struct msghdr *into, int flags)
{
	struct thing *thing = thing_of(fd);
	struct message *message;
	ssize_t got;
	size_t taken;

	if (!thing)
		return __real_recvmsg(fd, into, flags);
	if (is_empty(thing, &got)) {
		into->msg_controllen = got < 0 ? into->msg_controllen : 0;
		return got;
	}
	message = pop_message(thing);
	taken = scatter_message(message, into);
	into->msg_flags = taken < message->len ? MSG_TRUNC : 0;
	if (message->passed)
		pass_thing(message->passed, into);
	else
		into->msg_controllen = 0;
	free(message);
	return (ssize_t)taken;
}

/* What does not fit is lost: those who read streams have room for all. */
WRAP(ssize_t, recv, int fd, void *bytes, size_t len, int flags)
{
	struct iovec part = { bytes, len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	return thing_of(fd) ? __wrap_recvmsg(fd, &message, flags)
			    : __real_recv(fd, bytes, len, flags);
}

static short events_of(const struct thing *thing, short asked)
{
	const struct thing *peer = thing->peer;
	int is_over = !peer || !peer->open;
	int events = 0;

	if (thing->head || is_over)
		events |= asked & POLLIN;
	if (!is_over && peer->count < MESSAGES && peer->waiting < BYTES / 2)
		events |= asked & POLLOUT;
	return (short)(is_over ? events | POLLHUP : events);
}

/* Never waits. */
WRAP(int, poll, struct pollfd *polls, nfds_t count, int timeout)
{
	const struct thing *thing;
	int ready = 0;
	nfds_t i;

	(void)timeout;
	for (i = 0; i < count; i++) {
		thing = thing_of(polls[i].fd);
		polls[i].revents = thing ? events_of(thing, polls[i].events)
					 : 0;
		ready += polls[i].revents != 0;
	}
	return ready;
}

WRAP(int, getsockopt, int fd, int level, int name, void *value, socklen_t *size)
{
	const struct thing *thing = thing_of(fd);
	struct ucred peer = { .pid = 77, .uid = geteuid() };

	if (!thing)
		return __real_getsockopt(fd, level, name, value, size);
	if (name == SO_TYPE)
		memcpy(value, &thing->type, sizeof(int));
	else if (name == SO_PEERCRED)
		memcpy(value, &peer, sizeof(peer));
	else
		return refuse_call(ENOPROTOOPT);
	return 0;
}

WRAP(int, memfd_create, const char *name, unsigned flags)
{
	(void)name;
	(void)flags;
	return give_thing(make_thing(0));
}

static struct buffer *find_buffer(size_t size)
{
	struct buffer *buffer = buffers;

	while (buffer < buffers + MOST && buffer->size &&
	       (buffer->thing || buffer->size != size))
		buffer++;
	return buffer < buffers + MOST ? buffer : NULL;
}

static void make_buffer(struct buffer *buffer, size_t size)
{
	buffer->size = size;
	buffer->write = mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* The same pages at another place. */
	buffer->read = mremap(buffer->write, 0, size, MREMAP_MAYMOVE);
	if (buffer->read == MAP_FAILED ||
	    mprotect(buffer->read, size, PROT_READ))
		abort();
	__asan_poison_memory_region(buffer->read, size);
}

WRAP(int, ftruncate, int fd, off_t size)
{
	struct thing *thing = thing_of(fd);

	if (!thing)
		return __real_ftruncate(fd, size);
	if (size > BYTES)
		return refuse_call(ENOSPC);
	thing->buffer = find_buffer((size_t)size);
	if (!thing->buffer)
		return refuse_call(ENOSPC);
	if (!thing->buffer->size)
		make_buffer(thing->buffer, (size_t)size);
	thing->buffer->thing = thing;
	memset(thing->buffer->write, 0, (size_t)size);
	return 0;
}

WRAP(int, posix_fallocate, int fd, off_t at, off_t len)
{
	return thing_of(fd) ? 0 : __real_posix_fallocate(fd, at, len);
}

WRAP(int, fcntl, int fd, int command, ...)
{
	va_list ap;
	long value;

	va_start(ap, command);
	value = va_arg(ap, long);
	va_end(ap);
	return thing_of(fd) ? 0 : __real_fcntl(fd, command, value);
}

WRAP(void *, mmap, void *hint, size_t len, int protection, int flags, int fd,
     off_t at)
{
	struct thing *thing = thing_of(fd);

	if (!thing)
		return __real_mmap(hint, len, protection, flags, fd, at);
	if (!thing->buffer || len != thing->buffer->size)
		return MAP_FAILED;
	moves++;
	thing->refs++;
	if (protection & PROT_WRITE)
		return thing->buffer->write;
	__asan_unpoison_memory_region(thing->buffer->read, len);
	return thing->buffer->read;
}

WRAP(int, munmap, void *memory, size_t len)
{
	struct buffer *buffer;

	for (buffer = buffers; buffer < buffers + MOST; buffer++) {
		if (!buffer->thing ||
		    (buffer->read != memory && buffer->write != memory))
			continue;
		moves++;
		if (buffer->read == memory)
			__asan_poison_memory_region(memory, len);
		drop_thing(buffer->thing);
		return 0;
	}
	return __real_munmap(memory, len);
}
