/*
 * wait.h - how long slow readers may delay the host: 100 ms in the process's
 * lifetime, for all destinations and threads together.
 * SPEC: failure.wait-limit
 *
 * `waited_ns` is the process's account and is atomic; NULL means that no
 * waiting is allowed.
 */
#ifndef TR2_HOST_WAIT_H
#define TR2_HOST_WAIT_H

#include <pthread.h>
#include <stdint.h>

#define TR2_WAIT_LIMIT_NS 100000000u

/*
 * Wait for a moment, or until `fd` may accept bytes again. 1: try again; 0:
 * the account is empty, and errno is unchanged. A signal handler may use it.
 */
int tr2_wait_writable(uint64_t *waited_ns, int fd);

/* Wait for a moment without a descriptor to poll. Result as above. */
int tr2_wait_moment(uint64_t *waited_ns);

/*
 * Wait a little for another thread to give back its turn; `tries` counts from
 * 0. Returns 0 after about 200 ms: it may never do so. A signal handler may
 * use it.
 */
int tr2_wait_turn(unsigned tries);

/*
 * Take the lock: 1, or 0 if a fork (*forking is not 0, which is atomic) has it
 * for longer than the account allows. The thread that forks may wait for what
 * the caller's own thread has: a signal may have interrupted malloc(3).
 */
int tr2_wait_lock(pthread_mutex_t *lock, const int *forking,
		  uint64_t *waited_ns);

#endif
