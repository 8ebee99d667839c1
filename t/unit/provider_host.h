/*
 * provider_host.h - a provider's host, whose memory, pipes and descriptors
 * can be short, and a socket to be found by it.
 */
#ifndef PROVIDER_HOST_H
#define PROVIDER_HOST_H

#include <poll.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "manager_kit.h"
#include "trace-provider/provider_private.h"
#include "tr2_host.h"

static struct tr2_host host;
static const struct tr2_host *real;
static char path[64];
static int listener = -1;
static int fails_at; /* that call for memory; atomic */
static int writes;   /* 'e': fail behind it, 'h': hold one back; atomic */

/*
 * The host
 */

static inline void *fail_realloc(void *old, size_t size)
{
	int left = __atomic_load_n(&fails_at, __ATOMIC_ACQUIRE);

	if (left && !__atomic_sub_fetch(&fails_at, 1, __ATOMIC_ACQ_REL))
		return NULL;
	return real->realloc(old, size);
}

static inline void fail_from(int call)
{
	__atomic_store_n(&fails_at, call, __ATOMIC_RELEASE);
}

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
		real->write(fd, bytes, len);
		errno = EAGAIN;
		return -1;
	}
	return real->write(fd, bytes, len);
}

static inline void set_writes(int how)
{
	__atomic_store_n(&writes, how, __ATOMIC_RELEASE);
}

static inline void limit_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count ? count : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
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
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) ||
	    seteuid(user) || listen(listener, 4) || seteuid(getuid()))
		abort();
}

static inline struct trace_provider *create(unsigned wait_ms)
{
	const struct trace_provider_options options = {
		.name = "",
		.socket = path,
		.wait_ms = wait_ms,
	};

	return trace_provider_create_with_options(&options);
}

static inline void await(int fd)
{
	struct pollfd wanted = { fd, POLLIN, 0 };

	poll(&wanted, 1, 10000);
}

/* The provider's next message, -1 where it hung up. */
static inline int hear(int fd)
{
	await(fd);
	return kit_hear(fd);
}

static inline int meet(void)
{
	int fd;

	await(listener);
	fd = accept(listener, NULL, NULL);
	if (hear(fd) != TRACE_REGISTER)
		abort();
	return fd;
}

static char home[] = "/tmp/provider-XXXXXX";

static inline void install_host(void)
{
	real = tr2_host;
	host = *real;
	host.realloc = fail_realloc;
	host.write = odd_write;
	tr2_host = &host;
	if (!mkdtemp(home))
		abort();
	snprintf(path, sizeof(path), "%s/manager", home);
}

static inline void leave_place(void)
{
	close(listener);
	unlink(path);
	rmdir(home);
}

#endif
