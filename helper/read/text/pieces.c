#include "read/text/pieces.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/form.h"

/* An event goes on for so many bytes at most, */
#define OPEN_MOST ((size_t)1 << 20)

/* and one that a mail broke for so many lines. */
#define WRAPS 6

void tr2_pieces_begin(struct tr2_plain_pieces *pieces,
		      enum tr2_log_format format)
{
	pieces->brief = format == TR2_LOG_NORMAL;
	pieces->crlf = pieces->is_mixed = pieces->bare = false;
	pieces->next = NULL;
	tr2_buf_reset(&pieces->open);
}

void tr2_pieces_release(struct tr2_plain_pieces *pieces)
{
	tr2_buf_release(&pieces->line);
	tr2_buf_release(&pieces->open);
}

bool tr2_plain_is_object(const char *text, size_t len)
{
	return len && *text == '{' && tr2_text_find(text, len, "\"event\"");
}

/* Find out what the piece is. */
static void divide_piece(const struct tr2_plain_pieces *pieces,
			 struct tr2_plain_piece *piece)
{
	piece->format = TR2_LOG_UNKNOWN;
	if (tr2_plain_is_object(piece->text, piece->len))
		piece->format = TR2_LOG_EVENT;
	else if (tr2_perf_divide(&piece->event, piece->text, piece->len) ||
		 tr2_normal_divide(&piece->event, piece->text, piece->len,
				   pieces->brief))
		piece->format = piece->event.format;
	if (piece->format == TR2_LOG_NORMAL)
		tr2_normal_parts(&piece->event, &piece->parts);
}

void tr2_pieces_end(struct tr2_plain_pieces *pieces)
{
	struct tr2_buf *open = &pieces->open;
	const size_t before = pieces->open_before;
	struct tr2_plain_piece piece;

	if (open->failed)
		tr2_memory_out();
	if (!open->len)
		return;
	piece.number = pieces->open_number;
	piece.before = open->bytes;
	piece.before_len = before;
	piece.text = open->bytes + before;
	piece.len = open->len - before;
	piece.ended = pieces->open_ended;
	divide_piece(pieces, &piece);
	pieces->take(pieces->taker, &piece);
	tr2_buf_reset(open);
}

/* Only then it has an event, of PERF or NORMAL. */
static bool is_event(const struct tr2_plain_piece *piece)
{
	return piece->format == TR2_LOG_NORMAL || piece->format == TR2_LOG_PERF;
}

/* A line break in an argument is written as it is. */
static bool goes_on(const struct tr2_plain_piece *piece)
{
	const struct tr2_plain_event *event = &piece->event;

	return is_event(piece) &&
	       (event->named == TR2_IS_START ||
		event->named == TR2_IS_CHILD_START ||
		event->named == TR2_IS_ALIAS || event->named == TR2_IS_EXEC) &&
	       tr2_form_is_open(event->text + event->payload,
				event->len - event->payload, false);
}

/* Is it an error, whose message may have line breaks? */
static bool is_error(const struct tr2_plain_piece *piece)
{
	return is_event(piece) && piece->event.named == TR2_IS_ERROR;
}

/* As `fatal: `: what git says on standard error after an event was told there. */
static bool is_said(const char *text, size_t len)
{
	const size_t word = tr2_text_count_word(text, len, "");

	return word && tr2_text_starts(text + word, len - word, ": ");
}

/*
 * Does it say which event of NORMAL it is, and what it needs comes later? The
 * name of an alias or a program may have a line break.
 */
static bool lacks_payload(const struct tr2_plain_piece *piece)
{
	const struct tr2_plain_event *event = &piece->event;

	return piece->format == TR2_LOG_NORMAL &&
	       event->is == TR2_IS_PRINTF && /* it may have any text */
	       event->named != TR2_IS_PRINTF && event->named != TR2_IS_ALIAS &&
	       event->named != TR2_IS_EXEC &&
	       !tr2_form_is_open(event->text + event->payload,
				 event->len - event->payload, false);
}

/*
 * Does the line have a clock and a depth, or the beginning of a payload, and the
 * rest comes later?
 */
