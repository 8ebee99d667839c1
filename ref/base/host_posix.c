/*
 * A host other than Linux: no ancestors are known, and threads have no names.
 */
#include "base/host_system.h"

#include <errno.h>
#include <unistd.h>

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size)
{
	(void)pid;
	(void)text;
	(void)size;
	errno = ENOSYS;
	return -1;
}

/* The first thread that asks gets the number of its process, as on Linux. */
pid_t tr2_host_identify_thread(char *name, size_t size)
{
	static int threads;
	static _Thread_local int number;

	if (size)
		*name = '\0';
	if (!number)
		number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
	return getpid() + number - 1;
}

int tr2_host_has_constant_ticks(void)
{
	return 0;
}
