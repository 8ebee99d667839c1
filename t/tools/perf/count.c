/*
 * count.c - how many writes and allocations an event takes once a program
 * has settled: `count TARGET EVENTS`, with that target on.
 */
#include <trace2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"

static unsigned long writes, allocations;

static ssize_t count_write(int fd, const void *bytes, size_t len)
{
	writes++;
	return write(fd, bytes, len);
}

static void *count_realloc(void *old, size_t size)
{
	allocations++;
	return realloc(old, size);
}

static void call_target(const char *target)
{
	if (!strcmp(target, "normal"))
		trace2_cmd_mode("branch");
	else
		trace2_data_intmax("index", 1, "read/cache_nr", 2400);
}

int main(int argc, char **argv)
{
	long events = argc == 3 ? atol(argv[2]) : 0, i;
	struct tr2_host host = tr2_host_system;

	if (events <= 0)
		return 2;
	host.write = count_write;
	host.realloc = count_realloc;
	tr2_host = &host;
	trace2_initialize();
	trace2_cmd_start(argv);
	for (i = 0; i < 10; i++)
		call_target(argv[1]);
	writes = 0;
	allocations = 0;
	for (i = 0; i < events; i++)
		call_target(argv[1]);
	printf("writes %.6f\nallocations %.6f\n",
	       (double)writes / (double)events,
	       (double)allocations / (double)events);
	tr2_host = &tr2_host_system;
	return trace2_cmd_exit(0);
}
