/* fcntl.h - a descriptor is duplicated by its name, which the host knows. */
#pragma once
#include_next <fcntl.h>
#include <stdio.h>

#define F_DUPFD_CLOEXEC (-1)

static inline int tr2_wasm_fcntl(int fd, int command, int value)
{
	char name[24];

	if (command != F_DUPFD_CLOEXEC)
		return fcntl(fd, command, value);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	return open(name, O_WRONLY);
}

#define TR2_WASM_FCNTL(fd, command, value, ...) \
	tr2_wasm_fcntl(fd, command, value)
#define fcntl(...) TR2_WASM_FCNTL(__VA_ARGS__, 0, 0)
