/*
 * loop_kit.h - a system in which a loop runs in the test's own thread: the
 * test controls time, descriptors and threads, and their calls are noted.
 */
#ifndef UNIT_TRACE_ENGINE_PARTS_LOOP_KIT_H
#define UNIT_TRACE_ENGINE_PARTS_LOOP_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall, pipe2 */
#endif
#include "kit/memory.h"

#include "kit/locks.h"
#include "kit/note.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/tap.h"
#include "trace/loop.h"

static struct {
	int pipe, thread, write; /* fails: errno */
	uint64_t ms, ns;
	pthread_t self;
	pid_t pid;
	int is_waited; /* for another thread: may be, and is then left */
} world;

static struct trace_loop *loop;
static jmp_buf left;
static ino_t nudges; /* its pipe */
static int reads;

/* What happens while it waits. */
static int (*waiting)(struct pollfd *fds);

int pipe2(int ends[2], int flags)
{
	struct stat st;
	int failed;

	if (world.pipe) {
		errno = world.pipe;
		return -1;
	}
	add_note("pipe %d; ", flags == (O_CLOEXEC | O_NONBLOCK));
	failed = (int)syscall(SYS_pipe2, ends, flags);
	nudges = !failed && !fstat(ends[0], &st) ? st.st_ino : 0;
	return failed;
}

/* Its end that is read or written, wherever it lives; -1: closed. */
static inline int find_nudges(int access)
{
	struct stat st;
	int fd;

	for (fd = 1023; fd >= 0; fd--)
		if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) &&
		    st.st_ino == nudges &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == access)
			return fd;
	return -1;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	errno = world.write;
	return world.write ? -1 : syscall(SYS_write, fd, bytes, len);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	reads++;
	return syscall(SYS_read, fd, bytes, len);
}

int poll(struct pollfd *fds, nfds_t count, int wait)
{
	nfds_t i;

	add_note("poll %d", wait);
	for (i = 0; i + 1 < count; i++)
		if (fds[i].fd != -1)
			add_note(" %d:%d.%d", (int)i, fds[i].fd, fds[i].events);
	if (count != 17 || fds[16].fd < 10 || fds[16].events != POLLIN)
		add_note(" and no nudges");
	add_note("; ");
	errno = EXDEV;
	return waiting(fds);
}

pthread_t pthread_self(void)
{
	return world.self;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *data)
{
	sigset_t mask;

	(void)run;
	*thread = 99;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	add_note("create%s%s; ",
		 sigismember(&mask, SIGUSR1) ? "" : " unblocked",
		 !attributes && data == loop ? "" : " ?");
	return world.thread;
}

int pthread_join(pthread_t thread, void **result)
{
	add_note("join %d%s; ", (int)thread, result ? " ?" : "");
	return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
	add_note("%s %d; ", name, (int)thread);
	return 0;
}

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *how)
{
	memset(lock, 0, sizeof(*lock));
	add_note("lock%s; ", how ? " ?" : "");
	return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *how)
{
	memset(condition, 0, sizeof(*condition));
	add_note("condition%s; ", how ? " ?" : "");
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
	(void)condition;
	add_note("woken; ");
	return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
	(void)condition;
	add_note("wait; ");
	pthread_mutex_unlock(lock);
	if (!world.is_waited)
		_exit(3);
	longjmp(left, 1);
}

pid_t getpid(void)
{
	return world.pid;
}

static uint64_t tell_time(void)
{
	return world.ms * 1000000 + world.ns;
}

#endif
