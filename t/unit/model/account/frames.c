/* The stacks of owners that processes make, and their memory. */
#include "model/account/story_kit.h"
#include "read/value.h"

#define EXECUTED GIT "/" SID("01")

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

static void tell_grandchild(void)
{
	tell_event(GIT, 100, "start", START("\"git\",\"status\""));
	tell_event(GIT, 110, "region_enter", REGION("c", "a"));
	tell_event(GIT, 120, "child_start", CHILD_START("0", "\"x\""));
	tell_event(CHILD, 125, "start", START("\"x\""));
	tell_event(CHILD, 130, "region_enter", REGION("c", "in"));
	tell_event(CHILD, 140, "region_leave", REL("010") REGION("c", "in"));
	tell_event(CHILD, 150, "atexit", END("025", "0"));
	tell_event(GIT, 160, "child_exit",
		   REL("040") CHILD_EXIT("0", "2", "0"));
	tell_event(GIT, 170, "region_leave", REL("060") REGION("c", "a"));
	tell_event(GIT, 200, "atexit", END("100", "0"));
}

static void test_children(void)
{
	begin_frames();
	tell_grandchild();
	tap_str(end_frames(),
		"100..110 git status\n110..120 git status>a\n"
		"120..125 git status>a>x\n125..130 git status>a>x>x\n"
		"130..140 git status>a>x>x>in\n140..150 git status>a>x>x\n"
		"150..160 git status>a>x\n160..170 git status>a\n"
		"170..200 git status\n",
		"the frames of a child are in that of its span");
	begin_frames();
	begin_git(100);
	tell_event(GIT, 110, "exec", "\"exec_id\":0,\"argv\":[\"x\"]");
	tell_event(EXECUTED, 120, "start", START("\"y\""));
	tell_event(EXECUTED, 150, "atexit", END("030", "0"));
	tap_str(end_frames(),
		"100..110 git status\n110..120 git status>x\n"
		"120..150 git status>x>y\n",
		"so are those of a program that took a process over");
}

/* The same region in two others, which follow at once; then an exec. */
static void test_neighbours(const char *sid)
{
	char executed[160];

	snprintf(executed, sizeof(executed), "%s/" SID("01"), sid);
	begin_frames();
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 110, "region_enter", REGION("c", "a"));
	tell_event(sid, 110, "region_enter", REGION("c", "r"));
	tell_event(sid, 120, "region_leave", REL("010") REGION("c", "r"));
	tell_event(sid, 120, "region_leave", REL("010") REGION("c", "a"));
	tell_event(sid, 120, "region_enter", REGION("c", "b"));
	tell_event(sid, 120, "region_enter", REGION("c", "r"));
	tell_event(sid, 130, "region_leave", REL("010") REGION("c", "r"));
	tell_event(sid, 130, "region_leave", REL("010") REGION("c", "b"));
	tell_event(sid, 150, "exec", "\"exec_id\":0,\"argv\":[\"x\"]");
	tell_event(executed, 160, "start", START("\"y\""));
	tell_event(executed, 190, "atexit", END("030", "0"));
	tap_str(end_frames(),
		"100..110 p\n110..120 p>a>r\n120..130 p>b>r\n130..150 p\n"
		"150..160 p>x\n160..190 p>x>y\n",
		"a region is in the one around it, and a program in its exec");
}

/* A brief log inside another brief one; each begins with its span. */
static void test_untimed(void)
{
	static const char inner[] = CHILD "/" SID("03");

	begin_frames();
	begin_git(100);
	tell_event(GIT, 120, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 180, "child_exit",
		   REL("060") CHILD_EXIT("0", "2", "0"));
	end_git(200, END("100", "0"));
	tell_briefly(CHILD, "start", START("\"y\""));
	tell_briefly(CHILD, "region_enter", REGION("c", "r"));
	tell_briefly(CHILD, "region_leave", REL("010") REGION("c", "r"));
	tell_briefly(CHILD, "child_start", CHILD_START("0", "\"z\""));
	tell_briefly(CHILD, "child_exit", REL("030") CHILD_EXIT("0", "3", "0"));
	tell_briefly(CHILD, "atexit", END("050", "0"));
	tell_briefly(inner, "start", START("\"q\""));
	tell_briefly(inner, "atexit", END("020", "0"));
	tap_str(end_frames(),
		"100..120 git status\n120..130 git status>x>y>r\n"
		"130..150 git status>x>y>z>q\n150..160 git status>x>y>z\n"
		"160..170 git status>x>y\n170..180 git status>x\n"
		"180..200 git status\n",
		"a process without times begins with its span");
}

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

/*
 * A child ends before the region that began beside it, and another region
 * takes its place; one more is in that one.
 */
static void test_places(void)
{
	begin_frames();
	begin_git(100);
	tell_event(GIT, 110, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 120, "region_enter", REGION("c", "r"));
	tell_event(GIT, 130, "child_exit",
		   REL("020") CHILD_EXIT("0", "-1", "0"));
	tell_event(GIT, 140, "region_enter", REGION("c", "s"));
	tell_event(GIT, 150, "region_enter", REGION("c", "t"));
	end_git(200, END("100", "0"));
	tap_str(end_frames(),
		"100..110 git status\n110..120 git status>x\n"
		"120..140 git status>r\n140..150 git status>r>s\n"
		"150..200 git status>r>s>t\n",
		"each span is in the innermost region that is open");
}

/* Spans one after the other are not in each other. */
static void test_many(const char *sid)
{
	unsigned i;

	begin_frames();
	tell_event(sid, 100, "start", START("\"a\""));
	for (i = 0; i < TR2_FRAME_DEPTH + 2; i++) {
		tell_event(sid, 110 + i, "region_enter", REGION("c", "r"));
		tell_event(sid, 111 + i, "region_leave",
			   REL("001") REGION("c", "r"));
	}
	tell_event(sid, 900, "atexit", END("800", "0"));
	tap_str(end_frames(), "100..110 a\n110..362 a>r\n362..900 a\n",
		"many spans that have ended are not deep");
}

int main(void)
{
	test_spans(GIT, SPANS, "each moment has the stack of its owner");
	test_spans("x/" GIT, SPANS, "also if nobody knows the parent");
	test_children();
	test_neighbours(GIT);
	test_neighbours("x/" GIT);
	test_untimed();
	test_deep();
	test_children_beside();
	test_places();
	test_many(GIT);
	test_many("x/" GIT);
	tr2_buf_release(&story.lines);
	tr2_buf_release(&story.tables);
	return tap_done();
}
