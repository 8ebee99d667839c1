/* The records that the FXT target makes of events, one by one. */
#include "kit/memory.h"

#include <stdarg.h>

#include "kit/tap.h"
#include "trace/engine.h"
#include "trace2.h"
#include "base/buf.h"
#include "event/event.h"
#include "target/fxt.h"
#include "fxt/engine.h"
#include "target/target.h"
#include "target/fxt_guest_kit.h"

static char told[16384];
static size_t told_len;

__attribute__((format(printf, 1, 2))) static void tell_host(const char *fmt,
							    ...)
{
	va_list args;

	va_start(args, fmt);
	told_len += (size_t)vsnprintf(told + told_len, sizeof(told) - told_len,
				      fmt, args);
	va_end(args);
}

/*
 * The engine and what is asked for
 */

int tr2_fxt_wants_all = 1;

int tr2_fxt_asks_for(const char *category)
{
	return !strcmp(category, "wanted");
}

void trace_name_process(const char *name)
{
	tell_host("process %s; ", name);
}

void trace_name_thread(const char *name)
{
	tell_host("thread %s; ", name);
}

static void tell_arg(const struct trace_arg *arg)
{
	const struct trace_value *value = &arg->value;

	tell_host(" %s:", arg->name);
	if (value->type == FXT_ARG_STRING)
		tell_host("%u'%s'", value->bytes, value->as.string);
	else if (value->type == FXT_ARG_DOUBLE)
		tell_host("%f", value->as.real);
	else
		tell_host("%d=%" PRId64, (int)value->type,
			  (int64_t)value->as.word);
}

void trace_event_write(const struct trace_event *event)
{
	tell_host("%d %s %s #%d @%d", (int)event->type, event->category,
		  event->name, (int)event->id, (int)event->time);
	for (size_t i = 0; i < event->arg_count; i++)
		tell_arg(&event->args[i]);
}

/*
 * An event of the thread number 5
 */

static const struct tr2_origin origin = {
	.number = 5,
	.thread = "th05:\"w\"",
	.thread_json = "th05:\\\"w\\\"",
};

static struct tr2_host host;
static struct tr2_target_memory memory;

static struct tr2_event event_of(enum tr2_event_kind kind)
{
	return (struct tr2_event){
		.kind = kind,
		.origin = &origin,
		.repo = TRACE2_REPO_NONE,
		.mono_ns = 7000,
		.t_abs = 1,
	};
}

/* The old contents of the stack look like a wrong string. */
__attribute__((noinline)) static uint32_t soil_stack(void)
{
	volatile uint32_t words[1024];

	for (size_t i = 0; i < 1024; i++)
		words[i] = FXT_ARG_STRING;
	return words[0];
}

/* What is traced of it; memory that failed before is memory again. */
static const char *trace_event_of(const struct tr2_event *event)
{
	struct tr2_event copy = *event;

	told[0] = '\0';
	told_len = 0;
	memory.line.failed = 1;
	soil_stack();
	if (!tr2_fxt_event(NULL, &copy, &memory))
		tell_host("lost");
	return told;
}

static const char *text_of(const char *text)
{
	struct tr2_event event = event_of(TR2_EVENT_CMD_MODE);

	event.name = text;
	return trace_event_of(&event);
}

static void test_names(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CMD_NAME);

	event.name = "name";
	tap_str(trace_event_of(&event),
		"process name; 0 trace2 cmd_name #0 @7000 name:4'name'",
		"a command names its process");
	event.hierarchy = "up/name";
	tap_str(trace_event_of(&event),
		"process up/name; 0 trace2 cmd_name #0 @7000 name:4'name' "
		"hierarchy:7'up/name'",
		"with what is above it");
	event.name = NULL;
	tap_str(trace_event_of(&event),
		"0 trace2 cmd_name #0 @7000 hierarchy:7'up/name'",
		"unless it has no name");
	tap_str(text_of("mode"), "0 trace2 cmd_mode #0 @7000 name:4'mode'",
		"a mode is no name");
	event = event_of(TR2_EVENT_THREAD_START);
	tap_str(trace_event_of(&event),
		"thread th05:\"w\"; 0 trace2 thread_start #0 @7000",
		"a thread is named when it starts");
	event = event_of(TR2_EVENT_THREAD_EXIT);
	tap_str(trace_event_of(&event), "0 trace2 thread_exit #0 @7000",
		"and not when it ends");
	event = event_of(TR2_EVENT_VERSION);
	event.evt = "4";
	event.exe = "1";
	tap_str(trace_event_of(&event),
		"thread th05:\"w\"; 0 trace2 version #0 @7000 evt:1'4' "
		"exe:1'1'",
		"the first one has no start");
}

