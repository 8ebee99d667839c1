/* Where the events of a process lie, and which spans they begin and end. */
#include <stdarg.h>

#include "kit/validate.h"

#include "kit/json.h"
#include "model/timeline.h"

static struct tr2_timeline timeline;
static char heard[4096];

__attribute__((format(printf, 1, 2))) static void note_text(const char *format,
							    ...)
{
	size_t len = strlen(heard);
	va_list args;

	va_start(args, format);
	vsnprintf(heard + len, sizeof(heard) - len, format, args);
	va_end(args);
}

static void note_event(void *context, const struct tr2_moment *moment)
{
	size_t len;
	const char *name = tr2_record_text(moment->record, TR2_KEY_EVENT, &len);

	(void)context;
	note_text("%.*s@%" PRId64 " ", (int)len, name, moment->at);
}

static void end_span(void *context, const struct tr2_moment *moment,
		     struct tr2_timeline_span *span)
{
	static const char *const kinds[] = { "region", "child", "exec" };

	(void)context;
	(void)moment;
	note_text("[%s %" PRId64 "+%" PRId64 "%s%s] ", kinds[span->kind],
		  span->begin, span->length, span->unclosed ? " unclosed" : "",
		  span->renamed ? " renamed" : "");
}

static const struct tr2_timeline_view view = { .take = note_event,
					       .end_span = end_span };

/* `us`: its `time`, in microseconds after a second; -1: it has none. */
static void tell_event(const char *event, int us, const char *rest)
{
	char line[512], time[64] = "";

	if (us >= 0)
		snprintf(time, sizeof(time),
			 ",\"time\":\"2026-01-14T10:00:%02d.%06dZ\"",
			 us / 1000000, us % 1000000);
	snprintf(line, sizeof(line), "{\"event\":\"%s\",\"sid\":\"a\"%s%s}",
		 event, time, rest);
	tap_need(read_record(line) == TR2_RECORD_OK);
	tr2_timeline_take(&timeline, &record, &view, NULL);
}

static void begin_story(void)
{
	heard[0] = '\0';
	tr2_timeline_begin(&timeline);
	tell_event("version", 0, ",\"evt\":\"3\"");
	tell_event("start", 0, ",\"t_abs\":0.0,\"argv\":[\"git\"]");
	heard[0] = '\0';
}

/* Ends the process, and returns what was heard of it. */
static const char *end_story(void)
{
	tr2_timeline_close(&timeline, &view, NULL);
	tr2_timeline_release(&timeline);
	return heard;
}

#define REGION(name) ",\"nesting\":1,\"category\":\"c\",\"label\":\"" name "\""
#define LEAVE(name, t_rel) ",\"t_rel\":" t_rel REGION(name)

static void test_pairs(void)
{
	begin_story();
	tell_event("region_enter", 1000, REGION("setup"));
	tell_event("region_leave", 2000, LEAVE("prepare", "0.001000"));
	tap_str(end_story(),
		"region_enter@1000 region_leave@2000 "
		"[region 1000+1000 renamed] ",
		"a region that is left by another name ends there");
	begin_story();
	tell_event("region_enter", 100, REGION("a"));
	tell_event("region_enter", 200, REGION("b"));
	tell_event("region_leave", 300, LEAVE("a", "0.000100"));
	tap_str(end_story(),
		"region_enter@100 region_enter@200 region_leave@300 "
		"[region 200+100 renamed] [region 100+200 unclosed] ",
		"a leave ends the innermost region");
	begin_story();
	tell_event("region_leave", 900, LEAVE("a", "0.000300"));
	tell_event("region_leave", 950, ",\"t_rel\":0.000950,\"nesting\":0");
	tap_str(end_story(),
		"region_leave@900 [region 600+300] region_leave@950 ",
		"a leave without an enter began its t_rel earlier");
}

static void test_many_held(void)
{
	int i;

	begin_story();
	tell_event("cmd_name", 5000, "");
	for (i = 0; i < 3000; i++)
		tell_event("def_param", 5000, "");
	tap_ok(strlen(heard) > 1000, "not more than so many events are held");
	end_story();
}

int main(void)
{
	test_pairs();
	test_many_held();
	return tap_done();
}
