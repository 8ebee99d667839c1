/*
 * calls_kit.h - replacements for what a provider calls: no thread runs, and
 * no time passes. Only one program uses it, because it replaces functions of
 * the C library.
 */
#ifndef UNIT_TRACE_PROVIDER_CALLS_KIT_H
#define UNIT_TRACE_PROVIDER_CALLS_KIT_H

#include "kit/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>

#include "kit/locks.h"
#include "kit/tap.h"
#include "trace/provider/private.h"

extern char *program_invocation_short_name;

/*
 * Descriptors
 */

static int wrong_closes, dups, dup_fails_at;

int close(int fd)
{
	int failed = (int)syscall(SYS_close, fd);

	wrong_closes += failed != 0;
	return failed;
}

int fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, int);
	va_end(args);
	if (command == F_DUPFD_CLOEXEC && ++dups >= dup_fails_at &&
	    dup_fails_at) {
		errno = EMFILE;
		return -1;
	}
	return (int)syscall(SYS_fcntl, fd, command, value);
}

static int pipes, pipes_fail;

int pipe2(int ends[2], int flags)
{
	pipes++;
	return pipes_fail ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

static int open_count(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 1100; fd++)
		count += syscall(SYS_fcntl, fd, F_GETFD, 0) >= 0;
	return count;
}

/*
 * Threads
 */

static int threads, joins, create_fails, blocked, ended;
static struct trace_provider *context;
static void (*forget)(void);

static int is_blocked(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGTERM);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *argument)
{
	(void)thread;
	(void)attributes;
	threads += run == tr2_provider_thread;
	context = argument;
	blocked = is_blocked();
	return create_fails;
}

int pthread_join(pthread_t thread, void **result)
{
	(void)thread;
	(void)result;
	joins++;
	ended = context->ending;
	return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	forget = child;
	return 0;
}

/*
 * What is made and destroyed
 */

static int made;

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how)
{
	(void)how;
	memset(mutex, 0, sizeof(*mutex));
	made += 1;
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	(void)mutex;
	made -= 1;
	return 0;
}

/*
 * Time: the clock stands still, and each turn of a wait is counted.
 */

static unsigned turns, settles_at;
static uint64_t slept_ns;

int clock_gettime(clockid_t clock, struct timespec *into)
{
	*into = (struct timespec){ .tv_sec = 5 };
	return clock == CLOCK_MONOTONIC ? 0 : -1;
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
	locks_wrong += left || *lock_of(&context->lock);
	slept_ns += (uint64_t)length->tv_nsec;
	if (++turns == settles_at)
		context->settled = context->tracing = true;
	return 0;
}

/*
 * The host
 */

static pid_t self = 100;
static size_t written;
static const char *manager, *place;

static pid_t tell_pid(void)
{
	return self;
}

static ssize_t write_end(int fd, const void *bytes, size_t len)
{
	const trace_provider_packet_t *packet = bytes;

	written = fd == context->wake.writer.fd && !packet->request ? len : 0;
	errno = EAGAIN;
	return -1;
}

static const char *tell_variable(const char *name)
{
	return !strcmp(name, "TRACE_MANAGER") ? manager : place;
}

static int errno_changes;

/* With nothing done so far. */
static struct trace_provider *
create_provider(const struct trace_provider_options *options)
{
	struct trace_provider *provider;

	threads = joins = pipes = dups = wrong_closes = 0;
	turns = 0;
	slept_ns = 0;
	errno = 77;
	provider = trace_provider_create_with_options(options);
	errno_changes += errno != 77;
	return provider;
}

static void destroy_provider(struct trace_provider *provider)
{
	errno = 77;
	trace_provider_destroy(provider);
	errno_changes += errno != 77;
}

static struct trace_provider *create_named(const char *name)
{
	const struct trace_provider_options options = { .name = name };

	return create_provider(&options);
}

static const struct trace_provider_options somewhere = { .socket = "/s" };

static void kit_install(struct tr2_host *host)
{
	memory_install(host);
	host->getpid = tell_pid;
	host->write = write_end;
	host->getenv = tell_variable;
}

#endif
