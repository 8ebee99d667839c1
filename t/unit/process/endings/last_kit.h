/* Lives that write an end with each target, and what must be in their logs. */
#ifndef UNIT_PROCESS_ENDINGS_LAST_KIT_H
#define UNIT_PROCESS_ENDINGS_LAST_KIT_H

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kit/destination.h"
#include "trace/event.h"
#include "trace/outside/outside.h"
#include "trace2.h"

#ifdef __SANITIZE_ADDRESS__
/* It can't look for leaks where the first thread has ended. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static void (*prepare)(void);

static inline void *do_work(void *quiet)
{
	const struct timespec moment = { 0, 50000000 };

	if (!quiet)
		trace2_printf("first");
	nanosleep(&moment, NULL);
	if (!quiet)
		trace2_printf("last");
	return NULL;
}

static inline void say_farewell(void)
{
	sigset_t blocked;

	trace2_printf("good-bye");
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	close(open(sigismember(&blocked, SIGTERM) ? "blocked" : "farewell",
		   O_CREAT | O_WRONLY, 0666));
}

/* A manager's thread begins with it. */
static inline void write_point(void)
{
	TRACE_INSTANT("c", "point", TRACE_SCOPE_THREAD);
}

static inline void begin_life(void)
{
	unlink("farewell");
	unlink("log");
	prepare();
	tr2_outside_begin();
	trace2_initialize();
	write_point();
	atexit(say_farewell);
}

static inline void begin_worker(const char *quiet)
{
	pthread_t thread;

	kit_require(!pthread_create(&thread, NULL, do_work,
				    (void *)(uintptr_t)quiet),
		    "no thread");
	pthread_detach(thread);
}

/* As without /proc. */
static inline void forbid_open(unsigned for_all)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { 6, filter };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, for_all, &program);
}

static inline void run_and_join(void *(*run)(void *))
{
	pthread_t thread;

	kit_require(!pthread_create(&thread, NULL, run, NULL) &&
			    !pthread_join(thread, NULL),
		    "no thread");
}

/* On the way to its end the C library may open a file. */
static inline void *leave_early(void *unused)
{
	(void)unused;
	pthread_exit(NULL);
}

static inline void begin_blind_life(void)
{
	begin_life();
	run_and_join(leave_early);
	forbid_open(SECCOMP_FILTER_FLAG_TSYNC);
}

/*
 * Targets
 */

static inline void write_events(void)
{
	setenv("GIT_TRACE2_EVENT", kit_path("log"), 1);
}

static inline void write_archive(void)
{
	setenv("GIT_TRACE2_FXT", kit_path("log"), 1);
}

static inline void write_chrome(void)
{
	setenv("GIT_TRACE2_CHROME", kit_path("log"), 1);
}

static inline void write_categories(void)
{
	setenv("TRACE_EVENT_CATEGORIES", "*", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", kit_path("log"), 1);
}

/* It never answers. */
static inline void wait_for_manager(void)
{
	setenv("TRACE_MANAGER", kit_path("nobody"), 1);
	write_events();
}

static inline void trace_everywhere(void)
{
	wait_for_manager();
	setenv("GIT_TRACE2_EVENT", kit_path("events"), 1);
	write_chrome();
}

static const struct {
	const char *name;
	void (*prepare)(void);
} targets[] = {
	{ "EVENT", write_events },
	{ "FXT", write_archive },
	{ "Chrome", write_chrome },
	{ "TRACE_EVENT_CATEGORIES", write_categories },
	{ "a manager", wait_for_manager },
	{ "a manager and Chrome", trace_everywhere },
};

static inline int has_words(const char *bytes, size_t len, const char *words)
{
	size_t i;

	for (i = 0; i + strlen(words) <= len; i++)
		if (!memcmp(bytes + i, words, strlen(words)))
			return 1;
	return 0;
}

/* The log knows the last words of all, and Chrome's file has its end. */
static inline int is_whole(void)
{
	static char log[1 << 20];
	int fd = open("log", O_RDONLY);
	ssize_t len = fd < 0 ? -1 : read(fd, log, sizeof(log));

	close(fd);
	return len > 2 && has_words(log, (size_t)len, "last") &&
	       has_words(log, (size_t)len, "atexit") &&
	       has_words(log, (size_t)len, "good-bye") &&
	       (log[0] != '[' || !memcmp(log + len - 2, "]\n", 2));
}

#endif
