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
#include "read/text/pieces.h"
#include "redact/secret/secret.h"
#include "lib/text/text.h"

static size_t match_prefix(const char *text, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(text, *prefixes, strlen(*prefixes)))
			return strlen(*prefixes);
	return 0;
}

/* Where a line has quoted words, or the value of a secret; both may be NULL. */
struct text_parts {
	const char *words, *value, *payload;
	enum tr2_secret_value name;
	bool perf;
};

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

static void note_part(struct text_parts *found, const char *line,
		      const struct tr2_part *part)
{
	if (part->key == TR2_KEY_MSG)
		found->payload = line + part->at;
	else if (memchr("qw", part->kind, 2) && !found->words)
		found->words = line + part->at + (line[part->at] == '[');
	else if (part->key == TR2_KEY_PARAM || part->key == TR2_KEY_KEY)
		found->name =
			tr2_secret_name(line + part->at, part->len, false);
	else if (part->key == TR2_KEY_VALUE && found->name == TR2_SECRET_VALUE)
		found->value = line + part->at;
}

/* A line of NORMAL or PERF, or one of another trace of git. */
static struct text_parts divide_text(struct tr2_redactor *redactor,
				     const char *line)
{
	const size_t len = strlen(line),
		     trace = tr2_plain_find_trace(line, len);
	struct text_parts found = { .payload = line + trace };
	struct tr2_plain_event event;
	struct tr2_parts parts = { .count = 0 };

	found.perf = !trace && tr2_perf_divide(&event, line, len);
	if (found.perf)
		tr2_perf_parts(&event, &redactor->word, &parts);
	else if (!trace && tr2_normal_divide(&event, line, len, true))
		tr2_normal_parts(&event, &parts);
	if (parts.count)
		found.payload = line + event.payload;
	if (found.perf)
		found.payload += strspn(found.payload, " .");
	for (size_t i = 0; i < parts.count; i++)
		note_part(&found, line, &parts.part[i]);
	if (!found.words && !found.perf)
		found.words = find_trace_words(found.payload);
	return found;
}

const char *tr2_redactor_find_payload(struct tr2_redactor *redactor,
				      const char *line)
{
	return divide_text(redactor, line).payload;
}

/* Put the word without its quotes into `word`, and without passwords `text`. */
static void read_word(struct tr2_redactor *redactor, const char *word,
		      size_t len)
{
	struct tr2_buf *plain = &redactor->word, *clean = &redactor->text;

	tr2_buf_reset(plain);
	tr2_part_unquote(plain, word, len);
	tr2_must_end(plain);
	tr2_buf_reset(clean);
	tr2_redact_add(clean, plain->bytes);
	tr2_must_hold(clean);
}

static void put_word(struct tr2_redactor *redactor,
		     struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *word, size_t len)
{
	const struct tr2_buf *plain = &redactor->word, *clean = &redactor->text;
	struct tr2_buf *shown = &redactor->shown;

	read_word(redactor, word, len);
	tr2_buf_reset(shown);
	tr2_secret_hide_word(words, shown, clean->bytes, clean->len - 1);
	tr2_must_end(shown);
	if (shown->len != plain->len ||
	    memcmp(shown->bytes, plain->bytes, plain->len) != 0 ||
	    ((*word != '\'' || word[len - 1] != '\'') &&
	     tr2_text_find(word, len, TR2_SECRET_GONE)))
		tr2_quote_word(out, shown->bytes);
	else
		tr2_buf_add(out, word, len);
}

/* Skip the title before a word. False: there is no more. */
static bool find_word(const char *text, size_t len, size_t *at,
		      struct tr2_span *word)
{
	static const char *const before[] = { "argv:[", "ancestry:[",
					      "cd:", "worktree:", NULL };
	const struct tr2_part part = { .kind = 'q', .len = len };

	*at += strspn(text + *at, " ");
	*at += match_prefix(text + *at, before);
	return *at < len && tr2_part_word(&part, text, at, word);
}

static void put_words(struct tr2_redactor *redactor, struct tr2_buf *out,
		      const char *text, size_t len)
{
	struct tr2_secret_words words = { 0 };
	struct tr2_span word;
	size_t at = 0, done = 0;

	for (; find_word(text, len, &at, &word); at = word.at + word.len) {
		read_word(redactor, text + word.at, word.len);
		tr2_secret_add_word(&words, redactor->text.bytes,
				    redactor->text.len - 1);
	}
	tr2_secret_find_in_words(&words);
	for (at = 0; find_word(text, len, &at, &word); done = at) {
		tr2_buf_add(out, text + done, word.at - done);
		put_word(redactor, &words, out, text + word.at, word.len);
		at = word.at + word.len;
	}
	tr2_buf_add(out, text + done, len - done);
	tr2_secret_end_words(&words);
}

/*
 * Append the text without passwords in URLs. One that has blanks is in quotes, or
 * in none: it ends where a quote does, and before the bracket of PERF.
 */
static void add_clean(struct tr2_redactor *redactor, struct tr2_buf *clean,
		      const char *text)
{
	struct tr2_buf *plain = &redactor->word;
	size_t len;

	for (; *text; text += len) {
		len = 1 + strcspn(text + 1, "'");
		len -= len > 1 && !text[len] && text[len - 1] == ']';
		tr2_buf_reset(plain);
		tr2_buf_add(plain, text, len);
		tr2_must_end(plain);
		tr2_redact_add(clean, plain->bytes);
		tr2_must_hold(clean);
		clean->len--;
	}
}

/*
 * A file may have lines of both formats, and of other traces of git, so each
 * line tells its own. The bracket that ends the words of PERF is no value of the
 * last one.
 */
void tr2_redactor_put_text(struct tr2_redactor *redactor, struct tr2_buf *out,
			   const char *text)
{
	struct tr2_buf *clean = &redactor->clean;
	struct text_parts parts = divide_text(redactor, text);
	const char *words;
	size_t len, last;

	tr2_buf_reset(clean);
	if (parts.words)
		add_clean(redactor, clean, text);
	else
		tr2_redact_add(clean, text);
	tr2_must_end(clean);
	text = clean->bytes;
	parts = divide_text(redactor, text);
	words = parts.words;
	if (!words) {
		len = parts.value ? (size_t)(parts.value - text) : strlen(text);
		tr2_secret_hide(out, text, len);
		tr2_secret_hide_value(out, TR2_SECRET_VALUE, text + len,
				      strlen(text + len));
		return;
	}
	tr2_secret_hide(out, text, (size_t)(words - text));
	len = strlen(words);
	last = parts.perf && len && words[len - 1] == ']';
	len -= last;
	put_words(redactor, out, words, len);
	tr2_buf_add(out, "]", last);
}