static void test_shapes(void)
{
	const int64_t number = -3;
	struct tr2_event event = event_of(TR2_EVENT_TIMER);

	event.category = "c";
	event.name = "n";
	event.t_total = 1500000000;
	tap_str(trace_event_of(&event),
		"1 c n #0 @7000 intervals:4=0 t_total:1.500000 t_min:0.000000 "
		"t_max:0.000000",
		"a sum belongs to no thread");
	event.kind = TR2_EVENT_TH_TIMER;
	tap_ok(strstr(trace_event_of(&event), "1 c n #5 @7000 "),
	       "but that of a thread does");
	event = event_of(TR2_EVENT_CHILD_START);
	event.child_id = 9;
	tap_str(trace_event_of(&event),
		"5 trace2 child #9 @7000 child_id:1=9 use_shell:9=0",
		"a child has its own number");
	event = event_of(TR2_EVENT_DATA);
	event.key = "key";
	event.value = "-3";
	event.number = &number;
	event.repo = 2;
	tap_str(trace_event_of(&event),
		"0 trace2 key #0 @7000 value:3=-3 repo:1=2",
		"a number stays one");
}

/* Every sequence that is cut, and the first and last that is whole. */
static void test_texts(void)
{
	static const struct {
		const char *text, *becomes;
	} cases[] = {
		{ "", "0''" },
		{ "\x7f", "1'\x7f'" },
		{ "\x80", "3'\xef\xbf\xbd'" },
		{ "a\x80\0z", "4'a\xef\xbf\xbd'" },
		{ "\xc3\xa9", "2'\xc3\xa9'" },
		{ "\xe2\x82\xac!", "4'\xe2\x82\xac!'" },
		{ "\xf0\x9f\x98\x80", "4'\xf0\x9f\x98\x80'" },
		{ "\xf0\x9f\x98z\xf0\x9f\x98\x80",
		  "8'\xef\xbf\xbdz\xf0\x9f\x98\x80'" },
		{ "\xf0\x9f\x98", "3'\xef\xbf\xbd'" },
	};
	char want[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(want, sizeof(want),
			 "0 trace2 cmd_mode #0 @7000 name:%s",
			 cases[i].becomes);
		if (strcmp(text_of(cases[i].text), want) != 0)
			break;
	}
	tap_int((intmax_t)i, sizeof(cases) / sizeof(*cases),
		"what is no text is replaced, and nothing else");
}

static void test_words(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CHILD_START);
	const char *argv[] = { "\xff", "two words", NULL };
	static char bad[301];
	int i, count = 0;
	const char *at;

	event.hook_name = "h\xff";
	event.argv = argv;
	tap_str(trace_event_of(&event),
		"5 trace2 child #0 @7000 child_id:1=0 "
		"hook_name:4'h\xef\xbf\xbd' use_shell:9=0 "
		"argv:17''\xef\xbf\xbd' 'two words''",
		"so it is in words");
	memset(bad, 0xff, 300);
	argv[0] = bad;
	argv[1] = NULL;
	for (i = 0; i < 3; i++) {
		tr2_buf_release(&memory.line);
		bad[300 - i] = '\0';
		at = trace_event_of(&event);
		for (count = 0; (at = strstr(at, "\xef\xbf\xbd")); at += 3)
			count++;
		if (count != 301 - i)
			break;
	}
	tap_ok(i == 3, "memory is found for all of them");
}

static void test_no_room(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CHILD_START);
	const char *argv[] = { "\xff", NULL };
	char bytes[8];
	struct tr2_target_memory fixed = { .line = TR2_BUF_FIXED(bytes) };

	event.argv = argv;
	told[0] = '\0';
	tap_int(tr2_fxt_event(NULL, &event, &fixed), 0,
		"without room it is lost");
	tap_str(told, "", "and nothing is written");
	tr2_buf_release(&memory.line);
	memory_fail(0);
	memory_fail_on = 1;
	tap_str(trace_event_of(&event), "lost", "so it is without memory");
	memory_fail_on = 0;
	event.argv = NULL;
	tap_int(tr2_fxt_event(NULL, &event, &fixed), 1,
		"what needs none is not");
}

static void test_categories(void)
{
	struct tr2_event event = event_of(TR2_EVENT_REGION_ENTER);

	event.label = "l";
	tr2_fxt_wants_all = 0;
	tap_str(trace_event_of(&event), "", "what nobody wants is not traced");
	event.category = "wanted";
	tap_str(trace_event_of(&event), "2 wanted l #0 @7000", "the rest is");
	told_len = 0;
	tr2_fxt_enter_region("other", "l", TRACE2_REPO_NONE);
	tr2_fxt_enter_region("wanted", "", -1);
	tr2_fxt_leave_region("wanted", "l", TRACE2_REPO_NONE);
	tap_str(told, "2 wanted region #0 @0 repo:1=03 wanted l #0 @0",
		"so it is with regions alone");
}

int main(void)
{
	host = tr2_host_system;
	memory_install(&host);
	tap_run(test_names, test_shapes, test_texts, test_words, test_no_room,
		test_categories);
	tr2_buf_release(&memory.line);
	return tap_done();
}
