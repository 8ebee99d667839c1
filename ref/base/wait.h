/*
 * wait.h - how long slow readers may hold a host up: 100 ms, all
 * destinations and threads of the process together, in its lifetime.
 * SPEC: failure.wait-limit
 *
 * `waited_ns` is the process's account, atomic; NULL means that there is
 * nothing to spend.
 */
#ifndef TR2_BASE_WAIT_H
#define TR2_BASE_WAIT_H

#include <stdint.h>

#define TR2_WAIT_LIMIT_NS 100000000u

/*
 * Wait until `fd` may take bytes again, or for a moment. 1: worth another
 * try; 0: the account is empty, errno is untouched. May be used in a
 * signal handler.
 */
int tr2_wait_writable(uint64_t *waited_ns, int fd);

/* Let a moment pass where there is nothing to poll. Result as above. */
int tr2_wait_moment(uint64_t *waited_ns);

#endif
