#include "redact/redactor/value.h"

#include <string.h>
#include <strings.h>

#include "redact/redactor/line.h"
#include "lib/text/text.h"
#include "kinds_rows.h"

/* Settings and variables whose values have one kind; `*` is any beginning. */
#define KNOWN(param, kind, word) { param, TR2_HIDE_##kind, word },
static const struct {
	const char *param;
	unsigned kind;
	const char *word;
} known[] = { KINDS_ROWS(KNOWN) };

/* Of `*NAME`, at least one byte is before the name. */
static bool is_param(const char *text, size_t len, const char *param)
{
	const bool any = *param == '*';
	const size_t tail = strlen(param + any);

	return (any ? len > tail : len == tail) &&
	       !strncasecmp(text + len - tail, param + any, tail);
}

static size_t count_name(const char *text, size_t len)
{
	return tr2_text_count_word(text, len, "-_");
}

/* Keep the first bytes and the last ones, and hide what is between. */
static void hide_middle(const struct tr2_hider *hider, struct tr2_buf *out,
			const char *text, size_t len, size_t first, size_t last)
{
	tr2_buf_add(out, text, first);
	tr2_hide_text(hider, out, text + first, len - first - last);
	tr2_buf_add(out, text + len - last, last);
}

static size_t count_last_name(const char *text, size_t len)
{
	size_t count = 0;

	while (count < len && count_name(text + len - count - 1, 1))
		count++;
	return count;
}

/* `VARIABLE`, `SECTION.KEY` or `SECTION.TEXT.KEY` */
void tr2_hide_param(const struct tr2_hider *hider, struct tr2_buf *out,
		    const char *text, size_t len)
{
	size_t first = count_name(text, len);
	size_t last = count_last_name(text, len);

	if (len > 6 && !strncasecmp(text, "alias.", 6))
		hide_middle(hider, out, text, len, 6, 0);
	else if (first == len ||
		 (first + last + 1 == len && text[first] == '.'))
		tr2_buf_add(out, text, len);
	else if (first && last && first + last + 2 <= len &&
		 text[first] == '.' && text[len - last - 1] == '.')
		hide_middle(hider, out, text, len, first + 1, last + 1);
	else
		tr2_hide_text(hider, out, text, len);
}

void tr2_hide_setting(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *param, size_t param_len, const char *text,
		      size_t len)
{
	if (is_param(param, param_len, "GIT_TRACE2_PARENT_SID")) {
		tr2_hide_sid(hider, out, text, len);
		return;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (is_param(param, param_len, known[i].param)) {
			tr2_hide_kind(hider, out, known[i].kind, known[i].word,
				      text, len);
			return;
		}
	tr2_hide_text(hider, out, text, len);
}

static bool ends_word(char c)
{
	return (unsigned char)c <= ' ' || strchr("'\"`()<>,;", c);
}

/*
 * Does the word begin with a path? `/%s` is a conversion and `/q` an option of
 * Windows. So only what is before a `%` counts, and it needs three bytes.
 */
static bool begins_path(const char *word, size_t len)
{
	const char *percent = memchr(word, '%', len);

	if (percent)
		len = (size_t)(percent - word);
	if (len < 3)
		return false;
	return *word == '/' || *word == '~' || *word == '\\' ||
	       (word[1] == ':' && (word[2] == '/' || word[2] == '\\'));
}

/* A path may follow a name, as in `dir=/a/b`. */
static bool is_private(const char *word, size_t len)
{
	if (tr2_hide_has_address(word, len))
		return true;
	for (size_t i = 0; i < len; i++)
		if ((!i || strchr("=:[{|", word[i - 1])) &&
		    begins_path(word + i, len - i))
			return true;
	return false;
}

void tr2_hide_format(const struct tr2_hider *hider, struct tr2_buf *out,
		     const char *text, size_t len)
{
	size_t to;

	for (size_t from = 0; from < len; from = to + 1) {
		for (to = from; to < len && !ends_word(text[to]);)
			to++;
		if (is_private(text + from, to - from)) {
			tr2_hide_other(hider, out, text, len);
			return;
		}
	}
	tr2_buf_add(out, text, len);
}
