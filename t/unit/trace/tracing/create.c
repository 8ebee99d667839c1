/*
 * Tracing objects, which have letters here; the test plays the agent and the
 * file, which note how they are called. create.txt has the cases.
 */
#include "kit/memory.h"

#include "kit/fork_note.h"
#include "kit/locks.h"
#include "kit/script.h"
#include "trace/agent/agent.h"
#include "trace/agent/hurry.h"
#include "trace/tracing.h"
#include "trace/tracing/chrome_file.h"

static int file_error, change_error, is_child, forks_inside;
static const char *wanted; /* categories that clients ask for */
static void (*at_exit)(int code);
static struct tr2_chrome_file *file;
static struct trace_tracing *objects['z' + 1];

/*
 * ---- The agent and the file
 */

static int note_at_exit(void (*fn)(int code))
{
	at_exit = fn;
	return 0;
}

static pid_t tell_pid(void)
{
	return 77 + is_child;
}

/* While a file is opened all is locked, but not in a child. */
static void fork_now(void)
{
	forks_inside = 0;
	locks_wrong = 0;
	in_child();
	trace_tracing_is_enabled(objects['a']);
	add_note("in a child %d; ", locks_wrong);
}

int tr2_chrome_file_begin(struct tr2_chrome_file *begun, int fd)
{
	file = begun;
	add_note("file %s %s %s %d%s%s; ", file->pattern,
		 file->client.categories,
		 file->variable ? file->variable : "silent", (int)file->events,
		 file->nested ? " nested" : "", fd < 0 ? "" : " fd");
	if (forks_inside)
		fork_now();
	file->rotation++;
	errno = EXDEV;
	return file_error;
}

void tr2_chrome_file_end(struct tr2_chrome_file *ended)
{
	add_note("end%s; ", ended == file ? "" : " another");
	errno = EXDEV;
}

void tr2_chrome_file_forget(struct tr2_chrome_file *forgotten)
{
	add_note("forget%s; ", forgotten == file ? "" : " another");
}

int tr2_agent_change(struct tr2_agent_client *client, const char *categories)
{
	add_note("change %s%s; ", client == &file->client ? "" : "another ",
		 categories);
	errno = EXDEV;
	return change_error;
}

const char *tr2_agent_categories(void)
{
	return wanted;
}

void tr2_agent_flush(void)
{
	add_note("flush; ");
	errno = EXDEV;
}

void tr2_hurry_call(void)
{
	add_note("call; ");
}

void tr2_agent_observe(struct trace_observer *observer)
{
	add_note("observe%s; ", observer->started ? " ?" : "");
}

void tr2_agent_unobserve(struct trace_observer *observer)
{
	add_note("unobserve%s; ", observer->started ? " ?" : "");
}

/*
 * ---- The objects
 */

/* `enable abc`: each of these. What was noted, after the error. */
static const char *call_each(int (*call)(struct trace_tracing *),
			     const char *letters)
{
	int error = 0;

	for (; *letters; letters++) {
		errno = EDOM;
		error = call(objects[(int)*letters]);
		if (errno != EDOM)
			return "errno";
	}
	return error ? script_say("%s: %s", script_say_error(error),
				  get_notes())
		     : NULL;
}

/* `make a x y`: the object a has these categories; `make abc`: a, b and c. */
static const char *make_objects(char **word)
{
	const char *names[SCRIPT_WORDS], *letter = word[0];
	size_t count = 0;

	while (count < SCRIPT_WORDS - 2 && *word[count + 1]) {
		names[count] = word[count + 1];
		if (!strcmp(names[count], "NULL"))
			names[count] = NULL;
		count++;
	}
	errno = 0;
	for (; *letter; letter++) {
		if (!*word[1])
			names[0] = script_say("%c", *letter), count = 1;
		if (!strcmp(word[1], "none"))
			count = 0;
		objects[(int)*letter] = trace_tracing_create(names, count);
		if (!objects[(int)*letter])
			return script_say_error(errno);
	}
	return NULL;
}

