/* options.h - the command line of `trace2 collect`. */
#ifndef TR2_COLLECT_OPTIONS_H
#define TR2_COLLECT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/delivery.h"
#include "files/socket.h"

/* The exit status. */
enum tr2_collect_exit {
	COLLECT_WHOLE,
	COLLECT_LOST,
	COLLECT_USAGE,
	COLLECT_FAILED,
};

#define TR2_COLLECT_SOCKETS 16
#define TR2_COLLECT_OUTPUTS 64

struct tr2_collect_options {
	const char *spool;
	uint64_t spool_limit, file_size;
	bool others, help;
	struct tr2_socket sockets[TR2_COLLECT_SOCKETS];
	struct tr2_delivery outputs[TR2_COLLECT_OUTPUTS];
	uint32_t socket_count, output_count;
};

/* 0, or COLLECT_USAGE after a message on standard error. */
int tr2_collect_read_options(struct tr2_collect_options *options, int argc,
			     char **argv);

#endif
