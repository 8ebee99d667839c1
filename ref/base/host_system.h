/*
 * host_system.h - the members of the host's table for which POSIX has no
 * call; base/host.h describes them. base/host_linux.c uses Linux's calls, and
 * base/host_posix.c does without them; HOST in the Makefile chooses one of
 * the two.
 */
#ifndef TR2_BASE_HOST_SYSTEM_H
#define TR2_BASE_HOST_SYSTEM_H

#include <sys/types.h>

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size);
pid_t tr2_host_identify_thread(char *name, size_t size);
int tr2_host_has_constant_ticks(void);

#endif
