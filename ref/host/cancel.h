/*
 * cancel.h - a thread that its host cancels ends in the host's code.
 *
 * If it ended inside of the library, it would keep a lock, leave a descriptor
 * open, or break off an exit. The system cancels a thread only in calls that
 * may wait or open something, so the way of an event to a file needs no
 * protection (see tr2_host_write()): everything else that waits, opens, or
 * holds a lock meanwhile lies between these calls. They may be nested.
 */
#ifndef TR2_HOST_CANCEL_H
#define TR2_HOST_CANCEL_H

#include <pthread.h>

/* Returns what tr2_cancel_allow() needs. Async-signal-safe, as is the other. */
static inline int tr2_cancel_forbid(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

static inline void tr2_cancel_allow(int state)
{
	pthread_setcancelstate(state, NULL);
}

/* The same, with a lock that is held between the two. */
static inline int tr2_cancel_lock(pthread_mutex_t *lock)
{
	const int state = tr2_cancel_forbid();

	pthread_mutex_lock(lock);
	return state;
}

static inline void tr2_cancel_unlock(pthread_mutex_t *lock, int state)
{
	pthread_mutex_unlock(lock);
	tr2_cancel_allow(state);
}

#endif
