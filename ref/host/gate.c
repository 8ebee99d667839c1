#include "host/gate.h"

#include <sched.h>

__thread unsigned tr2_gates __attribute__((tls_model("initial-exec")));

#define RENEWING (UINT32_C(1) << 31)

void tr2_gate_give(struct tr2_gate_lock *lock, uint32_t process)
{
	static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
	uint32_t home = __atomic_load_n(&lock->home, __ATOMIC_ACQUIRE);

	while (home != process) {
		if (home == (process | RENEWING)) { /* another thread does it */
			sched_yield();
			home = __atomic_load_n(&lock->home, __ATOMIC_ACQUIRE);
		} else if (__atomic_compare_exchange_n(
				   &lock->home, &home, process | RENEWING, 0,
				   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			lock->mutex = fresh;
			if (home && lock->forget)
				lock->forget();
			__atomic_store_n(&lock->home, process,
					 __ATOMIC_RELEASE);
			return;
		}
	}
}
