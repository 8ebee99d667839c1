/* The filter files of trace2receiver: what is read, ignored and refused. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/command.h"
#include "views/table/filter_kit.h"
#include "views/table/select.h"

static struct tr2_select selected;
static struct tr2_buf shown;

static int read_again(int argc, char **argv)
{
	(void)argc;
	return tr2_select_read(&selected, argv[0]);
}

static int read_filter(const char *text)
{
	tr2_select_release(&selected);
	write_file("f.yml", text);
	return kit_call(read_again, "f.yml");
}

static void show_word(const char *text)
{
	if (text) {
		tr2_buf_byte(&shown, ' ');
		tr2_buf_str(&shown, text);
	}
}

/* Each rule with its line, as "2 prefix > field". */
static const char *show_rules(void)
{
	const struct tr2_select_rule *rule;
	char line[32];
	uint32_t i;

	tr2_buf_reset(&shown);
	for (i = 0; i < selected.rules.count; i++) {
		rule = tr2_select_rule_at(&selected, i);
		snprintf(line, sizeof(line), "%lu", rule->line);
		tr2_buf_str(&shown, line);
		show_word(rule->match[0]);
		show_word(rule->match[1]);
		show_word(">");
		show_word(rule->field[0]);
		show_word(rule->field[1]);
		tr2_buf_byte(&shown, '\n');
	}
	tr2_buf_byte(&shown, '\0');
	return shown.bytes;
}

/* The columns after those that are always there. */
static const char *show_columns(void)
{
	static const char *const types[] = { "text", "integer", "seconds" };
	const struct tr2_flat_column *column = selected.columns.items;
	uint32_t i;

	tr2_buf_reset(&shown);
	for (i = TR2_FLAT_PROCESSES_END; i < selected.columns.count; i++) {
		tr2_buf_str(&shown, column[i].name);
		show_word(types[column[i].type]);
		tr2_buf_byte(&shown, '\n');
	}
	tr2_buf_byte(&shown, '\0');
	return shown.bytes;
}

#define MESSAGE "message_patterns:\n  - prefix: a\n    field_name: b\n"

static void test_sections(void)
{
	tap_int(read_filter("# what we look at\n"
			    "message_patterns:\n"
			    "  - prefix: \"queue:\"   # with a comment\n"
			    "    field_name: queued\n"
			    "\n"
			    "region_timers:\n"
			    "  - label: 'do read'\n"
			    "    category: index\n"
			    "    time_field: readTime\n"
			    "    count_field: reads\n"
			    "important_events:\n"
			    "- category: nego\n"
			    "  key_prefix: total\n"
			    "  field_name: rounds\n"
			    "message_patterns:\n"
			    "  - field_name: again\n"
			    "    prefix: a\n"),
		0, "a filter file has three kinds of rules");
	tap_str(kit_said[2], "", "what is understood is not reported");
	tap_ok(!selected.ignored, "what is understood is not ignored");
	tap_str(show_rules(),
		"3 queue: > queued\n"
		"7 index do read > reads readTime\n"
		"12 nego total > rounds\n"
		"16 a > again\n",
		"keys may be in any order, and sections may come again");
	tap_str(show_columns(),
		"queued integer\n"
		"reads integer\n"
		"readTime seconds\n"
		"rounds text\n"
		"again integer\n",
		"columns have the order of the file");
	tap_int((intmax_t)selected.first, TR2_FLAT_PROCESSES_END,
		"they are after all others");
}

/* Each value of a prefix, and what it is. */
static const struct {
	const char *value, *shown, *name;
} values[] = {
	{ "a: 'b # c'", "2 a: 'b > f\n",
	  "only the begin of a value begins a quoted text" },
	{ "a#b", "2 a#b > f\n", "a number sign in a word is no comment" },
	{ "\"", NULL, "a quote alone is no text" },
};

static void test_value(const char *value, const char *rules, const char *name)
{
	char text[256];
	int code;

	snprintf(text, sizeof(text),
		 "message_patterns:\n  - prefix: %s\n    field_name: f\n",
		 value);
	code = read_filter(text);
	if (rules)
		tap_str(code || *kit_said[2] ? kit_said[2] : show_rules(),
			rules, name);
	else
		tap_str(code == 2 ? kit_said[2] : "read",
			"trace2 table: f.yml:2: expected a text in one line as "
			"the value of 'prefix'\n"
			"trace2 table: f.yml:2: expected the key 'prefix'\n",
			name);
}

