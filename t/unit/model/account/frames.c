/* The stacks of owners that processes make, and their memory. */
#include "model/account/story_kit.h"
#include "read/value.h"

static struct tr2_frames frames;

static void begin_frames(void)
{
	begin_story(TR2_BY_NOTHING);
	tr2_frames_begin(&frames, true);
	story.forest.frames = &frames;
}

static int64_t since_ten(int64_t time)
{
	const int64_t ten = tr2_time_read("2026-01-14T10:00:00.000000Z");

	return time > ten / 2 ? time - ten : time;
}

static const char *name_frame(uint32_t number)
{
	const struct tr2_stack_frame *frame = tr2_frame_at(&frames, number);
	const uint32_t name = frame->name[frame->table != TR2_TABLE_COMMANDS];

	return tr2_rows_text(&story.forest.rows, name, NULL);
}

/* The frames around it come first. */
static void add_stack(uint32_t number)
{
	uint32_t stack[TR2_FRAME_DEPTH + 8], depth = 0;

	for (; number; number = tr2_frame_at(&frames, number)->parent)
		stack[depth++] = number;
	while (depth--)
		add_text("%s%s", name_frame(stack[depth]), depth ? ">" : "");
}

/* A line for each piece: when, and what was on top of what. */
static const char *end_frames(void)
{
	const struct tr2_piece *piece;
	uint32_t i;

	add_events();
	tr2_frames_end(&frames);
	story.tables.len = 0;
	piece = frames.pieces.items;
	for (i = 0; i < frames.pieces.count; i++, piece++) {
		add_text("%lld..%lld ", (long long)since_ten(piece->from),
			 (long long)since_ten(piece->to));
		add_stack(piece->frame);
		add_text("\n");
	}
	if (frames.cut)
		add_text("cut %d\n", (int)frames.cut);
	tr2_buf_byte(&story.tables, '\0');
	tr2_frames_release(&frames);
	tr2_forest_release(&story.forest);
	return story.tables.bytes;
}

/* One more process around them makes every time wait for its parent. */
static void test_spans(const char *sid, const char *wanted, const char *says)
{
	begin_frames();
	tell_event(sid, 100, "start", START("\"git\",\"status\""));
	tell_event(sid, 110, "region_enter", REGION("c", "a"));
	tell_event(sid, 120, "region_enter", REGION("c", "b"));
	tell_event(sid, 130, "region_leave", REL("010") REGION("c", "b"));
	tell_event(sid, 140, "region_enter", REGION("c", "b"));
	tell_event(sid, 150, "region_leave", REL("010") REGION("c", "b"));
	tell_event(sid, 150, "region_leave", REL("040") REGION("c", "a"));
	tell_event(sid, 170, "region_enter", REGION("c", "b"));
	tell_event(sid, 180, "region_leave", REL("010") REGION("c", "b"));
	tell_event(sid, 200, "atexit", END("100", "0"));
	tap_str(end_frames(), wanted, says);
}

#define SPANS                                                         \
	"100..110 git status\n110..120 git status>a\n"                \
	"120..130 git status>a>b\n130..140 git status>a\n"            \
	"140..150 git status>a>b\n150..170 git status\n170..180 git " \
	"status>b\n180..200 git status\n"

static void test_deep(void)
{
	const char *shown;
	int i;

	begin_frames();
	begin_git(100);
	for (i = 0; i < TR2_FRAME_DEPTH + 2; i++)
		tell_event(GIT, 101 + (unsigned)i, "region_enter",
			   REGION("c", "r"));
	end_git(900, END("800", "0"));
	shown = end_frames();
	tap_ok(strstr(shown, "cut 2\n") != NULL,
	       "spans that are too deep are counted");
	tap_ok(strstr(shown, "\n350..900 ") != NULL,
	       "the last one that is not has their time");
}

/* What goes on beside a child is not in it. */
static void test_children_beside(void)
{
	char rest[128];
	const char *shown;
	int i;

	begin_frames();
	begin_git(100);
	for (i = 0; i < TR2_FRAME_DEPTH + 2; i++) {
		snprintf(rest, sizeof(rest),
			 "\"child_id\":%d,\"child_class\":\"?\","
			 "\"argv\":[\"x\"]",
			 i);
		tell_event(GIT, 101 + (unsigned)i, "child_start", rest);
	}
	end_git(900, END("800", "0"));
	shown = end_frames();
	tap_ok(strstr(shown, "cut") == NULL &&
		       strstr(shown, "\n101..900 git status>x\n"),
	       "children beside each other are not in each other");
}

int main(void)
{
	test_spans(GIT, SPANS, "each moment has the stack of its owner");
	test_spans("x/" GIT, SPANS, "also if nobody knows the parent");
	test_deep();
	test_children_beside();
	tr2_buf_release(&story.lines);
	tr2_buf_release(&story.tables);
	return tap_done();
}
