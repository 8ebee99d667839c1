/*
 * Each call keeps errno in programs whose functions change errno although they
 * succeed, as those do that replace the clock. What becomes of errno where the
 * trace fails is in t/kit/scenarios/failures.py.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "process/every_kit.h"

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const int code = (int)syscall(SYS_clock_gettime, clock, now);

	errno = ENOENT;
	return code;
}

pid_t getpid(void)
{
	const pid_t pid = (pid_t)syscall(SYS_getpid);

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

static const struct every_deed deeds[] = {
	{ .says = "each call keeps errno where the clock does not",
	  .run = keep_errno },
};

int main(int argc, char **argv)
{
	(void)argc;
	return do_deeds(argv, deeds, sizeof(deeds) / sizeof(*deeds));
}
