#include "views/table/event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/common/capped.h"
#include "cli/exit.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

/* Sections, and the keys of their rules, as in enum tr2_select_text. */
static const struct section {
	const char *name, *keys[TR2_SELECT_TEXTS];
} sections[] = {
	[TR2_SELECT_MESSAGES] = { "message_patterns",
				  { "prefix", "field_name" } },
	[TR2_SELECT_TIMERS] = { "region_timers",
				{ "category", "count_field", "label",
				  "time_field" } },
	[TR2_SELECT_DATA] = { "important_events",
			      { "category", "field_name", "key_prefix" } },
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

static enum tr2_select_section find_section(const char *name)
{
	for (size_t i = 1; i < SECTIONS; i++)
		if (!strcmp(sections[i].name, name))
			return (enum tr2_select_section)i;
	return TR2_SELECT_NOTHING;
}

static char **find_slot(struct tr2_select_rule *rule, const char *key)
{
	const struct section *section = &sections[rule->section];

	for (int i = 0; i < TR2_SELECT_TEXTS; i++)
		if (section->keys[i] && !strcmp(section->keys[i], key))
			return &rule->texts[i];
	return NULL;
}

static const char *find_missing(const struct tr2_select_rule *rule)
{
	const struct section *section = &sections[rule->section];

	for (int i = 0; i < TR2_SELECT_TEXTS; i++)
		if (section->keys[i] && !rule->texts[i])
			return section->keys[i];
	return NULL;
}

static void add_column(struct tr2_select *select, const char *name,
		       enum tr2_flat_type type)
{
	TR2_VEC_PUT(&select->columns, struct tr2_flat_column, name, type);
}

static void add_rule_columns(struct tr2_select *select,
			     const struct tr2_select_rule *rule)
{
	add_column(select, rule->texts[TR2_SELECT_FIELD],
		   rule->section == TR2_SELECT_DATA ? TR2_FLAT_TEXT
						    : TR2_FLAT_INTEGER);
	if (rule->texts[TR2_SELECT_TIME])
		add_column(select, rule->texts[TR2_SELECT_TIME],
			   TR2_FLAT_SECONDS);
}

/* The file. */

struct filter { /* A file while it is read. */
	struct tr2_select *select;
	const char *name;
	unsigned long line;
	enum tr2_select_section section;
	bool in_rule;
	bool wrong; /* a rule can't be used */
};

static void report_place(struct filter *filter, unsigned long line,
			 const char *what, const char *value)
{
	fputs("trace2 table: ", stderr);
	tr2_foreign_print(stderr, filter->name);
	fprintf(stderr, ":%lu: %s '", line, what);
	tr2_foreign_print(stderr, value);
	fputs("'\n", stderr);
}

static void ignore_key(struct filter *filter, const char *value)
{
	report_place(filter, filter->line,
		     "ignored; this is not understood:", value);
	filter->select->ignored = true;
}

static void refuse_rule(struct filter *filter, unsigned long line,
			const char *what, const char *value)
{
	report_place(filter, line, what, value);
	filter->wrong = true;
}

/* Returns the rule that we are in. */
static struct tr2_select_rule *last_rule(const struct filter *filter)
{
	struct tr2_select_rule *rules = filter->select->rules.items;

	return rules + filter->select->rules.count - 1;
}

/* Remove a comment, which is a word that begins with `#`, and blanks. */
static char *trim_plain(char *text)
{
	char *at = text;

	while (*at &&
	       !(*at == '#' && (at == text || isspace((unsigned char)at[-1]))))
		at++;
	while (at > text && isspace((unsigned char)at[-1]))
		at--;
	*at = '\0';
	return text;
}

/*
 * Take the quotes away. False: the value is none that these files need. Only a
 * quote at its begin is one; others are apostrophes.
 */
static bool read_scalar(char *text)
{
	char *end;

	if (*text != '"' && *text != '\'')
		return !strchr("[{&*!|>%@`", *trim_plain(text));
	end = strchr(text + 1, *text);
	if (!end || *trim_plain(end + 1) ||
	    (*text == '"' && memchr(text, '\\', (size_t)(end - text))))
		return false;
	*end = '\0';
	memmove(text, text + 1, (size_t)(end - text));
	return true;
}

/* Returns the value after `key:`, or NULL: there is no key. */
static char *split_pair(char *text)
{
	char *colon = text;

	while ((colon = strchr(colon, ':')) && colon[1] && colon[1] != ' ')
		colon++;
	if (!colon)
		return NULL;
	*colon++ = '\0';
	return colon + strspn(colon, " ");
}

/*
 * Add the columns of the rule. A table can't have two of one name, and SQLite
 * takes letters of both cases for the same.
 */
static void add_columns(struct filter *filter,
			const struct tr2_select_rule *rule)
{
	struct tr2_vec *columns = &filter->select->columns;
	const struct tr2_flat_column *column;
	uint32_t i = columns->count;

	add_rule_columns(filter->select, rule);
	column = columns->items;
	for (; i < columns->count; i++)
		for (uint32_t other = 0; other < i; other++)
			if (!strcasecmp(column[i].name, column[other].name)) {
				refuse_rule(filter, rule->line,
					    "there are two columns of the name",
					    column[i].name);
				break;
			}
}

static void end_rule(struct filter *filter)
{
	const struct tr2_select_rule *rule;
	const char *missing;

	if (!filter->in_rule)
		return;
	filter->in_rule = false;
	rule = last_rule(filter);
	missing = find_missing(rule);
	if (missing)
		refuse_rule(filter, rule->line, "expected the key", missing);
	else
		add_columns(filter, rule);
}

static void take_pair(struct filter *filter, char *text)
{
	char *value = split_pair(text), **slot;

	slot = value ? find_slot(last_rule(filter), text) : NULL;
	if (!slot)
		ignore_key(filter, text);
	else if (*slot)
		refuse_rule(filter, filter->line, "repeated key", text);
	else if (!read_scalar(value) || !*value)
		refuse_rule(filter, filter->line,
			    "expected a text in one line as the value of",
			    text);
	else
		*slot = tr2_must_copy(value);
}

static void begin_section(struct filter *filter, char *text)
{
	char *value = split_pair(text);

	filter->section = TR2_SELECT_NOTHING;
	if (value && !*trim_plain(value))
		filter->section = find_section(text);
	if (!filter->section)
		ignore_key(filter, text);
}

static void begin_rule(struct filter *filter)
{
	TR2_VEC_PUT(&filter->select->rules, struct tr2_select_rule,
		    .section = filter->section, .line = filter->line);
	filter->in_rule = true;
}

/* What is below a section that is ignored was reported with it. */
static void take_inner(struct filter *filter, char *text, bool is_item)
{
	if (!filter->section)
		return;
	if (is_item) {
		begin_rule(filter);
		text += 1 + strspn(text + 1, " ");
	}
	if (*text && filter->in_rule)
		take_pair(filter, text);
	else if (*text)
		ignore_key(filter, text);
}

static bool is_item(const char *text)
{
	return text[0] == '-' && (text[1] == ' ' || !text[1]);
}

static void take_line(struct filter *filter, char *text)
{
	bool is_inner = *text == ' ';

	text[strcspn(text, "\r\n")] = '\0';
	text += strspn(text, " ");
	if (!*text || *text == '#' || !strcmp(text, "---"))
		return;
	if (is_item(text) || !is_inner)
		end_rule(filter);
	if (is_item(text) || is_inner)
		take_inner(filter, text, is_item(text));
	else
		begin_section(filter, text);
}

static void read_lines(struct filter *filter, FILE *file)
{
	char *text = NULL;
	size_t room = 0;

	while (getline(&text, &room, file) >= 0) {
		filter->line++;
		take_line(filter, text);
	}
	free(text);
	end_rule(filter);
}

static int fail_file(const char *name, FILE *file)
{
	tr2_foreign_complain("table", strerror(errno), name);
	if (file)
		fclose(file);
	return EXIT_INPUT;
}

static void begin_columns(struct tr2_select *select)
{
	const struct tr2_flat_column *columns =
		tr2_flat_columns(TR2_FLAT_KIND_PROCESSES, &select->first);

	for (size_t i = 0; i < select->first; i++) {
		TR2_VEC_COPY(&select->columns, struct tr2_flat_column,
			     columns[i]);
	}
}

int tr2_select_read(struct tr2_select *select, const char *name)
{
	struct filter filter = { .select = select, .name = name };
	FILE *file;

	*select = (struct tr2_select){ .first = 0 };
	begin_columns(select);
	if (!name)
		return EXIT_CLEAN;
	file = fopen(name, "r");
	if (!file)
		return fail_file(name, NULL);
	read_lines(&filter, file);
	if (ferror(file))
		return fail_file(name, file);
	fclose(file);
	return filter.wrong ? EXIT_USAGE : EXIT_CLEAN;
}

/* What it selects. */

/* What a rule matches is a prefix, but for the names of a region. */
static bool is_match(const struct tr2_select_rule *rule,
		     const struct tr2_selected *did)
{
	if (rule->section == TR2_SELECT_MESSAGES)
		return !strncmp(did->first, rule->texts[TR2_SELECT_FIRST],
				strlen(rule->texts[TR2_SELECT_FIRST]));
	if (strcmp(rule->texts[TR2_SELECT_FIRST], did->first) != 0)
		return false;
	return rule->section == TR2_SELECT_TIMERS
		       ? !strcmp(rule->texts[TR2_SELECT_SECOND], did->second)
		       : !strncmp(did->second, rule->texts[TR2_SELECT_SECOND],
				  strlen(rule->texts[TR2_SELECT_SECOND]));
}

void tr2_select_count(const struct tr2_select *select,
		      struct tr2_flat_process *process,
		      enum tr2_select_section section,
		      const struct tr2_selected *did)
{
	const struct tr2_select_rule *rule = select->rules.items, *end;
	struct tr2_flat_cell *cell =
		tr2_flat_cell_at(&process->row, select->first);
	size_t field = 0, next;

	for (end = rule + select->rules.count; rule < end; rule++) {
		next = field + (rule->texts[TR2_SELECT_TIME] ? 2 : 1);
		if (rule->section == section && is_match(rule, did)) {
			if (did->value)
				tr2_flat_process_list(process, field,
						      did->value, did->len);
			else
				cell[field].number++;
			if (rule->texts[TR2_SELECT_TIME])
				cell[field + 1].number = tr2_capped_add(
					cell[field + 1].number, did->wall);
		}
		field = next;
	}
}

void tr2_select_release(struct tr2_select *select)
{
	struct tr2_select_rule *rule = select->rules.items;

	for (uint32_t i = 0; i < select->rules.count; i++)
		for (int part = 0; part < TR2_SELECT_TEXTS; part++)
			free(rule[i].texts[part]);
	tr2_vec_release(&select->rules);
	tr2_vec_release(&select->columns);
}
