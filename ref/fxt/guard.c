#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fxt/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

struct guarded {
	uintptr_t start; /* atomic; 0: there is no mapping to guard */
	size_t size;	 /* atomic */
};

static struct {
	struct guarded ranges[TR2_FXT_GUARDED];
	void (*lost)(void);
	int is_installed;
	struct sigaction before; /* the host's action while ours is installed */
} guard;

/*
 * The start and size that a reader sees belong together, or there is no start.
 * What is before the start is further behind it than any size.
 */
static int is_in(const struct guarded *range, uintptr_t at)
{
	const uintptr_t start =
		__atomic_load_n(&range->start, __ATOMIC_ACQUIRE);

	return start &&
	       at - start < __atomic_load_n(&range->size, __ATOMIC_ACQUIRE);
}

/* Returns NULL if nobody guards this address. */
static const struct guarded *find_range(uintptr_t at)
{
	for (size_t i = 0; i < TR2_FXT_GUARDED; i++)
		if (is_in(&guard.ranges[i], at))
			return &guard.ranges[i];
	return NULL;
}

/*
 * Shared memory in place of the file: it needs nothing from the host's
 * limits.
 */
static int replace_mapping(const struct guarded *range)
{
	void *map = (void *)range->start;

	return mmap(map, range->size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
		    0) == map;
}

static int is_function(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/*
 * Do what the system would do for the host's handler. A fault that is ignored
 * kills, too.
 */
static void pass_on(int signo, siginfo_t *info, void *context)
{
	const struct sigaction before = guard.before;
	const int is_fault = info->si_code > 0;

	if (before.sa_handler == SIG_IGN && !is_fault)
		return;
	if (!is_function(&before)) {
		signal(signo, SIG_DFL);
		if (!is_fault)
			raise(signo);
		return; /* to the instruction, which faults again */
	}
	if ((unsigned)before.sa_flags & (unsigned)SA_RESETHAND) {
		signal(signo, SIG_DFL);
		guard.is_installed = 0;
	}
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(signo, info, context);
	else
		before.sa_handler(signo);
}

static void on_bus(int signo, siginfo_t *info, void *context)
{
	const int error = errno;
	const struct guarded *range = find_range((uintptr_t)info->si_addr);

	if (info->si_code > 0 && range && replace_mapping(range))
		guard.lost();
	else
		pass_on(signo, info, context);
	errno = error;
}

/*
 * The handler runs as the host's would: with the signals that it blocks, and
 * on its stack. Installed only once: a later handler may call ours, and ours
 * must not call it back.
 */
static void install_handler(void)
{
	const int kept = SA_ONSTACK | SA_NODEFER | SA_RESTART;
	struct sigaction action;

	sigaction(SIGBUS, NULL, &action);
	if (guard.is_installed && is_function(&action))
		return;
	guard.is_installed = 1;
	guard.before = action;
	action.sa_sigaction = on_bus;
	action.sa_flags = SA_SIGINFO;
	if (is_function(&guard.before))
		action.sa_flags |= guard.before.sa_flags & kept;
	else
		action.sa_flags |= SA_ONSTACK | SA_RESTART;
	sigaction(SIGBUS, &action, NULL);
}

void tr2_fxt_guard_add(size_t which, void *map, size_t size)
{
	struct guarded *range = &guard.ranges[which];

	__atomic_store_n(&range->size, size, __ATOMIC_RELEASE);
	__atomic_store_n(&range->start, (uintptr_t)map, __ATOMIC_RELEASE);
}

void tr2_fxt_guard_begin(void *map, size_t size, void (*lost)(void))
{
	guard.lost = lost;
	tr2_fxt_guard_add(0, map, size);
	install_handler();
	tr2_fxt_guard_thread();
}

void tr2_fxt_guard_widen(size_t size)
{
	size_t *now = &guard.ranges[0].size;
	size_t before = __atomic_load_n(now, __ATOMIC_ACQUIRE);

	while (before < size &&
	       !__atomic_compare_exchange_n(now, &before, size, 0,
					    __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		;
}

void tr2_fxt_guard_thread(void)
{
	sigset_t bus;

	sigemptyset(&bus);
	sigaddset(&bus, SIGBUS);
	pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
}

void tr2_fxt_guard_end(void)
{
	struct sigaction now;

	for (size_t i = 0; i < TR2_FXT_GUARDED; i++)
		__atomic_store_n(&guard.ranges[i].start, 0, __ATOMIC_RELEASE);
	sigaction(SIGBUS, NULL, &now);
	if (now.sa_sigaction != on_bus)
		return;
	sigaction(SIGBUS, &guard.before, NULL);
	guard.is_installed = 0;
}
