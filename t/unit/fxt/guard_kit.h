/*
 * guard_kit.h - a file that is mapped, guarded and cut, and handlers of the
 * host's.
 */
#ifndef UNIT_FXT_GUARD_KIT_H
#define UNIT_FXT_GUARD_KIT_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "fxt/guard.h"

#ifdef __SANITIZE_THREAD__
#define HAS_FAULTS 0 /* the sanitizer's handlers come first */
#else
#define HAS_FAULTS 1
#endif

enum { SIZE = 1 << 16, HALF = SIZE / 2 };

static int fd, map_error, losses;
static char *map;

/* What mmap() was asked for: how often, and the last time. */
static struct {
	int calls, access, fd;
} asked;

#if HAS_FAULTS
void *mmap(void *at, size_t len, int access, int flags, int of, off_t offset)
{
	asked.calls++;
	asked.access = access;
	asked.fd = of;
	if (map_error) {
		errno = map_error;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, len, access, flags, of, offset);
}
#endif

static inline void note_loss(void)
{
	losses++;
	errno = EXDEV;
}

static inline char *map_file(void)
{
	char path[] = "/tmp/t2-guard-XXXXXX";

	fd = mkstemp(path);
	unlink(path);
	if (ftruncate(fd, SIZE))
		exit(2);
	losses = 0;
	return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static inline void cut_file(void)
{
	if (ftruncate(fd, 0))
		exit(2);
}

static inline void begin_guard(size_t size)
{
	map = map_file();
	tr2_fxt_guard_begin(map, size, note_loss);
}

static inline void end_guard(void)
{
	tr2_fxt_guard_end();
	munmap(map, SIZE);
	close(fd);
}

static inline struct sigaction get_installed(void)
{
	struct sigaction now;

	sigaction(SIGBUS, NULL, &now);
	return now;
}

/* Its flags, those that the system sets for itself left out. */
static inline int get_flags(void)
{
	return get_installed().sa_flags &
	       (SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NOCLDSTOP |
		(int)SA_NODEFER | (int)SA_RESETHAND);
}

/* What became of a child that did that: an exit code, or 128 + a signal. */
static inline int in_child(void (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		fn();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Fault behind a guard of half of the mapping. */
static inline void touch_behind(void)
{
	begin_guard(HALF);
	cut_file();
	map[HALF] = 'a';
}

/* Whether a program can be tried here; if not, that is said. */
static inline int guard_can_be_tried(void)
{
	if (HAS_FAULTS && !getenv("TEST_UNDER_VALGRIND")) {
		/* A sanitizer's runtime has a handler of its own. */
		signal(SIGBUS, SIG_DFL);
		return 1;
	}
	tap_skip("the guard of a mapping", "no address of the fault is told");
	return 0;
}

#endif
