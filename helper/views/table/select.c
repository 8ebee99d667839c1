#include "views/table/event.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"

/* Sections, and the names of the keys in their rules. */
static const struct section {
	const char *name;
	const char *match[2], *field[2];
} sections[] = {
	[TR2_SELECT_MESSAGES] = { "message_patterns",
				  { "prefix" },
				  { "field_name" } },
	[TR2_SELECT_TIMERS] = { "region_timers",
				{ "category", "label" },
				{ "count_field", "time_field" } },
	[TR2_SELECT_DATA] = { "important_events",
			      { "category", "key_prefix" },
			      { "field_name" } },
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

enum tr2_select_section tr2_select_find(const char *name)
{
	size_t i;

	for (i = 1; i < SECTIONS; i++)
		if (!strcmp(sections[i].name, name))
			return (enum tr2_select_section)i;
	return TR2_SELECT_NOTHING;
}

char **tr2_select_slot(struct tr2_select_rule *rule, const char *key)
{
	const struct section *section = &sections[rule->section];
	int i;

	for (i = 0; i < 2; i++) {
		if (section->match[i] && !strcmp(section->match[i], key))
			return &rule->match[i];
		if (section->field[i] && !strcmp(section->field[i], key))
			return &rule->field[i];
	}
	return NULL;
}

const char *tr2_select_missing(const struct tr2_select_rule *rule)
{
	const struct section *section = &sections[rule->section];
	int i;

	for (i = 0; i < 2; i++) {
		if (section->match[i] && !rule->match[i])
			return section->match[i];
		if (section->field[i] && !rule->field[i])
			return section->field[i];
	}
	return NULL;
}

static void add_column(struct tr2_select *select, const char *name,
		       enum tr2_flat_type type)
{
	struct tr2_flat_column *column =
		tr2_vec_add(&select->columns, sizeof(*column));

	*column = (struct tr2_flat_column){ name, type };
}

void tr2_select_add_columns(struct tr2_select *select,
			    const struct tr2_select_rule *rule)
{
	add_column(select, rule->field[0],
		   rule->section == TR2_SELECT_DATA ? TR2_FLAT_TEXT
						    : TR2_FLAT_INTEGER);
	if (rule->field[1])
		add_column(select, rule->field[1], TR2_FLAT_SECONDS);
}

/* What a rule matches is a prefix, but for the names of a region. */
static bool is_match(const struct tr2_select_rule *rule,
		     const struct tr2_selected *did)
{
	if (rule->section == TR2_SELECT_MESSAGES)
		return !strncmp(did->first, rule->match[0],
				strlen(rule->match[0]));
	if (strcmp(rule->match[0], did->first) != 0)
		return false;
	return rule->section == TR2_SELECT_TIMERS
		       ? !strcmp(rule->match[1], did->second)
		       : !strncmp(did->second, rule->match[1],
				  strlen(rule->match[1]));
}

static void append_value(struct tr2_buf *list, const struct tr2_selected *did)
{
	if (list->len)
		tr2_buf_byte(list, ',');
	tr2_buf_add(list, did->value, did->len);
	tr2_must_hold(list);
}

void tr2_select_count(const struct tr2_select *select,
		      struct tr2_flat_process *process,
		      enum tr2_select_section section,
		      const struct tr2_selected *did)
{
	const struct tr2_select_rule *rule = select->rules.items, *end;
	const size_t fields = select->columns.count - select->first;
	struct tr2_flat_value *value;
	size_t field = 0;

	for (end = rule + select->rules.count; rule < end; rule++) {
		if (rule->section == section && is_match(rule, did)) {
			value = tr2_flat_value_at(process, field, fields);
			if (did->value)
				append_value(&value->text, did);
			value->number++;
			if (rule->field[1])
				value[1].number = tr2_capped_add(
					value[1].number, did->wall);
		}
		field += rule->field[1] ? 2 : 1;
	}
}

void tr2_select_release(struct tr2_select *select)
{
	struct tr2_select_rule *rule = select->rules.items;
	uint32_t i;
	int part;

	for (i = 0; i < select->rules.count; i++)
		for (part = 0; part < 2; part++) {
			free(rule[i].match[part]);
			free(rule[i].field[part]);
		}
	tr2_vec_release(&select->rules);
	tr2_vec_release(&select->columns);
}
