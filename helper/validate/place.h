/* place.h - start threads that begin at once. */
#ifndef TR2_VALIDATE_PLACE_H
#define TR2_VALIDATE_PLACE_H

#include <pthread.h>

/*
 * As pthread_create() without attributes. Linux often puts a new thread on
 * the processor of its creator, which goes on: there the new one waits for
 * milliseconds while another processor is idle. This function starts it on
 * another processor that it may use, if there is one; later the system may
 * move it.
 */
int tr2_place_thread(pthread_t *thread, void *(*run)(void *), void *context);

#endif