static const char *enable_objects(char **word)
{
	return call_each(trace_tracing_enable, word[0]);
}

static const char *disable_objects(char **word)
{
	return call_each(trace_tracing_disable, word[0]);
}

static int destroy_one(struct trace_tracing *tracing)
{
	trace_tracing_destroy(tracing);
	return 0;
}

static const char *destroy_objects(char **word)
{
	return call_each(destroy_one, word[0]);
}

static const char *is_enabled(char **word)
{
	return script_say_yes(trace_tracing_is_enabled(objects[(int)*word[0]]));
}

static const char *tell_categories(char **word)
{
	return trace_tracing_categories(objects[(int)*word[0]]);
}

/* `configure pattern 7 warn`; no pattern is that of before. */
static const char *configure_files(char **word)
{
	const struct trace_tracing_options options = {
		.pattern = *word[0] ? word[0] : NULL,
		.events = (uint64_t)script_number(word[1], 0),
		.warn = *word[2],
	};

	return script_say_error(trace_tracing_configure(&options));
}

static const char *tell_rotation(SCRIPT_NONE)
{
	return script_say_number(file->rotation);
}

static const char *tell_enabled(char **word)
{
	const char *enabled;

	wanted = !strcmp(word[0], "none") ? NULL : word[0];
	enabled = trace_tracing_enabled_categories();
	return enabled ? enabled : "none";
}

static const char *flush_all(char **word)
{
	errno = EDOM;
	trace_tracing_flush(*word[0]);
	return errno == EDOM ? NULL : "errno";
}

static const char *observe_all(SCRIPT_NONE)
{
	static struct trace_observer observer;

	trace_tracing_observe(&observer);
	trace_tracing_unobserve(&observer);
	return NULL;
}

static const char *exit_process(SCRIPT_NONE)
{
	at_exit(0);
	return NULL;
}

static const char *fork_process(SCRIPT_NONE)
{
	in_child();
	return NULL;
}

/* What came to standard error since the last time. */
static const char *tell_said(SCRIPT_NONE)
{
	static char text[256];
	const ssize_t len = pread(2, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	return ftruncate(2, 0) || lseek(2, 0, SEEK_SET) ? "?" : text;
}

/* Blocks since this was asked last. */
static const char *tell_blocks(SCRIPT_NONE)
{
	static int before;
	const int more = memory_live - before;

	before = memory_live;
	return script_say_number(more);
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "make", make_objects },
	{ "enable", enable_objects },
	{ "disable", disable_objects },
	{ "destroy", destroy_objects },
	{ "is-enabled", is_enabled },
	{ "categories", tell_categories },
	{ "configure", configure_files },
	{ "rotation", tell_rotation },
	{ "enabled", tell_enabled },
	{ "flush", flush_all },
	{ "observe", observe_all },
	{ "exit", exit_process },
	{ "fork", fork_process },
	{ "said", tell_said },
	{ "blocks", tell_blocks },
	{ "memory", fail_memory },
	{ "set", script_set },
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "file", &file_error },	  { "change", &change_error },
	{ "child", &is_child },		  { "locks", &locks_wrong },
	{ "fork-inside", &forks_inside }, { NULL, NULL },
};

static void end_case(void)
{
	memory_fail(0);
	tell_said(NULL);
	if (memory_broken || locks_wrong)
		script_fail("sound memory and locks", "something is wrong");
}

int main(void)
{
	static struct tr2_host host;
	FILE *errors = tmpfile();

	host = tr2_host_system;
	memory_install(&host);
	memory_keeps = 1;
	host.at_exit = note_at_exit;
	host.getpid = tell_pid;
	tap_need(errors);
	dup2(fileno(errors), 2);
	script.values = values;
	script.rest = get_notes;
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
