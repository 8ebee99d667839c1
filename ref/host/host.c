#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tm_gmtoff */
#endif
#include "host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/cancel.h"
#include "host/clock.h"
#include "host/heap.h"
#include "host/hold.h"
#include "host/system.h"

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

#define OPEN_TRIES 100 /* if a file system ends each call with EINTR */

/* One of a server's may let a signal end the call: they are held then. */
static int system_open(const char *path, int flags, mode_t mode)
{
	int tries = OPEN_TRIES, fd = open(path, flags | O_CLOEXEC, mode);
	struct tr2_hold hold;

	if (fd >= 0 || errno != EINTR)
		return fd;
	tr2_hold_begin_all(&hold);
	while (fd < 0 && errno == EINTR && --tries)
		fd = open(path, flags | O_CLOEXEC, mode);
	tr2_hold_end(&hold, 0, 0);
	return fd;
}

static void *system_pages(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

/* After mlockall(2) pages that can be accessed would cost memory. */
int tr2_host_has_room(size_t size)
{
	const int error = errno;
	struct rlimit data = { 0 };
	void *room = MAP_FAILED;

	if (!getrlimit(RLIMIT_DATA, &data) && data.rlim_cur / 8 >= size)
		room = mmap(NULL, 8 * size, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	errno = error;
	return room != MAP_FAILED && !munmap(room, 8 * size);
}

/* The caller sets the environment of a privileged process. */
static const char *system_getenv(const char *name)
{
	return !name || tr2_host_is_privileged() ? NULL : getenv(name);
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
	memcpy(address.sun_path, path, strlen(path)); /* includes the NUL */
	fd = tr2_host_open_socket(type);
	if (fd < 0)
		return -1;
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

const struct tr2_host tr2_host_system = {
	.mono_ns = tr2_clock_mono_ns,
	.wall_us = system_wall_us,
	.has_constant_ticks = tr2_host_has_constant_ticks,
	.utc_offset = system_utc_offset,
	.getpid = getpid,
	.hostname = system_hostname,
	.uname = uname,
	.thread = tr2_host_identify_thread,
	.process_stat = tr2_host_read_stat,
	.getenv = system_getenv,
	.setenv = system_setenv,
	.open = system_open,
	.write = tr2_host_write,
	.send = send,
	.close = tr2_host_close,
	.connect = system_connect,
	.realloc = tr2_heap_realloc,
	.free = tr2_heap_free,
	.pages = system_pages,
	.at_exit = tr2_host_at_exit,
};

const struct tr2_host *tr2_host = &tr2_host_system;

static void write_warning(const char *text, size_t len)
{
	struct pollfd wanted = { .fd = STDERR_FILENO, .events = POLLOUT };

	if (poll(&wanted, 1, 0) > 0)
		tr2_hold_write(STDERR_FILENO, text, len);
}

/* The line, which is cut to `size` bytes. */
__attribute__((format(printf, 3, 0))) static void
format_warning(char *text, size_t size, const char *fmt, va_list ap)
{
	static const char start[] = "warning: ";
	size_t used = strlen(start);
	size_t room = size - used - 1; /* one byte is for the LF */
	int len;

	memcpy(text, start, used);
	len = vsnprintf(text + used, room, fmt, ap);
	used += (size_t)len < room ? (size_t)len : room - 1;
	text[used++] = '\n';
	write_warning(text, used);
}

/* A small stack has no room for the longest line. */
void tr2_host_warn(const char *fmt, ...)
{
	int error = errno;
	char brief[256], *text = tr2_host->realloc(NULL, PIPE_BUF);
	va_list ap;

	va_start(ap, fmt);
	if (text)
		format_warning(text, PIPE_BUF, fmt, ap);
	else
		format_warning(brief, sizeof(brief), fmt, ap);
	va_end(ap);
	tr2_host->free(text);
	errno = error;
}
