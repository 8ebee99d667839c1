/*
 * log.h - files to be read.
 */
#ifndef UNIT_KIT_LOG_H
#define UNIT_KIT_LOG_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((unused)) static char given[1 << 20];
__attribute__((unused)) static char packed[1 << 20];

/* A file of these bytes, to be read from its beginning. */
static inline int file_of(const void *bytes, size_t len)
{
	FILE *file = tmpfile();
	int fd = dup(fileno(file));

	fclose(file);
	tap_need(write(fd, bytes, len) == (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

#endif
