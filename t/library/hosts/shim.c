/*
 * shim.so - a preloaded library that traces a host which knows nothing of
 * it: tracing begins before main(), and each read(2), write(2) and close(2)
 * is an event.
 *
 *	LD_PRELOAD=shim.so GIT_TRACE2_EVENT=/dir python3 -m test
 *
 * The library is linked in, so these functions are also what it calls itself:
 * then the event is one from inside of the library, and a drop.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "trace2.h"

/* As POSIX says that it is done. */
static void look_up(const char *name, void *pointer)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(pointer, &found, sizeof(found));
}

static ssize_t (*next_read)(int fd, void *bytes, size_t len);
static ssize_t (*next_write)(int fd, const void *bytes, size_t len);
static int (*next_close)(int fd);

/* Other constructors may come first. */
static void look_up_all(void)
{
	if (next_close)
		return;
	look_up("read", &next_read);
	look_up("write", &next_write);
	look_up("close", &next_close);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	(void)argc;
	look_up_all();
	trace2_initialize_clock();
	trace2_initialize();
	trace2_cmd_start(argv);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	ssize_t got;

	look_up_all();
	got = next_read(fd, bytes, len);
	trace2_data_intmax("host", TRACE2_REPO_NONE, "read", got);
	return got;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	ssize_t put;

	look_up_all();
	put = next_write(fd, bytes, len);
	trace2_data_intmax("host", TRACE2_REPO_NONE, "write", put);
	return put;
}

int close(int fd)
{
	look_up_all();
	trace2_data_intmax("host", TRACE2_REPO_NONE, "close", fd);
	return next_close(fd);
}
