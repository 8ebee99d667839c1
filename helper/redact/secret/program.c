#include "redact/secret/scan.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "lib/common/map.h"
#include "lib/text/text.h"
#include "settings_rows.h"

/* Is the word one of these, of which `*` is any end of one? */
static bool is_one(const char *names, const char *word, size_t len)
{
	size_t name;

	for (; *names; names += name + (names[name] == ' ')) {
		name = strcspn(names, " ");
		if (name && names[name - 1] == '*'
			    ? len + 1 >= name && !memcmp(names, word, name - 1)
			    : name == len && !memcmp(names, word, len))
			return true;
	}
	return false;
}

/* Returns where the name of the program begins in `a=/usr/bin/curl.exe`. */
static size_t find_program(const char *text, size_t *len)
{
	while (*len && !tr2_secret_in(text[*len - 1], "_-.+"))
		--*len;
	if (*len > 4 && !memcmp(text + *len - 4, ".exe", 4))
		*len -= 4;
	return tr2_secret_begin_word(text, *len, "_-.+", SIZE_MAX);
}

/* `;` and the like end a command, and so does a `;` after a word. */
static bool ends_command(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && memchr("|&;", text[i], 3))
		i++;
	return len && (i == len || text[len - 1] == ';');
}

/* A word of sshpass that is no option's value is a program of its own. */
static bool ends_options(const struct tr2_secret_programs *programs,
			 const struct tr2_secret_option *option)
{
	static const char with_value[] = "dfP";

	return option->flags & TR2_OPTION_FIRST &&
	       !memchr(with_value, programs->letter, sizeof(with_value));
}

bool tr2_secret_is_cluster(const char *text, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (!tr2_ascii_alpha(text[i]))
			return false;
	return len > 1 && *text == '-';
}

bool tr2_secret_is_option_of(const struct tr2_secret_option *option,
			     const char *text, size_t len)
{
	return len > 1 &&
	       (*text == '-' ||
		(*text == '/' && option->flags & TR2_OPTION_SLASHES));
}

bool tr2_secret_is_redirection(const char *text, size_t len)
{
	while (len && tr2_ascii_digit(*text))
		text++, len--;
	return len && memchr("<>|&;(", *text, 6);
}

/* ---- The rows of a program */

#define PROGRAMS_MOST 1024 /* programs of all rows */

/* A row of a program, and the next one that it has; 0: there is no more. */
static struct program_row {
	unsigned short row, next;
} program_rows[PROGRAMS_MOST];

static struct tr2_map programs_map; /* from a program to its first row */

/* The hash of texts in lib/common has 2 kB of code, for longer ones. */
static uint64_t hash_name(const char *name, size_t len)
{
	uint64_t hash = len + 1;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) *
		       UINT64_C(0x100000001b3);
	return hash;
}

static void add_programs(void)
{
	struct tr2_map_slot *slot;
	unsigned short count = 0;
	const char *names;
	size_t len;

	for (size_t row = 0; row < tr2_secret_option_count; row++)
		for (names = tr2_secret_options[row].programs; *names;
		     names += len + (names[len] == ' ')) {
			len = strcspn(names, " ");
			slot = tr2_map_enter(&programs_map,
					     hash_name(names, len));
			assert(count + 1 < PROGRAMS_MOST);
			program_rows[++count] = (struct program_row){
				(unsigned short)row, (unsigned short)slot->value
			};
			slot->value = count;
		}
}

/* Returns where the first row of the program is in `program_rows`, or 0. */
static size_t find_first(const char *name, size_t len)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, add_programs);
	return (size_t)tr2_map_value(&programs_map, hash_name(name, len));
}

int tr2_secret_find_row(const char *name, size_t len)
{
	const size_t first = find_first(name, len);

	return first ? program_rows[first].row : -1;
}

/* Are all words counted that this row asks for? */
static bool is_done(const struct tr2_secret_option *option, unsigned row)
{
	const unsigned place = option->flags >> TR2_OPTION_SHIFT;

	return row < TR2_OPTION_ACTIVE || place == TR2_OPTION_EACH ||
	       row - TR2_OPTION_ACTIVE >= place;
}

static void note_program(struct tr2_secret_programs *programs, const char *name,
			 size_t len)
{
	size_t at = find_first(name, len), number;

	for (; at; at = program_rows[at].next) {
		number = program_rows[at].row;
		programs->any = true;
		if (is_done(tr2_secret_options + number,
			    programs->rows[number]))
			programs->rows[number] =
				*tr2_secret_options[number].command
					? TR2_OPTION_NAMED
					: TR2_OPTION_ACTIVE;
	}
}

/* ---- The words after a program */

static void count_word(unsigned char *row)
{
	if (*row & TR2_OPTION_SKIP)
		*row &= (unsigned char)~TR2_OPTION_SKIP;
	else if (*row < TR2_OPTION_SKIP - 1)
		++*row;
}

static void note_row(const struct tr2_secret_programs *programs,
		     unsigned char *row, const struct tr2_secret_option *option,
		     const char *name, size_t len, bool counted)
{
	if (*row && len && is_done(option, *row) &&
	    is_one(option->command, name, len))
		*row = TR2_OPTION_ACTIVE;
	else if (*row < TR2_OPTION_ACTIVE)
		return;
	else if (option->flags >> TR2_OPTION_SHIFT && counted)
		count_word(row);
	else if (ends_options(programs, option))
		*row = TR2_OPTION_UNSEEN;
}

