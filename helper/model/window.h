/*
 * window.h - the days of a sum. A command and all that it ran are in the window
 * in which its session began, which the first part of its SID tells, so that
 * the sums of windows that follow each other have each process once, whichever
 * files each of them reads.
 *
 * A process that began later than `late` after the end of its window is in no
 * sum: the window in which it began counts it as one that stays apart. All
 * windows are taken to have the same length.
 */
#ifndef TR2_MODEL_WINDOW_H
#define TR2_MODEL_WINDOW_H

#include "lib/common/map.h"
#include "read/record.h"

struct tr2_window {		    /* Without an end it takes everything. */
	int64_t since, until, late; /* the scale of tr2_record_time() */
	struct tr2_map known;	    /* hash of a SID: is it inside, or not? */
	uint64_t apart;
	bool seen;	  /* there were events, whether in it or not */
	bool begun;	  /* the present log has events, */
	bool last;	  /* and the last one is in it */
	uint64_t pending; /* broken lines before the first event of the log */
	uint64_t unread;  /* broken lines of the window */
};

/* Another log begins. */
void tr2_window_begin_log(struct tr2_window *window);

/*
 * There are so many broken lines. They belong to the window of the event before
 * them, or of the first one of the log, so that each is in one window,
 * whichever files are read.
 */
void tr2_window_count_broken(struct tr2_window *window, uint64_t lines);

/* Is the event in the window? It has this SID. */
bool tr2_window_takes(struct tr2_window *window, struct tr2_record *record,
		      const char *sid, size_t len);

void tr2_window_release(struct tr2_window *window);

#endif
