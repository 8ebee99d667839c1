/*
 * place.h - where test-tool makes a call of the table.
 *
 * t/kit/drivers calls the macros of trace2.h, as any program does. For
 * test-tool it is built with a copy of this header, which verbs.mk makes: its
 * macros move the fake clock, and show PLACE instead of the source's own place.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stddef.h>

#include "tool/fake/host.h"

struct call_place {
	size_t begin; /* in the table, where what has this place begins */
	const char *file;
	int line;
};

/* Of the call that the thread performs. */
extern _Thread_local const struct call_place *call_place;

#define PLACE call_place->file, call_place->line

#endif