static void test_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		test_value(values[i].value, values[i].shown, values[i].name);
}

static void test_form(void)
{
	tap_int(read_filter("---\nmessage_patterns:   # a\n- prefix: a\n\n"
			    "  # b\n  field_name: b\n-\n  prefix: c\n"
			    "  field_name: d\n  -   prefix: e\n"
			    "      field_name: f"),
		0, "rules may be indented as one likes");
	tap_str(show_rules(), "3 a > b\n7 c > d\n10 e > f\n",
		"each dash begins a rule");
	tap_str(kit_said[2], "", "and all of it is understood");
}

#define IGNORED(line, what)         \
	"trace2 table: f.yml:" line \
	": ignored; this is not understood: '" what "'\n"

static void test_ignored(void)
{
	tap_int(read_filter("keynames:\n  nickname: x\n  - prefix: y\n" MESSAGE
			    "    color: red\n    s hape\n"
			    "region_timers: []\n  - label: x\n"
			    "important_events\n  - category: x\n"
			    "message_pattern:\nmessage_patterns:\n"
			    "  prefix: x\n-x: y\n-x\n"),
		0, "a file may have more than is understood");
	tap_str(kit_said[2],
		IGNORED("1", "keynames") IGNORED("7", "color")
			IGNORED("8", "s hape") IGNORED("9", "region_timers")
				IGNORED("11", "important_events") IGNORED(
					"13", "message_pattern")
					IGNORED("15", "prefix: x")
						IGNORED("16", "-x")
							IGNORED("17", "-x"),
		"what is not understood is reported with its line");
	tap_ok(selected.ignored, "and known to be ignored");
	tap_str(show_rules(), "5 a > b\n", "the rules are those that are left");
	read_filter("message_patterns:\n    field_name: a\n"
		    "  - prefix: a\n    category: b\n    field_name: c\n");
	tap_str(kit_said[2],
		IGNORED("2", "field_name: a") IGNORED("4", "category"),
		"a key belongs to a rule of its section");
	read_filter("message_patterns:\n  - prefix: a\n    field_name: c\n"
		    "    region_timers: b\n    x:y\n    prefix\n"
		    "    a:'b # c'\n"
		    "important_events:\n  - color: a\n");
	tap_str(kit_said[2],
		IGNORED("4", "region_timers") IGNORED("5", "x:y")
			IGNORED("6", "prefix") IGNORED("7", "a:'b") IGNORED(
				"9",
				"color") "trace2 table: f.yml:9: expected the "
					 "key 'category'\n",
		"a key ends with a colon before a blank");
}

static void test_missing(void)
{
	tap_int(read_filter("message_patterns:\n  - prefix: a\n" MESSAGE
			    "  - field_name: c\nregion_timers:\n"
			    "  - category: a\n    label: b\n"
			    "    count_field: c\n"
			    "  - category: a\n    label: b\n"
			    "    time_field: c\n"
			    "  - label: b\n"
			    "    time_field: c\n    count_field: d\n"
			    "  - category: b\n    time_field: c\n"
			    "    count_field: d\n"
			    "important_events:\n  - category: a\n"
			    "    field_name: d\n  -\n"),
		2, "a rule needs all of its keys");
	tap_str(kit_said[2],
		"trace2 table: f.yml:2: expected the key 'field_name'\n"
		"trace2 table: f.yml:6: expected the key 'prefix'\n"
		"trace2 table: f.yml:8: expected the key 'time_field'\n"
		"trace2 table: f.yml:11: expected the key 'count_field'\n"
		"trace2 table: f.yml:14: expected the key 'category'\n"
		"trace2 table: f.yml:17: expected the key 'label'\n"
		"trace2 table: f.yml:21: expected the key 'key_prefix'\n"
		"trace2 table: f.yml:23: expected the key 'category'\n",
		"a key that is missing is reported with its rule");
	tap_str(show_columns(), "b integer\n",
		"a rule that lacks a key adds no column");
}

int main(void)
{
	enter_folder();
	tap_run(test_sections, test_values, test_form, test_ignored,
		test_missing);
	tr2_select_release(&selected);
	tr2_buf_release(&shown);
	unlink("f.yml");
	rmdir(kit_folder);
	return tap_done();
}