static bool is_wrapped(const struct tr2_plain_piece *piece)
{
	const char *text = piece->text, *end = text + piece->len;
	const char *bar;

	if (lacks_payload(piece))
		return true;
	if (piece->format || !tr2_clock_is(text, piece->len, false))
		return false;
	bar = memchr(text, '|', piece->len);
	return bar && end - bar > 4 && bar[1] == ' ' && bar[2] == 'd' &&
	       tr2_text_is_digit(bar[3]);
}

static void keep_open(struct tr2_plain_pieces *pieces,
		      const struct tr2_plain_piece *piece)
{
	tr2_buf_add(&pieces->open, piece->before, piece->before_len);
	tr2_buf_add(&pieces->open, piece->text, piece->len);
	pieces->open_before = piece->before_len;
	pieces->open_number = piece->number;
	pieces->open_ended = piece->ended;
	pieces->wraps = is_wrapped(piece) ? WRAPS : 0;
	pieces->is_error = !pieces->wraps && is_error(piece);
}

void tr2_wrapped_join(struct tr2_buf *line, const char *text, size_t len)
{
	while (line->len && line->bytes[line->len - 1] == ' ')
		line->len--;
	while (len && *text == ' ')
		text++, len--;
	tr2_buf_byte(line, ' ');
	tr2_buf_add(line, text, len);
}

/* Does the event of NORMAL that a mail broke have all its parts? */
static bool is_normal_now(struct tr2_plain_pieces *pieces)
{
	const size_t before = pieces->open_before;
	struct tr2_plain_piece piece = {
		.text = pieces->open.bytes + before,
		.len = pieces->open.len - before,
	};

	divide_piece(pieces, &piece);
	return piece.format == TR2_LOG_NORMAL && !lacks_payload(&piece);
}

/* In a mail, each line of an event has the mark of a quote. */
static void skip_mark(const struct tr2_plain_pieces *pieces, const char **text,
		      size_t *len)
{
	const size_t before = pieces->open_before;

	if (*len >= before && !memcmp(*text, pieces->open.bytes, before))
		*text += before, *len -= before;
}

/* Join the line to the event; returns whether the event is complete. */
static bool join_line(struct tr2_plain_pieces *pieces,
		      const struct tr2_plain_piece *piece)
{
	const char *text = pieces->wraps ? piece->text : piece->before;
	size_t len = piece->len + (size_t)(piece->text - text);

	skip_mark(pieces, &text, &len);
	if (pieces->wraps) {
		tr2_wrapped_join(&pieces->open, text, len);
		return !--pieces->wraps || is_normal_now(pieces);
	}
	tr2_buf_byte(&pieces->open, '\n');
	tr2_buf_add(&pieces->open, text, len);
	return !pieces->is_error && !tr2_form_is_open(text, len, true);
}

/*
 * It is no event, so it may belong to the one before; among lines of programs
 * nobody knows where the message of an error ends.
 */
static bool goes_on_with(struct tr2_plain_pieces *pieces,
			 const struct tr2_plain_piece *piece)
{
	const struct tr2_buf *open = &pieces->open;

	if (!open->len || open->len + piece->len >= OPEN_MOST ||
	    is_wrapped(piece) ||
	    (pieces->is_error &&
	     (pieces->is_mixed || is_said(piece->text, piece->len))))
		return false;
	pieces->open_ended = piece->ended;
	if (join_line(pieces, piece))
		tr2_pieces_end(pieces);
	return true;
}

/* A terminal may have filled its row with blanks. */
static void drop_padding(const char *text, size_t *len)
{
	size_t end = *len;

	while (end && text[end - 1] == ' ')
		end--;
	if (*len - end > 1)
		*len = end;
}

bool tr2_plain_is_printed(const struct tr2_line *line, bool bare)
{
	static const char *const keys[] = { "\"event\"", "\"sid\"",
					    "\"thread\"" };
	const char *text = line->text;
	const size_t len = line->len;

	if (!bare || len < 2)
		return false;
	if (memchr(" +-", *text, 3))
		return tr2_text_starts(text + 1, len - 1, "{\"event\":");
	if (!tr2_text_starts(text, len, "{\"") || text[len - 1] != '}' ||
	    strchr(" ,:", text[len - 2]))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (tr2_text_find(text, len, keys[i]))
			return false;
	return tr2_text_find(text, len, "\":");
}

