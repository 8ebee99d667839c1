/*
 * shim.so - a preloaded library that traces a host which knows nothing of
 * it: tracing begins before main(), and each read(2) and close(2) of the
 * host is an event.
 *
 *	LD_PRELOAD=shim.so GIT_TRACE2_EVENT=/dir python3 -m test
 *
 * The library is linked in; what it reads and closes itself is no event.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "trace2.h"

/* Where this object begins and ends. */
static uintptr_t object_begin, object_end;

static int find_object(struct dl_phdr_info *info, size_t size, void *own)
{
	uintptr_t end = info->dlpi_addr;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
			      info->dlpi_phdr[i].p_memsz;
	if ((uintptr_t)own < info->dlpi_addr || (uintptr_t)own >= end)
		return 0;
	object_begin = info->dlpi_addr;
	object_end = end;
	return 1;
}

static int is_ours(const void *caller)
{
	const uintptr_t at = (uintptr_t)caller;

	return at >= object_begin && at < object_end;
}

/* As POSIX says that it is done. */
static void look_up(const char *name, void *pointer)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(pointer, &found, sizeof(found));
}

static ssize_t (*next_read)(int fd, void *bytes, size_t len);
static int (*next_close)(int fd);

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	(void)argc;
	dl_iterate_phdr(find_object, &object_begin);
	look_up("read", &next_read);
	look_up("close", &next_close);
	trace2_initialize_clock();
	trace2_initialize();
	trace2_cmd_start(argv);
}

/* Other constructors may come first. */
ssize_t read(int fd, void *bytes, size_t len)
{
	ssize_t got;

	if (!next_read)
		look_up("read", &next_read);
	got = next_read(fd, bytes, len);
	if (!is_ours(__builtin_return_address(0)))
		trace2_data_intmax("host", TRACE2_REPO_NONE, "read", got);
	return got;
}

int close(int fd)
{
	if (!next_close)
		look_up("close", &next_close);
	if (!is_ours(__builtin_return_address(0)))
		trace2_data_intmax("host", TRACE2_REPO_NONE, "close", fd);
	return next_close(fd);
}
