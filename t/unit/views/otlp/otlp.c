/* Which process an event belongs to, its time, and when a process is put. */
#include "lib/common/hash.h"

#include "views/otlp/otlp_kit.h"

static char finished[256];

/* The SIDs of one letter that have ended, in order. */
static void note_finish(void *context, uint64_t hash)
{
	size_t len = strlen(finished);
	char sid;

	tap_need(!context);
	for (sid = 'a'; sid <= 'z'; sid++)
		if (tr2_hash(&sid, 1).a == hash)
			finished[len++] = sid;
	finished[len] = '\0';
}

static void begin_list(void)
{
	otlp_begin();
	otlp.finish = note_finish;
	finished[0] = '\0';
}

/* An event of `sid` that the caller got at this time. */
static void tell_now(const char *sid, const char *event, uint64_t now)
{
	otlp.place = (struct tr2_otlp_place){ 10 * now, 100 * now, now };
	otlp_tell(sid, event, (int)now, "");
}

static void test_ends_of_logs(void)
{
	begin_list();
	tell_now("a", "start", 1);
	tell_now("b", "start", 2);
	tell_now("c", "start", 3);
	tell_now("d", "start", 4);
	tell_now("b", "atexit", 5);
	tap_str(finished, "b", "a process that has ended is put");
	tell_now("d", "signal", 6);
	tap_int(put_count, 2, "so is one that a signal has ended");
	tell_now("b", "exit", 7);
	tell_now("b", "atexit", 8);
	tap_int((int)otlp.walk.late, 2, "later events of it are counted");
	tr2_walk_end(&otlp.walk);
	tap_str(finished, "bdac", "the others are put at the end, in order");
	tap_int(put_count, 4, "each of them once");
	tap_int((int)otlp.walk.begun, 4, "processes are counted");
	tap_int((int)otlp.spans, 4, "and spans");
	tap_int((int)(otlp.walk.open.count + otlp.walk.aside.count), 0,
		"no process is left in the lists");
	tr2_walk_release(&otlp.walk);
}

static void test_foreign(void)
{
	begin_list();
	otlp_take("{\"event\":\"start\"}");
	otlp_take("{\"event\":\"start\",\"sid\":1}");
	otlp_take("{\"sid\":\"a\"}");
	tap_int((int)otlp.foreign, 3,
		"what has no name or SID is of no process");
	tap_ok(!otlp.walk.begun && !tr2_otlp_find_held(&otlp),
	       "so no process begins");
	otlp_take("{\"event\":\"unknown\",\"sid\":\"a\"}");
	tap_int((int)otlp.walk.begun, 1, "an event may have any name");
	otlp_take("{\"event\":7,\"sid\":\"\"}");
	tap_int((int)otlp.walk.begun, 2, "and a SID may be empty");
	tr2_walk_release(&otlp.walk);
}

static void test_places(void)
{
	const struct tr2_otlp_place *place;

	begin_list();
	tap_ok(!tr2_otlp_find_held(&otlp), "at first no process is held");
	tell_now("a", "start", 1);
	tell_now("b", "start", 2);
	tell_now("a", "exit", 3);
	place = tr2_otlp_find_held(&otlp);
	tap_ok(place && place->at == 10 && place->line == 100 &&
		       place->now == 1,
	       "the oldest process has the place of its first event");
	tr2_otlp_let_go(&otlp);
	place = tr2_otlp_find_held(&otlp);
	tap_ok(place && place->at == 20, "then it is the next one");
	tap_int(put_count, 0, "nothing of it has ended");
	tell_now("b", "atexit", 4);
	tap_ok(!tr2_otlp_find_held(&otlp), "until all have ended or gone");
	tap_str(finished, "b", "one of the two has ended");
	tell_now("a", "atexit", 5);
	tap_str(finished, "ba", "one that has gone may end");
	tap_int((int)otlp.walk.late, 0, "and is not late");
	tr2_walk_release(&otlp.walk);
}

static void test_idle(void)
{
	char sid[2] = "a";

	begin_list();
	for (; *sid < 'f'; ++*sid)
		tell_now(sid, "start", (uint64_t)(*sid - 'a' + 1));
	tell_now("a", "exit", 6);
	for (*sid = 'a'; *sid < 'e'; ++*sid)
		tr2_otlp_let_go(&otlp);
	tr2_otlp_put_idle(&otlp, 2, 4);
	tap_str(finished, "", "a process with a recent event stays");
	tr2_otlp_put_idle(&otlp, 3, 4);
	tap_str(finished, "b", "a process without an event since then is put");
	tr2_otlp_put_idle(&otlp, 0, 3);
	tap_str(finished, "b", "as many may stay as there are");
	tr2_otlp_put_idle(&otlp, 0, 2);
	tap_str(finished, "ba", "of more, who has gone first is put");
	tr2_otlp_put_idle(&otlp, 1000, 2);
	tap_str(finished, "bacd", "who is held is not");
	tr2_otlp_let_go(&otlp);
	tell_now("f", "start", 7);
	tr2_walk_end(&otlp.walk);
	tap_str(finished, "bacdef", "at the end, who has gone comes first");
	tr2_walk_release(&otlp.walk);
}

