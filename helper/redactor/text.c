#include "redactor/text.h"

#include <string.h>

#include "common/memory.h"
#include "event/redact.h"
#include "text/text.h"

#define GONE "<REDACTED>"

static size_t match_prefix(const char *text, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(text, *prefixes, strlen(*prefixes)))
			return strlen(*prefixes);
	return 0;
}

static bool has_time(const char *line)
{
	static const char form[] = "00:00:00.000000 ";
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == '0' ? !tr2_text_is_digit(line[i])
				   : line[i] != form[i])
			return false;
	return true;
}

/* Returns the words of a NORMAL line, or NULL: it has no quoted words. */
static const char *find_normal_words(const char *line)
{
	static const char *const events[] = { "start ", "child_start[", "exec[",
					      "alias ", "worktree ",	NULL };

	if (has_time(line)) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	return match_prefix(line, events) ? line : NULL;
}

/* The column of the event is the second one after the depth's. */
static const char *find_perf_words(const char *line)
{
	static const char *const events[] = { "start ",	   "child_start ",
					      "exec ",	   "alias ",
					      "def_repo ", "cmd_ancestry ",
					      NULL };
	static const char bar[] = " | ";
	const char *column = line;

	while (!(*column == 'd' && tr2_text_is_digit(column[1]))) {
		column = strstr(column, bar);
		if (!column)
			return NULL;
		column += strlen(bar);
	}
	column = strstr(column, bar);
	column = column ? strstr(column + 1, bar) : NULL;
	if (!column || !match_prefix(column + strlen(bar), events))
		return NULL;
	return column + strlen(bar);
}

/* Returns the end of a word in quotes, in which `'\''` and `'\!'` may be. */
static size_t measure_quoted(const char *text)
{
	size_t len = 1;

	while (text[len]) {
		len += strcspn(text + len, "'");
		if (!text[len])
			break;
		len++;
		if (text[len] != '\\' || !text[len + 1] ||
		    text[len + 2] != '\'')
			break;
		len += 3;
	}
	return len;
}

/* PERF has its words in brackets, and the last one ends the line. */
static size_t measure_word(const char *text, bool perf)
{
	size_t len = strcspn(text, " ");

	if (*text == '\'')
		return measure_quoted(text);
	if (perf && !text[len] && len && text[len - 1] == ']')
		len--;
	return len;
}

static void put_word(struct tr2_buf *out, const char *word, size_t len)
{
	bool quotes = *word != '\'' && tr2_text_find(word, len, GONE);

	tr2_buf_add(out, "'", quotes);
	tr2_buf_add(out, word, len);
	tr2_buf_add(out, "'", quotes);
}

static void put_words(struct tr2_buf *out, const char *text, bool perf)
{
	static const char *const before[] = { "argv:[", "ancestry:[",
					      "cd:", "worktree:", NULL };
	size_t len;

	while (*text) {
		len = strspn(text, " ");
		len += match_prefix(text + len, before);
		tr2_buf_add(out, text, len);
		text += len;
		len = measure_word(text, perf);
		if (!len)
			len = *text != '\0'; /* the last bracket */
		put_word(out, text, len);
		text += len;
	}
}

void tr2_redact_add_text(struct tr2_buf *out, const char *line, bool perf)
{
	struct tr2_buf clean = TR2_BUF_INIT;
	const char *words;

	tr2_redact_add(&clean, line);
	if (clean.failed)
		tr2_memory_out();
	words = perf ? find_perf_words(clean.bytes)
		     : find_normal_words(clean.bytes);
	if (!words)
		words = clean.bytes + clean.len - 1;
	tr2_buf_add(out, clean.bytes, (size_t)(words - clean.bytes));
	put_words(out, words, perf);
	tr2_buf_release(&clean);
}
