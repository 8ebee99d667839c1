#include "trace/engine/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "host/cancel.h"
#include "host/gate.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"
#include "descriptor/wake_pipe.h"
#include "trace/engine/last.h"

struct entry {
	struct trace_loop_watch *watch;
	const void *asked; /* the caller's watch while it waits */
	uint64_t since;	   /* when it was added or last woken, ms */
	uint64_t waited;   /* for how long poll(2) has waited since then, ms */
};

struct trace_loop {
	pthread_mutex_t lock; /* protects the rest, except as noted */
	pthread_cond_t woken;
	struct entry entry[TRACE_LOOP_WATCHES]; /* free if it has no watch */
	struct trace_loop_watch *current;	/* being woken */
	pthread_t runner;			/* on this thread */
	int quits;
	int has_begun;
	struct tr2_loop_waiter *waiters;
	struct tr2_loop_waiter *beginning; /* on the thread `beginner` */
	pthread_t beginner;
	struct tr2_wake_pipe nudge; /* makes the runner check again */
	/* Only the thread that starts and ends it uses it. */
	pthread_t thread;
	uint32_t
		thread_in; /* tr2_generation() of the process that has it; 0: none */
	uint32_t home; /* atomic: of the one that made the loop, or runs it */
};

struct trace_loop *trace_loop_create(void)
{
	struct trace_loop *loop = tr2_host->realloc(NULL, sizeof(*loop));
	int error = errno;

	if (!loop)
		return NULL;
	memset(loop, 0, sizeof(*loop));
	if (tr2_wake_pipe_open(&loop->nudge)) {
		tr2_host->free(loop);
		loop = NULL;
	} else {
		loop->home = tr2_generation();
		pthread_mutex_init(&loop->lock, NULL);
		pthread_cond_init(&loop->woken, NULL);
	}
	errno = error;
	return loop;
}

/* Make the runner check again. If the pipe is full, it does so anyway. */
static void nudge_runner(struct trace_loop *loop)
{
	tr2_wake_pipe_put(&loop->nudge, "", 1);
}

/* Running. The lock is not held while the loop waits or wakes a watch. */

static uint64_t now_ms(void)
{
	return tr2_host->mono_ns() / 1000000;
}

/*
 * Returns when the watch is due, in ms from now; -1: never. The clock may
 * stand still, so the time that poll(2) has waited counts as well.
 */
static int due_in(const struct entry *entry, uint64_t now)
{
	const uint64_t wait = (uint64_t)entry->watch->wait_ms;
	uint64_t passed = now - entry->since;

	if (entry->watch->wait_ms < 0)
		return -1;
	if (passed < entry->waited)
		passed = entry->waited;
	return wait > passed ? (int)(wait - passed) : 0;
}

/*
 * Collect what to wait for: an array with an element for each entry, and one
 * for the nudge.
 */
static int prepare_polls(struct trace_loop *loop, struct pollfd *wanted)
{
	uint64_t now = now_ms();
	int i, due, wait = -1;

	for (i = 0; i < TRACE_LOOP_WATCHES; i++) {
		struct entry *entry = &loop->entry[i];

		wanted[i] = (struct pollfd){ .fd = -1 };
		entry->asked = entry->watch;
		if (!entry->watch)
			continue;
		wanted[i].fd = entry->watch->fd;
		wanted[i].events = entry->watch->events;
		due = due_in(entry, now);
		if (due >= 0 && (wait < 0 || due < wait))
			wait = due;
	}
	wanted[i] = (struct pollfd){
		.fd = loop->nudge.reader.fd,
		.events = POLLIN,
	};
	return tr2_wake_pipe_limit(&loop->nudge, wait);
}

