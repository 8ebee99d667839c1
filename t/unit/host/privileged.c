/*
 * A process with privileges of its file, which has its caller's environment:
 * all that may be in there, and nothing of it counts.
 */
#include "kit/memory.h"

#include "kit/destination.h"

#include <poll.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "trace/provider/provider.h"
#include "trace2.h"

static int is_privileged;

/* In the place of the C library's. */
unsigned long getauxval(unsigned long type)
{
	if (type == AT_SECURE)
		return (unsigned long)is_privileged;
	errno = ENOENT;
	return 0;
}

/* The files that exist: none, until a target writes one. */
static const char *const targets[][2] = {
	{ "GIT_TRACE2", "normal" },	   { "GIT_TRACE2_PERF", "perf" },
	{ "GIT_TRACE2_EVENT", "event" },   { "GIT_TRACE2_FXT", "fxt" },
	{ "GIT_TRACE2_CHROME", "chrome" },
};

/* For configuration files: reading one writes the file `config`. */
static const char *const configs[][2] = {
	{ "GIT_CONFIG_SYSTEM", "system" },
	{ "GIT_CONFIG_GLOBAL", "global" },
	{ "HOME", ".gitconfig" },
	{ "XDG_CONFIG_HOME", "git/config" },
};

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void write_config(const char *name)
{
	FILE *file = fopen(kit_path(name), "w");

	kit_require(file != NULL, "a file can be made");
	fprintf(file, "[trace2]\n\teventTarget = %s\n", kit_path("config"));
	fclose(file);
}

static void set_config(size_t i)
{
	const char *name = configs[i][0], *file = configs[i][1];
	const int is_dir = name[0] != 'G';

	mkdir(kit_path("git"), 0777);
	write_config(file);
	setenv(name, is_dir ? kit_path(".") : kit_path(file), 1);
}

/* Returns the name of what tracing leaves; NULL: nothing. */
static const char *find_trace(void)
{
	for (size_t i = 0; i < COUNT(targets); i++)
		if (!access(kit_path(targets[i][1]), F_OK))
			return targets[i][1];
	return access(kit_path("config"), F_OK) ? NULL : "config";
}

static void remove_traces(void)
{
	for (size_t i = 0; i < COUNT(targets); i++)
		unlink(kit_path(targets[i][1]));
	unlink(kit_path("config"));
}

/* 0, or 1 if something is traced; 2: or printed. */
static int trace_privileged(void)
{
	int is_on;

	trace2_initialize();
	is_on = trace2_is_enabled();
	if (!is_on == (find_trace() != NULL))
		return 3;
	return is_on + (*kit_stderr() ? 2 : 0);
}

static size_t row;

static int trace_with_target(void)
{
	setenv(targets[row][0], kit_path(targets[row][1]), 1);
	setenv("GIT_TRACE2_DST_DEBUG", "1", 1);
	return trace_privileged();
}

static int trace_with_config(void)
{
	set_config(row);
	return trace_privileged();
}

/* The manager's socket: does a provider call? */
/* Kept, so that valgrind finds it. */
static trace_provider_t *provider;

static int call_manager(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0), tries = 50;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s",
		 kit_path("manager"));
	bind(fd, (struct sockaddr *)&address, sizeof(address));
	listen(fd, 1);
	setenv("TRACE_MANAGER", address.sun_path, 1);
	provider = trace_provider_create(NULL);
	while (tries-- && accept(fd, NULL, NULL) < 0)
		poll(NULL, 0, 1);
	return tries >= 0;
}

static void test_each(int expected, const char *who)
{
	is_privileged = !expected;
	for (row = 0; row < COUNT(targets); row++) {
		tap_int(kit_in_child(trace_with_target), expected,
			kit_text("%s counts%s", targets[row][0], who));
		remove_traces();
	}
	for (row = 0; row < COUNT(configs); row++) {
		tap_int(kit_in_child(trace_with_config), expected,
			kit_text("%s counts%s", configs[row][0], who));
		remove_traces();
	}
	tap_int(kit_in_child(call_manager), expected,
		kit_text("TRACE_MANAGER counts%s", who));
	unlink(kit_path("manager"));
}

int main(void)
{
	kit_start();
	tr2_host = &tr2_host_system;
	unsetenv("HOME");
	unsetenv("XDG_CONFIG_HOME");
	for (size_t i = 0; i < COUNT(targets); i++)
		unsetenv(targets[i][0]);
	test_each(1, "");
	test_each(0, " not for a privileged process");
	return kit_done();
}
