#include "model/account/name.h"

#include <string.h>

#include "lib/common/memory.h"
#include "read/calendar.h"
#include "read/value.h"
#include "lib/text/text.h"

static const char none[] = "(none)";

/* A server has the repository as its last word, and others may name it. */
static const char *find_directory(const char *line, bool serves)
{
	static const char option[] = " --git-dir";
	const char *from = strstr(line, option);

	if (from && strchr("= ", from[sizeof(option) - 1]))
		return from + sizeof(option);
	from = serves ? strrchr(line, ' ') : NULL;
	return from ? from + 1 : NULL;
}

/* 'DIRECTORY.git/index.lock' */
static const char *find_locked(const char *error)
{
	const char *end = strstr(error, ".lock'");

	for (; end && end > error && *end != '\'';)
		end--;
	return end && *end == '\'' && strstr(end, ".git/") ? end + 1 : NULL;
}

uint32_t tr2_name_repository(struct tr2_rows *rows,
			     const struct tr2_summary_process *process,
			     bool serves)
{
	const char *from = process->line.len
				   ? find_directory(process->line.bytes, serves)
				   : NULL;
	const char *end;
	size_t len;

	if (from) {
		from += *from == '\'';
		len = strcspn(from, " '");
	} else {
		from = process->lock ? find_locked(process->error.bytes) : NULL;
		end = from ? strstr(from, ".git/") : NULL;
		len = end ? (size_t)(end - from) + strlen(".git") : 0;
	}
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

uint32_t tr2_name_mode(struct tr2_rows *rows, struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_NAME, &len);

	return text && !tr2_text_is(text, len, "undefined")
		       ? tr2_rows_name(rows, text, len)
		       : 0;
}

/* Returns how many bytes of the message one word for all of its kind spans. */
static size_t find_variable(const char *text, size_t len, const char **word)
{
	const char *end = *text == '\'' ? memchr(text + 1, '\'', len - 1)
					: NULL;
	size_t digits = 0;

	*word = end ? "'%s'" : "%d";
	if (end)
		return (size_t)(end - text) + 1;
	while (digits < len && text[digits] >= '0' && text[digits] <= '9')
		digits++;
	return digits;
}

uint32_t tr2_name_message(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf kind = TR2_BUF_INIT;
	uint32_t number = 0;
	const char *text, *word;
	size_t len, at, step;

	text = tr2_record_text(record, TR2_KEY_MSG, &len);
	for (at = 0; text && at < len && text[at] != '\n'; at += step) {
		step = find_variable(text + at, len - at, &word);
		if (step)
			tr2_buf_str(&kind, word);
		else
			tr2_buf_byte(&kind, text[at]);
		step += !step;
	}
	if (kind.failed)
		tr2_memory_out();
	if (kind.len)
		number = tr2_rows_name(rows, kind.bytes, kind.len);
	tr2_buf_release(&kind);
	return number;
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

uint32_t tr2_name_caller(struct tr2_rows *rows, struct tr2_record *record)
{
	const enum tr2_key key = find_ancestry(record);
	const struct tr2_value *list = &record->value[key];
	struct tr2_buf names = TR2_BUF_INIT, *word = &record->word;
	size_t token = list->token + 1;
	uint32_t number = 0;
	unsigned count = 0;

	if (!tr2_record_has(record, key) || list->kind != TR2_STRINGS)
		return 0;
	for (; count < CALLERS_SHOWN && tr2_words_take(record, &token, word);
	     count++) {
		if (count)
			tr2_buf_str(&names, " < ");
		tr2_buf_add(&names, word->bytes, word->len);
	}
	if (names.failed)
		tr2_memory_out();
	if (names.len)
		number = tr2_rows_name(rows, names.bytes, names.len);
	tr2_buf_release(&names);
	return number;
}

/* A shell's command is long, and its user knows the alias. */
uint32_t tr2_name_child(struct tr2_rows *rows, struct tr2_record *record,
			uint32_t alias)
{
	uint32_t name = tr2_name_key(rows, record, TR2_KEY_HOOK_NAME);
	struct tr2_buf text = TR2_BUF_INIT;
	const char *class;
	size_t len;

	if (name)
		return name;
	class = tr2_record_text(record, TR2_KEY_CHILD_CLASS, &len);
	if (!alias || !class || !tr2_text_is(class, len, "shell_alias"))
		return tr2_words_name(rows, record);
	tr2_buf_str(&text, "alias ");
	tr2_buf_str(&text, tr2_rows_text(rows, alias, NULL));
	if (text.failed)
		tr2_memory_out();
	name = tr2_rows_name(rows, text.bytes, text.len);
	tr2_buf_release(&text);
	return name;
}

static uint32_t name_or_none(struct tr2_rows *rows, uint32_t number)
{
	return number ? number : tr2_rows_name(rows, none, sizeof(none) - 1);
}

/* `_run_dashed_` and the like are git's own; its words say more. */
static bool is_made_up(const struct tr2_rows *rows,
		       const struct tr2_summary_process *process)
{
	return process->words &&
	       *tr2_rows_text(rows, process->name, NULL) == '_';
}

uint32_t tr2_name_command(struct tr2_rows *rows,
			  const struct tr2_summary_process *process)
{
	struct tr2_buf name = TR2_BUF_INIT;
	uint32_t number;

	if (!process->name || is_made_up(rows, process))
		return name_or_none(rows, process->words);
	if (!process->mode)
		return process->name;
	tr2_buf_str(&name, tr2_rows_text(rows, process->name, NULL));
	tr2_buf_byte(&name, '#');
	tr2_buf_str(&name, tr2_rows_text(rows, process->mode, NULL));
	if (name.failed)
		tr2_memory_out();
	number = tr2_rows_name(rows, name.bytes, name.len);
	tr2_buf_release(&name);
	return number;
}

/* A log may claim to begin before the first day. */
static uint32_t name_hour(struct tr2_rows *rows,
			  const struct tr2_summary_process *process)
{
	struct tr2_buf text = TR2_BUF_INIT;
	uint32_t number;

	if (!process->timed || process->base < TR2_CALENDAR_DAY ||
	    !tr2_time_has_date(process->base))
		return name_or_none(rows, 0);
	tr2_calendar_put_time(&text, process->base);
	if (text.failed)
		tr2_memory_out();
	number = tr2_rows_name(rows, text.bytes, sizeof("2026-11-23T08") - 1);
	tr2_buf_release(&text);
	return number;
}

uint32_t tr2_name_group(struct tr2_forest *forest,
			const struct tr2_summary_process *process)
{
	struct tr2_rows *rows = &forest->rows;

	switch (forest->by) {
	case TR2_BY_COMMAND:
		return name_or_none(rows,
				    is_made_up(rows, process) || !process->name
					    ? process->words
					    : process->name);
	case TR2_BY_MODE:
		return name_or_none(rows, process->mode);
	case TR2_BY_REPOSITORY:
		return name_or_none(rows, process->repository);
	case TR2_BY_CALLER:
		return name_or_none(rows, process->caller);
	case TR2_BY_VERSION:
		return name_or_none(rows, process->version);
	case TR2_BY_HOST:
		return name_or_none(rows, process->host);
	case TR2_BY_HOUR:
		return name_hour(rows, process);
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

bool tr2_name_is_listed(const char *list, const char *command)
{
	size_t len = strcspn(command, "#");

	for (; *list; list += strspn(list, " ")) {
		if (!strncmp(list, command, len) &&
		    (!list[len] || list[len] == ' '))
			return true;
		list += strcspn(list, " ");
	}
	return false;
}
