/* pthread.h - one thread. */
#pragma once
#include <sys/types.h>

#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *done, void (*work)(void))
{
	if (!*done)
		work();
	return *done = 1, 0;
}
