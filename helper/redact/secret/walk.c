#include "redact/secret/scan.h"

#include <string.h>

#include "lib/text/text.h"

static bool is_word_byte(char c)
{
	return tr2_secret_in(c, "_");
}

/* A byte of a URL may be spelled as `%3A`. */
static bool begins_word(const char *text, size_t at)
{
	return !at || !is_word_byte(text[at - 1]) ||
	       (at > 2 && text[at - 3] == '%');
}

/* ---- The walk */

/* A blank, a quote, or `\`s before one. */
static bool ends_word(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + at;

	while (*text == '\\' && text + 1 < scan->text + scan->len)
		text++;
	return tr2_secret_space(*text) || tr2_secret_quote(*text);
}

static bool begins_after(const char *text, size_t at)
{
	return !at || tr2_secret_space(text[at - 1]) ||
	       tr2_secret_quote(text[at - 1]);
}

/*
 * Returns the end of the word that begins here, or 0: none does. The `,` of a
 * list is none.
 */
static size_t end_word(const struct tr2_secret_scan *scan, size_t at)
{
	size_t end = at;

	if (!begins_after(scan->text, at))
		return 0;
	while (end < scan->len && !ends_word(scan, end))
		end++;
	if (end > at && end < scan->len && scan->text[end - 1] == ',')
		end--;
	return end > at ? end : 0;
}

/*
 * Returns the end of the word of a command line that begins here, or 0: one in
 * quotes has several words.
 */
static size_t end_whole(const struct tr2_secret_scan *scan, size_t at,
			size_t word)
{
	if (!scan->words || !scan->quote)
		return word;
	if (!at || scan->text[at - 1] != scan->quote)
		return 0;
	while (at < scan->len && scan->text[at] != scan->quote)
		at++;
	return at;
}

/* Where a secret may be, by a byte before it. */
static bool find_after_byte(struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	static const struct {
		const char *bytes;
		tr2_secret_find_fn *find;
	} finders[] = {
		{ "=:, \t", tr2_secret_find_named },
		{ ":", tr2_secret_find_account },
		{ ",(", tr2_secret_find_in_list },
		{ " \t", tr2_secret_find_told },
		{ ">", tr2_secret_find_element },
		{ "'\"$", tr2_secret_find_literal },
		{ "-", tr2_secret_find_key },
		{ "|", tr2_secret_find_cell },
	};
	const char c = scan->text[at];

	if (!c || tr2_secret_alphanumeric(c) || !strchr("=:, \t(>'\"$-|", c))
		return false;
	/* Many blanks take no longer than their length. */
	if (tr2_secret_blank(c) && at && tr2_secret_blank(scan->text[at - 1]))
		return false;
	for (size_t i = 0; i < sizeof(finders) / sizeof(*finders); i++)
		if (strchr(finders[i].bytes, c) &&
		    finders[i].find(scan, at, found))
			return true;
	return false;
}

/* `word` is the end of the word that begins here, or 0. */
static bool find_here(struct tr2_secret_scan *scan, size_t at, size_t word,
		      struct tr2_secret_span *found)
{
	if (word && (tr2_secret_find_option(scan, at, word, found) ||
		     tr2_secret_find_piped(scan, at, word, found) ||
		     tr2_secret_find_netrc(scan, at, word, found)))
		return true;
	if (find_after_byte(scan, at, found))
		return true;
	if (!is_word_byte(scan->text[at]) || !begins_word(scan->text, at))
		return false;
	return tr2_secret_find_token(scan, at, found);
}

/* A `\` before its end goes on with a shell's line. */
static void end_line(struct tr2_secret_scan *scan, size_t at)
{
	scan->quote = '\0';
	if (!at || scan->text[at - 1] != '\\')
		scan->programs = (struct tr2_secret_programs){ 0 };
}

/* In a command line, a program in a first word with blanks is noted at its end. */
static void note_word(struct tr2_secret_scan *scan, size_t at, size_t end)
{
	struct tr2_secret_programs *programs = &scan->programs;

	if (!end || (scan->words && scan->quote && !programs->any))
		return;
	if (!programs->any)
		programs->quote = scan->quote;
	programs->more |= at && scan->quote != programs->quote &&
			  scan->text[at - 1] != scan->quote;
	tr2_secret_note_word(programs, scan->text + at, end - at);
}

/* Has the word come that a program asks for by its place? */
static bool has_operand(const struct tr2_secret_programs *programs)
{
	unsigned place, word;

	for (size_t i = 0; i < tr2_secret_option_count; i++) {
		place = tr2_secret_options[i].flags >> TR2_OPTION_SHIFT;
		word = programs->rows[i] - TR2_OPTION_ACTIVE + 1U;
		if (programs->rows[i] >= TR2_OPTION_ACTIVE && place &&
		    place != TR2_OPTION_EACH && word > place)
			return true;
	}
	return false;
}

/* Is it a command of git's alone? */
static bool is_git(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "git ") && !memchr(text, ';', len) &&
	       !memchr(text, '&', len) && !memchr(text, '|', len);
}

/*
 * A word with blanks may be a line of a shell, as an alias of git is, or a path:
 * the program that it names has the words that follow, unless it has its own.
 * Returns where to go on: its last word may be an option of that program.
 */
