/*
 * tr2_host_system.h - the parts of the host's table that POSIX has no call
 * for, as tr2_host.h describes them. tr2_host_linux.c has Linux's, and
 * tr2_host_posix.c what can be done without; the Makefile's HOST says which
 * of the two is built.
 */
#ifndef TR2_HOST_SYSTEM_H
#define TR2_HOST_SYSTEM_H

#include <sys/types.h>

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size);
pid_t tr2_host_identify_thread(char *name, size_t size);
int tr2_host_has_constant_ticks(void);

#endif
