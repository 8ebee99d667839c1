#include "model/account/forest.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/value.h"

/* Returns the text "index.lock" of "'/r/.git/index.lock': File exists", or 0. */
static uint32_t find_lock_file(struct tr2_rows *rows, const char *text)
{
	const char *end = strstr(text, ".lock'"), *begin;

	if (!end || !strstr(end, "exists"))
		return 0;
	end += strlen(".lock");
	for (begin = end;
	     begin > text && begin[-1] != '/' && begin[-1] != '\'';)
		begin--;
	return tr2_rows_name(rows, begin, (size_t)(end - begin));
}

/*
 * "cannot lock ref 'HEAD': is at 1234 but expected 5678": nobody holds it. Nor
 * does anybody where a directory is missing, or a ref has the name of one.
 */
static uint32_t find_lock(struct tr2_rows *rows, const char *text)
{
	static const struct {
		const char *begin, *within, *lock;
	} kinds[] = {
		{ "could not lock config file", ": File exists",
		  "config.lock" },
		{ "cannot lock references", "", TR2_LOCK_REF },
		{ "cannot lock ref '", " but expected ", TR2_LOCK_MOVED },
	};
	uint32_t lock = find_lock_file(rows, text);

	for (size_t i = 0; !lock && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(text, kinds[i].begin, strlen(kinds[i].begin)) &&
		    strstr(text, kinds[i].within))
			lock = tr2_rows_word(rows, kinds[i].lock);
	return lock;
}

static size_t find_line_end(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);

	if (end)
		len = (size_t)(end - text);
	while (len && strchr("\r ", text[len - 1]))
		len--;
	return len;
}

/* Put the first line, and the next one if it goes on or tells of that. */
static void put_lines(struct tr2_buf *to, const char *text, size_t len)
{
	size_t end = find_line_end(text, len), next = end;

	tr2_buf_reset(to);
	tr2_buf_add(to, text, end);
	while (end && strchr(":,;", text[end - 1]) && next < len &&
	       strchr("\r\n\t ", text[next]))
		next++;
	if (next > end && next < len) {
		tr2_buf_byte(to, ' ');
		tr2_buf_add(to, text + next,
			    find_line_end(text + next, len - next));
	}
	to->len = tr2_text_cut(to->bytes, to->len, TR2_FAILURE_MESSAGE);
	tr2_must_end(to);
}

void tr2_failure_take_error(struct tr2_forest *forest,
			    struct tr2_summary_process *process,
			    struct tr2_record *record)
{
	const struct tr2_buf before = process->cause;
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_MSG, &len);

	for (; text && len && strchr("\r\n\t ", *text); len--)
		text++;
	if (!text || !len)
		return;
	if (process->error.len && !process->cause.len) {
		process->cause = process->error;
		process->error = before;
	}
	put_lines(&process->error, text, len);
	process->error_at = process->now;
	process->error_is_late = !tr2_record_find_time(record);
	if (!process->lock)
		process->lock = find_lock(&forest->rows, process->error.bytes);
}
