#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"

/*
 * Each part of the library that has work to do at exit has a slot and
 * registers with the system once. The system calls exit functions in reverse
 * order, so each call that reaches us runs the last slot that has not run
 * yet. Members are atomic, because parts start under locks of their own.
 */
#define EXIT_FNS 8

static void (*exit_fns[EXIT_FNS])(int code);
static unsigned exit_fns_used;

/*
 * Returns the slot's number, or -1. A slot that the system refuses stays
 * empty.
 */
static int take_exit_slot(void (*fn)(int code))
{
	unsigned used = __atomic_fetch_add(&exit_fns_used, 1, __ATOMIC_RELAXED);

	if (used >= EXIT_FNS) {
		__atomic_fetch_sub(&exit_fns_used, 1, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return -1;
	}
	__atomic_store_n(&exit_fns[used], fn, __ATOMIC_RELEASE);
	return (int)used;
}

/*
 * Two threads may call exit(3) at once, or a signal may hit one. While one of
 * them runs an exit function, the other one must not end the process: it
 * waits, about a second at most.
 */
#define OTHER_STEP_NS 1000000

static struct {
	int threads;   /* atomic: so many run an exit function */
	uint32_t home; /* atomic: the process that they are of */
	int steps;     /* atomic: so often another one may still wait */
} ending = { .steps = 1000 };

static __thread int is_ending __attribute__((tls_model("initial-exec")));

static int has_exit_fn(void)
{
	size_t i = 0;

	while (i < EXIT_FNS && !__atomic_load_n(&exit_fns[i], __ATOMIC_ACQUIRE))
		i++;
	return i < EXIT_FNS;
}

static int may_wait(void)
{
	return !is_ending &&
	       __atomic_load_n(&ending.threads, __ATOMIC_ACQUIRE) &&
	       __atomic_load_n(&ending.home, __ATOMIC_ACQUIRE) ==
		       tr2_generation() &&
	       __atomic_load_n(&ending.steps, __ATOMIC_RELAXED) > 0;
}

void tr2_host_await_exit(void)
{
	const struct timespec step = { 0, OTHER_STEP_NS };

	while (may_wait()) {
		__atomic_sub_fetch(&ending.steps, 1, __ATOMIC_RELAXED);
		nanosleep(&step, NULL);
	}
}

static void run_last_exit_fn(int code)
{
	const int was_ending = is_ending;
	void (*fn)(int code) = NULL;
	size_t i = EXIT_FNS;

	is_ending = 1;
	__atomic_store_n(&ending.home, tr2_generation(), __ATOMIC_RELEASE);
	__atomic_add_fetch(&ending.threads, 1, __ATOMIC_ACQ_REL);
	while (i-- && !fn)
		fn = __atomic_exchange_n(&exit_fns[i], NULL, __ATOMIC_ACQ_REL);
	if (fn)
		fn(code);
	__atomic_sub_fetch(&ending.threads, 1, __ATOMIC_ACQ_REL);
	is_ending = was_ending;
}

/*
 * Who comes meanwhile finds one more function, in which it waits. Without such
 * a thread this one comes to it, before the program's that are still to come.
 */
static int extras; /* atomic */

static int take_extra(void)
{
	int left = __atomic_load_n(&extras, __ATOMIC_ACQUIRE);

	while (left &&
	       !__atomic_compare_exchange_n(&extras, &left, left - 1, 0,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return left;
}

static void run_or_wait(int code)
{
	const int has_fn = !take_extra() && has_exit_fn();

	if (!has_fn && !may_wait())
		return;
	__atomic_add_fetch(&extras, 1, __ATOMIC_ACQ_REL);
	if (tr2_host_ask_exit(run_or_wait))
		take_extra();
	tr2_host_await_exit();
	if (has_fn)
		run_last_exit_fn(code);
}

static void prepare_exit(void)
{
	static int is_asked; /* atomic */

	tr2_host_stay();
	if (!__atomic_exchange_n(&is_asked, 1, __ATOMIC_RELAXED))
		tr2_host_ask_exit(run_or_wait);
}

int tr2_host_at_exit(void (*fn)(int code))
{
	int slot = take_exit_slot(fn);

	if (slot < 0)
		return -1;
	prepare_exit();
	if (!tr2_host_ask_exit(run_or_wait))
		return 0;
	__atomic_store_n(&exit_fns[slot], NULL, __ATOMIC_RELEASE);
	return -1;
}
