/*
 * Each call keeps errno: in programs whose functions change errno although they
 * succeed, as those do that replace the clock, and whatever becomes of the
 * trace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "host/host.h"
#include "process/every_kit.h"

static int spoils;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const int code = (int)syscall(SYS_clock_gettime, clock, now);

	if (spoils)
		errno = ENOENT;
	return code;
}

pid_t getpid(void)
{
	const pid_t pid = (pid_t)syscall(SYS_getpid);

	if (spoils)
		errno = ENOENT;
	return pid;
}

static int is_kept(int call)
{
	errno = EDOM;
	every_call[call % EVERY].make();
	if (errno == EDOM)
		return 1;
	printf("# %s\n", every_call[call % EVERY].name);
	return 0;
}

/* The second time a call finds what the first one made. */
static int keep_errno(void)
{
	int kept = 1;

	errno = EDOM;
	trace2_initialize();
	trace2_cmd_start(every_argv);
	kept = errno == EDOM;
	for (int call = 0; call < 2 * EVERY; call++)
		kept &= is_kept(call);
	return trace2_cmd_exit(!kept);
}

static int keep_spoilt_errno(void)
{
	spoils = 1;
	return keep_errno();
}

/*
 * Whatever becomes of the trace
 */

static ssize_t fail_write(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	errno = EIO;
	return -1;
}

/* EVENT goes elsewhere: to what can't be opened or written. */
static int keep_errno_at(void)
{
	static const struct {
		const char *prefix, *name; /* of a file, or NULL */
	} places[] = {
		{ "", NULL },	     { "bogus", NULL },
		{ "", "none/file" }, { "af_unix:", "at/none" },
		{ "7", NULL },	     { "/dev/full", NULL },
		{ "8", NULL },	     { "", "log" },
	};
	static struct tr2_host host;
	const int place = every_turn % 8;
	char value[300];
	int ends[2];

	if (!freopen("/dev/null", "w", stderr) || pipe(ends) ||
	    dup2(ends[1], 8) != 8)
		return 98;
	close(ends[0]); /* the pipe is dead */
	snprintf(value, sizeof(value), "%s%s", places[place].prefix,
		 places[place].name ? every_path(places[place].name) : "");
	setenv("GIT_TRACE2_EVENT", value, 1);
	setenv("GIT_TRACE2_DST_DEBUG", "1", 1);
	host = tr2_host_system;
	host.write = place == 7 ? fail_write : host.write;
	tr2_host = &host;
	return keep_errno();
}

static const struct every_deed deeds[] = {
	{ .says = "each call keeps errno where the clock does not",
	  .run = keep_spoilt_errno },
	{ .says = "each call keeps errno, whatever becomes of the trace",
	  .run = keep_errno_at,
	  .times = 8,
	  .only = "EVENT to a file" },
};

int main(int argc, char **argv)
{
	(void)argc;
	return do_deeds(argv, deeds, sizeof(deeds) / sizeof(*deeds));
}
