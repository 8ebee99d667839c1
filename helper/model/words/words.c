#include "model/words/words.h"

#include <string.h>
#include <strings.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/record.h"

#define MONITOR_SINCE 237
#define MONITOR_EVERYWHERE 255

_Static_assert(TR2_CHOICE_COUNT <= 32, "each choice has a bit");

/* Returns 239 for "2.39.5", or 0. */
static uint32_t read_version(const char *text, size_t len)
{
	uint32_t part[2] = { 0, 0 };
	size_t at = 0;

	for (size_t i = 0; i < 2; i++, at++) {
		for (; at < len && tr2_text_is_digit(text[at]); at++)
			if (part[i] < 100)
				part[i] = 10 * part[i] +
					  (uint32_t)(text[at] - '0');
		if (!i && (!at || at == len || text[at] != '.'))
			return 0;
	}
	return part[0] < 100 && part[1] < 100 ? 100 * part[0] + part[1] : 0;
}

/* "2.45.1.windows.1", "2.39.5 (Apple Git-154)" */
static bool names_system(const char *text, size_t len)
{
	return tr2_text_find(text, len, ".windows.") ||
	       tr2_text_find(text, len, "(Apple Git");
}

void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_EXE, &len);

	facts->version = text ? read_version(text, len) : 0;
	facts->other_system = !text || !names_system(text, len);
}

#define CHOICE_TEXT(kind, name, text) text,

static bool is_number(size_t setting)
{
	return setting >= TR2_SET_WORKERS && setting <= TR2_SET_FETCH_PARALLEL;
}

/* A setting that is off, or as it is by default, decides nothing. */
static bool is_off(size_t setting, const char *value)
{
	static const char *const off[] = { "false", "no", "off", "0", "" };

	if (is_number(setting))
		return !strcmp(value, "1");
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(value, off[i]))
			return true;
	return false;
}

/* One of the command line counts whatever it is (NULL): it wins. */
static void add_setting(struct tr2_facts *facts, const char *name,
			const char *value)
{
	static const char *const names[] = { CHOICES_SETTINGS(CHOICE_TEXT) };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((*name | 0x20) == *names[i] &&
		    !strcasecmp(name, names[i]) &&
		    !(value && is_off(TR2_SET_MONITOR + i, value)))
			facts->choices |= UINT32_C(1) << (TR2_SET_MONITOR + i);
}

/* Add a word of a command line; `is_setting`: it follows -c. */
static void add_fact_word(struct tr2_facts *facts, const char *word,
			  bool is_setting)
{
	static const char *const texts[] = { CHOICES_OPTIONS(CHOICE_TEXT) };
	const char *value = strchr(word, '=');
	char name[64];
	size_t len = value ? (size_t)(value - word) : strlen(word);

	if (is_setting && len < sizeof(name)) {
		memcpy(name, word, len);
		name[len] = '\0';
		add_setting(facts, name, NULL);
		return;
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (word[1] == texts[i][1] &&
		    (word[2] == texts[i][2] || !texts[i][2]) &&
		    !strncmp(word, texts[i], strlen(texts[i])) &&
		    (i != TR2_CHOSE_PATHS || !word[2]))
			facts->choices |= UINT32_C(1) << i;
}

void tr2_facts_add_param(struct tr2_facts *facts, struct tr2_record *record)
{
	char name[64], value[64];
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_PARAM, &len);

	if (!text || len >= sizeof(name))
		return;
	memcpy(name, text, len);
	name[len] = '\0';
	text = tr2_record_text(record, TR2_KEY_VALUE, &len);
	if (!text || len >= sizeof(value))
		return;
	memcpy(value, text, len);
	value[len] = '\0';
	add_setting(facts, name, value);
}

bool tr2_facts_have_monitor(const struct tr2_facts *facts)
{
	return facts->version >=
	       (facts->other_system ? MONITOR_EVERYWHERE : MONITOR_SINCE);
}

bool tr2_words_take(struct tr2_record *record, size_t *token,
		    struct tr2_buf *word)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value element;
	const char *text;
	size_t len;

	tr2_buf_reset(word);
	if (!*token || tr2_parse_byte(parse, *token) == ']')
		return false;
	*token = tr2_parse_value(parse, *token, &element);
	*token += tr2_parse_byte(parse, *token) == ',';
	text = tr2_parse_text(parse, &element, &record->scratch, &len);
	tr2_buf_add(word, text, len);
	tr2_must_end(word); /* not part of the word */
	word->len--;
	return true;
}

