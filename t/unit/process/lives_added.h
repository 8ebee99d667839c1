/*
 * lives_added.h - targets of the program's own, as commands of a life. Their
 * hooks write to the file `notes` what they get; a target's name comes first.
 */
#ifndef UNIT_PROCESS_LIVES_ADDED_H
#define UNIT_PROCESS_LIVES_ADDED_H

#include "trace2-target.h"

static int notes_fd = -1;

__attribute__((format(printf, 1, 2))) static void put_note(const char *format,
							   ...)
{
	char text[4096];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (write(notes_fd, text, (size_t)len) != len)
		_exit(99);
}

/*
 * ---- Hooks
 */

static int note_event(void *data, const struct trace2_event *event)
{
	put_note("%s:%s ", (const char *)data, event->name);
	errno = EXDEV;
	trace2_printf("inside"); /* is dropped and counted */
	return 1;
}

static int lose_event(void *data, const struct trace2_event *event)
{
	(void)data;
	(void)event;
	return 0;
}

static void note_hold(void *data)
{
	put_note("%s:hold ", (const char *)data);
}

static pid_t parent;
static int parent_let_go;

/* The parent says so later, because the child runs at the same time. */
static void note_let_go(void *data)
{
	if (getpid() == parent)
		parent_let_go++;
	else
		put_note("%s:go ", (const char *)data);
}

static int stay_on(void *data)
{
	put_note("%s:forked ", (const char *)data);
	return 1;
}

static int go_off(void *data)
{
	put_note("%s:off ", (const char *)data);
	return 0;
}

static void note_close(void *data)
{
	put_note("%s:close ", (const char *)data);
}

static void put_field(const struct trace2_field *field)
{
	static const char *const types[] = { "string", "strings", "int",
					     "bool",   "seconds", "json" };

	put_note(" %s:%s=%s", field->key, types[field->type],
		 field->text ? field->text : "");
	for (size_t i = 0; field->words && field->words[i]; i++)
		put_note("%s,", field->words[i]);
	if (!field->text && !field->words)
		put_note("%lld", (long long)field->number);
}

static int show_fields(void *data, const struct trace2_event *event)
{
	struct trace2_field field;

	(void)data;
	put_note("%s %s %s:%d %d %llu%s", event->name, event->thread,
		 event->file ? event->file : "(none)", event->line, event->repo,
		 (unsigned long long)event->wall_us,
		 strstr(event->sid, "-P") ? "" : " no sid");
	for (unsigned i = 0; trace2_event_field(event, i, &field); i++)
		put_field(&field);
	put_note("\n");
	return 1;
}

/* In each format, but not those of regions. */
static int show_lines(void *data, const struct trace2_event *event)
{
	enum trace2_format format;
	const char *line;

	(void)data;
	if (!strncmp(event->name, "region", 6))
		return 1;
	for (format = TRACE2_NORMAL; format <= TRACE2_EVENT; format++) {
		line = trace2_event_line(event, format);
		put_note("%s", line ? line : "(none)\n");
	}
	return 1;
}

static int line_without_memory(void *data, const struct trace2_event *event)
{
	(void)data;
	memory_fail_on = 1;
	memory_fail(1);
	put_note(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	memory_fail_on = 0;
	memory_fail(0);
	put_note(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	return 1;
}

/*
 * ---- Commands
 */

static const struct {
	const char *name;
	struct trace2_target target;
} added_kinds[] = {
	{ "plain", { .event = note_event } },
	{ "losing", { .event = lose_event } },
	{ "full",
	  { .event = note_event,
	    .event_in_signal = note_event,
	    .hold = note_hold,
	    .let_go = note_let_go,
	    .forked = stay_on,
	    .close = note_close } },
	{ "leaving",
	  { .event = note_event, .forked = go_off, .close = note_close } },
	{ "empty", { .close = note_close } },
	{ "fields", { .event = show_fields } },
	{ "lines", { .event = show_lines, .event_in_signal = show_lines } },
	{ "poor", { .event = line_without_memory } },
};

static void add_kind(char **word, bool is_taken)
{
	size_t i = 0;
	char *name = strdup(word[1]);

	if (notes_fd < 0)
		notes_fd = open("notes",
				O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0666);
	while (strcmp(added_kinds[i].name, word[0])) {
		i++;
		expect_that(i < sizeof(added_kinds) / sizeof(*added_kinds),
			    word[0]);
	}
	expect_that(is_taken == trace2_add_target(&added_kinds[i].target, name),
		    "a target is taken or refused");
	if (!is_taken)
		free(name);
}

/* `add-target full a`: of that kind, with that name. */
static void add_target(char **word)
{
	add_kind(word, true);
}

static void refuse_target(char **word)
{
	add_kind(word, false);
}

static void be_parent(SCRIPT_NONE)
{
	parent = getpid();
	parent_let_go = 0;
}

static void expect_let_go(char **word)
{
	expect_that(parent_let_go == script_number(word[0], 0), "let go");
	put_note("| ");
}

/* As it starts and ends, with fields of every type. */
static void call_all_fields(SCRIPT_NONE)
{
	static const char *const words[] = { "a", "b", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = words;
	child.use_shell = 1;
	trace2_child_start_fl("f.c", 7, &child);
	child.pid = 12;
	pass_time(10);
	trace2_child_exit_fl("", 8, &child, 3);
	trace2_data_json_fl(NULL, 9, "c", 1, "k", "[1]");
}

#endif
