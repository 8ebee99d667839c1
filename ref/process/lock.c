/*
 * The lock `threads`. Who has it is not interrupted by a signal, is not
 * cancelled, opens and reads nothing, and has memory of the library's own
 * (host/heap.h), so nobody waits for long; only a fork has it longer.
 */
#include "process/process.h"

#include "host/wait.h"

/*
 * A handler of SIGSEGV that another process has sent may exit from here: it
 * does not wait for its own thread.
 */
static __thread int is_held __attribute__((tls_model("initial-exec")));

int tr2_lock_threads(struct tr2_hold *hold)
{
	tr2_hold_begin_all(hold);
	if (!is_held &&
	    tr2_wait_lock(&tr2_process.threads_lock, &tr2_process.forking,
			  &tr2_process.waited_ns)) {
		is_held = 1;
		return 1;
	}
	tr2_hold_end(hold, 0, 0);
	return 0;
}

void tr2_unlock_threads(const struct tr2_hold *hold)
{
	is_held = 0;
	pthread_mutex_unlock(&tr2_process.threads_lock);
	tr2_hold_end(hold, 0, 0);
}
