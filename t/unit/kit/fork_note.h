/* fork_note.h - what is to be done in a forked child, for a test to do. */
#ifndef UNIT_KIT_FORK_NOTE_H
#define UNIT_KIT_FORK_NOTE_H

#include <pthread.h>

#include "kit/note.h"

static void (*in_child)(void);

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	if (prepare || parent)
		add_note("more than a child; ");
	in_child = child;
	return 0;
}

#endif
