#include "host/generation.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "host/system.h"

static uint32_t nothing; /* stays 0 */

uint32_t *tr2_generation_place = &nothing;

/* All atomic. */
static uint32_t *page;	    /* NULL: the system empties none */
static uint32_t newest = 1; /* a child inherits it */
static int is_prepared;
static pid_t pid; /* of the process with that number; 0: not known yet */

static uint32_t count_up(void)
{
	return __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
}

static uint32_t known;	/* the number that the process began with */
static uint32_t forked; /* atomic: the last process that fork(2) made */

/*
 * An emulator may accept the advice for the page and not follow it. Then the
 * child still has its parent's number here.
 */
static void count_child(void)
{
	uint32_t *place = __atomic_load_n(&page, __ATOMIC_ACQUIRE);
	uint32_t number = known;
	const uint32_t next = count_up();

	if (place)
		__atomic_compare_exchange_n(place, &number, next, 0,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	known = tr2_generation();
	__atomic_store_n(&forked, known, __ATOMIC_RELAXED);
	__atomic_store_n(&pid, getpid(), __ATOMIC_RELAXED);
}

int tr2_generation_is_forked(void)
{
	return __atomic_load_n(&forked, __ATOMIC_RELAXED) == tr2_generation();
}

/* A sandbox may refuse to tell the pid. */
int tr2_generation_is_guest(void)
{
	const int saved = errno;
	const pid_t now = getpid(); /* may be the host's own */

	tr2_generation();
	errno = saved;
	return now > 0 && now != __atomic_load_n(&pid, __ATOMIC_RELAXED);
}

/* Whoever asks meanwhile gets the same number from compare_pid(). */
static void prepare_page(void)
{
	uint32_t *made = tr2_host_wiped_page();

	tr2_host_at_fork(NULL, NULL, count_child);
	if (!made)
		return;
	known = *made = __atomic_load_n(&newest, __ATOMIC_RELAXED);
	__atomic_store_n(&pid, getpid(), __ATOMIC_RELAXED);
	__atomic_store_n(&page, made, __ATOMIC_RELEASE);
	__atomic_store_n(&tr2_generation_place, made, __ATOMIC_RELEASE);
}

/* As well as it can be told: by the pid and by the handler of fork(2). */
static uint32_t compare_pid(void)
{
	const pid_t now = getpid();
	const pid_t before = __atomic_exchange_n(&pid, now, __ATOMIC_RELAXED);

	if (before && before != now)
		count_up();
	return __atomic_load_n(&newest, __ATOMIC_RELAXED);
}

uint32_t tr2_generation_find(void)
{
	const int error = errno;
	uint32_t *place, number = 0, next;

	if (!__atomic_exchange_n(&is_prepared, 1, __ATOMIC_ACQ_REL))
		prepare_page();
	errno = error;
	place = __atomic_load_n(&page, __ATOMIC_ACQUIRE);
	if (!place)
		return compare_pid();
	next = count_up();
	if (!__atomic_compare_exchange_n(place, &number, next, 0,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return number;
	__atomic_store_n(&pid, getpid(), __ATOMIC_RELAXED);
	return next;
}
