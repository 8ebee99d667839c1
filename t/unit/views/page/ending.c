/* What is left to do after the last event: limits, and who ran whom. */
#include "kit/validate.h"

#include "views/page/page_kit.h"

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
	tap_int(child->span, 1,
		"a process whose pid no span has ran in the open one");
	release_page_story();
}

#define EXEC "\"exec_id\":0,\"argv\":[\"a\"]"
#define AGAIN(parent, pid) parent "/20260114T100000.000009Z-Hc4f2e1a9-P" pid

/* Returns "now of the process, its span", for each process. */
static const char *show_lives(void)
{
	const struct tr2_page_process *process;
	uint32_t i;

	end_page_story();
	for (i = 0; i < story.spans.processes.count; i++) {
		process = tr2_page_process_at(&story.spans, i);
		show_part("%lld %d\n", since_ten(process->now),
			  (int)process->span);
	}
	for (i = 0; i < story.spans.spans.count; i++)
		show_part("+%lld\n",
			  since_ten(tr2_page_span_at(&story.spans, i)->end));
	release_page_story();
	return story.shown;
}

static void test_page_execs(void)
{
	static const char first[] = AGAIN(GIT, "00000001"),
			  second[] = AGAIN(AGAIN(GIT, "00000001"), "00000001");

	begin_page_story();
	LIFE(second, 40, 90);
	LIFE(GIT, 10, 20);
	tell_page(GIT, 20, "exec", EXEC);
	LIFE(first, 30, 35);
	tell_page(first, 35, "exec", EXEC);
	tap_str(show_lives(), "90 1\n90 -1\n90 0\n+90\n+90\n",
		"a process ends with the program that took its place");
	begin_page_story();
	LIFE(GIT, 10, 20);
	tell_page(GIT, 20, "exec", EXEC);
	brief_page(first, "start", "\"t_abs\":0");
	brief_page(first, "atexit", "\"t_abs\":900");
	tap_str(show_lives(), "900000020 -1\n900000000 0\n+900000020\n",
		"also if nobody knows when that began");
	begin_page_story();
	brief_page(GIT, "start", "\"t_abs\":0");
	brief_page(GIT, "exec", EXEC);
	LIFE(first, 30, 35);
	tap_ok(strstr(show_lives(), "5 -1\n") == story.shown,
	       "or when the process began");
	begin_page_story();
	LIFE(GIT, 10, 15);
	tell_page(GIT, 20, "exec", EXEC);
	LIFE(first, 30, 35);
	tell_page(GIT, 85, "error", "");
	tap_str(show_lives(), "85 -1\n35 0\n+85\n",
		"a process that goes on ends with its last event");
	begin_page_story();
	LIFE(GIT, 10, 20);
	tell_page(GIT, 20, "child_start", PAGE_CHILD("0", "\"a\""));
	tell_page(GIT, 25, "child_exit", "\"child_id\":0,\"pid\":2");
	LIFE(CHILD, 22, 60);
	tap_str(show_lives(), "25 -1\n60 0\n+25\n",
		"a child that goes on is no exec");
}

/* A child with this pid lives from one time to the other. */
static void tell_child(unsigned from, unsigned to, const char *pid)
{
	char rest[64];

	snprintf(rest, sizeof(rest), "\"child_id\":0,\"pid\":%s", pid);
	tell_page(GIT, from, "child_start", PAGE_CHILD("0", "\"a\""));
	tell_page(GIT, to, "child_exit", rest);
}

static void test_page_pids(void)
{
	static const char again[] = AGAIN(GIT, "00000002");

	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	tell_child(30, 40, "2");
	tell_child(50, 60, "2");
	LIFE(CHILD, 11, 19);
	LIFE(again, 31, 39);
	tap_str(show_lives(), "60 -1\n19 0\n39 1\n+20\n+40\n+60\n",
		"of children with one pid the time tells which one it was");
	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	tell_child(20, 40, "2");
	LIFE(CHILD, 20, 20);
	LIFE(again, 5, 10);
	tap_str(show_lives(), "40 -1\n20 1\n10 0\n+20\n+40\n",
		"the later one, if a process touches both");
	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	tell_child(30, 40, "2");
	LIFE(CHILD, 15, 35);
	LIFE(again, 21, 29);
	tap_str(show_lives(), "40 -1\n35 0\n29 0\n+20\n+40\n",
		"the one in which it began, or the nearest");
	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	tell_child(30, 40, "2");
	brief_page(CHILD, "start", "");
	tap_str(show_lives(), "40 -1\n0 1\n+20\n+40\n",
		"without times it is the last one");
	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "4294967298");
	tell_child(10, 20, "-1");
	LIFE(CHILD, 10, 20);
	LIFE(AGAIN(GIT, "ffffffff"), 10, 20);
	tap_str(show_lives(), "30 -1\n20 0\n20 0\n+20\n+30\n",
		"a SID has the low 32 bits of a pid, and -1 is none");
}

