#include <string.h>

#include "base/ascii.h"
#include "lib/text/text.h"
#include "redact/redactor/redactor.h"
#include "redact/secret/secret.h"

#define LINES_MOST 512 /* of a key, and of what is between them */
#define WORD_LEAST 16  /* bytes of a line of a key after a mark such as `>` */

static bool is_space(char c)
{
	return tr2_ascii_blank(c) || c == '\\';
}

/* Are these lines of a key, or one that says its cipher? */
static bool is_part(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "Proc-Type: ") ||
	       tr2_text_starts(text, len, "DEK-Info: ") ||
	       (len && tr2_text_count_word(text, len, "+/= \t\n\r\\") == len);
}

/* Returns where the last word begins: a line of a key after some mark. */
static size_t skip_other_mark(const char *text, size_t len)
{
	size_t at;

	while (len && is_space(text[len - 1]))
		len--;
	for (at = len; at && tr2_text_count_word(text + at - 1, 1, "+/=");)
		at--;
	return len - at >= WORD_LEAST ? at : 0;
}

static size_t skip_mark(const struct tr2_key_lines *lines, const char *text,
			size_t len)
{
	const size_t mark = lines->mark_len;

	if (mark && len > mark && !memcmp(text, lines->mark, mark))
		return mark;
	return is_part(text, len) ? 0 : skip_other_mark(text, len);
}

static const char *find_end(const char *text, size_t len)
{
	return tr2_text_find(text, len, "-----END");
}

/* Returns the last line that begins a private key, or NULL. */
static const char *find_begin(const char *text, size_t len)
{
	const char *end = text + len, *found = NULL;

	if (tr2_text_is(text, len, "-----BEGIN")) /* words of a shell */
		return text;
	for (;
	     (text = tr2_text_find(text, (size_t)(end - text), "-----BEGIN "));
	     text++)
		if (tr2_secret_measure_key(text, (size_t)(end - text)))
			found = text;
	return found;
}

/*
 * Is it `CERTIFICATE-----` or `PUBLIC`, a word after `-----BEGIN`, so that no
 * private key follows?
 */
static bool is_other_kind(const char *text, size_t len)
{
	static const char dashes[] = "-----";
	const size_t tail = sizeof(dashes) - 1;

	if (tr2_text_is(text, len, "PUBLIC"))
		return true;
	return len > tail && !memchr(text, ' ', len) && *text != '-' &&
	       !memcmp(text + len - tail, dashes, tail) &&
	       !tr2_text_is(text, len, "KEY-----") &&
	       !tr2_text_is(text, len, "BLOCK-----");
}

static void open_lines(struct tr2_key_lines *lines, uint64_t owner,
		       const char *mark, size_t len)
{
	*lines = (struct tr2_key_lines){ .owner = owner, .left = LINES_MOST };
	if (len > sizeof(lines->mark) || memchr(mark, '\n', len))
		return;
	memcpy(lines->mark, mark, len);
	lines->mark_len = (unsigned char)len;
}

/* The lines go on: hide this one, or what it has before the end of the key. */
static bool hide_lines(struct tr2_key_lines *lines, struct tr2_buf *out,
		       const char *text, size_t len)
{
	const char *end = find_end(text, len);
	const size_t part = end ? (size_t)(end - text) : len;
	const size_t mark = skip_mark(lines, text, part);

	lines->left = end || is_other_kind(text, len) ? 0 : lines->left - 1;
	if (mark == part || !is_part(text + mark, part - mark))
		return false;
	tr2_secret_hide(out, text, mark);
	tr2_buf_str(out, TR2_SECRET_GONE);
	tr2_secret_hide(out, text + part, len - part);
	return true;
}

bool tr2_redactor_hide_key(struct tr2_redactor *redactor, uint64_t owner,
			   struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_key_lines *lines = &redactor->key;
	const bool hidden = lines->left && lines->owner == owner &&
			    hide_lines(lines, out, text, len);
	const char *begin = find_begin(text, len);

	if (begin && !find_end(begin, (size_t)(text + len - begin)))
		open_lines(lines, owner, text, (size_t)(begin - text));
	return hidden;
}

uint64_t tr2_redactor_number(uint64_t number, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		number = (number ^ (unsigned char)text[i]) *
			 UINT64_C(0x100000001b3);
	return number + 1;
}
