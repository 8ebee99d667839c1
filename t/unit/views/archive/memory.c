/* What the processes of logs have in memory, and when there is none. */
#define _GNU_SOURCE /* kit/short.h needs it */
#include "kit/validate.h"
#include "kit/short.h"
#include "views/archive/logs_kit.h"

static void test_reserve(void)
{
	struct tr2_buf buf = TR2_BUF_INIT;
	size_t room, grown = 0, i;

	tr2_run_reserve(&buf, 10);
	tap_int((intmax_t)buf.room, 10, "the first room is as much as needed");
	tr2_buf_add(&buf, "0123456789", 10);
	tr2_run_reserve(&buf, 0);
	tap_int((intmax_t)buf.room, 10, "nothing needs no more room");
	tr2_run_reserve(&buf, 1);
	tap_ok(buf.room > 11 && buf.room <= 32,
	       "later there is room for some more");
	room = buf.room;
	tr2_run_reserve(&buf, room - 10);
	tap_int((intmax_t)buf.room, (intmax_t)room,
		"what fits exactly needs no more");
	for (i = 0; i < 10000; i++, room = buf.room) {
		tr2_run_reserve(&buf, 1);
		grown += buf.room != room;
		tr2_buf_byte(&buf, 'x');
	}
	tap_ok(grown > 5 && grown < 20, "room grows by a part of itself");
	tap_ok(buf.len == 10010 && !memcmp(buf.bytes, "0123456789x", 11),
	       "what is there stays");
	tr2_buf_release(&buf);
}

/* Texts with escapes and without, words, open slices and children. */
static void tell_process(const char *sid)
{
	tell_event(sid, 10, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_start(sid, 20, "\"git\",\"a\\u00e9b\",\"\"");
	tell_event(sid, 30, "novel", "\"k\\u0065y\":\"v\",\"words\":[\"x y\"]");
	tell_event(sid, 40, "region_enter", "\"label\":\"l\\u00e9\"");
	tell_event(sid, 50, "child_start", "\"child_id\":3,\"argv\":[\"b\"]");
	tell_event(sid, 51, "child_start", "\"child_id\":4,\"argv\":[\"c\"]");
	tell_event(sid, 52, "child_exit", "\"child_id\":3");
	tell_event(sid, 53, "child_start", "\"child_id\":5,\"argv\":[\"d\"]");
	thread_name = "th01:x";
	tell_event(sid, 60, "thread_start", "");
	tell_event(sid, 61, "thread_exit", "");
	thread_name = "th02:y";
	tell_event(sid, 62, "thread_start", "");
	tell_event(sid, 63, "region_enter", "\"label\":\"m\"");
	thread_name = "main";
}

/* The second is the first one's child, and a third one waits for its parent. */
static void tell_story(void)
{
	begin_logs();
	tell_process(GIT);
	tell_process(CHILD);
	tell_process(SID("07") "/" SID("08"));
	tell_event(CHILD, 70, "atexit", "\"code\":0");
	tell_event(GIT, 80, "signal", "\"signo\":2");
	tr2_logs_end(&logs);
	tr2_record_release(&event);
	memset(&event, 0, sizeof(event));
}

/* Each call for memory of the library's fails in turn. */
static void test_no_memory(void)
{
	int call, ended = 0, told = 0, silent = 0;

	tr2_buf_release(&archive);
	for (call = 1;; call++) {
		fail_from(call);
		if (kit_runs_out(tell_story))
			ended++;
		else if (!has_failed())
			break;
		else if (archive.failed)
			told++;
		else
			silent++;
		tr2_buf_release(&archive);
		memset(&event, 0, sizeof(event));
	}
	fail_from(0);
	tap_ok(ended > 10, "who lacks memory for a text ends");
	tap_ok(told > 0, "who lacks memory for the archive knows it");
	tap_int(silent, 0, "no text is left out for want of memory");
}

int main(void)
{
	test_reserve();
	short_install();
	test_no_memory();
	tr2_buf_release(&archive);
	return tap_done();
}
