#include "views/table/event.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

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

TR2_VEC_AT(rule_at, tr2_select, rules, tr2_select_rule);

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

/* Call for each rule: `field` is then the number of its first field. */
#define EACH_RULE(select, rule, i, field)                                \
	for (i = 0, field = 0;                                           \
	     i < (select)->rules.count && ((rule) = rule_at(select, i)); \
	     field += (rule)->field[1] ? 2 : 1, i++)

static struct tr2_flat_value *find_value(const struct tr2_select *select,
					 struct tr2_flat_process *process,
					 size_t field)
{
	return tr2_flat_value_at(process, field,
				 select->columns.count - select->first);
}

void tr2_select_message(const struct tr2_select *select,
			struct tr2_flat_process *process, const char *text,
			size_t len)
{
	const struct tr2_select_rule *rule;
	size_t field;
	uint32_t i;

	EACH_RULE(select, rule, i, field)
	if (rule->section == TR2_SELECT_MESSAGES &&
	    tr2_text_starts(text, len, rule->match[0]))
		find_value(select, process, field)->number++;
}

void tr2_select_region(const struct tr2_select *select,
		       struct tr2_flat_process *process, const char *category,
		       const char *label, int64_t wall)
{
	const struct tr2_select_rule *rule;
	struct tr2_flat_value *value;
	size_t field;
	uint32_t i;

	EACH_RULE(select, rule, i, field)
	{
		if (rule->section != TR2_SELECT_TIMERS ||
		    strcmp(rule->match[0], category) ||
		    strcmp(rule->match[1], label))
			continue;
		find_value(select, process, field)->number++;
		value = find_value(select, process, field + 1);
		value->number = tr2_capped_add(value->number, wall);
	}
}

void tr2_select_data(const struct tr2_select *select,
		     struct tr2_flat_process *process, const char *category,
		     const char *key, const char *value, size_t len)
{
	const struct tr2_select_rule *rule;
	struct tr2_buf *list;
	size_t field;
	uint32_t i;

	EACH_RULE(select, rule, i, field)
	{
		if (rule->section != TR2_SELECT_DATA ||
		    strcmp(rule->match[0], category) ||
		    strncmp(rule->match[1], key, strlen(rule->match[1])))
			continue;
		list = &find_value(select, process, field)->text;
		if (list->len)
			tr2_buf_byte(list, ',');
		tr2_buf_add(list, value, len);
		tr2_must_hold(list);
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
