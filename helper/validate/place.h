/*
 * place.h - threads that begin at once.
 */
#ifndef TR2_VALIDATE_PLACE_H
#define TR2_VALIDATE_PLACE_H

#include <pthread.h>

/*
 * pthread_create() without attributes. Linux often puts a new thread behind
 * the one that makes it and goes on: there it waits for milliseconds while
 * another processor is idle. Here it begins on another one, if there is one
 * that it may use; where it goes then is left to the system.
 */
int tr2_place_thread(pthread_t *thread, void *(*run)(void *), void *context);

#endif
