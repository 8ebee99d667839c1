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
	if (read_record(line) != TR2_RECORD_OK)
		abort();
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

static void test_threads(void)
{
	begin_story();
	tell_event("region_enter", 100, REGION("a"));
	tell_event("thread_start", 100, ",\"thread\":\"th01:x\"");
	tell_event("region_enter", 200, ",\"thread\":\"th01:x\"" REGION("b"));
	tell_event("region_leave", 300, LEAVE("a", "0.000200"));
	tell_event("thread_exit", 400,
		   ",\"thread\":\"th01:x\",\"t_rel\":0.0003");
	tap_str(end_story(),
		"region_enter@100 thread_start@100 region_enter@200 "
		"region_leave@300 [region 100+200] thread_exit@400 "
		"[region 200+200 unclosed] ",
		"each thread has its own regions, which end with it");
}

static void test_children(void)
{
	begin_story();
	tell_event("child_start", 100, ",\"child_id\":0");
	tell_event("child_start", 200, ",\"child_id\":1");
	tell_event("child_exit", 300, ",\"child_id\":0,\"t_rel\":0.00025");
	tell_event("child_ready", 350, ",\"child_id\":1,\"t_rel\":0.000150");
	tell_event("child_exit", 400, ",\"child_id\":1,\"t_rel\":0.000200");
	tell_event("exec", 500, ",\"exec_id\":0");
	tap_str(end_story(),
		"child_start@100 child_start@200 child_exit@350 "
		"[child 100+250] child_ready@350 [child 200+150] "
		"child_exit@400 exec@500 [exec 500+0] ",
		"children end in any order, once, and as long as t_rel says");
}

/* The clock is set 40 s ahead between two events, and nobody waited. */
static void test_clock_that_is_set(void)
{
	begin_story();
	tell_event("region_enter", 1000, REGION("a"));
	tell_event("cmd_name", 40001000, "");
	tell_event("region_leave", 40002000, LEAVE("a", "0.003000"));
	tell_event("atexit", 40003000, ",\"t_abs\":0.005,\"code\":0");
	tap_str(end_story(),
		"region_enter@1000 cmd_name@3000 region_leave@4000 "
		"[region 1000+3000] atexit@5000 ",
		"a clock that is set costs no sense");
	begin_story();
	tell_event("def_repo", 40000000, "");
	tell_event("region_enter", 40000100, REGION("a"));
	tell_event("region_leave", 40000200, LEAVE("a", "0.000100"));
	tell_event("data", 40000300,
		   ",\"t_abs\":0.0015,\"t_rel\":0.0,\"nesting\":1");
	tap_str(end_story(),
		"def_repo@1200 region_enter@1300 region_leave@1400 "
		"[region 1300+100] data@1500 ",
		"what is too much is cut from the largest difference");
}

static void test_coarse_clock(void)
{
	begin_story();
	tell_event("region_enter", 15625, REGION("a"));
	tell_event("region_enter", 31250, REGION("b"));
	tell_event("region_leave", 31250, LEAVE("b", "0.001000"));
	tell_event("region_leave", 31250, LEAVE("a", "0.009000"));
	tell_event("exit", 31250, ",\"t_abs\":0.030,\"code\":0");
	tap_str(end_story(),
		"region_enter@15625 region_enter@23625 region_leave@24625 "
		"[region 23625+1000] region_leave@24625 [region 15625+9000] "
		"exit@30000 ",
		"steps of a coarse clock do not move a region out of another");
}

static void test_log_without_begin(void)
{
	heard[0] = '\0';
	tr2_timeline_begin(&timeline);
	tell_event("region_enter", 100, REGION("a"));
	tell_event("data", 200,
		   ",\"t_abs\":9.000200,\"t_rel\":0.0001,\"nesting\":1");
	tap_str(end_story(),
		"region_enter@9000100 data@9000200 "
		"[region 9000100+100 unclosed] ",
		"a log that begins in the middle of a process keeps its place");
	heard[0] = '\0';
	tr2_timeline_begin(&timeline);
	tell_event("region_enter", 100, REGION("a"));
	tell_event("cmd_name", 150, "");
	tap_str(end_story(),
		"region_enter@0 cmd_name@50 [region 0+50 unclosed] ",
		"and if no event tells its place, it begins with the process");
}

static void test_brief(void)
{
	begin_story();
	tell_event("region_enter", -1, REGION("a"));
	tell_event("region_leave", -1, LEAVE("a", "0.003000"));
	tell_event("child_start", -1, ",\"child_id\":0");
	tell_event("child_exit", -1, ",\"child_id\":0,\"t_rel\":1.0");
	tell_event("atexit", -1, ",\"t_abs\":2.0,\"code\":0");
	tap_str(end_story(),
		"region_enter@0 region_leave@3000 [region 0+3000] "
		"child_start@3000 child_exit@1003000 [child 3000+1000000] "
		"atexit@2000000 ",
		"a log without times has the lengths that it states");
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
	test_threads();
	test_children();
	test_clock_that_is_set();
	test_coarse_clock();
	test_log_without_begin();
	test_brief();
	test_many_held();
	return tap_done();
}
