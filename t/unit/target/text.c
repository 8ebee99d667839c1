/* The hooks of the text targets, where no process shows what they do. */
#include "kit/destination.h"

#include "event/event.h"
#include "target/text.h"

static struct tr2_settings settings;
static struct tr2_target_options options = {
	.settings = &settings,
	.component = "sid",
};
static struct tr2_target_memory memory;

static int open_as(const char *value)
{
	struct tr2_target_settings *target = &settings.target[TR2_TARGET_PERF];

	target->destination = (char *)(uintptr_t)value;
	return tr2_text_open(&tr2_text_perf, &options);
}

static const struct tr2_origin origin = { .sid_json = "s",
					  .thread = "main",
					  .thread_json = "main" };

static struct tr2_event event_of(void)
{
	struct tr2_event event = {
		.kind = TR2_EVENT_ATEXIT,
		.origin = &origin,
	};

	return event;
}

static void test_lines(void)
{
	struct tr2_event event = event_of();

	settings.target[TR2_TARGET_PERF].brief = 1;
	tap_int(open_as(kit_path("log")), 1, "a text target opens its value");
	event.mono_ns = 5000;
	tap_int(tr2_text_event(&tr2_text_perf, &event, &memory), 1,
		"a line is written");
	tap_int((intmax_t)memory.seen[TR2_TARGET_PERF].event_ns, 5000,
		"a destination is told when the event was");
	event.kind = TR2_EVENT_TOO_MANY_FILES;
	tap_int(tr2_text_event(&tr2_text_perf, &event, &memory), 1,
		"an event that is not shown is not lost");
	event.kind = TR2_EVENT_ATEXIT;
	tap_int(tr2_text_event_in_signal(&tr2_text_perf, &event, &memory), 1,
		"a line is written in a signal handler");
	tap_ok(strchr(kit_content("log"), '\n') !=
		       strrchr(kit_content("log"), '\n'),
	       "each line stands alone");
	tap_int((intmax_t)tr2_text_count_dropped(&tr2_text_perf), 0,
		"what was written is not dropped");
}

static void test_lines_without_room(void)
{
	char bytes[4];
	struct tr2_target_memory small = { .line = TR2_BUF_FIXED(bytes) };
	struct tr2_event event = event_of();

	tap_ok(!tr2_text_event(&tr2_text_perf, &event, &small) &&
		       !tr2_text_event_in_signal(&tr2_text_perf, &event,
						 &small),
	       "a line without room is lost");
	tap_int((intmax_t)tr2_text_count_dropped(&tr2_text_perf), 0,
		"what never reached the destination is the caller's to count");
}

static void test_reopen(void)
{
	struct tr2_event event = event_of();

	mkdir("up", 0777);
	mkdir("up/dir", 0777);
	open_as(kit_path("up/dir"));
	tap_int(tr2_text_reopen(&tr2_text_perf, &options), 1,
		"a directory has another file for a child");
	kit_require(!system("rm -r up"), "no directory to remove");
	tap_int(tr2_text_reopen(&tr2_text_perf, &options), 0,
		"a text target that can't be opened anew is off");
	open_as(kit_path("log"));
	tr2_text_perf.destination.alive = 0;
	tap_int(tr2_text_reopen(&tr2_text_perf, &options), 1,
		"one that has failed stays on");
	tr2_text_event(&tr2_text_perf, &event, &memory);
	tap_int((intmax_t)tr2_text_count_dropped(&tr2_text_perf), 1,
		"and counts what it drops");
}

int main(void)
{
	kit_start();
	settings.event_nesting = 2;
	settings.target[TR2_TARGET_PERF].variable = "GIT_TRACE2_PERF";
	tap_run(test_lines, test_lines_without_room, test_reopen);
	tr2_buf_release(&memory.line);
	return kit_done();
}
