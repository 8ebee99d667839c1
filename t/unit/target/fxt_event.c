/*
 * The records that the FXT target makes of events, one by one. The events are
 * of the thread number 5. fxt_event.txt has the cases.
 */
#include "kit/memory.h"

#include <stdarg.h>

#include "kit/script.h"
#include "trace/engine.h"
#include "trace2.h"
#include "base/buf.h"
#include "event/event.h"
#include "target/fxt.h"
#include "fxt/engine.h"
#include "target/target.h"
#include "target/fxt_guest_kit.h"

static char told[16384];
static size_t told_len;

__attribute__((format(printf, 1, 2))) static void tell_host(const char *fmt,
							    ...)
{
	va_list args;

	va_start(args, fmt);
	told_len += (size_t)vsnprintf(told + told_len, sizeof(told) - told_len,
				      fmt, args);
	va_end(args);
}

/*
 * The engine and what is asked for
 */

int tr2_fxt_wants_all = 1;

int tr2_fxt_asks_for(const char *category)
{
	return !strcmp(category, "wanted");
}

void trace_name_process(const char *name)
{
	tell_host("process %s; ", name);
}

void trace_name_thread(const char *name)
{
	tell_host("thread %s; ", name);
}

static void tell_arg(const struct trace_arg *arg)
{
	const struct trace_value *value = &arg->value;

	tell_host(" %s:", arg->name);
	if (value->type == FXT_ARG_STRING)
		tell_host("%u'%s'", value->bytes, value->as.string);
	else if (value->type == FXT_ARG_DOUBLE)
		tell_host("%f", value->as.real);
	else
		tell_host("%d=%" PRId64, (int)value->type,
			  (int64_t)value->as.word);
}

void trace_event_write(const struct trace_event *event)
{
	tell_host("%d %s %s #%d @%d", (int)event->type, event->category,
		  event->name, (int)event->id, (int)event->time);
	for (size_t i = 0; i < event->arg_count; i++)
		tell_arg(&event->args[i]);
}

/*
 * ---- Verbs
 */

static const struct tr2_origin origin = {
	.number = 5,
	.thread = "th05:\"w\"",
	.thread_json = "th05:\\\"w\\\"",
};

static struct tr2_host host;
static struct tr2_target_memory memory;
static int is_fixed; /* there is room for 8 bytes */

static struct tr2_event event_of(enum tr2_event_kind kind)
{
	return (struct tr2_event){
		.kind = kind,
		.origin = &origin,
		.repo = TRACE2_REPO_NONE,
		.mono_ns = 7000,
		.t_abs = 1,
	};
}

/* The old contents of the stack look like a wrong string. */
__attribute__((noinline)) static uint32_t soil_stack(void)
{
	volatile uint32_t words[1024];

	for (size_t i = 0; i < 1024; i++)
		words[i] = FXT_ARG_STRING;
	return words[0];
}

/* What is traced of it; memory that failed before is memory again. */
static const char *trace_event_of(struct tr2_event *event)
{
	char bytes[8];
	struct tr2_target_memory fixed = { .line = TR2_BUF_FIXED(bytes) };

	told[0] = '\0';
	told_len = 0;
	memory.line.failed = 1;
	soil_stack();
	if (!tr2_fxt_event(NULL, event, is_fixed ? &fixed : &memory))
		tell_host("lost");
	return told;
}

static enum tr2_event_kind find_kind(const char *name)
{
	int kind = 0;

	while (strcmp(tr2_event_table[kind].name, name) != 0)
		tap_need(++kind < TR2_EVENT_COUNT);
	return (enum tr2_event_kind)kind;
}

/* Set a member that is a field; `argv` has all words from there on. */
static void set_field(struct tr2_event *event, char **word)
{
	const struct tr2_field *field = tr2_event_table[event->kind].fields;
	char **end = word + 1;
	void *member;

	while (strcmp(field->key, word[0]) != 0)
		tap_need((++field)->key);
	member = (char *)event + field->offset;
	if (field->type == TR2_FIELD_STRINGS) {
		*(char ***)member = end;
		while (**end)
			end++;
		*end = NULL;
	} else if (field->type == TR2_FIELD_STRING) {
		*(char **)member = word[1];
	} else if (field->type == TR2_FIELD_INT) {
		*(int *)member = atoi(word[1]);
	} else {
		*(uint64_t *)member = strtoull(word[1], NULL, 10);
	}
}

/*
 * `event KIND [FIELD VALUE]...`; `repo` and `number`, which has the value's
 * text beside it, are no fields.
 */
static const char *put_event(char **word)
{
	struct tr2_event event = event_of(find_kind(word[0]));
	int64_t number;

	for (word++; !event.argv && *word[0]; word += 2) {
		if (!strcmp(word[0], "repo")) {
			event.repo = atoi(word[1]);
		} else if (!strcmp(word[0], "number")) {
			number = strtoll(word[1], NULL, 10);
			event.number = &number;
			event.value = word[1];
		} else {
			set_field(&event, word);
		}
	}
	return trace_event_of(&event);
}

/* `bad 300`: how many bytes that are no text are replaced in a word of these. */
static const char *count_replaced(char **word)
{
	struct tr2_event event = event_of(TR2_EVENT_CHILD_START);
	char bad[512];
	const char *argv[] = { bad, NULL }, *at;
	const size_t len = (size_t)script_number(word[0], 0);
	int count = 0;

	memset(bad, 0xff, len);
	bad[len] = '\0';
	event.argv = argv;
	tr2_buf_release(&memory.line);
	at = trace_event_of(&event);
	for (; (at = strstr(at, "\xef\xbf\xbd")); at += 3)
		count++;
	return script_say_number(count);
}

static const char *want_some(SCRIPT_NONE)
{
	tr2_fxt_wants_all = 0;
	return NULL;
}

/* `region enter CATEGORY LABEL [REPO]` */
static const char *put_region(char **word)
{
	const int repo = (int)script_number(word[3], TRACE2_REPO_NONE);

	told[0] = '\0';
	told_len = 0;
	if (!strcmp(word[0], "enter"))
		tr2_fxt_enter_region(word[1], word[2], repo);
	else
		tr2_fxt_leave_region(word[1], word[2], repo);
	return told;
}

static const struct script_value values[] = {
	{ "fixed", &is_fixed },
	{ "no-memory", &memory_fail_on },
	{ NULL, NULL },
};

static const struct script_verb verbs[] = {
	{ "set", script_set },	   { "event", put_event },
	{ "bad", count_replaced }, { "want-some", want_some },
	{ "region", put_region },  { NULL, NULL },
};

static void end_case(void)
{
	tr2_fxt_wants_all = 1;
	tr2_buf_release(&memory.line);
	memory_fail(0);
}

int main(void)
{
	host = tr2_host_system;
	memory_install(&host);
	script.values = values;
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
