/*
 * passed.h - sockets that systemd passes to the service (LISTEN_FDS): it makes
 * them before the service runs, so that no event is lost meanwhile.
 */
#ifndef TR2_COLLECT_PASSED_H
#define TR2_COLLECT_PASSED_H

#include "collect/options.h"

/*
 * Returns how many descriptors this process was passed, but no more than one
 * beyond those that it can use.
 */
unsigned tr2_passed_count(void);

/*
 * Use the sockets that were passed. One that has the path of a socket of the
 * options takes its place. 0, or COLLECT_FAILED after a message.
 */
int tr2_passed_take(struct tr2_collect_options *options);

#endif
