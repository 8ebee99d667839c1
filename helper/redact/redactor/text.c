/*
 * Secrets in a line of NORMAL or PERF, or of another trace of git.
 *
 * The library hides a password before it quotes the words of a command line.
 * Here they are quoted already, and the placeholder has a `<`, which no word
 * without quotes may have. So a word that has none gets quotes.
 */
#include "redact/redactor/redactor.h"

#include <string.h>

#include "base/quote.h"
#include "lib/common/memory.h"
#include "event/redact.h"
#include "read/text/clock.h"
#include "redact/secret/secret.h"
#include "lib/text/text.h"

static size_t match_prefix(const char *text, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(text, *prefixes, strlen(*prefixes)))
			return strlen(*prefixes);
	return 0;
}

/* Returns the payload of a NORMAL line, or of another trace of git. */
static const char *skip_columns(const char *line)
{
	if (tr2_clock_is(line, strlen(line), false)) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	return line;
}

/* Returns the words after `trace: built-in: ` and the like, or NULL. */
static const char *find_trace_words(const char *line)
{
	static const char *const trace[] = { "trace: ", NULL };
	size_t len = match_prefix(line, trace);

	if (!len)
		return NULL;
	line += len;
	len = strspn(line, "abcdefghijklmnopqrstuvwxyz_-");
	return len && line[len] == ':' ? line + len + 1 : NULL;
}

/* Returns the words of a NORMAL line, or NULL: it has no quoted words. */
static const char *find_normal_words(const char *line)
{
	static const char *const events[] = { "start ", "child_start[", "exec[",
					      "alias ", "worktree ",	NULL };

	line = skip_columns(line);
	return match_prefix(line, events) ? line : find_trace_words(line);
}

/*
 * Returns the column of the event in a PERF line, or NULL. It is the second
 * one after the depth's.
 */
static const char *find_perf_event(const char *line)
{
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
	return column ? column + strlen(bar) : NULL;
}

static const char *find_perf_words(const char *line)
{
	static const char *const events[] = { "start ",	   "child_start ",
					      "exec ",	   "alias ",
					      "def_repo ", "cmd_ancestry ",
					      NULL };
	const char *column = find_perf_event(line);

	return column && match_prefix(column, events) ? column : NULL;
}

/* Returns the payload of a PERF line, of which this is the event's column. */
static const char *skip_perf_columns(const char *column)
{
	int bars = 5;

	while (bars-- && (column = strchr(column, '|')))
		column++;
	return column ? column + strspn(column, " .") : NULL;
}

const char *tr2_redactor_find_payload(const char *line)
{
	static const char *const normal[] = { "printf ", "error ", NULL };
	const char *column = find_perf_event(line), *text;

	if (column) {
		text = skip_perf_columns(column);
		return text ? text : line;
	}
	line = skip_columns(line);
	return line + match_prefix(line, normal);
}

/* Returns the name and the value that the line has, or NULL. */
static const char *find_pair(const char *line)
{
	static const char *const perf[] = { "def_param ", "data ", "data_json ",
					    NULL };
	static const char *const normal[] = { "def_param ", NULL };
	static const char *const scope[] = { "scope:", NULL };
	const char *column = find_perf_event(line);

	if (column)
		return match_prefix(column, perf) ? skip_perf_columns(column)
						  : NULL;
	line = skip_columns(line);
	if (!match_prefix(line, normal))
		return NULL;
	line += match_prefix(line, normal);
	if (match_prefix(line, scope))
		line += strcspn(line, " ");
	return line + strspn(line, " ");
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

/* Put the bytes of a word without its quotes into `word`. */
static void read_word(struct tr2_buf *out, const char *word, size_t len)
{
	size_t i;

	tr2_buf_reset(out);
	for (i = 0; i < len; i++)
		if (word[i] == '\\' && i + 1 < len && *word == '\'')
			tr2_buf_byte(out, word[++i]);
		else if (word[i] != '\'' || *word != '\'')
			tr2_buf_byte(out, word[i]);
	tr2_must_end(out);
}

static void put_word(struct tr2_redactor *redactor,
		     struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *word, size_t len)
{
	struct tr2_buf *plain = &redactor->word, *shown = &redactor->shown;
	bool quotes;

	read_word(plain, word, len);
	tr2_buf_reset(shown);
	tr2_secret_hide_word(words, shown, plain->bytes, plain->len - 1);
	tr2_must_end(shown);
	if (shown->len != plain->len ||
	    memcmp(shown->bytes, plain->bytes, plain->len) != 0) {
		tr2_quote_word(out, shown->bytes);
		return;
	}
	quotes = *word != '\'' && tr2_text_find(word, len, TR2_SECRET_GONE);
	tr2_buf_add(out, "'", quotes);
	tr2_buf_add(out, word, len);
	tr2_buf_add(out, "'", quotes);
}

static void put_words(struct tr2_redactor *redactor, struct tr2_buf *out,
		      const char *text, const char *end)
{
	static const char *const before[] = { "argv:[", "ancestry:[",
					      "cd:", "worktree:", NULL };
	struct tr2_secret_words words = { 0 };
	size_t len;

	while (text < end) {
		len = strspn(text, " ");
		len += match_prefix(text + len, before);
		tr2_buf_add(out, text, len);
		text += len;
		len = *text == '\'' ? measure_quoted(text) : strcspn(text, " ");
		if (text + len > end)
			len = (size_t)(end - text);
		if (len)
			put_word(redactor, &words, out, text, len);
		text += len;
	}
}

/* What has no words is a name and its value, or any text. */
static void put_text(struct tr2_buf *out, const char *text)
{
	const char *pair = find_pair(text);

	tr2_secret_hide(out, text, pair ? (size_t)(pair - text) : strlen(text));
	if (pair)
		tr2_secret_hide_pair(out, pair, strlen(pair));
}

/*
 * A file may have lines of both formats, and of other traces of git, so each
 * line tells its own. Words that another program quoted are seen only together.
 * The bracket that ends those of PERF is no value of the last one.
 */
void tr2_redactor_put_text(struct tr2_redactor *redactor, struct tr2_buf *out,
			   const char *text)
{
	struct tr2_buf *clean = &redactor->clean, *plain = &redactor->plain;
	const char *words;
	size_t len, last;
	bool perf;

	tr2_buf_reset(clean);
	tr2_redact_add(clean, text);
	tr2_must_hold(clean);
	perf = find_perf_event(clean->bytes);
	words = perf ? find_perf_words(clean->bytes)
		     : find_normal_words(clean->bytes);
	if (!words) {
		put_text(out, clean->bytes);
		return;
	}
	len = strlen(words);
	last = perf && len && words[len - 1] == ']';
	tr2_buf_reset(plain);
	put_words(redactor, plain, words, words + len - last);
	tr2_must_hold(plain);
	tr2_secret_hide(out, clean->bytes, (size_t)(words - clean->bytes));
	tr2_secret_hide(out, plain->bytes, plain->len);
	tr2_buf_add(out, "]", last);
}
