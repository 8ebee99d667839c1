/* What Linux provides through /proc, /sys and its own system calls. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* syscall */
#endif
#include "base/host_system.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size)
{
	char path[40];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat",
		 (long)(pid ? pid : getpid()));
	fd = open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	got = read(fd, text, size);
	close(fd);
	return got;
}

pid_t tr2_host_identify_thread(char *name, size_t size)
{
	char known[16] = "";
	size_t len;

	prctl(PR_GET_NAME, known);
	len = strnlen(known, size - 1);
	memcpy(name, known, len);
	name[len] = '\0';
	return (pid_t)syscall(SYS_gettid);
}

/*
 * The kernel uses the counter as its own clock only if it has found that the
 * counter runs evenly and agrees on all CPUs.
 */
int tr2_host_has_constant_ticks(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource";
	char text[4];
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof(text));
	close(fd);
	return got == 4 && !memcmp(text, "tsc\n", 4);
}
