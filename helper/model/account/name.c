#include "model/account/name.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "model/words/words.h"
#include "read/value.h"

/*
 * A server has the repository as its last word, and others may name it; not
 * rev-parse, which is asked for it.
 */
static const char *find_directory(const char *line, bool serves)
{
	static const char option[] = " --git-dir";
	const char *from = strstr(line, option);

	if (from) {
		from += sizeof(option) - 1;
		if (*from == '=' || (*from == ' ' && from[1] != '-'))
			return from + 1;
	}
	from = serves ? strrchr(line, ' ') : NULL;
	return from ? from + 1 : NULL;
}

uint32_t tr2_name_repository(struct tr2_rows *rows,
			     const struct tr2_summary_process *process,
			     bool serves)
{
	const char *from = process->line.len
				   ? find_directory(process->line.bytes, serves)
				   : NULL;
	size_t len;

	if (!from)
		return 0;
	from += *from == '\'';
	len = strcspn(from, " '");
	if (len > 5 && !memcmp(from + len - 5, "/.git", 5))
		len -= 5;
	return len ? tr2_rows_name(rows, from, len) : 0;
}

uint32_t tr2_name_key(struct tr2_rows *rows, struct tr2_record *record,
		      enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	return text ? tr2_rows_name(rows, text, len) : 0;
}

/* Git 2.39 calls one "undefined", which is none. */
static uint32_t name_mode(struct tr2_rows *rows, struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_NAME, &len);

	return text && !tr2_text_is(text, len, "undefined")
		       ? tr2_rows_name(rows, text, len)
		       : 0;
}

#define HASH_LEAST 7 /* letters and digits of a hash, which may be cut */

static size_t count_hash(const char *text, size_t len)
{
	size_t at = 0, digits = 0;

	for (; at < len && memchr("0123456789abcdef", text[at], 16); at++)
		digits += text[at] <= '9';
	/* What stands for a hidden text differs. */
	return at >= HASH_LEAST && digits && (at == len || text[at] != '>') ? at
									    : 0;
}

/* Returns how many bytes of the message one word for all of its kind spans. */
static size_t find_variable(const char *text, size_t len, const char **word)
{
	const char *end = *text == '\'' ? memchr(text + 1, '\'', len - 1)
					: NULL;
	size_t digits = end ? 0 : count_hash(text, len);

	*word = end ? "'%s'" : digits ? "%s" : "%d";
	if (end)
		return (size_t)(end - text) + 1;
	return digits ? digits : tr2_text_count_digits(text, len);
}

uint32_t tr2_name_message(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf kind = TR2_BUF_INIT;
	const char *text, *word;
	size_t len, step;

	text = tr2_record_text(record, TR2_KEY_MSG, &len);
	for (size_t at = 0; text && at < len && text[at] != '\n'; at += step) {
		step = find_variable(text + at, len - at, &word);
		if (step)
			tr2_buf_str(&kind, word);
		else
			tr2_buf_byte(&kind, text[at]);
		step += !step;
	}
	return tr2_rows_take(rows, &kind);
}

/* Three are enough to tell a script from a person at a shell. */
#define CALLERS_SHOWN 3

/* Before 2.54, git on Windows has the ancestry only as data. */
static enum tr2_key find_ancestry(struct tr2_record *record)
{
	const char *key;
	size_t len;

	if (record->is != TR2_IS_DATA_JSON)
		return TR2_KEY_ANCESTRY;
	key = tr2_record_text(record, TR2_KEY_KEY, &len);
	return key && tr2_text_is(key, len, "windows/ancestry")
		       ? TR2_KEY_VALUE
		       : TR2_KEY_ANCESTRY;
}

/*
 * The programs of cmd_ancestry, or of windows/ancestry, the nearest one first:
 * "make < bash". 0: the event has none.
 */
static uint32_t name_caller(struct tr2_rows *rows, struct tr2_record *record)
{
	const enum tr2_key key = find_ancestry(record);
	struct tr2_buf names = TR2_BUF_INIT, *word = &record->word;
	size_t token = tr2_words_begin(record, key);
	unsigned count = 0;

	for (; count < CALLERS_SHOWN && tr2_words_take(record, &token, word);
	     count++) {
		if (count)
			tr2_buf_str(&names, " < ");
		tr2_buf_add(&names, word->bytes, word->len);
	}
	return tr2_rows_take(rows, &names);
}

/* NORMAL has no class, but git's name for what the process does. */
static bool is_alias(const struct tr2_rows *rows, struct tr2_record *record,
		     const struct tr2_process_names *names)
{
	size_t len;
	const char *class = tr2_record_text(record, TR2_KEY_CHILD_CLASS, &len);

	if (!names->alias)
		return false;
	return class ? tr2_text_is(class, len, "shell_alias")
		     : !strcmp(tr2_rows_text(rows, names->name, NULL),
			       "_run_shell_alias_");
}

/* A shell's command is long, and its user knows the alias. */
uint32_t tr2_name_use(struct tr2_rows *rows, struct tr2_record *record,
		      const struct tr2_process_names *names)
{
	uint32_t name = tr2_name_key(rows, record, TR2_KEY_HOOK_NAME);
	struct tr2_buf text = TR2_BUF_INIT;

	if (name || !is_alias(rows, record, names))
		return name;
	tr2_buf_str(&text, "alias ");
	tr2_buf_str(&text, tr2_rows_text(rows, names->alias, NULL));
	return tr2_rows_take(rows, &text);
}

