/*
 * What a session and a thread are: names, regions beyond the room that there is,
 * and their memory.
 */
#include "kit/memory.h"
#include "kit/tap.h"
#include "base/buf.h"
#include "session/session.h"
#include "session/thread.h"

/*
 * ---- Session
 */

#define MOST 65536

static int no_hostname;
static size_t hostname_room;

static uint64_t fixed_wall(void)
{
	return 1767323045067089u; /* 2026-01-02T03:04:05.067089Z */
}

static pid_t fixed_pid(void)
{
	return 1000;
}

static int fixed_hostname(char *name, size_t size)
{
	hostname_room = size;
	snprintf(name, size, "host.example");
	return no_hostname ? -1 : 0;
}

static void forget_session(struct tr2_session *session)
{
	for (size_t i = 0; i < session->old_count; i++)
		memory_free(session->old[i]);
	memory_free(session->old);
	if (session->sid_json != session->sid)
		memory_free(session->sid_json);
	memory_free(session->sid);
	memory_free(session->hierarchy);
	memset(session, 0, sizeof(*session));
}

static struct tr2_buf text;

/* A name of `len` bytes after one of 1000. */
static size_t name_again(struct tr2_session *session, size_t len)
{
	static char name[MOST];

	forget_session(session);
	tr2_session_begin(session, NULL, NULL);
	memset(name, 'n', sizeof(name));
	name[1000] = '\0';
	tr2_session_name(session, name, &text);
	name[1000] = 'n';
	name[len] = '\0';
	return strlen(tr2_session_name(session, name, &text));
}

static void test_new_hierarchy(void)
{
	struct tr2_session session = { 0 };
	static char parent[2000];

	tap_int((intmax_t)name_again(&session, 23), 1024,
		"a name that fits is appended");
	tap_int((intmax_t)name_again(&session, 24), 24,
		"a name that does not fit begins a new hierarchy");
	tap_int((intmax_t)strlen(session.hierarchy), 24,
		"the new hierarchy takes the old one's place");
	forget_session(&session);
	memset(parent, 'p', sizeof(parent) - 1);
	tr2_session_begin(&session, NULL, parent);
	tap_int((intmax_t)strlen(tr2_session_name(&session, "n", &text)), 2001,
		"the first name is below its parent's, however long that is");
	tap_str(tr2_session_name(&session, "m", &text), "m",
		"the second name then begins a new hierarchy");
	forget_session(&session);
}

/* Every call for memory fails in turn: what is begun is all or nothing. */
static void test_memory(void)
{
	struct tr2_session session = { 0 };
	char *sid, *hierarchy;
	int result, wrong = 0;

	tr2_buf_release(&text);
	for (int call = 1; call <= 3; call++) {
		memory_fail(call);
		wrong += tr2_session_begin(&session, "up", NULL) != -1 ||
			 session.sid || memory_live;
	}
	tap_int(wrong, 0, "a session that finds no memory is none");
	memory_fail(4);
	tap_int(tr2_session_begin(&session, "up", "name"), 0,
		"a session needs no name of a parent");
	tap_ok(!session.hierarchy, "a name that finds no memory is none");
	memory_fail(1);
	tap_str(tr2_session_name(&session, "one", &text), "one",
		"a name that finds no room stands alone");
	memory_fail(0);
	tr2_session_name(&session, "one", &text);
	sid = session.sid;
	hierarchy = session.hierarchy;
	memory_fail(1);
	tap_str(tr2_session_name(&session, "two", &text), "one/two",
		"a hierarchy that finds no memory is not kept");
	for (int call = 1; call <= 3; call++) {
		memory_fail(call);
		result = tr2_session_begin(&session, sid, hierarchy);
		wrong += result != -1;
	}
	tap_ok(!wrong && session.sid == sid && session.hierarchy == hierarchy,
	       "a session that finds no memory stays as it was");
	tr2_session_begin(&session, sid, hierarchy);
	tr2_session_begin(&session, session.sid, NULL);
	tr2_session_name(&session, "three", &text);
	tr2_session_begin(&session, "up", NULL);
	memory_fail(4);
	tap_int(tr2_session_begin(&session, "up", NULL), -1,
		"a session needs room for what it replaces");
	memory_fail(0);
	forget_session(&session);
	tr2_buf_release(&text);
	tap_int(memory_live, 0, "a session that finds no memory loses none");
}

static void run_session(void)
{
	struct tr2_host host = tr2_host_system;

	host.wall_us = fixed_wall;
	host.getpid = fixed_pid;
	host.hostname = fixed_hostname;
	memory_install(&host);
	tap_run(test_new_hierarchy, test_memory);
	tap_int(memory_broken, 0, "sessions write into their memory alone");
}

/*
 * ---- Thread
 */

static const struct tr2_session session = {
	.sid_json = (char[]){ "one/two" },
	.sid_json_len = 7,
	.depth = 1,
};

