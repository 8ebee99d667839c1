/*
 * locks.h - locks for one thread, which notice what is wrong.
 */
#ifndef UNIT_KIT_LOCKS_H
#define UNIT_KIT_LOCKS_H

#include <errno.h>
#include <pthread.h>

static int locks_wrong; /* taken twice, or given up twice */

static int *lock_of(pthread_mutex_t *mutex)
{
	return (int *)(void *)mutex;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	locks_wrong += *lock_of(mutex) != 0;
	*lock_of(mutex) = 1;
	return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (*lock_of(mutex))
		return EBUSY;
	*lock_of(mutex) = 1;
	return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	locks_wrong += *lock_of(mutex) != 1;
	*lock_of(mutex) = 0;
	return 0;
}

#endif
