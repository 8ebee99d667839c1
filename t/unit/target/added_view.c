/* What the hooks of a program's own targets see of an event. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "host/host.h"
#include "target/added_kit.h"

static void say_number(int64_t number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	write_text(digits);
}

static void say_field(const struct trace2_field *field)
{
	static const char *const types[] = { "string", "strings", "int",
					     "bool",   "seconds", "json" };
	size_t i;

	write_text(" ");
	write_text(field->key);
	write_text(":");
	write_text(types[field->type]);
	write_text("=");
	if (field->text)
		write_text(field->text);
	for (i = 0; field->words && field->words[i]; i++) {
		write_text(field->words[i]);
		write_text(",");
	}
	if (field->type == TRACE2_FIELD_SECONDS)
		write_text(field->number > 0 ? "+" : "-");
	else if (!field->text && !field->words)
		say_number(field->number);
}

static int show_fields(void *data, const struct trace2_event *event)
{
	struct trace2_field field;
	unsigned i;

	(void)data;
	if (!strcmp(event->name, "version"))
		return 1;
	write_text(event->name);
	write_text(event->thread);
	write_text(event->file ? event->file : "(none)");
	say_number(event->line);
	write_text(",");
	say_number(event->repo);
	write_text(event->wall_us > 1000000000000000 ? " now" : " never");
	write_text(strstr(event->sid, "-P") ? " sid" : " no sid");
	for (i = 0; trace2_event_field(event, i, &field); i++)
		say_field(&field);
	write_text("\n");
	return 1;
}

static const struct trace2_target showing = { .event = show_fields };

static void tell_fields(void)
{
	static const char *const words[] = { "a", "b", NULL };
	static struct trace2_timer timer[1] = { { "c", "t", 0, 0 } };
	struct trace2_child child = TRACE2_CHILD_INIT;

	trace2_add_target(&showing, NULL);
	trace2_initialize();
	child.argv = words;
	child.use_shell = 1;
	trace2_child_start_fl("f.c", 7, &child);
	child.pid = 12;
	trace2_child_exit_fl("", 8, &child, 3);
	trace2_data_json_fl(NULL, 9, "c", 1, "k", "[1]");
	trace2_timer_start(timer);
	trace2_timer_stop(timer);
	trace2_cmd_exit_fl("g.c", 2, 5);
}

static int show_lines(void *data, const struct trace2_event *event)
{
	enum trace2_format format;
	const char *line;

	(void)data;
	if (strcmp(event->name, "cmd_mode") && strcmp(event->name, "data") &&
	    strcmp(event->name, "signal"))
		return 1;
	for (format = TRACE2_NORMAL; format <= TRACE2_EVENT; format++) {
		line = trace2_event_line(event, format);
		write_text(line ? line : "(none)\n");
	}
	return 1;
}

static const struct trace2_target lining = { .event = show_lines,
					     .event_in_signal = show_lines };

static void tell_lines(void)
{
	int i;

	trace2_add_target(&lining, NULL);
	trace2_initialize();
	trace2_cmd_mode_fl("f.c", 1, "m");
	for (i = 0; i < 5; i++)
		trace2_region_enter("c", "l", TRACE2_REPO_NONE);
	trace2_data_string_fl("f.c", 2, "c", TRACE2_REPO_NONE, "k", "v");
	raise(SIGTERM);
}

static int memory_fails;
static const struct tr2_host *real_host;

static void *fail_realloc(void *old, size_t size)
{
	return memory_fails ? NULL : real_host->realloc(old, size);
}

static int line_without_memory(void *data, const struct trace2_event *event)
{
	(void)data;
	memory_fails = 1;
	write_text(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	memory_fails = 0;
	write_text(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	return 1;
}

static const struct trace2_target short_of_memory = {
	.event = line_without_memory
};

static void tell_memory(void)
{
	struct tr2_host host = *tr2_host;

	real_host = tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	trace2_add_target(&short_of_memory, NULL);
	trace2_initialize();
	tr2_host = real_host;
	_exit(0);
}

static int show_same_time(void *data, const struct trace2_event *event)
{
	static uint64_t last;
	const char *line = trace2_event_line(event, TRACE2_EVENT);

	(void)data;
	write_text(event->wall_us >= last ? line : "earlier\n");
	last = event->wall_us;
	return 1;
}

static const struct trace2_target showing_time = { .event = show_same_time };

/* The EVENT target writes to the same pipe what the hook writes. */
static void tell_twice(void)
{
	char number[16];
	int copy = dup2(story_out, 9);

	snprintf(number, sizeof(number), "%d", copy);
	setenv("GIT_TRACE2_EVENT", number, 1);
	trace2_add_target(&showing_time, NULL);
	trace2_initialize();
	trace2_cmd_name("twice");
}

/* Is each line there twice, one after the other? */
static int is_doubled(const char *text)
{
	int count = 0;

	while (*text) {
		size_t len = strcspn(text, "\n") + 1;

		if (strncmp(text, text + len, len))
			return 0;
		text += 2 * len;
		count++;
	}
	return count == 4;
}

/* The lines without what differs from run to run. */
static int has_lines(const char *text)
{
	static const char *const parts[] = {
		"f.c:1                             cmd_mode m\n",
		"| cmd_mode     |     |           |           |"
		"              | m\n",
		"\"file\":\"f.c\",\"line\":1,\"name\":\"m\"}\n(none)\n",
		"| data         |     |",
		"| c            | ..........k:v\n",
		"\"nesting\":6,\"category\":\"c\",\"key\":\"k\","
		"\"value\":\"v\"}\n",
		" signal elapsed:",
		" code:15\n",
		"signo:15\n",
		"\"signo\":15}\n",
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		text = strstr(text, parts[i]);
		if (!text) {
			printf("# lacks: %s", parts[i]);
			return 0;
		}
	}
	return 1;
}

static void test_view(void)
{
	int status;

	tap_str(tell_story(tell_fields, &status),
		"child_startmainf.c7,0 now sid child_id:int=0"
		" child_class:string=? use_shell:bool=1 argv:strings=a,b,\n"
		"child_exitmain(none)0,0 now sid child_id:int=0 pid:int=12"
		" code:int=3 t_rel:seconds=+\n"
		"data_jsonmain(none)0,1 now sid t_abs:seconds=+"
		" t_rel:seconds=+ nesting:int=1 category:string=c"
		" key:string=k value:json=[1]\n"
		"exitmaing.c2,0 now sid t_abs:seconds=+ code:int=5\n"
		"timermaing.c2,0 now sid category:string=c name:string=t"
		" intervals:int=1 t_total:seconds=+ t_min:seconds=+"
		" t_max:seconds=+\n"
		"atexitmaing.c2,0 now sid t_abs:seconds=+ code:int=5\n",
		"a hook sees the fields of an event");
	tap_str(tell_story(tell_memory, &status), "none line ",
		"without memory there is no line");
	tap_ok(is_doubled(tell_story(tell_twice, &status)),
	       "a hook gets the line that the EVENT target writes");
	tap_ok(has_lines(tell_story(tell_lines, &status)),
	       "a hook gets the lines of the text targets");
}

int main(void)
{
	test_view();
	return tap_done();
}
