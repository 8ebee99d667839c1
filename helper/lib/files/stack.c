#include "lib/files/stack.h"

#include <stdio.h>
#include <sys/resource.h>

#define LEAST ((rlim_t)128 << 10)

bool tr2_stack_is_enough(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= LEAST)
		return true;
	fprintf(stderr,
		"trace2: the limit of the stack (ulimit -s) is %lu KiB; at "
		"least 128 KiB are needed\n",
		(unsigned long)(limit.rlim_cur >> 10));
	return false;
}