/* Parts: spans that have ended are put while their process goes on. */
static void test_parts(void)
{
	static const char region[] = ",\"category\":\"c\",\"label\":\"l\"";

	begin_list();
	otlp_tell("a", "start", 1, ",\"argv\":[\"p\"]");
	otlp_tell("a", "region_enter", 2, region);
	otlp_tell("a", "region_leave", 3, region);
	tr2_otlp_let_go(&otlp);
	tap_int(put_count, 1, "who is let go gives its spans that have ended");
	tap_int(count_put("\"spanId\""), 1, "without the process");
	tap_str(find_of_span("region(c,l)", "kind"), "1", "which are regions");
	tap_str(finished, "", "and has not ended");
	tap_int((int)otlp.spans, 1, "spans that ended are counted");
	otlp_tell("a", "atexit", 4, "");
	tap_int(count_put("\"spanId\""), 1, "the process comes when it ends");
	tap_int((int)otlp.spans, 2, "and is counted, too");
	otlp.part_most = 1;
	otlp_tell("b", "start", 5, ",\"t_abs\":0.0");
	otlp_tell("b", "region_enter", 5, region);
	tap_int(put_count, 2, "what has not ended is no part");
	otlp_tell("b", "region_leave", 6, region);
	tap_int(put_count, 3, "a part of this size is put at once");
	otlp.part_most = 100000;
	otlp_tell("b", "region_enter", 7, region);
	otlp_tell("b", "region_leave", 8, region);
	tap_int(put_count, 3, "a smaller one waits");
	otlp.part_most = 0;
	otlp_tell("b", "region_enter", 9, region);
	otlp_tell("b", "region_leave", 10, region);
	tap_int(put_count, 3, "without a limit all of them do");
	tr2_walk_end(&otlp.walk);
	tap_int(count_put("\"spanId\""), 3, "until the end");
	tap_int((int)otlp.spans, 6, "each is put once");
	tr2_walk_release(&otlp.walk);
}

/* A SID is known until so many others came, twice. */
static void test_forgotten(void)
{
	char sid[2] = "b";

	begin_list();
	otlp.walk.sids_most = 3;
	tell_now("z", "start", 1);
	tell_now("a", "atexit", 1);
	for (; *sid < 'e'; ++*sid)
		tell_now(sid, "atexit", 2);
	tell_now("a", "exit", 3);
	tap_int((int)otlp.walk.late, 1,
		"a process that ended is known for long");
	for (; *sid < 'n'; ++*sid)
		tell_now(sid, "atexit", 3);
	tap_int((int)otlp.walk.late, 1,
		"the ends of other processes are not late");
	tell_now("m", "exit", 4);
	tap_int((int)otlp.walk.late, 2, "the last one is known");
	tap_ok(otlp.walk.recent.count <= 4 && otlp.walk.older.count <= 4,
	       "no more are kept");
	tell_now("a", "exit", 5);
	tap_int((int)otlp.walk.late, 2, "a process of long ago is forgotten");
	tap_int((int)otlp.walk.open.count, 2, "so it begins again");
	tell_now("z", "exit", 6);
	tap_int((int)otlp.walk.open.count, 2, "one that is open never is");
	tr2_walk_end(&otlp.walk);
	tr2_walk_release(&otlp.walk);
}

/* Those that were let go are open, too. */
static void test_kept(void)
{
	char sid[2] = "b";

	begin_list();
	otlp.walk.sids_most = 2;
	tr2_walk_skip(&otlp.walk, tr2_hash("y", 1).a);
	tell_now("z", "start", 1);
	tr2_otlp_let_go(&otlp);
	tell_now("b", "atexit", 2);
	tell_now("y", "exit", 2);
	tap_int((int)otlp.walk.begun, 2, "what was skipped is known as long");
	for (; *sid < 'n'; ++*sid)
		tell_now(sid, "atexit", 2);
	tell_now("z", "atexit", 3);
	tap_int((int)otlp.walk.begun, 13, "a process that was let go is known");
	tap_ok(finished[strlen(finished) - 1] == 'z' && !otlp.walk.aside.count,
	       "and ends");
	tr2_walk_release(&otlp.walk);
}

int main(void)
{
	tap_run(test_ends_of_logs, test_foreign, test_places, test_idle,
		test_parts, test_forgotten, test_kept);
	tr2_record_release(&record);
	return tap_done();
}
