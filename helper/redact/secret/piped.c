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
	if (memchr("'\"\\%", scan->text[next], 4) ||
	    tr2_text_starts(scan->text + next, scan->len - next, "-v ") ||
	    tr2_text_starts(scan->text + next, scan->len - next, "-- "))
		return true;
	while (at < most && !tr2_secret_space(scan->text[at]))
		at++;
	at = tr2_secret_skip_blanks(scan, at);
	return at < scan->len && scan->text[at] == '|';
}

/* ---- What `printf` writes */

#define PRINTED_MOST 4096
#define WORDS_MOST 64
#define PART_MOST 256 /* bytes of a word that tell what it is */

/* What is written, and which parts of it are words after the format. */
struct printed {
	const struct tr2_secret_scan *scan;
	struct tr2_buf text;
	struct printed_word {
		struct tr2_secret_span word, part;
	} words[WORDS_MOST];
	size_t count, next; /* where the next word begins */
	size_t gone; /* the word that may be in the place of a secret, or more */
};

/* The word may be empty. */
static struct tr2_secret_span read_word(struct printed *printed)
{
	const size_t start =
		tr2_secret_skip_blanks(printed->scan, printed->next);
	const size_t end = tr2_secret_skip_word(printed->scan, start);
	struct tr2_secret_span word;

	tr2_secret_find_value(printed->scan, start, &word);
	if (word.start == start && word.end > end &&
	    printed->scan->text[start] != '$')
		word.end = end; /* `token VALUE` are two words */
	printed->next = tr2_secret_skip_on(printed->scan, word.end, "\\'\"`");
	return word;
}

static void print_word(struct printed *printed)
{
	struct printed_word *word = printed->words + printed->count;

	if (printed->count == WORDS_MOST)
		return;
	word->word = read_word(printed);
	word->part.start = printed->text.len;
	tr2_buf_add(&printed->text, printed->scan->text + word->word.start,
		    limit_length(word->word.end - word->word.start, PART_MOST));
	word->part.end = printed->text.len;
	printed->count++;
}

/* A width may be a word. Returns where the conversion ends. */
static size_t print_conversion(struct printed *printed, size_t at)
{
	const struct tr2_secret_scan *scan = printed->scan;

	for (;
	     at < scan->len && memchr("-+ #0.123456789*$", scan->text[at], 17);
	     at++)
		if (scan->text[at] == '*')
			read_word(printed);
	print_word(printed);
	return at;
}

static void print_format(struct printed *printed, struct tr2_secret_span format)
{
	const char *text = printed->scan->text;
	char c, next;

	for (size_t at = format.start; at < format.end; at++) {
		if (tr2_text_starts(text + at, format.end - at,
				    TR2_SECRET_GONE))
			printed->gone = printed->count;
		c = text[at];
		next = at + 1 < format.end ? text[at + 1] : c;
		if (c == '%' && next != '%') {
			at = print_conversion(printed, at + 1);
			continue;
		}
		if (memchr("%\\", c, 2)) {
			c = c == '\\' && next == 'n' ? '\n' : next;
			at++;
		}
		tr2_buf_byte(&printed->text, c);
	}
}

/* More words than conversions: one of them was in the place of a secret. */
static void print_more(struct printed *printed, struct tr2_secret_span *found)
{
	const struct tr2_secret_scan *scan = printed->scan;
	const size_t first = printed->gone;
	size_t at = tr2_secret_skip_blanks(scan, printed->next);

	if (first >= WORDS_MOST)
		return;
	for (; at < scan->len && !memchr("\n|;&)<>", scan->text[at], 7) &&
	       printed->count < WORDS_MOST;
	     at = tr2_secret_skip_blanks(scan, printed->next)) {
		print_word(printed);
		found->start = printed->words[first].word.start;
		found->end = printed->next;
	}
}

/* Add what the secret has of words. */
static void add_words(const struct printed *printed,
		      const struct tr2_secret_span *secret,
		      struct tr2_secret_span *found)
{
	const struct printed_word *each = printed->words;
	size_t start;

	for (; each < printed->words + printed->count; each++) {
		start = secret->start > each->part.start
				? secret->start - each->part.start
				: 0;
		if (each->part.start + start >= each->part.end ||
		    each->part.start >= secret->end ||
		    is_variable(printed->scan->text + each->word.start,
				each->word.end - each->word.start))
			continue;
		if (found->start == found->end)
			found->start = each->word.start + start;
		found->end = each->word.end;
		if (start && secret->end < each->part.end)
			found->end -= each->part.end - secret->end;
	}
}

/*
 * `printf '%s=%s' NAME VALUE`: are words a secret in what is written? `printf -v
 * NAME FORMAT` gives it to a variable.
 */
static bool find_printed(const struct tr2_secret_scan *scan, size_t at,
			 struct tr2_secret_span *found)
{
	char bytes[PRINTED_MOST];
	struct tr2_secret_scan plain = *scan, inner = { .printed = true };
	struct printed printed = { .scan = &plain,
				   .text = TR2_BUF_FIXED(bytes),
				   .next = at,
				   .gone = WORDS_MOST };
	struct tr2_secret_span word, secret;

	if (scan->printed || (at > 6 && scan->text[at - 7] == '='))
		return false;
	plain.quote = '\0';
	*found = (struct tr2_secret_span){ at, at };
	word = read_word(&printed);
	if (tr2_text_is(scan->text + word.start, word.end - word.start, "-v")) {
		word = read_word(&printed);
		tr2_buf_add(&printed.text, scan->text + word.start,
			    word.end - word.start);
		tr2_buf_byte(&printed.text, '=');
		word = read_word(&printed);
	}
	if (tr2_text_is(scan->text + word.start, word.end - word.start, "--"))
		word = read_word(&printed);
	print_format(&printed, word);
	print_more(&printed, found);
	inner.text = bytes;
	inner.len = printed.text.len;
	for (at = 0; tr2_secret_find_next(&inner, &at, &secret);)
		add_words(&printed, &secret, found);
	return found->end > found->start;
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
	else if (tr2_secret_ends_in(scan->text, end, "echo"))
		any = find_echo(scan, end, found);
	else if (is_printf(scan, end))
		any = find_echo(scan, end, found) ||
		      find_printed(scan, end, found);
	else if (tr2_text_is(scan->text + at, end - at, "send"))
		any = find_sent(scan, at, end, found);
	else
		any = find_input(scan, at, end, found);
	return any && found->end > found->start &&
	       !is_variable(scan->text + found->start,
			    found->end - found->start) &&
	       tr2_secret_take(scan, found->start, found->end, found);
}
