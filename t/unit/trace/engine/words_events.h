/*
 * words_events.h - verbs that write events, and about the strings that the
 * thread knows.
 */
#ifndef UNIT_TRACE_ENGINE_WORDS_EVENTS_H
#define UNIT_TRACE_ENGINE_WORDS_EVENTS_H

#include "kit/trace/trace_words.h"

#include "kit/script.h"

/*
 * ---- Events
 */

static const struct {
	const char *name;
	enum fxt_event type;
} kinds[] = {
	{ "instant", FXT_INSTANT },
	{ "counter", FXT_COUNTER },
	{ "begin", FXT_DURATION_BEGIN },
	{ "end", FXT_DURATION_END },
	{ "async-begin", FXT_ASYNC_BEGIN },
	{ "async-instant", FXT_ASYNC_INSTANT },
	{ "async-end", FXT_ASYNC_END },
	{ "flow-begin", FXT_FLOW_BEGIN },
	{ "flow-step", FXT_FLOW_STEP },
	{ "flow-end", FXT_FLOW_END },
};

static enum fxt_event find_kind(const char *name)
{
	size_t i = 0;

	while (strcmp(kinds[i].name, name) != 0)
		tap_need(++i < sizeof(kinds) / sizeof(*kinds));
	return kinds[i].type;
}

/* The same address for the same text, as a literal has it. */
static const char *find_literal(const char *text)
{
	static char literals[40][32];
	size_t i = 0;

	while (*literals[i] && strcmp(literals[i], text) != 0)
		tap_need(++i < 40);
	return strcpy(literals[i], text);
}

/* `plug OLD NEW`: a plugin with a new trace point has NEW where OLD was. */
static const char *plug_in(char **word)
{
	uint32_t site = 0;

	strcpy((char *)(uintptr_t)find_literal(word[0]), word[1]);
	return script_say_yes(trace_internal_ask(&site, find_literal("cat")));
}

/* A type by its name, or by its number. */
static struct trace_value make_value(const char *type, const char *value)
{
	const int64_t number = strtoll(value, NULL, 0);

	return !strcmp(type, "bool")	 ? TA_BOOL(number)
	       : !strcmp(type, "int32")	 ? TA_INT32((int32_t)number)
	       : !strcmp(type, "uint32") ? TA_UINT32((uint32_t)number)
	       : !strcmp(type, "int64")	 ? TA_INT64(number)
	       : !strcmp(type, "uint64") ? TA_UINT64((uint64_t)number)
	       : !strcmp(type, "double") ? TA_DOUBLE(strtod(value, NULL))
	       : !strcmp(type, "string") ? TA_STRING(find_literal(value))
	       : !strcmp(type, "koid")	 ? TA_KOID((uint64_t)number)
	       : !strcmp(type, "pointer")
		       ? TA_POINTER((void *)(uintptr_t)number)
	       : isdigit((unsigned char)*type)
		       ? trace_internal_word((enum fxt_arg)atoi(type),
					     (uint64_t)number)
		       : TA_NULL();
}

static struct trace_arg args[FXT_ARGS + 2];

/* `NAME TYPE VALUE`, up to four of them. */
static size_t make_args(char **word)
{
	size_t count = 0;

	for (; **word; word += 3, count++)
		args[count] =
			(struct trace_arg){ find_literal(word[0]),
					    make_value(word[1], word[2]) };
	return count;
}

static const char *name_thread(char **word)
{
	trace_name_thread(word[0]);
	return NULL;
}

/* `put KIND NAME ID [ARGUMENT TYPE VALUE]...`, all strings as literals. */
static const char *put_event(char **word)
{
	const size_t count = make_args(word + 3);

	trace_internal_event(find_kind(word[0]), find_literal("cat"),
			     find_literal(word[1]), strtoull(word[2], NULL, 0),
			     args, count);
	return NULL;
}

/* `nulls counter 17`: with so many arguments. */
static const char *put_nulls(char **word)
{
	const size_t count = (size_t)script_number(word[1], 0);

	for (size_t i = 0; i < count; i++)
		args[i] = (struct trace_arg){ find_literal("cat"), TA_NULL() };
	trace_internal_event(find_kind(word[0]), find_literal("cat"),
			     find_literal("name"), 5, args, count);
	return NULL;
}

/* `complete 0x50`: a duration from then until now. */
static const char *put_complete(char **word)
{
	trace_internal_complete(find_literal("cat"), find_literal("name"),
				strtoull(word[0], NULL, 0), NULL, 0);
	return NULL;
}

/*
 * `write NAME TIME [ARGUMENT TYPE VALUE]...`: a counter of another call, whose
 * strings are no literals; `none` is no string.
 */
static char content[2][32] = { "cat" };

static const char *write_event(char **word)
{
	const bool is_none = !strcmp(word[0], "none");
	struct trace_event event = {
		.type = FXT_COUNTER,
		.id = 9,
		.time = strtoull(word[1], NULL, 0),
		.category = is_none ? NULL : content[0],
		.name = is_none ? NULL : content[1],
		.args = args,
		.arg_count = make_args(word + 2),
	};

	snprintf(content[1], sizeof(content[1]), "%s", word[0]);
	if (is_none)
		args[0].name = NULL;
	trace_event_write(&event);
	return NULL;
}

static const char *set_category(char **word)
{
	snprintf(content[0], sizeof(content[0]), "%s", word[0]);
	return NULL;
}

/* Is the last written name known by its address, and as which string? */
static const char *tell_known(SCRIPT_NONE)
{
	const struct tr2_trace_known *known =
		&tr2_trace_self->known[tr2_trace_known_slot(content[1])];

	return known->address == content[1] ? script_say_number(known->ref)
					    : "unknown";
}

/* It is believed to be another one, so that a look-up would be seen. */
static const char *mistake_known(char **word)
{
	tr2_trace_self->known[tr2_trace_known_slot(content[1])].ref =
		(uint16_t)script_number(word[0], 0);
	return NULL;
}

/* What a thread knows of an earlier trace. */
static const char *spoil_known(SCRIPT_NONE)
{
	memset(tr2_trace_self->cache, 0xff, sizeof(tr2_trace_self->cache));
	memset(tr2_trace_self->known, 0xff, sizeof(tr2_trace_self->known));
	return NULL;
}

static const char *count_known(SCRIPT_NONE)
{
	int kept = 0;

	for (size_t i = 0; i < TR2_TRACE_CACHE; i++)
		kept += tr2_trace_self->cache[i] != 0;
	for (size_t i = 0; i < TR2_TRACE_KNOWN; i++)
		kept += tr2_trace_self->known[i].address != NULL ||
			tr2_trace_self->known[i].ref != 0;
	return kept < 2 ? "nothing" : kept < 8 ? "little" : "much";
}

static const char *fill_table(SCRIPT_NONE)
{
	fill_strings();
	return NULL;
}

#endif
