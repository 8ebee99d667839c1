#include "redact/redactor/line.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "event/redact.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/json/duplicate.h"
#include "redact/redactor/redactor.h"
#include "redact/secret/needles.h"

struct tr2_redactor *tr2_redactor_open(unsigned hide, const void *key,
				       size_t len)
{
	struct tr2_redactor *redactor = tr2_must_zeros(sizeof(*redactor));

	redactor->hider.hide = hide;
	redactor->needles = tr2_needles_open();
	tr2_placeholder_init(&redactor->hider.key, key, len);
	return redactor;
}

void tr2_redactor_close(struct tr2_redactor *redactor)
{
	tr2_needles_close(redactor->needles);
	tr2_record_release(&redactor->record);
	tr2_buf_release(&redactor->in);
	tr2_buf_release(&redactor->whole);
	tr2_buf_release(&redactor->cut);
	tr2_buf_release(&redactor->clean);
	tr2_buf_release(&redactor->plain);
	tr2_buf_release(&redactor->text);
	tr2_buf_release(&redactor->param);
	tr2_buf_release(&redactor->shown);
	tr2_buf_release(&redactor->word);
	tr2_buf_release(&redactor->columns);
	free(redactor);
}

/*
 * Replace passwords by the library's code, which needs a NUL at the end. The
 * line is then in `clean`. Returns its length.
 */