/* `counted`: it is no option, such as `-address=NAME`. */
static void note_name(struct tr2_secret_programs *programs, const char *name,
		      size_t len, bool counted)
{
	for (size_t i = 0; programs->any && i < tr2_secret_option_count; i++)
		note_row(programs, programs->rows + i, tr2_secret_options + i,
			 name, len, counted);
	if (len)
		note_program(programs, name, len);
}

/* Does the row ask for the option, which a word of many letters may have? */
static bool is_asked(const struct tr2_secret_option *option, const char *text,
		     size_t len)
{
	return is_one(option->command, text, len) ||
	       (option->flags & TR2_OPTION_CLUSTER && *option->command &&
		tr2_secret_is_cluster(text, len) &&
		memchr(text, option->command[1], len));
}

/* An option may be what a row asks for, or have a value that isn't counted. */
static void note_option(struct tr2_secret_programs *programs, const char *text,
			size_t len)
{
	const struct tr2_secret_option *option = tr2_secret_options;
	unsigned char *row = programs->rows;

	for (; option < tr2_secret_options + tr2_secret_option_count;
	     option++, row++) {
		if (*row == TR2_OPTION_NAMED && is_asked(option, text, len))
			*row = TR2_OPTION_ACTIVE;
		if (*row >= TR2_OPTION_ACTIVE &&
		    option->flags >> TR2_OPTION_SHIFT &&
		    tr2_secret_match_option(option, text, len) == len)
			*row |= TR2_OPTION_SKIP;
	}
}

void tr2_secret_forget_counts(struct tr2_secret_programs *programs)
{
	for (size_t i = 0; programs->any && i < tr2_secret_option_count; i++)
		if (tr2_secret_options[i].flags >> TR2_OPTION_SHIFT &&
		    programs->rows[i] >= TR2_OPTION_ACTIVE)
			programs->rows[i] = TR2_OPTION_UNSEEN;
}

/* `git config`, after which the key of a setting and its value may come */
static void note_setting(struct tr2_secret_programs *programs, const char *name,
			 size_t len)
{
#define CONFIG &programs->config
#define MESSAGE &programs->message
#define SETTING(programs, kind, words, ...) { programs, words, kind },
	const struct {
		const char *programs, *words;
		bool *noted;
	} rows[] = { SETTINGS_ROWS(SETTING) };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_one(rows[i].programs, name, len)) {
			programs->owners |= (unsigned short)(1 << i);
			*rows[i].noted |= !*rows[i].words;
		} else if (programs->owners >> i & 1 &&
			   is_one(rows[i].words, name, len)) {
			*rows[i].noted = true;
		}
}

void tr2_secret_note_word(struct tr2_secret_programs *programs,
			  const char *text, size_t len)
{
	size_t name, end = len;

	if (len > 1 && *text == '-' && !memchr(text, '=', len)) {
		programs->letter = len == 2 ? text[1] : '-';
		if (programs->any)
			note_option(programs, text, len);
		return;
	}
	name = find_program(text, &end);
	note_name(programs, text + name, end - name, !len || *text != '-');
	if (name < end)
		note_setting(programs, text + name, end - name);
	programs->letter = '\0';
	if (ends_command(text, len))
		*programs = (struct tr2_secret_programs){ 0 };
}

/* Is one known whose words may be in quotes? Those of a dialogue are not. */
static bool has_program(const struct tr2_secret_programs *programs)
{
	for (size_t i = 0; programs->any && i < tr2_secret_option_count; i++)
		if (programs->rows[i] &&
		    !(tr2_secret_options[i].flags & TR2_OPTION_LAST))
			return true;
	return false;
}

/*
 * A word in quotes may have blanks, and counts once. Its quote is none that was
 * open where the program is, and only its first byte follows it. Its words may be
 * those of another command.
 */
void tr2_secret_note_in_text(struct tr2_secret_scan *scan, size_t at,
			     size_t end)
{
	struct tr2_secret_programs *programs = &scan->programs;
	const bool before = has_program(programs);

	const bool opens = before && scan->quote &&
			   scan->quote != programs->quote;

	if (opens && scan->text[at - 1] != scan->quote)
		return;
	if (opens) {
		scan->outer = *programs;
		scan->inside = true;
		tr2_secret_note_word(&scan->outer, scan->text + at, end - at);
		tr2_secret_forget_counts(programs);
	}
	tr2_secret_note_word(programs, scan->text + at, end - at);
	if (!before || opens)
		programs->quote = scan->quote;
}

/* ---- What `printf` writes */

/* The words are read as a text, in which each is in quotes. */
bool tr2_secret_is_printed(struct tr2_secret_words *words, const char *text,
			   size_t len)
{
	static const char name[] = "printf";
	const size_t start = words->printed_len, size = sizeof(name) - 1;
	char *end = words->printed + start;
	struct tr2_secret_scan scan = { .text = words->printed };
	struct tr2_secret_span found;
	bool hidden = false;
	size_t at = 0;

	words->printed_len = 0;
	if (tr2_secret_ends_in(text, len, name)) {
		memcpy(words->printed, name, size);
		words->printed_len = size;
		return false;
	}
	if (!start || sizeof(words->printed) - start < len + 3)
		return false;
	memcpy(end, " '", 2);
	memcpy(end + 2, text, len);
	end[len + 2] = '\'';
	scan.len = start + len + 3;
	if (len && !memchr("|&;", text[len - 1], 3))
		words->printed_len = scan.len;
	/* The format of a URL lost its `%s` already. */
	hidden = start > size && tr2_text_find(words->printed + size,
					       start - size, "<REDACTED>@");
	while (start > size && !hidden &&
	       tr2_secret_find_next(&scan, &at, &found))
		hidden = found.start <= start + 2 && found.end > start + 2;
	return hidden;
}