static void divide_line(struct tr2_plain_pieces *pieces,
			const struct tr2_line *line,
			struct tr2_plain_piece *piece)
{
	piece->format = TR2_LOG_UNKNOWN;
	if (!tr2_plain_is_printed(line, pieces->bare))
		divide_piece(pieces, piece);
	pieces->bare |= piece->format && !piece->before_len;
}

void tr2_pieces_line(struct tr2_plain_pieces *pieces,
		     const struct tr2_line *line)
{
	struct tr2_plain_piece piece;
	const char *text = line->text;
	size_t len = line->len;

	piece.number = line->number;
	piece.ended = line->ended;
	if (line->number == 1)
		pieces->crlf = len && text[len - 1] == '\r';
	if (pieces->crlf && len && text[len - 1] == '\r')
		len--;
	drop_padding(text, &len);
	piece.before_len = tr2_carrier_measure(&text, &len, &pieces->line);
	piece.before = text;
	piece.text = text + piece.before_len;
	piece.len = len - piece.before_len;
	divide_line(pieces, line, &piece);
	if (!piece.format && goes_on_with(pieces, &piece))
		return;
	pieces->next = &piece;
	tr2_pieces_end(pieces);
	pieces->next = NULL;
	pieces->is_mixed |= !piece.format && piece.len;
	if (goes_on(&piece) || is_wrapped(&piece) || is_error(&piece))
		keep_open(pieces, &piece);
	else
		pieces->take(pieces->taker, &piece);
}

/* Nothing but a fence of text, or dots for what was left out. */
static bool is_mark(const char *text, size_t len)
{
	static const char marks[] = "`~.-=_*>$#";

	while (len && memchr(marks, text[len - 1], sizeof(marks) - 1))
		len--;
	return !len;
}

/* Is it a value of JSON, but no object? `[main 1a2b] x` is none. */
static bool is_json_value(const char *text, size_t len)
{
	return tr2_text_is_among(text, len, "null true false") ||
	       (*text == '"' && text[len - 1] == '"') ||
	       (*text == '[' && !memchr(text, ' ', len));
}

/* Do the two bytes stand side by side only in JSON? */
static bool is_json_pair(char one, char two)
{
	static const char marks[] = ":,[]{}\\";

	return (one == '"' && strchr(marks, two)) ||
	       (two == '"' && strchr(marks, one));
}

/* In an event no blank follows a key. */
static bool has_part_of_json(const char *text, size_t len, bool amid)
{
	if (*text == '{' || memchr(text, '\0', len) ||
	    (text[len - 1] == '}' && !(amid && strchr("+- \t}", *text))))
		return true;
	for (size_t i = 1; i < len; i++)
		if (is_json_pair(text[i - 1], text[i]) &&
		    (!amid ||
		     (text[i] == ':' && i + 1 < len && text[i + 1] != ' ')))
			return true;
	return false;
}

static bool has_letters(const char *text, size_t len)
{
	size_t others = 0;

	for (size_t i = 0; i < len; i++) {
		if ((text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z')
			return true;
		others += (text[i] & 0xc0) == 0xc0;
	}
	return others > 1;
}

/*
 * Words of a program: no JSON and no part of it, and no bytes of a tear. Amid
 * such words, a value, a line without letters, and JSON that is laid out with
 * blanks are of them, too.
 */
static bool is_prose(const char *text, size_t len, bool amid)
{
	return is_mark(text, len) || (!has_part_of_json(text, len, amid) &&
				      (amid || (!is_json_value(text, len) &&
						has_letters(text, len))));
}

bool tr2_plain_is_other(const struct tr2_line *line, bool in_torn, bool *amid)
{
	struct tr2_buf copy = TR2_BUF_INIT;
	const char *text = line->text;
	size_t len = line->len, before;
	bool other;

	while (len && strchr(" \t\r", text[len - 1]))
		len--;
	if (!len)
		return *amid && !in_torn;
	if (in_torn || tr2_text_starts(text, len, "\xef\xbb\xbf{") ||
	    (*text == '{' &&
	     (text[len - 1] == '}' || !memchr(text, '\033', len))))
		return false;
	before = tr2_carrier_measure(&text, &len, &copy);
	text += before, len -= before;
	other = tr2_plain_is_object(text, len) ||
		tr2_clock_is(text, len, false) || is_prose(text, len, *amid);
	*amid |= other;
	tr2_buf_release(&copy);
	return other;
}