static void wake_watch(struct trace_loop *loop, struct entry *entry,
		       short ready)
{
	struct trace_loop_watch *watch = entry->watch;

	entry->since = now_ms();
	entry->waited = 0;
	if (ready & POLLNVAL)
		watch->fd = -1;
	loop->current = watch;
	pthread_mutex_unlock(&loop->lock);
	watch->wake(watch, ready);
	pthread_mutex_lock(&loop->lock);
	loop->current = NULL;
	pthread_cond_broadcast(&loop->woken);
}

/* A wait of `waited` ms has passed, or 0 if something ended it. */
static void wake_ready(struct trace_loop *loop, const struct pollfd *got,
		       int waited)
{
	uint64_t now = now_ms();

	for (int i = 0; i < TRACE_LOOP_WATCHES; i++) {
		struct entry *entry = &loop->entry[i];

		if (!entry->watch || entry->watch != entry->asked)
			continue;
		entry->waited += (uint64_t)waited;
		if (got[i].revents || due_in(entry, now) == 0)
			wake_watch(loop, entry, got[i].revents);
	}
}

static void run_turn(struct trace_loop *loop)
{
	struct pollfd wanted[TRACE_LOOP_WATCHES + 1];
	const struct pollfd *nudged = &wanted[TRACE_LOOP_WATCHES];
	int wait = prepare_polls(loop, wanted), ready;
	char nudges[64];

	pthread_mutex_unlock(&loop->lock);
	ready = poll(wanted, TRACE_LOOP_WATCHES + 1, wait);
	if (ready <= 0)
		memset(wanted, 0, sizeof(wanted));
	while (nudged->revents &&
	       tr2_wake_pipe_take(&loop->nudge, nudges, 64) == 64)
		;
	pthread_mutex_lock(&loop->lock);
	wake_ready(loop, wanted, ready ? 0 : wait);
}

/*
 * Those who wait until it begins
 */

static struct tr2_loop_waiter *take_waiter(struct trace_loop *loop)
{
	struct tr2_loop_waiter *waiter = loop->waiters;

	if (waiter)
		loop->waiters = waiter->next;
	return waiter;
}

static void begin_waiters(struct trace_loop *loop)
{
	struct tr2_loop_waiter *waiter;

	pthread_mutex_lock(&loop->lock);
	loop->has_begun = 1;
	while (!loop->beginning && (waiter = take_waiter(loop)) != NULL) {
		loop->beginning = waiter;
		loop->beginner = pthread_self();
		pthread_mutex_unlock(&loop->lock);
		waiter->begin(waiter);
		pthread_mutex_lock(&loop->lock);
		waiter->loop = NULL;
		loop->beginning = NULL;
		pthread_cond_broadcast(&loop->woken);
	}
	pthread_mutex_unlock(&loop->lock);
}

int tr2_loop_await(struct trace_loop *loop, struct tr2_loop_waiter *waiter)
{
	int waits;

	pthread_mutex_lock(&loop->lock);
	waits = !loop->has_begun;
	if (waits) {
		waiter->loop = loop;
		waiter->next = loop->waiters;
		loop->waiters = waiter;
	}
	pthread_mutex_unlock(&loop->lock);
	return waits;
}

void tr2_loop_leave(struct tr2_loop_waiter *waiter)
{
	struct trace_loop *loop = waiter->loop;
	struct tr2_loop_waiter **at;

	if (!loop)
		return;
	pthread_mutex_lock(&loop->lock);
	for (at = &loop->waiters; *at && *at != waiter; at = &(*at)->next)
		;
	if (*at)
		*at = waiter->next;
	while (loop->beginning == waiter &&
	       !pthread_equal(loop->beginner, pthread_self()))
		pthread_cond_wait(&loop->woken, &loop->lock);
	waiter->loop = NULL;
	pthread_mutex_unlock(&loop->lock);
}

void trace_loop_run(struct trace_loop *loop)
{
	int error = errno;

	begin_waiters(loop);
	pthread_mutex_lock(&loop->lock);
	loop->runner = pthread_self();
	__atomic_store_n(&loop->home, tr2_generation(), __ATOMIC_RELAXED);
	while (!loop->quits)
		run_turn(loop);
	pthread_mutex_unlock(&loop->lock);
	errno = error;
}

