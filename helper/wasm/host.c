/* host.c - of a system, what reads archives asks for memory and a number. */
#include <stdlib.h>
#include <unistd.h>

#include "host/host.h"

static const struct tr2_host host = {
	.getpid = getpid,
	.realloc = realloc,
	.free = free,
};

const struct tr2_host *tr2_host = &host;
