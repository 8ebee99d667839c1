#include <string.h>

#include "base/json.h"
#include "base/quote.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/pieces.h"
#include "redact/redactor/redactor.h"

#define SOURCE ((size_t)33) /* most blanks for a source of NORMAL */

struct columns_work {
	struct tr2_redactor *redactor;
	struct tr2_buf *out;
	const char *text; /* the line without secrets */
	size_t done;	  /* so much of it was written */
};

static void copy_to(struct columns_work *work, size_t place)
{
	tr2_buf_add(work->out, work->text + work->done, place - work->done);
	work->done = place;
}

/* Write `shown` instead of these bytes. */
static void show_instead(struct columns_work *work, struct tr2_span span)
{
	const struct tr2_buf *shown = &work->redactor->shown;

	copy_to(work, span.at);
	tr2_buf_add(work->out, shown->bytes, shown->len);
	work->done = span.at + span.len;
}

static void hide_span(struct columns_work *work, struct tr2_span span,
		      enum tr2_field field)
{
	if (tr2_redactor_hide(work->redactor, field, work->text + span.at,
			      span.len))
		show_instead(work, span);
}

/* Put the word without its quotes into `word`, and a NUL after it. */
static void read_word(struct columns_work *work, struct tr2_span span)
{
	struct tr2_buf *word = &work->redactor->word;

	tr2_buf_reset(word);
	tr2_part_unquote(word, work->text + span.at, span.len);
	tr2_must_end(word);
	word->len--;
}

/* Write `shown` with quotes instead of `word`, unless both are equal. */
static void show_word(struct columns_work *work, struct tr2_span span)
{
	const struct tr2_buf *word = &work->redactor->word;
	struct tr2_buf *shown = &work->redactor->shown;

	if (shown->len == word->len &&
	    (!word->len || !memcmp(shown->bytes, word->bytes, word->len)))
		return;
	copy_to(work, span.at);
	tr2_must_end(shown);
	tr2_quote_word(work->out, shown->bytes);
	work->done = span.at + span.len;
}

static void hide_quoted(struct columns_work *work, struct tr2_span span,
			enum tr2_field field)
{
	const struct tr2_buf *word = &work->redactor->word;

	read_word(work, span);
	if (tr2_redactor_hide(work->redactor, field, word->bytes, word->len))
		show_word(work, span);
}

/* Words of a command line, or names of processes. */
static void hide_words(struct columns_work *work, const struct tr2_part *part,
		       enum tr2_field field)
{
	const struct tr2_buf *word = &work->redactor->word;
	struct tr2_buf *shown = &work->redactor->shown;
	struct tr2_hide_argv argv;
	struct tr2_span span;
	size_t at = part->at;

	tr2_hide_begin_argv(&argv, field == TR2_FIELD_ALIAS);
	while (tr2_part_word(part, work->text, &at, &span)) {
		if (part->kind == 'a') {
			hide_span(work, span, field);
		} else if (field == TR2_FIELD_PROCESS) {
			hide_quoted(work, span, field);
		} else {
			read_word(work, span);
			tr2_buf_reset(shown);
			tr2_hide_word(&work->redactor->hider, &argv, shown,
				      word->bytes, word->len);
			show_word(work, span);
		}
	}
}

/* It is hidden as the value of an event with this key is. */
static void hide_json(struct columns_work *work, const struct tr2_part *key,
		      const struct tr2_part *part)
{
	struct tr2_buf *word = &work->redactor->word;
	const char *hidden;
	size_t len, before;

	tr2_buf_reset(word);
	tr2_buf_str(word, "{\"event\":\"data_json\",\"key\":");
	tr2_json_text(word, work->text + key->at, key->len);
	tr2_buf_str(word, ",\"value\":");
	before = word->len;
	tr2_buf_add(word, work->text + part->at, part->len);
	tr2_buf_byte(word, '}');
	tr2_must_hold(word);
	len = word->len;
	hidden = tr2_redactor_line(work->redactor, word->bytes, &len);
	copy_to(work, part->at);
	if (hidden && len > before)
		tr2_buf_add(work->out, hidden + before, len - before - 1);
	else
		tr2_buf_str(work->out, "null");
	work->done = part->at + part->len;
}

static void hide_part(struct columns_work *work, const struct tr2_part *part,
		      enum tr2_is is)
{
	const struct tr2_span span = { part->at, part->len };
	const enum tr2_field field = tr2_field_of(is, part->key);

	if (part->key == TR2_KEY_PARAM)
		tr2_redactor_keep_param(work->redactor, work->text + span.at,
					span.len);
	switch (part->kind) {
	case 'n':
	case 's':
		break;
	case 'q':
	case 'a':
		hide_words(work, part, field);
		break;
	case 'w':
		hide_quoted(work, span, field);
		break;
	case 'j': /* its key is the part before */
		hide_json(work, part - 1, part);
		break;
	case '*':
		hide_span(work, span, TR2_FIELD_TEXT);
		break;
	default:
		hide_span(work, span, field);
		break;
	}
}

static void hide_parts(struct columns_work *work, const struct tr2_parts *parts,
		       enum tr2_is is)
{
	for (size_t i = 0; i < parts->count; i++)
		hide_part(work, &parts->part[i], is);
}

