/*
 * The identity of a process: exact session ids, names below names, and texts
 * that are too long; each also when memory fails.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "base/buf.h"
#include "session/session.h"

#define OWN "20260102T030405.067089Z-H63cf98d4-P000003e8"
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
	size_t i;

	for (i = 0; i < session->old_count; i++)
		memory_free(session->old[i]);
	memory_free(session->old);
	if (session->sid_json != session->sid)
		memory_free(session->sid_json);
	memory_free(session->sid);
	memory_free(session->hierarchy);
	memset(session, 0, sizeof(*session));
}

static void test_ids(void)
{
	static const struct {
		const char *parent, *sid, *json;
		unsigned depth;
	} cases[] = {
		{ NULL, OWN, OWN, 0 },
		{ "", OWN, OWN, 0 },
		{ "up", "up/" OWN, "up/" OWN, 1 },
		{ "a/b", "a/b/" OWN, "a/b/" OWN, 2 },
		{ "\"", "\"/" OWN, "\\\"/" OWN, 1 },
	};
	struct tr2_session session = { 0 };
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tap_int(tr2_session_begin(&session, cases[i].parent, NULL), 0,
			cases[i].sid);
		snprintf(name, sizeof(name), "session id %zu is built", i);
		tap_str(session.sid, cases[i].sid, name);
		snprintf(name, sizeof(name), "session id %zu is escaped", i);
		tap_str(session.sid_json, cases[i].json, name);
		snprintf(name, sizeof(name), "session id %zu has a length", i);
		tap_int((intmax_t)session.sid_json_len,
			(intmax_t)strlen(cases[i].json), name);
		snprintf(name, sizeof(name), "session id %zu has a depth", i);
		tap_int(session.depth, cases[i].depth, name);
		snprintf(name, sizeof(name), "session id %zu ends as such", i);
		tap_str(session.component, OWN, name);
		forget_session(&session);
	}
	tap_int((intmax_t)hostname_room, 256, "host names have 255 bytes");
	no_hostname = 1;
	tr2_session_begin(&session, NULL, NULL);
	tap_str(session.sid, "20260102T030405.067089Z-Localhost-P000003e8",
		"a host may have no name");
	no_hostname = 0;
	forget_session(&session);
}

/* The sid below a parent of `first` bytes, a slash and `last` bytes. */
static const char *draw_below(struct tr2_session *session, size_t first,
			      size_t last)
{
	static char parent[3 * MOST];

	memset(parent, 'a', first);
	parent[first] = '/';
	memset(parent + first + 1, 'b', last);
	parent[first + 1 + last] = '\0';
	forget_session(session);
	tr2_session_begin(session, parent, NULL);
	return session->sid;
}

static void test_long_parents(void)
{
	struct tr2_session session = { 0 };
	static char text[MOST + 2];

	tap_int((intmax_t)strlen(draw_below(&session, 1, MOST - 2)),
		MOST + (intmax_t)sizeof(OWN), "a long parent is kept");
	tap_int((intmax_t)strlen(draw_below(&session, 1, MOST - 1)),
		MOST - 1 + (intmax_t)sizeof(OWN),
		"of a parent that is too long the last part stays");
	tap_int(session.sid[0], 'b', "the last part begins behind the slash");
	tap_int((intmax_t)strlen(draw_below(&session, 0, MOST)),
		MOST + (intmax_t)sizeof(OWN), "a last part may be long");
	tap_str(draw_below(&session, 0, MOST + 1), OWN,
		"a last part that is too long goes");
	memset(text, 'a', MOST + 1);
	forget_session(&session);
	tr2_session_begin(&session, text, text);
	tap_str(session.sid, OWN, "a parent of one part that is too long goes");
	tap_ok(!session.hierarchy, "a name that is too long goes");
	text[MOST] = '\0';
	forget_session(&session);
	tr2_session_begin(&session, NULL, text);
	tap_str(session.hierarchy, text, "a long name is kept");
	forget_session(&session);
}

static struct tr2_buf text;

static void test_names(void)
{
	struct tr2_session session = { 0 };

	tr2_session_begin(&session, NULL, "");
	tap_ok(!session.hierarchy, "an empty name of a parent is none");
	tap_str(tr2_session_name(&session, "one", &text), "one",
		"a name stands alone");
	forget_session(&session);
	tr2_session_begin(&session, NULL, "outer");
	tap_str(session.hierarchy, "outer", "a parent's name is kept");
	tap_str(tr2_session_name(&session, "in", &text), "outer/in",
		"a name stands below its parent's");
	tap_str(session.hierarchy, "outer/in", "the hierarchy is kept");
	tap_int((intmax_t)session.old_count, 0, "only the last one is kept");
	tr2_session_begin(&session, session.sid, session.hierarchy);
	tap_str(session.hierarchy, "outer/in",
		"a child inherits the hierarchy");
	tap_str(session.sid, OWN "/" OWN, "a child is below its parent");
	tap_ok(session.sid_json == session.sid,
	       "a session id that JSON takes as it is is one text");
	tap_int((intmax_t)session.old_count, 1, "the parent's stays");
	tap_int((intmax_t)session.old_room, 4, "one text has room for four");
	tr2_session_begin(&session, "\"", session.hierarchy);
	tap_ok(session.sid_json != session.sid, "another one is two texts");
	tr2_session_begin(&session, NULL, NULL);
	tap_int((intmax_t)session.old_count, 4, "and both of them stay");
	tr2_session_begin(&session, NULL, NULL);
	tap_int((intmax_t)session.old_room, 8, "five texts need more room");
	forget_session(&session);
	tap_int(memory_live, 1, "no text of a session is lost");
}

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
	int call, result, wrong = 0;

	tr2_buf_release(&text);
	for (call = 1; call <= 3; call++) {
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
	for (call = 1; call <= 3; call++) {
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

int main(void)
{
	struct tr2_host host = tr2_host_system;

	host.wall_us = fixed_wall;
	host.getpid = fixed_pid;
	host.hostname = fixed_hostname;
	memory_install(&host);
	tap_run(test_ids, test_long_parents, test_names, test_new_hierarchy,
		test_memory);
	tap_int(memory_broken, 0, "sessions write into their memory alone");
	return tap_done();
}