bool tr2_words_have_shell(const struct tr2_record *record)
{
	const struct tr2_value *value = &record->value[TR2_KEY_USE_SHELL];
	const char *text = record->parse.text;

	if (tr2_record_has(record, TR2_KEY_USE_SHELL))
		return value->kind == TR2_BOOLEAN && text[value->start] == 't';
	value = &record->value[TR2_KEY_ARGV];
	if (!tr2_words_begin(record, TR2_KEY_ARGV))
		return false;
	text += value->start + strlen("[\"");
	if (*text == '\'')
		return true;
	text += strcspn(text, " /\\\"");
	if (*text == ' ' || tr2_text_starts(text, 2, "\\n"))
		return true;
	/* The directories of a path may have blanks. */
	text += strcspn(text, " \"");
	return *text == ' ' && record->is == TR2_IS_CHILD_START &&
	       strchr("'\"", text[strcspn(text, "'\"/\\")]);
}

/* The directories of a path may have blanks; options come after it. */
static size_t find_path_end(const char *word)
{
	size_t blank = strcspn(word, " \t\n");
	const char *option = strstr(word, " -");

	if (strcspn(word, "/\\") > blank)
		return blank;
	return option ? (size_t)(option - word) : strlen(word);
}

/* Returns the next word of a command for a shell, without its quotes. */
static const char *take_shell_word(const char **text, size_t *len)
{
	const char *word = *text + strspn(*text, " \t\n;");
	const bool quoted = *word == '\'' || *word == '"';

	if (quoted)
		*len = strcspn(word + 1, *word == '"' ? "\"" : "'");
	else
		*len = strcspn(word, " \t\n;");
	word += quoted;
	*text = word + *len;
	*text += quoted && **text;
	return word;
}

/* NAME=VALUE sets a variable for the program that follows. */
static bool is_assignment(const char *text, size_t len)
{
	const char *equal = memchr(text, '=', len);

	return equal && equal > text &&
	       !memchr(text, '/', (size_t)(equal - text)) &&
	       !memchr(text, '-', (size_t)(equal - text));
}

static const char *take_shell_program(const char **text, size_t *len)
{
	const char *word = take_shell_word(text, len);

	while (is_assignment(word, *len))
		word = take_shell_word(text, len);
	return word;
}

/* Returns the first word that is no option of git. */
static const char *take_subcommand(const char **text, size_t *len)
{
	const char *word = take_shell_word(text, len);

	for (; *len && *word == '-'; word = take_shell_word(text, len))
		if (tr2_text_takes_value(word, *len))
			take_shell_word(text, len);
	return word;
}

static void set_word(struct tr2_buf *word, const char *text, size_t len)
{
	memmove(word->bytes, text, len);
	word->bytes[len] = '\0';
	word->len = len;
}

/* Keep the program of a command for a shell, and git's subcommand. */
static void keep_shell_program(struct tr2_buf *word)
{
	const char *text = word->bytes, *name, *sub;
	size_t len;

	name = take_shell_program(&text, &len);
	name = tr2_text_program(name, len, &len);
	if (!tr2_text_is(name, len, "git")) {
		set_word(word, name, len);
		return;
	}
	sub = take_subcommand(&text, &len);
	if (!len) {
		set_word(word, "git", 3);
		return;
	}
	memmove(word->bytes + 4, sub, len);
	memcpy(word->bytes, "git ", 4);
	word->len = len + 4;
	word->bytes[word->len] = '\0';
}

static void keep_program(const struct tr2_record *record, struct tr2_buf *word)
{
	const char *name;
	size_t len;
	const char *words = tr2_record_raw(record, TR2_KEY_ARGV, &len);
	/* A program that asks a person has a path, and its question. */
	const bool asks = tr2_words_use(record) == TR2_PHASE_CREDENTIALS &&
			  !tr2_text_find(words, len, "\",\"");

	if (asks && strchr(word->bytes, '(')) { /* a function has no name */
		tr2_buf_reset(word);
		tr2_buf_str(word, "credential helper");
		tr2_buf_byte(word, '\0');
		word->len--;
	} else if (asks || tr2_words_have_shell(record)) {
		keep_shell_program(word);
	} else {
		name = tr2_text_program(word->bytes, find_path_end(word->bytes),
					&len);
		set_word(word, name, len);
	}
}

