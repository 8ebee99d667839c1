/*
 * Computed once for an event, before the targets get it: the formatted
 * message, and texts without passwords.
 */
#undef _FORTIFY_SOURCE /* ends a host for its format: %n, or %2$s alone */
#include "process/process.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "event/redact.h"

/* If memory fails, the buffer's `failed` is set, and the event is dropped. */
const char *tr2_message(struct tr2_thread *self, const char *fmt, va_list ap)
{
	struct tr2_buf *text = &self->text;
	va_list again;
	int len;

	if (!fmt || !*fmt)
		return NULL;
	for (;;) {
		va_copy(again, ap);
		len = vsnprintf(text->bytes, text->room, fmt, again);
		va_end(again);
		if (len < 0)
			return fmt;
		if ((size_t)len < text->room)
			return text->bytes;
		if (tr2_buf_grow(text, (size_t)len + 1))
			return fmt;
	}
}

/*
 * A redacted text goes to the thread's scratch buffer. Pointers to its texts
 * can be set only when the buffer does not grow any more, so this has two
 * steps.
 */
struct hidden {
	const struct tr2_field *field;
	size_t start; /* of its text, or of its first word */
};

static void *member_of(struct tr2_event *event, const struct tr2_field *field)
{
	return (char *)event + field->offset;
}

static int words_wanted(const char *const *words)
{
	for (; *words; words++)
		if (tr2_redact_wanted(*words))
			return 1;
	return 0;
}

/*
 * Two keys may become equal when their secrets are replaced; then the value
 * is written as a string. The buffer `text` is free here, because a value
 * that is in it is already a string.
 * SPEC: redact.json
 */
static int hide_json(struct tr2_thread *self, const char *json)
{
	struct tr2_buf *scratch = &self->scratch, *text = &self->text;
	const size_t start = scratch->len;

	if (!tr2_redact_wanted_json(json))
		return 0;
	tr2_redact_add_json(scratch, json);
	if (scratch->failed || tr2_json_is_value(scratch->bytes + start))
		return 1;
	tr2_buf_reset(text);
	tr2_json_string(text, scratch->bytes + start);
	tr2_buf_byte(text, '\0');
	scratch->len = start;
	tr2_buf_add(scratch, text->bytes, text->len);
	return 1;
}

/* Add the field's texts without secrets; 0 if there are no secrets. */
static int hide_field(struct tr2_thread *self, struct tr2_event *event,
		      const struct tr2_field *field)
{
	struct tr2_buf *scratch = &self->scratch;
	const char *const *words;
	const char *text;

	if (field->type == TR2_FIELD_STRINGS) {
		words = *(const char *const **)member_of(event, field);
		if (!words_wanted(words))
			return 0;
		for (; *words; words++)
			tr2_redact_add(scratch, *words);
		return 1;
	}
	text = *(const char **)member_of(event, field);
	if (!text)
		return 0;
	if (field->type == TR2_FIELD_JSON)
		return hide_json(self, text);
	if (!tr2_redact_wanted(text))
		return 0;
	tr2_redact_add(scratch, text);
	return 1;
}

static void point_at_words(struct tr2_buf *pointers, const char *at,
			   const char *const **words)
{
	const char *const *word;

	for (word = *words; *word; word++) {
		tr2_buf_add(pointers, &at, sizeof(at));
		at += strlen(at) + 1;
	}
	at = NULL;
	tr2_buf_add(pointers, &at, sizeof(at));
	if (!pointers->failed)
		*words = (const char *const *)(void *)pointers->bytes;
}

/*
 * If memory fails, the event keeps its texts, but the buffer's `failed` is
 * set and the event is dropped: a secret is never written.
 */
void tr2_redact_event(struct tr2_thread *self, struct tr2_event *event)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];
	unsigned left = info->hidden;
	struct tr2_buf *scratch = &self->scratch;
	struct hidden hidden[TR2_EVENT_HIDDEN_MAX];
	size_t count = 0;

	tr2_buf_reset(scratch);
	tr2_buf_reset(&self->words);
	if (!tr2_process.settings.redact)
		return;
	for (const struct tr2_field *field = info->fields; left; field++) {
		if (!(field->flags & TR2_FIELD_REDACTED))
			continue;
		left--;
		hidden[count].field = field;
		hidden[count].start = scratch->len;
		count += (size_t)hide_field(self, event, field);
	}
	for (size_t i = 0; i < count && !scratch->failed; i++) {
		void *text = member_of(event, hidden[i].field);
		const char *at = scratch->bytes + hidden[i].start;

		if (hidden[i].field->type == TR2_FIELD_STRINGS)
			point_at_words(&self->words, at, text);
		else
			*(const char **)text = at;
	}
}
