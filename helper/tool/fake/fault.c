#include "tool/fake/fault.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"

enum member {
	OPEN,
	WRITE,
	SEND,
	CLOSE,
	CONNECT,
	MONO_NS,
	WALL_US,
	UTC_OFFSET,
	HOSTNAME,
	PROCESS_STAT,
	GETENV,
	SETENV,
	REALLOC,
	PAGES,
	AT_EXIT,
	MEMBERS
};

#define SHORT (-1) /* no errno */

static const char *const names[MEMBERS] = {
	[OPEN] = "open",	 [WRITE] = "write",
	[SEND] = "send",	 [CLOSE] = "close",
	[CONNECT] = "connect",	 [MONO_NS] = "mono_ns",
	[WALL_US] = "wall_us",	 [UTC_OFFSET] = "utc_offset",
	[HOSTNAME] = "hostname", [PROCESS_STAT] = "process_stat",
	[GETENV] = "getenv",	 [SETENV] = "setenv",
	[REALLOC] = "realloc",	 [PAGES] = "pages",
	[AT_EXIT] = "at_exit",
};

static _Atomic unsigned calls[MEMBERS];

/* The calls of the member from `first` to `last` fail; they count from 1. */
static struct {
	enum member member;
	unsigned first;
	unsigned last;
	int error;
} faults[16];
static size_t faults_count;

static const struct {
	const char *name;
	int error;
} errors[] = {
	{ "SHORT", SHORT },
	{ "EACCES", EACCES },
	{ "ECONNREFUSED", ECONNREFUSED },
	{ "EAGAIN", EAGAIN },
	{ "EBADF", EBADF },
	{ "EEXIST", EEXIST },
	{ "EFBIG", EFBIG },
	{ "EINTR", EINTR },
	{ "EIO", EIO },
	{ "EMFILE", EMFILE },
	{ "ENOENT", ENOENT },
	{ "ENOMEM", ENOMEM },
	{ "ENOSPC", ENOSPC },
	{ "ENOTCONN", ENOTCONN },
	{ "EPIPE", EPIPE },
	{ "EPROTOTYPE", EPROTOTYPE },
};

static const struct tr2_host *below; /* the host that this one replaces */
static int told_fd = -1;

/* Returns the error with which this call must fail; 0: none. Sets errno. */
static int hit_fault(enum member member)
{
	unsigned call = ++calls[member];
	size_t i;

	for (i = 0; i < faults_count; i++) {
		if (faults[i].member != member || call < faults[i].first ||
		    call > faults[i].last)
			continue;
		if (told_fd >= 0 && write(told_fd, "!", 1) < 0)
			abort();
		if (faults[i].error != SHORT)
			errno = faults[i].error;
		return faults[i].error;
	}
	return 0;
}

static int fault_open(const char *path, int flags, mode_t mode)
{
	return hit_fault(OPEN) ? -1 : below->open(path, flags, mode);
}

static ssize_t fault_write(int fd, const void *bytes, size_t len)
{
	int error = hit_fault(WRITE);

	if (error == SHORT)
		return below->write(fd, bytes, len / 2);
	return error ? -1 : below->write(fd, bytes, len);
}

static ssize_t fault_send(int fd, const void *bytes, size_t len, int flags)
{
	int error = hit_fault(SEND);

	if (error == SHORT)
		return below->send(fd, bytes, len / 2, flags);
	return error ? -1 : below->send(fd, bytes, len, flags);
}

/* As on Linux, the descriptor is closed even if close() fails. */
static int fault_close(int fd)
{
	int result = below->close(fd);

	return hit_fault(CLOSE) ? -1 : result;
}

static int fault_connect(int type, const char *path)
{
	return hit_fault(CONNECT) ? -1 : below->connect(type, path);
}

static uint64_t fault_mono_ns(void)
{
	return hit_fault(MONO_NS) ? 0 : below->mono_ns();
}