static size_t end_quote(struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + scan->open;
	const size_t len = at - scan->open;
	const char quote = scan->quote;
	struct tr2_secret_programs before = { 0 };
	size_t end, last = at;

	scan->quote = '\0';
	if (!scan->words || scan->programs.any || is_git(text, len) ||
	    tr2_text_find(text, len, TR2_SECRET_GONE))
		return at + 1;
	for (size_t i = scan->open; i < at; i++) {
		end = end_word(scan, i);
		if (!end)
			continue;
		before = scan->programs;
		last = i;
		note_word(scan, i, end);
	}
	if (!scan->programs.more && has_operand(&scan->programs))
		scan->programs = (struct tr2_secret_programs){ 0 };
	if (!before.any || !scan->programs.any || scan->text[last] != '-')
		return at + 1;
	scan->programs = before;
	scan->quote = quote;
	return last;
}

/*
 * A `'` after a letter is an apostrophe, unless a quote is open. Returns where
 * to go on.
 */
static size_t note_quote(struct tr2_secret_scan *scan, size_t at)
{
	const char c = scan->text[at];

	if (c == '\n')
		end_line(scan, at);
	if ((c != '"' && c != '\'') || (at && scan->text[at - 1] == '\\'))
		return at + 1;
	if (scan->quote == c)
		return end_quote(scan, at);
	if (!scan->quote && (!at || !is_word_byte(scan->text[at - 1]))) {
		scan->quote = c;
		scan->open = at + 1;
	}
	return at + 1;
}

/* Returns where the line ends; a `\` before that, or a blank after it, goes on. */
static size_t find_line_end(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;

	while (at < scan->len &&
	       (text[at] != '\n' || (at && text[at - 1] == '\\') ||
		(at + 1 < scan->len && tr2_secret_blank(text[at + 1]))))
		at++;
	return at;
}

/* Does a value of several lines begin in it? It ends with the text. */
static bool begins_lines(const char *text, size_t len)
{
	static const char *const marks[] = { "<<", "-----BEGIN", "'''",
					     "\"\"\"" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (tr2_text_find(text, len, marks[i]))
			return true;
	return false;
}

/*
 * Returns where the command line ends in which this place is: at the last quote
 * like that around its program, unless more is joined to it, or with the line.
 */
size_t tr2_secret_end_command(const struct tr2_secret_scan *scan, size_t at)
{
	const char quote = scan->programs.any ? scan->programs.quote
					      : scan->quote;
	const char *text = scan->text;
	const size_t end = find_line_end(scan, at);
	size_t last = quote ? scan->len : at;

	if (scan->words)
		return scan->len;
	while (last > at && text[last - 1] != quote)
		last--;
	if (last == at || last > end ||
	    (last < end && !memchr(" \t\r,;)]}", text[last], 8)))
		last = end;
	else
		last = tr2_secret_skip_back(text, last - 1, "\\");
	return begins_lines(text + at, last - at) ? scan->len : last;
}

/* `$pw = ConvertTo-SecureString VALUE`: the word after the name is a program. */
static void add_command(const struct tr2_secret_scan *scan,
			struct tr2_secret_span *found)
{
	const size_t start = found->start + (scan->text[found->start] == '(');

	if (tr2_secret_find_row(scan->text + start, found->end - start) >= 0)
		found->end = tr2_secret_end_command(scan, found->end);
}

bool tr2_secret_find_next(struct tr2_secret_scan *scan, size_t *at,
			  struct tr2_secret_span *found)
{
	size_t word, whole;

	while (*at < scan->len) {
		word = end_word(scan, *at);
		whole = end_whole(scan, *at, word);
		if ((whole > word &&
		     tr2_secret_find_option(scan, *at, whole, found)) ||
		    find_here(scan, *at, word, found)) {
			add_command(scan, found);
			tr2_secret_note_word(&scan->programs, "", 0);
			*at = found->end;
			return true;
		}
		note_word(scan, *at, word);
		*at = note_quote(scan, *at);
	}
	return false;
}

void tr2_secret_walk_plain(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	struct tr2_secret_span found;
	size_t done = 0, at = 0;

	if (!scan->len) /* an empty text may be NULL */
		return;
	while (tr2_secret_find_next(scan, &at, &found)) {
		tr2_buf_add(out, scan->text + done, found.start - done);
		tr2_buf_str(out, TR2_SECRET_GONE);
		done = found.end;
	}
	tr2_buf_add(out, scan->text + done, scan->len - done);
}

void tr2_secret_walk(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	if (tr2_view_differs(scan->text, scan->len))
		tr2_secret_walk_seen(scan, out);
	else
		tr2_secret_walk_plain(scan, out);
}

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text, .len = len };

	tr2_secret_walk(&scan, out);
}

void tr2_secret_hide_value(struct tr2_buf *out, enum tr2_secret_value value,
			   const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text, .len = len };
	struct tr2_secret_span found = { 0, len };
	bool hidden;

	if (value == TR2_SECRET_NONE) {
		tr2_secret_hide(out, text, len);
		return;
	}
	if (value == TR2_SECRET_VALUE || value >= TR2_SECRET_USER)
		hidden = tr2_secret_may_be(value, text, len);
	else
		hidden = tr2_secret_find_header(
			&scan, 0, '\0', value == TR2_SECRET_EXTRA, &found);
	if (!hidden) {
		if (value >= TR2_SECRET_USER)
			tr2_secret_hide(out, text, len);
		else
			tr2_buf_add(out, text, len);
		return;
	}
	tr2_buf_add(out, text, found.start);
	tr2_buf_str(out, TR2_SECRET_GONE);
	tr2_secret_hide(out, text + found.end, len - found.end);
}
