/*
 * host_kit.h - a provider's host, and a socket where it looks for its
 * manager.
 */
#ifndef UNIT_TRACE_PROVIDER_HOST_KIT_H
#define UNIT_TRACE_PROVIDER_HOST_KIT_H

#include <poll.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "kit/trace/manager.h"
#include "kit/short.h"
#include "trace/provider/private.h"

static char path[64];
static int listener = -1;
static int writes; /* 'e': fail after it, 'h': hold one back; atomic */

/*
 * The host
 */

static struct {
	int fd;
	trace_provider_packet_t packet;
} held;

static inline ssize_t odd_write(int fd, const void *bytes, size_t len)
{
	switch (__atomic_load_n(&writes, __ATOMIC_ACQUIRE)) {
	case 'h':
		held.fd = fd;
		memcpy(&held.packet, bytes, len);
		return (ssize_t)len;
	case 'e':
		usual->write(fd, bytes, len);
		errno = EAGAIN;
		return -1;
	}
	return usual->write(fd, bytes, len);
}

static inline void set_writes(int how)
{
	__atomic_store_n(&writes, how, __ATOMIC_RELEASE);
}

/*
 * The manager
 */

static inline void listen_as(uid_t user)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, path);
	unlink(path);
	tap_need(
		!bind(listener, (struct sockaddr *)&address, sizeof(address)) &&
		!seteuid(user) && !listen(listener, 4) && !seteuid(getuid()));
}

static inline struct trace_provider *create_provider(unsigned wait_ms)
{
	const struct trace_provider_options options = {
		.name = "",
		.socket = path,
		.wait_ms = wait_ms,
	};

	return trace_provider_create_with_options(&options);
}

static inline void await_input(int fd)
{
	struct pollfd wanted = { fd, POLLIN, 0 };

	poll(&wanted, 1, 10000);
}

/* The provider's next message, -1 where it hung up. */
static inline int hear_message(int fd)
{
	await_input(fd);
	return kit_hear(fd);
}

static inline int meet_provider(void)
{
	int fd;

	await_input(listener);
	fd = accept(listener, NULL, NULL);
	tap_need(hear_message(fd) == TRACE_REGISTER);
	return fd;
}

static char home[] = "/tmp/provider-XXXXXX";

static inline void install_host(void)
{
	short_install();
	host.write = odd_write;
	tap_need(mkdtemp(home));
	snprintf(path, sizeof(path), "%s/manager", home);
}

static inline void leave_place(void)
{
	close(listener);
	unlink(path);
	rmdir(home);
}

#endif
