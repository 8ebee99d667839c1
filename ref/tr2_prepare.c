/*
 * What is computed once for an event, before the targets see it: the
 * formatted message, and texts without passwords.
 */
#include "tr2_process.h"

#include <stdio.h>
#include <string.h>

#include "tr2_redact.h"

const char *tr2_message(struct tr2_thread *self, const char *fmt, va_list ap)
{
	struct tr2_buf *text = &self->text;
	va_list again;
	int len;

	if (!fmt || !*fmt)
		return NULL;
	tr2_buf_reset(text);
	if (tr2_buf_grow(text, 256))
		return "";
	va_copy(again, ap);
	len = vsnprintf(text->bytes, text->room, fmt, again);
	va_end(again);
	if (len >= 0 && (size_t)len >= text->room &&
	    !tr2_buf_grow(text, (size_t)len + 1)) {
		va_copy(again, ap);
		len = vsnprintf(text->bytes, text->room, fmt, again);
		va_end(again);
	}
	return len < 0 || text->failed ? fmt : text->bytes;
}

/* The one field of a row that may hold a password, or NULL. */
static const struct tr2_field *redacted_field(const struct tr2_event *event)
{
	const struct tr2_field *field = tr2_event_table[event->kind].fields;

	for (; field->key; field++)
		if (field->flags & TR2_FIELD_REDACTED)
			return field;
	return NULL;
}

static void redact_string(struct tr2_thread *self, const char **text,
			  enum tr2_field_type type)
{
	if (!*text || !tr2_redact_wanted(*text))
		return;
	/* SPEC: redact.json */
	if (type == TR2_FIELD_JSON)
		tr2_redact_add_json(&self->scratch, *text);
	else
		tr2_redact_add(&self->scratch, *text);
	if (!self->scratch.failed)
		*text = self->scratch.bytes;
}

static int words_wanted(const char *const *words)
{
	for (; words && *words; words++)
		if (tr2_redact_wanted(*words))
			return 1;
	return 0;
}

/*
 * All words go into one buffer first; only when it grows no more can
 * they be pointed at.
 */
static void redact_words(struct tr2_thread *self, const char *const **words)
{
	const char *const *word;
	const char *at;

	if (!words_wanted(*words))
		return;
	for (word = *words; *word; word++)
		tr2_redact_add(&self->scratch, *word);
	at = self->scratch.bytes;
	for (word = *words; *word && !self->scratch.failed; word++) {
		tr2_buf_add(&self->words, &at, sizeof(at));
		at += strlen(at) + 1;
	}
	at = NULL;
	tr2_buf_add(&self->words, &at, sizeof(at));
	if (!self->words.failed)
		*words = (const char *const *)(void *)self->words.bytes;
}

void tr2_redact_event(struct tr2_thread *self, struct tr2_event *event)
{
	const struct tr2_field *field = redacted_field(event);
	void *member;

	tr2_buf_reset(&self->scratch);
	tr2_buf_reset(&self->words);
	if (!field || !tr2_process.settings.redact)
		return;
	member = (char *)event + field->offset;
	if (field->type == TR2_FIELD_STRINGS)
		redact_words(self, member);
	else
		redact_string(self, member, field->type);
}