static uint64_t fault_wall_us(void)
{
	return hit_fault(WALL_US) ? 0 : below->wall_us();
}

static int32_t fault_utc_offset(uint64_t wall_us)
{
	return hit_fault(UTC_OFFSET) ? 0 : below->utc_offset(wall_us);
}

static int fault_hostname(char *name, size_t size)
{
	return hit_fault(HOSTNAME) ? -1 : below->hostname(name, size);
}

static ssize_t fault_process_stat(pid_t pid, char *text, size_t size)
{
	return hit_fault(PROCESS_STAT) ? -1
				       : below->process_stat(pid, text, size);
}

static const char *fault_getenv(const char *name)
{
	return hit_fault(GETENV) ? NULL : below->getenv(name);
}

static int fault_setenv(const char *name, const char *value)
{
	return hit_fault(SETENV) ? -1 : below->setenv(name, value);
}

static void *fault_realloc(void *old, size_t size)
{
	return hit_fault(REALLOC) ? NULL : below->realloc(old, size);
}

static void *fault_pages(size_t size)
{
	return hit_fault(PAGES) ? NULL : below->pages(size);
}

static int fault_at_exit(void (*fn)(int code))
{
	return hit_fault(AT_EXIT) ? -1 : below->at_exit(fn);
}

static int is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && !strncmp(word, text, len);
}

static enum member find_member(const char *text, size_t len)
{
	enum member member = 0;

	while (member < MEMBERS && !is_word(names[member], text, len))
		member++;
	return member;
}

static int find_error(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (is_word(errors[i].name, text, len))
			return errors[i].error;
	return 0;
}

/* Only write and send can be short. A number of 0 would be no call. */
static int is_possible(size_t i)
{
	return faults[i].member != MEMBERS && faults[i].first &&
	       faults[i].error &&
	       (faults[i].error != SHORT || faults[i].member == WRITE ||
		faults[i].member == SEND);
}

/*
 * Parse one `<member>:<k>[+]:<error>`; returns what follows it, or NULL if it
 * is wrong.
 */
static const char *parse_fault(const char *text)
{
	size_t len = strcspn(text, ":"), i = faults_count++;
	char *rest;

	if (i == sizeof(faults) / sizeof(*faults) || !text[len])
		return NULL;
	faults[i].member = find_member(text, len);
	faults[i].first = (unsigned)strtoul(text + len + 1, &rest, 10);
	faults[i].last = *rest == '+' ? (unsigned)-1 : faults[i].first;
	rest += *rest == '+';
	if (!isdigit((unsigned char)text[len + 1]) || *rest++ != ':')
		return NULL;
	len = strcspn(rest, ",");
	faults[i].error = find_error(rest, len);
	rest += len;
	return is_possible(i) ? rest + (*rest == ',') : NULL;
}

static void install_table(void)
{
	static struct tr2_host table;

	below = tr2_host;
	table = *below;
	table.open = fault_open;
	table.write = fault_write;
	table.send = fault_send;
	table.close = fault_close;
	table.connect = fault_connect;
	table.mono_ns = fault_mono_ns;
	table.wall_us = fault_wall_us;
	table.utc_offset = fault_utc_offset;
	table.hostname = fault_hostname;
	table.process_stat = fault_process_stat;
	table.getenv = fault_getenv;
	table.setenv = fault_setenv;
	table.realloc = fault_realloc;
	table.pages = fault_pages;
	table.at_exit = fault_at_exit;
	tr2_host = &table;
}

void fault_install(void)
{
	const char *text = getenv("TEST_TOOL_FAIL");
	const char *told = getenv("TEST_TOOL_FAIL_TOLD");

	if (!text || !*text)
		return;
	while (*text) {
		text = parse_fault(text);
		if (!text) {
			fprintf(stderr, "TEST_TOOL_FAIL: not understood\n");
			exit(125);
		}
	}
	if (told && *told)
		told_fd = atoi(told);
	install_table();
}
