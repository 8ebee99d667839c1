/*
 * short.h - a host that is short of memory, descriptors or threads when it is
 * asked to be, for programs of several threads.
 */
#ifndef UNIT_KIT_SHORT_H
#define UNIT_KIT_SHORT_H

#include "host/host.h"
#include "kit/limits.h"

static struct tr2_host host;
static const struct tr2_host *usual;
static int fails_at; /* that call for memory; atomic */

static inline void *fail_realloc(void *old, size_t size)
{
	int left = __atomic_load_n(&fails_at, __ATOMIC_ACQUIRE);

	if (left && !__atomic_sub_fetch(&fails_at, 1, __ATOMIC_ACQ_REL))
		return NULL;
	return usual->realloc(old, size);
}

/* The call for memory fails, and no other. */
static inline void fail_from(int call)
{
	__atomic_store_n(&fails_at, call, __ATOMIC_RELEASE);
}

/* Has it, since? */
static inline int has_failed(void)
{
	return !__atomic_load_n(&fails_at, __ATOMIC_ACQUIRE);
}

static inline void short_install(void)
{
	usual = tr2_host;
	host = *usual;
	host.realloc = fail_realloc;
	tr2_host = &host;
}

#endif
