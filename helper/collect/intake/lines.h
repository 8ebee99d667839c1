/*
 * lines.h - whole lines on their way into the journal, from sockets and from
 * files: with a filter they pass it first.
 */
#ifndef TR2_INTAKE_LINES_H
#define TR2_INTAKE_LINES_H

#include "collect/intake/intake.h"

/* So many lines go to no output, and are counted by the reason. */
void tr2_intake_drop(struct tr2_collect_intake *intake, enum tr2_drop reason,
		     uint64_t lines);

/*
 * Room for so many bytes, in the journal or in the filter before it; NULL:
 * there is no space, or no memory, which tr2_intake_find_lack() tells.
 */
char *tr2_intake_make_room(struct tr2_collect_intake *intake, size_t len);
/* False: writing to this room fails, as its disk has no space after all. */
bool tr2_intake_test_room(const struct tr2_collect_intake *intake, char *room,
			  size_t len);
enum tr2_drop tr2_intake_find_lack(const struct tr2_collect_intake *intake);

/*
 * `bytes` is this room, and begins with whole lines of so many bytes. Without
 * space for them all, they are dropped.
 */
void tr2_intake_keep_lines(struct tr2_collect_intake *intake, const char *bytes,
			   size_t len);
/*
 * The same; but without space, also for those that are set aside, they are not
 * taken, not counted, and can come again. False: so it is.
 */
bool tr2_intake_try_lines(struct tr2_collect_intake *intake, const char *bytes,
			  size_t len);

/*
 * The begin of a line whose end has not arrived, in memory. Each
 * connection has a limit of its own, TR2_LINE_MAX, so that none can use up
 * what others need; only if the machine's memory is not enough for all, those
 * pay that need most of it.
 */

struct tr2_writer {
	int fd;
	bool stream;
	bool skipping;	     /* to an LF: the rest of a line that was dropped */
	int error;	     /* errno of the last read, if more may be there */
	struct tr2_buf rest; /* the begin of an incomplete line */
};

/*
 * The writer ends. If its last read failed, nobody knows how many lines were
 * there: they count as one, and the first time is told.
 */
void tr2_intake_drop_unread(struct tr2_collect_intake *intake,
			    const struct tr2_writer *writer);

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
