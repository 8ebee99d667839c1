/* leak_kit.h - does a part of the room keep memory each time it runs? */
#ifndef UNIT_SUMMARY_LEAK_KIT_H
#define UNIT_SUMMARY_LEAK_KIT_H

#include "kit/validate.h"

/* First the allocator gives away the blocks that it kept for itself. */
static inline bool leaks_memory(void (*run)(void))
{
	int i;

	for (i = 0; i < 20; i++)
		run();
	return kit_leaks_each_time(run);
}

#endif
