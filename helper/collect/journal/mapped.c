#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "collect/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* A signal handler reads these. */
static _Atomic uintptr_t begin;
static atomic_size_t length;
static atomic_bool broken;

static bool is_inside(const siginfo_t *info)
{
	return info->si_code > 0 && (uintptr_t)info->si_addr >= begin &&
	       (uintptr_t)info->si_addr - begin < length;
}

/* Put zero bytes in the place of those that the file has no more. */
static bool replace_page(char *at)
{
	const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);

	return mmap(at - (uintptr_t)at % size, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) != MAP_FAILED;
}

/* Other accesses, and other processes' signals, end the process as ever. */
static void mend_access(int signo, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (is_inside(info) && replace_page(info->si_addr)) {
		broken = true;
	} else {
		signal(signo, SIG_DFL);
		if (info->si_code <= 0)
			raise(signo); /* a fault comes again by itself */
	}
	errno = saved;
}

/* As posix_fallocate(3) where neither the kernel nor a sandbox has a call. */
static int write_zeros(int fd, size_t room)
{
	static const char zeros[1 << 16];
	size_t len;
	ssize_t done;

	for (size_t at = 0; at < room; at += (size_t)done) {
		len = room - at < sizeof(zeros) ? room - at : sizeof(zeros);
		done = pwrite(fd, zeros, len, (off_t)at);
		if (done <= 0)
			return done ? errno : ENOSPC;
	}
	return 0;
}

static int reserve_space(int fd, size_t room)
{
	int error = posix_fallocate(fd, 0, (off_t)room);

	if (error == EPERM || error == ENOSYS || error == EOPNOTSUPP ||
	    error == EINVAL)
		return write_zeros(fd, room);
	return error;
}

char *tr2_mapped_begin(int fd, size_t size)
{
	struct sigaction action = { .sa_sigaction = mend_access,
				    .sa_flags = SA_SIGINFO };
	void *map = MAP_FAILED;

	errno = reserve_space(fd, size);
	if (!errno)
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   0);
	if (map == MAP_FAILED)
		return NULL;
	broken = false;
	begin = (uintptr_t)map;
	length = size;
	sigaction(SIGBUS, &action, NULL);
	return map;
}

void tr2_mapped_end(char *memory, size_t size)
{
	length = 0;
	munmap(memory, size);
}

bool tr2_mapped_is_broken(void)
{
	return broken;
}
