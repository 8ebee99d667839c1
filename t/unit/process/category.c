/*
 * The setting that lists categories: what a program without the calls that
 * are left out would write. Each story is a child with a target of its own,
 * which gets what the text targets get.
 */
#define _GNU_SOURCE /* memmem */
#include "trace2-target.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/tap.h"

#define SLOW_NS 20000000

static int out;			      /* the pipe */
static uint64_t mono_ns = 1000000000; /* the clock of the stories */

static uint64_t tell_mono_ns(void)
{
	return mono_ns;
}

/* Name, nesting and category or message, and whether t_rel is that of `slow`. */
static int show_event(void *data, const struct trace2_event *event)
{
	struct trace2_field field;
	char text[256];
	int len = snprintf(text, sizeof(text), "%s", event->name);
	unsigned i;

	(void)data;
	if (!strcmp(event->name, "version"))
		return 1;
	for (i = 0; trace2_event_field(event, i, &field); i++) {
		if (!strcmp(field.key, "nesting"))
			len += snprintf(text + len, 64, " %d",
					(int)field.number);
		if (!strcmp(field.key, "t_rel") && field.number >= SLOW_NS)
			len += snprintf(text + len, 64, " slow");
		if (!strcmp(field.key, "label") || !strcmp(field.key, "msg"))
			len += snprintf(text + len, 128, " %s", field.text);
	}
	text[len++] = ';';
	return write(out, text, (size_t)len) == len;
}

static const struct trace2_target target = { .event = show_event };

static const char *run_story(const char *list, void (*story)(void))
{
	static char text[65536];
	size_t len = 0;
	struct tr2_host host = *tr2_host;
	ssize_t got;
	int ends[2], status;

	tap_need(!pipe(ends));
	if (!fork()) {
		host.mono_ns = tell_mono_ns;
		tr2_host = &host;
		out = ends[1];
		setenv("GIT_TRACE2_CATEGORIES", list, 1);
		setenv("GIT_TRACE2_EVENT", "/dev/null", 1);
		trace2_add_target(&target, NULL);
		trace2_initialize();
		story();
		_exit(trace2_dropped() > 0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(ends[0]);
	wait(&status);
	text[len] = '\0';
	return status ? "an event that is left out counts as lost" : text;
}

/*
 * Both ways to enter and to leave, with no target but FXT, and one leave too
 * many, which is refused only if one before it was too many, too.
 */
static void mix_calls(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		trace2_region_enter_printf("b", "1", TRACE2_REPO_NONE, "m");
		trace2_region_leave("b", "1", TRACE2_REPO_NONE);
	}
	trace2_region_leave_printf(NULL, "1", TRACE2_REPO_NONE, "m");
}

/* Does the archive of a process say that a region was left too often? */
static int has_refusal(const char *list)
{
	static const char words[] = "region_leave without";
	static char bytes[1 << 20];
	char path[] = "/tmp/trace2-unit-XXXXXX";
	const int file = mkstemp(path);
	ssize_t len;

	if (!fork()) {
		setenv("GIT_TRACE2_CATEGORIES", list, 1);
		setenv("GIT_TRACE2_FXT", path, 1);
		trace2_initialize();
		mix_calls();
		exit(0);
	}
	wait(NULL);
	len = read(file, bytes, sizeof(bytes));
	close(file);
	unlink(path);
	return len < 100 || memmem(bytes, (size_t)len, words, strlen(words));
}

static void nest_regions(void)
{

	trace2_region_enter("a", "1", TRACE2_REPO_NONE);
	mono_ns += SLOW_NS;
	trace2_region_enter("b", "2", TRACE2_REPO_NONE);
	trace2_data_string("a", TRACE2_REPO_NONE, "k", "v");
	trace2_data_string("b", TRACE2_REPO_NONE, "k", "v");
	trace2_region_leave("b", "2", TRACE2_REPO_NONE);
	trace2_region_leave("a", "1", TRACE2_REPO_NONE);
	trace2_printf("end");
}

/* One leave too many of each. */
static void leave_too_often(void)
{
	trace2_region_enter("b", "1", TRACE2_REPO_NONE);
	trace2_region_leave("a", "x", TRACE2_REPO_NONE);
	trace2_region_leave("b", "1", TRACE2_REPO_NONE);
	trace2_region_leave("a", "x", TRACE2_REPO_NONE);
	trace2_region_leave("b", "2", TRACE2_REPO_NONE);
	trace2_region_leave("a", "x", TRACE2_REPO_NONE);
	trace2_region_leave("b", "3", TRACE2_REPO_NONE);
	trace2_region_enter("b", "4", TRACE2_REPO_NONE);
}

static void start_on_main(void)
{
	trace2_thread_start("m");
	trace2_region_enter("b", "1", TRACE2_REPO_NONE);
	trace2_region_leave("b", "1", TRACE2_REPO_NONE);
	trace2_thread_exit();
	trace2_data_string(NULL, TRACE2_REPO_NONE, "k", "v");
	trace2_data_string("", TRACE2_REPO_NONE, "k", "v");
}

/* Nothing is open any more. */
static void exit_too_often(void)
{
	trace2_region_leave("b", "1", TRACE2_REPO_NONE);
	trace2_thread_exit();
	trace2_thread_exit();
	trace2_region_enter("b", "2", TRACE2_REPO_NONE);
}

int main(void)
{
	tap_str(run_story("", nest_regions),
		"region_enter 1 1;region_enter 2 2;data 3;data 3;"
		"region_leave 2 2;region_leave slow 1 1;printf end;",
		"without a list everything is shown");
	tap_str(run_story("b", nest_regions),
		"region_enter 1 2;data 2;region_leave 1 2;printf end;",
		"a region that is left out does not count");
	tap_str(run_story("a,x", nest_regions),
		"region_enter 1 1;data slow 2;region_leave slow 1 1;printf end;",
		"a fact belongs to the innermost region that is shown");
	tap_str(run_story("c", nest_regions), "printf end;",
		"messages have no category that counts");
	tap_str(run_story("b", leave_too_often),
		"region_enter 1 1;region_leave 1 1;region_leave 0 2;"
		"error trace2: region_leave without region_enter;"
		"region_enter 0 4;",
		"a leave that is left out closes nothing");
	tap_str(run_story("b", start_on_main),
		"region_enter 1 1;region_leave 1 1;",
		"a thread-proc on main has no category");
	tap_str(run_story("b", exit_too_often),
		"region_leave 0 1;region_enter 0 2;",
		"a thread-proc on main that is left out closes nothing");
	tap_str(run_story("trace2", start_on_main),
		"region_enter 1 thread-proc on main: m;"
		"region_leave 1 thread-proc on main;data 1;data 1;",
		"what has no category has the category trace2");
	tap_int(has_refusal("trace2"), 0,
		"with binary targets alone each region counts");
	return tap_done();
}
