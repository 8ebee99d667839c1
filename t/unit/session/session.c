/*
 * The identity of a process: exact session ids, names below names, and texts
 * that are too long; each also when memory fails.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "base/buf.h"
#include "session/session.h"

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
	tap_run(test_new_hierarchy, test_memory);
	tap_int(memory_broken, 0, "sessions write into their memory alone");
	return tap_done();
}
