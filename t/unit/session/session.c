/*
 * What a session and a thread are: names, those of the processes above, regions
 * beyond the room that there is, timers' names, and the memory of all of them.
 * session.txt has the cases. `{x*20}` in a word is so many x.
 */
#include "kit/memory.h"

#include <errno.h>
#include <time.h>

#include "base/buf.h"
#include "host/memory.h"
#include "kit/life.h"
#include "session/ancestry.h"
#include "session/metric.h"
#include "session/session.h"
#include "session/thread.h"

static struct tr2_host host;

static void *refuse_loudly(void *old, size_t size)
{
	errno = ENOMEM;
	return memory_realloc(old, size);
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	memory_fail_on = *word[1] != '\0';
	return NULL;
}

/*
 * ---- Names of threads
 */

/* `thread ID BASE`; behind a blank the name as JSON has it, if it differs. */
static const char *name_thread(char **word)
{
	struct tr2_thread self;
	const char *name, *json;

	memset(&self, 'z', sizeof(self));
	tr2_thread_name(&self, (unsigned)atoi(word[0]), word[1]);
	name = self.origin.thread;
	json = self.origin.thread_json;
	if (self.origin.number != (unsigned)atoi(word[0]))
		return "another number";
	return strcmp(name, json) ? script_say("%s %s", name, json)
				  : script_say("%s", name);
}

/* Nothing can be read before this text, which no cut leaves whole. */
static const char *name_at_edge(SCRIPT_NONE)
{
	struct tr2_thread self;
	char *end, *base = memory_page(&end);

	memset(base, 0x80, 40);
	tr2_thread_name(&self, 1, base);
	return script_say("%s", self.name);
}

/*
 * ---- Processes above this one
 */

static char above[4][128]; /* lines of this process, and of pids 1, 2 and 19 */
static bool is_endless;

static ssize_t tell_process(pid_t pid, char *text, size_t size)
{
	const int line = pid == 19 ? 3 : pid;
	size_t len;

	tap_need(size == 511);
	if (is_endless)
		return snprintf(text, size, "7 (%d) S 7 ", (int)pid);
	if (line < 0 || line > 3 || !*above[line])
		return -1;
	len = strlen(above[line]);
	memcpy(text, above[line], len);
	memset(text + len, ' ', size - len);
	return (ssize_t)len;
}