static void test_page_odd_pids(void)
{
	static const char again[] = AGAIN(GIT, "00000002");

	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"a\""));
	LIFE(GIT "/x", 12, 15);
	tap_str(show_lives(), "10 -1\n15 -1\n+10\n",
		"two pids that are not known are not the same");
	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	LIFE(CHILD, 20, 30);
	LIFE(again, 21, 30);
	tap_str(show_lives(), "20 -1\n30 0\n30 0\n+20\n",
		"a child may begin when its span ends, or later");
	begin_page_story();
	LIFE(GIT, 0, 1);
	story.thread = "th01";
	tell_page(GIT, 10, "child_start", PAGE_CHILD("7", "\"a\""));
	story.thread = "main";
	tell_child(20, 40, "2");
	story.thread = "th01";
	tell_page(GIT, 41, "child_exit", "\"child_id\":7,\"pid\":2");
	LIFE(CHILD, 20, 30);
	tap_str(show_lives(), "41 -1\n30 1\n+41\n+40\n",
		"the span that begins with its child is the nearest");
	begin_page_story();
	LIFE(GIT, 0, 1);
	LIFE("x", 0, 1);
	tell_page(GIT, 10, "exec", EXEC);
	tell_page("x", 11, "child_start", PAGE_CHILD("0", "\"a\""));
	tell_page("x", 13, "child_exit", "\"child_id\":0,\"pid\":9");
	tell_page(GIT, 15, "exec_result", "\"exec_id\":0,\"code\":2");
	tap_str(show_lives(), "15 -1\n13 -1\n+15\n+13\n",
		"a child and an exec may have one number");
}

/* Nobody waits for hours because all children have one pid. */
/* Before the first time, events have their distance from the start. */
static void test_page_late(void)
{
	begin_page_story();
	brief_page(GIT, "start", "\"t_abs\":0.00001");
	brief_page(GIT, "region_enter", PAGE_REGION("c", "l"));
	brief_page(GIT, "region_leave", PAGE_REGION("c", "l"));
	brief_page(GIT, "data", "\"category\":\"c\",\"key\":\"a\"");
	brief_page(GIT, "data", "\"category\":\"c\",\"key\":\"b\"");
	tell_page(GIT, 50, "data", "\"category\":\"c\",\"key\":\"d\"");
	end_page_story();
	show_spans();
	tap_str(show_marks(),
		"region c/l 50+0\nmain 50 c/a=\nmain 50 c/b=\nmain 50 c/d=\n",
		"what came before the first time is moved to it");
	release_page_story();
}

static void test_page_many_pids(void)
{
	unsigned i;

	begin_page_story();
	LIFE(GIT, 0, 1);
	for (i = 0; i < 65; i++)
		tell_child(10 * i + 10, 10 * i + 19, "2");
	LIFE(CHILD, 21, 22);
	LIFE(AGAIN(GIT, "00000002"), 11, 12);
	end_page_story();
	tap_ok(tr2_page_process_at(&story.spans, 1)->span == 1 &&
		       !tr2_page_process_at(&story.spans, 2)->span,
	       "however many children have one pid, each is found");
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

static void make_page_story(void)
{
	static const char again[] = AGAIN(GIT, "00000002");

	begin_page_story();
	LIFE(GIT, 0, 1);
	tell_child(10, 20, "2");
	tell_child(30, 40, "2");
	tell_page(GIT, 50, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 55, "data", "\"key\":\"k\"");
	tell_page(GIT, 60, "exec", EXEC);
	LIFE(CHILD, 15, 35);
	LIFE(again, 21, 29);
	end_page_story();
	release_page_story();
}

static void test_page_memory(void)
{
	int i;

	for (i = 0; i < 40; i++)
		make_page_story();
}

int main(void)
{
	test_page_limits();
	test_page_callers();
	test_page_execs();
	test_page_pids();
	test_page_odd_pids();
	test_page_late();
	test_page_many_pids();
	test_page_pairs();
	test_page_many_threads();
	test_page_memory();
	return tap_done();
}
