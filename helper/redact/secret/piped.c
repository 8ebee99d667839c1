#include "redact/secret/scan.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/text.h"
#include "parts_rows.h"

#define SECRET_MOST ((size_t)8 << 10) /* bytes that `echo` writes */
#define TAG_MOST 32
#define COMMAND_MOST 256 /* bytes that tell whether a command reads one */

/*
 * Is there a command that reads a secret? There is none in the bytes up to
 * `known`, which may be 0.
 */
static bool has_reader(const char *text, size_t len, size_t known)
{
	static const struct tr2_secret_part readers[] =
		TR2_SECRET_PARTS(PARTS_READERS);
	const struct tr2_secret_part *part = readers;
	size_t at;

	for (; part->text; part++) {
		at = known < part->len ? 0 : known - part->len + 1;
		if (at < len && tr2_text_find(text + at, len - at, part->text))
			return true;
	}
	return false;
}

static size_t limit_length(size_t len, size_t most)
{
	return len < most ? len : most;
}

/* Returns where the command begins, perhaps not from its begin on. */
static size_t begin_command(const struct tr2_secret_scan *scan, size_t at)
{
	const size_t least = at < COMMAND_MOST ? 0 : at - COMMAND_MOST;

	while (at > least && !memchr("\n|;&", scan->text[at - 1], 4))
		at--;
	return at;
}

/*
 * Do commands follow, with pipes between them, of which one reads a secret?
 * What was searched for the `echo` before this one is not searched again.
 */
static bool is_read(struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + at;
	const size_t most = limit_length(scan->len - at, COMMAND_MOST);
	const size_t known = scan->unread > at ? scan->unread - at : 0;
	size_t len = 0;

	while (len < most && !memchr("\n;", text[len], 2))
		len++;
	if (has_reader(text, len, known))
		return true;
	if (len > known)
		scan->unread = at + len;
	return false;
}

/* `echo $TOKEN` tells only a name. */
static bool is_variable(const char *text, size_t len)
{
	while (len && memchr("\"\\", *text, 2))
		text++, len--;
	return len && *text == '$';
}

/* Returns where the text begins that `echo -n` writes. */
static size_t skip_options(const struct tr2_secret_scan *scan, size_t at)
{
	at = tr2_secret_skip_blanks(scan, at);
	while (at + 2 < scan->len && scan->text[at] == '-' &&
	       memchr("neE", scan->text[at + 1], 3) &&
	       tr2_secret_blank(scan->text[at + 2]))
		at = tr2_secret_skip_blanks(scan, at + 2);
	return at;
}

static bool find_echo(struct tr2_secret_scan *scan, size_t end,
		      struct tr2_secret_span *found)
{
	const char *text = scan->text + end;
	const size_t most = limit_length(scan->len - end, SECRET_MOST);
	const char *pipe = memchr(text, '|', most);

	if (!pipe || memchr(text, '\n', (size_t)(pipe - text)) ||
	    !is_read(scan, (size_t)(pipe + 1 - scan->text)))
		return false;
	found->start = skip_options(scan, end);
	found->end = (size_t)(pipe - scan->text);
	while (found->end > found->start &&
	       tr2_secret_blank(scan->text[found->end - 1]))
		found->end--;
	return true;
}

/* Does a `|` follow what ends here, perhaps with a quote, and what reads it? */
static bool is_piped(struct tr2_secret_scan *scan, size_t end)
{
	const bool quoted = end < scan->len &&
			    tr2_secret_quote(scan->text[end]);
	const size_t pipe = tr2_secret_skip_blanks(scan, end + quoted);

	return pipe < scan->len && scan->text[pipe] == '|' &&
	       is_read(scan, pipe + 1);
}

static bool find_here_string(struct tr2_secret_scan *scan, size_t at,
			     size_t end, struct tr2_secret_span *found)
{
	const size_t start = begin_command(scan, at);

	return tr2_secret_find_value(scan, tr2_secret_skip_blanks(scan, end),
				     found) &&
	       (has_reader(scan->text + start, at - start, 0) ||
		is_piped(scan, found->end));
}

bool tr2_secret_narrow_echo(const char *text, struct tr2_secret_span *found)
{
	const struct tr2_secret_scan scan = { .text = text, .len = found->end };
	size_t at = found->start;

	while (at < found->end && memchr("! \"'", text[at], 4))
		at++;
	if (!tr2_text_starts(text + at, found->end - at, "echo ") &&
	    !tr2_text_starts(text + at, found->end - at, "printf "))
		return false;
	found->start = skip_options(&scan, at + strcspn(text + at, " "));
	return found->start < found->end &&
	       !is_variable(text + found->start, found->end - found->start) &&
	       !tr2_secret_is_shown(text + found->start,
				    found->end - found->start);
}

/* `<(echo VALUE)` of a command that reads a secret from a file */
static bool find_substituted(const struct tr2_secret_scan *scan, size_t at,
			     size_t end, struct tr2_secret_span *found)
{
	const size_t start = begin_command(scan, at);
	const char *close = memchr(scan->text + end, ')',
				   limit_length(scan->len - end, SECRET_MOST));

	if (!close || !has_reader(scan->text + start, end - start, 0))
		return false;
	found->start = skip_options(scan, end);
	found->end = (size_t)(close - scan->text);
	return found->start < found->end;
}

