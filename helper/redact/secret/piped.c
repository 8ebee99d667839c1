/*
 * What `echo`, `printf`, a here-string and the like give to a program that reads a
 * secret: all that follows in the command line. Which words are the secret, only
 * a shell knows.
 */
#include "redact/secret/scan.h"

#include <string.h>

#include "event/token.h"
#include "lib/text/text.h"
#include "parts_rows.h"

#define NEAR_MOST 256	  /* bytes of a command that tell what it is */
#define PRINTED_MOST 8192 /* bytes of what `echo` and `printf` write */

static size_t limit_length(size_t len, size_t most)
{
	return len < most ? len : most;
}

/* Does some command of the text read a secret? It is sought once. */
static bool has_reader(struct tr2_secret_scan *scan)
{
	static const struct tr2_secret_part readers[] =
		TR2_SECRET_PARTS(PARTS_READERS);
	const struct tr2_secret_part *part = readers;

	if (scan->reader == TR2_READER_UNKNOWN) {
		while (part->text &&
		       !tr2_text_find(scan->text, scan->len, part->text))
			part++;
		scan->reader = part->text ? TR2_READER_THERE : TR2_READER_NONE;
	}
	return scan->reader == TR2_READER_THERE;
}

/* Does a `|` follow, or is the word in `<(echo VALUE)`? */
static bool is_given(struct tr2_secret_scan *scan, size_t at, size_t end)
{
	return (memchr(scan->text + at, '(', end - at) ||
		memchr(scan->text + end, '|',
		       limit_length(scan->len - end, PRINTED_MOST))) &&
	       has_reader(scan);
}

/* `echo $TOKEN` tells only a name. */
static bool is_variable(const struct tr2_secret_scan *scan, size_t at)
{
	at = tr2_secret_skip_on(scan, at, " \t\"\\");
	return at + 1 < scan->len && scan->text[at] == '$' &&
	       tr2_secret_in(scan->text[at + 1], "_{");
}

/* All from here to the end of the command line. */
static bool take_rest(const struct tr2_secret_scan *scan, size_t at,
		      struct tr2_secret_span *found)
{
	const size_t start = tr2_secret_skip_blanks(scan, at);

	return !is_variable(scan, start) &&
	       tr2_secret_take(scan, start, scan->len, found) &&
	       tr2_secret_take(scan, start, tr2_secret_end_command(scan, start),
			       found);
}

/* The lines after this one, up to the end of the text: no tag is looked for. */
static bool find_document(const struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found)
{
	const char *line = memchr(scan->text + at, '\n',
				  limit_length(scan->len - at, NEAR_MOST));

	return line && tr2_secret_take(scan, (size_t)(line + 1 - scan->text),
				       scan->len, found);
}

/* `send "VALUE\\r"` of expect, which waits for a password. */
static bool is_sent(const struct tr2_secret_scan *scan, size_t at, size_t end)
{
	const size_t before = limit_length(at, NEAR_MOST);
	const char *text = scan->text + at - before;

	return tr2_text_is(scan->text + at, end - at, "send") &&
	       memchr(scan->text + end, '\\',
		      limit_length(scan->len - end, NEAR_MOST)) &&
	       tr2_text_find(text, before, "expect") &&
	       tr2_text_find(text, before, "ass");
}

/* Does a token begin so, which a conversion goes on with? */
static bool begins_token(const char *text, size_t len)
{
	const struct tr2_token_kind *kind = tr2_token_kinds;

	while (kind->prefix && !tr2_text_is(text, len, kind->prefix))
		kind++;
	return kind->prefix;
}

enum tr2_secret_value tr2_secret_names_any(const char *text, size_t len)
{
	enum tr2_secret_value value, any = TR2_SECRET_NONE;
	size_t at = 0, size;

	for (; at < len; at += size ? size : 1) {
		at += at + 1 < len && text[at] == '\\'; /* `\n` before a name */
		at += at > 0 && text[at - 1] == '\\';
		size = at < len
			       ? tr2_text_count_word(text + at, len - at, "_-.")
			       : 0;
		value = tr2_secret_name(text + at, size, false);
		if (value == TR2_SECRET_STRONG)
			any = value;
		else if (value != TR2_SECRET_NONE ||
			 (size && begins_token(text + at, size)))
			return TR2_SECRET_VALUE;
	}
	return any;
}

/* `PWD` of a database, and not the variable of a shell */
static bool names_directory(const char *text, size_t len)
{
	const char *name = tr2_text_find(text, len, "PWD");

	return name && (name == text || name[-1] != '$');
}

static bool is_format(const char *text, size_t len)
{
	return memchr(text, '%', len) &&
	       (tr2_secret_names_any(text, len) || names_directory(text, len) ||
		tr2_text_find(text, len, "://"));
}

/*
 * With a format, or one word: `printf` is the name of an event, too, before any
 * text.
 */
static bool is_printf(const struct tr2_secret_scan *scan, size_t at, size_t end)
{
	const size_t next = tr2_secret_skip_blanks(scan, end);
	size_t pipe;

	if (!tr2_secret_ends_in(scan->text, end, "printf") ||
	    (at > 0 && scan->text[at - 1] == '=') || next == scan->len ||
	    scan->text[next] == '|') /* a column of PERF */
		return false;
	if (scan->words || memchr("'\"\\%", scan->text[next], 4) ||
	    tr2_text_starts(scan->text + next, scan->len - next, "-v ") ||
	    tr2_text_starts(scan->text + next, scan->len - next, "-- "))
		return true;
	pipe = tr2_secret_skip_blanks(scan, tr2_secret_skip_word(scan, next));
	return pipe < scan->len && scan->text[pipe] == '|';
}

/* `printf '%s=%s' NAME VALUE`: is there such a name, and a conversion? */
static bool is_printed(const struct tr2_secret_scan *scan, size_t end)
{
	const char *text = scan->text + end;
	size_t len = limit_length(scan->len - end, PRINTED_MOST);
	const char *line = memchr(text, '\n', len);

	if (line)
		len = (size_t)(line - text);
	return is_format(text, len);
}

/* `"VALUE" | COMMAND` of PowerShell */
static bool is_piped(const struct tr2_secret_scan *scan, size_t at, size_t end)
{
	const char *text = scan->text;
	size_t pipe;

	if (!at || end == scan->len || !tr2_secret_quote(text[at - 1]) ||
	    text[end] != text[at - 1])
		return false;
	pipe = tr2_secret_skip_blanks(scan, end + 1);
	return pipe < scan->len && text[pipe] == '|';
}

/* Does the word write a secret to what reads it, or to a file? */
static bool is_writer(struct tr2_secret_scan *scan, size_t at, size_t end)
{
	if (is_printf(scan, at, end))
		return is_printed(scan, end) || is_given(scan, at, end);
	return tr2_secret_ends_in(scan->text, end, "echo")
		       ? is_given(scan, at, end)
		       : is_sent(scan, at, end);
}

bool tr2_secret_find_piped(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t start = at + tr2_text_count_digits(text + at, end - at);

	if (tr2_text_starts(text + start, end - start, "<<<"))
		return has_reader(scan) && take_rest(scan, start + 3, found);
	if (tr2_text_starts(text + start, end - start, "<<"))
		return has_reader(scan) && find_document(scan, start, found);
	if (is_writer(scan, at, end))
		return take_rest(scan, end, found);
	return is_piped(scan, at, end) && has_reader(scan) &&
	       tr2_secret_take(scan, at, end, found);
}