/* `ancestry OWN ONE TWO NINETEEN`: the names, in the order of /proc's lines. */
static const char *read_ancestry(char **word)
{
	struct tr2_ancestry *names;
	static char text[8192];
	size_t used = 0;

	for (int i = 0; i < 4; i++)
		strcpy(above[i], expand_word(word[i]));
	is_endless = !strcmp(word[0], "endless");
	names = tr2_ancestry_read();
	*text = '\0';
	for (size_t i = 0; names && names->names[i]; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s,", names->names[i]);
	memory_free(names);
	return text;
}

static const char *count_ancestry(char **word)
{
	const char *names = read_ancestry(word);
	int count = 0;

	while ((names = strchr(names, ',')))
		names++, count++;
	return script_say_number(count);
}

/*
 * ---- Sessions
 */

static struct tr2_session session;
static struct tr2_buf text;

static uint64_t tell_wall(void)
{
	return 1767323045067089u; /* 2026-01-02T03:04:05.067089Z */
}

static pid_t tell_pid(void)
{
	return 1000;
}

static int tell_hostname(char *name, size_t size)
{
	snprintf(name, size, "host.example");
	return 0;
}

/* `-` is none. */
static const char *text_or_null(const char *word)
{
	return strcmp(word, "-") ? expand_word((char *)(uintptr_t)word) : NULL;
}

/* `begin SID HIERARCHY`; `begin again`: below what it has. */
static const char *begin_session(char **word)
{
	const bool is_again = !strcmp(word[0], "again");
	const char *sid = is_again ? session.sid : text_or_null(word[0]);
	const char *name = is_again ? session.hierarchy : text_or_null(word[1]);
	char *const old[] = { session.sid, session.hierarchy };
	const int failed = tr2_session_begin(&session, sid, name);

	if (failed && (session.sid != old[0] || session.hierarchy != old[1]))
		return "another session";
	return failed == -1 ? "none" : failed ? "another answer" : "begun";
}

static const char *tell_name(char **word)
{
	return tr2_session_name(&session, text_or_null(word[0]), &text);
}

static const char *tell_name_length(char **word)
{
	return script_say_number((intmax_t)strlen(tell_name(word)));
}

static const char *has_hierarchy(SCRIPT_NONE)
{
	return script_say_yes(session.hierarchy);
}

static void forget_session(void)
{
	for (size_t i = 0; i < session.old_count; i++)
		memory_free(session.old[i]);
	memory_free(session.old);
	if (session.sid_json != session.sid)
		memory_free(session.sid_json);
	memory_free(session.sid);
	memory_free(session.hierarchy);
	memset(&session, 0, sizeof(session));
	tr2_buf_release(&text);
}

/*
 * ---- Timers
 */

static struct tr2_metrics metrics;

/* Each needs two texts, and an array at first. */
static const char *add_timer(char **word)
{
	return script_say_number(tr2_metrics_add(
		&metrics, text_or_null(word[0]), text_or_null(word[1]), 2));
}

/* `many COUNT`: is that quick? */
static const char *add_timers(char **word)
{
	const clock_t begin = clock();
	char name[32];

	for (int i = atoi(word[0]); i; i--) {
		snprintf(name, sizeof(name), "a timer of many %d", i);
		tr2_metrics_add(&metrics, NULL, name, 0);
	}
	return script_say_yes(clock() - begin < 2 * CLOCKS_PER_SEC);
}

static const char *tell_timers(SCRIPT_NONE)
{
	const struct tr2_metric *last = &metrics.metric[metrics.count - 1];

	return script_say("%zu of %zu: %s/%s %d", metrics.count, metrics.room,
			  last->category, last->name, last->per_thread);
}

/* `fold VALUE MORE`: what a share, with more counters, adds to the first one. */
static const char *fold_shares(char **word)
{
	struct tr2_shares share = { 0 };

	tr2_counter_add(&share, 1, (uint64_t)atoi(word[0]));
	tr2_counter_add(&share, 1 + atoi(word[1]), 0);
	tr2_metrics_fold(&metrics, &share);
	tr2_metrics_fold(&metrics, &share);
	memory_free(share.measure);
	return script_say_number((intmax_t)metrics.metric->total.total);
}

static void forget_timers(void)
{
	for (size_t i = 0; i < metrics.count; i++) {
		memory_free(metrics.metric[i].category);
		memory_free(metrics.metric[i].name);
	}
	memory_free(metrics.metric);
	memset(&metrics, 0, sizeof(metrics));
}

/*
 * ---- Arrays, and regions
 */

static bool is_zero(const char *bytes, size_t len)
{
	while (len--)
		if (bytes[len])
			return false;
	return true;
}

static void test_arrays(void)
{
	size_t room = 0, few = 0;
	uint32_t *array = tr2_memory_grow(NULL, &room, 0, sizeof(*array));

	tap_ok(room == 4 && is_zero((char *)array, 4 * sizeof(*array)),
	       "an array begins with zeros, and room for four");
	memset(array, 1, 4 * sizeof(*array));
	tap_ok(tr2_memory_grow(array, &room, 3, sizeof(*array)) == array,
	       "an array with room stays");
	array = tr2_memory_grow(array, &room, 4, sizeof(*array));
	tap_ok(room == 8 && array[3] == 0x01010101 &&
		       is_zero((char *)(array + 4), 4 * sizeof(*array)),
	       "an array that grows has the double room, and zeros there");
	array = tr2_memory_grow(array, &room, 63, sizeof(*array));
	tap_int((intmax_t)room, 64, "room is doubled until it is enough");
	memory_fail(1);
	errno = 77;
	tap_ok(!tr2_memory_grow(array, &room, 64, sizeof(*array)) &&
		       room == 64 && array[0] == 0x01010101 && errno == 77,
	       "an array that can't grow stays as it is, as does errno");
	memory_fail(1);
	tap_ok(!tr2_memory_grow(NULL, &few, SIZE_MAX / 4 / 8, 8) &&
		       memory_calls == 1,
	       "the system may refuse the largest array");
	memory_fail(0);
	tap_ok(!tr2_memory_grow(NULL, &few, SIZE_MAX, 1) &&
		       !tr2_memory_grow(NULL, &few, SIZE_MAX / 8, 8) && !few,
	       "there is an end to arrays");
	memory_free(array);
}

static void test_regions(void)
{
	struct tr2_thread *self = tr2_thread_begin(&session, 0, "main", 1000);
	int wrong = 0;

	for (int i = 0; i < 20; i++)
		tr2_thread_enter(self, 1);
	for (int i = 0; i < 20; i++)
		wrong += tr2_thread_leave(self, 3) != 2;
	for (unsigned i = 1; i <= 40; i++) {
		wrong += tr2_thread_open_regions(self) != i - 1;
		tr2_thread_enter(self, 1000 + i);
		wrong += tr2_thread_in_region(self, 2000) != 1000 - i;
	}
	tap_int((intmax_t)self->frames_room, 64, "room for regions is doubled");
	for (unsigned i = 40; i >= 1; i--)
		wrong += tr2_thread_leave(self, 2000) != 1000 - i;
	tap_int(wrong, 0, "forty open regions know when they began");
	tap_ok(tr2_thread_leave(self, 2000) == 1000 &&
		       !tr2_thread_leave(self, 2000) && !self->open &&
		       !tr2_thread_open_regions(self),
	       "behind regions is the thread, and behind it no time");
	for (int i = 0; i < 3; i++)
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
	tap_ok(!memory_calls && tr2_thread_in_region(self, 100) == 85,
	       "fifteen regions need no memory");
	tr2_thread_enter(self, 16);
	tr2_thread_enter(self, 17);
	tap_ok(tr2_thread_open_regions(self) == 17 && !self->place &&
		       !self->saved_errno,
	       "regions without room are counted");
	tap_ok(!tr2_thread_leave(self, 100) && !tr2_thread_leave(self, 100) &&
		       tr2_thread_leave(self, 100) == 85,
	       "a region without room has no time, and the others keep theirs");
	memory_fail_on = 0;
	memory_fail(0);
	tr2_thread_end(self);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "memory", fail_memory }, { "thread", name_thread },
	{ "thread-at-edge", name_at_edge }, { "ancestry", read_ancestry },
	{ "count-ancestry", count_ancestry }, { "begin", begin_session },
	{ "name", tell_name }, { "name-length", tell_name_length },
	{ "has-hierarchy", has_hierarchy }, { "timer", add_timer },
	{ "many", add_timers }, { "timers", tell_timers }, { "fold", fold_shares }, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	memory_fail_on = 0;
	memory_fail(0);
	forget_session();
	forget_timers();
	while (life_kept.count)
		free(life_kept.word[--life_kept.count]);
	if (memory_live)
		script_fail("no memory left", "some");
}

int main(void)
{
	char *cases = script_read(__FILE__);

	host = tr2_host_system;
	host.process_stat = tell_process;
	host.wall_us = tell_wall;
	host.getpid = tell_pid;
	host.hostname = tell_hostname;
	memory_install(&host);
	host.realloc = refuse_loudly;
	tap_run(test_arrays, test_regions, test_no_room);
	script_run(cases, verbs, NULL, end_case);
	return tap_done();
}
