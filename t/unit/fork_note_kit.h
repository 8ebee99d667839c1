/* fork_note_kit.h - what is to be done in a forked child, for a test to do. */
#ifndef FORK_NOTE_KIT_H
#define FORK_NOTE_KIT_H

#include <pthread.h>

#include "note_kit.h"

static void (*in_child)(void);

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	if (prepare || parent)
		note("more than a child; ");
	in_child = child;
	return 0;
}

#endif
