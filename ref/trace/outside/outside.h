/*
 * outside.h - tracing that the environment asks for. A constructor of the
 * library reads the variables before the program's own code runs, so that
 * also a program that only has trace points is traced.
 *
 *	TRACE_EVENT_CATEGORIES --> a client of the agent, with its own file
 *	TRACE_MANAGER	       --> a provider, until the program makes one
 *
 * A forked child gets both anew, from the handler of fork(2), so this room
 * must have registered its handler after those of the rooms below it.
 *
 * If the variables are not set, nothing is allocated, started or registered.
 * In a set-user-ID program they count as not set.
 * SPEC: chapter tracing.outside.*
 */
#ifndef TR2_TRACE_OUTSIDE_OUTSIDE_H
#define TR2_TRACE_OUTSIDE_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#define TR2_OUTSIDE_CATEGORIES "TRACE_EVENT_CATEGORIES"

/* Do what the variables ask for. The constructor calls it; keeps errno. */
void tr2_outside_begin(void);

/* Is there a file for this process? Then the agent owns the engine. */
bool tr2_outside_has_file(void);

/* Returns how many of its events this file has lost. */
uint64_t tr2_outside_count_lost(void);

/* Give up the provider, unless the program has taken it over. */
void tr2_outside_yield(void);

/* For the constructor: the answers to these three. */
void tr2_outside_note_file(bool there);
void tr2_outside_note_lost(const uint64_t *lost);
void tr2_outside_note_provider(void (*end)(void));

#endif
