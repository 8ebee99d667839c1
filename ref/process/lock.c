/*
 * The locks `settings` and `threads`. Who has one is not interrupted by a
 * signal, is not cancelled, and asks the host for nothing, so nobody waits
 * for long; only a fork has them longer.
 */
#include "process/process.h"

#include "host/wait.h"

int tr2_lock(pthread_mutex_t *lock, struct tr2_hold *hold)
{
	tr2_hold_begin_all(hold);
	if (tr2_wait_lock(lock, &tr2_process.forking, &tr2_process.waited_ns))
		return 1;
	tr2_hold_end(hold, 0, 0);
	return 0;
}

void tr2_unlock(pthread_mutex_t *lock, const struct tr2_hold *hold)
{
	pthread_mutex_unlock(lock);
	tr2_hold_end(hold, 0, 0);
}
