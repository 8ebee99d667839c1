/*
 * tr2_target.h - a text target: an event in, one line out. Pure: no I/O,
 * no clock, no environment.
 */
#ifndef TR2_TARGET_H
#define TR2_TARGET_H

#include <stdint.h>

struct tr2_buf;
struct tr2_event;

/*
 * The text of the last second that was formatted, one a thread: the date
 * and the hour change rarely.
 */
struct tr2_second {
	uint64_t second; /* since the epoch, local or UTC; 0: none yet */
	char date[11];	 /* "2026-11-21T" */
	char clock[8];	 /* "05:42:03" */
};

struct tr2_format {
	int brief;
	int nesting_limit;	/* EVENT: deeper regions are left out */
	struct tr2_second *utc; /* the calling thread's caches */
	struct tr2_second *local;
};

/*
 * Append the event's line, LF included, or nothing where the target does
 * not show this event.
 */
typedef void tr2_format_fn(const struct tr2_event *event,
			   const struct tr2_format *format,
			   struct tr2_buf *out);

tr2_format_fn tr2_normal_format;
tr2_format_fn tr2_perf_format;
tr2_format_fn tr2_event_json_format;

/* Does this target need wall_us (and utc_offset) for this event? */
int tr2_text_needs_wall(const struct tr2_format *format);
int tr2_event_json_needs_wall(const struct tr2_event *event,
			      const struct tr2_format *format);

/* Append `HH:MM:SS.uuuuuu ` and `file:line`, as NORMAL and PERF begin. */
void tr2_text_clock(struct tr2_buf *out, const struct tr2_event *event,
		    struct tr2_second *local);

/* Bring the cache to the second that holds `us` (since the epoch). */
void tr2_second_set(struct tr2_second *cache, uint64_t second);

#endif
