/* The path of the trace manager's socket. */
#define _GNU_SOURCE /* syscall */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/provider/message.h"

static struct tr2_host host;
static int is_privileged; /* according to the system */

unsigned long getauxval(unsigned long type)
{
	unsigned long pair[2] = { 0, 0 };
	int fd;

	if (type == AT_SECURE)
		return (unsigned long)is_privileged;
	fd = (int)syscall(SYS_open, "/proc/self/auxv", O_RDONLY);
	while (syscall(SYS_read, fd, pair, sizeof(pair)) == sizeof(pair))
		if (pair[0] == type)
			break;
	syscall(SYS_close, fd);
	return pair[0] == type ? pair[1] : 0;
}

static const char *manager, *runtime;

static const char *get_given(const char *name)
{
	if (!strcmp(name, "TRACE_MANAGER"))
		return manager;
	return strcmp(name, "XDG_RUNTIME_DIR") ? NULL : runtime;
}

static void test_path(void)
{
	static const struct {
		const char *manager;
		const char *runtime;
		size_t size;
		int got;
		const char *path;
	} rows[] = {
		{ "/m", "/run", 3, 2, "/m" },
		{ "m", NULL, 3, 2, "m" },
		{ "/m", "/run", 2, 0, NULL },
		{ "", "/run", 64, 1, "/run/trace-manager" },
		{ NULL, "/run", 64, 1, "/run/trace-manager" },
		{ NULL, "/run", 19, 1, "/run/trace-manager" },
		{ NULL, "/run", 18, 0, NULL },
		{ NULL, "run", 64, 0, NULL },
		{ NULL, "", 64, 0, NULL },
		{ NULL, NULL, 64, 0, NULL },
	};
	char path[64];
	size_t i;

	host = tr2_host_system;
	host.getenv = get_given;
	tr2_host = &host;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		manager = rows[i].manager;
		runtime = rows[i].runtime;
		if (tr2_message_default_path(path, rows[i].size) !=
			    rows[i].got ||
		    (rows[i].got && strcmp(path, rows[i].path) != 0))
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"the environment says where the manager is, if it can");
	tr2_host = &tr2_host_system;
	setenv("TRACE_MANAGER", "/m", 1);
	is_privileged = 1;
	tap_int(tr2_message_default_path(path, sizeof(path)), 0,
		"but not to a program with privileges of its file");
}

int main(void)
{
	test_path();
	return tap_done();
}
