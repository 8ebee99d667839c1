/*
 * rest.h - the begin of a line whose end has not arrived, in memory. Each
 * connection has a limit of its own, TR2_LINE_MAX, so that none can use up
 * what others need; only if the machine's memory is not enough for all, those
 * pay that need most of it.
 */
#ifndef TR2_INTAKE_REST_H
#define TR2_INTAKE_REST_H

#include "collect/intake/intake.h"

struct tr2_writer {
	int fd;
	bool stream;
	bool skipping;	     /* to an LF: the rest of a line that was dropped */
	struct tr2_buf rest; /* the begin of an incomplete line */
};

/* Before the first connection. */
void tr2_rest_begin(struct tr2_collect_intake *intake);

/* These bytes come after those that are kept. */
void tr2_rest_keep(struct tr2_collect_intake *intake, struct tr2_writer *writer,
		   const char *bytes, size_t len);
void tr2_rest_forget(struct tr2_collect_intake *intake,
		     struct tr2_writer *writer);
/* The rest, which is part of a dropped line, too, goes with these lines. */
void tr2_rest_drop(struct tr2_collect_intake *intake, struct tr2_writer *writer,
		   enum tr2_drop reason, const char *bytes, size_t len);

#endif