void trace_loop_quit(struct trace_loop *loop)
{
	pthread_mutex_lock(&loop->lock);
	loop->quits = 1;
	pthread_mutex_unlock(&loop->lock);
	nudge_runner(loop);
}

/*
 * The thread
 */

static void *run_thread(void *loop)
{
	trace_loop_run(loop);
	return NULL;
}

static void *run_own_thread(void *loop)
{
	tr2_gates |= TR2_GATE_OWN;
	run_thread(loop);
	tr2_last_leave();
	return NULL;
}

static int start_loop_thread(struct trace_loop *loop, const char *name,
			     void *(*function)(void *))
{
	sigset_t every, old;
	int error;

	if (loop->thread_in)
		return EBUSY;
	tr2_host_stay();
	begin_waiters(loop);
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	error = pthread_create(&loop->thread, NULL, function, loop);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		return error;
	loop->thread_in = tr2_generation();
	if (name)
		tr2_host_name_thread(loop->thread, name);
	return 0;
}

int trace_loop_start_thread(struct trace_loop *loop, const char *name)
{
	return start_loop_thread(loop, name, run_thread);
}

int tr2_loop_start_own_thread(struct trace_loop *loop, const char *name)
{
	return start_loop_thread(loop, name, run_own_thread);
}

void trace_loop_shutdown(struct trace_loop *loop)
{
	int cancel;

	if (__atomic_load_n(&loop->home, __ATOMIC_RELAXED) !=
		    tr2_generation() &&
	    loop->thread_in != tr2_generation()) {
		/* Its threads, and who holds the lock, are in the parent. */
		loop->quits = 1;
		tr2_wake_pipe_close(&loop->nudge);
		return;
	}
	trace_loop_quit(loop);
	cancel = tr2_cancel_forbid();
	if (loop->thread_in && !pthread_equal(loop->thread, pthread_self()))
		pthread_join(loop->thread, NULL);
	loop->thread_in = 0;
	tr2_cancel_allow(cancel);
}

void trace_loop_destroy(struct trace_loop *loop)
{
	struct tr2_loop_waiter *waiter;

	if (!loop)
		return;
	trace_loop_shutdown(loop);
	while ((waiter = take_waiter(loop)) != NULL)
		waiter->loop = NULL;
	tr2_wake_pipe_close(&loop->nudge);
	tr2_host->free(loop);
}

/*
 * Watches
 */

static struct entry *find_entry(struct trace_loop *loop,
				const struct trace_loop_watch *watch)
{
	for (int i = 0; i < TRACE_LOOP_WATCHES; i++)
		if (loop->entry[i].watch == watch)
			return &loop->entry[i];
	return NULL;
}

int trace_loop_watch(struct trace_loop *loop, struct trace_loop_watch *watch)
{
	struct entry *entry;

	pthread_mutex_lock(&loop->lock);
	entry = find_entry(loop, NULL);
	if (entry) {
		entry->watch = watch;
		entry->since = now_ms();
		entry->waited = 0;
	}
	pthread_mutex_unlock(&loop->lock);
	nudge_runner(loop);
	return entry ? 0 : ENOSPC;
}

void trace_loop_unwatch(struct trace_loop *loop, struct trace_loop_watch *watch)
{
	const int cancel = tr2_cancel_lock(&loop->lock);
	struct entry *entry;

	entry = find_entry(loop, watch);
	if (entry)
		entry->watch = NULL;
	while (loop->current == watch &&
	       !pthread_equal(loop->runner, pthread_self()))
		pthread_cond_wait(&loop->woken, &loop->lock);
	tr2_cancel_unlock(&loop->lock, cancel);
	nudge_runner(loop);
}
