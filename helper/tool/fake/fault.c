#include "tool/fake/fault.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"

/* The members of struct tr2_host that can fail. */
/* clang-format off */
#define MEMBERS(ROW) \
	ROW(open) ROW(write) ROW(send) ROW(close) ROW(connect) \
	ROW(mono_ns) ROW(wall_us) ROW(utc_offset) ROW(hostname) \
	ROW(process_stat) ROW(getenv) ROW(setenv) ROW(realloc) ROW(pages) \
	ROW(at_exit)
/* clang-format on */

#define NUMBER(name) OF_##name,
#define NAME(name) #name,

enum member { MEMBERS(NUMBER) MEMBERS_COUNT };

#define SHORT (-1) /* no errno */

static const char *const names[] = { MEMBERS(NAME) };

static _Atomic unsigned calls[MEMBERS_COUNT];

/* The calls of the member from `first` to `last` fail; they count from 1. */
static struct {
	enum member member;
	unsigned first;
	unsigned last;
	int error;
} faults[16];
static size_t faults_count;

/* clang-format off */
#define ERROR(name) { #name, name },

static const struct {
	const char *name;
	int error;
} errors[] = {
	ERROR(SHORT) ERROR(EACCES) ERROR(ECONNREFUSED) ERROR(EAGAIN)
	ERROR(EBADF) ERROR(EEXIST) ERROR(EFBIG) ERROR(EINTR) ERROR(EIO)
	ERROR(EMFILE) ERROR(ENOENT) ERROR(ENOMEM) ERROR(ENOSPC)
	ERROR(ENOTCONN) ERROR(EPIPE) ERROR(EPROTOTYPE)
};
/* clang-format on */

static const struct tr2_host *below; /* the host that this one replaces */
static int told_fd = -1;

/* Returns the error with which this call must fail; 0: none. Sets errno. */
static int hit_fault(enum member member)
{
	unsigned call = ++calls[member];

	for (size_t i = 0; i < faults_count; i++) {
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

/* A call that fails returns `failed`. */
#define FAULTY(result, name, failed, parameters, arguments)          \
	static result fault_##name parameters                        \
	{                                                            \
		return hit_fault(OF_##name) ? (failed)               \
					    : below->name arguments; \
	}

/* One that writes may also take only half of the bytes. */
#define FAULTY_WRITE(name, parameters, arguments, half)    \
	static ssize_t fault_##name parameters             \
	{                                                  \
		int error = hit_fault(OF_##name);          \
                                                           \
		if (error == SHORT)                        \
			return below->name half;           \
		return error ? -1 : below->name arguments; \
	}

/* clang-format off */
FAULTY(int, open, -1, (const char *path, int flags, mode_t mode),
       (path, flags, mode))
FAULTY_WRITE(write, (int fd, const void *bytes, size_t len),
	     (fd, bytes, len), (fd, bytes, len / 2))
FAULTY_WRITE(send, (int fd, const void *bytes, size_t len, int flags),
	     (fd, bytes, len, flags), (fd, bytes, len / 2, flags))
FAULTY(int, connect, -1, (int type, const char *path), (type, path))
FAULTY(uint64_t, mono_ns, 0, (void), ())
FAULTY(uint64_t, wall_us, 0, (void), ())
FAULTY(int32_t, utc_offset, 0, (uint64_t wall_us), (wall_us))
FAULTY(int, hostname, -1, (char *name, size_t size), (name, size))
FAULTY(ssize_t, process_stat, -1, (pid_t pid, char *text, size_t size),
       (pid, text, size))
FAULTY(const char *, getenv, NULL, (const char *name), (name))
FAULTY(int, setenv, -1, (const char *name, const char *value), (name, value))
FAULTY(void *, realloc, NULL, (void *old, size_t size), (old, size))
FAULTY(void *, pages, NULL, (size_t size), (size))
FAULTY(int, at_exit, -1, (void (*fn)(int code)), (fn))
/* clang-format on */

/* As on Linux, the descriptor is closed even if close() fails. */
static int fault_close(int fd)
{
	int result = below->close(fd);

	return hit_fault(OF_close) ? -1 : result;
}

static int is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && !strncmp(word, text, len);
}

static enum member find_member(const char *text, size_t len)
{
	enum member member = 0;

	while (member < MEMBERS_COUNT && !is_word(names[member], text, len))
		member++;
	return member;
}

static int find_error(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (is_word(errors[i].name, text, len))
			return errors[i].error;
	return 0;
}

/* Only write and send can be short. A number of 0 would be no call. */
static int is_possible(size_t i)
{
	return faults[i].member != MEMBERS_COUNT && faults[i].first &&
	       faults[i].error &&
	       (faults[i].error != SHORT || faults[i].member == OF_write ||
		faults[i].member == OF_send);
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

#define REPLACE(name) table.name = fault_##name;

static void install_table(void)
{
	static struct tr2_host table;

	below = tr2_host;
	table = *below;
	MEMBERS(REPLACE)
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