static size_t replace_passwords(struct tr2_redactor *redactor,
				const struct tr2_line *line)
{
	struct tr2_buf *plain = &redactor->text, *clean = &redactor->clean;
	size_t len;

	tr2_buf_reset(plain);
	tr2_buf_add(plain, line->text, line->len);
	tr2_must_end(plain);
	tr2_buf_reset(clean);
	tr2_redact_add_json(clean, plain->bytes);
	len = clean->len - 1;
	tr2_buf_fill(clean, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(clean);
	return len;
}

static bool read_line(struct tr2_redactor *redactor,
		      const struct tr2_line *line)
{
	enum tr2_record_result result;

	if (line->tokens)
		result = tr2_record_read_among(&redactor->record, line->tokens,
					       line->text, line->len,
					       line->escapes);
	else
		result = tr2_record_read(&redactor->record, line->text,
					 line->len);
	return result == TR2_RECORD_OK;
}

static bool repeats_key(struct tr2_redactor *redactor)
{
	struct tr2_value found;

	return tr2_duplicate_find(&redactor->record.parse, false, &found);
}

/*
 * Read the line as it is in `bytes`, which has TR2_TOKENS_PADDING bytes more.
 * False: it would be no event, or two keys that differed only in a secret
 * would now be one.
 */
static bool read_again(struct tr2_redactor *redactor, struct tr2_line *line,
		       const char *bytes, size_t len)
{
	bool repeats;

	if (len == line->len && !memcmp(bytes, line->text, len))
		return true;
	repeats = repeats_key(redactor);
	line->text = bytes;
	line->len = len;
	line->tokens = NULL;
	return read_line(redactor, line) && (repeats || !repeats_key(redactor));
}

static bool read_clean(struct tr2_redactor *redactor, struct tr2_line *line)
{
	size_t len = replace_passwords(redactor, line);

	return read_again(redactor, line, redactor->clean.bytes, len);
}

static bool read_plain(struct tr2_redactor *redactor, struct tr2_line *line)
{
	struct tr2_buf *plain = &redactor->plain, *out = redactor->out;
	size_t len;

	tr2_buf_reset(plain);
	redactor->out = plain;
	tr2_redactor_put(redactor, line->len, true);
	redactor->out = out;
	len = plain->len;
	tr2_buf_fill(plain, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(plain);
	return read_again(redactor, line, plain->bytes, len);
}

static bool hide_secrets(struct tr2_redactor *redactor, struct tr2_line *line)
{
	if (tr2_redactor_may_have_password(line) && !read_clean(redactor, line))
		return false;
	return !tr2_redactor_may_have_secret(redactor, line) ||
	       read_plain(redactor, line);
}

/* The line was read. False: it can't be shown. */
static bool put_line(struct tr2_redactor *redactor, struct tr2_line *line)
{
	if (!tr2_redactor_is_plain(redactor, line) &&
	    !hide_secrets(redactor, line))
		return false;
	if (redactor->hider.hide)
		tr2_redactor_put(redactor, line->len, false);
	else
		tr2_buf_add(redactor->out, line->text, line->len);
	return true;
}

static bool is_blank(const struct tr2_line *line)
{
	size_t i = 0;

	while (i < line->len && memchr(" \t\r", line->text[i], 3))
		i++;
	return i == line->len;
}

bool tr2_redactor_add(struct tr2_redactor *redactor,
		      const struct tr2_line *line, struct tr2_buf *out)
{
	static const char bom[] = "\xef\xbb\xbf";
	struct tr2_line rest = *line;
	size_t before = out->len;

	if (line->cut)
		return false;
	redactor->out = out;
	if (tr2_text_starts(line->text, line->len, bom)) {
		tr2_buf_str(out, bom);
		rest.text += 3, rest.len -= 3;
		rest.tokens = NULL;
	}
	if (is_blank(&rest))
		tr2_buf_add(out, rest.text, rest.len);
	else if (!read_line(redactor, &rest) || !put_line(redactor, &rest))
		out->len = before;
	tr2_must_hold(out);
	return out->len > before || !line->len;
}

const char *tr2_redactor_line(struct tr2_redactor *redactor, const char *text,
			      size_t *len)
{
	struct tr2_buf *in = &redactor->in, *out = &redactor->whole;
	struct tr2_line line = { .len = *len };

	tr2_buf_reset(in);
	tr2_buf_add(in, text, *len);
	tr2_buf_fill(in, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(in);
	line.text = in->bytes;
	line.escapes = memchr(text, '\\', *len);
	tr2_buf_reset(out);
	if (*len > TR2_LINE_MAX || !tr2_redactor_add(redactor, &line, out))
		return NULL;
	tr2_must_end(out);
	*len = out->len - 1;
	return out->bytes;
}

/* A line that may be an event, on its way through code that needs memory. */
struct any_line {
	struct tr2_redactor *redactor;
	const char *text;
	size_t len;
	struct tr2_buf *out;
	bool hidden;
};

static void hide_event(struct any_line *line)
{
	size_t len = line->len;
	const char *hidden =
		tr2_redactor_line(line->redactor, line->text, &len);

	if (!hidden) {
		len = line->len;
		hidden = tr2_redactor_cut(line->redactor, line->text, &len);
	}
	line->hidden = hidden;
	if (hidden)
		tr2_buf_add(line->out, hidden, len);
}

static void hide_text(struct any_line *line)
{
	struct tr2_redactor *redactor = line->redactor;
	struct tr2_buf *in = &redactor->in, *out = line->out;
	const size_t before = out->len;
	const char *payload;

	tr2_buf_reset(in);
	tr2_buf_add(in, line->text, line->len);
	tr2_must_end(in);
	payload = tr2_redactor_find_payload(redactor, in->bytes);
	tr2_buf_add(out, in->bytes, (size_t)(payload - in->bytes));
	if (tr2_redactor_hide_key(redactor, 0, out, payload, strlen(payload)))
		return;
	out->len = before;
	tr2_redactor_put_text(redactor, out, in->bytes);
}

static bool may_be_event(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{\"");
}

static void hide_any(void *context)
{
	struct any_line *line = context;

	if (may_be_event(line->text, line->len))
		hide_event(line);
	else
		hide_text(line);
}

bool tr2_redactor_any(struct tr2_redactor *redactor, const char *text,
		      size_t len, struct tr2_buf *out)
{
	struct tr2_line line = { .text = text, .len = len };
	struct any_line any = { redactor, text, len, out, true };

	line.escapes = memchr(text, '\\', len);
	/* of a password in a URL of an event that was cut, no `@` may be left */
	if (!line.escapes && !tr2_redactor_may_have_secret(redactor, &line) &&
	    !(may_be_event(text, len) && tr2_redactor_may_have_password(&line)))
		tr2_buf_add(out, text, len);
	else if (!tr2_memory_try(hide_any, &any))
		out->failed = 1;
	return any.hidden || out->failed;
}

void tr2_redactor_copy(struct tr2_redactor *redactor, size_t place)
{
	tr2_buf_add(redactor->out, redactor->record.parse.text + redactor->done,
		    place - redactor->done);
	redactor->done = place;
}

void tr2_redactor_show(struct tr2_redactor *redactor,
		       const struct tr2_value *value, const char *text,
		       size_t len)
{
	const struct tr2_buf *shown = &redactor->shown;

	tr2_must_hold(shown);
	if (tr2_text_is(text, len, "") ||
	    (shown->len == len && !memcmp(shown->bytes, text, len)))
		return;
	tr2_redactor_copy(redactor, value->start);
	tr2_json_text(redactor->out, shown->bytes, shown->len);
	redactor->done = value->end;
}

const char *tr2_redactor_read(struct tr2_redactor *redactor,
			      const struct tr2_value *value, size_t *len)
{
	tr2_buf_reset(&redactor->shown);
	return tr2_parse_text(&redactor->record.parse, value, &redactor->text,
			      len);
}
