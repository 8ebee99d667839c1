/* An object for LD_AUDIT that traces what the linker tells it. */
#define _GNU_SOURCE
#include <link.h>

#include "trace2.h"

unsigned int la_version(unsigned int version)
{
	trace2_initialize();
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

void la_activity(uintptr_t *cookie, unsigned int flag)
{
	(void)cookie;
	trace2_printf("activity %u", flag);
}

char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag)
{
	(void)cookie;
	(void)flag;
	trace2_printf("search");
	return (char *)(uintptr_t)name;
}
