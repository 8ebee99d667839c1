/*
 * Programs whose functions change errno although they succeed, as those do
 * that replace the clock: each call of the library's keeps errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

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
	every_call[call % EVERY]();
	if (errno == EDOM)
		return 1;
	printf("# call %d\n", call % EVERY);
	return 0;
}

/* The second time a call finds what the first one made. */
static int be_host(char **argv)
{
	int call, kept = 1;

	spoils = 1;
	errno = EDOM;
	trace2_initialize();
	trace2_cmd_start(argv);
	kept = errno == EDOM;
	for (call = 0; call < 2 * EVERY; call++)
		kept &= is_kept(call);
	return trace2_cmd_exit(!kept);
}

int main(int argc, char **argv)
{
	char self[] = "spoilt_errno", host[] = "host";
	char *words[] = { self, host, NULL };

	if (argc > 1)
		return be_host(argv);
	begin_every();
	test_every(words, 0, "each call keeps errno");
	return end_every();
}
