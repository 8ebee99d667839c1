#include "trace/engine/last.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/gate.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"

/* The largest time between two looks. */
#define PAUSE_MS 1000

/* The pause after which other copies have looked, too. */
#define COPIES_MS 30

/*
 * Members are atomic, and a forked child has none of its parent's: processes
 * are told apart by tr2_generation().
 */
static struct {
	uint64_t helpers;    /* process << 32 | changes << 16 | threads */
	uint32_t watched_in; /* the process whose first thread is watched */
	const int *end;	     /* not atomic: set before watched_in */
	uint32_t looking_in; /* the process that may be without a thread */
	uint32_t others_in;  /* the one whose first thread others outlive */
	uint32_t ending_in;  /* the process that somebody ends */
	uint32_t left_in;    /* the one that may end with a helper */
	int waited_ms;	     /* since the last look */
	int pause_ms;	     /* before the next one */
	uint32_t masked_in;  /* the process whose first thread had `mask` */
	sigset_t mask;	     /* not atomic */
} last;

static pthread_key_t at_thread_exit;
static int has_key;

static void note_end(void *unused)
{
	(void)unused;
	tr2_last_note_end();
}

static void make_key(void)
{
	tr2_host_stay();
	has_key = !tr2_host_key_create(&at_thread_exit, note_end);
}

static int is_here(const uint32_t *process)
{
	return __atomic_load_n(process, __ATOMIC_ACQUIRE) == tr2_generation();
}

static void set_here(uint32_t *process)
{
	__atomic_store_n(process, tr2_generation(), __ATOMIC_RELEASE);
}

static void begin_looking(void)
{
	set_here(&last.looking_in);
	__atomic_store_n(&last.pause_ms, 0, __ATOMIC_RELAXED);
}

void tr2_last_watch(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	if (!has_key || tr2_host_key_set(at_thread_exit, &last) ||
	    !tr2_host_is_first_thread() || is_here(&last.watched_in))
		return;
	last.end = tr2_host_find_end();
	set_here(&last.watched_in);
	if (!last.end)
		begin_looking();
}

/*
 * The program's exit functions run with the first thread's mask, which may
 * still end the process by a signal that waits.
 */
static void keep_mask(void)
{
	if (is_here(&last.masked_in))
		return;
	pthread_sigmask(SIG_BLOCK, NULL, &last.mask);
	set_here(&last.masked_in);
}

void tr2_last_note_end(void)
{
	const int error = errno, is_first = tr2_host_is_first_thread();

	if (is_first)
		keep_mask();
	if (is_first || !is_here(&last.watched_in))
		begin_looking();
	else
		__atomic_store_n(&last.pause_ms, 0, __ATOMIC_RELAXED);
	errno = error;
}

static void change_helpers(int threads)
{
	const uint64_t here = (uint64_t)tr2_generation() << 32;
	uint64_t before = __atomic_load_n(&last.helpers, __ATOMIC_RELAXED);
	uint64_t after;
	uint32_t low;

	do {
		low = before >> 32 == here >> 32 ? (uint32_t)before : 0;
		after = here | ((low + 0x10000) & 0xffff0000) |
			((low + (uint32_t)threads) & 0xffff);
	} while (!__atomic_compare_exchange_n(&last.helpers, &before, after, 0,
					      __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
}

void tr2_last_add_helper(void)
{
	change_helpers(1);
}

void tr2_last_remove_helper(void)
{
	change_helpers(-1);
}

/*
 * A thread that ends by the system call, past the C library, notes no end. Who
 * takes another thread's end for this one only looks too often.
 */
static int has_first_ended(void)
{
	return is_here(&last.masked_in) ||
	       (is_here(&last.watched_in) && last.end &&
		!__atomic_load_n(last.end, __ATOMIC_RELAXED));
}

static int is_due(int waited_ms)
{
	int pause_ms;

	if (!is_here(&last.looking_in)) {
		if (!has_first_ended())
			return 0;
		begin_looking();
	}
	pause_ms = __atomic_load_n(&last.pause_ms, __ATOMIC_RELAXED);
	if (__atomic_add_fetch(&last.waited_ms, waited_ms, __ATOMIC_RELAXED) <
	    pause_ms)
		return 0;
	__atomic_store_n(&last.waited_ms, 0, __ATOMIC_RELAXED);
	if (pause_ms < PAUSE_MS)
		__atomic_store_n(&last.pause_ms, 2 * pause_ms + 1,
				 __ATOMIC_RELAXED);
	return 1;
}

/*
 * What is counted as the library's exists. If another one begins or ends
 * meanwhile, a thread of the program's may have done that. Of several copies
 * of the library in a process the one with the oldest thread ends it.
 */
static int is_alone(uint64_t helpers, int threads)
{
	const int own = (int)(helpers & 0xffff);

	if (threads > own && tr2_host_count_helpers() != threads) {
		set_here(&last.others_in);
		return 0;
	}
	if (threads > own &&
	    __atomic_load_n(&last.pause_ms, __ATOMIC_RELAXED) < COPIES_MS)
		return 0;
	return helpers >> 32 == tr2_generation() && threads >= own &&
	       __atomic_load_n(&last.helpers, __ATOMIC_ACQUIRE) == helpers;
}

/*
 * The first thread ended by the system call, as the only thread of a program
 * may that has no exit functions to run: a child of fork(2), such as that of a
 * sandbox. So none runs here either.
 */
static int ended_by_call(void)
{
	return is_here(&last.watched_in) && !is_here(&last.masked_in);
}

/* The program's exit functions may trace, and the handlers that run at once. */
static void become_the_hosts(void)
{
	tr2_gate_open(TR2_GATE_OWN);
	if (is_here(&last.masked_in))
		pthread_sigmask(SIG_SETMASK, &last.mask, NULL);
}

/* The code is that of the thread that ended last. */
static void end_process(int code)
{
	const uint32_t here = tr2_generation();

	if (__atomic_exchange_n(&last.ending_in, here, __ATOMIC_ACQ_REL) ==
	    here)
		return;
	if (code || ended_by_call())
		_exit(is_here(&last.others_in) ? 0 : code);
	become_the_hosts();
	exit(0);
}

int tr2_last_look(int waited_ms, void (*finish)(void))
{
	const uint64_t helpers =
		__atomic_load_n(&last.helpers, __ATOMIC_ACQUIRE);
	int code = 0, threads;

	/* exit(0) is for the program's C library, or a copy not apart. */
	if (!is_due(waited_ms) || (tr2_host_is_apart() && !ended_by_call()))
		return 0;
	threads = tr2_host_count_after_first(&code);
	if (finish && (code || (ended_by_call() && has_first_ended())))
		finish();
	if (is_alone(helpers, threads))
		end_process(code);
	if (threads != TR2_NOTHING_TELLS || !has_first_ended())
		return 0;
	set_here(&last.left_in);
	return 1;
}

void tr2_last_leave(void)
{
	if (is_here(&last.left_in))
		become_the_hosts();
}
