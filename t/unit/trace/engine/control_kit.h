/*
 * control_kit.h - the engine with replacements for what it calls: locks,
 * sleeps that take no time, forks that do not fork.
 */
#ifndef UNIT_TRACE_ENGINE_CONTROL_KIT_H
#define UNIT_TRACE_ENGINE_CONTROL_KIT_H

#include <errno.h>
#include <time.h>

#include "host/generation.h"
#include "kit/locks.h"
#include "kit/trace/trace_words.h"

/*
 * Sleeps. After some time the writer that is inside a record leaves it.
 */

static uint64_t slept, leaves_at;
static int slept_cancellable; /* it could have been cancelled meanwhile */

static struct tr2_trace_writer *other; /* another thread's, inside a record */

static void leave_record(void)
{
	other->state = TR2_TRACE_NONE;
	tr2_trace_self = other;
}

/* Another thread enters a record; this one has not traced yet. */
static void enter_record(void)
{
	other = tr2_trace_self;
	other->state = TR2_TRACE_BUSY;
	tr2_trace_self = NULL;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	int cancel;

	(void)left;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_setcancelstate(cancel, NULL);
	slept_cancellable |= cancel == PTHREAD_CANCEL_ENABLE;
	slept += (uint64_t)wanted->tv_sec * 1000000000 +
		 (uint64_t)wanted->tv_nsec;
	if (leaves_at && slept >= leaves_at)
		leave_record();
	return 0;
}

/*
 * Forks
 */

static int fork_handlers, fork_handlers_fail;
static void (*run_in_child)(void);

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	fork_handlers++;
	run_in_child = child;
	return fork_handlers_fail ? ENOMEM : 0;
}

/*
 * Memory, and the CPU's counter, which does not serve
 */

static int pages_calls, pages_fail_at; /* that call fails, and all later ones */
static int ticks_asked;

static void *give_pages(size_t size)
{
	pages_calls++;
	return pages_fail_at && pages_calls >= pages_fail_at
		       ? NULL
		       : tr2_host_system.pages(size);
}

static int tell_ticks(void)
{
	ticks_asked++;
	return 0;
}

static void kit_begin_control(void)
{
	kit_begin_words();
	tr2_generation(); /* has a handler of its own */
	fork_handlers = 0;
	host.pages = give_pages;
	host.has_constant_ticks = tell_ticks;
}

/* A handler that wants to hear nothing. */
static struct trace_handler *deaf_handler(void)
{
	static const struct trace_handler_ops ops;
	static struct trace_handler deaf = { &ops };

	return &deaf;
}

/* One record, of two words. */
static void trace_one(void)
{
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
}

static void trace_many(int count)
{
	while (count--)
		trace_one();
}

#endif
