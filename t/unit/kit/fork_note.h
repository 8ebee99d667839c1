/* fork_note.h - what is to be done in a forked child, for a test to do. */
#ifndef UNIT_KIT_FORK_NOTE_H
#define UNIT_KIT_FORK_NOTE_H

#include <pthread.h>

#include "kit/note.h"

static void (*in_children[8])(void);
static unsigned in_child_count;

/* Do it, in the order of fork(2). */
static inline void in_child(void)
{
	for (unsigned i = 0; i < in_child_count; i++)
		in_children[i]();
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	if (prepare || parent)
		add_note("more than a child; ");
	if (child &&
	    in_child_count < sizeof(in_children) / sizeof(*in_children))
		in_children[in_child_count++] = child;
	return 0;
}

#endif
