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

int pthread_cond_init(pthread_cond_t *condition,
		      const pthread_condattr_t *attributes)
{
	clockid_t clock = CLOCK_REALTIME;

	(void)condition;
	pthread_condattr_getclock(attributes, &clock);
	made += clock == CLOCK_MONOTONIC ? 100 : 0;
	return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
	(void)condition;
	made -= 100;
	return 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
	memset(attributes, 0, sizeof(*attributes));
	made += 10000;
	return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
	(void)attributes;
	made -= 10000;
	return 0;
}

/*
 * Time
 */

static struct timespec now, until;
static int waits, settles_at;

int clock_gettime(clockid_t clock, struct timespec *into)
{
	*into = now;
	return clock == CLOCK_MONOTONIC ? 0 : -1;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *limit)
{
	(void)condition;
	locks_wrong += *lock_of(mutex) != 1;
	until = *limit;
	if (++waits < settles_at)
		return 0;
	/* A wait that goes on after its time ends here, and is counted. */
	context->settled = settles_at || waits > 1;
	context->tracing = settles_at != 0;
	return settles_at ? 0 : ETIMEDOUT;
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

	threads = joins = waits = pipes = dups = wrong_closes = 0;
	memset(&until, 0, sizeof(until));
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
