/* What a list of words says: the program, and the line that a person types. */
#include "model/account/name.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"

bool tr2_words_take(struct tr2_record *record, size_t *token,
		    struct tr2_buf *word)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value element;
	const char *text;
	size_t len;

	tr2_buf_reset(word);
	if (tr2_parse_byte(parse, *token) == ']')
		return false;
	*token = tr2_parse_value(parse, *token, &element);
	*token += tr2_parse_byte(parse, *token) == ',';
	text = tr2_parse_text(parse, &element, &record->scratch, &len);
	tr2_buf_add(word, text, len);
	tr2_buf_byte(word, '\0'); /* not part of the word */
	if (word->failed)
		tr2_memory_out();
	word->len--;
	return true;
}

bool tr2_name_is_for_shell(const struct tr2_record *record)
{
	const struct tr2_value *value = &record->value[TR2_KEY_USE_SHELL];

	return value->kind == TR2_BOOLEAN &&
	       record->parse.text[value->start] == 't';
}

/*
 * Returns the length of the program's path: all of the word, unless it is a
 * command for a shell, which may have options and arguments. The directories
 * of a path may have blanks.
 */
static size_t find_path_end(const struct tr2_record *record, const char *word)
{
	size_t blank = strcspn(word, " \t\n");
	const char *option = strstr(word, " -");

	if (tr2_name_is_for_shell(record) || strcspn(word, "/\\") > blank)
		return blank;
	return option ? (size_t)(option - word) : strlen(word);
}

static void keep_program(const struct tr2_record *record, struct tr2_buf *word)
{
	const char *name;
	size_t len;

	name = tr2_text_program(word->bytes, find_path_end(record, word->bytes),
				&len);
	memmove(word->bytes, name, len);
	word->bytes[len] = '\0';
	word->len = len;
}

/* A fetch of objects that a partial clone left out begins like this. */
#define LAZY "fetch.negotiationAlgorithm=noop"

/* Append the subcommand, the first word that is no option. */
static void add_subcommand(struct tr2_record *record, size_t token,
			   struct tr2_buf *program)
{
	struct tr2_buf word = TR2_BUF_INIT;
	bool found = false, skip = false, lazy = false;

	while (!found && tr2_words_take(record, &token, &word)) {
		lazy |= skip && !strcmp(word.bytes, LAZY);
		found = !skip && word.len && *word.bytes != '-';
		skip = !skip && tr2_text_takes_value(word.bytes, word.len);
	}
	if (found) {
		tr2_buf_byte(program, ' ');
		tr2_buf_add(program, word.bytes, word.len);
		tr2_buf_str(program, lazy ? ", lazy" : "");
	}
	tr2_buf_release(&word);
}

uint32_t tr2_name_words(struct tr2_rows *rows, struct tr2_record *record)
{
	const struct tr2_value *list = &record->value[TR2_KEY_ARGV];
	struct tr2_buf program = TR2_BUF_INIT;
	size_t token = list->token + 1;
	uint32_t number = 0;

	if (!tr2_record_has(record, TR2_KEY_ARGV) || list->kind != TR2_STRINGS)
		return 0;
	if (tr2_words_take(record, &token, &program)) {
		keep_program(record, &program);
		if (!strcmp(program.bytes, "git"))
			add_subcommand(record, token, &program);
		if (program.failed)
			tr2_memory_out();
		number = tr2_rows_name(rows, program.bytes, program.len);
	}
	tr2_buf_release(&program);
	return number;
}

static void add_word(struct tr2_buf *line, const struct tr2_buf *word,
		     const char *quote)
{
	if (line->len)
		tr2_buf_byte(line, ' ');
	tr2_buf_str(line, quote);
	tr2_buf_add(line, word->bytes, word->len);
	tr2_buf_str(line, quote);
}

/* As a person would type them, with the program's name, or as they are. */
static void join_words(struct tr2_buf *line, struct tr2_record *record,
		       bool typed)
{
	const struct tr2_value *list = &record->value[TR2_KEY_ARGV];
	struct tr2_buf word = TR2_BUF_INIT;
	size_t token = list->token + 1;
	bool is_plain;

	if (!tr2_record_has(record, TR2_KEY_ARGV) || list->kind != TR2_STRINGS)
		return;
	while (tr2_words_take(record, &token, &word)) {
		if (typed && !line->len)
			keep_program(record, &word);
		is_plain = word.len &&
			   !word.bytes[strcspn(word.bytes, " \t\"'")];
		add_word(line, &word, !typed || is_plain ? "" : "'");
	}
	if (line->failed)
		tr2_memory_out();
	tr2_buf_release(&word);
}

void tr2_name_put_line(struct tr2_buf *line, struct tr2_record *record)
{
	tr2_buf_reset(line);
	join_words(line, record, true);
	if (line->len > TR2_LINE_MOST)
		line->len = tr2_text_cut(line->bytes, line->len, TR2_LINE_MOST);
	tr2_buf_byte(line, '\0');
}

uint32_t tr2_name_line(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf line = TR2_BUF_INIT;
	uint32_t number;

	if (!tr2_record_has(record, TR2_KEY_ARGV))
		return 0;
	join_words(&line, record, false);
	number = tr2_rows_name(rows, line.len ? line.bytes : "", line.len);
	tr2_buf_release(&line);
	return number;
}

void tr2_name_choices(struct tr2_facts *facts, struct tr2_record *record)
{
	const struct tr2_value *list = &record->value[TR2_KEY_ARGV];
	struct tr2_buf word = TR2_BUF_INIT;
	size_t token = list->token + 1;
	bool is_setting = false;

	if (!tr2_record_has(record, TR2_KEY_ARGV) || list->kind != TR2_STRINGS)
		return;
	for (; tr2_words_take(record, &token, &word);
	     is_setting = !strcmp(word.bytes, "-c"))
		if (is_setting || (word.len > 1 && *word.bytes == '-'))
			tr2_facts_add_word(facts, word.bytes, is_setting);
	tr2_buf_release(&word);
}