uint32_t tr2_name_child(struct tr2_rows *rows, struct tr2_record *record,
			const struct tr2_process_names *names)
{
	const uint32_t use = tr2_name_use(rows, record, names);

	return use ? use : tr2_words_name(rows, record);
}

static uint32_t name_or_none(struct tr2_rows *rows, uint32_t number)
{
	return number ? number : tr2_rows_word(rows, "(none)");
}

/* `_run_dashed_` and the like are git's own; its words say more. */
static bool is_made_up(const struct tr2_rows *rows,
		       const struct tr2_process_names *names)
{
	return names->words && *tr2_rows_text(rows, names->name, NULL) == '_';
}

uint32_t tr2_name_command(struct tr2_rows *rows,
			  const struct tr2_process_names *names)
{
	struct tr2_buf name = TR2_BUF_INIT;

	if (!names->name || is_made_up(rows, names))
		return name_or_none(rows, names->words);
	if (!names->mode)
		return names->name;
	tr2_buf_str(&name, tr2_rows_text(rows, names->name, NULL));
	tr2_buf_byte(&name, '#');
	tr2_buf_str(&name, tr2_rows_text(rows, names->mode, NULL));
	return tr2_rows_take(rows, &name);
}

void tr2_name_take(struct tr2_process_names *names, struct tr2_rows *rows,
		   struct tr2_record *record)
{
	const enum tr2_is is = record->is;

	if (is == TR2_IS_VERSION)
		names->version = tr2_name_key(rows, record, TR2_KEY_EXE);
	else if (is == TR2_IS_START)
		names->words = tr2_words_name(rows, record);
	else if (is == TR2_IS_CMD_NAME)
		names->name = tr2_name_key(rows, record, TR2_KEY_NAME);
	else if (is == TR2_IS_CMD_MODE)
		names->mode = name_mode(rows, record);
	else if (is == TR2_IS_ALIAS)
		names->alias = tr2_name_key(rows, record, TR2_KEY_ALIAS);
	else if (is == TR2_IS_DEF_REPO && !names->repository)
		names->repository =
			tr2_name_key(rows, record, TR2_KEY_WORKTREE);
	else if (is == TR2_IS_CMD_ANCESTRY ||
		 (is == TR2_IS_DATA_JSON && !names->caller))
		names->caller = name_caller(rows, record);
}

/* A log may claim to begin before the first day. */
static uint32_t name_hour(struct tr2_rows *rows,
			  const struct tr2_tree_process *self)
{
	struct tr2_buf text = TR2_BUF_INIT;

	if (!self->timed || self->begin < TR2_CALENDAR_DAY ||
	    !tr2_time_has_date(self->begin))
		return name_or_none(rows, 0);
	tr2_calendar_put_time(&text, self->begin);
	tr2_must_hold(&text);
	text.len = sizeof("2026-11-23T08") - 1;
	return tr2_rows_take(rows, &text);
}

uint32_t tr2_name_group(struct tr2_forest *forest,
			const struct tr2_summary_process *process)
{
	const struct tr2_process_names *names = &process->names;
	struct tr2_rows *rows = &forest->rows;

	switch (forest->by) {
	case TR2_BY_COMMAND:
		return name_or_none(rows,
				    is_made_up(rows, names) || !names->name
					    ? names->words
					    : names->name);
	case TR2_BY_MODE:
		return name_or_none(rows, names->mode);
	case TR2_BY_REPOSITORY:
		return name_or_none(rows, names->repository);
	case TR2_BY_CALLER:
		return name_or_none(rows, names->caller);
	case TR2_BY_VERSION:
		return name_or_none(rows, names->version);
	case TR2_BY_HOST:
		return name_or_none(rows, process->host);
	case TR2_BY_HOUR:
		return name_hour(rows, &process->life.self);
	case TR2_BY_NOTHING:
	case TR2_BYS:
		break;
	}
	return name_or_none(rows, 0);
}

bool tr2_name_fits(const char *command, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncmp(command, wanted, len) &&
	       (!command[len] || command[len] == '#');
}

static uint64_t mix_value(uint64_t hash, const struct tr2_record *record,
			  enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_raw(record, key, &len);
	uint64_t word = 0;

	if (text)
		word = (uint64_t)record->value[key].kind ^
		       tr2_hash(text, len).a;
	return tr2_hash_mix(hash, word, UINT64_C(0x9e3779b97f4a7c15));
}

const struct tr2_said *tr2_said_read(struct tr2_said kept[TR2_SAID_MOST],
				     struct tr2_rows *rows,
				     struct tr2_record *record)
{
	struct tr2_facts facts = { 0 };
	struct tr2_said *said;
	uint64_t key = 0;

	key = mix_value(key, record, TR2_KEY_ARGV);
	key = mix_value(key, record, TR2_KEY_CHILD_CLASS);
	key = mix_value(key, record, TR2_KEY_USE_SHELL) | 1; /* 0: none */
	said = &kept[key >> 32 & (TR2_SAID_MOST - 1)];
	if (said->key == key)
		return said;
	tr2_words_choose(&facts, record);
	*said = (struct tr2_said){
		.key = key,
		.name = tr2_words_name(rows, record),
		.remote = tr2_words_remote(rows, record),
		.words = tr2_words_hash(record),
		.choices = facts.choices,
		.use = (uint8_t)tr2_words_use(record),
	};
	return said;
}