static void test_names(void)
{
	static const struct {
		unsigned id;
		const char *base, *name, *json;
	} cases[] = {
		{ 0, "main", "main", "main" },
		{ 1, "x", "th01:x", "th01:x" },
		{ 9, "x", "th09:x", "th09:x" },
		{ 10, "x", "th10:x", "th10:x" },
		{ 99, "", "th99:", "th99:" },
		{ 100, "x", "th100:x", "th100:x" },
		{ 0, "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx",
		  "abcdefghijklmnopqrstuvwx" },
		{ 0, "abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuvwx",
		  "abcdefghijklmnopqrstuvwx" },
		{ 1, "abcdefghijklmnopqrst", "th01:abcdefghijklmnopqrs",
		  "th01:abcdefghijklmnopqrs" },
		{ 1, "abcdefghijklmnopqr\xc3\xa9", "th01:abcdefghijklmnopqr",
		  "th01:abcdefghijklmnopqr" },
		{ 1, "abcdefghijklmnopq\xc3\xa9z",
		  "th01:abcdefghijklmnopq\xc3\xa9",
		  "th01:abcdefghijklmnopq\xc3\xa9" },
		{ 1, "abcdefghijklmnop\xf0\x9f\x98\x80",
		  "th01:abcdefghijklmnop", "th01:abcdefghijklmnop" },
		{ 0, "\"\n", "\"\n", "\\\"\\n" },
		{ 0,
		  "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
		  "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01",
		  "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
		  "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01",
		  "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
		  "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
		  "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
		  "\\u0001" },
	};
	struct tr2_thread self;
	char about[64];

	memset(&self, 'z', sizeof(self));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tr2_thread_name(&self, cases[i].id, cases[i].base);
		snprintf(about, sizeof(about), "thread name %zu fits", i);
		tap_str(self.origin.thread, cases[i].name, about);
		snprintf(about, sizeof(about), "thread name %zu is escaped", i);
		tap_str(self.origin.thread_json, cases[i].json, about);
		snprintf(about, sizeof(about), "thread name %zu has its id", i);
		tap_int(self.origin.number, cases[i].id, about);
	}
}

/* Nothing can be read before this text, which no cut leaves whole. */
static void test_name_at_edge(void)
{
	struct tr2_thread self;
	char *end, *base = memory_page(&end);

	memset(base, 0x80, 40);
	tr2_thread_name(&self, 1, base);
	tap_str(self.name, "th01:", "a name may be cut to nothing");
}

static void test_regions(void)
{
	struct tr2_thread *self = tr2_thread_begin(&session, 0, "main", 1000);
	int wrong = 0;

	for (int i = 1; i <= 20; i++)
		tr2_thread_enter(self, 1);
	for (int i = 1; i <= 20; i++)
		wrong += tr2_thread_leave(self, 3) != 2;
	for (int i = 1; i <= 40; i++) {
		wrong += tr2_thread_open_regions(self) != (unsigned)i - 1;
		tr2_thread_enter(self, 1000 + (uint64_t)i);
		wrong += tr2_thread_in_region(self, 2000) != 1000 - (uint64_t)i;
	}
	tap_int(wrong, 0, "forty regions may be open");
	tap_int((intmax_t)self->frames_room, 64, "room for them is doubled");
	for (int i = 40; i >= 1; i--)
		wrong += tr2_thread_leave(self, 2000) != 1000 - (uint64_t)i;
	tap_int(wrong, 0, "forty regions know when they began");
	tap_int((intmax_t)tr2_thread_leave(self, 2000), 1000,
		"behind them there is the thread");
	tap_int((intmax_t)tr2_thread_leave(self, 2000), 0,
		"behind the thread there is no time");
	tap_int(tr2_thread_open_regions(self), 0, "nothing is open then");
	tr2_thread_leave(self, 2000);
	tap_int(self->open, 0, "leaving too often changes nothing");
	tr2_thread_enter(self, 5);
	tr2_thread_enter(self, 5);
	tr2_thread_enter(self, 5);
	tr2_thread_unwind(self);
	tap_int(self->open, 1, "unwinding leaves the thread alone open");
	tr2_thread_end(self);
}

static void test_no_room(void)
{
	struct tr2_thread *self = tr2_thread_begin(&session, 0, "main", 0);

	memory_fail_on = 1;
	memory_fail(1);
	for (int i = 1; i < TR2_REGIONS_INLINE; i++)
		tr2_thread_enter(self, (uint64_t)i);
	tap_int(memory_calls, 0, "fifteen regions need no memory");
	tap_int((intmax_t)tr2_thread_in_region(self, 100), 85,
		"the last region that has room has a time");
	tr2_thread_enter(self, 16);
	tr2_thread_enter(self, 17);
	tap_ok(!self->place && !self->saved_errno, "no time is kept elsewhere");
	tap_int(tr2_thread_open_regions(self), 17,
		"regions without room are counted");
	tap_int((intmax_t)tr2_thread_leave(self, 100), 0,
		"a region without room has no time");
	tap_int((intmax_t)tr2_thread_leave(self, 100), 0,
		"the first region without room has no time");
	tap_int((intmax_t)tr2_thread_leave(self, 100), 85,
		"regions with room keep their times");
	memory_fail_on = 0;
	memory_fail(0);
	tr2_thread_end(self);
}

static void run_thread(void)
{
	struct tr2_host host = tr2_host_system;

	memory_install(&host);
	tap_run(test_names, test_name_at_edge, test_regions, test_no_room);
	tap_int(memory_live, 0, "no memory of threads is lost");
	tap_int(memory_broken, 0, "threads write into their memory alone");
}

int main(void)
{
	tap_run(run_session, run_thread);
	return tap_done();
}
