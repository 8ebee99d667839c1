/*
 * format.h - text targets: they turn an event into one line. They are pure:
 * no I/O, no clock, no environment.
 */
#ifndef TR2_EVENT_FORMAT_H
#define TR2_EVENT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

struct tr2_buf;
struct tr2_event;

/*
 * The text of the last second that a thread formatted; the date and the hour
 * rarely change.
 */
struct tr2_second {
	uint64_t second; /* since the epoch, local or UTC */
	char text[20];	 /* "2026-11-21T05:42:03."; "": nothing yet */
};

#define TR2_SECOND_INIT \
	{               \
		0, ""   \
	}
#define TR2_SECOND_CLOCK 11 /* the place of "05:42:03." */

struct tr2_format {
	int brief;
	int nesting_limit;	/* EVENT: deeper regions are left out */
	struct tr2_second *utc; /* the calling thread's caches */
	struct tr2_second *local;
};

/*
 * Append the event's line, LF included, or nothing if the target does not
 * show this event.
 */
typedef void tr2_format_fn(const struct tr2_event *event,
			   const struct tr2_format *format,
			   struct tr2_buf *out);

tr2_format_fn tr2_normal_format;
tr2_format_fn tr2_perf_format;
tr2_format_fn tr2_event_json_format;

/*
 * Does the target need wall_us (and utc_offset) for this event?
 */
typedef int tr2_needs_wall_fn(const struct tr2_event *event,
			      const struct tr2_format *format);

tr2_needs_wall_fn tr2_text_needs_wall; /* NORMAL and PERF */
tr2_needs_wall_fn tr2_event_json_needs_wall;

/* Parts that the text targets share. Each appends to `out`. */

/* `HH:MM:SS.uuuuuu ` in local time. SPEC: time.local */
void tr2_text_clock(struct tr2_buf *out, const struct tr2_event *event,
		    struct tr2_second *local);

/* `file:line`, or nothing if the event has none. */
void tr2_text_file_line(struct tr2_buf *out, const struct tr2_event *event);

/* Append an LF unless the text after `start` ends in one. */
void tr2_text_end_line(struct tr2_buf *out, size_t start);

/* Set the cache to this second (since the epoch, in the cache's zone). */
void tr2_second_format(struct tr2_second *cache, uint64_t second);

static inline void tr2_second_set(struct tr2_second *cache, uint64_t second)
{
	if (cache->second != second || !cache->text[0])
		tr2_second_format(cache, second);
}

#endif