/* Blanks may stand for a source. */
static void hide_source(struct columns_work *work, struct tr2_span source,
			size_t most)
{
	const char *text = work->text + source.at;
	size_t colon = source.len;

	while (colon && text[colon - 1] != ':')
		colon--;
	if (!tr2_redactor_hide(work->redactor, TR2_FIELD_SOURCE, text,
			       colon ? colon - 1 : 0))
		return;
	copy_to(work, source.at);
	tr2_buf_fill(work->out, ' ', source.len < most ? source.len : most);
	work->done = source.at + source.len;
}

static void hide_columns(struct columns_work *work,
			 struct tr2_plain_event *event)
{
	struct tr2_parts parts;
	struct tr2_span rest = { event->payload, event->len - event->payload };
	bool perf = event->format == TR2_LOG_PERF;

	if (event->source.len)
		hide_source(work, event->source, perf ? SIZE_MAX : SOURCE);
	if (perf)
		tr2_perf_parts(event, &work->redactor->word, &parts);
	else
		tr2_normal_parts(event, &parts);
	hide_parts(work, &parts, event->is);
	if (!parts.count &&
	    !(perf && rest.len == strspn(work->text + rest.at, " .")))
		hide_span(work, rest, TR2_FIELD_TEXT);
}

/*
 * ---- Lines of other traces of git
 */

/* Returns where the next `: ` ends, or `at`. */
static size_t skip_title(const char *text, size_t at, size_t len)
{
	const char *colon = tr2_text_find(text + at, len - at, ": ");

	return colon ? (size_t)(colon - text) + 2 : at;
}

/* Of `trace: built-in: git status` and other texts, what follows the title. */
static void hide_trace(struct columns_work *work, size_t at, size_t len)
{
	const char *text = work->text;
	size_t next = skip_title(text, at, len);

	if (tr2_text_starts(text + at, len - at, "trace: "))
		next = skip_title(text, next, len);
	hide_span(work, (struct tr2_span){ next, len - next }, TR2_FIELD_TEXT);
}

/*
 * ---- Lines
 */

/* A place in git's source, such as `git.c:466`. */
static bool is_source(const char *word, size_t len)
{
	while (len && tr2_text_is_digit(word[len - 1]))
		len--;
	return len > 3 && !memcmp(word + len - 3, ".c:", 3);
}

static bool is_of_carrier(const char *word, size_t len)
{
	static const char marks[] = "0123456789-:.,+/|>*[]()#OETZ\t"
				    "\xef\xbb\xbf";

	for (size_t i = 0; i < len; i++)
		if (!memchr(marks, word[i], sizeof(marks) - 1))
			return tr2_text_is(word, len, "remote:") ||
			       is_source(word, len);
	return true;
}

/* Times and marks stay; a host or a job's name may be there, too. */
static void put_before(struct tr2_redactor *redactor, const char *text,
		       size_t len, struct tr2_buf *out)
{
	struct columns_work work = { redactor, out, text, 0 };
	const struct tr2_part part = { TR2_KEY_MSG, 'q', 0, len };
	struct tr2_span word;
	size_t at = 0;

	if (!redactor->hider.hide) {
		tr2_redactor_any(redactor, text, len, out);
		return;
	}
	while (tr2_part_word(&part, text, &at, &word))
		if (!is_of_carrier(text + word.at, word.len))
			hide_span(&work, word, TR2_FIELD_TEXT);
	copy_to(&work, len);
}

static void hide_line(struct tr2_redactor *redactor, const char *text,
		      size_t len, bool brief, struct tr2_buf *out)
{
	struct columns_work work = { redactor, out, text, 0 };
	struct tr2_plain_event event;
	size_t trace = tr2_plain_find_trace(text, len);

	if (trace)
		hide_trace(&work, trace, len);
	else if (tr2_perf_divide(&event, text, len) ||
		 tr2_normal_divide(&event, text, len, brief))
		hide_columns(&work, &event);
	else
		hide_span(&work, (struct tr2_span){ 0, len }, TR2_FIELD_TEXT);
	copy_to(&work, len);
}

/* Secrets go first: what stands for them has the form of a line, too. */
static void put_text(struct tr2_redactor *redactor,
		     const struct tr2_plain_piece *piece, struct tr2_buf *out)
{
	struct tr2_buf *clean = &redactor->columns;

	if (!redactor->hider.hide) {
		tr2_redactor_any(redactor, piece->text, piece->len, out);
		return;
	}
	tr2_buf_reset(clean);
	tr2_redactor_any(redactor, piece->text, piece->len, clean);
	tr2_must_end(clean);
	hide_line(redactor, clean->bytes, clean->len - 1,
		  piece->format == TR2_LOG_NORMAL, out);
}

static bool put_object(struct tr2_redactor *redactor,
		       const struct tr2_plain_piece *piece, struct tr2_buf *out)
{
	size_t len = piece->len;
	const char *hidden = tr2_redactor_line(redactor, piece->text, &len);

	if (hidden)
		tr2_buf_add(out, hidden, len);
	return hidden;
}

bool tr2_redactor_piece(struct tr2_redactor *redactor,
			const struct tr2_plain_piece *piece,
			struct tr2_buf *out)
{
	const size_t before = out->len;

	put_before(redactor, piece->before, piece->before_len, out);
	if (piece->format != TR2_LOG_EVENT)
		put_text(redactor, piece, out);
	else if (!put_object(redactor, piece, out))
		out->len = before;
	tr2_must_hold(out);
	return out->len > before || !piece->len;
}
