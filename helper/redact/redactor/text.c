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

const char *tr2_redact_find_payload(const char *line)
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

/* The buffers of a line. */
struct text_line {
	struct tr2_buf *out, *word, *shown;
	struct tr2_secret_words words;
};

/* Put the bytes of a word without its quotes into `word`. */
static void read_word(struct text_line *line, const char *word, size_t len)
{
	struct tr2_buf *out = line->word;
	size_t i;

	tr2_buf_reset(out);
	for (i = 0; i < len; i++)
		if (word[i] == '\\' && i + 1 < len && *word == '\'')
			tr2_buf_byte(out, word[++i]);
		else if (word[i] != '\'' || *word != '\'')
			tr2_buf_byte(out, word[i]);
	tr2_buf_byte(out, '\0');
}

static void put_as_it_is(struct tr2_buf *out, const char *word, size_t len)
{
	bool quotes = *word != '\'' &&
		      tr2_text_find(word, len, TR2_SECRET_GONE);

	tr2_buf_add(out, "'", quotes);
	tr2_buf_add(out, word, len);
	tr2_buf_add(out, "'", quotes);
}

static void put_word(struct text_line *line, const char *word, size_t len)
{
	const struct tr2_buf *plain = line->word, *shown = line->shown;

	read_word(line, word, len);
	tr2_buf_reset(line->shown);
	if (plain->failed) {
		line->out->failed = 1;
		return;
	}
	tr2_secret_hide_word(&line->words, line->shown, plain->bytes,
			     plain->len - 1);
	tr2_buf_byte(line->shown, '\0');
	line->out->failed |= shown->failed;
	if (shown->failed)
		return;
	if (shown->len == plain->len &&
	    !memcmp(shown->bytes, plain->bytes, plain->len))
		put_as_it_is(line->out, word, len);
	else
		tr2_quote_word(line->out, shown->bytes);
}

static void put_words(struct text_line *line, const char *text, bool perf)
{
	static const char *const before[] = { "argv:[", "ancestry:[",
					      "cd:", "worktree:", NULL };
	size_t len;

	while (*text) {
		len = strspn(text, " ");
		len += match_prefix(text + len, before);
		tr2_buf_add(line->out, text, len);
		text += len;
		len = measure_word(text, perf);
		if (len)
			put_word(line, text, len);
		else
			tr2_buf_add(line->out, text, *text != '\0');
		text += len ? len : *text != '\0'; /* the last bracket */
	}
}

/* What has no words is a name and its value, or any text. */
static void put_text(struct text_line *line, const char *text)
{
	const char *pair = find_pair(text);
	size_t head = pair ? (size_t)(pair - text) : strlen(text);

	tr2_secret_hide(line->out, text, head);
	if (pair)
		tr2_secret_hide_pair(line->out, pair, strlen(pair));
}

/*
 * Words that another program quoted are seen only together. The bracket that
 * ends those of PERF is no value of the last one.
 */
static void put_together(struct tr2_buf *out, const struct tr2_buf *words,
			 bool perf)
{
	const size_t len = words->len;
	const size_t last = perf && len && words->bytes[len - 1] == ']';

	out->failed |= words->failed;
	if (words->failed || !len)
		return;
	tr2_secret_hide(out, words->bytes, len - last);
	tr2_buf_add(out, "]", last);
}

/*
 * A file may have lines of both formats, and of other traces of git, so each
 * line tells its own.
 */
void tr2_redact_add_text(struct tr2_redact_scratch *scratch,
			 struct tr2_buf *out, const char *text)
{
	struct text_line line = { .out = out,
				  .word = &scratch->word,
				  .shown = &scratch->shown };
	struct tr2_buf *clean = &scratch->clean;
	const char *words;
	bool perf;

	tr2_buf_reset(clean);
	tr2_redact_add(clean, text);
	if (clean->failed) {
		out->failed = 1;
		return;
	}
	perf = find_perf_event(clean->bytes);
	words = perf ? find_perf_words(clean->bytes)
		     : find_normal_words(clean->bytes);
	if (!words) {
		put_text(&line, clean->bytes);
		return;
	}
	line.out = &scratch->words;
	tr2_buf_reset(line.out);
	put_words(&line, words, perf);
	tr2_secret_hide(out, clean->bytes, (size_t)(words - clean->bytes));
	put_together(out, line.out, perf);
}

void tr2_redact_scratch_release(struct tr2_redact_scratch *scratch)
{
	tr2_buf_release(&scratch->clean);
	tr2_buf_release(&scratch->words);
	tr2_buf_release(&scratch->word);
	tr2_buf_release(&scratch->shown);
}
