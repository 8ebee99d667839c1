/*
 * faults.c - a library that is loaded first. Calls of the C library fail as
 * variables of the environment say; faults_kit.py builds it.
 *
 *	FAIL_CALLOC=2		the second calloc(3) has no memory
 *	FAIL_REALLOC=2		so has the second realloc(3)
 *	FAIL_READ=2		the second read(2) fails
 *	READ_MOST=99		a read(2) gets so many bytes at most
 *	FAIL_THREAD=2		the second thread can't begin
 *	FAIL_FLOCK=37		flock(2) fails with this errno value
 *	FAIL_SYNC=5, FAIL_RENAME=30	so do fsync(2) and rename(2)
 *	FAIL_OWNER, FAIL_MODE	fchown(2), fchmod(2) are not permitted
 *	WRITE_MOST=3		a write(2) to no standard stream takes so many
 *				bytes at most
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* The number that the variable has, or `usual`. */
static long find_number(const char *name, long usual)
{
	const char *value = getenv(name);

	return value ? strtol(value, NULL, 10) : usual;
}

void *calloc(size_t count, size_t size)
{
	static int calls;

	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) !=
	    find_number("FAIL_CALLOC", 0))
		return __libc_calloc(count, size);
	errno = ENOMEM;
	return NULL;
}

void *realloc(void *old, size_t size)
{
	static int calls;

	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) !=
	    find_number("FAIL_REALLOC", 0))
		return __libc_realloc(old, size);
	errno = ENOMEM;
	return NULL;
}

ssize_t read(int fd, void *bytes, size_t room)
{
	static int calls;
	const size_t most = (size_t)find_number("READ_MOST", -1);

	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) !=
	    find_number("FAIL_READ", 0))
		return syscall(SYS_read, fd, bytes, room < most ? room : most);
	errno = EIO;
	return -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *wanted,
		   void *(*run)(void *), void *context)
{
	static int calls;
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);

	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) ==
	    find_number("FAIL_THREAD", 0))
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, wanted, run, context);
}

int flock(int fd, int operation)
{
	errno = (int)find_number("FAIL_FLOCK", 0);
	return errno ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int fsync(int fd)
{
	errno = (int)find_number("FAIL_SYNC", 0);
	return errno ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	errno = (int)find_number("FAIL_RENAME", 0);
	return errno ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int fchown(int fd, uid_t user, gid_t group)
{
	errno = EPERM;
	return getenv("FAIL_OWNER") ? -1
				    : (int)syscall(SYS_fchown, fd, user, group);
}

int fchmod(int fd, mode_t mode)
{
	errno = EPERM;
	return getenv("FAIL_MODE") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	const size_t most = (size_t)find_number("WRITE_MOST", -1);

	if (fd > 2 && len > most)
		len = most;
	return len ? syscall(SYS_write, fd, bytes, len) : 0;
}
