/*
 * `test-tool event-table`: print the event table, one line of five words
 * separated by tabs for each event and field: event, key, type, `required` or
 * `optional`, flags. The line of an event has no key; the event's fields
 * follow in wire order. A dash stands for no value.
 */
#include <stdio.h>

#include "event/event.h"
#include "tool/commands/commands.h"

struct flag {
	unsigned bit;
	const char *name;
};

static const char *const types[] = {
	[TR2_FIELD_STRING] = "string",
	[TR2_FIELD_STRINGS] = "strings",
	[TR2_FIELD_INT] = "int",
	[TR2_FIELD_INT64] = "int64",
	[TR2_FIELD_UINT64] = "uint64",
	[TR2_FIELD_BOOL] = "bool",
	[TR2_FIELD_SECONDS_US] = "seconds-us",
	[TR2_FIELD_SECONDS_NS] = "seconds-ns",
	[TR2_FIELD_JSON] = "json",
};

static const struct flag event_flags[] = {
	{ TR2_SHOW_T_ABS, "t_abs" },	   { TR2_SHOW_T_REL, "t_rel" },
	{ TR2_SHOW_CATEGORY, "category" }, { TR2_SHOW_SCOPE, "scope" },
	{ TR2_FILTER_NESTING, "nesting" }, { TR2_KEEP_BRIEF_TIME, "time" },
	{ TR2_MAY_HAVE_REPO, "repo" },	   { 0, NULL },
};

static const struct flag field_flags[] = {
	{ TR2_FIELD_REDACTED, "redacted" },
	{ 0, NULL },
};

static void print_flags(unsigned flags, const struct flag *names)
{
	const char *separator = "";

	for (; names->name; names++) {
		if (!(flags & names->bit))
			continue;
		printf("%s%s", separator, names->name);
		separator = ",";
	}
	puts(*separator ? "" : "-");
}

static void print_event(const struct tr2_event_info *event)
{
	const struct tr2_field *field;

	printf("%s\t-\t-\t-\t", event->name);
	print_flags(event->flags, event_flags);
	for (field = event->fields; field->key; field++) {
		printf("%s\t%s\t%s\t%s\t", event->name, field->key,
		       types[field->type],
		       field->flags & TR2_FIELD_OPTIONAL ? "optional"
							 : "required");
		print_flags(field->flags, field_flags);
	}
}

int cmd_event_table(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	for (size_t kind = 0; kind < TR2_EVENT_COUNT; kind++)
		print_event(&tr2_event_table[kind]);
	return 0;
}
