/* What is left to do after the last event: limits, and who ran whom. */
#include "page/page_kit.h"

#define LIFE(sid, from, to)                           \
	tell_page(sid, from, "start", "\"t_abs\":0"), \
		tell_page(sid, to, "exit", "")

static void test_page_limits(void)
{
	begin_page_story();
	end_page_story();
	tap_int(story.spans.first, 0, "a page without processes has no begin");
	tap_int(story.spans.last, 0, "and no end");
	release_page_story();
	begin_page_story();
	LIFE("b", 50, 70);
	LIFE("a", 30, 90);
	LIFE("c", 60, 80);
	brief_page("d", "start", "");
	end_page_story();
	tap_int(story.spans.first - ten_o_clock(), 30,
		"the first process begins the page");
	tap_int(story.spans.last - ten_o_clock(), 90,
		"the last end ends the page");
	release_page_story();
}

static void test_page_callers(void)
{
	const struct tr2_page_process *child;

	begin_page_story();
	LIFE(CHILD, 20, 30);
	tell_page(GIT, 5, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"a\""));
	tell_page(GIT, 40, "child_exit", "\"child_id\":0,\"pid\":2,\"code\":0");
	LIFE("x/" PAGE_SID("02"), 20, 30);
	LIFE(GIT "/" PAGE_SID("03"), 20, 30);
	end_page_story();
	child = tr2_page_process_at(&story.spans, 0);
	tap_int(child->caller, 1, "a child may come before its parent");
	tap_int(child->span, 1, "the span with its pid ran it");
	child = tr2_page_process_at(&story.spans, 1);
	tap_ok(child->caller == TR2_PAGE_NONE && child->span == TR2_PAGE_NONE,
	       "a root of the page has no caller");
	child = tr2_page_process_at(&story.spans, 2);
	tap_ok(child->caller == TR2_PAGE_NONE && child->span == TR2_PAGE_NONE,
	       "a parent without a log is no caller");
	child = tr2_page_process_at(&story.spans, 3);
	tap_int(child->caller, 1, "a process has a caller without a span");
	tap_ok(child->span == TR2_PAGE_NONE, "no span has its pid");
	release_page_story();
}

static void test_page_pairs(void)
{
	struct tr2_map map = { 0 };

	tr2_page_enter_pair(&map, 1, 2)->value = 3;
	tap_int((intmax_t)tr2_page_enter_pair(&map, 1, 2)->value, 3,
		"a pair keeps its value");
	tap_int((intmax_t)tr2_page_enter_pair(&map, 2, 1)->value, 0,
		"the order of a pair matters");
	tr2_map_release(&map);
}

static void test_page_many_threads(void)
{
	char name[16];
	int i;

	begin_page_story();
	for (i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "th%d", i % 3);
		story.thread = name;
		tell_page(GIT, (unsigned)i, "data",
			  i % 2 ? "\"key\":\"odd\"" : "\"key\":\"even\"");
	}
	end_page_story();
	tap_str(show_marks(),
		"th0 0 /even=\nth0 3 /odd=\nth1 1 /odd=\nth1 4 /even=\n"
		"th2 2 /even=\nth2 5 /odd=\n",
		"each thread has its marks in their order");
	release_page_story();
}

int main(void)
{
	test_page_limits();
	test_page_callers();
	test_page_pairs();
	test_page_many_threads();
	return tap_done();
}
