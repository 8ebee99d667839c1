/*
 * chrome_system.h - an agent, a system and a host of chrome.c's that fail when
 * they are asked to, and count what is done.
 */
#ifndef UNIT_TRACE_TRACING_CHROME_SYSTEM_H
#define UNIT_TRACE_TRACING_CHROME_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/host.h"
#include "trace/tracing/chrome_file.h"

/*
 * ---- In the place of the agent
 */

static int add_error;

int tr2_agent_add(struct tr2_agent_client *client)
{
	(void)client;
	return add_error;
}

void tr2_agent_remove(struct tr2_agent_client *client)
{
	(void)client;
}

void tr2_agent_tell_names(struct tr2_agent_client *client)
{
	(void)client;
}

/*
 * ---- The system
 */

static int lock_error, dup_error, stat_error;
static int stat_at; /* it fails at that call; 0: never */

int fcntl(int fd, int command, ...)
{
	va_list args;
	long value;
	int error = 0;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if (command == F_SETLK || command == F_OFD_SETLK)
		error = lock_error;
	if (command == F_DUPFD_CLOEXEC)
		error = dup_error;
	if (!error)
		return (int)syscall(SYS_fcntl, fd, command, value);
	lock_error = 0;
	errno = error;
	return -1;
}

int fstat(int fd, struct stat *st)
{
	if (!stat_at || --stat_at)
		return (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
	errno = stat_error;
	return -1;
}

static struct tr2_host host;
static int memory_refused;

static pid_t tell_pid(void)
{
	return 100;
}

static uint64_t tell_time(void)
{
	return 5000;
}

static void *refuse_memory(void *old, size_t size)
{
	return memory_refused ? NULL : realloc(old, size);
}

static struct {
	int opens, closes, wrong_closes;
	int flags;
	size_t len; /* of the path */
} files;

static int open_error, given_number = -1; /* which the file gets */

static int open_noted(const char *path, int flags, mode_t mode)
{
	int fd;

	files.flags = flags;
	files.len = strlen(path);
	errno = open_error;
	fd = open_error
		     ? -1
		     : open(files.len > 1000 ? "long.json" : path, flags, mode);
	files.opens += fd >= 0;
	if (fd < 0 || given_number < 0 || fd == given_number)
		return fd;
	dup2(fd, given_number);
	close(fd);
	return given_number;
}

static int close_noted(int fd)
{
	files.wrong_closes += close(fd) != 0;
	files.closes++;
	errno = EXDEV;
	return 0;
}

static ssize_t writable; /* bytes, then writing fails; -1: all */
static int by_bytes, refusal, takes_nothing;
static struct {
	int held, outside; /* with SIGPIPE held back, or not */
	int empty, all;
} writes;

static bool is_blocked(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGPIPE);
}

static ssize_t write_some(int fd, const void *bytes, size_t len)
{
	if (fd == 2)
		return write(fd, bytes, len);
	*(is_blocked() ? &writes.held : &writes.outside) += 1;
	writes.empty += !len;
	writes.all++;
	errno = refusal;
	if (refusal)
		return takes_nothing ? 0 : -1;
	if (by_bytes && len)
		len = 1;
	if (writable >= 0 && len > (size_t)writable)
		len = (size_t)writable;
	errno = ENOSPC;
	if (!len)
		return -1;
	if (writable >= 0)
		writable -= (ssize_t)len;
	return write(fd, bytes, len);
}

#endif