/*
 * Append the subcommand, the first word that is no option. PERF and NORMAL have
 * git itself before the words that it executes.
 */
static void add_subcommand(struct tr2_record *record, size_t token,
			   struct tr2_buf *program)
{
	struct tr2_buf *word = &record->word;
	bool found = false, skip = false, lazy = false;

	while (!found && tr2_words_take(record, &token, word)) {
		lazy |= skip && !strcmp(word->bytes, TR2_WORDS_LAZY);
		found = !skip && word->len && *word->bytes != '-' &&
			strcmp(word->bytes, "git") != 0;
		skip = !skip && tr2_text_takes_value(word->bytes, word->len);
	}
	if (found) {
		tr2_buf_byte(program, ' ');
		tr2_buf_add(program, word->bytes, word->len);
		tr2_buf_str(program, lazy ? ", lazy" : "");
	}
}

uint32_t tr2_words_name(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf program = TR2_BUF_INIT;
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV);

	if (tr2_words_take(record, &token, &program)) {
		keep_program(record, &program);
		if (!strcmp(program.bytes, "git"))
			add_subcommand(record, token, &program);
	}
	return tr2_rows_take(rows, &program);
}

/* Put the word for a shell, in quotes where it needs them. */
static void put_typed(struct tr2_buf *line, const struct tr2_buf *word)
{
	const char *at = word->bytes;

	if (*at && !at[strcspn(at, " \t\n\"'\\$`!*?()<>|&;#")]) {
		tr2_buf_add(line, at, word->len);
		return;
	}
	tr2_buf_byte(line, '\'');
	for (; *at; at++)
		tr2_buf_add(line, *at == '\'' ? "'\\''" : at,
			    *at == '\'' ? 4 : 1);
	tr2_buf_byte(line, '\'');
}

/* As a person would type them, with the program's name, or as they are. */
static void join_words(struct tr2_buf *line, struct tr2_record *record,
		       bool typed)
{
	struct tr2_buf *word = &record->word;
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV);

	while (tr2_words_take(record, &token, word)) {
		if (typed && !line->len)
			keep_program(record, word);
		if (line->len)
			tr2_buf_byte(line, ' ');
		if (typed)
			put_typed(line, word);
		else
			tr2_buf_add(line, word->bytes, word->len);
	}
	tr2_must_hold(line);
}

void tr2_words_put_line(struct tr2_buf *line, struct tr2_record *record)
{
	tr2_buf_reset(line);
	join_words(line, record, true);
	if (line->len > TR2_LINE_MOST) {
		line->len = tr2_text_cut(line->bytes, line->len, TR2_LINE_MOST);
		tr2_buf_str(line, "...");
	}
	tr2_buf_byte(line, '\0');
}

uint32_t tr2_words_line(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf line = TR2_BUF_INIT;

	join_words(&line, record, false);
	return tr2_rows_take(rows, &line);
}

/* The hash is of the raw JSON, which both logs escape in the same way. */
uint32_t tr2_words_hash(struct tr2_record *record)
{
	struct tr2_parse *parse = &record->parse;
	const size_t end = record->value[TR2_KEY_ARGV].end;
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV);
	struct tr2_value first;

	if (!token)
		return 0;
	if (tr2_parse_byte(parse, token) != ']')
		token = tr2_parse_value(parse, token, &first);
	if (tr2_parse_byte(parse, token) != ',')
		return 1;
	return (uint32_t)(tr2_hash(parse->text + first.end, end - first.end)
				  .a >>
			  34) |
	       1;
}

void tr2_words_choose(struct tr2_facts *facts, struct tr2_record *record)
{
	struct tr2_buf *word = &record->word;
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV);
	bool is_setting = false;

	for (; tr2_words_take(record, &token, word);
	     is_setting = !strcmp(word->bytes, "-c"))
		if (is_setting || (word->len > 1 && *word->bytes == '-'))
			add_fact_word(facts, word->bytes, is_setting);
}
