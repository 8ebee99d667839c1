#include "read/text/pieces.h"

#include <string.h>

#include "lib/text/text.h"
#include "normal_forms_rows.h"
#include "read/text/clock.h"
#include "read/text/form.h"

#define PREFIX ((size_t)50) /* bytes before the payload */

struct normal_form {
	enum tr2_is is;
	size_t word; /* bytes of its first word */
	struct tr2_form form;
};

#define K(name) TR2_KEY_##name,
#define FORM(is, word, rest, keys) \
	{ TR2_IS_##is, sizeof(word) - 1, { word rest, { keys } } },

static const struct normal_form forms[] = { NORMAL_FORMS_ROWS(FORM) };

/* It fits any payload. */
#define any forms[sizeof(forms) / sizeof(*forms) - 1]

/*
 * Returns the forms of the payload's first word, which ends at a blank or a
 * `[`: the name of an event, or nearly.
 */
static const struct normal_form *find_forms(const char *text, size_t len)
{
	const struct normal_form *form = forms;
	size_t word = 0;

	while (word < len && text[word] != ' ' && text[word] != '[')
		word++;
	while (form->is != TR2_IS_PRINTF &&
	       !(form->word == word && !memcmp(text, form->form.text, word)))
		form++;
	return form;
}

static bool has_same_word(const struct normal_form *form,
			  const struct normal_form *other)
{
	return form->word == other->word &&
	       !memcmp(form->form.text, other->form.text, form->word);
}

static enum tr2_is find_event(const char *text, size_t len)
{
	return find_forms(text, len)->is;
}

static bool is_event(const char *text, size_t len)
{
	const enum tr2_is is = find_event(text, len);

	return is != TR2_IS_PRINTF && is != TR2_IS_OTHER;
}

/* Returns the end of `file:line` at `at`, which may be missing. */
static size_t skip_source(const char *text, size_t len, size_t at)
{
	const size_t from = at;
	const char *blank;

	if (at < len && text[at] == ' ')
		return at;
	for (; at < len; at++) {
		blank = memchr(text + at, ' ', len - at);
		at = blank ? (size_t)(blank - text) : len;
		if (at == len || tr2_source_name(text + from, at - from))
			return at;
	}
	return at;
}

/* What lines of other traces have after their source. */
static bool begins_other_trace(const char *text, size_t len)
{
	static const char *const begins[] = {
		"trace: ",    "performance: ", "setup: ",    "packet: ",
		"pkt-line",   "shallow: ",     "pack: ",     "refs: ",
		"== Info: ",  "=> Send ",      "<= Recv ",   "run_command: ",
		"exec: ",     "built-in: ",    "exec_cmd: ", "curl: ",
		"trace git-",
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (tr2_text_starts(text, len, begins[i]))
			return true;
	return false;
}

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] == ' ')
		at++;
	return at;
}

size_t tr2_plain_find_trace(const char *text, size_t len)
{
	const bool has_clock = tr2_clock_is(text, len, false);
	size_t at = has_clock ? TR2_CLOCK : skip_blanks(text, len, 0);

	if (!has_clock ||
	    !tr2_text_starts(text + at, len - at, "trace git-lfs: "))
		at = skip_blanks(text, len, skip_source(text, len, at));
	return at < PREFIX && begins_other_trace(text + at, len - at) ? at : 0;
}

size_t tr2_normal_find_brief(const char *text, size_t len)
{
	const size_t from = tr2_text_starts(text, len, "\xef\xbb\xbf")
				    ? 3
				    : skip_blanks(text, len, 0);
	size_t at = from;

	if (!is_event(text + at, len - at))
		at = skip_blanks(text, len, skip_source(text, len, at));
	return (at == from || at - from >= PREFIX - TR2_CLOCK) &&
			       is_event(text + at, len - at)
		       ? at
		       : 0;
}

/* GIT_TRACE, whose lines begin in the same way, fills fewer bytes. */
static size_t find_column(const char *text, size_t len, size_t source)
{
	const size_t end = source < PREFIX ? PREFIX : source + 1;
	size_t at = source;

	while (at < end && at < len && text[at] == ' ')
		at++;
	return at < PREFIX ? 0 : at;
}

/* A path may have a blank after what ends as a source does. */
size_t tr2_normal_find_payload(const char *text, size_t len, size_t *source)
{
	size_t end = skip_source(text, len, TR2_CLOCK);
	size_t at = find_column(text, len, end);

	*source = end;
	while (!at && end + 1 < len) {
		end = skip_source(text, len, end + 1);
		if (end >= PREFIX)
			break;
		at = find_column(text, len, end);
		if (at)
			*source = end;
	}
	return at;
}

bool tr2_normal_divide(struct tr2_plain_event *event, const char *text,
		       size_t len, bool brief)
{
	size_t source = TR2_CLOCK, at = 0;
	const bool has_clock = tr2_clock_is(text, len, false);

	if (has_clock)
		at = tr2_normal_find_payload(text, len, &source);
	if (has_clock && !at && source > TR2_CLOCK && source + 1 < len &&
	    find_event(text + source + 1, len - source - 1) != TR2_IS_PRINTF)
		at = source + 1; /* a page left one blank of many */
	if (has_clock ? !at : !brief)
		return false;
	*event = (struct tr2_plain_event){
		.format = TR2_LOG_NORMAL,
		.named = find_event(text + at, len - at),
		.text = text,
		.len = len,
		.payload = at,
		.has_clock = has_clock,
		.source = { TR2_CLOCK, source - TR2_CLOCK },
	};
	/* In brief form, any text may be the program's own. */
	return has_clock || event->named != TR2_IS_PRINTF;
}

void tr2_normal_parts(struct tr2_plain_event *event, struct tr2_parts *parts)
{
	const char *text = event->text + event->payload;
	const size_t len = event->len - event->payload;
	const struct normal_form *form = find_forms(text, len);

	parts->count = 0;
	while (!tr2_form_find(&form->form, event->text, event->payload,
			      event->len, parts))
		form = has_same_word(form, form + 1) ? form + 1 : &any;
	event->is = form->is;
}