/* `<<TAG` of a command that reads a secret: the lines up to the tag */
static bool find_document(const struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found)
{
	const char *text = scan->text, *line, *end;
	const size_t start = begin_command(scan, at);
	char tag[TAG_MOST];
	size_t len;

	line = memchr(text + at, '\n',
		      limit_length(scan->len - at, COMMAND_MOST));
	if (!line ||
	    !has_reader(text + start, (size_t)(line - text) - start, 0))
		return false;
	for (at += 2; memchr("-'\"\\ ", text[at], 5);)
		at++;
	len = tr2_text_count_word(text + at, scan->len - at, "_");
	if (!len || len >= TAG_MOST)
		return false;
	snprintf(tag, sizeof(tag), "\n%.*s", (int)len, text + at);
	found->start = (size_t)(line + 1 - text);
	end = tr2_text_find(
		line, limit_length(scan->len - found->start + 1, SECRET_MOST),
		tag);
	found->end = end ? (size_t)(end - text) : scan->len;
	return true;
}

/* `expect "password:"; send "VALUE\\r"` of expect */
static bool find_sent(const struct tr2_secret_scan *scan, size_t at, size_t end,
		      struct tr2_secret_span *found)
{
	const size_t start = at > COMMAND_MOST ? at - COMMAND_MOST : 0;
	struct tr2_secret_scan next = *scan;

	if (!tr2_text_find(scan->text + start, at - start, "expect") ||
	    !tr2_text_find(scan->text + start, at - start, "ass"))
		return false;
	at = tr2_secret_skip_blanks(scan, end);
	if (tr2_text_starts(scan->text + at, scan->len - at, "-- "))
		at = tr2_secret_skip_blanks(scan, at + 2);
	next.quote = '\0';
	return tr2_secret_find_value(&next, at, found) &&
	       memchr(scan->text + found->start, '\\',
		      found->end - found->start);
}

/*
 * With a format, or one word: `printf` is the name of an event, too, before any
 * text.
 */
static bool is_printf(const struct tr2_secret_scan *scan, size_t end)
{
	const size_t next = tr2_secret_skip_blanks(scan, end);
	const size_t most = next + limit_length(scan->len - next, COMMAND_MOST);
	size_t at = next;

	if (!tr2_secret_ends_in(scan->text, end, "printf") || at == scan->len)
		return false;
	if (memchr("'\"\\%", scan->text[next], 4))
		return true;
	while (at < most && !tr2_secret_space(scan->text[at]))
		at++;
	at = tr2_secret_skip_blanks(scan, at);
	return at < scan->len && scan->text[at] == '|';
}

/* Skip the words of a format's conversions that are before its last one. */
static size_t skip_conversions(const struct tr2_secret_scan *scan, size_t at,
			       size_t end, size_t next)
{
	struct tr2_secret_span word;

	for (; at < end; at++) {
		if (scan->text[at] != '%' || scan->text[++at] == '%')
			continue;
		next = tr2_secret_skip_blanks(scan, next);
		if (!tr2_secret_find_value(scan, next, &word))
			break;
		next = word.end + (word.start > next);
	}
	return next;
}

/* Is there a conversion that writes one word, which nothing is joined to? */
static bool begins_conversion(const struct tr2_secret_scan *scan, size_t at)
{
	if (at >= scan->len || scan->text[at] != '%')
		return false;
	at = tr2_secret_skip_on(scan, at + 1, "-.0123456789");
	return at + 1 < scan->len && memchr("sbq", scan->text[at], 3) &&
	       !tr2_secret_in(scan->text[at + 1], "%_");
}

bool tr2_secret_find_formatted(const struct tr2_secret_scan *scan, size_t at,
			       struct tr2_secret_span *found, bool *secret)
{
	const size_t least = at < COMMAND_MOST ? 0 : at - COMMAND_MOST;
	struct tr2_secret_scan next;
	size_t open = at, end = at;

	if (!begins_conversion(scan, at))
		return false;
	while (open > least && !tr2_secret_quote(scan->text[open - 1]))
		open--;
	end = tr2_secret_skip_back(scan->text, open, "\\'\" ");
	if (open == end || !tr2_secret_ends_in(scan->text, end, "printf"))
		return false;
	next = *scan;
	next.quote = '\0';
	for (end = at;
	     end < scan->len && scan->text[end] != scan->text[open - 1];)
		end++;
	end = skip_conversions(&next, open, at, end + 1);
	*secret = tr2_secret_find_value(
			  &next, tr2_secret_skip_blanks(scan, end), found) &&
		  scan->text[found->start] != '$';
	return true;
}

/* `<<< VALUE`, `<<TAG` or, of PowerShell, `"VALUE" | COMMAND` */
static bool find_input(struct tr2_secret_scan *scan, size_t at, size_t end,
		       struct tr2_secret_span *found)
{
	const char *word = scan->text + at;
	const size_t digits = tr2_text_count_digits(word, end - at);

	if (tr2_text_starts(word + digits, end - at - digits, "<<<"))
		return find_here_string(scan, at, at + digits + 3, found);
	if (tr2_text_starts(word + digits, end - at - digits, "<<"))
		return find_document(scan, at + digits, found);
	return at && end < scan->len && tr2_secret_quote(word[-1]) &&
	       scan->text[end] == word[-1] &&
	       tr2_secret_take(scan, at, end, found) && is_piped(scan, end);
}

bool tr2_secret_find_piped(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found)
{
	bool any;

	if (tr2_secret_ends_in(scan->text, end, "<(echo"))
		any = find_substituted(scan, at, end, found);
	else if (tr2_secret_ends_in(scan->text, end, "echo") ||
		 is_printf(scan, end))
		any = find_echo(scan, end, found);
	else if (tr2_text_is(scan->text + at, end - at, "send"))
		any = find_sent(scan, at, end, found);
	else
		any = find_input(scan, at, end, found);
	return any && found->end > found->start &&
	       !is_variable(scan->text + found->start,
			    found->end - found->start) &&
	       tr2_secret_take(scan, found->start, found->end, found);
}
