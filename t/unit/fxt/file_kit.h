/*
 * file_kit.h - a system whose calls for the file of the FXT target are
 * noted, and fail on request.
 */
#ifndef UNIT_FXT_FILE_KIT_H
#define UNIT_FXT_FILE_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <pthread.h>

#include "kit/tap.h"
#include "fxt/file.h"
#include "host/host.h"

#define PAGE 4096
#define MIB 1048576

static struct {
	int lock, stat, cut, map, protect, get; /* errno; 0: all is well */
	ssize_t put;				/* of pwrite; -1: all */
	int put_error;				/* of pwrite */
	ssize_t room;				/* for writev; -1: enough */
	size_t most;				/* of a writev; 0: any */
	off_t cut_to;				/* before a writev; 0: not */
	int sent;				/* a signal, during a writev */
	int grows; /* another thread lets the file grow after an fstat */
	long page; /* of the system */
} world;

static struct {
	int not_held, appended, unmapped, closed, cuts;
	size_t opened; /* bytes of a mapping that was made accessible */
	int access, access_of_rest;
	size_t unmapped_size;
} seen;

static void renew_world(void)
{
	memset(&world, 0, sizeof(world));
	memset(&seen, 0, sizeof(seen));
	world.put = world.room = -1;
	world.page = PAGE;
	seen.closed = -1;
}

static inline int fail_with(int error)
{
	errno = error;
	return error ? -1 : 0;
}

static inline void look_at_signals(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	seen.not_held += !sigismember(&mask, SIGXFSZ);
}

/* The thread sanitizer has functions of these names itself. */
#ifdef __SANITIZE_THREAD__
#define HAS_WORLD 0
#else
#define HAS_WORLD 1

int fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if ((command == F_SETLK || command == F_OFD_SETLK) && world.lock)
		return fail_with(world.lock);
	return (int)syscall(SYS_fcntl, fd, command, value);
}

static struct tr2_fxt_file file;

int fstat(int fd, struct stat *st)
{
	int failed;

	if (world.stat)
		return fail_with(world.stat);
	failed = (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
	if (world.grows) {
		world.grows = 0;
		tr2_fxt_file_grow(&file, file.have);
	}
	return failed;
}

int ftruncate(int fd, off_t size)
{
	seen.cuts++;
	if (world.cut)
		return fail_with(world.cut);
	return (int)syscall(SYS_ftruncate, fd, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	look_at_signals();
	if (world.put >= 0 && (size_t)world.put < len)
		len = (size_t)world.put;
	if (world.put_error)
		return fail_with(world.put_error);
	return syscall(SYS_pwrite64, fd, bytes, len, at);
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (world.get)
		return fail_with(world.get);
	return syscall(SYS_pread64, fd, bytes, len, at);
}

ssize_t writev(int fd, const struct iovec *pages, int count)
{
	static char some[MIB];
	size_t len = 0;
	int i;

	look_at_signals();
	seen.appended++;
	if (world.cut_to)
		syscall(SYS_ftruncate, fd, world.cut_to);
	if (world.sent)
		raise(world.sent);
	for (i = 0; i < count && len + pages[i].iov_len <= MIB; i++) {
		memcpy(some + len, pages[i].iov_base, pages[i].iov_len);
		len += pages[i].iov_len;
	}
	if (i < count)
		return fail_with(E2BIG);
	if (world.most && len > world.most)
		return fail_with(EDQUOT);
	if (world.room >= 0 && (size_t)world.room < len)
		len = (size_t)world.room;
	if (world.room >= 0)
		world.room -= (ssize_t)len;
	return write(fd, some, len);
}

/* Sanitizers ask for more: how large a stack for signals has to be. */
long sysconf(int name)
{
	return name == _SC_PAGESIZE ? world.page : 65536;
}

void *mmap(void *at, size_t len, int access, int flags, int fd, off_t offset)
{
	if (world.map) {
		errno = world.map;
		return MAP_FAILED;
	}
	seen.access_of_rest = access;
	return (void *)syscall(SYS_mmap, at, len, access, flags, fd, offset);
}

int mprotect(void *at, size_t len, int access)
{
	seen.opened = len;
	seen.access = access;
	if (world.protect)
		return fail_with(world.protect);
	return (int)syscall(SYS_mprotect, at, len, access);
}

int munmap(void *at, size_t len)
{
	seen.unmapped++;
	seen.unmapped_size = len;
	return (int)syscall(SYS_munmap, at, len);
}

#endif

static int close_noted(int fd)
{
	seen.closed = fd;
	return close(fd);
}

/*
 * What the file is, and what a test does to it
 */

static char path[64];
static struct tr2_fxt_file file; /* also of a thread in fstat() */
static int fd;

static inline off_t size_of(void)
{
	struct stat st = { .st_size = -1 };

	stat(path, &st);
	return st.st_size;
}

/* Begin a trace after the file's contents, as a process that may do so. */
static inline int begin_again(uint64_t max)
{
	fd = open(path, O_RDWR | O_APPEND | O_CREAT, 0600);
	errno = 0;
	return tr2_fxt_file_begin(&file, fd, 77, max, 0);
}

static inline int begin_file(uint64_t max)
{
	unlink(path);
	return begin_again(max);
}

static inline void end_file(void)
{
	tr2_fxt_file_forget(&file);
	renew_world();
}

static inline void start_world(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.close = close_noted;
	tr2_host = &host;
	snprintf(path, sizeof(path), "/tmp/t2-file-%ld.fxt", (long)getpid());
	renew_world();
}

#endif
