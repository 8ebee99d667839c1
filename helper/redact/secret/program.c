#include "redact/secret/scan.h"

#include <assert.h>
#include <limits.h>
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

bool tr2_secret_is_cluster(const char *text, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (!tr2_ascii_alpha(text[i]))
			return false;
	return len > 1 && *text == '-';
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

static void note_program(struct tr2_secret_programs *programs, const char *name,
			 size_t len)
{
	size_t at = find_first(name, len);
	const struct tr2_secret_option *option;
	unsigned char *row;

	for (; at; at = program_rows[at].next) {
		option = tr2_secret_options + program_rows[at].row;
		row = programs->rows + program_rows[at].row;
		programs->any = true;
		if (*row == TR2_OPTION_UNSEEN ||
		    option->flags & TR2_OPTION_LAST)
			*row = *option->command ? TR2_OPTION_NAMED
						: TR2_OPTION_ACTIVE;
	}
}

/* ---- The words after a program */

/* Does the row ask for the option, which a word of many letters may have? */
static bool is_asked(const struct tr2_secret_option *option, const char *text,
		     size_t len)
{
	const char *command = option->command;

	return is_one(command, text, len) ||
	       (*command == '-' && command[1] && command[2] <= ' ' &&
		tr2_secret_is_cluster(text, len) &&
		memchr(text, command[1], len));
}

/* `counted`: it is no option. */
static void note_name(struct tr2_secret_programs *programs, const char *name,
		      size_t len, bool counted)
{
	const struct tr2_secret_option *option = tr2_secret_options;
	unsigned char *row = programs->rows;
	size_t i = programs->any ? tr2_secret_option_count : 0;

	for (; i; i--, option++, row++)
		if (*row == TR2_OPTION_NAMED && len &&
		    is_asked(option, name, len))
			*row = TR2_OPTION_ACTIVE;
		else if (*row >= TR2_OPTION_ACTIVE && *row < UCHAR_MAX &&
			 counted && option->flags >> TR2_OPTION_SHIFT)
			++*row;
}

/* `git config`, after which the key of a setting and its value may come */
static void note_setting(struct tr2_secret_programs *programs, const char *name,
			 size_t len)
{
#define SETTING(programs, words, ...) { programs, words },
	const struct {
		const char *programs, *words;
	} rows[] = { SETTINGS_ROWS(SETTING) };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_one(rows[i].programs, name, len)) {
			programs->owners |= (unsigned short)(1 << i);
			programs->config |= !*rows[i].words;
		} else if (programs->owners >> i & 1) {
			programs->config |= is_one(rows[i].words, name, len);
		}
}

void tr2_secret_note_word(struct tr2_secret_programs *programs,
			  const char *text, size_t len)
{
	size_t name, end = len;

	programs->more |= programs->any && len && *text == '-';
	programs->config |= tr2_text_starts(text, len, "GIT_CONFIG_KEY_");
	if (len > 1 && *text == '-' && !memchr(text, '=', len)) {
		note_name(programs, text, len, false);
		return;
	}
	name = find_program(text, &end);
	note_name(programs, text + name, end - name, !len || *text != '-');
	if (name < end) {
		note_program(programs, text + name, end - name);
		note_setting(programs, text + name, end - name);
	}
	if (ends_command(text, len))
		*programs = (struct tr2_secret_programs){ 0 };
}
