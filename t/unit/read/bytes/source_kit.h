/*
 * source_kit.h - what a source of bytes needs of others: reads that give
 * less than they could, a log that grows, memory that is out.
 */
#ifndef UNIT_READ_BYTES_SOURCE_KIT_H
#define UNIT_READ_BYTES_SOURCE_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <zlib.h>
#include <zstd.h>

#include "kit/log.h"
#include "read/bytes/follow.h"

#ifndef __SANITIZE_THREAD__
/* How much the next reads give at most, or why not; then all, from the 0. */
static ssize_t script[16];
static const ssize_t *reads = script;

ssize_t read(int fd, void *bytes, size_t room)
{
	const ssize_t most = *reads;

	reads += most != 0;
	if (most < 0) {
		errno = (int)-most;
		return -1;
	}
	if (most && (size_t)most < room)
		room = (size_t)most;
	return syscall(SYS_read, fd, bytes, room);
}

#endif

/* What is written to a log while it is read: so many bytes each time. */
static const size_t *written;
static char log_name[] = "a log";

bool tr2_follow_wait(const char *path, int fd)
{
	const off_t at = lseek(fd, 0, SEEK_CUR);
	const size_t len = *written;

	tap_need(path == log_name &&
		 pwrite(fd, given + at, len, at) == (ssize_t)len);
	written += len > 0;
	return len > 0;
}

/* Those who unpack, with memory or without. */
static bool is_memory_out;

ZSTD_DStream *ZSTD_createDStream(void)
{
	return is_memory_out ? NULL : ZSTD_createDCtx();
}

int inflateInit2_(z_streamp stream, int bits, const char *version, int size)
{
	int (*real)(z_streamp, int, const char *, int);

	*(void **)(&real) = dlsym(RTLD_NEXT, "inflateInit2_");
	return is_memory_out ? Z_MEM_ERROR : real(stream, bits, version, size);
}

#endif
