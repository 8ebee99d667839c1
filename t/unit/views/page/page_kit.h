/*
 * page_kit.h - a story of processes, told event by event, and what a page
 * knows of them.
 *
 *	begin_page_story();
 *	tell_page(GIT, 0, "region_enter", PAGE_REGION("c", "l"));
 *	tell_page(GIT, 5, "region_leave", PAGE_REGION("c", "l"));
 *	end_page_story();
 *	tap_str(show_spans(), "region c/l 0+5\n", ...);
 */
#ifndef UNIT_PAGE_PAGE_KIT_H
#define UNIT_PAGE_PAGE_KIT_H

#include <stdarg.h>
#include <stdlib.h>

#include "views/page/spans.h"
#include "read/value.h"
#include "kit/json.h"
#include "kit/tap.h"

#define PAGE_SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT PAGE_SID("01")
#define CHILD GIT "/" PAGE_SID("02")
#define TEN "2026-01-14T10:00:00.000000Z"

#define PAGE_REGION(category, label) \
	"\"category\":\"" category "\",\"label\":\"" label "\""
#define PAGE_CHILD(id, argv)                                             \
	"\"child_id\":" id ",\"child_class\":\"?\",\"use_shell\":false," \
	"\"argv\":[" argv "]"

static struct {
	struct tr2_rows rows;
	struct tr2_page_spans spans;
	const char *thread;
	char shown[1 << 14];
	size_t used;
} story;

static inline void begin_page_story(void)
{
	tr2_rows_begin(&story.rows);
	memset(&story.spans, 0xa5, sizeof(story.spans));
	tr2_page_spans_begin(&story.spans, &story.rows);
	story.thread = "main";
}

static inline void tell_page_line(const char *line)
{
	tap_need(read_record(line) == TR2_RECORD_OK);
	tr2_page_spans_take(&story.spans, &record);
}

/* An event at so many microseconds after ten o'clock; `rest` is JSON. */
static inline void tell_page(const char *sid, unsigned us, const char *event,
			     const char *rest)
{
	char line[4096];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\","
		 "\"time\":\"2026-01-14T10:00:%02u.%06uZ\"%s%s}",
		 event, sid, story.thread, us / 1000000, us % 1000000,
		 *rest ? "," : "", rest);
	tell_page_line(line);
}

static inline void end_page_story(void)
{
	tr2_page_spans_end(&story.spans);
	story.used = 0;
	story.shown[0] = '\0';
}

static inline void release_page_story(void)
{
	tr2_page_spans_release(&story.spans);
	tr2_rows_release(&story.rows);
}

static inline void show_part(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static inline void show_part(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	story.used += (size_t)vsnprintf(story.shown + story.used,
					sizeof(story.shown) - story.used,
					format, list);
	va_end(list);
}

static inline int64_t ten_o_clock(void)
{
	return tr2_time_read(TEN);
}

/* A time after ten; in a log without times it counts from 0. */
static inline long long since_ten(int64_t time)
{
	return (long long)(time > ten_o_clock() / 2 ? time - ten_o_clock()
						    : time);
}

#endif
