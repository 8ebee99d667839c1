/*
 * limits.h - what the system allows the present process, for a while: files
 * of few bytes, as if the disk were full, few descriptors, no threads. A
 * program that limits threads defines _GNU_SOURCE.
 */
#ifndef UNIT_KIT_LIMITS_H
#define UNIT_KIT_LIMITS_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

/* No file gets longer than this. */
static inline void limit_disk(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static inline void free_disk(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* Descriptors are below this one; 0: as many as there may be. */
static inline void limit_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count ? count : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Who is killed leaves no core behind. */
static inline void limit_cores(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
}

#ifdef _GNU_SOURCE
/* No room for a stack that is as large as all. */
static inline void limit_threads(int are_limited)
{
	static const size_t sizes[] = { (size_t)8 << 20, (size_t)1 << 46 };
	pthread_attr_t wanted;

	pthread_attr_init(&wanted);
	pthread_attr_setstacksize(&wanted, sizes[are_limited]);
	pthread_setattr_default_np(&wanted);
	pthread_attr_destroy(&wanted);
}
#endif

#endif
