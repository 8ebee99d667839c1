#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* on_exit, tm_gmtoff */
#endif
#include "tr2_host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "tr2_hold.h"
#include "tr2_host_system.h"

static uint64_t system_mono_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t system_wall_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000;
}

static int32_t system_utc_offset(uint64_t wall_us)
{
	time_t second = (time_t)(wall_us / 1000000u);
	struct tm local;

	localtime_r(&second, &local); /* has room for every such year */
	return (int32_t)local.tm_gmtoff;
}

static int system_hostname(char *name, size_t size)
{
	if (gethostname(name, size) < 0)
		return -1;
	name[size - 1] = '\0';
	return 0;
}

static int system_open(const char *path, int flags, mode_t mode)
{
	return open(path, flags | O_CLOEXEC, mode);
}

static void *system_pages(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

static const char *system_getenv(const char *name)
{
	return getenv(name);
}

static int system_setenv(const char *name, const char *value)
{
	return setenv(name, value, 1);
}

static int system_connect(int type, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, error;

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path)); /* a NUL is there */
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void (*exit_fn)(int code);

#ifdef __GLIBC__
static void run_exit_fn(int code, void *unused)
{
	(void)unused;
	exit_fn(code);
}

static int system_at_exit(void (*fn)(int code))
{
	exit_fn = fn;
	return on_exit(run_exit_fn, NULL);
}
#else
static void run_exit_fn(void)
{
	exit_fn(-1);
}

static int system_at_exit(void (*fn)(int code))
{
	exit_fn = fn;
	return atexit(run_exit_fn);
}
#endif

const struct tr2_host tr2_host_system = {
	.mono_ns = system_mono_ns,
	.wall_us = system_wall_us,
	.has_constant_ticks = tr2_host_has_constant_ticks,
	.utc_offset = system_utc_offset,
	.getpid = getpid,
	.hostname = system_hostname,
	.thread = tr2_host_identify_thread,
	.process_stat = tr2_host_read_stat,
	.getenv = system_getenv,
	.setenv = system_setenv,
	.open = system_open,
	.write = write,
	.send = send,
	.close = close,
	.connect = system_connect,
	.realloc = realloc,
	.free = free,
	.pages = system_pages,
	.at_exit = system_at_exit,
};

const struct tr2_host *tr2_host = &tr2_host_system;

static void write_warning(const char *text, size_t len)
{
	struct pollfd wanted = { .fd = STDERR_FILENO, .events = POLLOUT };
	struct tr2_hold hold;
	ssize_t put;

	if (poll(&wanted, 1, 0) <= 0)
		return;
	tr2_hold_begin(&hold);
	put = tr2_host->write(STDERR_FILENO, text, len);
	tr2_hold_end(&hold, put, len);
}

void tr2_host_warn(const char *fmt, ...)
{
	char text[PIPE_BUF] = "warning: ";
	size_t used = strlen(text);
	size_t room = sizeof(text) - used - 1; /* for the LF */
	int error = errno;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text + used, room, fmt, ap);
	va_end(ap);
	used += (size_t)len < room ? (size_t)len : room - 1;
	text[used++] = '\n';
	write_warning(text, used);
	errno = error;
}
