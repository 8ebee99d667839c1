/*
 * The words of a command line. Each is a text of its own; what only several of
 * them tell is sought in the line that they make.
 */
#include "redact/secret/scan.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/common/vec.h"
#include "lib/text/text.h"

#define OTHER '\xff' /* stands for a byte that would end its word */

/* Where a word is in the line, without its quotes. */
struct word_place {
	size_t start, end;
	bool spelled, quoted; /* its bytes are others; the first is a quote */
};

TR2_VEC_AT(find_place, tr2_secret_words, places, word_place);
TR2_VEC_AT(find_span, tr2_secret_words, spans, tr2_secret_span);

/* Which quote is around the word in the line? NUL: none is. */
static char find_quote(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (tr2_secret_space(text[i]))
			return memchr(text, '\'', len) ? '"' : '\'';
	return len ? '\0' : '"';
}

void tr2_secret_add_word(struct tr2_secret_words *words, const char *text,
			 size_t len)
{
	struct tr2_buf *line = &words->line;
	const char quote = find_quote(text, len);
	const size_t start = line->len + (quote != '\0');

	if (quote)
		tr2_buf_byte(line, quote);
	tr2_view_add(line, text, len);
	tr2_must_hold(line);
	TR2_VEC_PUT(&words->places, struct word_place, start, line->len,
		    tr2_view_differs(text, len),
		    line->len > start && tr2_secret_quote(line->bytes[start]));
	for (size_t i = start; i < line->len; i++)
		if (line->bytes[i] == '\n' || line->bytes[i] == '\r')
			line->bytes[i] = ' ';
		else if (quote && line->bytes[i] == quote)
			line->bytes[i] = OTHER;
	if (quote)
		tr2_buf_byte(line, quote);
	tr2_buf_byte(line, ' ');
	tr2_must_hold(line);
}

void tr2_secret_find_in_words(struct tr2_secret_words *words)
{
	struct tr2_secret_scan scan = { .text = words->line.bytes,
					.len = words->line.len,
					.words = true };
	struct tr2_secret_span found;
	size_t at = 0;

	while (tr2_secret_find_next(&scan, &at, &found))
		TR2_VEC_COPY(&words->spans, struct tr2_secret_span, found);
}

/*
 * Returns how much of the word is shown before a secret that goes on to its end,
 * or all. A value is the whole word. What is in the middle is found in the word
 * alone.
 */
static size_t find_shown(const struct tr2_secret_words *words,
			 const struct word_place *place, size_t len)
{
	const struct tr2_secret_span *span;

	for (uint32_t i = 0; i < words->spans.count; i++) {
		span = find_span(words, i);
		if (span->start >= place->end || span->end <= place->start)
			continue;
		if (span->start <= place->start + place->quoted)
			return 0;
		if (span->end >= place->end + place->spelled)
			return place->spelled ? 0 : span->start - place->start;
	}
	return len;
}

/* Of the secrets of the word alone and of the line, the first one counts. */
void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const size_t before = out->len;
	const struct word_place *place = find_place(words, words->next++);
	const size_t shown = find_shown(words, place, len);
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.word = true };
	const char *gone;

	tr2_secret_walk(&scan, out);
	if (shown == len || out->failed ||
	    tr2_secret_is_shown(text + shown, len - shown))
		return;
	gone = tr2_text_find(out->bytes + before, out->len - before,
			     TR2_SECRET_GONE);
	if (gone && (size_t)(gone - out->bytes) <= before + shown)
		return;
	out->len = before + shown;
	tr2_buf_str(out, TR2_SECRET_GONE);
}

void tr2_secret_end_words(struct tr2_secret_words *words)
{
	tr2_buf_release(&words->line);
	tr2_vec_release(&words->places);
	tr2_vec_release(&words->spans);
}
