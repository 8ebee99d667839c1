/*
 * Which object contains some code, in a static program, which has neither
 * dlopen() nor dladdr1(). Includes the source, to play that program.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>

static int (*found)(const void *, Dl_info *, void **, int);
static void *(*opened)(const char *, int);

#define dladdr1 found
#define dlopen opened
#include "host/object.c"

#include "kit/tap.h"

static struct link_map object;
static int opens;

static int find_that(const void *code, Dl_info *info, void **extra, int flags)
{
	(void)code;
	(void)info;
	(void)flags;
	*extra = &object;
	return 1;
}

static int find_nothing(const void *code, Dl_info *info, void **extra,
			int flags)
{
	(void)code;
	(void)info;
	(void)extra;
	(void)flags;
	return 0;
}

static void *count_opens(const char *name, int flags)
{
	opens += !strcmp(name, "/lib/x.so") && flags & RTLD_NODELETE;
	return NULL;
}

/* It does so once in a process. */
static int opens_once(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		errno = 77;
		tr2_host_stay();
		_exit(errno == 77 ? opens : 9);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	static char path[] = "/lib/x.so", none[] = "";

	tap_ok(tr2_host_is_program(&object),
	       "a static program is all there is");
	tap_int(opens_once(), 0, "it needs not stay");
	found = find_nothing;
	tap_ok(tr2_host_is_program(&object),
	       "where even the library is unknown, so is the program's code");
	tap_int(opens_once(), 0, "and nothing can be made to stay");
	found = find_that;
	object.l_name = path;
	tap_ok(!tr2_host_is_program(&object), "a library is not the program");
	tap_int(opens_once(), 0, "without dlopen() it may go");
	opened = count_opens;
	tap_int(opens_once(), 1, "with it, it stays");
	object.l_name = none;
	tap_int(opens_once(), 0, "a program stays anyway");
	return tap_done();
}
