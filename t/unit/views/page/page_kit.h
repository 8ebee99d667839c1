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
	if (read_record(line) != TR2_RECORD_OK)
		abort();
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

/* The same without `time`, as a brief log has it. */
static inline void brief_page(const char *sid, const char *event,
			      const char *rest)
{
	char line[4096];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\"%s%s}",
		 event, sid, story.thread, *rest ? "," : "", rest);
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

static inline const char *text_at(uint32_t number)
{
	return tr2_rows_text(&story.rows, number, NULL);
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

/* A line for each span: what, begin+length, and what few have. */
static inline const char *show_spans(void)
{
	static const char *const kinds[] = { "region", "child", "thread" };
	const struct tr2_page_span *span;
	uint32_t i;

	for (i = 0; i < story.spans.spans.count; i++) {
		span = tr2_page_span_at(&story.spans, i);
		show_part("%s %s/%s %lld+%lld", kinds[span->kind],
			  text_at(span->first), text_at(span->second),
			  since_ten(span->start),
			  (long long)(span->end - span->start));
		if (span->note)
			show_part(" note %s", text_at(span->note));
		if (span->pid)
			show_part(" pid %u", span->pid);
		if (span->code)
			show_part(" code %d", span->code);
		show_part("%s\n", span->unclosed ? " unclosed" : "");
	}
	return story.shown;
}

static inline const char *show_marks(void)
{
	const struct tr2_page_mark *mark = story.spans.marks.items;
	uint32_t i;

	for (i = 0; i < story.spans.marks.count; i++, mark++)
		show_part("%s %lld %s/%s=%s\n",
			  text_at(tr2_page_thread_at(&story.spans, mark->thread)
					  ->name),
			  since_ten(mark->time), text_at(mark->category),
			  text_at(mark->key), text_at(mark->value));
	return story.shown;
}

/* A line for each process: its names, begin+length, and its end. */
static inline const char *show_processes(void)
{
	const struct tr2_page_process *process;
	const struct tr2_timeline *timeline;
	bool is_killed;
	int64_t code;
	uint32_t i;

	for (i = 0; i < story.spans.processes.count; i++) {
		process = tr2_page_process_at(&story.spans, i);
		timeline = &process->timeline;
		is_killed = timeline->ending == TR2_ENDING_SIGNAL;
		code = timeline->has_code ? timeline->code : -1;
		show_part(
			"%s#%s (%s) %s %s %lld+%lld code %lld signal %d pid %u "
			"caller %d span %d%s%s\n",
			text_at(process->name), text_at(process->mode),
			text_at(process->words), text_at(process->argv),
			text_at(process->version), since_ten(process->base),
			(long long)(process->now - process->base),
			(long long)(is_killed ? -1 : code),
			is_killed ? (int)code : 0, process->pid,
			(int)process->caller, (int)process->span,
			tr2_timeline_is_unfinished(timeline) ? "" : " ended",
			process->timed ? " timed" : "");
	}
	return story.shown;
}

#endif
